"""`squall plot --animate`: all frames of a run as a looping GIF."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from PIL import Image

from squall import diagnose
from squall.errors import UserError
from squall.geo import globe as geo_globe
from squall.geo import maps
from squall.plot import charts, choice, field, globe, image, layout, panels, style, times
from squall.plot.choice import Choice

_DOTS = 90  # per inch
_COLOURS = 128
_HOLD = 2000  # ms, of the last frame


def save(history: xr.Dataset, chosen: Choice, output: Path, dots: int | None = None) -> None:
    """Draws all frames and writes them to a GIF file. dots: resolution [dots per inch]."""
    make = _maker(history, chosen)

    def draw(index: int) -> Figure:
        made = make(index)
        layout.settle(made)
        return made

    count = history.sizes["Time"]
    colours = image.palette(image.drawn(draw(count - 1), dots or _DOTS), _COLOURS)

    def indexed(index: int) -> Image.Image:
        return image.drawn(draw(index), dots or _DOTS).quantize(palette=colours, dither=Image.Dither.NONE)

    each = int(np.clip(10000 / count, 120, 500))
    indexed(0).save(
        output, "GIF", save_all=True, append_images=map(indexed, range(1, count)), loop=0, optimize=True,
        duration=[each] * (count - 1) + [_HOLD],
    )  # fmt: skip


def _maker(history: xr.Dataset, chosen: Choice) -> Callable[[int], Figure]:
    if geo_globe.is_globe(history):
        return globe.animated(geo_globe.prepared(history), chosen)
    return _of_field(history, chosen) if chosen.field else _of_weather(history)


def _of_weather(history: xr.Dataset) -> Callable[[int], Figure]:
    """Isobars over the precipitation rate of the interval before each frame."""
    if not maps.is_on_earth(history):
        raise UserError("--animate needs --field for a run without a map projection.")
    charts.require(history, *charts.FOR_PRESSURE, "RAINNC")
    plan = panels.plan(history.isel(Time=0))
    aspect = panels.aspect(plan)

    def draw(index: int) -> Figure:
        figure = style.figure(8.0, 8.0 * aspect * 0.93 + 1.2)
        ax = figure.subplots()
        rate = charts.rate_at(history, index)[0] if index else np.zeros((len(plan.y), len(plan.x)))
        filled = panels.fill_plan(ax, plan, rate, style.RATE)
        charts.isobars(ax, plan, history.isel(Time=index))
        charts.bar(ax, filled, "precipitation rate since the previous frame (mm h$^{-1}$)", style.RATE.levels)
        ax.set_title(
            "Sea-level pressure (hPa)\n" + times.headline(history.isel(Time=index)), loc="left", fontsize=9
        )
        return figure

    return draw


def _of_field(history: xr.Dataset, chosen: Choice) -> Callable[[int], Figure]:
    """Frames of one field, all with the same colour scale."""
    assert chosen.field
    name, count = chosen.field, history.sizes["Time"]
    ranges = np.array([_range(choice.frame(history, index, name), chosen, name) for index in range(count)])
    scale = style.scale(
        name, ranges * style.shown(diagnose.field(choice.frame(history, 0, name), name).attrs["units"])[1]
    )

    def draw(index: int) -> Figure:
        return field.picture(history, chosen.at(index), scale)

    return draw


def _range(frame: xr.Dataset, chosen: Choice, name: str) -> tuple[float, float]:
    """The smallest and largest value shown in a frame."""
    array = diagnose.field(frame, name)
    if chosen.section:
        values = field.track_of(frame, chosen.section).sample(array.values)
        return float(values.min()), float(values.max())
    if frame.sizes["south_north"] > 1 or chosen.level:
        array, _ = choice.on_level(frame, array, chosen.level)
    return float(array.min()), float(array.max())
