"""Pieces of the files of WRF's metgrid (met_em.d01.*.nc), and the domain that they are made for."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
from netCDF4 import Dataset
from numpy.typing import NDArray

from squall.geo.domain import Domain
from squall.prepare.sources.geogrid import land_climate, land_use, orography
from squall.prepare.sources.grids import SourceGrid
from squall.prepare.sources.piece import Array, Kind, Piece, Window, fail
from squall.prepare.sources.whole_netcdf import opening
from squall.prepare.sources.wrf_domain import OwnDomain, domain_of, grid_of

# Variable: field and units; those on levels have the surface as their lowest.
_ON_LEVELS = {
    "TT": ("temperature", "K"), "UU": ("u", "m s-1"), "VV": ("v", "m s-1"), "GHT": ("height", "m"),
    "RH": ("relative_humidity", "%"), "SPECHUMD": ("specific_humidity", "kg kg-1"),
    "QC": ("cloud_water", "kg kg-1"), "QI": ("cloud_ice", "kg kg-1"), "QR": ("rain", "kg kg-1"),
    "QS": ("snow", "kg kg-1"),
}  # fmt: skip
_NEAR_GROUND = {
    "TT": "temperature_2m", "RH": "relative_humidity_2m", "SPECHUMD": "specific_humidity_2m",
    "UU": "u_10m", "VV": "v_10m",
}  # fmt: skip
_OF_SURFACE = {
    "PSFC": ("surface_pressure", "Pa"), "PMSL": ("sea_level_pressure", "Pa"), "SOILHGT": ("terrain", "m"),
    "LANDSEA": ("land_mask", "1"), "SKINTEMP": ("skin_temperature", "K"),
    "SST": ("sea_surface_temperature", "K"), "SEAICE": ("sea_ice", "1"), "SNOW": ("snow_water", "kg m-2"),
    "SNOWH": ("snow_depth", "m"),
}  # fmt: skip
_IN_SOIL = {"ST": ("soil_temperature", "K"), "SM": ("soil_moisture", "m3 m-3")}


def is_met_em(path: Path) -> bool:
    """Whether a netCDF file is metgrid's. Raises UserError for one that is not whole."""
    with opening(path), Dataset(path) as file:
        return "num_metgrid_levels" in file.dimensions


def own_domain(path: Path) -> OwnDomain:
    """The domain of a file. Raises UserError for a projection that Squall lacks."""
    with Dataset(path) as file:
        if "HGT_M" not in file.variables or "LANDMASK" not in file.variables:
            raise fail(str(path), "lacks HGT_M or LANDMASK, which metgrid copies from geogrid")
        height, land = _plane(file["HGT_M"][0]), _plane(file["LANDMASK"][0])
        whose = "geogrid's, from the met_em file"
        domain, climate = _domain(file, path), land_climate(file)
        return OwnDomain(domain, height, land, land_use(file), whose, climate, orography(file))


def _plane(values: NDArray[np.floating]) -> Array:
    return np.ma.filled(np.ma.asarray(values, np.float32), np.nan)


def _domain(file: Dataset, path: Path) -> Domain:
    attributes = {name: file.getncattr(name) for name in file.ncattrs()}
    return domain_of(
        attributes, len(file.dimensions["west_east"]), len(file.dimensions["south_north"]), str(path)
    )


def read(path: Path) -> Iterator[Piece]:
    """The pieces of a file. Raises UserError for a projection that Squall lacks."""
    with Dataset(path) as file:
        domain = _domain(file, path)
        present = set(file.variables)
        lacking = [name for name in ("Times", "PRES") if name not in present]
        if lacking:
            raise fail(str(path), f"lacks {' and '.join(lacking)}, which metgrid writes; run metgrid again")
        stamp = "".join(c.decode() for c in np.ma.filled(file["Times"][0], b""))
        pressure = _plane(file["PRES"][0])
        surface = _plane(file["PSFC"][0]) if "PSFC" in present else None
    try:
        time = datetime.strptime(stamp, "%Y-%m-%d_%H:%M:%S")
    except ValueError:
        raise fail(str(path), f"its time, {stamp!r}, is invalid; run metgrid again") from None
    yield from _Reader(path, time, grid_of(domain, "met_em"), present).pieces(pressure, surface)


class _Reader:
    """One file, which has one time."""

    def __init__(self, path: Path, time: datetime, grid: SourceGrid, present: set[str]) -> None:
        self._path, self._time, self._present = path, time, present
        self._grids = {
            "UU": grid.shifted(-0.5, 0, 1, 0),
            "VV": grid.shifted(0, -0.5, 0, 1),
        }
        self._mass = grid

    def pieces(self, pressure: Array, surface: Array | None) -> Iterator[Piece]:
        """pressure: (levels, ny, nx), the lowest being the surface where it is that of `surface`."""
        first = int(surface is not None and bool(np.allclose(pressure[0], surface, rtol=1e-3)))
        flat = bool((np.ptp(pressure[first:], axis=(1, 2)) < 1).all())
        kind: Kind = "pressure" if flat else "hybrid"
        count = len(pressure)
        for n in range(first, count):
            level = round(float(pressure[n].mean()), 2) if flat else float(count - n)
            for name, (field, units) in _ON_LEVELS.items():
                yield from self._piece(name, field, units, kind, level, n)
            if not flat:
                yield from self._piece("PRES", "pressure", "Pa", kind, level, n)
        if first:
            for name, field in _NEAR_GROUND.items():
                yield from self._piece(name, field, _ON_LEVELS[name][1], "surface", 0.0, 0)
        for name, (field, units) in _OF_SURFACE.items():
            yield from self._piece(name, field, units, "surface", 0.0, None)
        yield from self._soil()

    def _soil(self) -> Iterator[Piece]:
        """Layers in variables of their own: ST000010 is from 0 to 10 cm."""
        for name in sorted(self._present):
            if name[:2] in _IN_SOIL and len(name) == 8 and name[2:].isdigit():
                field, units = _IN_SOIL[name[:2]]
                bottom, top = int(name[5:]) / 100, int(name[2:5]) / 100
                yield from self._piece(name, field, units, "soil", bottom, None, (top,))

    def _piece(
        self,
        name: str,
        field: str,
        units: str,
        kind: Kind,
        level: float,
        index: int | None,
        tops: tuple[float, ...] = (),
    ) -> Iterator[Piece]:
        if name in self._present:
            yield Piece(
                field=field,
                time=None if field in ("terrain", "land_mask") else self._time,
                kind=kind,
                levels=(level,),
                grid=self._grids.get(name, self._mass),
                units=units,
                where=f"{self._path}: {name} at {self._time:%Y-%m-%d %H:%M}",
                load=self._loader(name, index),
                along_grid=True,
                tops=tops,
                origin="metgrid of WPS",
            )

    def _loader(self, name: str, index: int | None) -> Callable[[Window], Array]:
        def load(window: Window) -> Array:
            with Dataset(self._path) as file:
                values = _plane(file[name][0] if index is None else file[name][0, index])
            values[np.abs(values) > 1e20] = np.nan  # metgrid's -1e30
            if name in ("SST", "SKINTEMP"):
                values[values < 100] = np.nan  # where there is none
            return window.of(values)[None]

        return load
