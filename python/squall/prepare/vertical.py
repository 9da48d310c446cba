"""Vertical interpolation: from the levels of an analysis to those of the model.

Everything is done in ln p of moist air, in which temperature and wind are nearest to straight lines
and which needs no heights. A profile is that of the analysis above its ground; at the ground the
surface data (2 m, 10 m) close it, where there are any; below the ground the analysis's own levels
are replaced: temperature rises by 6.5 K/km, wind and mixing ratio keep their surface values.

Blocks are (levels, rows, columns), float64, pressure falling with the index.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import LAPSE, R_D, G
from squall.diagnose.vapour import virtual_temperature
from squall.prepare.columns import Columns

Block = NDArray[np.float64]

CLOSE = 500.0  # Pa: a pressure level nearer to the ground than this gives way to the surface data
STEP = 0.02  # in ln p: between the levels made up below the ground
T_SLOPE = LAPSE * R_D / G  # d ln T / d ln p of air with that lapse rate


@dataclass(frozen=True)
class Levels:
    """The levels of one set of points, with the surface as one of them and others made up below.

    `lnp` is (levels + 1, rows, columns); `ground` (rows, columns) is the index of the surface;
    `source` is ln p of the analysis's own levels.
    """

    lnp: Block
    source: Block
    ground: NDArray[np.intp]

    @staticmethod
    def make(pressure: Block, surface: Block) -> "Levels":
        """pressure: (levels, rows, columns) or (levels, 1, 1); surface: (rows, columns); Pa."""
        follows_ground = pressure[0].size > 1
        ground = np.sum(pressure > surface - (0 if follows_ground else CLOSE), axis=0)
        lnp = np.log(pressure)
        at = np.log(surface)
        merged = np.empty((len(pressure) + 1, *surface.shape))
        for m in range(len(merged)):
            below = at + STEP * (ground - m)
            merged[m] = np.where(m <= ground, below, lnp[m - 1] if m else 0.0)
        return Levels(merged, np.broadcast_to(lnp, (len(lnp), *surface.shape)), ground)

    def extend(self, values: Block, surface: Block | None, slope: float = 0.0) -> Block:
        """Values on these levels from those of the analysis (levels, rows, columns).

        surface: at the ground; None takes what the analysis has there between its levels. Downwards
        from there, values grow as p to the power `slope`.
        """
        if surface is None:
            surface = self._at_ground(values, slope)
        made = np.empty_like(self.lnp)
        for m in range(len(made)):
            below = surface * np.exp(slope * STEP * (self.ground - m)) if slope else surface
            made[m] = np.where(m <= self.ground, below, values[m - 1] if m else 0.0)
        return made

    def _at_ground(self, values: Block, slope: float) -> Block:
        """Between the level above the ground and the one below it, which holds the analysis's own
        extrapolation; from the one above alone where there is none below."""
        x = np.take_along_axis(self.lnp, self.ground[None], axis=0)[0]
        above = np.minimum(self.ground, len(values) - 1)
        below = np.maximum(above - 1, 0)
        f1, f0 = (np.take_along_axis(values, n[None], axis=0)[0] for n in (above, below))
        x1, x0 = (np.take_along_axis(self.source, n[None], axis=0)[0] for n in (above, below))
        share = np.where(above > 0, (x - x1) / np.where(above > 0, x0 - x1, 1), 0)
        return np.asarray(np.where(above > 0, f1 + share * (f0 - f1), f1 * np.exp(slope * (x - x1))))


def surface_pressure(columns: Columns, terrain: Block, rows: slice) -> Block:
    """Pressure in Pa at the height `terrain` (rows, columns) of the domain's own ground.

    The analysis knows pressure as a function of height at its levels, and at its own ground where
    that lies below them all (else at sea level, if it says). In between the height is the parabola
    in ln p that has the right thickness and the right difference of virtual temperature at both
    ends (hypsometric equation with temperature linear in ln p); below the lowest point temperature
    rises by 6.5 K/km.
    """
    z, lnp, tv = _points(columns, rows)
    below = np.clip(np.sum(z <= terrain, axis=0) - 1, 0, len(z) - 2)[None]
    z0, z1, x0, x1, t0, t1 = (
        np.take_along_axis(values, below + n, axis=0)[0] for values in (z, lnp, tv) for n in (0, 1)
    )
    # z(s) = z0 + (z1 - z0) s + c s (1 - s) with s the share of the way in ln p.
    c = -0.5 * R_D / G * (x1 - x0) * (t0 - t1)
    a, b = -c, z1 - z0 + c
    rise = terrain - z0
    s = 2 * rise / (b + np.sqrt(np.maximum(b * b + 4 * a * rise, 0)))
    inside = x0 + s * (x1 - x0)
    under = x0 + np.log1p(LAPSE * np.maximum(-rise, 0) / t0) / T_SLOPE
    return np.asarray(np.exp(np.where(rise < 0, under, inside)))


def _points(columns: Columns, rows: slice) -> tuple[Block, Block, Block]:
    """Height, ln p and virtual temperature of what is known, from below upwards."""
    z = columns.height[:, rows].astype(np.float64)
    pressure = block_pressure(columns.pressure, rows)
    lnp = np.broadcast_to(np.log(pressure), z.shape)
    tv = virtual_temperature(
        columns.temperature[:, rows].astype(np.float64), columns.mixing_ratio[:, rows].astype(np.float64)
    )
    p0, z0, t0 = pressure[0], z[0], tv[0]
    bottom, height = (
        columns.surface_pressure[rows].astype(np.float64),
        columns.terrain[rows].astype(np.float64),
    )
    known = (bottom > 1.0005 * p0) & (height < z0 - 1)
    # Otherwise a point made up by the lapse rate.
    z_low = np.where(known, height, z0 - 1000)
    t_low = t0 + LAPSE * (z0 - z_low)
    x_low = np.where(known, np.log(bottom), np.log(p0) + np.log(t_low / t0) / T_SLOPE)
    if columns.sea_level_pressure is not None:
        at_sea = columns.sea_level_pressure[rows].astype(np.float64)
        use = ~known & (at_sea > 1.0005 * p0) & (z0 > 1)
        z_low, x_low = np.where(use, 0.0, z_low), np.where(use, np.log(at_sea), x_low)
        t_low = np.where(use, t0 + LAPSE * z0, t_low)
    return (
        np.concatenate([z_low[None], z]),
        np.concatenate([x_low[None], lnp]),
        np.concatenate([t_low[None], tv]),
    )


def block_pressure(pressure: NDArray[np.float32], rows: slice) -> Block:
    """The levels' pressures of a block of rows: (levels, rows, columns), or (levels, 1, 1)."""
    chosen = pressure[:, None, None] if pressure.ndim == 1 else pressure[:, rows]
    return np.asarray(chosen, np.float64)
