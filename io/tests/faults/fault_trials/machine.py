"""What trials need of the machine: programs of the build, and file systems small enough to fill."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from squall import locate
from squall import machine as whole_machine
from squall.errors import UserError
from squall.runs import launch


@dataclass(frozen=True)
class Programs:
    """Built with the tests of the output runtime, and not installed."""

    writer: Path
    shim: Path
    io: Path


def programs() -> Programs:
    """Raises UserError if they are not built."""
    io = locate.io_binary()
    tests = io.parents[1] / "tests" / "faults"
    found = Programs(tests / "io_faults_writer", tests / "shim" / "libio_faults_shim.so", io)
    for path in (found.writer, found.shim):
        if not path.is_file():
            raise UserError(f"{path} is not there. Build it with `make build`, in a checkout.")
    return found


def storing_engines() -> tuple[str, ...]:
    """The engines of the build that leave files."""
    done = subprocess.run(
        [locate.io_binary(), "engines", "--json"], capture_output=True, text=True, check=True
    )
    there = (engine["name"] for engine in json.loads(done.stdout) if not engine["missing"])
    return tuple(sorted(name for name in there if name not in ("null", "sst")))


def open_mpi() -> str:
    """The launcher. Raises UserError: what a launcher that does not notice a death is called differs."""
    launcher = whole_machine.launcher()
    if launcher is None or not launcher.is_open_mpi:
        raise UserError("Faults are tried under Open MPI's mpirun, which is not on PATH.")
    return launcher.path


def environment(scratch: Path) -> dict[str, str]:
    """Of a program that is no rank of ours. A single process needs no daemon of MPI beside it; those that
    run at the same time would share, and remove, one directory of MPI's."""
    return (
        launch.MPI_IO
        | launch.inherited()
        | {
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_ess_singleton_isolated": "1",
            "OMPI_MCA_orte_tmpdir_base": str(scratch),
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1",  # trials share the processors
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
            "OMP_NUM_THREADS": "1",
        }
    )


@contextmanager
def small_disk(directory: Path, size: int) -> Iterator[bool]:
    """A file system of `size` bytes at `directory`; False where the machine does not allow one."""
    mounted = (
        os.geteuid() == 0
        and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(directory)],
            capture_output=True,
            check=False,
        ).returncode
        == 0
    )
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(directory)], capture_output=True, check=False)
