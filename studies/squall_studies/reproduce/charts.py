"""Figures that items share: the published numbers on the left, where there are any, ours on the right."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from squall.plot import style
from squall_studies.reproduce.item import Published

OURS = "Squall, this machine"
PUBLISHED = "published"


def beside(published: object | None, height: float = 3.4) -> tuple[Figure, Axes | None, Axes]:
    """A figure with axes for the published numbers (None where there are none) and for ours."""
    figure = style.figure(9 if published else 6, height)
    if published is None:
        axes = figure.subplots()
        style.plain(axes)
        return figure, None, axes
    left, right = figure.subplots(1, 2)
    for axes, title in ((left, PUBLISHED), (right, OURS)):
        style.plain(axes)
        axes.set_title(title)
    return figure, left, right


def bars(
    axes: Axes,
    groups: Sequence[str],
    series: Mapping[str, Sequence[float]],
    form: str = "%.3g",
    legend: bool = True,
) -> None:
    """Bars side by side in each group, with their values; a value that is not a number is left out."""
    width = 0.8 / max(1, len(series))
    for index, (label, values) in enumerate(series.items()):
        at = np.arange(len(groups)) + (index - (len(series) - 1) / 2) * width
        drawn = axes.bar(at, values, width, label=label)
        axes.bar_label(drawn, fmt=form, fontsize=6, padding=1)
    axes.set_xticks(range(len(groups)), groups)
    axes.margins(y=0.12)
    if legend and len(series) > 1:
        axes.legend()


def lines(axes: Axes, x: Sequence[float], series: Mapping[str, Sequence[float]]) -> None:
    """Lines over numbers that double."""
    for label, values in series.items():
        axes.plot(x, values, marker="o", label=label)
    axes.set_xticks(list(x), [f"{value:g}" for value in x])
    axes.set_ylim(bottom=0)
    if len(series) > 1:
        axes.legend()


def seconds_axis(axes: Axes) -> None:
    """Logarithmic where lines and bars span a factor of ten."""
    lines = [np.asarray(line.get_ydata(), float) for line in axes.lines]
    bars = [[bar.get_height() for bar in axes.patches if isinstance(bar, Rectangle)]]
    values = np.concatenate([*lines, *bars])
    low, high = values.min(), values.max()
    if high >= 10 * low > 0:
        axes.set_yscale("log")
        style.logarithmic(axes.yaxis, (1, 2, 5) if high < 1000 * low else (1,))
    else:
        axes.set_ylim(0, 1.1 * high)


def steps(
    figure: Figure,
    axes: Axes,
    rows: Sequence[Mapping[str, float]],
    kinds: Collection[str],
    rotation: float = 0,
) -> None:
    """Time of each kind of step of `rows`, which have ranks, threads and seconds by kind."""
    groups = [f"{row['ranks']} x {row['threads']}" for row in rows]
    bars(axes, groups, {kind: [1e3 * row[kind] for row in rows] for kind in kinds}, form="", legend=False)
    axes.tick_params("x", rotation=rotation)
    axes.set(xlabel="ranks x threads", ylabel="step (ms)")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=len(kinds))


def published_bars(axes: Axes | None, published: Published | None) -> None:
    """All columns but the first as bars over the first."""
    if axes is None or published is None:
        return
    first, *rest = published.columns
    bars(
        axes, [str(cell) for cell in published.column(first)], {name: published.column(name) for name in rest}
    )
    axes.set_xlabel(first)
    if len(rest) == 1:  # without a legend
        axes.set_ylabel(rest[0])
