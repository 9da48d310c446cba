"""Compares predicted with measured times of a supercell's steps and frames on this machine.

What else a machine does changes from minute to minute. So each round measures what is predicted and, before
and after it, what the machine file was made with: steps of a large and of a small supercell by as many ranks,
and the benchmark's frames of the same engine. What these take now and took then tells the machine's load at
the moment (steps.py); a prediction is held to what was measured once that is taken off it, and of the rounds
the median counts. Where the middle half of them lies far apart, there are more rounds; where it still does, a
prediction that is off the median yet near what was measured can be told neither right nor wrong, and is
called neither. What is predicted differs from all of these in size, shape and fields; of more ranks than
cores nothing was calibrated but how long they take, to know a busy machine by.
"""

import json as json_text
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from rich.console import Console

from squall import machine, planning
from squall.lab.io import bench
from squall.lab.prediction import frames as yardsticks
from squall.lab.prediction import machine_file, steps
from squall.lab.prediction.steps import Load, Pair
from squall.lab.speed_domains import CHANGES, STORM, Size
from squall.lab.workspace import Layout, Workspace
from squall.plot import style
from squall.results import picture, show_table, write_json

GOAL = 0.15
_STEPS, _FRAMES = 15, 8
_MOST = 3  # times as many rounds, where they lie far apart


@dataclass(frozen=True)
class Round:
    """Seconds that were measured, and what the machine had else to do: how many times as slow as calibrated
    it was, and how many seconds each step waited, or each frame was longer, beside that."""

    measured: float
    slower: float = 1.0
    delay: float = 0.0

    @property
    def undisturbed(self) -> float:
        return Load(self.slower, self.delay).off(self.measured)


@dataclass(frozen=True)
class Comparison:
    """Seconds of a step, or of a frame until it is stored."""

    ranks: int
    what: str
    predicted: float  # on the machine as it was calibrated
    rounds: tuple[Round, ...]

    @property
    def measured(self) -> float:
        """The median of the rounds, as if the machine were as it was calibrated."""
        return statistics.median(r.undisturbed for r in self.rounds)

    @property
    def middle(self) -> tuple[float, float]:
        """From where to where the middle half of the rounds lies; of less than four, all of them."""
        in_order = sorted(r.undisturbed for r in self.rounds)
        cut = len(in_order) // 4
        return in_order[cut], in_order[-1 - cut]

    @property
    def slower(self) -> float:
        return statistics.median(r.slower for r in self.rounds)

    @property
    def delay(self) -> float:
        return statistics.median(r.delay for r in self.rounds)

    @property
    def ratio(self) -> float:
        return self.predicted / self.measured

    @property
    def within(self) -> bool:
        return abs(self.ratio - 1) <= GOAL

    @property
    def untold(self) -> bool:
        """Off the median, and within the goal of something that was measured as often."""
        low, high = self.middle
        return not self.within and (1 - GOAL) * low <= self.predicted <= (1 + GOAL) * high

    @property
    def verdict(self) -> str:
        if self.within:
            return ""
        return "undecided: rounds vary too much" if self.untold else "outside the goal"


@dataclass(frozen=True)
class Setup:
    """Cells of the supercell, ranks, engines whose frames are timed, and how many rounds at least."""

    size: tuple[int, int, int]
    ranks: Sequence[int]
    engines: Sequence[str]
    rounds: int
    method: str | None


def run(file: Path, setup: Setup, output: Path, json: Path | None) -> bool:
    """Whether all is within the goal. Raises UserError where something does not run."""
    machine_file.require_engines(file, setup.engines)
    console = Console()
    found = []
    for ranks in setup.ranks:
        with console.status(f"{ranks} ranks ...") as status:
            found += _compare(Machine(file, setup, Workspace(output.resolve())), ranks, status.update)
    _show(console, setup, found)
    _draw(output / "prediction.png", found)
    console.print(f"Picture: {output / 'prediction.png'}", highlight=False)
    if json:
        write_json(
            json,
            {
                "processor": machine.processor(),
                "cores": machine.cores(),
                "machine": file.read_text(),
                "setup": asdict(setup),
                "comparisons": [asdict(c) for c in found],
            },
        )
    return all(c.within for c in found)


@dataclass(frozen=True)
class Machine:
    """This machine, its file, and where its runs lie."""

    file: Path
    setup: Setup
    workspace: Workspace

    def predicted(self, run_file: Path, settings: dict[str, str], ranks: int) -> planning.Answer:
        words = [f"{key}={value}" for key, value in settings.items()]
        together = ranks if ranks > machine.cores() else None  # all on this node
        return planning.ask(
            planning.Question(run_file, self.file, ranks, 1, words, self.setup.method, together)
        )

    def frame(self, run_file: Path, settings: dict[str, str], ranks: int) -> float:
        """Seconds until a frame is stored, the median of a run's."""
        run = self.workspace.run("run", run_file, settings, Layout(ranks, 1))
        report = json_text.loads((run / "io-report.json").read_text())
        _, *frames = report["streams"][0]["timeline"]  # the first finds memory and directories new
        return statistics.median(float(frame["drain_ended"] - frame["begun"]) for frame in frames)

    def load_of_steps(self, ranks: int) -> Callable[[], Load]:
        """What else the machine does, as steps of so many ranks see it, or of as many as it has cores: by
        what they took when it was calibrated, or where its file does not tell, should have taken."""
        then = machine_file.seen_steps(self.file)
        among = ranks if ranks in then else min(ranks, machine.cores())
        calibrated = then.get(among) or Pair(
            *(self._predicted_size(size, among) for size in (steps.LARGE, steps.SMALL))
        )
        return lambda: steps.load(steps.pair(self.workspace, among), calibrated)

    def _predicted_size(self, size: Size, ranks: int) -> float:
        run_file = self.workspace.variant("yardstick", size.case.name, CHANGES)
        return float(self.predicted(run_file, size.run_settings(), ranks)["step"]["seconds"])

    def load_of_frames(self, engine: str, ranks: int, fixed: float) -> Callable[[], Load]:
        """The same of frames of which `fixed` seconds are not for their bytes; none where the machine file
        does not tell what calibrating took."""
        cores = min(ranks, 2, machine.cores())
        seen = machine_file.seen_frames(self.file).get(engine)
        if seen is None:
            return Load
        setup = yardsticks.large(self.workspace.directory / "io", cores, _FRAMES)
        small = replace(setup, size=yardsticks.SMALL, fields=yardsticks.MANY)
        cell = bench.Combination(engine, "inline", "none")

        def frame(setup: bench.Setup) -> float:
            frames = bench.measure(setup, cell, 0.1, plain=False, growing=False).frames[1:]
            return statistics.median(frame.perceived for frame in frames)

        def load() -> Load:
            now = Pair(frame(setup), frame(small))
            then = seen.one if cores == 1 else seen.several
            return yardsticks.load(now, then, seen.cost.of(engine, cores), fixed)

        return load


def _compare(here: Machine, ranks: int, tell: Callable[[str], None]) -> list[Comparison]:
    setup = here.setup
    run_file = here.workspace.variant("storm", STORM.name, {})
    domain = {f"domain.n{axis}": str(n) for axis, n in zip("xyz", setup.size, strict=True)}
    silent = domain | {"run.duration": f"{_STEPS * STORM.time_step} s", "output.history.interval": "0 s"}

    def rounds(
        what: str, predicted: float, load: Callable[[], Load], measure: Callable[[], float]
    ) -> Comparison:
        found: list[Round] = []
        while len(found) < setup.rounds or (
            len(found) < _MOST * setup.rounds and _far_apart(Comparison(ranks, what, predicted, tuple(found)))
        ):
            tell(f"{ranks} ranks, {what}, round {len(found) + 1} of {setup.rounds} or more ...")
            before, measured, after = load(), measure(), load()
            slower, delay = (before.slower + after.slower) / 2, (before.delay + after.delay) / 2
            found.append(Round(measured, slower, delay))
        return Comparison(ranks, what, predicted, tuple(found))

    step = partial(steps.timed, here.workspace, run_file, silent, ranks)
    predicted = here.predicted(run_file, silent, ranks)["step"]["seconds"]
    found = [rounds("step", predicted, here.load_of_steps(ranks), step)]
    for engine in setup.engines:
        writing = domain | {
            "run.duration": f"{_FRAMES * STORM.time_step} s",
            "output.history.interval": f"{STORM.time_step} s",
            "output.history.engine": engine,
            "output.history.placement": "inline",
            "output.history.codec": "none",
        }
        stream = here.predicted(run_file, writing, ranks)["streams"][0]
        frame = partial(here.frame, run_file, writing, ranks)
        load = here.load_of_frames(engine, ranks, stream["busy"]["files"])
        found.append(rounds(f"frame, {engine}", stream["drain"], load, frame))
    return found


def _far_apart(comparison: Comparison) -> bool:
    low, high = comparison.middle
    return high > (1 + GOAL) * low


def _show(console: Console, setup: Setup, found: Sequence[Comparison]) -> None:
    rows = [
        [
            *(str(c.ranks), c.what, f"{1e3 * c.predicted:.1f}", f"{1e3 * c.measured:.1f}"),
            *(
                *(f"{1e3 * end:.1f}" for end in c.middle),
                str(len(c.rounds)),
                f"{c.slower:.2f}",
                f"{1e3 * c.delay:.1f}" if c.delay else "",
                f"{100 * (c.ratio - 1):+.0f}",
                c.verdict,
            ),
        ]
        for c in found
    ]
    title = f"Supercell of {' x '.join(map(str, setup.size))} cells, {machine.cores()} cores"
    columns = [
        "ranks",
        "of a",
        "predicted, ms",
        "measured, ms",
        "middle half from",
        "to",
        "rounds",
        "machine slowdown",
        "and, ms",
        "error, %",
        "",
    ]
    show_table(console, title, columns, rows)
    kept, untold = sum(c.within for c in found), sum(c.untold for c in found)
    neither = f", {untold} undecided" if untold else ""
    console.print(
        f"{kept} of {len(found)} within {100 * GOAL:.0f} %{neither}. Measured: medians of the rounds, "
        "without what else the machine did in each: it was so many times as slow as calibrated, and a step "
        "waited so long beside that.",
        highlight=False,
    )


def _draw(path: Path, found: Sequence[Comparison]) -> None:
    with picture(path, 5, 4.5) as figure:
        axes = figure.subplots()
        style.plain(axes, "both")
        most = max(max(c.predicted, c.measured) for c in found) * 1e3
        least = min(min(c.predicted, c.measured) for c in found) * 1e3
        for what in dict.fromkeys(c.what for c in found):
            of = [c for c in found if c.what == what]
            at = [(1e3 * c.measured, 1e3 * c.predicted) for c in of]
            axes.plot(*zip(*at, strict=True), "o", label=what)
            for c, point in zip(of, at, strict=True):
                axes.annotate(str(c.ranks), point, (4, 3), textcoords="offset points")
        ends = [least / 1.3, most * 1.3]
        axes.plot(ends, ends, color="0.5", lw=0.8)
        for goal in (1 - GOAL, 1 + GOAL):
            axes.plot(ends, [goal * end for end in ends], color="0.5", lw=0.8, ls=":")
        axes.set(xscale="log", yscale="log", xlabel="measured (ms)", ylabel="predicted (ms)")
        for axis in (axes.xaxis, axes.yaxis):
            style.logarithmic(axis)
        axes.legend(title="numbers: ranks")
