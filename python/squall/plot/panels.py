"""One panel of a picture: a plan view, a vertical section, or a line. Distances in km."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from squall import air
from squall.plot import maps, style


def distance(frame: xr.Dataset, dim: str, centre: bool = False) -> Any:
    """Distance of mass points along a dimension from the domain's edge, or its centre [km]."""
    spacing = float(frame.attrs["DX" if dim == "west_east" else "DY"])
    size = frame.sizes[dim]
    return (np.arange(size) + (0.5 - size / 2 if centre else 0.5)) * spacing / 1000


def where(frame: xr.Dataset, across: str, index: int) -> str:
    """In words, where a section cuts a dimension."""
    return f"{'x' if across == 'west_east' else 'y'} = {distance(frame, across)[index]:g} km"


def axis_label(dim: str) -> str:
    return "x (km)" if dim == "west_east" else "y (km)"


class Plan(Protocol):
    """Where the points of a plan view lie: x, y are distances from the domain's western and southern
    edge [km]."""

    @property
    def x(self) -> Any: ...

    @property
    def y(self) -> Any: ...

    def dress(self, ax: Axes) -> None:
        """Sets limits, and adds what surrounds the field: axes, or a map."""


@dataclass(frozen=True)
class Flat:
    """The plan of a domain that is nowhere on the Earth."""

    x: Any
    y: Any

    def dress(self, ax: Axes) -> None:
        ax.set_aspect("equal")
        ax.set(xlim=(self.x[0], self.x[-1]), ylim=(self.y[0], self.y[-1]))
        ax.set(xlabel=axis_label("west_east"), ylabel=axis_label("south_north"))
        ax.label_outer()


def plan(frame: xr.Dataset) -> Plan:
    """The plan of a frame's domain: a map where it has a projection."""
    if maps.is_on_earth(frame):
        return maps.Map.of(frame)
    return Flat(distance(frame, "west_east"), distance(frame, "south_north"))


def fill_plan(ax: Axes, plan: Plan, values: Any, scale: style.Scale) -> Any:
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


def line_plan(ax: Axes, plan: Plan, values: Any, levels: Any, **how: Any) -> Any:
    """Draws contour lines over a plan view, and names every other one."""
    options: dict[str, Any] = {"colors": style.INK, "linewidths": 0.7} | how
    lines = ax.contour(plan.x, plan.y, values, levels=levels, **options)
    for text in ax.clabel(lines, levels[::2], fontsize=6, fmt="%g"):
        text.set_path_effects(style.HALO)
    return lines


@dataclass(frozen=True)
class Section:
    """Where values of a vertical section lie: (level, along) distances and heights [km], the
    lowest row at the surface."""

    along: str
    x: Any
    z: Any

    @classmethod
    def of(cls, frame: xr.Dataset, across: str, index: int, centre: bool = False) -> "Section":
        """The section at an index of the dimension that it cuts."""
        along = "west_east" if across == "south_north" else "south_north"
        interfaces = air.interface_height(frame).isel({across: index}).values / 1000
        layers = 0.5 * (interfaces[:-1] + interfaces[1:])
        z = np.vstack([interfaces[:1], layers])
        x = np.broadcast_to(distance(frame, along, centre), z.shape)
        return cls(along, x, z)

    @property
    def terrain(self) -> Any:
        return self.z[0]


def with_surface(values: Any) -> Any:
    """Layer values with the lowest repeated at the surface, as `Section` has its rows."""
    return np.vstack([values[:1], values])


def fill_section(ax: Axes, section: Section, values: Any, scale: style.Scale) -> Any:
    """Fills a vertical section with colour; values (level, along) as of with_surface."""
    ax.set(xlabel=axis_label(section.along), ylabel="height (km)")
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
    return filled


def line_section(ax: Axes, section: Section, values: Any, levels: Any, **how: Any) -> Any:
    """Draws contour lines over a vertical section."""
    options: dict[str, Any] = {"colors": style.INK, "linewidths": 0.7} | how
    return ax.contour(section.x, section.z, values, levels=levels, **options)
