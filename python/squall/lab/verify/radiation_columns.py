"""Columns of air for the program `squall-radiation`, and the fluxes that it makes of them."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import netCDF4
import numpy as np

from squall import locate
from squall.errors import UserError
from squall.lab.linear.atmosphere import Array


@dataclass(frozen=True)
class Fluxes:
    """Of columns at interfaces, both (column, level), ground first, and pressure [W m-2, Pa]."""

    pressure: Array
    longwave_up: Array
    longwave_down: Array
    shortwave_up: Array
    shortwave_down: Array

    def net_up(self) -> Array:
        return self.longwave_up - self.longwave_down + self.shortwave_up - self.shortwave_down


def solve(columns: Mapping[str, Array], file: Path, scheme: str = "rrtmgp") -> Fluxes:
    """Fluxes of columns whose variables `squall-radiation --help` lists, by way of `file`, by a scheme as
    physics.radiation names it.

    Raises UserError with what the program said if it fails.
    """
    _write(columns, file)
    command = [str(locate.radiation_binary()), str(file), "--scheme", scheme]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{' '.join(command)} failed:\n{done.stderr.strip()}", 1)
    count = len(columns["albedo"])
    rows = np.loadtxt(done.stdout.splitlines()).reshape(count, -1, 8)
    return Fluxes(*(rows[:, :, n] for n in range(2, 7)))


def _write(columns: Mapping[str, Array], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    count, levels = columns["pressure"].shape
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as file:
        for name, size in (("column", count), ("level", levels), ("layer", levels - 1)):
            file.createDimension(name, size)
        for name, values in columns.items():
            vertical = {levels: ("level",), levels - 1: ("layer",)}
            along = vertical[values.shape[1]] if values.ndim == 2 else ()
            file.createVariable(name, "f8", ("column", *along))[:] = values
