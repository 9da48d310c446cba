"""Colour scales of views: those of `squall plot`, fitted to frames of the whole run."""

from collections.abc import Callable
from typing import Any

import matplotlib
import numpy as np
from matplotlib.colors import to_hex
from numpy.typing import NDArray

from squall.errors import UserError
from squall.geo import globe
from squall.geo.projection import Float
from squall.plot import style
from squall.watch import view as views
from squall.watch.run import Run
from squall.watch.view import View

Fit = Callable[..., style.Scale]

SAMPLES = 4  # frames to which colours are fit
CHOICES = ("viridis", "cividis", "magma", "YlGnBu", "BuPu", "YlOrBr", "RdBu_r", "RdYlBu_r", "PuOr_r", "BrBG")


def sampled(elapsed: Float) -> list[float]:
    """Times of frames that stand for the whole run."""
    last = len(elapsed) - 1
    return [float(elapsed[k]) for k in sorted({round(last * n / (SAMPLES - 1)) for n in range(SAMPLES)})]


def scale(
    view: View, unit: str, arrays: list[NDArray[Any]], limits: str, cmap: str, fit: Fit = style.scale
) -> dict[str, Any]:
    """Levels and colours, as JSON; `fit`: of a name and its values. Raises UserError for limits and maps that
    are none."""
    there = [array for array in arrays if np.isfinite(array).any()] or [np.zeros((1, 1))]
    if cmap and cmap not in CHOICES:
        raise UserError(f"There is no colour map {cmap}.")
    chosen = style.asked(_fit(view, unit, there, fit), limits or None, cmap or None)
    return {
        "levels": chosen.levels.tolist(),
        "colours": [to_hex(chosen.colour(band)) for band in range(len(chosen.levels) - 1)],
        "under": _beyond(chosen, -1),
        "over": _beyond(chosen, 1),
        "ticks": (chosen.levels if chosen.ticks is None else chosen.ticks).tolist(),
        "lines": style.contour_levels(*there, bins=14).tolist(),
        "unit": unit,
    }


def _fit(view: View, unit: str, arrays: list[NDArray[Any]], fit: Fit) -> style.Scale:
    if view.difference:
        return style.scale_for_most(np.concatenate([array.ravel() for array in arrays]), 0.999)
    if unit == "°C":
        return style.celsius(np.concatenate([array.ravel() for array in arrays]))
    return fit(view.field, *arrays)


def _beyond(chosen: style.Scale, side: int) -> str | None:
    """The colour of values below (-1) or above (1) the levels; None: they are left out, as light rain is."""
    if side < 0 and chosen.extend == "max":
        return None
    if chosen.extend == "neither":
        return to_hex(chosen.colour(0 if side < 0 else len(chosen.levels) - 2))
    span = float(chosen.levels[-1] - chosen.levels[0])
    at = float(chosen.levels[0] - span if side < 0 else chosen.levels[-1] + span)
    return to_hex(matplotlib.colormaps.get_cmap(chosen.cmap)(int(chosen.norm(at))))


def of(runs: list[Run], view: View, arrays: list[NDArray[Any]], limits: str, cmap: str) -> dict[str, Any]:
    """The scale of a view with the unit in which it is shown."""
    origin = views.source(runs, view)
    unit, _, _ = views.unit(origin, view)
    return scale(view, unit, arrays, limits, cmap, style.fit(globe.is_globe(origin.history)))
