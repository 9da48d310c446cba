"""A picture of what was prepared, to see at a glance whether it can be right."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from squall.plot import style
from squall.prepare.columns import Columns
from squall.prepare.domain import Domain
from squall.prepare.sources.piece import Array
from squall.prepare.substitutes import at_pressure
from squall.prepare.terrain import Terrain


def draw(
    path: Path, columns: Columns, domain: Domain, terrain: Terrain, nests: Sequence[Domain] = ()
) -> None:
    """Terrain, sea-level pressure and wind, 500 hPa, and the temperature of the ground; in one PNG.

    nests: those that lie in the domain itself, which get a frame each.
    """
    shape = domain.ny * domain.dy / (domain.nx * domain.dx)
    figure = Figure(figsize=(11, 1.4 + 8 * shape), layout="constrained")
    axes = figure.subplots(2, 2).ravel()
    x, y = np.arange(domain.nx) * domain.dx / 1e3, np.arange(domain.ny) * domain.dy / 1e3
    _terrain(axes[0], x, y, terrain)
    _sea_level(axes[1], x, y, columns)
    _middle(axes[2], x, y, columns)
    _skin(axes[3], x, y, columns)
    for ax in axes:
        _map(ax, x, y, domain, terrain)
        for nest in nests:
            frame(ax, domain, nest)
    cells = f"{domain.nx} x {domain.ny} cells of {domain.dx / 1e3:g} km"
    figure.suptitle(f"{columns.time:%Y-%m-%d %H:%M} UTC, {cells}")
    figure.savefig(path, dpi=120)


def _map(ax: Axes, x: Any, y: Any, domain: Domain, terrain: Terrain) -> None:
    """Coast, meridians and parallels."""
    if 0 < terrain.land.mean() < 1:
        ax.contour(x, y, terrain.land, [0.5], colors=style.COAST, linewidths=0.8)
    points = domain.mass
    step = 5 if np.ptp(points.latitude) < 25 else 10
    for values in (points.latitude, np.where(np.abs(points.longitude) > 175, np.nan, points.longitude)):
        lines = np.arange(-180, 181, step)
        drawn = ax.contour(x, y, values, lines, colors=style.BORDER, linewidths=0.3, linestyles="dotted")
        ax.clabel(drawn, fmt="%d°", fontsize=6)
    ax.set_aspect("equal")
    ax.set_xlabel("km")
    ax.label_outer()


def frame(ax: Axes, domain: Domain, nest: Domain) -> None:
    """A nest's outermost sides, and its name."""
    corner = (
        (nest.i_parent_start - 1.5) * domain.dx / 1e3,
        (nest.j_parent_start - 1.5) * domain.dy / 1e3,
    )
    size = nest.nx * nest.dx / 1e3, nest.ny * nest.dy / 1e3
    ax.add_patch(Rectangle(corner, *size, fill=False, edgecolor=style.INK, linewidth=1.2))
    ax.annotate(
        f"d{nest.grid_id:02d}", corner, (2, 2), textcoords="offset points", fontsize=7, color=style.INK
    )


def _terrain(ax: Axes, x: Any, y: Any, terrain: Terrain) -> None:
    land = np.where(terrain.land > 0.5, terrain.height, np.nan)
    shown = ax.pcolormesh(x, y, land, cmap="YlOrBr", shading="nearest")
    ax.set_facecolor("#dde8f0")
    ax.figure.colorbar(shown, ax=ax, label="m", shrink=0.8)
    ax.set_title("terrain and land mask")


def _sea_level(ax: Axes, x: Any, y: Any, columns: Columns) -> None:
    ax.set_title("sea-level pressure [hPa] and wind [m/s]")
    u, v = columns.u[0], columns.v[0]
    if columns.u_10m is not None and columns.v_10m is not None:
        u, v = columns.u_10m, columns.v_10m
    u, v = _to_cells(u, v)
    shown = ax.pcolormesh(x, y, np.hypot(u, v), cmap="BuPu", shading="nearest", alpha=0.8)
    ax.figure.colorbar(shown, ax=ax, label="m/s", shrink=0.8)
    if columns.sea_level_pressure is not None:
        _lines(ax, x, y, columns.sea_level_pressure / 100, 4)
    every = max(1, len(x) // 20)
    cut = (slice(None, None, every), slice(None, None, every))
    ax.quiver(x[::every], y[::every], u[cut], v[cut], width=0.002)


def _middle(ax: Axes, x: Any, y: Any, columns: Columns) -> None:
    wanted = np.full_like(columns.surface_pressure, 50000)
    ax.set_title("500 hPa: height [dam] and temperature [°C]")
    temperature = at_pressure(columns.temperature, columns.pressure, wanted) - 273.15
    shown = ax.pcolormesh(x, y, temperature, cmap="RdYlBu_r", shading="nearest")
    ax.figure.colorbar(shown, ax=ax, label="°C", shrink=0.8)
    _lines(ax, x, y, at_pressure(columns.height, columns.pressure, wanted) / 10, 6)


def _skin(ax: Axes, x: Any, y: Any, columns: Columns) -> None:
    ax.set_title("temperature of the ground and the sea [°C]")
    skin = columns.ground.skin_temperature
    if skin is None:
        skin = columns.temperature[0]
    shown = ax.pcolormesh(x, y, skin - 273.15, cmap="RdYlBu_r", shading="nearest")
    ax.figure.colorbar(shown, ax=ax, label="°C", shrink=0.8)


def _lines(ax: Axes, x: Any, y: Any, values: Any, step: float) -> None:
    low, high = np.floor(values.min() / step), np.ceil(values.max() / step)
    drawn = ax.contour(x, y, values, np.arange(low, high + 1) * step, colors=style.INK, linewidths=0.8)
    ax.clabel(drawn, fmt="%d", fontsize=7)


def _to_cells(u: Array, v: Array) -> tuple[Array, Array]:
    return 0.5 * (u[:, 1:] + u[:, :-1]), 0.5 * (v[1:] + v[:-1])
