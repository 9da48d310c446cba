"""Starts the programs: their command line and environment, under mpirun or by themselves."""

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

# With one of these set, a batch system has granted the nodes: this machine's cores are not the limit.
_BATCH_JOBS = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID")

_OF_A_SINGLETON = ("OMPI_MCA_ess", "OMPI_MCA_orte_", "OMPI_MCA_pmix", "OMPI_APP_CTX_", "ORTE_", "PMIX_")

# Open MPI's own MPI-IO does not report all errors where several ranks write one file; its other one does.
# No other MPI looks at this.
MPI_IO = {"OMPI_MCA_io": "^ompio"}

_MEANWHILE = 5.0  # s
STOPPED = 3  # the model's exit code when it was asked to stop and has written a restart frame


@dataclass(frozen=True)
class Start:
    """What to execute, with what added to the environment, and what to warn of."""

    command: list[str]
    environment: dict[str, str]
    warnings: list[str]
    launcher: bool = False  # whether the command starts an mpirun, and not the program itself

    def whole_environment(self) -> dict[str, str]:
        """This process's environment, in which the command is started, with what is added."""
        return inherited() | self.environment


def inherited() -> dict[str, str]:
    """This process's environment, for one that is or starts MPI.

    Without what Open MPI leaves there when MPI is initialised in a process that no mpirun started
    (a Python that has read an ADIOS2 file): an mpirun below it takes itself for a rank and ends.
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
    """The start of `ranks` processes of `threads` threads each (None: the run file decides). launcher: the
    mpirun to take, or the words of another one, which binds as it was told to: "srun --cpu-bind=cores".
    added: to the environment of the processes."""
    cores = cores or machine.cores()
    batch = any(name in env for name in _BATCH_JOBS)
    wanted = ranks * (threads or 1)
    warnings = []
    if wanted > cores and not batch and not isinstance(launcher, str):
        warnings.append(
            f"{ranks} rank(s) x {threads or 1} thread(s) share {cores} core(s): slower than {cores} would be."
        )
    # Under mpirun every rank's standard output looks like a terminal, so the model asks this instead.
    environment = {"SQUALL_TERMINAL": "1" if sys.stdout.isatty() else "0"}
    environment |= {name: value for name, value in MPI_IO.items() if name not in env} | dict(added or {})
    if threads:
        environment["OMP_NUM_THREADS"] = str(threads)
        # Two runs that bind to part of a machine would both take its first cores.
        if threads > 1 and (wanted == cores or batch):
            environment |= {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
    command = [str(program), *arguments]
    if isinstance(launcher, str):
        words = shlex.split(launcher)
        if not words or shutil.which(words[0]) is None:
            raise UserError(
                f"--launcher {launcher}: there is no program {words[0] if words else launcher!r}."
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
        # To other nodes too; its own settings it takes there by itself.
        handed_on = (name for name in environment if name not in MPI_IO)
        options += [word for name in handed_on for word in ("-x", name)]
    if launcher.is_hydra and ranks * _cores_of_a_rank(ranks, threads, cores) == cores and not batch:
        options += ["-bind-to", f"core:{_cores_of_a_rank(ranks, threads, cores)}"]
    return Start([launcher.path, *options, *command], environment, warnings, launcher=True)


def _cores_of_a_rank(ranks: int, threads: int | None, cores: int) -> int:
    return threads or max(1, cores // ranks)


def _open_mpi_options(ranks: int, threads: int | None, cores: int, batch: bool) -> list[str]:
    options = ["--quiet"]  # the model has said what was wrong; `squall run` adds what ended it
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
    """Runs it to its end and returns its exit code (128 + signal where one ended it).

    The run has a process group of its own and gets every signal that asks this process to end, once:
    from the terminal, which would else signal it directly as well, and from batch systems.
    """
    early = signals.Early()
    with signals.handled(early.handle):
        process = _begin(start)
        early.hand_on_to(lambda number: signals.send(process, number))
        return _exit_code(process)


def execute_model(
    start: Start, meanwhile: Callable[[], None] | None = None
) -> tuple[int, signal.Signals | None]:
    """As execute(), for the model, which stops at the end of a step when it is asked to: its exit code
    (STOPPED: it has written a restart frame) and the signal that asked first. `meanwhile` is called every
    few seconds as long as it runs, and once after."""
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
    """The name of the signal that an exit code tells of; None: it tells of none."""
    try:
        return signal.Signals(code - 128).name if code > 128 else None
    except ValueError:
        return None
