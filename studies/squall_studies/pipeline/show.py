"""Table, verdict and picture of what was measured."""

import json as json_text
import statistics
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import FigureBase
from matplotlib.patches import Patch
from rich.console import Console

from squall import machine
from squall.errors import UserError
from squall.plot import style
from squall.results import picture, show_table
from squall_studies.pipeline.planes import QUEUES, Sent
from squall_studies.pipeline.rounds import Run
from squall_studies.pipeline.setup import AFTERWARDS, WAYS, Setup

GOAL = 1.05  # of the run's own time, until the last plot
WORTH = 1.5  # what it takes when the plots come afterwards, at least, for the goal to mean something
COLOURS = {"computes": "#9db4c0", "waits for output": "#c8553d", "written": "#28666e", "plotted": "#e09f3e"}

Found = dict[str, Any]


def to_json(setup: Setup, placed: str, runs: list[Run], sent: list[Sent]) -> Found:
    """All that was measured, and the medians over the rounds. placed: which cores did what."""
    return {
        "processor": machine.processor(),
        "cores": machine.cores(),
        "placed": placed,
        "setup": asdict(setup) | {"frames": setup.frames},
        "ways": [_summary(name, [r for r in runs if r.way == name]) for name in _names(runs)],
        "runs": [asdict(run) for run in runs],
        "messages": [asdict(one) for one in sent],
    }


def _names(runs: list[Run]) -> list[str]:
    return list(dict.fromkeys(run.way for run in runs))


def _summary(name: str, runs: list[Run]) -> Found:
    """Ratios to the run without output of the same round, medians over the rounds; the rest in seconds."""
    middle = statistics.median
    return {
        "way": name,
        "meanwhile": WAYS[name].meanwhile,
        "own": middle(run.own for run in runs),
        "model": middle(run.model / run.own for run in runs),
        "last_plot": middle(run.last_plot / run.own for run in runs),
        "last_plots": [run.last_plot / run.own for run in runs],
        "others": max(run.others for run in runs),
        "waits": middle(sum(to - since for since, to in run.waits) / run.own for run in runs),
        "plot": middle(to - since for run in runs for since, to in run.plots),
        "latency": middle(one for run in runs for one in run.behind),
    }


def read(file: Path) -> Found:
    """What --results wrote. Raises UserError for another file."""
    try:
        found: Found = json_text.loads(file.read_text())
        for key in ("setup", "placed", "ways", "runs", "messages"):
            found[key]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} is not what `squall lab pipeline --results` writes: {error!r}") from None
    return found


def together(files: list[Path]) -> Found:
    """The rounds of all that --results wrote, as if made by one command; not each needs to have all ways.
    Raises UserError where they are of other machines or cases."""
    read_in = {file: read(file) for file in files}
    rounds = {file: found for file, found in read_in.items() if found["runs"]} or read_in
    (name, first), *others = rounds.items()
    for file, other in others:
        for key in ("processor", "placed", "size", "steps", "every"):
            ours, theirs = (found["setup"].get(key, found.get(key)) for found in (first, other))
            if ours != theirs:
                raise UserError(
                    f"{file} has {key} {theirs}, {name} has {ours}: no rounds of one measurement."
                )
    setup = {name: value for name, value in first["setup"].items() if name != "frames"}
    setup["repeats"] = sum(found["setup"]["repeats"] for found in rounds.values())
    order = list(WAYS)
    runs = [Run(**run) for found in rounds.values() for run in found["runs"]]
    runs.sort(key=lambda run: order.index(run.way))
    setup["ways"] = _names(runs)
    sent: list[Found] = next((found["messages"] for found in read_in.values() if found["messages"]), [])
    made = to_json(Setup(**setup), first["placed"], runs, [Sent(**one) for one in sent])
    return made | {"processor": first["processor"], "cores": first["cores"]}


def table(console: Console, found: Found) -> None:
    if found["ways"]:
        _rounds(console, found)
    if found["messages"]:
        sent = [Sent(**one) for one in found["messages"]]
        _by_size(console, sent, "Messages, from commit to the consumer, ms", _milliseconds)
        _by_size(console, sent, "Messages one after the other, MB/s", _megabytes)


def _rounds(console: Console, found: Found) -> None:
    setup = found["setup"]
    nx, ny, nz = setup["size"]
    rows = [
        [
            *(way["way"], f"{way['model']:.3f}", f"{way['last_plot']:.3f}"),
            *(str(len(way["last_plots"])), f"{min(way['last_plots']):.2f}-{max(way['last_plots']):.2f}"),
            f"{way['waits']:.1%}",
            *(f"{way['latency'] * 1e3:.0f}", f"{way['plot'] * 1e3:.0f}", f"{way['others']:.2f}"),
        ]
        for way in found["ways"]
    ]
    title = f"{setup['steps']} steps of {nx} x {ny} x {nz} cells, {setup['frames']} frames"
    columns = ["way", "model", "last plot", "rounds", "from, to", "waits", "behind, ms", "plot, ms", "others"]
    show_table(console, title, columns, rows)
    console.print(
        f"model, last plot, waits: over the time of the run without output, {found['ways'][0]['own']:.1f} s; "
        f"medians of the rounds. behind: from commit to the script's having the frame. "
        f"others: cores that other programs took in a round, at most. {found['placed'].capitalize()}.",
        highlight=False,
    )  # fmt: skip
    _judge(console, found["ways"])


def _by_size(console: Console, sent: list[Sent], title: str, number: Callable[[Sent], str]) -> None:
    sizes = sorted({one.bytes for one in sent})
    numbers = {(one.way, one.bytes): number(one) for one in sent}
    rows = [[way, *(numbers.get((way, size), "") for size in sizes)] for way in _ways(sent)]
    show_table(console, title, ["way", *map(_size, sizes)], rows)


def _ways(sent: list[Sent]) -> list[str]:
    return list(dict.fromkeys(one.way for one in sent))


def _milliseconds(one: Sent) -> str:
    return f"{one.latency * 1e3:.2f}"


def _megabytes(one: Sent) -> str:
    return f"{one.throughput / 1e6:.{0 if one.throughput >= 10e6 else 1}f}"


def _judge(console: Console, ways: list[Found]) -> None:
    afterwards = next(way["last_plot"] for way in ways if way["way"] == AFTERWARDS)
    if afterwards < WORTH:
        console.print(
            f"[bold yellow]Nothing is judged:[/] plots afterwards end at {afterwards:.2f} of the run's own "
            f"time, less than {WORTH:g}; take more frames (--every).",
            highlight=False,
        )  # fmt: skip
        return
    for way in ways:
        if way["meanwhile"]:
            verdict = "[green]reached[/]" if way["last_plot"] <= GOAL else "[bold red]missed[/]"
            console.print(
                f"Goal of {GOAL} {verdict}: {way['way']}, last plot at {way['last_plot']:.3f} of the run's "
                f"own time; afterwards at {afterwards:.2f}.",
                highlight=False,
            )


def _size(number: int) -> str:
    for power, unit in ((20, "MiB"), (10, "KiB")):
        if number >= 1 << power:
            return f"{number / (1 << power):g} {unit}"
    return f"{number} B"


def draw(path: Path, found: Found) -> None:
    """Who computed, waited, wrote and plotted, of the round in the middle; below, messages by size."""
    shown = typical(found)
    parts = [(timelines_height(shown), timelines, shown), (2.4, _messages, found["messages"])]
    parts = [part for part in parts if part[2]]
    with picture(path, 9, 0.6 + sum(height for height, *_ in parts)) as figure:
        heights = [height for height, *_ in parts]
        rows = figure.subfigures(len(parts), 1, height_ratios=heights, squeeze=False)[:, 0]
        for row, (_, drawn, content) in zip(rows, parts, strict=True):
            drawn(row, content)


def typical(found: Found) -> list[Found]:
    """Of each way the run whose last plot came at the median."""
    return [
        min(
            (run for run in found["runs"] if run["way"] == way["way"]),
            key=lambda run: abs(run["last_plot"] / run["own"] - way["last_plot"]),
        )
        for way in found["ways"]
    ]


def timelines_height(runs: list[Found]) -> float:
    """Inches that `timelines` needs."""
    return len(runs) * 0.95 + 0.6


def timelines(figure: FigureBase, runs: list[Found]) -> None:
    """Who computed, waited, wrote and plotted when, a row for each run."""
    axes = figure.subplots(len(runs), 1, sharex=True, squeeze=False)[:, 0]
    for ax, run in zip(axes, runs, strict=True):
        _bars(ax, 0, [(a / run["own"], b / run["own"]) for a, b in _computing(run)], COLOURS["computes"])
        for lane, key, name in (
            (0, "waits", "waits for output"), (1, "writes", "written"), (2, "plots", "plotted"),
        ):  # fmt: skip
            _bars(ax, lane, [(a / run["own"], b / run["own"]) for a, b in run[key]], COLOURS[name])
        last = run["last_plot"] / run["own"]
        ax.axvline(1, color="0.3", lw=0.8, ls=":")
        ax.axvline(last, color="black", lw=0.8)
        ax.text(last, -0.6, f" {last:.2f}", ha="left", va="center", fontsize=8, clip_on=False)
        ax.set_yticks([0, 1, 2], ["model", "output", "plots"], fontsize=7)
        ax.set_ylim(2.5, -0.6)
        ax.set_title(run["way"], loc="left", fontsize=8, pad=2)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
    axes[-1].set_xlabel("time since the model was started / its own run time without output")
    axes[-1].set_xlim(left=0)
    handles = [Patch(color=colour, label=name) for name, colour in COLOURS.items()]
    figure.legend(handles=handles, loc="outside upper center", ncols=4, frameon=False, fontsize=8)


def _bars(ax: Axes, lane: int, spans: list[tuple[float, float]], colour: str) -> None:
    ax.broken_barh(
        [(a, b - a) for a, b in spans],
        (lane - 0.38, 0.76),
        facecolor=colour,
        edgecolor="white",
        linewidth=0.2,
    )


def _computing(run: Found) -> list[tuple[float, float]]:
    """What lies between the waits."""
    spans, at = [], 0.0
    for since, to in sorted(tuple(span) for span in run["waits"]):
        if since > at:
            spans.append((at, since))
        at = max(at, to)
    return [*spans, (at, run["model"])] if run["model"] > at else spans


def _messages(figure: FigureBase, messages: list[Found]) -> None:
    """Colours are of data planes, lines of queue limits."""
    sent = [Sent(**one) for one in messages]
    planes = list(dict.fromkeys(one.plane for one in sent))
    styles = dict(zip((None, *QUEUES), ("-", "-", "--", ":"), strict=True))
    left, right = figure.subplots(1, 2)
    for ax, key, factor, label in (
        (left, "latency", 1e3, "from commit to the consumer (ms)"), (right, "throughput", 1e-6, "MB/s"),
    ):  # fmt: skip
        for way in _ways(sent):
            of = [one for one in sent if one.way == way]
            ax.loglog(
                [one.bytes for one in of], [getattr(one, key) * factor for one in of], label=way,
                color=style.SERIES[planes.index(of[0].plane)], ls=styles[of[0].queue], marker="o", ms=3, lw=1,
            )  # fmt: skip
        style.plain(ax)
        ax.set(xlabel="size of a frame (bytes)", ylabel=label)
    left.legend(fontsize=7)
