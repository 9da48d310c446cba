"""Columns from a wrfinput file: as if it had been analysed on pressure levels.

What its fields lose on the way to the levels of an analysis and back is what preparation loses.
"""

from datetime import datetime
from pathlib import Path

import netCDF4
import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import KAPPA, LAPSE, P0, THETA0, G
from squall.diagnose.interpolation import Interpolator
from squall.diagnose.staggering import to_faces
from squall.diagnose.vapour import virtual_temperature
from squall.geo.domain import Domain, Projection
from squall.prepare.columns import Columns, Ground
from squall.prepare.vertical import T_SLOPE

Block = NDArray[np.float64]
Array = NDArray[np.float32]

# Of the analyses of NCEP up to 10 hPa.
STANDARD_LEVELS = 100.0 * np.concatenate(
    [np.arange(1000, 900, -25), np.arange(900, 50, -50), [70, 50, 30, 20, 10]]
)


class WrfInput:
    """The fields of a wrfinput file of WRF's in sigma coordinates, double precision."""

    def __init__(self, path: Path) -> None:
        self._file = netCDF4.Dataset(path)

    def __getitem__(self, name: str) -> Block:
        return np.asarray(np.ma.getdata(self._file[name][0]), np.float64)

    def domain(self) -> Domain:
        f = self._file
        ny, nx = self["HGT"].shape
        projection = Projection("lambert", float(f.TRUELAT1), float(f.TRUELAT2), float(f.STAND_LON))
        return Domain(projection, nx, ny, float(f.DX), float(f.DY), float(f.CEN_LAT), float(f.CEN_LON))

    def start(self) -> datetime:
        return datetime.strptime(b"".join(self._file["Times"][0]).decode(), "%Y-%m-%d_%H:%M:%S")

    def columns(self) -> Columns:
        """Its fields on STANDARD_LEVELS up to its top, and those of the lowest layer as surface data."""
        pressure, vapour = self["P"] + self["PB"], self["QVAPOR"]
        temperature = (self["T"] + THETA0) * (pressure / P0) ** KAPPA
        levels = STANDARD_LEVELS[float(self["P_TOP"]) <= STANDARD_LEVELS]
        at_mass = _Section(pressure, levels)
        interfaces = self._interface_pressure()
        surface, terrain = interfaces[0], self["HGT"]
        to_ground = (surface / pressure[0]) ** T_SLOPE
        return Columns(
            time=self.start(),
            pressure=_single(levels),
            temperature=at_mass.get(temperature, T_SLOPE),
            mixing_ratio=at_mass.get(vapour),
            u=_Section(to_faces(pressure, 2), levels).get(self["U"]),
            v=_Section(to_faces(pressure, 1), levels).get(self["V"]),
            height=_single(self._height(interfaces, levels, temperature[0], vapour[0])),
            surface_pressure=_single(surface),
            terrain=_single(terrain),
            temperature_2m=_single(temperature[0] * to_ground),
            mixing_ratio_2m=_single(vapour[0]),
            u_10m=_single(self["U"][0]),
            v_10m=_single(self["V"][0]),
            ground=Ground(skin_temperature=_single(self["TSK"])),
        )

    def _interface_pressure(self) -> Block:
        """Of moist air, from the weight of what lies above."""
        mass = -np.diff(self["ZNW"])[:, None, None] * (self["MU"] + self["MUB"]) * (1 + self["QVAPOR"])
        above = np.cumsum(mass[::-1], axis=0)[::-1]
        top = np.zeros((1, *above.shape[1:]))
        return np.asarray(float(self["P_TOP"]) + np.concatenate([above, top]))

    def _height(self, interfaces: Block, levels: Block, temperature: Block, vapour: Block) -> Block:
        """Of pressure levels; below the ground with 6.5 K/km."""
        where = _Section(interfaces, levels)
        inside = where.get((self["PH"] + self["PHB"]) / G).astype(np.float64)
        warm = virtual_temperature(temperature, vapour)
        depth = np.maximum(np.log(levels)[:, None, None] - np.log(interfaces[0]), 0)
        return np.asarray(inside - warm / LAPSE * np.expm1(T_SLOPE * depth))


class _Section:
    """From the model's layers or interfaces to pressure levels."""

    def __init__(self, pressure: Block, levels: Block) -> None:
        shape = (len(levels), *pressure.shape[1:])
        target = np.broadcast_to(np.log(levels)[:, None, None], shape)
        self._where = Interpolator(np.log(pressure), target)

    def get(self, values: Block, slope: float = 0.0) -> Array:
        return _single(self._where.cubic(values, slope))


def _single(values: Block) -> Array:
    return np.asarray(values, np.float32)
