"""Draws what is chosen of a run on the globe."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure

from squall.errors import UserError
from squall.geo import whole
from squall.geo.projection import Float
from squall.plot import choice, style, times
from squall.plot.choice import Choice
from squall.plot.globe import fields
from squall.plot.globe.views import MapView, TimeView, View, view

_OVER_TIME = (0.25, 0.5, 0.75, 1.0)  # of the run, of the default picture


def picture(history: xr.Dataset, chosen: Choice) -> Figure:
    """The picture of a history that `geo.globe.prepared` made. Without a field, a section or a time: maps of
    a column over the run. Raises UserError if the choice cannot be drawn."""
    _refuse(history, chosen)
    array = fields.field(history, chosen.field)
    shown = view(history, array, chosen)
    if not chosen.field and chosen.time is None and isinstance(shown, MapView):
        return _over_the_run(history, shown, chosen)
    index = choice.time_index(history, chosen.time)
    return _single(history, shown, chosen, index, fields.scale(array, chosen, shown.values(array, index)))


def animated(history: xr.Dataset, chosen: Choice) -> Callable[[int], Figure]:
    """Draws any frame of the choice, all with the same colours."""
    _refuse(history, chosen)
    array = fields.field(history, chosen.field)
    shown = view(history, array, chosen)
    if isinstance(shown, TimeView):
        raise UserError("--hovmoeller shows all times: leave out --animate.")
    ends = [_ends(shown.values(array, index)) for index in range(history.sizes["Time"])]
    scale = fields.scale(array, chosen, np.array(ends))
    return lambda index: _single(history, shown, chosen, index, scale)


def default_name(history: xr.Dataset, chosen: Choice) -> str:
    """What a picture's file is called without its ending."""
    return str(fields.field(history, chosen.field).name)


def _refuse(history: xr.Dataset, chosen: Choice) -> None:
    if not fields.drawable(history):
        raise UserError("There are no fields on the globe in this stream, so nothing can be drawn.")
    if chosen.barbs:
        raise UserError("--barbs: the streams of squall-transport have no wind.")
    if chosen.station is not None:
        raise UserError(
            f"--station {chosen.station}: this stream has no stations; choose another with --stream."
        )
    if chosen.projection is not None and chosen.projection not in whole.NAMES:
        raise UserError(choice.unknown("map", chosen.projection, list(whole.NAMES), "There are"))


def _ends(values: Float) -> tuple[float, float]:
    return float(np.nanmin(values)), float(np.nanmax(values))


def _single(history: xr.Dataset, shown: View, chosen: Choice, index: int, scale: style.Scale) -> Figure:
    figure = style.figure(*shown.size)
    ax = figure.subplots()
    filled = shown.fill(ax, shown.values(shown.array, index), scale)
    name, _, _ = fields.described(shown.array)
    words = [word for word in (name, shown.words) if word]
    if chosen.contours:
        words.append(_lines(history, shown, ax, index, chosen.contours))
    when = [] if isinstance(shown, TimeView) else [times.brief(history.isel(Time=index))]
    ax.set_title(chosen.title or "\n".join([", ".join(words), *when]))
    _bar(figure, filled, [ax], shown, scale)
    return figure


def _lines(history: xr.Dataset, shown: View, ax: Axes, index: int, name: str) -> str:
    """Draws a second field as lines, and returns its part of the title."""
    array = fields.field(history, name)
    values = shown.values(array, index)
    levels = style.contour_levels(values)
    if len(levels):
        shown.line(ax, values, levels)
    words, unit, _ = fields.described(array)
    return f"lines: {words} {style.every(levels, unit)}"


def _over_the_run(history: xr.Dataset, shown: MapView, chosen: Choice) -> Figure:
    """Maps at a few times, with the same colours."""
    elapsed = history["elapsed"].values
    wanted = [int(np.abs(elapsed - share * elapsed[-1]).argmin()) for share in _OVER_TIME]
    indices = list(dict.fromkeys(wanted))
    if len(indices) == 1:
        return _single(
            history, shown, replace(chosen, title=None), indices[0],
            fields.scale(shown.array, chosen, shown.values(shown.array, indices[0])),
        )  # fmt: skip
    values = [shown.values(shown.array, index) for index in indices]
    scale = fields.scale(shown.array, chosen, *values)
    rows = -(-len(indices) // 2)
    width, height = (3.9, 3.8) if shown.plan.pole else (5.0, 2.6)
    figure = style.figure(2 * width, rows * height + 1.2)
    axes = list(figure.subplots(rows, 2, squeeze=False).ravel())
    for ax in axes[len(indices) :]:
        ax.set_axis_off()
    for ax, index, of_frame in zip(axes, indices, values, strict=False):
        filled = shown.fill(ax, of_frame, scale)
        ax.set_title(times.valid(history, float(elapsed[index])), fontsize=9)
    _bar(figure, filled, axes, shown, scale)
    words = (fields.described(shown.array)[0], shown.words)
    figure.suptitle(chosen.title or ", ".join(word for word in words if word), fontsize=11)
    return figure


def _bar(figure: Figure, filled: QuadContourSet, axes: list[Axes], shown: View, scale: style.Scale) -> None:
    """Below maps, which are wide; beside all else."""
    name, unit, _ = fields.described(shown.array)
    below = isinstance(shown, MapView)
    label = f"{name} ({unit})" if unit else name
    bar = figure.colorbar(
        filled, ax=axes, label=label, ticks=scale.ticks, location="bottom" if below else "right",
        aspect=45 if below else 25, shrink=0.8 if below else 1.0, pad=0.03,
    )  # fmt: skip
    bar.outline.set_linewidth(0.6)
