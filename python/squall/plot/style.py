"""Colours and levels. Every map here can be told apart by the colour-blind."""

from dataclasses import dataclass
from typing import Any, Literal

import matplotlib
import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.ticker import MaxNLocator

matplotlib.use("Agg")

TERRAIN = "#6b625a"
INK = "#222222"
COAST = "#4d4d4d"
BORDER = "#8a8a8a"
HALO: list[AbstractPathEffect] = [
    withStroke(linewidth=2.0, foreground="white")
]  # around what is written over lines

_RC: Any = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.edgecolor": INK,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "figure.dpi": 100,
    "savefig.dpi": 160,
}

# How the field's own people write the units and names of what is drawn.
_SHOWN_UNITS = {"Pa": ("hPa", 0.01), "m s-1": ("m s$^{-1}$", 1.0), "m2 s-2": ("m$^2$ s$^{-2}$", 1.0)}


@dataclass(frozen=True)
class Scale:
    """Colour map and filled levels of a field."""

    cmap: Any
    levels: Any
    extend: Literal["neither", "both", "max"] = "neither"

    @property
    def norm(self) -> BoundaryNorm:
        """One colour a band, also where bands are of unequal width."""
        return BoundaryNorm(self.levels, matplotlib.colormaps.get_cmap(self.cmap).N, extend=self.extend)

    @property
    def ticks(self) -> Any:
        """Every other level, the same on either side of zero; None: matplotlib's choice."""
        positive = self.levels[self.levels > 0]
        if not np.array_equal(-self.levels[self.levels < 0][::-1], positive):
            return None
        return np.concatenate([-positive[1::2][::-1], positive[1::2]])

    def within(self, values: Any) -> Any:
        """The values, those beyond the levels on the outermost: a one-sided scale leaves out traces of
        the other sign, which would be drawn as holes."""
        return np.clip(values, self.levels[0], self.levels[-1]) if self.extend == "neither" else values


def _from_white(cmap: str, count: int, first: float = 0.12) -> Any:
    """So many colours of a map, from nearly white on."""
    return ListedColormap(matplotlib.colormaps[cmap](np.linspace(first, 1.0, count)))


# The scales of weather charts. Values below the first level are left white.
PRECIPITATION = Scale(_from_white("YlGnBu", 11), np.array([0.2, 0.5, 1, 2, 5, 10, 15, 20, 30, 50, 75]), "max")
RATE = Scale(_from_white("YlGnBu", 8), np.array([0.1, 0.25, 0.5, 1, 2, 4, 8, 16]), "max")
WIND = Scale(_from_white("YlOrBr", 9), np.array([5, 7.5, 10, 12.5, 15, 17.5, 20, 25, 30]), "max")
VORTICITY = Scale(_from_white("YlOrBr", 9), np.array([12, 14, 16, 18, 20, 24, 28, 32, 40]), "max")
JET = Scale(_from_white("BuPu", 9), np.array([10, 15, 20, 25, 30, 40, 50, 60, 70]), "max")


def celsius(values: Any) -> Scale:
    """Of temperature [°C]: blue below 0, red above it, a step of 2 or 4."""
    largest = float(np.abs(values).max())
    step = 2.0 if largest <= 24 else 4.0
    top = step * np.ceil(largest / step)
    levels = np.arange(-top, top + step / 2, step)
    inside = (levels >= values.min() - step) & (levels <= values.max() + step)
    shades = matplotlib.colormaps["RdYlBu_r"]((levels[inside][:-1] + step / 2 + top) / (2 * top))
    return Scale(ListedColormap(shades), levels[inside])


def figure(width: float, height: float) -> Figure:
    """An empty figure of a size in inches in this style."""
    matplotlib.rcParams.update(_RC)
    return Figure(figsize=(width, height), layout="constrained")


def shown(units: str) -> tuple[str, float]:
    """The unit to show for an SI unit, and the factor to it."""
    return _SHOWN_UNITS.get(units, (units, 1.0))


def scale(name: str, *arrays: Any, bins: int = 16) -> Scale:
    """The scale that fits all arrays: diverging about zero for values of both signs, one-sided for
    perturbations of one sign, else sequential."""
    if name == "precipitation":
        return PRECIPITATION
    low = min(float(np.nanmin(array)) for array in arrays)
    high = max(float(np.nanmax(array)) for array in arrays)
    largest = max(abs(low), abs(high))
    if name in ("temperature", "theta"):
        return Scale("RdYlBu_r", _levels(low, high, bins))
    if low < -0.05 * largest and high > 0.05 * largest:
        return Scale("RdBu_r", _about_zero(largest, bins))
    if name.endswith("_pert"):
        return (
            Scale("Blues_r", _levels(low, 0, bins)) if -low > high else Scale("Reds", _levels(0, high, bins))
        )
    return Scale("viridis", _levels(low, high, bins))


def scale_for_most(array: Any, share: float, bins: int = 16) -> Scale:
    """A scale about zero that holds a share of the values of either sign; the rest is beyond it."""
    return Scale("RdBu_r", _about_zero(float(np.nanquantile(np.abs(array), share)), bins), "both")


def _about_zero(largest: float, bins: int) -> Any:
    """Levels either side of zero, which lies in the middle of a band of its own: what is nearly zero
    has one colour."""
    levels = _levels(-largest, largest, bins)
    return levels[np.abs(levels) > 1e-6 * largest]


def _levels(low: float, high: float, bins: int) -> Any:
    if high - low <= 1e-6 * max(abs(low), abs(high), 1e-30):  # a uniform field: one colour
        width = max(abs(low) * 1e-3, 1e-6)
        low, high = low - width, high + width
    return MaxNLocator(bins, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)


def contour_levels(*arrays: Any, bins: int = 10) -> Any:
    """Round values for contour lines over all arrays."""
    return _levels(min(float(np.nanmin(a)) for a in arrays), max(float(np.nanmax(a)) for a in arrays), bins)
