"""Outlines of nests on plan views of their parent."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from squall.plot import panels, style


@dataclass(frozen=True)
class Nest:
    """The position of a nest: its first cell of the parent in x and y (from 1), and the number of cells
    covered."""

    name: str
    i: int
    j: int
    width: float
    height: float

    @classmethod
    def of(cls, name: str, nest: xr.Dataset) -> "Nest":
        """From the attributes of the nest's own files."""
        ratio = float(nest.attrs["PARENT_GRID_RATIO"])
        return cls(
            name, int(nest.attrs["I_PARENT_START"]), int(nest.attrs["J_PARENT_START"]),
            nest.sizes["west_east"] / ratio, nest.sizes["south_north"] / ratio,
        )  # fmt: skip


def inside(frame: xr.Dataset) -> Iterator[Nest]:
    """The nests directly inside the domain of a frame of the whole domain."""
    if "SQUALL_SUBSET_START" in frame.attrs:
        return
    for told in json.loads(frame.attrs.get("NESTS", "[]")):
        path = told.pop("path", None)
        if path and "elapsed" in frame.coords:
            at = max(0, int(np.searchsorted(path[0], float(frame["elapsed"]), side="right")) - 1)
            told |= {"i": path[1][at], "j": path[2][at]}
        yield Nest(**told)


def outline(ax: Axes, plan: panels.Plan, nest: Nest) -> None:
    """A rectangle, and the nest's name in its corner."""
    dx, dy = float(plan.x[1] - plan.x[0]), float(plan.y[1] - plan.y[0])
    # Cells lie around the plan's points.
    corner = float(plan.x[0]) + (nest.i - 1.5) * dx, float(plan.y[0]) + (nest.j - 1.5) * dy
    ax.add_patch(
        Rectangle(
            corner,
            nest.width * dx,
            nest.height * dy,
            fill=False,
            edgecolor=style.INK,
            linewidth=1.2,
            zorder=4,
        )
    )
    ax.annotate(
        nest.name, corner, (2, 2), textcoords="offset points", fontsize=7, color=style.INK, zorder=5,
        path_effects=style.HALO,
    )  # fmt: skip


def outline_all(ax: Axes, plan: panels.Plan, frame: xr.Dataset) -> None:
    for nest in inside(frame):
        outline(ax, plan, nest)
