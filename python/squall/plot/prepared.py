"""The picture of an initial file: terrain, surface, 500 hPa, and temperature of ground and sea."""

from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from squall.diagnose import air
from squall.diagnose.columns import LEVEL
from squall.diagnose.constants import FREEZING
from squall.plot import charts, layout, panels, style
from squall.plot import nests as nests_on_plan

_SEA = "#dde8f0"


def picture(history: xr.Dataset, nests: Sequence[tuple[str, xr.Dataset]] = ()) -> Figure:
    """Of the one frame of a file in the layout of wrfinput. nests: names and frames of the initial files of
    domains that lie in it, which get a rectangle each."""
    frame = history.isel(Time=0)
    plan = panels.plan(frame)
    width, height = charts.size_of_map(plan)
    figure = style.figure(2 * width + 0.6, 2 * height + 1.0)
    axes = figure.subplots(2, 2).ravel()
    _terrain(axes[0], plan, frame)
    charts.surface(axes[1], plan, history, 0)
    charts.upper_air(axes[2], plan, history, 0)
    _ground(axes[3], plan, frame)
    for name, nest in nests:
        for ax in axes:
            nests_on_plan.outline(ax, plan, nests_on_plan.Nest.of(name, nest))
    charts.head(figure, frame)
    layout.settle(figure)
    return figure


def _terrain(ax: Axes, plan: panels.Plan, frame: xr.Dataset) -> None:
    height = air.surface_height(frame).values
    land = frame["LANDMASK"].values > 0.5 if "LANDMASK" in frame else np.ones(height.shape, bool)
    scale = style.Scale(style.GROUND, style.bands(np.maximum(height, 0.0), bins=14))
    filled = panels.fill_plan(ax, plan, height, scale)
    sea = np.ma.masked_where(land, np.ones(land.shape))
    ax.pcolormesh(plan.x, plan.y, sea, cmap=ListedColormap([_SEA]), shading="nearest", zorder=1.5)
    charts.bar(ax, filled, "terrain height (m)")
    ax.set_title("Terrain height and land mask", loc="left")


def _ground(ax: Axes, plan: panels.Plan, frame: xr.Dataset) -> None:
    if "TSK" in frame:
        kelvin, where = frame["TSK"], "of the ground and the sea"
    else:
        kelvin, where = air.temperature(frame).isel({LEVEL: 0}), "of the lowest layer"
    charts.celsius(ax, plan, kelvin.values - FREEZING, "temperature (°C)")
    ax.set_title(f"Temperature {where}; line: 0 °C", loc="left")
