"""Starts the programs, under mpirun or directly, with their command line and environment."""

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from squall import machine
from squall.errors import UserError
from squall.runs import signals

# Set by batch systems, which have granted the nodes: this machine's cores are then not the limit.
_BATCH_JOBS = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID")

_OF_A_SINGLETON = ("OMPI_MCA_ess", "OMPI_MCA_orte_", "OMPI_MCA_pmix", "OMPI_APP_CTX_", "ORTE_", "PMIX_")

# Open MPI's own MPI-IO (OMPIO) does not report all errors when several ranks write one file; ROMIO does.
# Other MPI libraries ignore this.
MPI_IO = {"OMPI_MCA_io": "^ompio"}

_MEANWHILE = 5.0  # s
STOPPED = 3  # the model's exit code when it was asked to stop and has written a restart frame


@dataclass(frozen=True)
class Start:
    """A command, additions to its environment, and warnings to print."""

    command: list[str]
    environment: dict[str, str]
    warnings: list[str]
    launcher: bool = False  # whether the command starts an mpirun, and not the program itself

    def whole_environment(self) -> dict[str, str]:
        """This process's environment with the additions."""
        return inherited() | self.environment


def inherited() -> dict[str, str]:
    """This process's environment, for a process that uses or starts MPI.

    It omits the variables that Open MPI sets when MPI is initialised without mpirun (as in a Python that has
    read an ADIOS2 file): with them, an mpirun started from here takes itself for a rank and exits.
    """
    environment = dict(os.environ)
    if environment.get("OMPI_MCA_ess") != "singleton":
        return environment
    return {k: v for k, v in environment.items() if not k.startswith(_OF_A_SINGLETON)}


def prepare(
    program: Path,
    arguments: list[str],
    ranks: int,
    threads: int | None,
    *,
    cores: int | None = None,
    launcher: machine.Launcher | str | None = None,
    env: Mapping[str, str] = os.environ,
    added: Mapping[str, str] | None = None,
) -> Start:
    """Prepares the start of `ranks` processes with `threads` threads each (None: the run file decides).
    launcher: the mpirun to use, or the words of another launcher, which then sets the binding: "srun
    --cpu-bind=cores". added: additions to the processes' environment."""
    cores = cores or machine.cores()
    batch = any(name in env for name in _BATCH_JOBS)
    wanted = ranks * (threads or 1)
    warnings = []
    if wanted > cores and not batch and not isinstance(launcher, str):
        warnings.append(
            f"{ranks} rank(s) x {threads or 1} thread(s) share {cores} core(s), which is slower than "
            f"using {cores}."
        )
    # Under mpirun every rank's standard output looks like a terminal, so the model reads this instead.
    environment = {"SQUALL_TERMINAL": "1" if sys.stdout.isatty() else "0"}
    environment |= {name: value for name, value in MPI_IO.items() if name not in env} | dict(added or {})
    if threads:
        environment["OMP_NUM_THREADS"] = str(threads)
        # Two runs that each bind to part of a machine would both take its first cores.
        if threads > 1 and (wanted == cores or batch):
            environment |= {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
    command = [str(program), *arguments]
    if isinstance(launcher, str):
        words = shlex.split(launcher)
        if not words or shutil.which(words[0]) is None:
            raise UserError(
                f"--launcher {launcher}: PATH has no program {words[0] if words else launcher!r}."
            )
        return Start([*words, "-n", str(ranks), *command], environment, warnings)
    if ranks == 1:
        return Start(command, environment, warnings)
    launcher = launcher or machine.launcher()
    if launcher is None:
        raise UserError(
            f"{ranks} ranks need mpirun, which is not on PATH. Install it (Debian: sudo apt-get install "
            "openmpi-bin) or load its module; one rank (-n 1) runs without it."
        )
    options = ["-n", str(ranks)]
    if launcher.is_open_mpi:
        options += _open_mpi_options(ranks, threads, cores, batch)
        # For other nodes too; mpirun forwards its own settings itself.
        handed_on = (name for name in environment if name not in MPI_IO)
        options += [word for name in handed_on for word in ("-x", name)]
    if launcher.is_hydra and ranks * _cores_of_a_rank(ranks, threads, cores) == cores and not batch:
        options += ["-bind-to", f"core:{_cores_of_a_rank(ranks, threads, cores)}"]
    return Start([launcher.path, *options, *command], environment, warnings, launcher=True)


def _cores_of_a_rank(ranks: int, threads: int | None, cores: int) -> int:
    return threads or max(1, cores // ranks)


def _open_mpi_options(ranks: int, threads: int | None, cores: int, batch: bool) -> list[str]:
    options = ["--quiet"]  # the model has reported the error; `squall run` adds how it ended
    if os.geteuid() == 0:
        options.append("--allow-run-as-root")
    if ranks > cores and not batch:
        options.append("--oversubscribe")
    per_rank = _cores_of_a_rank(ranks, threads, cores)
    if batch or ranks * per_rank == cores:
        options += ["--map-by", f"slot:PE={per_rank}", "--bind-to", "core"]
    else:
        options += ["--bind-to", "none"]
    return options


def execute(start: Start) -> int:
    """Runs the command to its end and returns its exit code (128 + N if signal N ended it).

    The command has a process group of its own, so that each signal that asks this process to end reaches it
    once, even if the terminal or batch system signals the whole group.
    """
    early = signals.Early()
    with signals.handled(early.handle):
        process = _begin(start)
        early.hand_on_to(lambda number: signals.send(process, number))
        return _exit_code(process)


def execute_model(
    start: Start, meanwhile: Callable[[], None] | None = None
) -> tuple[int, signal.Signals | None]:
    """Like execute(), for the model, which on a signal stops at the end of its step. Returns its exit code
    (STOPPED: it has written a restart frame) and the first such signal. Calls `meanwhile` every few seconds
    during the run, and once after it."""
    early = signals.Early()
    with signals.handled(early.handle):
        process = _begin(start)
        stop = signals.Stop(process, launcher=start.launcher)
        early.hand_on_to(stop.handle)
        while meanwhile is not None and process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_MEANWHILE)
            meanwhile()
        return _exit_code(process), stop.first


def _begin(start: Start) -> subprocess.Popen[bytes]:
    return subprocess.Popen(start.command, env=start.whole_environment(), process_group=0)


def _exit_code(process: subprocess.Popen[bytes]) -> int:
    code = process.wait()
    return 128 - code if code < 0 else code


def ended_by_signal(code: int) -> str | None:
    """The name of the signal that an exit code stands for; None if it stands for none."""
    try:
        return signal.Signals(code - 128).name if code > 128 else None
    except ValueError:
        return None
