"""Weather charts of a run with a map projection: surface, 500 hPa, precipitation, temperature, a section."""

from collections.abc import Callable

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from squall import diagnose
from squall.diagnose import air, centred, spacing, vorticity
from squall.diagnose import surface as ground
from squall.diagnose.columns import LEVEL
from squall.diagnose.constants import FREEZING
from squall.diagnose.precipitation import precipitation as precipitation_amount
from squall.errors import UserError
from squall.geo.projection import Float
from squall.plot import about, choice, extremes, nests, panels, style, times, track
from squall.plot.choice import Choice

FOR_PRESSURE = ("T", "P", "PB", "PH", "PHB", "PSFC")
_SMALLEST = 60.0  # standard deviation of the Gaussian smoothing of charts [km]
_HIGH_GROUND = 1500.0  # terrain height above which reduction to sea level creates spurious highs and lows [m]

Chart = Callable[[Axes, panels.Plan, xr.Dataset, int], None]


def require(history: xr.Dataset, *names: str) -> None:
    """Raises UserError if the history lacks variables of a chart."""
    lacking = [name for name in names if name not in history]
    if lacking:
        raise UserError(
            f"Weather charts need {', '.join(lacking)}, which this history does not contain: add them to "
            f"the fields of the stream, or draw one field with --field."
        )


def forecast(history: xr.Dataset, chosen: Choice) -> Figure:
    """Four charts and a section of one time."""
    require(history, *FOR_PRESSURE, "U", "V", "RAINNC")
    index = choice.time_index(history, chosen.time)
    frame, plan = history.isel(Time=index), panels.plan(history.isel(Time=index))
    width, height = size_of_map(plan)
    figure = style.figure(2 * width + 0.6, 2 * height + 4.4)
    grid = figure.add_gridspec(3, 2, height_ratios=[height, height, 3.2])
    charts: list[Chart] = [surface, upper_air, precipitation, temperature]
    for number, chart in enumerate(charts):
        ax = figure.add_subplot(grid[number // 2, number % 2])
        try:
            chart(ax, plan, history, index)
        except UserError as error:  # the others can be drawn
            plan.dress(ax)
            ax.set_title(str(error), loc="left", fontsize=8, wrap=True)
        nests.outline_all(ax, plan, frame)
    along = track.parse(frame, chosen.section or f"y={_row_of_interest(frame)}")
    section(figure.add_subplot(grid[2, :]), frame, along)
    panels.show_track(figure.axes[0], plan, along)
    head(figure, frame, chosen.title)
    return figure


def head(figure: Figure, frame: xr.Dataset, title: str | None = None) -> None:
    """Adds the time as a heading, and the description of the run in small print below."""
    figure.suptitle(title or times.headline(frame), fontsize=12)
    figure.supxlabel(about.line(frame), fontsize=7.5, color="#555555", x=0.01, ha="left")


def size_of_map(plan: panels.Plan) -> tuple[float, float]:
    """Width and height of one map with its title and colour bar, inches."""
    aspect = panels.aspect(plan)
    width = 5.4 if aspect < 1 else 5.4 / aspect**0.5
    return width, 0.9 * width * aspect + 0.9


def smooth(frame: xr.Dataset, values: Float) -> Float:
    """Smooths values (south_north, west_east) to the scale of charts. Missing values stay missing and carry
    no weight."""
    cells = max(_SMALLEST / (spacing.drawn(frame, "west_east") / 1000), 0.5)
    there = np.isfinite(values)
    if there.all():
        return np.asarray(gaussian_filter(values, cells, mode="nearest"))
    weight = gaussian_filter(there.astype(float), cells, mode="nearest")
    total = gaussian_filter(np.where(there, values, 0.0), cells, mode="nearest")
    return np.where(there, total / np.where(there, weight, 1.0), np.nan)


def bar(ax: Axes, filled: QuadContourSet, label: str, ticks: Float | None = None) -> None:
    """A colour bar below a map."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    drawn = figure.colorbar(
        filled, ax=ax, label=label, orientation="horizontal", aspect=45, pad=0.02, format="%g", ticks=ticks
    )
    drawn.outline.set_linewidth(0.6)
    drawn.ax.tick_params(labelsize=7, length=2)


def surface(ax: Axes, plan: panels.Plan, history: xr.Dataset, index: int) -> None:
    """Sea-level pressure with highs and lows, and the 10 m wind: barbs over speed in colour."""
    frame = history.isel(Time=index)
    u, v = (component.values for component in ground.wind_10m(frame))
    filled = panels.fill_plan(ax, plan, np.hypot(u, v), style.WIND)
    isobars(ax, plan, frame)
    panels.barbs(ax, plan, frame, u, v)
    source = "" if "U10" in frame else " (from a logarithmic profile)"
    bar(ax, filled, f"wind speed at 10 m{source} (m s$^{{-1}}$)")
    ax.set_title(f"Sea-level pressure (hPa), wind at 10 m ({_BARBS})", loc="left")


_BARBS = f"full barb: {panels.FULL_BARB:g} m s$^{{-1}}$"


def isobars(ax: Axes, plan: panels.Plan, frame: xr.Dataset) -> None:
    """Sea-level pressure every 4 hPa, with highs and lows except over high ground."""
    pressure = smooth(frame, ground.sea_level_pressure(frame).values / 100)
    high = air.surface_height(frame).values > _HIGH_GROUND
    _contours(ax, plan, pressure, 4.0, high)


def _contours(
    ax: Axes, plan: panels.Plan, values: Float, interval: float, doubtful: NDArray[np.bool_] | None = None
) -> None:
    """Draws contours, and marks the highs and lows that they enclose with a letter and the value."""
    if not np.isfinite(values).any():
        return
    panels.line_plan(ax, plan, values, _every(values, interval), widths=0.9)
    cell = float((plan.x[1] - plan.x[0]) * (plan.y[1] - plan.y[0]))
    width = max(float(plan.x[-1] - plan.x[0]), float(plan.y[-1] - plan.y[0]))
    smallest = np.pi / 4 * min(0.09 * width, 4 * _SMALLEST) ** 2 / cell
    for found in extremes.find(values, interval, smallest, doubtful):
        _mark(ax, (float(plan.x[found.i]), float(plan.y[found.j])), found)


def _mark(ax: Axes, at: tuple[float, float], found: extremes.Extreme) -> None:
    colour = {"H": "#0b4f9e", "L": "#b2182b"}[found.letter]
    for text, vertical, size in ((found.letter, "bottom", 14), (f"{found.value:.0f}", "top", 7)):
        ax.annotate(
            text, at, (0, -1), textcoords="offset points", va=vertical, ha="center", fontsize=size,
            color=colour, weight="bold", zorder=5, path_effects=style.HALO,
        )  # fmt: skip


def _every(values: Float, step: float) -> Float:
    """Multiples of a step over all values."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return np.array([])
    return np.arange(np.floor(finite.min() / step), np.ceil(finite.max() / step) + 1) * step


def upper_air(ax: Axes, plan: panels.Plan, history: xr.Dataset, index: int) -> None:
    """500 hPa chart: height, absolute vorticity (cyclonic positive) in colour, and wind."""
    frame = history.isel(Time=index)
    if not _reaches(frame, 5e4):
        raise UserError(f"No 500 hPa: {_extent(frame)}.")
    surface = diagnose.Surface("pressure", 5e4)
    height = diagnose.field(frame, "height", surface).values / 10
    u, v = (diagnose.field(frame, name, surface).values for name in ("U", "V"))
    cyclonic = np.sign(vorticity.coriolis(frame).values)
    absolute = cyclonic * diagnose.field(frame, "absolute_vorticity", surface).values * 1e5
    filled = panels.fill_plan(ax, plan, smooth(frame, absolute), style.VORTICITY)
    _contours(ax, plan, smooth(frame, height), 6.0)
    panels.barbs(ax, plan, frame, u, v)
    bar(ax, filled, "absolute vorticity, cyclonic positive (10$^{-5}$ s$^{-1}$)")
    ax.set_title(f"500 hPa: height (dam), vorticity, wind ({_BARBS})", loc="left")


def _reaches(frame: xr.Dataset, pressure: float) -> bool:
    """Whether a pressure [Pa] lies between the layers anywhere."""
    on_layers = air.pressure(frame).values
    return bool(on_layers.shape[0] > 1 and on_layers.min() <= pressure <= on_layers.max())


def _extent(frame: xr.Dataset) -> str:
    on_layers = air.pressure(frame).values / 100
    if on_layers.shape[0] < 2:
        return "this history has only one layer"
    return f"the layers lie between {on_layers.max():.0f} and {on_layers.min():.0f} hPa"


def precipitation(ax: Axes, plan: panels.Plan, history: xr.Dataset, index: int) -> None:
    """Precipitation since the start in colour, and its rate over the last interval as contours."""
    total = precipitation_amount(history.isel(Time=index)).values
    filled = panels.fill_plan(ax, plan, total, style.PRECIPITATION)
    title = f"Precipitation since the start (max. {total.max():.3g} mm)"
    if index > 0:
        rate, hours = rate_at(history, index)
        levels = [level for level in (0.5, 2.0, 8.0) if level < rate.max()]
        if levels:
            widths = [0.6, 1.0, 1.4][: len(levels)]
            panels.line_plan(ax, plan, rate, np.array(levels), "#7a0177", widths, every=1)
        title += f"; lines: mm h$^{{-1}}$ over {times.in_words(hours * 3600)}"
    bar(ax, filled, "precipitation (mm)", ticks=style.PRECIPITATION.levels)
    ax.set_title(title, loc="left", fontsize=9)


def rate_at(history: xr.Dataset, index: int) -> tuple[Float, float]:
    """Precipitation rate [mm h-1] over the interval that ends with a frame, and its length [h]."""
    rate = diagnose.field(history.isel(Time=slice(index - 1, index + 1)), "precipitation_rate")
    elapsed = history["elapsed"].values
    return rate.isel(Time=-1).values, float(elapsed[index] - elapsed[index - 1]) / 3600


def temperature(ax: Axes, plan: panels.Plan, history: xr.Dataset, index: int) -> None:
    """Temperature at 2 m, or of the lowest layer if the history has no T2, with the 0 °C contour."""
    frame = history.isel(Time=index)
    at_2m = "T2" in frame
    kelvin = centred(frame["T2"]) if at_2m else air.temperature(frame).isel({LEVEL: 0})
    height = (air.height(frame).isel({LEVEL: 0}) - air.surface_height(frame)).values.mean()
    where = "at 2 m" if at_2m else f"of the lowest layer, {height:.0f} m"
    celsius(ax, plan, kelvin.values - FREEZING, "temperature (°C)")
    ax.set_title(f"Temperature {where}; line: 0 °C", loc="left")


def celsius(ax: Axes, plan: panels.Plan, values: Float, label: str) -> None:
    """Temperature in colour, with the 0 °C contour. Raises UserError if all values are missing."""
    if not np.isfinite(values).any():
        raise UserError("The temperature has no values at this time.")
    filled = panels.fill_plan(ax, plan, values, style.celsius(values))
    if np.nanmin(values) < 0 < np.nanmax(values):
        ax.contour(plan.x, plan.y, values, [0.0], colors=style.INK, linewidths=1.1, zorder=3)
    bar(ax, filled, label)


def _row_of_interest(frame: xr.Dataset) -> int:
    """The row through the heaviest precipitation; without precipitation, the middle row."""
    rows = frame.sizes["south_north"]
    if "RAINNC" not in frame:
        return rows // 2
    total = smooth(frame, precipitation_amount(frame).values)[rows // 6 : -rows // 6].max(1)
    return rows // 6 + int(total.argmax()) if total.max() > 1.0 else rows // 2


def section(ax: Axes, frame: xr.Dataset, along: track.Track) -> None:
    """Vertical section of wind speed, theta and cloud from A to B."""
    cut = panels.Section.of(frame, along)
    filled = panels.fill_section(ax, cut, cut.cut(diagnose.field(frame, "wind_speed")), style.JET)
    theta = cut.cut(diagnose.field(frame, "theta"))
    lines = panels.line_section(ax, cut, theta, np.arange(200, 500, 4.0), width=0.4)
    ax.clabel(lines, np.arange(200, 500, 20.0), fontsize=6, fmt="%g")
    title = "Wind speed, $\\theta$ every 4 K"
    cloud = _cloud(frame)
    if cloud is not None:
        panels.line_section(ax, cut, cut.cut(cloud) * 1000, [0.01], "#08519c", 1.4)
        title += ", cloud (blue: 0.01 g kg$^{-1}$)"
    ax.set_ylim(top=min(16.0, float(cut.z.max())))
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.colorbar(filled, ax=ax, label="wind speed (m s$^{-1}$)", pad=0.01)
    ax.set_title(f"{title}; from A to B of the first map", loc="left")


def _cloud(frame: xr.Dataset) -> xr.DataArray | None:
    """Cloud water plus ice [kg kg-1]; None if the history has neither."""
    species = [centred(frame[name]) for name in ("QCLOUD", "QICE") if name in frame]
    return sum(species[1:], species[0]) if species else None
