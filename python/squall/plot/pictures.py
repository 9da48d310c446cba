"""The default picture of each case."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from squall import diagnose
from squall.diagnose import air, surface
from squall.geo import maps
from squall.geo.projection import Float
from squall.plot import charts, choice, field, fire, nests, panels, storm, style, track
from squall.plot.choice import Choice


def _frame(history: xr.Dataset, index: int) -> xr.Dataset:
    return history.isel(Time=index)


def _spread(history: xr.Dataset, fractions: Sequence[float]) -> list[xr.Dataset]:
    """The frames nearest to fractions of the run's length, each once."""
    elapsed = history["elapsed"].values
    wanted = [int(np.abs(elapsed - fraction * elapsed[-1]).argmin()) for fraction in fractions]
    return [_frame(history, index) for index in dict.fromkeys(wanted)]


def _times(history: xr.Dataset, chosen: Choice, fractions: Sequence[float]) -> list[xr.Dataset]:
    if chosen.time is None:
        return _spread(history, fractions)
    return [_frame(history, choice.time_index(history, chosen.time))]


def _has_terrain(frame: xr.Dataset) -> bool:
    ground = air.surface_height(frame).values
    return float(ground.max() - ground.min()) > 1e-3


def surface_weather(history: xr.Dataset, chosen: Choice) -> Figure:
    """Temperature of the lowest layer in colour, and surface pressure as contours, over the run."""
    frames = _times(history, chosen, (0.4, 0.6, 0.8, 1.0))
    warm = [air.temperature(frame).isel(bottom_top=0).values for frame in frames]
    press = [surface.surface_pressure(frame).values / 100 for frame in frames]
    scale, lines = style.scale("temperature", *warm), style.contour_levels(*press, bins=20)
    even = len(lines) == 0
    aspect = history.sizes["south_north"] / history.sizes["west_east"]
    width = 2.1 if aspect > 1 else 4.0
    figure = style.figure(width * len(frames) + 1.2, min(width * aspect, 8) + 1.0)
    axes = figure.subplots(1, len(frames), sharey=True, squeeze=False)[0]
    for ax, frame, t, p in zip(axes, frames, warm, press, strict=True):
        plan = panels.plan(frame)
        filled = panels.fill_plan(ax, plan, t, scale)
        panels.line_plan(ax, plan, p, lines)
        nests.outline_all(ax, plan, frame)
        title = field.model_time(frame)
        if not even:
            _mark_low(ax, plan, p)
            title += f", low {np.nanmin(p):.0f} hPa"
        ax.set_title(title)
    field.colour_bar(figure, filled, list(axes), "temperature of the lowest layer (K)", scale, aspect=30)
    shown = "uniform" if even else f"lines {style.every(lines, 'hPa')}"
    figure.suptitle(f"Surface pressure ({shown}) and temperature", fontsize=11)
    return figure


def _mark_low(ax: Axes, plan: panels.Plan, p: Float) -> None:
    j, i = np.unravel_index(np.nanargmin(p), p.shape)
    x, y = plan.x, plan.y
    within = (np.clip(i, 1, len(x) - 2), np.clip(j, 1, len(y) - 2))  # a letter on the frame is cut in half
    text = ax.text(
        x[within[0]], y[within[1]], "L", ha="center", va="center", fontsize=11, weight="bold", clip_on=True
    )
    text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])


def density_current(history: xr.Dataset, chosen: Choice) -> Figure:
    """theta' of the cold pool as it spreads, with the front, its -1 K line at the lowest level."""
    frames = _times(history, chosen, (0.0, 1 / 3, 2 / 3, 1.0))
    cold = [air.theta_pert(frame).isel(south_north=0).values for frame in frames]
    scale = style.scale("theta_pert", *cold, bins=20)
    reach = 19.2  # km, as Straka et al. (1993) draw it; farther where the front is
    figure = style.figure(8.5, 1.75 * len(frames) + 0.8)
    axes = figure.subplots(len(frames), 1, sharex=True, squeeze=False)[:, 0]
    for ax, frame, t in zip(axes, frames, cold, strict=True):
        section = panels.Section.of(frame, track.straight(frame, "south_north", 0, centre=True))
        filled = panels.fill_section(ax, section, panels.with_surface(t), scale)
        panels.line_section(ax, section, panels.with_surface(t), [-1.0], width=1.1, solid=True)
        front = front_position(section.x[0], t[0])
        title = f"{field.model_time(frame)}   lowest $\\theta'$ {t.min():.2f} K"
        if front is not None:
            ax.axvline(front, color=style.INK, linewidth=0.8, linestyle=":")
            title += f", front (−1 K) at {front:.2f} km"
            reach = max(reach, 1.1 * front)
        ax.set_title(title, loc="left")
        ax.set(ylim=(0, min(4.8, section.z.max())), xlabel="")
    axes[-1].set(xlim=(0, min(reach, section.x.max())), xlabel="distance from the centre (km)")
    field.colour_bar(figure, filled, list(axes), "potential temperature perturbation (K)", scale, aspect=40)
    return figure


def front_position(x: Float, lowest: Float, threshold: float = -1.0) -> float | None:
    """The easternmost x where values along x rise through a threshold; None: nowhere."""
    inside = np.nonzero(lowest <= threshold)[0]
    if inside.size == 0 or inside[-1] + 1 >= len(x):
        return None
    i = int(inside[-1])
    weight = (threshold - lowest[i]) / (lowest[i + 1] - lowest[i])
    return float(x[i] + weight * (x[i + 1] - x[i]))


def mountain_wave(history: xr.Dataset, chosen: Choice) -> Figure:
    """w over the mountain in the end, in colours for the waves aloft: it is largest on the slopes."""
    return _section(history, chosen, "W", share=0.99)


def warm_bubble(history: xr.Dataset, chosen: Choice) -> Figure:
    """theta' of the bubble in colour and w in lines, through the middle."""
    return _section(history, chosen, "theta_pert", lines="W")


def gravity_wave(history: xr.Dataset, chosen: Choice) -> Figure:
    """theta' of the wave."""
    return _section(history, chosen, "theta_pert")


def supercell(history: xr.Dataset, chosen: Choice) -> Figure:
    """Updraughts, rain and cold pool of the storms."""
    return storm.from_above(history, _times(history, chosen, (0.25, 0.5, 0.75)))


def grass_fire(history: xr.Dataset, chosen: Choice) -> Figure:
    """What has burnt, and the air over it."""
    if "FIRE_AREA" not in history or history.sizes["south_north"] == 1:
        return _default(history, chosen)
    return fire.from_above(history, _times(history, chosen, (1 / 3, 2 / 3, 1.0)))


def squall_line(history: xr.Dataset, chosen: Choice) -> Figure:
    """The storms in a slice."""
    if history.sizes["south_north"] > 1:
        return supercell(history, chosen)
    return storm.slice_through(history, _times(history, chosen, (1 / 3, 2 / 3, 1.0)))


def _section(
    history: xr.Dataset, chosen: Choice, name: str, lines: str | None = None, share: float | None = None
) -> Figure:
    """A field in colour, and another in lines, in a section through the middle; in colours for a share of
    the values, if one is given."""
    frame = _frame(history, choice.time_index(history, chosen.time))
    array = diagnose.field(frame, name)
    at = replace(chosen, section=chosen.section or f"y={frame.sizes['south_north'] // 2}", contours=lines)
    scale = None
    if share is not None:
        cut = panels.Section.of(frame, field.track_of(frame, at.section))
        scale = style.scale_for_most(cut.cut(array) * style.shown(array.attrs["units"])[1], share)
    return field.section(frame, array, at, scale)


def _default(history: xr.Dataset, chosen: Choice) -> Figure:
    """The picture of a case without one of its own."""
    if history.sizes["south_north"] == 1:
        frame = _frame(history, -1)
        return _section(history, chosen, "W" if _has_terrain(frame) else "theta_pert", lines="theta")
    if history.sizes["west_east"] == 1:
        return _section(history, replace(chosen, section="x=0"), "theta_pert", lines="theta")
    if maps.is_on_earth(history):
        return charts.forecast(history, chosen)
    return surface_weather(history, chosen)


_OF_CASE: dict[str, Callable[[xr.Dataset, Choice], Figure]] = {
    "baroclinic-wave": surface_weather,
    "density-current": density_current,
    "grass-fire": grass_fire,
    "warm-bubble": warm_bubble,
    "inertia-gravity-wave": gravity_wave,
    "mountain-hydrostatic": mountain_wave,
    "mountain-schaer": mountain_wave,
    "squall-line": squall_line,
    "supercell": supercell,
}


def of_case(history: xr.Dataset, chosen: Choice) -> Figure:
    """The default picture for a run's case."""
    return _OF_CASE.get(str(history.attrs.get("CASE")), _default)(history, chosen)
