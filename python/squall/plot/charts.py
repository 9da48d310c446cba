"""Weather charts of a run on the Earth: the surface, 500 hPa, precipitation, temperature, a section."""

from collections.abc import Callable
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.ndimage import gaussian_filter, maximum_filter, minimum_filter

from squall import air, derive, weather
from squall.errors import UserError
from squall.plot import choice, panels, style, times
from squall.prepare.projection import EARTH_ROTATION

FOR_PRESSURE = ("T", "P", "PB", "PH", "PHB", "PSFC")
_KNOTS = 1.943844
_SMALLEST = 60.0  # km, the deviation of the Gaussian weights with which charts are smoothed


def require(history: xr.Dataset, *names: str) -> None:
    """Raises UserError where a chart's variables are not in the history."""
    lacking = [name for name in names if name not in history]
    if lacking:
        raise UserError(
            f"Weather charts need {', '.join(lacking)}, which this history does not hold: let the run write "
            "them (fields of its stream), or draw one field with --field."
        )


def forecast(history: xr.Dataset, chosen: choice.Choice) -> Figure:
    """Four charts and a section of one time."""
    require(history, *FOR_PRESSURE, "U", "V", "RAINNC")
    index = choice.time_index(history, chosen.time)
    frame, plan = history.isel(Time=index), panels.plan(history.isel(Time=index))
    width, height = _size(plan)
    figure = style.figure(2 * width + 0.6, 2 * height + 4.2)
    grid = figure.add_gridspec(3, 2, height_ratios=[height, height, 3.2])
    charts: list[Callable[[Axes, panels.Plan, xr.Dataset, int], Any]] = [
        surface, upper_air, precipitation, temperature,
    ]  # fmt: skip
    for number, chart in enumerate(charts):
        chart(figure.add_subplot(grid[number // 2, number % 2]), plan, history, index)
    across, at = choice.section_at(frame, chosen.section or f"y={_row_of_interest(frame)}")
    section(figure.add_subplot(grid[2, :]), frame, across, at)
    _show_section(figure.axes[0], plan, across, at)
    figure.suptitle(times.headline(history.isel(Time=index)), fontsize=12)
    return figure


def _size(plan: panels.Plan) -> tuple[float, float]:
    """Width and height of one map with its title and colour bar, inches."""
    aspect = float((plan.y[-1] - plan.y[0]) / (plan.x[-1] - plan.x[0]))
    width = 5.4 if aspect < 1 else 5.4 / aspect**0.5
    return width, 0.9 * width * aspect + 0.9


def _smooth(frame: xr.Dataset, values: Any) -> Any:
    """Values (south_north, west_east) without what is smaller than charts show."""
    cells = _SMALLEST / (float(frame.attrs["DX"]) / 1000)
    return gaussian_filter(values, max(cells, 0.5), mode="nearest")


def bar(ax: Axes, filled: Any, label: str, **how: Any) -> None:
    """A colour bar below a map."""
    drawn = ax.figure.colorbar(
        filled, ax=ax, label=label, orientation="horizontal", aspect=45, pad=0.02, format="%g", **how
    )
    drawn.outline.set_linewidth(0.6)
    drawn.ax.tick_params(labelsize=7, length=2)


def surface(ax: Axes, plan: panels.Plan, history: xr.Dataset, index: int) -> None:
    """Sea-level pressure, highs and lows, and the wind at 10 m as barbs over its speed in colour."""
    frame = history.isel(Time=index)
    u, v = (component.values for component in weather.wind_10m(frame))
    filled = panels.fill_plan(ax, plan, np.hypot(u, v), style.WIND)
    isobars(ax, plan, frame)
    _barbs(ax, plan, frame, u, v)
    source = "" if "U10" in frame else " (logarithmic profile)"
    bar(ax, filled, f"wind speed at 10 m{source} (m s$^{{-1}}$)")
    ax.set_title("Sea-level pressure (hPa), 10 m wind (barbs: kt)", loc="left")


def isobars(ax: Axes, plan: panels.Plan, frame: xr.Dataset) -> None:
    """Sea-level pressure every 4 hPa, with its highs and lows."""
    pressure = weather.sea_level_pressure(frame).values / 100
    smooth = _smooth(frame, pressure)
    panels.line_plan(ax, plan, smooth, _every(smooth, 4.0), linewidths=0.9, zorder=3)
    for letter, colour, sign in (("H", "#0b4f9e", -1), ("L", "#b2182b", 1)):
        for j, i in _extremes(plan, sign * smooth):
            _mark(ax, (plan.x[i], plan.y[j]), letter, f"{smooth[j, i]:.0f}", colour)


def _extremes(plan: panels.Plan, values: Any) -> list[tuple[int, int]]:
    """Where values are lowest within a radius, away from the edges."""
    reach = 0.09 * max(plan.x[-1] - plan.x[0], plan.y[-1] - plan.y[0])
    near_i = max(1, round(reach / float(plan.x[1] - plan.x[0])))
    near_j = max(1, round(reach / float(plan.y[1] - plan.y[0])))
    around = (2 * near_j + 1, 2 * near_i + 1)
    inner = (slice(near_j, -near_j), slice(near_i, -near_i))
    lowest, highest = (which(values, around)[inner] for which in (minimum_filter, maximum_filter))
    found = np.argwhere((values[inner] == lowest) & (highest - lowest > 1.0))
    return [(int(j) + near_j, int(i) + near_i) for j, i in found]


def _mark(ax: Axes, at: tuple[float, float], letter: str, value: str, colour: str) -> None:
    how: dict[str, Any] = {
        "ha": "center", "color": colour, "weight": "bold", "zorder": 5, "path_effects": style.HALO,
    }  # fmt: skip
    ax.annotate(letter, at, (0, -1), textcoords="offset points", va="bottom", fontsize=14, **how)
    ax.annotate(value, at, (0, -1), textcoords="offset points", va="top", fontsize=7, **how)


def _barbs(ax: Axes, plan: panels.Plan, frame: xr.Dataset, u: Any, v: Any) -> None:
    skip = max(1, round(max(len(plan.x), len(plan.y)) / 20))
    few = (slice(skip // 2, None, skip), slice(skip // 2, None, skip))
    ax.barbs(
        plan.x[few[1]], plan.y[few[0]], u[few] * _KNOTS, v[few] * _KNOTS, length=4.5, linewidth=0.45,
        sizes={"emptybarb": 0.05}, color=style.INK, flip_barb=frame["XLAT"].values[few] < 0, zorder=3.5,
    )  # fmt: skip


def _every(values: Any, step: float) -> Any:
    """Multiples of a step over all values."""
    return np.arange(np.floor(np.nanmin(values) / step), np.ceil(np.nanmax(values) / step) + 1) * step


def upper_air(ax: Axes, plan: panels.Plan, history: xr.Dataset, index: int) -> None:
    """Height of 500 hPa over the absolute vorticity there, cyclonic upwards, and the wind."""
    frame = history.isel(Time=index)
    height = weather.on_pressure(frame, weather.layer_height(frame), 5e4).values / 10
    u, v = (weather.on_pressure(frame, air.centred(frame[name]), 5e4).values for name in ("U", "V"))
    coriolis = 2 * EARTH_ROTATION * np.sin(np.radians(frame["XLAT"].values))
    absolute = np.sign(coriolis) * (weather.curl(frame, u, v) + coriolis) * 1e5
    filled = panels.fill_plan(ax, plan, _smooth(frame, absolute), style.VORTICITY)
    smooth = _smooth(frame, height)
    panels.line_plan(ax, plan, smooth, _every(smooth, 6.0), linewidths=0.9, zorder=3)
    _barbs(ax, plan, frame, u, v)
    bar(ax, filled, "absolute vorticity, cyclonic (10$^{-5}$ s$^{-1}$)")
    ax.set_title("500 hPa height (dam), vorticity, wind (kt)", loc="left")


def precipitation(ax: Axes, plan: panels.Plan, history: xr.Dataset, index: int) -> None:
    """Precipitation since the start in colour, its rate over the last interval in lines."""
    total = weather.precipitation(history.isel(Time=index)).values
    filled = panels.fill_plan(ax, plan, total, style.PRECIPITATION)
    title = f"Precipitation since the start (at most {total.max():.3g} mm)"
    if index > 0:
        rate, hours = rate_at(history, index)
        levels = [level for level in (0.5, 2.0, 8.0) if level < rate.max()]
        if levels:
            lines = ax.contour(
                plan.x, plan.y, rate, levels, colors="#7a0177", linewidths=[0.6, 1.0, 1.4], zorder=3
            )
            ax.clabel(lines, fontsize=6, fmt="%g")
        title += f"; lines: mm h$^{{-1}}$ over {choice.in_words(hours * 3600)}"
    bar(ax, filled, "precipitation (mm)", ticks=style.PRECIPITATION.levels)
    ax.set_title(title, loc="left", fontsize=9)


def rate_at(history: xr.Dataset, index: int) -> tuple[Any, float]:
    """Precipitation rate [mm h-1] over the interval that ends with a frame, and its length [h]."""
    before, after = (weather.precipitation(history.isel(Time=i)).values for i in (index - 1, index))
    elapsed = history["elapsed"].values
    hours = float(elapsed[index] - elapsed[index - 1]) / 3600
    return (after - before) / hours, hours


def temperature(ax: Axes, plan: panels.Plan, history: xr.Dataset, index: int) -> None:
    """Temperature at 2 m, or of the lowest layer where the history has no T2, and the line of 0 °C."""
    frame = history.isel(Time=index)
    at_2m = "T2" in frame
    kelvin = air.centred(frame["T2"]) if at_2m else air.temperature(frame).isel({air.LEVEL: 0})
    celsius = kelvin.values - 273.15
    filled = panels.fill_plan(ax, plan, celsius, style.celsius(celsius))
    if celsius.min() < 0 < celsius.max():
        ax.contour(plan.x, plan.y, celsius, [0.0], colors=style.INK, linewidths=1.1, zorder=3)
    height = (air.height(frame).isel({air.LEVEL: 0}) - air.surface_height(frame)).values.mean()
    where = "at 2 m" if at_2m else f"of the lowest layer, {height:.0f} m"
    bar(ax, filled, "temperature (°C)")
    ax.set_title(f"Temperature {where}; line: 0 °C", loc="left")


def _show_section(ax: Axes, plan: panels.Plan, across: str, index: int) -> None:
    """Draws the line of a section on a map."""
    if across == "west_east":
        ends = [(plan.x[index], plan.y[0]), (plan.x[index], plan.y[-1])]
    else:
        ends = [(plan.x[0], plan.y[index]), (plan.x[-1], plan.y[index])]
    ax.plot(*zip(*ends, strict=True), color="#01665e", linewidth=1.6, linestyle=(0, (5, 2)), zorder=3.2)


def _row_of_interest(frame: xr.Dataset) -> int:
    """The row through the heaviest precipitation, or without any through the middle."""
    rows = frame.sizes["south_north"]
    if "RAINNC" not in frame:
        return rows // 2
    total = _smooth(frame, weather.precipitation(frame).values)[rows // 6 : -rows // 6].max(1)
    return rows // 6 + int(total.argmax()) if total.max() > 1.0 else rows // 2


def section(ax: Axes, frame: xr.Dataset, across: str, index: int) -> None:
    """Wind speed, theta and cloud over the ground."""
    cut = panels.Section.of(frame, across, index)
    speed = _cut(derive.field(frame, "wind_speed"), across, index)
    filled = panels.fill_section(ax, cut, speed, style.JET)
    theta = _cut(derive.field(frame, "theta"), across, index)
    lines = panels.line_section(ax, cut, theta, np.arange(200, 500, 4.0), linewidths=0.4)
    ax.clabel(lines, np.arange(200, 500, 20.0), fontsize=6, fmt="%g")
    title = "Wind speed, $\\theta$ every 4 K"
    cloud = _cloud(frame)
    if cloud is not None:
        panels.line_section(
            ax, cut, _cut(cloud, across, index) * 1000, [0.01], colors="#08519c", linewidths=1.4
        )
        title += ", cloud (blue: 0.01 g kg$^{-1}$)"
    ax.set_ylim(top=min(16.0, cut.z.max()))
    ax.figure.colorbar(filled, ax=ax, label="wind speed (m s$^{-1}$)", pad=0.01)
    ax.set_title(f"{title}; along the broken line of the first map", loc="left")


def _cut(array: xr.DataArray, across: str, index: int) -> Any:
    return panels.with_surface(array.isel({across: index}).values)


def _cloud(frame: xr.Dataset) -> xr.DataArray | None:
    """Cloud water and ice [kg kg-1]; None: the history has neither."""
    species = [air.centred(frame[name]) for name in ("QCLOUD", "QICE") if name in frame]
    return sum(species[1:], species[0]) if species else None
