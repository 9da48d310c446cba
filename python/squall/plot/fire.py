"""Pictures of a fire: the ground that has burnt, and the air over it, from above."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from squall import diagnose
from squall.geo.projection import Float
from squall.plot import field, panels, style

_HEIGHT = 100.0
_BURNT = "#7f2704"


def from_above(history: xr.Dataset, frames: list[xr.Dataset]) -> Figure:
    """w at 100 m in colour, and what has burnt by then, on the fire's own cells."""
    plan = panels.plan(history)
    width = 3.1
    figure = style.figure(width * len(frames) + 1.3, width * panels.aspect(plan) + 0.6)
    axes = figure.subplots(1, len(frames), sharex=True, sharey=True, squeeze=False)[0]
    aloft = [diagnose.field(f, "W", diagnose.Surface("height_above_ground", _HEIGHT)).values for f in frames]
    scale = style.scale_for_most(np.array(aloft), 1.0)
    x, y = (_positions(history, dim) for dim in ("west_east", "south_north"))
    for ax, frame, w in zip(axes, frames, aloft, strict=True):
        filled = panels.fill_plan(ax, plan, w, scale)
        burnt = frame["FIRE_AREA"].values
        if burnt.max() > 0.5:
            ax.contourf(x, y, burnt, [0.5, 1.5], colors=_BURNT, alpha=0.6)
        ax.set_title(field.model_time(frame), loc="left")
    field.colour_bar(figure, filled, list(axes), "w at 100 m (m s$^{-1}$); brown: burnt", scale, aspect=40)
    return figure


def _positions(history: xr.Dataset, dim: str) -> Float:
    """Of the fire's cells along a dimension, in the units of a plan's axes, which are middles of cells."""
    middles = panels.distance(history, dim)
    ratio = history.sizes[f"{dim}_subgrid"] // history.sizes[dim]
    cells = (np.arange(history.sizes[f"{dim}_subgrid"]) + 0.5) / ratio - 0.5
    along: Float = middles[0] + cells * (middles[1] - middles[0])
    return along
