"""`squall run --submit`: submits the run as a Slurm or PBS job.

The job stops the model before its time limit, so that it writes a restart frame, and resubmits itself until
the run is done.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from squall import mpi, quantity
from squall.errors import UserError
from squall.runs import running

System = Literal["Slurm", "PBS"]

_SUBMIT: dict[System, str] = {"Slurm": "sbatch", "PBS": "qsub"}
_AGAIN: dict[System, str] = {
    "Slurm": "sbatch --export=ALL,SQUALL_AGAIN=1", "PBS": "qsub -v SQUALL_AGAIN=1"
}  # fmt: skip
_NOTICE = 300.0  # time left to write a restart frame before the limit [s]; less in short jobs


@dataclass(frozen=True)
class Options:
    """The job's options on the command line; None: not given."""

    nodes: int | None = None
    walltime: str | None = None
    modules: list[str] | None = None
    queue: str | None = None
    account: str | None = None
    dry_run: bool = False


def refuse_without_submit(options: Options) -> None:
    """Raises UserError if an option of the job is given without --submit."""
    given = [field.name for field in fields(Options) if getattr(options, field.name)]
    if given:
        name = {"modules": "module", "dry_run": "dry-run"}.get(given[0], given[0])
        raise UserError(f"--{name} needs a job: add --submit, or leave --{name} out.")


def submit(wishes: running.Wishes, options: Options, env: Mapping[str, str] = os.environ) -> None:
    """Writes the job script into the current directory, submits it, and prints the batch system's answer."""
    if wishes.plan:
        raise UserError("--plan runs nothing, so it needs no job: leave out --submit.")
    if wishes.tuned:
        raise UserError(
            "--tuned applies to this machine, not to the job's nodes: leave out --tuned or --submit."
        )
    path = wishes.run_file()
    system = _system(options)
    script = Path(f"{path.stem}.{system.lower()}").resolve()
    script.write_text(text(system, script, path, wishes, options, env))
    script.chmod(0o755)
    print(f"Script: {script}")
    if options.dry_run:
        print(f"Submit it with: {_SUBMIT[system]} {script}")
        return
    done = subprocess.run([_SUBMIT[system], str(script)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{_SUBMIT[system]} refused {script}: {(done.stderr or done.stdout).strip()}", 1)
    print(done.stdout.strip())


def _system(options: Options) -> System:
    """The batch system whose command is on PATH."""
    for system, command in _SUBMIT.items():
        if shutil.which(command):
            return system
    if options.dry_run:
        return "Slurm"
    raise UserError(
        "Neither sbatch (Slurm) nor qsub (PBS) is on PATH: submit from a login node of the cluster, or "
        "only write the script with --dry-run."
    )


def text(
    system: System,
    script: Path,
    run_file: Path,
    wishes: running.Wishes,
    options: Options,
    env: Mapping[str, str] = os.environ,
) -> str:
    """The text of the job script. Raises UserError if ranks and nodes do not fit together."""
    seconds = _seconds(options.walltime or "1:00:00")
    notice = int(min(_NOTICE, seconds / 10))
    head = _slurm(run_file, wishes, options, seconds, notice)
    launcher, stop = "srun --cpu-bind=cores", ""
    if system == "PBS":
        head = _pbs(run_file, wishes, options, seconds)
        launcher, stop = "", f"timeout --preserve-status --signal=USR1 {seconds - notice} "
    words = ["squall", "run", str(run_file.resolve()), "-n", str(wishes.ranks)]
    words += ["--threads", str(wishes.threads)] if wishes.threads else []
    for setting in wishes.settings:
        words += ["--set", setting]
    words += ["--keep-restarts", str(wishes.keep)] if wishes.keep else []
    words += ["--launcher", wishes.launcher or launcher] if wishes.launcher or launcher else []
    first = "--overwrite" if wishes.overwrite else "--continue"
    return _TEXT.format(
        head="\n".join(f"#{'SBATCH' if system == 'Slurm' else 'PBS'} {line}" for line in head),
        modules=_modules(options, env),
        mpi=_mpi(env),
        bin=shlex.quote(str(Path(sys.executable).parent)),
        folder=shlex.quote(str(Path.cwd())),
        threads=wishes.threads or 1,
        command=stop + shlex.join(words),
        first=first,
        again=_AGAIN[system],
        script=shlex.quote(str(script)),
    )


_TEXT = """\
#!/bin/bash
{head}
# Made by `squall run --submit`. Stops before the time limit with a restart frame written, and submits
# itself again until the run is done.

{modules}
export PATH={bin}:$PATH
{mpi}export OMP_NUM_THREADS={threads} OMP_PLACES=cores OMP_PROC_BIND=close
cd {folder} || exit 1

first={first}
if [ -n "$SQUALL_AGAIN" ]; then first=--continue; fi
{command} $first
status=$?

# 3: stopped as asked, to be continued. Anything else ends the chain.
if [ "$status" -eq 3 ]; then {again} {script}; fi
exit "$status"
"""


def _modules(options: Options, env: Mapping[str, str]) -> str:
    """Lines that load the modules asked for, or else those loaded now, in the same order."""
    loaded = options.modules or [name for name in env.get("LOADEDMODULES", "").split(":") if name]
    if not loaded:
        return (
            "# No modules were loaded; name those that Squall was built with: --module gcc --module openmpi"
        )
    return "module purge\nmodule load " + shlex.join(loaded)


def _mpi(env: Mapping[str, str]) -> str:
    """The line that has the job, too, take the MPI that $SQUALL_MPI names here: not every batch system hands
    on variables."""
    named = env.get(mpi.VARIABLE)
    return f"export {mpi.VARIABLE}={shlex.quote(os.path.abspath(named))}\n" if named else ""


def _slurm(run_file: Path, wishes: running.Wishes, options: Options, seconds: int, notice: int) -> list[str]:
    lines = [
        f"--job-name={run_file.stem}",
        f"--nodes={options.nodes or 1}",
        f"--ntasks={wishes.ranks}",
        f"--cpus-per-task={wishes.threads or 1}",
        f"--time={_clock(seconds)}",
        f"--signal=USR1@{notice}",
        "--output=%x-%j.log",
    ]
    lines += [f"--partition={options.queue}"] if options.queue else []
    return lines + ([f"--account={options.account}"] if options.account else [])


def _pbs(run_file: Path, wishes: running.Wishes, options: Options, seconds: int) -> list[str]:
    nodes = options.nodes or 1
    if wishes.ranks % nodes:
        raise UserError(
            f"{wishes.ranks} ranks on {nodes} nodes: PBS needs the same number on each; "
            f"change --ranks or --nodes."
        )
    each, threads = wishes.ranks // nodes, wishes.threads or 1
    lines = [
        f"-N {run_file.stem[:15]}",
        f"-l select={nodes}:ncpus={each * threads}:mpiprocs={each}:ompthreads={threads}",
        f"-l walltime={_clock(seconds)}",
        "-j oe",
    ]
    lines += [f"-q {options.queue}"] if options.queue else []
    return lines + ([f"-A {options.account}"] if options.account else [])


def _seconds(walltime: str) -> int:
    """The seconds in "6:00:00" or "6 h"."""
    clock = re.fullmatch(r"(\d+):([0-5]\d)(?::([0-5]\d))?", walltime.strip())
    if clock:
        hours, minutes, rest = (int(part or 0) for part in clock.groups())
        return 3600 * hours + 60 * minutes + rest
    try:
        return int(quantity.parse(walltime, "time").value)
    except ValueError as error:
        raise UserError(f"--walltime {walltime}: write it as H:MM:SS; {error}.") from None


def _clock(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
