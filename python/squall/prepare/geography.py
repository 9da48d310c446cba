"""The land surface of a domain from geogrid data sets: classes, land mask, vegetation, albedo, deep soil.

What a cell is follows geogrid: its class is the one with the largest share, and it is land where water has
less than half of it. A class of land never stands on water nor the other way round.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from squall import locate
from squall.geo.domain import Domain
from squall.prepare.cells import Cells
from squall.prepare.columns import LandClimate, LandUse
from squall.prepare.sources.geogrid_tiles import TileSet, read_index
from squall.prepare.sources.piece import Array, Window, fail, window_around
from squall.prepare.wrf_file import LAND_USE

# How the folders of a field begin, of WPS's names; an earlier one goes before a later.
FOLDERS = {
    "land use": ("modis_landuse", "landuse"),
    "soil": ("soiltype_top",),
    "greenness": ("greenfrac",),
    "albedo": ("albedo",),
    "albedo of snow": ("maxsnowalb",),
    "temperature of deep soil": ("soiltemp",),
    "heights": ("topo",),
}
COLDEST = 150.0  # K; what is colder is no temperature of soil but a mark of the sea
WATER = 0.5  # share from which a cell is water
ANTARCTICA = -60.0  # degrees; all land south of it is ice but for a hundredth


@dataclass(frozen=True)
class Scheme:
    """Classes of land use that the model has properties of: 1 to count."""

    attributes: dict[str, str | int]
    count: int
    lake: int  # beyond count: read as water
    grassland: int


SCHEMES = {
    "MODIFIED_IGBP_MODIS_NOAH": Scheme(LAND_USE, 20, 21, 10),
    "USGS": Scheme(
        LAND_USE
        | {"MMINLU": "USGS", "NUM_LAND_CAT": 24, "ISWATER": 16, "ISLAKE": -1, "ISICE": 24, "ISURBAN": 1},
        24,
        28,
        7,
    ),
}
LOAM, SOILS = 6, 16

#: What prepare.geography = "none" is in a plan: no data set, whatever was fetched.
NONE = Path("none")


@dataclass
class Land:
    """The land data of a domain from a folder, on mass points (ny, nx)."""

    mask: Array  # 1 on land, 0 on water
    use: LandUse
    climate: LandClimate
    notes: list[str]
    unknown: NDArray[np.bool_]  # cells of which it says nothing, which count as land
    otherwise: NDArray[np.int32]  # the class of land in a domain of which it knows none


class Geography:
    """A folder of data sets, each in a folder of its own that is named as WPS's. Raises UserError where it
    holds no land use. fetched: it is what `squall fetch land` brought, which no run file names."""

    def __init__(self, folder: Path, fetched: bool = False) -> None:
        if not folder.is_dir():
            raise fail(str(folder), "there is no such folder; prepare.geography names it")
        self.folder, self._fetched = folder, fetched
        self._found = {field: self._finest(begins) for field, begins in FOLDERS.items()}
        if self._found["land use"] is None:
            raise fail(
                str(folder),
                "no land use: expected data sets of WPS's geogrid, folders such as "
                "modis_landuse_20class_30s_with_lakes with a file index and tiles",
            )

    @property
    def heights(self) -> Path | None:
        return self._found["heights"]

    def land(self, domain: Domain) -> Land:
        """Raises UserError for data sets that cannot be read, or do not cover the domain."""
        folder = self._found["land use"]
        assert folder is not None
        data = TileSet(folder)
        scheme = _scheme(data)
        shares = self._shares(data, domain, scheme)
        water = shares[int(scheme.attributes["ISWATER"]) - 1].copy()
        mask = water < WATER
        otherwise = np.where(
            domain.mass.latitude < ANTARCTICA, int(scheme.attributes["ISICE"]), scheme.grassland
        )
        use = _classes(shares, int(scheme.attributes["ISWATER"]), otherwise, mask)
        whose = ", installed by squall fetch land, because the run file has no prepare.geography"
        notes = [
            f"land use: the dominant class of each cell, from {folder}" + (whose if self._fetched else ""),
            "land mask: cells with less than half water, from the same data",
        ]
        soil, soil_water = self._soil(domain, mask)
        notes += [f"{field}: {self._found[field]}" for field in list(FOLDERS)[1:-1] if self._found[field]]
        attributes = scheme.attributes | {"ISOILWATER": soil_water}
        return Land(
            mask=mask.astype(np.float32),
            use=LandUse(use, attributes, soil),
            climate=self._climate(domain),
            notes=notes,
            unknown=shares.sum(axis=0) == 0,
            otherwise=otherwise.astype(np.int32),
        )

    def _finest(self, begins: tuple[str, ...]) -> Path | None:
        for begin in begins:
            sets = [
                (-read_index(path / "index").number("dx"), path.name, path)
                for path in self.folder.iterdir()
                if re.match(rf"{begin}(_|$)", path.name) and (path / "index").is_file()
            ]
            if sets:
                return max(sets)[2]
        return None

    def _shares(self, data: TileSet, domain: Domain, scheme: Scheme) -> Array:
        cells, window = _cells(data, domain)
        classes = data.load(window)
        classes[classes == scheme.lake] = int(scheme.attributes["ISWATER"])
        return cells.shares(classes, scheme.count)

    def _soil(self, domain: Domain, mask: NDArray[np.bool_]) -> tuple[NDArray[np.int32] | None, int]:
        folder, water = self._found["soil"], int(LAND_USE["ISOILWATER"])
        if folder is None:
            return None, water
        data = TileSet(folder)
        cells, window = _cells(data, domain)
        water = data.index.whole("isoilwater", water)
        return _classes(cells.shares(data.load(window), SOILS), water, LOAM, mask), water

    def _climate(self, domain: Domain) -> LandClimate:
        deep = self._means("temperature of deep soil", domain, 1)
        return LandClimate(
            greenness=self._parts("greenness", domain, 12, "fraction"),
            albedo=self._parts("albedo", domain, 12, "percent"),
            snow_albedo=_first(self._parts("albedo of snow", domain, 1, "percent")),
            deep_temperature=_first(deep),
        )

    def _parts(self, field: str, domain: Domain, levels: int, units: str) -> Array | None:
        """(levels, ny, nx), from 0 to 1; units: where `index` names none. An albedo of 0 marks the sea."""
        found = self._means(field, domain, levels, above=0.0 if "albedo" in field else -np.inf)
        folder = self._found[field]
        if found is None or folder is None:
            return None
        said = read_index(folder / "index").text("units", units)
        made = found * np.float32(0.01 if said in ("percent", "%") else 1)
        if np.nanmax(made, initial=0) > 1.001 or np.nanmin(made, initial=0) < 0:
            raise fail(
                str(folder),
                f"{field} ranges from {np.nanmin(made):g} to {np.nanmax(made):g}, not from 0 to 1: "
                f"units = {said} or scale_factor in index is wrong",
            )
        return np.asarray(made, np.float32)

    def _means(self, field: str, domain: Domain, levels: int, above: float = COLDEST) -> Array | None:
        folder = self._found[field]
        if folder is None:
            return None
        data = TileSet(folder)
        if data.levels != levels:
            raise fail(str(folder), f"{field} has {data.levels} level(s), but {levels} are needed")
        cells, window = _cells(data, domain)
        made = []
        for level in range(levels):
            values = data.load(window, level)
            values[~(values > above)] = np.nan
            made.append(cells.means(values))
        return np.stack(made)


def cache() -> Path:
    """The folder that `squall fetch land` fills."""
    return locate.cache("land")


def of_plan(named: Path | None) -> Geography | None:
    """The geography of a run file, which may be NONE; if it names none, the fetched one, if it exists."""
    if named == NONE:
        return None
    if named is not None:
        return Geography(named)
    return Geography(cache(), fetched=True) if cache().is_dir() else None


def _cells(data: TileSet, domain: Domain) -> tuple[Cells, Window]:
    corners = domain.points("corner")
    grid = data.grid
    if not grid.inside(corners.longitude, corners.latitude).all():
        raise fail(str(data.folder), "its tiles do not cover the domain")
    window = window_around(grid, corners.longitude, corners.latitude, margin=2)
    return Cells(grid, window, domain), window


def _scheme(data: TileSet) -> Scheme:
    name = data.index.keys.get("mminlu", "USGS")
    if name not in SCHEMES:
        raise fail(str(data.index.path), f"mminlu = {name} is not supported; use {' or '.join(SCHEMES)}")
    if not data.categorical:
        raise fail(str(data.index.path), "type = continuous, but land use must be categorical")
    return SCHEMES[name]


def _classes(
    shares: Array, water: int, otherwise: NDArray[np.integer] | int, land: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """The class (ny, nx) of the largest share, on land the largest but water; where land has no other, that
    of the nearest cell that does, and `otherwise` where none does."""
    dry = shares.copy()
    dry[water - 1] = 0
    known = dry.max(axis=0) > 0
    classes = of_nearest(dry.argmax(axis=0) + 1, known, otherwise)
    return np.where(land, classes, water).astype(np.int32)


def of_nearest(
    values: NDArray[np.integer], known: NDArray[np.bool_], otherwise: NDArray[np.integer] | int
) -> NDArray[np.int32]:
    """Values (ny, nx), where they are not known those of the nearest cell where they are; `otherwise` where
    that is nowhere."""
    if not known.any():
        return np.broadcast_to(np.asarray(otherwise, np.int32), values.shape).copy()
    nearest = distance_transform_edt(~known, return_distances=False, return_indices=True)
    return np.asarray(values[tuple(nearest)], np.int32)


def _first(values: Array | None) -> Array | None:
    return None if values is None else values[0]
