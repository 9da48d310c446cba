"""Describes this machine: cores, caches, memory, and the MPI launcher."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from squall import locate, mpi
from squall.errors import UserError

_CPU = Path("/sys/devices/system/cpu")


def cores() -> int:
    """Physical cores that this process may use; hardware threads of one core count once."""
    return len({_siblings(cpu) for cpu in os.sched_getaffinity(0)})


def _siblings(cpu: int) -> str:
    try:
        return (_CPU / f"cpu{cpu}" / "topology" / "thread_siblings_list").read_text().strip()
    except OSError:
        return str(cpu)


def caches() -> list[str]:
    """Data caches of the first core this process may use, as "L2 1 MiB"."""
    found = []
    for index in sorted((_CPU / f"cpu{min(os.sched_getaffinity(0))}" / "cache").glob("index*")):
        kind = (index / "type").read_text().strip()
        size = (index / "size").read_text().strip()
        if kind != "Instruction":
            found.append(f"L{(index / 'level').read_text().strip()} {_readable(size)}")
    return found


def _readable(size: str) -> str:
    kib = int(size.removesuffix("K"))
    return f"{kib / 1024:.3g} MiB" if kib >= 1024 else f"{kib} KiB"


def memory() -> tuple[float, float]:
    """Total and free memory of the machine [GiB]."""
    text = Path("/proc/meminfo").read_text()
    values = dict(re.findall(r"^(\w+):\s+(\d+) kB", text, re.M))
    return int(values["MemTotal"]) / 2**20, int(values["MemAvailable"]) / 2**20


def processor() -> str:
    """The processor's name."""
    found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    return found.group(1) if found else os.uname().machine


@dataclass(frozen=True)
class Launcher:
    """An mpirun: its path and its MPI library."""

    path: str
    version: str

    @property
    def is_open_mpi(self) -> bool:
        return "open mpi" in self.version.lower() or "openrte" in self.version.lower()

    @property
    def is_hydra(self) -> bool:
        """MPICH's."""
        return "hydra" in self.version.lower() or "mpich" in self.version.lower()


def launcher() -> Launcher | None:
    """The mpirun (or mpiexec) of the MPI that squall-model loads, else on PATH; None: there is none."""
    try:
        model = locate.model_binary()
    except UserError:
        model = None
    path = mpi.mpirun(model)
    if path is None:
        return None
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    lines = (said.stdout or said.stderr).strip().splitlines()
    if lines and (number := re.search(r"^HYDRA build details:\s+Version:\s+(\S+)", said.stdout)):
        lines[0] = f"HYDRA {number[1]}"
    return Launcher(path, lines[0] if lines else "unknown")
