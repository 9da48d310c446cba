"""The panels of a picture: plan view, vertical section, or line. Distances are in km."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet
from matplotlib.quiver import Barbs

from squall.diagnose import air, spacing
from squall.diagnose.staggering import to_centres
from squall.errors import UserError
from squall.geo import maps
from squall.geo.projection import Float
from squall.plot import style
from squall.plot.track import Track


def distance(frame: xr.Dataset, dim: str, centre: bool = False) -> Float:
    """Distance of mass points along a dimension from the domain's edge, or its centre [km]."""
    step = spacing.drawn(frame, dim)
    size = frame.sizes[dim]
    along: Float = (np.arange(size) + (0.5 - size / 2 if centre else 0.5)) * step / 1000
    return along


def axis_label(dim: str) -> str:
    return "x (km)" if dim == "west_east" else "y (km)"


class Plan(Protocol):
    """Where the points of a plan view lie: x, y are distances from the domain's western and southern
    edge [km]."""

    @property
    def x(self) -> Float: ...

    @property
    def y(self) -> Float: ...

    def dress(self, ax: Axes) -> None:
        """Sets limits, and adds what surrounds the field: axes, or a map."""


def aspect(plan: Plan) -> float:
    """Height over width."""
    return float((plan.y[-1] - plan.y[0]) / (plan.x[-1] - plan.x[0]))


@dataclass(frozen=True)
class Flat:
    """The plan view of a domain without a map projection."""

    x: Float
    y: Float

    def dress(self, ax: Axes) -> None:
        ax.set_aspect("equal")
        ax.set(xlim=(self.x[0], self.x[-1]), ylim=(self.y[0], self.y[-1]))
        ax.set(xlabel=axis_label("west_east"), ylabel=axis_label("south_north"))
        ax.label_outer()


def plan(frame: xr.Dataset) -> Plan:
    """The plan of a frame's domain: a map where it has a projection."""
    if maps.has_map(frame):
        return maps.Map.of(frame)
    return Flat(distance(frame, "west_east"), distance(frame, "south_north"))


def fill_plan(ax: Axes, plan: Plan, values: Float, scale: style.Scale) -> QuadContourSet:
    """Fills a plan view with colour; values (south_north, west_east)."""
    plan.dress(ax)
    return ax.contourf(
        plan.x,
        plan.y,
        scale.within(values),
        levels=scale.levels,
        cmap=scale.cmap,
        norm=scale.norm,
        extend=scale.extend,
    )


def line_plan(
    ax: Axes,
    plan: Plan,
    values: Float,
    levels: Float,
    colours: str = style.INK,
    widths: float | Sequence[float] = 0.7,
    every: int = 2,
) -> None:
    """Draws contour lines over a plan view, and names one in `every`."""
    if not len(levels):  # a uniform field has no contours
        return
    lines = ax.contour(plan.x, plan.y, values, levels=levels, colors=colours, linewidths=widths, zorder=3)
    for text in ax.clabel(lines, levels[::every], fontsize=6, fmt="%g"):
        text.set_path_effects(style.HALO)


FULL_BARB = 5.0  # [m s-1]; a half barb is half of it, a flag five times


def barbs(ax: Axes, plan: Plan, frame: xr.Dataset, u: Float, v: Float) -> Barbs:
    """Draws grid-relative wind [m s-1] as about twenty barbs per row: half barb 2.5 m s-1, full barb 5, flag
    25. Barbs are reversed south of the equator."""
    skip = max(1, round(max(len(plan.x), len(plan.y)) / 20))
    few = (slice(skip // 2, None, skip), slice(skip // 2, None, skip))
    southern = frame["XLAT"].values[few] < 0 if "XLAT" in frame else np.zeros(u[few].shape, bool)
    return ax.barbs(
        plan.x[few[1]], plan.y[few[0]], u[few], v[few], length=4.5, linewidth=0.45,
        barb_increments={"half": FULL_BARB / 2, "full": FULL_BARB, "flag": 5 * FULL_BARB},
        sizes={"emptybarb": 0.05}, color=style.INK, flip_barb=southern, zorder=3.5,
    )  # fmt: skip


@dataclass(frozen=True)
class Section:
    """The points of a vertical section: distances and heights (level, point) [km]; the lowest row is at the
    surface."""

    track: Track
    x: Float
    z: Float

    @classmethod
    def of(cls, frame: xr.Dataset, track: Track) -> "Section":
        """The section of one frame along a track. Raises UserError for a track of a single point."""
        if len(track.i) < 2:
            raise UserError("A section needs at least two points; the domain has one in this direction.")
        interfaces = track.sample(air.interface_height(frame).values) / 1000
        layers = to_centres(interfaces)
        z = np.vstack([interfaces[:1], layers])
        return cls(track, np.broadcast_to(track.distance, z.shape), z)

    @property
    def terrain(self) -> Float:
        ground: Float = self.z[0]
        return ground

    def cut(self, array: xr.DataArray) -> Float:
        """Layer values of a frame on this section, the lowest repeated at the surface."""
        return with_surface(self.track.sample(array.values))


def with_surface(values: Float) -> Float:
    """Layer values with the lowest repeated at the surface, as `Section` has its rows."""
    return np.vstack([values[:1], values])


def fill_section(ax: Axes, section: Section, values: Float, scale: style.Scale) -> QuadContourSet:
    """Fills a vertical section with colour; values (level, point) as of Section.cut."""
    ax.set(xlabel=section.track.label, ylabel="height (km)")
    ax.set(xlim=(section.x.min(), section.x.max()), ylim=(min(0.0, section.terrain.min()), section.z.max()))
    filled = ax.contourf(
        section.x,
        section.z,
        scale.within(values),
        levels=scale.levels,
        cmap=scale.cmap,
        norm=scale.norm,
        extend=scale.extend,
    )
    if section.terrain.max() > section.terrain.min():
        ax.fill_between(section.x[0], section.terrain, ax.get_ylim()[0], color=style.TERRAIN, linewidth=0)
    _name_ends(ax, section.track)
    return filled


def _name_ends(ax: Axes, track: Track) -> None:
    """Latitude and longitude of the ends, below them."""
    if track.end_names is None:
        return
    for name, x, side in zip(track.end_names, (0.0, 1.0), ("left", "right"), strict=True):
        ax.annotate(
            name, (x, 0), (0, -24), xycoords="axes fraction", textcoords="offset points", ha=side,
            va="center", fontsize=8, weight="bold",
        )  # fmt: skip


def line_section(
    ax: Axes,
    section: Section,
    values: Float,
    levels: Float | Sequence[float],
    colours: str = style.INK,
    width: float = 0.7,
    solid: bool = False,
) -> QuadContourSet:
    """Draws contour lines over a vertical section. solid: below zero too."""
    return ax.contour(
        section.x, section.z, values, levels=levels, colors=colours, linewidths=width,
        linestyles="solid" if solid else None,
    )  # fmt: skip


def show_track(ax: Axes, plan: Plan, track: Track) -> None:
    """Draws the line of a section on a map, and its ends."""
    x = np.interp(track.i, np.arange(len(plan.x)), plan.x)
    y = np.interp(track.j, np.arange(len(plan.y)), plan.y)
    ax.plot(x, y, color="#01665e", linewidth=1.6, linestyle=(0, (5, 2)), zorder=3.2)
    for letter, k, side in (("A", 0, 1), ("B", -1, -1)):
        ax.annotate(
            letter, (float(x[k]), float(y[k])), (6 * side, 6), textcoords="offset points", ha="center",
            va="center", fontsize=10, weight="bold", color="#01665e", zorder=5, path_effects=style.HALO,
        )  # fmt: skip
