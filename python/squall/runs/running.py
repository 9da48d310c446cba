"""`squall run`: starts or continues the model, and reports how it ended."""

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console

from squall import forms, locate
from squall.errors import UserError
from squall.runs import launch, restarts, run_state, tuned


@dataclass(frozen=True)
class Watch:
    """Additions to the model's command line by a tool that observes it: words before the program, words after
    its arguments, and variables for its environment."""

    before: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    """One that runs run files: how it is found, and a run file by the name of a case; its option that says
    what would run, and runs nothing; and what must be so before it starts, else a UserError."""

    binary: Callable[[], Path]
    run_file: Callable[[str], Path]
    look: str
    require: Callable[[Path], None] = lambda program: None


MODEL = Program(locate.model_binary, locate.run_file, "--plan", forms.require)
TRANSPORT = Program(locate.transport_binary, locate.transport_file, "--check")


@dataclass(frozen=True)
class Wishes:
    """The options of the command line. plan: to be told what would run, and run nothing."""

    case: str
    ranks: int = 1
    threads: int | None = None
    settings: list[str] = field(default_factory=list)
    plan: bool = False
    overwrite: bool = False
    go_on: bool = False
    keep: int | None = None
    launcher: str | None = None
    tuned: bool = False
    watch: Watch = Watch()
    program: Program = MODEL

    def directory(self) -> Path:
        """The run directory; the current one if the run file cannot be read, which the model will report."""
        try:
            return restarts.place(self.run_file(), self.settings).run
        except UserError:
            return Path()

    def run_file(self) -> Path:
        """The run file. Raises UserError if it does not exist, or if options exclude each other."""
        if self.go_on and self.overwrite:
            raise UserError(
                "--continue keeps the frames of the run, --overwrite replaces them: leave one of them out."
            )
        if self.go_on and any(setting.startswith("run.restart_from") for setting in self.settings):
            raise UserError("--continue sets run.restart_from itself: leave one of them out.")
        path = self.program.run_file(self.case)
        if not Path(self.case).is_file() and "\n[prepare]" in path.read_text():
            raise UserError(
                f"The case {self.case} is prepared from an analysis first, in a folder of yours:\n"
                f"  squall new {self.case}.toml --case {self.case}\n"
                f"  squall prepare {self.case}.toml\n"
                f"  squall run {self.case}.toml"
            )
        return path


def run(wishes: Wishes) -> int:
    """Runs the model to its end and returns its exit code."""
    path = wishes.run_file()
    _require_ended(wishes.directory())
    if wishes.tuned:
        wishes = _as_tuned(wishes, path)
    elif wishes.plan and wishes.program is MODEL:
        _tell_of_tuned(wishes, path)
    place = restarts.place(path, wishes.settings) if wishes.go_on or wishes.keep else None
    if wishes.go_on and place:
        wishes = _gone_on(wishes, place, path)
    binary = wishes.program.binary()
    wishes.program.require(binary)
    program, *words = *wishes.watch.before, str(binary)
    start = launch.prepare(
        Path(program),
        [*words, *_arguments(path, wishes)],
        wishes.ranks,
        wishes.threads,
        launcher=wishes.launcher,
        added=wishes.watch.environment,
    )
    for warning in start.warnings:
        _complain(f"[yellow]Warning:[/yellow] {warning}")

    def prune() -> None:
        if place and wishes.keep:
            place.prune(wishes.keep)

    directory = wishes.directory()
    before = run_state.who(directory)
    code, asked = launch.execute_model(start, prune if wishes.keep and not wishes.plan else None)
    if code == launch.STOPPED and asked == signal.SIGINT:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)  # so that a shell loop that runs this ends too
    ended_by = launch.ended_by_signal(code)
    if ended_by:
        _complain(f"[red]The run was ended by {ended_by}.[/red] Published frames are complete.")
    if code not in (0, launch.STOPPED):
        run_state.bury(directory, _cause(code), before)
    return code


def _require_ended(directory: Path) -> None:
    """Two runs in one directory would replace each other's frames. Raises UserError."""
    try:
        told = run_state.writer(directory) if directory != Path() else None
    except UserError:
        return  # a status file of another version
    if told:
        raise UserError(
            f"Another run is writing into {directory}: process {told['pid']} on {told['host']}. Wait for "
            f"it to end, stop it, or set another run.directory."
        )


def _as_tuned(wishes: Wishes, path: Path) -> Wishes:
    """Applies the ranks, threads and settings that `squall lab tune` found; settings of the command line take
    precedence. Raises UserError if there are none for this case, machine and build."""
    if wishes.ranks != 1 or wishes.threads:
        raise UserError("--tuned sets ranks and threads: leave out either --tuned or --ranks and --threads.")
    found = tuned.find(wishes.case, tuned.read_document(path, wishes.settings))
    print(f"As tuned: squall run {wishes.case} {found.told()}", flush=True)
    return replace(
        wishes, ranks=found.ranks, threads=found.threads, settings=[*found.words(), *wishes.settings]
    )


def _tell_of_tuned(wishes: Wishes, path: Path) -> None:
    """Prints, with a plan, whether `squall lab tune` found something faster."""
    try:
        found = tuned.find(wishes.case, tuned.read_document(path, wishes.settings))
    except UserError:
        return
    if found.seconds < found.before:
        print(
            f"With --tuned the run is {found.before / found.seconds:.2f} times as fast: {found.told()}",
            flush=True,
        )


def _cause(code: int) -> str:
    ended_by = launch.ended_by_signal(code)
    return f"ended by {ended_by}" if ended_by else f"it ended with exit code {code}; run.log has its messages"


def _gone_on(wishes: Wishes, place: restarts.Place, path: Path) -> Wishes:
    """Continues from the newest restart frame. Without one, starts from the beginning and replaces the frames
    of a run that ended before its first restart frame. Raises UserError if the run is done and has none."""
    wishes = replace(wishes, go_on=False)
    if not wishes.plan:
        _publish_leftovers(place.run)
    if files := place.files():
        print(f"Continuing from {files[-1]}.", flush=True)
        return replace(wishes, settings=[*wishes.settings, f"run.restart_from={files[-1]}"])
    nothing = f"There is no restart frame in {place.folder}"
    told = run_state.read(place.run) if _is_of(place.run, path, wishes.settings) else None
    if told is None:
        print(f"{nothing}: starting from the beginning.", flush=True)
        return wishes
    if told["state"] == "done":
        raise UserError(f"{nothing}, and the run is done. Use --overwrite to run it again.")
    print(
        f"{nothing}: starting from the beginning, and replacing the output of the run that ended early.",
        flush=True,
    )
    return replace(wishes, overwrite=True)


def _publish_leftovers(run: Path) -> None:
    """Publishes the complete frames that a killed run left in unfinished files. The model starts these files
    anew, which would lose the frames before the restart."""
    if not any(run.rglob("*.part")):
        return
    start = launch.prepare(locate.io_binary(), ["recover", "--", str(run)], 1, 1)
    launch.execute(start)


def _is_of(run: Path, path: Path, settings: list[str]) -> bool:
    """Whether a directory's frames come from this run file with these settings; the duration may differ."""
    started = "".join(f"# run with --set {setting}\n" for setting in settings) + path.read_text()
    try:
        return _but_for_duration((run / "run.toml").read_text()) == _but_for_duration(started)
    except OSError:
        return False


def _but_for_duration(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("# run with --set run.duration=")]


def _arguments(path: Path, wishes: Wishes) -> list[str]:
    words = [str(path)]
    for setting in wishes.settings:
        words += ["--set", setting]
    if wishes.threads:
        words += ["--threads", str(wishes.threads)]
    words += [wishes.program.look] * wishes.plan + ["--overwrite"] * wishes.overwrite
    return [*words, *wishes.watch.words]


def _complain(message: str) -> None:
    Console(stderr=True, highlight=False, soft_wrap=True, file=sys.stderr).print(message)
