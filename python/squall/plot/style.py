"""Colours and levels. All colour maps are distinguishable with colour-blindness."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import BoundaryNorm, Colormap, LinearSegmentedColormap, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.rcsetup import cycler
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from squall.errors import UserError
from squall.geo.projection import Float

TERRAIN = "#6b625a"
INK = "#222222"
SERIES = ("#28666e", "#c8553d", "#8a6fae", "#b08d3c", "#5b8db8")  # of lines and bars, in this order
HALO: list[AbstractPathEffect] = [
    withStroke(linewidth=2.0, foreground="white")
]  # around what is written over lines

# How the field's own people write the units and names of what is drawn.
_SHOWN_UNITS = {"Pa": ("hPa", 0.01), "K m2 kg-1 s-1": ("PVU", 1e6)}
_EXPONENT = re.compile(r"(?<=[A-Za-z])(-?\d+)")


@contextmanager
def applied() -> Iterator[None]:
    """Applies the style to figures made inside the block. Matplotlib's settings are restored at its end."""
    with matplotlib.rc_context():
        matplotlib.rcParams.update(
            {
                "font.size": 9, "axes.titlesize": 10, "axes.edgecolor": INK, "axes.linewidth": 0.6,
                "xtick.major.width": 0.6, "ytick.major.width": 0.6, "savefig.dpi": 160,
                "legend.frameon": False, "legend.fontsize": 8,
                "axes.prop_cycle": cycler(color=SERIES), "lines.linewidth": 1.3, "lines.markersize": 4,
            }
        )  # fmt: skip
        yield


def plain(ax: Axes, grid: Literal["x", "y", "both"] = "y") -> None:
    """Axes of a chart of numbers: without a frame, with faint lines across."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis=grid, color="#d9d9d9", linewidth=0.5)
    ax.set_axisbelow(True)


def logarithmic(axis: Axis, subs: tuple[int, ...] = (1, 2, 5)) -> None:
    """Of a logarithmic axis: plain numbers at `subs` of each power of ten."""
    axis.set_major_locator(LogLocator(subs=subs))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_locator(NullLocator())


def figure(width: float, height: float) -> Figure:
    """An empty figure of a size in inches. It belongs to no window and no list of figures."""
    return Figure(figsize=(width, height), dpi=100, layout="constrained")


def canvas(ax: Axes | None, width: float, height: float) -> tuple[Figure, Axes]:
    """The caller's axes and their figure, or axes of their own in an empty figure."""
    if ax is not None:
        theirs = ax.get_figure(root=True)
        assert theirs is not None
        return theirs, ax
    own = figure(width, height)
    return own, own.subplots()


@dataclass(frozen=True)
class Scale:
    """Colour map and filled levels of a field."""

    cmap: str | Colormap
    levels: Float
    extend: Literal["neither", "both", "max"] = "neither"

    @property
    def norm(self) -> BoundaryNorm:
        """One colour a band, also where bands are of unequal width."""
        return BoundaryNorm(
            self.levels.tolist(), matplotlib.colormaps.get_cmap(self.cmap).N, extend=self.extend
        )

    @property
    def ticks(self) -> Float | None:
        """Every other level, the same on either side of zero; None: matplotlib's choice."""
        positive, mirrored = self.levels[self.levels > 0], -self.levels[self.levels < 0][::-1]
        if positive.shape != mirrored.shape or not np.allclose(positive, mirrored, rtol=1e-6):
            return None  # (steps of 0.1 are not the same to the last bit on either side)
        return np.concatenate([-positive[1::2][::-1], positive[1::2]])

    def within(self, values: Float) -> Float:
        """The values, those beyond the levels on the outermost: a one-sided scale leaves out traces of
        the other sign, which would be drawn as holes."""
        return np.clip(values, self.levels[0], self.levels[-1]) if self.extend == "neither" else values

    def colour(self, band: int) -> tuple[float, float, float]:
        """Red, green and blue of the band above a level."""
        middle = 0.5 * (self.levels[band] + self.levels[band + 1])
        red, green, blue, _ = matplotlib.colormaps.get_cmap(self.cmap)(int(self.norm(middle)))
        return float(red), float(green), float(blue)


def _from_white(cmap: str, count: int, first: float = 0.12) -> ListedColormap:
    """So many colours of a map, from nearly white on."""
    return ListedColormap(matplotlib.colormaps[cmap](np.linspace(first, 1.0, count)))


# The scales of weather charts. Values below the first level are left white. What is not the same quantity
# has not the same colours: wind is violet, vorticity brown, precipitation green to blue, land olive to sand.
PRECIPITATION = Scale(_from_white("YlGnBu", 11), np.array([0.2, 0.5, 1, 2, 5, 10, 15, 20, 30, 50, 75]), "max")
RATE = Scale(_from_white("YlGnBu", 8), np.array([0.1, 0.25, 0.5, 1, 2, 4, 8, 16]), "max")
WIND = Scale(_from_white("BuPu", 9), np.array([5, 7.5, 10, 12.5, 15, 17.5, 20, 25, 30]), "max")
ECHO = Scale(_from_white("YlGnBu", 13), np.arange(5.0, 70.0, 5.0), "max")
JET = Scale(_from_white("BuPu", 9), np.array([10, 15, 20, 25, 30, 40, 50, 60, 70]), "max")
VORTICITY = Scale(_from_white("YlOrBr", 9), np.array([12, 14, 16, 18, 20, 24, 28, 32, 40]), "max")
GROUND = ListedColormap(1 - 0.7 * (1 - matplotlib.colormaps["gist_earth"](np.linspace(0.48, 0.97, 256))))
_OF_FIELD = {
    **dict.fromkeys(("precipitation", "rain", "snow", "graupel"), PRECIPITATION),
    "precipitation_rate": RATE,
    **dict.fromkeys(("REFL_10CM", "REFD_COM", "reflectivity_1km", "reflectivity_minus10"), ECHO),
}

_COLD, _WARM = "Blues_r", "YlOrRd"


def celsius(values: Float) -> Scale:
    """Of temperature [°C]: shades of blue below 0, of yellow to red above it, in steps of 2, 4 or 5, so
    that there are ten at most on either side and each can be told from the next."""
    least, most = _range([values])
    largest = max(abs(least), abs(most), 1.0)
    step = next((step for step in (2.0, 4.0, 5.0) if largest <= 10 * step), 10.0)
    top = int(np.ceil(largest / step))
    levels = np.arange(-top, top + 1, dtype=float) * step
    cold = matplotlib.colormaps[_COLD](np.linspace(0.0, 0.85, top))
    warm = matplotlib.colormaps[_WARM](np.linspace(0.05, 1.0, top))
    low = int(np.searchsorted(levels, least, side="right")) - 1
    high = int(np.searchsorted(levels, most, side="left"))
    kept = slice(max(low, 0), max(high, low + 1))
    return Scale(ListedColormap(np.concatenate([cold, warm])[kept]), levels[kept.start : kept.stop + 1])


def shown(units: str) -> tuple[str, float]:
    """The unit to show for an SI unit, and the factor to it."""
    return _SHOWN_UNITS.get(units, (_EXPONENT.sub(r"$^{\1}$", units), 1.0))


def scale(name: str, *arrays: Float, bins: int = 16) -> Scale:
    """The scale that fits all arrays: diverging about zero for values of both signs, one-sided for
    perturbations of one sign, else sequential."""
    if name in _OF_FIELD:
        return _OF_FIELD[name]
    low, high = _range(arrays)
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


def amounts(name: str, *arrays: Float, bins: int = 16) -> Scale:
    """The scale of a tracer on the globe: white where there is next to nothing of it, if there is such
    air and none with less; else as `scale` has it."""
    low, high = _range(arrays)
    if low == high == 0.0:
        return Scale(ListedColormap(["white"]), np.array([0.0, 1.0]))
    if name in _OF_FIELD or not -1e-3 * high <= low < 0.05 * high:
        return scale(name, *arrays, bins=bins)
    levels = _levels(0.0, high, bins)
    coloured = matplotlib.colormaps["YlGnBu"](np.linspace(0.12, 1.0, len(levels) - 2))
    return Scale(ListedColormap(np.concatenate([np.ones((1, 4)), coloured])), levels)


def fit(on_globe: bool) -> Callable[..., Scale]:
    """What makes the scales of a run: of a name and its values."""
    return amounts if on_globe else scale


def asked(scale: Scale, limits: str | None, colours: str | None) -> Scale:
    """A scale with the limits ("LOW,HIGH" or "LOW,HIGH,STEP") and the colour map that the user asks for."""
    if colours is not None:
        if colours not in matplotlib.colormaps:
            raise UserError(
                f"--colours {colours}: Matplotlib has no such colour map. Examples are viridis, RdBu_r "
                f"and YlGnBu."
            )
        scale = replace(scale, cmap=colours)
    if limits is not None:
        scale = replace(scale, levels=_within(limits), extend="both")
    if limits is not None or colours is not None:
        scale = replace(scale, cmap=_enough(scale.cmap, len(scale.levels) + 1))
    return scale


MOST_BANDS = 200  # of colour; a map of Matplotlib has 256 colours


def _within(limits: str) -> Float:
    """The levels of "LOW,HIGH" or "LOW,HIGH,STEP". Raises UserError for what is none, or has too many."""
    try:
        low, high, *step = (float(part) for part in limits.split(","))
    except ValueError:
        low, high, step = 0.0, 0.0, []
    finite = bool(np.isfinite([low, high, high - low, *step]).all())
    if not finite or not low < high or len(step) > 1 or (step and not 0 < step[0] <= high - low):
        raise UserError(f"--range {limits}: expected LOW,HIGH or LOW,HIGH,STEP, such as 0,40 or -10,10,2.5.")
    if step and (high - low) / step[0] > MOST_BANDS:
        raise UserError(
            f"--range {limits}: more than {MOST_BANDS} bands of colour cannot be told apart; choose a STEP "
            f"such as {(high - low) / 20:.2g}, or leave it out."
        )
    count = round((high - low) / step[0]) if step else 0
    levels: Float = low + np.arange(count + 1, dtype=float) * step[0] if step else _levels(low, high, 16)
    levels = levels[(levels >= low) & (levels <= high + 1e-9 * (high - low))]
    if len(levels) < 2:  # no round number lies between them
        levels = np.array([low, high])
    if not (np.diff(levels) > 0).all():
        raise UserError(
            f"--range {limits}: LOW and HIGH are too close to each other for numbers of this size."
        )
    return levels


def _enough(cmap: str | Colormap, bands: int) -> str | Colormap:
    """A map of so many colours at least: those of weather charts have one for each of their own levels."""
    found = matplotlib.colormaps.get_cmap(cmap)
    if bands <= found.N:
        return cmap
    return LinearSegmentedColormap.from_list(found.name, found(np.linspace(0, 1, found.N)))


def scale_for_most(array: Float, share: float, bins: int = 16) -> Scale:
    """A scale about zero that holds a share of the values of either sign; the rest is beyond it."""
    return Scale("RdBu_r", _about_zero(float(np.nanquantile(np.abs(array), share)), bins), "both")


def _about_zero(largest: float, bins: int) -> Float:
    """Levels either side of zero, which lies in the middle of a band of its own: what is nearly zero
    has one colour."""
    levels = _levels(-largest, largest, bins)
    return levels[np.abs(levels) > 1e-6 * largest]


def _levels(low: float, high: float, bins: int) -> Float:
    if _is_uniform(low, high):  # one colour, with limits of the size of the value
        width = 10.0 ** np.floor(np.log10(abs(low)) - 1) if low else 1.0
        return np.array([low - width, high + width])
    return np.asarray(MaxNLocator(bins, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high), float)


def _is_uniform(low: float, high: float) -> bool:
    return high - low <= 1e-6 * max(abs(low), abs(high), 1e-30)


def _range(arrays: Sequence[Float]) -> tuple[float, float]:
    """The least and the greatest number of all arrays; 0 and 0 where there is none."""
    finite = [array[np.isfinite(array)] for array in map(np.asarray, arrays)]
    found = [(float(values.min()), float(values.max())) for values in finite if values.size]
    return (min(low for low, _ in found), max(high for _, high in found)) if found else (0.0, 0.0)


def bands(*arrays: Float, bins: int = 10) -> Float:
    """Round limits of colours over all arrays, two at least."""
    return _levels(*_range(arrays), bins)


def contour_levels(*arrays: Float, bins: int = 10) -> Float:
    """Round values for contour lines over all arrays; none through a uniform field."""
    low, high = _range(arrays)
    return np.array([]) if _is_uniform(low, high) else _levels(low, high, bins)


def every(levels: Float, unit: str) -> str:
    """What a title says of contour lines."""
    return f"every {levels[1] - levels[0]:g} {unit}" if len(levels) > 1 else "is uniform"
