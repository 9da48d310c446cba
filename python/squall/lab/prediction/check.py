"""Predicted against measured: steps and frames of a supercell on this machine."""

import json as json_text
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console

from squall import machine, planning
from squall.lab.report import picture, show_table, write_json
from squall.lab.speed_domains import STORM
from squall.lab.workspace import Layout, Workspace
from squall.plot import style

GOAL = 0.15
_STEPS, _FRAMES = 15, 8


@dataclass(frozen=True)
class Comparison:
    """Seconds of a step, or of a frame until it is stored."""

    ranks: int
    what: str
    predicted: float
    measured: float

    @property
    def ratio(self) -> float:
        return self.predicted / self.measured

    @property
    def within(self) -> bool:
        return abs(self.ratio - 1) <= GOAL


@dataclass(frozen=True)
class Setup:
    """Cells of the supercell, ranks, engines whose frames are timed, and runs of which the best counts."""

    size: tuple[int, int, int]
    ranks: Sequence[int]
    engines: Sequence[str]
    repeats: int
    method: str | None


def run(file: Path, setup: Setup, output: Path, json: Path | None) -> bool:
    """Whether all is within the goal. Raises UserError where something does not run."""
    console = Console()
    found = []
    for ranks in setup.ranks:
        with console.status(f"{ranks} ranks ...") as status:
            found += _compare(file, setup, ranks, Workspace(output.resolve()), status.update)
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


def _compare(
    file: Path, setup: Setup, ranks: int, workspace: Workspace, tell: Callable[[str], None]
) -> list[Comparison]:
    run_file = workspace.variant("storm", STORM.name, {})
    domain = {f"domain.n{axis}": str(n) for axis, n in zip("xyz", setup.size, strict=True)}
    silent = domain | {"run.duration": f"{_STEPS * STORM.time_step} s", "output.history.interval": "0 s"}
    found = []

    def predict(settings: dict[str, str]) -> planning.Answer:
        words = [f"{key}={value}" for key, value in settings.items()]
        together = ranks if ranks > machine.cores() else None  # all on this node
        return planning.ask(planning.Question(run_file, file, ranks, 1, words, setup.method, together))

    tell(f"{ranks} ranks, steps ...")
    step = predict(silent)["step"]["seconds"]
    found.append(Comparison(ranks, "step", step, _step(workspace, run_file, silent, ranks, setup.repeats)))
    for engine in setup.engines:
        tell(f"{ranks} ranks, frames of {engine} ...")
        writing = domain | {
            "run.duration": f"{_FRAMES * STORM.time_step} s",
            "output.history.interval": f"{STORM.time_step} s",
            "output.history.engine": engine,
            "output.history.placement": "inline",
            "output.history.codec": "none",
        }
        predicted = predict(writing)["streams"][0]["drain"]
        drain = _drain(workspace, run_file, writing, ranks, setup.repeats)
        found.append(Comparison(ranks, f"frame, {engine}", predicted, drain))
    return found


def _step(workspace: Workspace, run_file: Path, settings: dict[str, str], ranks: int, repeats: int) -> float:
    timing = workspace.directory / "timing.json"
    found: list[float] = []
    for _ in range(repeats):
        workspace.run("run", run_file, settings, Layout(ranks, 1), timing)
        found.append(statistics.median(json_text.loads(timing.read_text())["each_step"][1:]))
    return min(found)


def _drain(workspace: Workspace, run_file: Path, settings: dict[str, str], ranks: int, repeats: int) -> float:
    found: list[float] = []
    for _ in range(repeats):
        run = workspace.run("run", run_file, settings, Layout(ranks, 1))
        report = json_text.loads((run / "io-report.json").read_text())
        _, *frames = report["streams"][0]["timeline"]  # the first finds memory and directories new
        found += [frame["drain_ended"] - frame["begun"] for frame in frames]
    return min(found)


def _show(console: Console, setup: Setup, found: Sequence[Comparison]) -> None:
    rows = [
        [
            *(str(c.ranks), c.what, f"{1e3 * c.predicted:.1f}", f"{1e3 * c.measured:.1f}"),
            *(f"{100 * (c.ratio - 1):+.0f}", "" if c.within else "beyond the goal"),
        ]
        for c in found
    ]
    title = f"Supercell of {' x '.join(map(str, setup.size))} cells, {machine.cores()} cores"
    show_table(console, title, ["ranks", "of a", "predicted, ms", "measured, ms", "off by, %", ""], rows)
    kept = sum(c.within for c in found)
    console.print(f"{kept} of {len(found)} within {100 * GOAL:.0f} %.", highlight=False)


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
        axes.legend(title="numbers: ranks")
