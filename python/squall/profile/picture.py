"""The picture of a profile: routines, ranks, the load of each patch, messages, and the roofline."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle

from squall.plot import style
from squall.profile import messages as counted
from squall.profile import roofline
from squall.profile.messages import Messages
from squall.profile.ranks import KINDS, Rank, totals
from squall.results import picture

_ROUTINES = 14
COLOURS = ("#28666e", "#9ec1c6", "#d9d4c7", "#b08d3c", "#c8553d", "#8a6fae")


def draw(path: Path, ranks: Sequence[Rank], messages: Messages | None, roof: roofline.Roofline) -> None:
    with picture(path, 12, 8) as figure:
        grid = figure.add_gridspec(2, 3, width_ratios=(1.6, 1, 1))
        _routines(figure.add_subplot(grid[:, 0]), ranks)
        _kinds(figure.add_subplot(grid[0, 1]), ranks)
        _loads(figure.add_subplot(grid[0, 2]), ranks)
        axes = figure.add_subplot(grid[1, 1])
        if messages and counted.by_size(messages, ("sent", "collective")):
            style.plain(axes)
            counted.draw(axes, messages)
        else:
            axes.set_title("Messages by size")
            axes.set_axis_off()
            axes.text(0.5, 0.5, "A single rank sends no messages.", ha="center", va="center", fontsize=8)
        roofline.draw(figure.add_subplot(grid[1, 2]), roof)


def _routines(axes: Axes, ranks: Sequence[Rank]) -> None:
    """Mean over ranks, with the range from the least to the most."""
    style.plain(axes, "x")
    steps = max(1, ranks[0].steps)
    shown = totals(ranks)[:_ROUTINES]
    for at, total in enumerate(shown):
        colour = COLOURS[0] if total.routine.threads else COLOURS[KINDS.index(total.routine.kind)]
        axes.barh(at, 1e3 * total.mean / steps, color=colour)
        axes.plot([1e3 * total.least / steps, 1e3 * total.most / steps], [at, at], color=style.INK, lw=0.8)
    names = [f"{total.routine.name}\n{total.routine.place}" for total in shown]
    axes.set_yticks(range(len(shown)), names, fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("time per step (ms): mean over ranks; line: minimum to maximum")
    axes.set_title("Routines")


def _kinds(axes: Axes, ranks: Sequence[Rank]) -> None:
    style.plain(axes)
    below = [0.0] * len(ranks)
    for kind, colour in zip(KINDS, COLOURS, strict=True):
        values = [1e3 * rank.by_kind[kind] / max(1, rank.steps) for rank in ranks]
        axes.bar([rank.rank for rank in ranks], values, bottom=below, color=colour, label=kind, width=0.9)
        below = [b + v for b, v in zip(below, values, strict=True)]
    axes.set(title="Ranks", xlabel="rank", ylabel="time per step (ms)")
    if len(ranks) <= 16:
        axes.set_xticks([rank.rank for rank in ranks])
    axes.set_ylim(top=1.5 * max(below))
    axes.legend(ncols=2, fontsize=7, loc="upper left")


def _loads(axes: Axes, ranks: Sequence[Rank]) -> None:
    """The patches where they lie, by the share of time in which they did not wait for others."""
    import matplotlib

    colours, scale = matplotlib.colormaps["cividis"], Normalize(min(0.8, *(r.load for r in ranks)), 1)
    for rank in ranks:
        p = rank.patch
        colour = colours(scale(rank.load))
        axes.add_patch(
            Rectangle((p["x0"], p["y0"]), p["nx"], p["ny"], facecolor=colour, edgecolor="white", lw=0.8)
        )
        if len(ranks) <= 64:
            light = "white" if scale(rank.load) < 0.6 else style.INK
            middle = (p["x0"] + p["nx"] / 2, p["y0"] + p["ny"] / 2)
            axes.text(*middle, f"{rank.load:.2f}", ha="center", va="center", fontsize=7, color=light)
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.set(
        title="Load of the patches",
        xlabel="west-east cell",
        ylabel="south-north cell",
    )
