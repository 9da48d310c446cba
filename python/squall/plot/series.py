"""Pictures of streams without a map: time series at stations, along trajectories, and of domain means.

A field without levels is a line for each station; one with levels is a picture of height and time for one
station, or the line of one level."""

from dataclasses import dataclass
from itertools import islice, product

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure

from squall.errors import UserError
from squall.geo import globe
from squall.geo.projection import Float
from squall.plot import choice, field, style, times
from squall.plot.choice import Choice

STATION = "station"
_MOVING = {"trajectory": STATION, "trajectory_name": "station_name"}  # are drawn alike
_MEAN = "mean over the domain"
_HORIZONTAL = {"south_north", "west_east", "lat", "lon"}  # lat, lon: of runs on the globe
_KNOWN = {"Time", STATION, *choice.LEVELS}
Panel = tuple[Axes, list[int], list[str]]  # with numbers and names of the stations that it shows
_NAMED = 15  # levels of pressure that are all named
_MOST = 15  # lines that can be told from each other


def is_series(history: xr.Dataset) -> bool:
    """Whether no field of a history is on the horizontal grid, and some vary in time."""
    shapes = [_horizontal(array) for array in history.data_vars.values() if _changes(array)]
    return bool(shapes) and not any(shapes)


def _changes(array: xr.DataArray) -> bool:
    return "Time" in array.dims and array.dtype.kind == "f"


def _horizontal(array: xr.DataArray) -> set[str]:
    return {str(dim).removesuffix("_stag") for dim in array.dims} & _HORIZONTAL


def picture(history: xr.Dataset, chosen: Choice) -> Figure:
    """Draws the chosen field, or all, one below the other. Raises UserError if the choice cannot be drawn."""
    moving = {old: new for old, new in _MOVING.items() if old in history.variables or old in history.dims}
    history = history.rename(moving)
    _refuse_what_needs_a_map(chosen)
    arrays = _fields(history, chosen.field)
    if chosen.level is not None:
        arrays = [choice.at_level(history, array, chosen.level) for array in arrays]
    stations = _stations(history, chosen.station)
    rows: list[tuple[xr.DataArray, list[int]]] = []
    if any(choice.level_of(array) for array in arrays):
        # Height and time of one station fill a panel; of a single field there is one for each station.
        each = range(len(stations)) if chosen.field else (0,)
        rows = [(array, [station]) for array, station in product(arrays, each)]
    else:
        rows = [(array, list(range(len(stations)))) for array in arrays]
    numbers, names = [number for number, _ in stations], [name for _, name in stations]
    if max(len(rows), len(names) if len(rows[0][1]) > 1 else 0) > _MOST:
        raise UserError(f"More than {_MOST} lines cannot be told apart: choose with --field and --station.")
    figure = style.figure(8.0, 1.0 + 2.1 * len(rows))
    axes = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    when = time_axis(history)
    for array in arrays:
        own = [(ax, which) for ax, (of, which) in zip(axes, rows, strict=True) if of is array]
        panels = [(ax, [numbers[n] for n in which], [names[n] for n in which]) for ax, which in own]
        draw = _fill if choice.level_of(array) else _lines
        draw(figure, history, array, panels, when, chosen)
    axes[-1].set_xlim(when.values[0], when.values[-1])
    axes[-1].set_xlabel(when.label)
    handles, labels = axes[0].get_legend_handles_labels()
    if len(labels) > 1:
        figure.legend(handles, labels, loc="outside upper center", ncols=min(5, len(labels)))
    if chosen.title:
        figure.suptitle(chosen.title, fontsize=11)
    return figure


def _refuse_what_needs_a_map(chosen: Choice) -> None:
    given = {"--section": chosen.section, "--contours": chosen.contours, "--time": chosen.time,
             "--barbs": chosen.barbs or None,
             "--projection": chosen.projection, "--hovmoeller": chosen.hovmoeller}  # fmt: skip
    for option, value in given.items():
        if value is not None:
            raise UserError(f"{option}: this stream holds time series without a map; leave {option} out.")


def _fields(history: xr.Dataset, name: str | None) -> list[xr.DataArray]:
    """The fields that vary in time, by name or CF standard name; domain means count as a single station."""
    changing = {str(n): a for n, a in history.data_vars.items() if _changes(a) and n != "XTIME"}
    found = {n: a for n, a in changing.items() if {str(dim) for dim in a.dims} <= _KNOWN}
    if not found:
        shapes = "; ".join(f"{n} lies along {', '.join(map(str, a.dims))}" for n, a in changing.items())
        raise UserError(
            f"Nothing here can be drawn, which needs dimensions as WRF calls them (Time, south_north, "
            f"west_east, bottom_top): {shapes}."
        )
    if name is not None:
        by_standard = {
            str(a.attrs["standard_name"]): n
            for n, a in reversed(found.items())  # of several the first
            if "standard_name" in a.attrs
        }
        known = name if name in found else by_standard.get(name)
        if known is None:
            raise UserError(choice.unknown("field", name, list(found), "This stream has"))
        found = {known: found[known]}
    return [a if STATION in a.dims else a.expand_dims(STATION, axis=1) for a in found.values()]


def _stations(history: xr.Dataset, wanted: str | None) -> list[tuple[int, str]]:
    """Numbers and names of the stations that are drawn: all, or those of "NAME,NAME"."""
    if STATION not in history.dims:
        if wanted is not None:
            raise UserError(f"--station {wanted}: this stream has no stations.")
        return [(0, _MEAN)]
    names = [_text(row) for row in history["station_name"].values]
    if wanted is None:
        return list(enumerate(names))
    chosen = [part.strip() for part in wanted.split(",")]
    for name in chosen:
        if name not in names:
            raise UserError(choice.unknown("station", name, names, "There are"))
    return [(names.index(name), name) for name in chosen]


def _text(name: object) -> str:
    text = b"".join(name).decode() if isinstance(name, np.ndarray) else name
    return (text.decode() if isinstance(text, bytes) else str(text)).rstrip("\0 ")


@dataclass(frozen=True)
class TimeAxis:
    """Times of all frames as they are drawn."""

    values: Float
    label: str
    dates: bool


def time_axis(history: xr.Dataset) -> TimeAxis:
    """The time axis: dates for real weather, time since the start for idealised cases."""
    elapsed = history["elapsed"].values.astype(float)
    if int(history.attrs.get("MAP_PROJ", 0)) and times.start(history) is not None:
        moments = np.array([times.moment(history, seconds) for seconds in elapsed], "datetime64[s]")
        return TimeAxis(moments, "UTC", True)
    unit, seconds = next((u, s) for u, s in (("d", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0))
                         if elapsed[-1] > 3 * s or s == 1.0)  # fmt: skip
    return TimeAxis(elapsed / seconds, f"time since the start ({unit})", False)


def date_ticks(axis: Axis, when: TimeAxis) -> None:
    """Names dates briefly."""
    if when.dates:
        locator = AutoDateLocator()  # type: ignore[no-untyped-call]
        axis.set_major_locator(locator)
        axis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]


def _title(array: xr.DataArray, names: list[str]) -> str:
    text = str(array.attrs.get("long_name", array.name))
    words = [text.lower() if text.isupper() else text]  # as WRF's are
    if "level" in array.attrs:
        words.append(str(array.attrs["level"]))
    if len(names) == 1 and names != [_MEAN]:
        words.append(names[0])
    return ", ".join(words)


def _lines(
    _: Figure, __: xr.Dataset, array: xr.DataArray, panels: list[Panel], when: TimeAxis, chosen: Choice
) -> None:
    """A line for each station."""
    if chosen.colours:
        raise UserError("--colours: a time series is drawn as lines with fixed colours; leave --colours out.")
    unit, factor = style.shown(str(array.attrs.get("units", "")))
    values = array.transpose(STATION, "Time").values * factor
    for ax, numbers, names in panels:
        looks = islice(product(("-", "--", ":"), style.SERIES), len(names))
        for number, name, (dashes, colour) in zip(numbers, names, looks, strict=True):
            marker = "o" if values.shape[1] == 1 else None
            ax.plot(when.values, values[number], dashes, color=colour, label=name, marker=marker)
        if chosen.limits:
            used = style.asked(style.scale(str(array.name), values), chosen.limits, None)
            ax.set_ylim(float(used.levels[0]), float(used.levels[-1]))
        ax.set_ylabel(unit)
        ax.ticklabel_format(axis="y", useOffset=False)
        ax.set_title(_title(array, names), loc="left")
        style.plain(ax)
        date_ticks(ax.xaxis, when)


def _fill(
    figure: Figure,
    history: xr.Dataset,
    array: xr.DataArray,
    panels: list[Panel],
    when: TimeAxis,
    chosen: Choice,
) -> None:
    """Height and time of a station in colour, all stations in the same."""
    dimension = choice.level_of(array)
    assert dimension is not None
    unit, factor = style.shown(str(array.attrs.get("units", "")))
    values = array.transpose(STATION, dimension, "Time").values.astype(float) * factor
    values = values[[number for _, numbers, _ in panels for number in numbers]]
    if not np.isfinite(values).any():
        raise UserError(f"--field {array.name}: all its values are missing.")
    if min(values.shape[1:]) < 2:
        raise UserError(
            f"--field {array.name}: a height-time picture needs at least two levels and two "
            f"times; choose one level with --level."
        )
    heights, label = _heights(history, dimension)
    own = _heights_of_layers(history, dimension)
    fit = style.fit(globe.is_globe(history))
    used = style.asked(fit(str(array.name), values), chosen.limits, chosen.colours)
    for (ax, [number], names), of_station in zip(panels, values, strict=True):
        levels = heights if own is None else own[number]
        filled = ax.contourf(
            np.broadcast_to(when.values, of_station.shape), _spread(levels, of_station),
            used.within(of_station), used.levels,
            cmap=used.cmap, norm=used.norm, extend=used.extend,
        )  # fmt: skip
        if dimension == "pressure_level":
            _by_pressure(ax, heights)
        ax.set_ylabel(label if own is None else "height above sea level\n(km)")
        ax.set_title(_title(array, names), loc="left")
        date_ticks(ax.xaxis, when)
    field.colour_bar(figure, filled, [ax for ax, _, _ in panels], unit, used, aspect=12 * len(panels))


def _by_pressure(ax: Axes, levels: Float) -> None:
    ax.set_yscale("log")
    if len(levels) > _NAMED:
        style.logarithmic(ax.yaxis)
    else:
        ax.set_yticks(levels, [f"{level:g}" for level in levels])
        ax.minorticks_off()
    ax.invert_yaxis()


def _heights(history: xr.Dataset, dimension: str) -> tuple[Float, str]:
    """The levels as they are shown, and what the axis says."""
    shown = choice.LEVELS[dimension]
    if not shown.kind:
        return np.arange(history.sizes[dimension], dtype=float), shown.label
    return history[dimension].values * shown.factor, f"{shown.label}\n({shown.unit})"


def _heights_of_layers(history: xr.Dataset, dimension: str) -> Float | None:
    """Of each station, level and time [km], where the stream has the field `height`."""
    if dimension != "bottom_top" or dimension not in getattr(history.get("height"), "dims", ()):
        return None
    heights: Float = history["height"].transpose(STATION, dimension, "Time").values.astype(float) / 1000
    return heights


def _spread(levels: Float, values: Float) -> Float:
    """Levels of each time, where they are the same at all."""
    return levels if levels.ndim == 2 else np.broadcast_to(levels[:, None], values.shape)
