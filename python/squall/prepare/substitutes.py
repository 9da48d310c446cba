"""Substitutes for fields that an analysis lacks, derived from others. Every substitution is reported."""

from datetime import datetime

import numpy as np

from squall.diagnose.constants import LAPSE, R_D
from squall.diagnose.interpolation import Interpolator
from squall.diagnose.staggering import to_centres
from squall.diagnose.vapour import virtual_temperature
from squall.errors import UserError
from squall.prepare.report import Report
from squall.prepare.sources.piece import Array
from squall.prepare.sources.units import G0

_EXPONENT = np.float32(R_D * LAPSE / G0)


def at_pressure(values: Array, pressure: Array, wanted: Array) -> Array:
    """Values (levels, ny, nx) at a pressure (ny, nx), linear in its logarithm also beyond the levels.

    pressure: (levels,) or (levels, ny, nx), falling.
    """
    return _at(values, np.log(_three(pressure)), np.log(wanted))


def _at(values: Array, axis: Array, wanted: Array) -> Array:
    """Linear in an axis, (levels, 1, 1) or as the values."""
    where = Interpolator(np.broadcast_to(axis, values.shape), wanted, "straight")
    return np.asarray(where.linear(values), np.float32)


def _three(pressure: Array) -> Array:
    return pressure[:, None, None] if pressure.ndim == 1 else pressure


class Filler:
    """Makes up what one time lacks. pressure: (levels,) or (levels, ny, nx) in Pa, falling."""

    def __init__(self, pressure: Array, time: datetime, report: Report) -> None:
        self._p, self._time, self._report = pressure, time, report

    def below_ground(
        self, temperature: Array, mixing_ratio: Array, height: Array | None, u: Array, v: Array
    ) -> None:
        """Levels below the ground that hold no values get them from the level above, in place:
        temperature by 6.5 K/km, humidity and wind as above, heights by hydrostatic balance, which also gives
        those of whole levels that lack.

        Raises UserError where a column holds nothing.
        """
        made = 0
        fields = {"temperature": temperature, "humidity": mixing_ratio, "wind along x": u, "wind along y": v}
        for name, values in fields.items():
            self._refuse_empty(name, values)
            made += self._copy_down(values, 1.0 if name == "temperature" else None)
        if height is not None:
            self._balance(height, virtual_temperature(temperature, mixing_ratio))
        if made:
            self._report.substitute(
                "levels below the ground: extrapolated from the lowest level above it, with 6.5 K/km",
                self._time,
            )

    def _refuse_empty(self, name: str, values: Array) -> None:
        top = np.isnan(values[-1])
        if top.any():
            row, column = np.unravel_index(int(top.argmax()), top.shape)
            raise UserError(
                f"The analysis of {self._time:%Y-%m-%d %H:%M} UTC has no {name} at its highest level at "
                f"row {row}, column {column} of the domain: check that the domain lies inside its area."
            )

    def _ratio(self, level: int) -> Array:
        """Pressure of a level over that of the level above."""
        return np.asarray(self._p[level] / self._p[level + 1], np.float32)

    def _copy_down(self, values: Array, warming: float | None) -> int:
        made = 0
        for level in range(len(values) - 2, -1, -1):
            gaps = np.isnan(values[level])
            if gaps.any():
                above = values[level + 1]
                if warming is not None:
                    above = above * self._ratio(level) ** _EXPONENT
                values[level][gaps] = above[gaps]
                made += int(gaps.sum())
        return made

    def _balance(self, height: Array, virtual: Array) -> None:
        """Heights that are not known, from the nearest level below or else above that has one."""
        whole = np.isnan(height).all(axis=(1, 2))
        thickness = (
            np.float32(R_D / G0) * to_centres(virtual) * np.log(_three(self._p)[:-1] / _three(self._p)[1:])
        )
        for level in range(len(height) - 2, -1, -1):
            self._fill(height[level], height[level + 1] - thickness[level])
        for level in range(1, len(height)):
            self._fill(height[level], height[level - 1] + thickness[level - 1])
        self._refuse_empty("height", height)
        if whole.any():
            self._report.substitute(
                "heights of some levels: from those of others by hydrostatic balance", self._time
            )

    def _fill(self, values: Array, otherwise: Array) -> None:
        gaps = np.isnan(values)
        values[gaps] = otherwise[gaps]

    def height(self, surface: Array, terrain: Array, temperature: Array, mixing_ratio: Array) -> Array:
        """Heights of levels by hydrostatic balance, from the ground."""
        virtual = virtual_temperature(temperature, mixing_ratio)
        lnp = np.broadcast_to(np.log(_three(self._p)), temperature.shape)
        made = np.zeros_like(temperature)
        mean = to_centres(virtual)
        np.cumsum(np.float32(R_D / G0) * mean * (lnp[:-1] - lnp[1:]), axis=0, out=made[1:])
        made += terrain - at_pressure(made, self._p, surface)
        self._report.substitute(
            "heights of the levels: from temperature and humidity by hydrostatic balance", self._time
        )
        return made

    def terrain(self, surface: Array, height: Array) -> Array:
        """Height of the ground: where the pressure is that of the surface."""
        self._report.substitute(
            "terrain height of the analysis: the height at which pressure equals surface pressure", self._time
        )
        return at_pressure(height, self._p, surface)

    def surface_pressure_below(self, sea_level: Array, terrain: Array, temperature: Array) -> Array:
        """Pressure at the height of the ground from that at sea level, whose air is taken as warm as
        the lowest level's and 6.5 K/km colder upwards."""
        self._report.substitute(
            "surface pressure: from sea-level pressure, terrain height and temperature", self._time
        )
        warm = 1 - np.float32(LAPSE) * terrain / temperature[0]
        return np.asarray(sea_level * warm ** (1 / _EXPONENT), np.float32)

    def surface_pressure(self, terrain: Array, height: Array) -> Array:
        """Pressure at the height of the ground, its logarithm linear between levels."""
        self._report.substitute(
            "surface pressure: interpolated from the levels to the terrain height", self._time
        )
        lnp = np.broadcast_to(np.log(_three(self._p)), height.shape)
        return np.asarray(np.exp(_at(lnp, height, terrain)), np.float32)
