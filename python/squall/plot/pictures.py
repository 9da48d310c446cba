"""The picture that suits each case, and the one for any field."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from squall import air, derive
from squall.errors import UserError
from squall.plot import charts, choice, maps, panels, storm, style, times


def _frame(history: xr.Dataset, index: int) -> xr.Dataset:
    return history.isel(Time=index)


def _model_time(frame: xr.Dataset) -> str:
    """When, in words: of real weather the calendar's time, else the time since the start."""
    if maps.is_on_earth(frame):
        return times.headline(frame)
    return choice.in_words(float(frame["elapsed"]))


def _spread(history: xr.Dataset, fractions: Sequence[float]) -> list[xr.Dataset]:
    """The frames nearest to fractions of the run's length, each once."""
    elapsed = history["elapsed"].values
    wanted = [int(np.abs(elapsed - fraction * elapsed[-1]).argmin()) for fraction in fractions]
    return [_frame(history, index) for index in dict.fromkeys(wanted)]


def _times(history: xr.Dataset, chosen: choice.Choice, fractions: Sequence[float]) -> list[xr.Dataset]:
    if chosen.time is None:
        return _spread(history, fractions)
    return [_frame(history, choice.time_index(history, chosen.time))]


def _colour_bar(figure: Figure, filled: Any, axes: Any, label: str, scale: style.Scale, **how: Any) -> None:
    bar = figure.colorbar(filled, ax=axes, label=label, ticks=scale.ticks, **how)
    bar.outline.set_linewidth(0.6)


def _has_terrain(frame: xr.Dataset) -> bool:
    surface = air.interface_height(frame).isel(bottom_top_stag=0).values
    return float(surface.max() - surface.min()) > 1e-3


def surface_weather(history: xr.Dataset, chosen: choice.Choice) -> Figure:
    """Temperature of the lowest layer in colour, surface pressure in lines, as the run went."""
    frames = _times(history, chosen, (0.4, 0.6, 0.8, 1.0))
    warm = [air.temperature(frame).isel(bottom_top=0).values for frame in frames]
    press = [air.surface_pressure(frame).values / 100 for frame in frames]
    scale, lines = style.scale("temperature", *warm), style.contour_levels(*press, bins=20)
    aspect = history.sizes["south_north"] / history.sizes["west_east"]
    width = 2.1 if aspect > 1 else 4.0
    figure = style.figure(width * len(frames) + 1.2, min(width * aspect, 8) + 1.0)
    axes = figure.subplots(1, len(frames), sharey=True, squeeze=False)[0]
    for ax, frame, t, p in zip(axes, frames, warm, press, strict=True):
        plan = panels.plan(frame)
        filled = panels.fill_plan(ax, plan, t, scale)
        panels.line_plan(ax, plan, p, lines)
        _mark_low(ax, plan, p)
        ax.set_title(f"{_model_time(frame)}, low {p.min():.0f} hPa")
    _colour_bar(figure, filled, axes, "temperature of the lowest layer (K)", scale, aspect=30)
    figure.suptitle(
        f"Surface pressure (lines every {lines[1] - lines[0]:g} hPa) and temperature", fontsize=11
    )
    return figure


def _mark_low(ax: Axes, plan: panels.Plan, p: Any) -> None:
    j, i = np.unravel_index(np.argmin(p), p.shape)
    x, y = plan.x, plan.y
    within = (np.clip(i, 1, len(x) - 2), np.clip(j, 1, len(y) - 2))  # a letter on the frame is cut in half
    text = ax.text(
        x[within[0]], y[within[1]], "L", ha="center", va="center", fontsize=11, weight="bold", clip_on=True
    )
    text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])


def density_current(history: xr.Dataset, chosen: choice.Choice) -> Figure:
    """theta' of the cold pool as it spreads, with the front, its -1 K line at the lowest level."""
    frames = _times(history, chosen, (0.0, 1 / 3, 2 / 3, 1.0))
    cold = [air.theta_pert(frame).isel(south_north=0).values for frame in frames]
    scale = style.scale("theta_pert", *cold, bins=20)
    reach = 19.2  # km, as Straka et al. (1993) draw it; farther where the front is
    figure = style.figure(8.5, 1.75 * len(frames) + 0.8)
    axes = figure.subplots(len(frames), 1, sharex=True, squeeze=False)[:, 0]
    for ax, frame, t in zip(axes, frames, cold, strict=True):
        section = panels.Section.of(frame, "south_north", 0, centre=True)
        filled = panels.fill_section(ax, section, panels.with_surface(t), scale)
        panels.line_section(ax, section, panels.with_surface(t), [-1.0], linewidths=1.1, linestyles="solid")
        front = front_position(section.x[0], t[0])
        title = f"{_model_time(frame)}   lowest $\\theta'$ {t.min():.2f} K"
        if front is not None:
            ax.axvline(front, color=style.INK, linewidth=0.8, linestyle=":")
            title += f", front (−1 K) at {front:.2f} km"
            reach = max(reach, 1.1 * front)
        ax.set_title(title, loc="left")
        ax.set(ylim=(0, min(4.8, section.z.max())), xlabel="")
    axes[-1].set(xlim=(0, min(reach, section.x.max())), xlabel="distance from the centre (km)")
    _colour_bar(figure, filled, axes, "potential temperature perturbation (K)", scale, aspect=40)
    return figure


def front_position(x: Any, lowest: Any, threshold: float = -1.0) -> float | None:
    """The easternmost x where values along x rise through a threshold; None: nowhere."""
    inside = np.nonzero(lowest <= threshold)[0]
    if inside.size == 0 or inside[-1] + 1 >= len(x):
        return None
    i = int(inside[-1])
    weight = (threshold - lowest[i]) / (lowest[i + 1] - lowest[i])
    return float(x[i] + weight * (x[i + 1] - x[i]))


def mountain_wave(history: xr.Dataset, chosen: choice.Choice) -> Figure:
    """w over the mountain in the end, in colours for the waves aloft: it is largest on the slopes."""
    return section_of(history, _through_the_middle(history, chosen), "W", scale=0.99)


def section_of(
    history: xr.Dataset,
    chosen: choice.Choice,
    name: str,
    lines: str | None = None,
    scale: style.Scale | float | None = None,
) -> Figure:
    """A vertical section of a field in colour, of another in lines. The colours are for all values, or for
    a share of them, or given."""
    frame = _frame(history, choice.time_index(history, chosen.time))
    across, index = choice.section_at(frame, chosen.section or "y=0")
    section = panels.Section.of(frame, across, index, centre=frame.sizes[across] == 1)
    array = derive.field(frame, name)
    unit, factor = style.shown(array.attrs["units"])
    values = panels.with_surface(array.isel({across: index}).values * factor)
    figure = style.figure(9.0, 4.2)
    ax = figure.subplots()
    if isinstance(scale, float):
        scale = style.scale_for_most(values, scale)
    scale = scale or style.scale(name, values)
    filled = panels.fill_section(ax, section, values, scale)
    _colour_bar(figure, filled, ax, f"{array.attrs['long_name']} ({unit})", scale)
    title = f"{array.attrs['long_name']}, {_model_time(frame)}"
    if frame.sizes[across] > 1:
        title += f", {panels.where(frame, across, index)}"
    if lines:
        title += _draw_lines(ax, section, derive.field(frame, lines).isel({across: index}))
    ax.set_title(title)
    return figure


def _draw_lines(ax: Axes, section: panels.Section, array: xr.DataArray) -> str:
    """Draws an array's contour lines over a section, and returns what the title says of them."""
    unit, factor = style.shown(array.attrs["units"])
    values = panels.with_surface(array.values * factor)
    levels = style.contour_levels(values)
    panels.line_section(ax, section, values, levels[levels != 0], linewidths=0.5)
    return f"; lines: {array.attrs['long_name']} every {levels[1] - levels[0]:g} {unit}"


def warm_bubble(history: xr.Dataset, chosen: choice.Choice) -> Figure:
    """theta' of the bubble in colour and w in lines, through the middle."""
    return section_of(history, _through_the_middle(history, chosen), "theta_pert", lines="W")


def gravity_wave(history: xr.Dataset, chosen: choice.Choice) -> Figure:
    """theta' of the wave."""
    return section_of(history, _through_the_middle(history, chosen), "theta_pert")


def supercell(history: xr.Dataset, chosen: choice.Choice) -> Figure:
    """Updraughts, rain and cold pool of the storms."""
    return storm.from_above(history, _times(history, chosen, (0.25, 0.5, 0.75)))


def squall_line(history: xr.Dataset, chosen: choice.Choice) -> Figure:
    """The storms in a slice."""
    if history.sizes["south_north"] > 1:
        return supercell(history, chosen)
    return storm.slice_through(history, _times(history, chosen, (1 / 3, 2 / 3, 1.0)))


def _through_the_middle(history: xr.Dataset, chosen: choice.Choice) -> choice.Choice:
    return choice.Choice(time=chosen.time, section=f"y={history.sizes['south_north'] // 2}")


def plan_of(
    history: xr.Dataset, chosen: choice.Choice, name: str, scale: style.Scale | None = None
) -> Figure:
    """A field seen from above."""
    frame = _frame(history, choice.time_index(history, chosen.time))
    array, level = choice.on_level(frame, derive.field(frame, name), chosen.level)
    unit, factor = style.shown(array.attrs["units"])
    values = array.transpose("south_north", "west_east").values * factor
    aspect = frame.sizes["south_north"] / frame.sizes["west_east"]
    figure = style.figure(6.5 if aspect < 1.2 else 4.2, max(2.5, min(7.0, 6.0 * aspect)))
    ax = figure.subplots()
    scale = scale or style.scale(name, values)
    filled = panels.fill_plan(ax, panels.plan(frame), values, scale)
    _colour_bar(figure, filled, ax, f"{array.attrs['long_name']} ({unit})", scale)
    ax.set_title(
        ", ".join(part for part in (array.attrs["long_name"], level, _model_time(frame)) if part), wrap=True
    )
    return figure


def line_of(
    history: xr.Dataset, chosen: choice.Choice, name: str, scale: style.Scale | None = None
) -> Figure:
    """A field without levels along the one row of a 2-D domain."""
    frame = _frame(history, choice.time_index(history, chosen.time))
    array, level = choice.on_level(frame, derive.field(frame, name), chosen.level)
    unit, factor = style.shown(array.attrs["units"])
    figure = style.figure(8.0, 3.2)
    ax = figure.subplots()
    x = panels.distance(frame, "west_east", centre=True)
    ax.plot(x, array.isel(south_north=0).values * factor, color=style.INK, linewidth=1.2)
    ax.set(xlabel="x (km)", ylabel=f"{array.attrs['long_name']} ({unit})", xlim=(x[0], x[-1]))
    if scale:
        ax.set_ylim(scale.levels[0], scale.levels[-1])
    ax.set_title(", ".join(part for part in (array.attrs["long_name"], level, _model_time(frame)) if part))
    return figure


def of_field(
    history: xr.Dataset, chosen: choice.Choice, name: str, scale: style.Scale | None = None
) -> Figure:
    """Any field: a section where one is asked for or the domain is one row, else a plan view. The
    colours fit the values unless a scale is given."""
    layered = air.LEVEL in derive.field(_frame(history, 0), name).dims
    one_row = history.sizes["south_north"] == 1
    if chosen.section and not layered:
        raise UserError(f"--section {chosen.section}: {name} has no levels.")
    if layered and (chosen.section or (one_row and chosen.level is None)):
        return section_of(history, chosen, name, scale=scale)
    return (line_of if one_row else plan_of)(history, chosen, name, scale)


def _default(history: xr.Dataset, chosen: choice.Choice) -> Figure:
    """For a case without a picture of its own."""
    if history.sizes["south_north"] == 1:
        frame = _frame(history, -1)
        return section_of(history, chosen, "W" if _has_terrain(frame) else "theta_pert", lines="theta")
    if maps.is_on_earth(history):
        return charts.forecast(history, chosen)
    return surface_weather(history, chosen)


_OF_CASE: dict[str, Callable[[xr.Dataset, choice.Choice], Figure]] = {
    "baroclinic-wave": surface_weather,
    "density-current": density_current,
    "warm-bubble": warm_bubble,
    "inertia-gravity-wave": gravity_wave,
    "mountain-hydrostatic": mountain_wave,
    "mountain-schaer": mountain_wave,
    "squall-line": squall_line,
    "supercell": supercell,
}


def of_case(history: xr.Dataset, chosen: choice.Choice) -> Figure:
    """The picture that suits a run's case."""
    return _OF_CASE.get(str(history.attrs.get("CASE")), _default)(history, chosen)
