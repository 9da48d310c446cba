"""Winds, temperature and humidity of one time on the layers of squall-transport."""

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from squall.diagnose.interpolation import Interpolator
from squall.prepare.columns import Columns
from squall.prepare.sources.piece import Array
from squall.prepare.vertical import T_SLOPE, block_pressure
from squall.prepare.vertical import Levels as SourceLevels
from squall.transport.balance import southern_surface, western_surface
from squall.transport.globe import Float, Levels


@dataclass(frozen=True)
class Winds:
    """Layers first, from the ground up: (nz, nlat, nlon)."""

    time: datetime  # UTC
    surface: Float  # (nlat, nlon) [Pa]
    u: Array  # at western faces [m s-1]
    v: Array  # at southern faces; 0 at the pole
    temperature: Array  # K
    humidity: Array  # kg of vapour per kg of air


def make_winds(columns: Columns, levels: Levels, surface: Float) -> Winds:
    """From the levels of an analysis to the middles of layers of a surface pressure (nlat, nlon), linear in
    the logarithm of pressure; above the analysis's highest level as there. Near the ground the fields of 2 m
    and 10 m close the profiles, where the analysis has them."""
    rows = slice(None)
    pressure = np.broadcast_to(block_pressure(columns.pressure, rows), columns.temperature.shape)
    centre = _Layers(pressure, surface, levels)
    mixing_ratio = centre.of(columns.mixing_ratio, columns.mixing_ratio_2m)
    west = _Layers(_at(western_surface, pressure), western_surface(surface), levels)
    south = _Layers(_at(southern_surface, pressure), southern_surface(surface), levels)
    u10, v10 = columns.u_10m, columns.v_10m
    v = south.of(columns.v[:, :-1], None if v10 is None else v10[:-1])
    v[:, 0] = 0
    return Winds(
        columns.time,
        surface,
        west.of(columns.u[:, :, :-1], None if u10 is None else u10[:, :-1]),
        v,
        centre.of(columns.temperature, columns.temperature_2m, T_SLOPE),
        np.asarray(mixing_ratio / (1 + mixing_ratio), np.float32),
    )


def _at(faces, values: Float) -> Float:  # type: ignore[no-untyped-def]
    return np.stack([faces(level) for level in values])


class _Layers:
    """The way from an analysis's levels to layers, at one set of points."""

    def __init__(self, pressure: Float, surface: Float, levels: Levels) -> None:
        self._source = SourceLevels.make(pressure, surface)
        self._way = Interpolator(self._source.lnp, np.log(levels.middles(surface)))

    def of(self, values: Array, near_ground: Array | None, slope: float = 0.0) -> Array:
        """slope: of what grows downwards, below the ground, as the pressure to that power."""
        ground = None if near_ground is None else near_ground.astype(np.float64)
        profile = self._source.extend(values.astype(np.float64), ground, slope)
        return np.asarray(self._way.linear(profile), np.float32)
