"""The rows and columns along the sides of a domain, which are all that later times need for a boundary
file."""

from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from squall.geo.domain import Domain
from squall.prepare.check_columns import check_columns
from squall.prepare.columns import Columns, Ground
from squall.prepare.levels import VerticalGrid
from squall.prepare.make_state import StateMaker
from squall.prepare.state import Settings, State

Array = NDArray[np.float32]

SIDES = ("XS", "XE", "YS", "YE")  # west, east, south, north, by WRF's names


@dataclass(frozen=True)
class Rim:
    """A state of each side: `width` + 1 rows or columns, the whole side long."""

    time: datetime
    settings: Settings
    vertical: VerticalGrid
    sides: dict[str, State]


def build_rim(
    columns: Columns, domain: Domain, terrain: Array, land_mask: Array, settings: Settings, width: int
) -> Rim:
    """Like state.build_state, with equal values at each point, but only along the sides; raises the same
    errors."""
    check_columns(columns, terrain, settings.top)
    sides = {}
    for side in SIDES:
        rows, cells = _window(side, domain, width + 1)
        part = _cut(columns, rows, cells)
        sides[side] = StateMaker(part, terrain[rows, cells], land_mask[rows, cells], settings).make()
    return Rim(columns.time, settings, sides["XS"].vertical, sides)


def _window(side: str, domain: Domain, width: int) -> tuple[slice, slice]:
    """Rows and columns of cells, with a beginning and an end."""
    rows, cells = slice(0, domain.ny), slice(0, domain.nx)
    return {
        "XS": (rows, slice(0, min(width, domain.nx))),
        "XE": (rows, slice(max(domain.nx - width, 0), domain.nx)),
        "YS": (slice(0, min(width, domain.ny)), cells),
        "YE": (slice(max(domain.ny - width, 0), domain.ny), cells),
    }[side]


def _cut(c: Columns, rows: slice, cells: slice) -> Columns:
    def at(x: Array | None, more_rows: int = 0, more_cells: int = 0) -> Array | None:
        if x is None:
            return None
        return x[..., rows.start : rows.stop + more_rows, cells.start : cells.stop + more_cells]

    def must(x: Array, more_rows: int = 0, more_cells: int = 0) -> Array:
        made = at(x, more_rows, more_cells)
        assert made is not None
        return made

    return replace(
        c,
        pressure=c.pressure if c.pressure.ndim == 1 else must(c.pressure),
        temperature=must(c.temperature),
        mixing_ratio=must(c.mixing_ratio),
        u=must(c.u, 0, 1),
        v=must(c.v, 1, 0),
        height=must(c.height),
        surface_pressure=must(c.surface_pressure),
        terrain=must(c.terrain),
        sea_level_pressure=at(c.sea_level_pressure),
        temperature_2m=at(c.temperature_2m),
        mixing_ratio_2m=at(c.mixing_ratio_2m),
        u_10m=at(c.u_10m, 0, 1),
        v_10m=at(c.v_10m, 1, 0),
        water={name: must(q) for name, q in c.water.items()},
        w=None,
        ground=Ground(),
    )
