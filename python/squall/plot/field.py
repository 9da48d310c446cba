"""The picture of one field: plan view, vertical section or line, with contours of a second field."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure

from squall import diagnose
from squall.diagnose.columns import LEVEL
from squall.errors import UserError
from squall.geo import maps
from squall.geo.projection import Float
from squall.plot import choice, nests, panels, style, times, track
from squall.plot.choice import Choice


def picture(
    history: xr.Dataset, chosen: Choice, scale: style.Scale | None = None, ax: Axes | None = None
) -> Figure:
    """Draws a section if one is asked for or the domain is a single row, else a plan view. The colours are
    those of `scale`, or fit the values. ax: axes to draw into, instead of a figure of its own. Raises
    UserError if the choice does not fit the field."""
    assert chosen.field is not None
    index = choice.time_index(history, chosen.time)
    frame = choice.frame(history, index, chosen.field, chosen.contours)
    array = diagnose.field(frame, chosen.field)
    if chosen.section is None and frame.sizes["south_north"] > 1:
        if frame.sizes["west_east"] == 1:
            raise UserError(f"--field {chosen.field}: a domain one cell wide can only be drawn as a section.")
        return _plan(frame, array, chosen, scale, ax)
    if LEVEL not in array.dims:
        if chosen.section is not None:
            raise UserError(f"--section {chosen.section}: {chosen.field} has no levels.")
        return _line(frame, array, chosen, scale, ax)
    if chosen.level is not None:
        if chosen.section is not None:
            raise UserError("--level and --section exclude each other: a section shows all levels.")
        return _line(frame, array, chosen, scale, ax)
    return section(frame, array, chosen, scale, ax)


def model_time(frame: xr.Dataset) -> str:
    """The time in words: a date for real weather, else the time since the start."""
    if maps.is_on_earth(frame):
        return times.brief(frame)
    return times.in_words(float(frame["elapsed"]))


def _title(ax: Axes, frame: xr.Dataset, chosen: Choice, words: list[str | None]) -> None:
    """Writes the requested title, or what is drawn and, on a line of its own, when."""
    ax.set_title(chosen.title or f"{', '.join(word for word in words if word)}\n{model_time(frame)}")


def colour_bar(
    figure: Figure, filled: QuadContourSet, axes: Axes | list[Axes], label: str, scale: style.Scale,
    aspect: float = 20,
) -> None:  # fmt: skip
    bar = figure.colorbar(filled, ax=axes, label=label, ticks=scale.ticks, aspect=aspect)
    bar.outline.set_linewidth(0.6)


def _plan(
    frame: xr.Dataset, array: xr.DataArray, chosen: Choice, scale: style.Scale | None, ax: Axes | None
) -> Figure:
    """The field seen from above."""
    on_level, level = choice.on_level(frame, array, chosen.level)
    unit, factor = style.shown(array.attrs["units"])
    values = on_level.transpose("south_north", "west_east").values * factor
    if scale is None and not np.isfinite(values).any():
        raise UserError(f"--field {array.name}: all its values are missing at this time.")
    aspect = frame.sizes["south_north"] / frame.sizes["west_east"]
    figure, ax = style.canvas(ax, 6.5 if aspect < 1.2 else 4.2, max(2.5, min(7.0, 6.0 * aspect)))
    plan = panels.plan(frame)
    used = style.asked(scale or style.scale(str(array.name), values), chosen.limits, chosen.colours)
    filled = panels.fill_plan(ax, plan, values, used)
    nests.outline_all(ax, plan, frame)
    colour_bar(figure, filled, ax, f"{array.attrs['long_name']} ({unit})", used)
    words = [array.attrs["long_name"], level]
    if chosen.contours:
        words.append(_lines_of(ax, plan, frame, chosen))
    if chosen.barbs:
        u, v = (choice.on_level(frame, diagnose.field(frame, name), chosen.level)[0] for name in ("U", "V"))
        panels.barbs(ax, plan, frame, u.values, v.values)
        words.append(f"wind (full barb: {panels.FULL_BARB:g} m s$^{{-1}}$)")
    _title(ax, frame, chosen, words)
    return figure


def _lines_of(ax: Axes, plan: panels.Plan, frame: xr.Dataset, chosen: Choice) -> str:
    """Draws the second field over a plan view, and returns its part of the title."""
    assert chosen.contours is not None
    array = diagnose.field(frame, chosen.contours)
    level = chosen.level if LEVEL in array.dims else None
    on_level, _ = choice.on_level(frame, array, level)
    unit, factor = style.shown(array.attrs["units"])
    values = on_level.transpose("south_north", "west_east").values * factor
    levels = style.contour_levels(values, bins=14)
    panels.line_plan(ax, plan, values, levels)
    return f"lines: {array.attrs['long_name']} {style.every(levels, unit)}"


def track_of(frame: xr.Dataset, text: str | None) -> track.Track:
    """The requested track; for a domain of a single row that row, with distances from its middle."""
    asked = track.parse(frame, text or "y=0")
    if frame.sizes["south_north"] == 1 and len(asked.i) == frame.sizes["west_east"]:
        return track.straight(frame, "south_north", 0, centre=True)
    return asked


def section(
    frame: xr.Dataset, array: xr.DataArray, chosen: Choice, scale: style.Scale | None = None,
    ax: Axes | None = None,
) -> Figure:  # fmt: skip
    """A vertical section of the field in colour, of `contours` in lines."""
    if chosen.barbs:
        raise UserError("--barbs needs a plan view: leave out --section.")
    cut = panels.Section.of(frame, track_of(frame, chosen.section))
    unit, factor = style.shown(array.attrs["units"])
    values = cut.cut(array) * factor
    figure, ax = style.canvas(ax, 9.0, 4.2)
    used = style.asked(scale or style.scale(str(array.name), values), chosen.limits, chosen.colours)
    filled = panels.fill_section(ax, cut, values, used)
    colour_bar(figure, filled, ax, f"{array.attrs['long_name']} ({unit})", used)
    words = [array.attrs["long_name"], cut.track.name if frame.sizes["south_north"] > 1 else None]
    if chosen.contours:
        words.append(_lines_on(ax, cut, diagnose.field(frame, chosen.contours)))
    _title(ax, frame, chosen, words)
    return figure


def _lines_on(ax: Axes, cut: panels.Section, array: xr.DataArray) -> str:
    """Draws contours of an array over a section, and returns their part of the title."""
    if LEVEL not in array.dims:
        raise UserError(f"--contours {array.name}: a section needs a field with levels.")
    unit, factor = style.shown(array.attrs["units"])
    values = cut.cut(array) * factor
    levels = style.contour_levels(values)
    if (levels != 0).any():
        panels.line_section(ax, cut, values, levels[levels != 0], width=0.5)
    return f"lines: {array.attrs['long_name']} {style.every(levels, unit)}"


def _line(
    frame: xr.Dataset, array: xr.DataArray, chosen: Choice, scale: style.Scale | None, ax: Axes | None
) -> Figure:
    """A field on one level along the one row of a 2-D domain."""
    _refuse_without_colours(chosen)
    on_level, level = choice.on_level(frame, array, chosen.level)
    unit, factor = style.shown(array.attrs["units"])
    figure, ax = style.canvas(ax, 8.0, 3.2)
    values: Float = np.asarray(on_level.isel(south_north=0).values, float) * factor
    x = panels.distance(frame, "west_east", centre=True)
    ax.plot(x, values, color=style.INK, linewidth=1.2)
    if scale or chosen.limits:
        used = style.asked(scale or style.scale(str(array.name), values), chosen.limits, None)
        ax.set_ylim(float(used.levels[0]), float(used.levels[-1]))
    ax.set(xlabel="x (km)", ylabel=f"{array.attrs['long_name']} ({unit})", xlim=(x[0], x[-1]))
    _title(ax, frame, chosen, [array.attrs["long_name"], level])
    return figure


def _refuse_without_colours(chosen: Choice) -> None:
    for option, given in (
        ("colours", chosen.colours),
        ("contours", chosen.contours),
        ("barbs", chosen.barbs),
    ):
        if given:
            raise UserError(
                f"--{option}: a field along one row is drawn as a line, without colours; "
                f"leave --{option} out."
            )
