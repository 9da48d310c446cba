"""The directory in which verification runs the model and keeps runs and pictures."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from squall import locate, machine
from squall.errors import UserError
from squall.lab.variants import Changes, variant
from squall.runs import launch
from squall.runs.running import Watch


@dataclass(frozen=True)
class Layout:
    """How a run is divided; tiles of 0 cells: the model's choice."""

    ranks: int
    threads: int
    tile_x: int = 0
    tile_y: int = 0

    def settings(self) -> dict[str, str]:
        return {"parallel.tile_x": str(self.tile_x), "parallel.tile_y": str(self.tile_y)}


ONE_CORE = Layout(ranks=1, threads=1)
NOBODY = Watch()


@dataclass(frozen=True)
class Workspace:
    """A directory for runs and pictures. `wrf`: the folder of a built WRF to compare with."""

    directory: Path
    wrf: Path | None = None

    def picture(self, case: str) -> Path:
        return self.directory / f"{case}.png"

    def run_file(self, name: str, text: str) -> Path:
        """Writes a run file of the workspace's own."""
        path = self.directory / f"{name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def variant(self, name: str, case: str, changes: Changes) -> Path:
        """Writes the run file of a case that comes with Squall, with its changes."""
        return self.run_file(name, variant(case, changes))

    def run(
        self,
        name: str,
        run_file: Path,
        settings: Mapping[str, str],
        layout: Layout = ONE_CORE,
        timing: Path | None = None,
        watch: Watch = NOBODY,
        model: Path | None = None,
        launcher: machine.Launcher | None = None,
    ) -> Path:
        """Runs the model and returns the run's directory.

        `settings` replace keys of the run file: {"run.time_step": "6 s"}. With `timing` the model
        leaves its timing there. `watch`: who looks at its processes. `model`, `launcher`: of another build,
        and the mpirun of its MPI. Raises UserError with the end of what the model said if it fails.
        """
        directory = self.directory / name
        arguments = [str(run_file), "--overwrite", "--threads", str(layout.threads)]
        for key, value in {"run.directory": str(directory), **layout.settings(), **settings}.items():
            arguments += ["--set", f"{key}={value}"]
        if timing:
            arguments += ["--timing", str(timing)]
        words = [*watch.before, str(model or locate.model_binary()), *arguments, *watch.words]
        start = launch.prepare(
            Path(words[0]),
            words[1:],
            layout.ranks,
            layout.threads,
            added=watch.environment,
            launcher=launcher,
        )
        environment = start.whole_environment() | {"SQUALL_TERMINAL": "0"}
        done = subprocess.run(
            start.command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            said = "\n".join(done.stdout.splitlines()[-15:])
            raise UserError(
                f"the run {name} failed with exit code {done.returncode}: {' '.join(start.command)}\n{said}",
                1,
            )
        return directory
