"""Reads histories of Squall and WRF runs as an analysis, as WRF's `ndown` does.

A history is known by its dimensions and attributes, whatever its name. Its model levels become hybrid
levels with their own pressure; above them its top is one more, with the uppermost layer's air.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from squall.diagnose.constants import KAPPA, P0, R_D, R_V, THETA0, G
from squall.diagnose.vapour import virtual_temperature
from squall.errors import UserError
from squall.geo.domain import Domain
from squall.prepare.columns import OROGRAPHY, LandUse
from squall.prepare.sources.fields import FIELDS
from squall.prepare.sources.piece import Array, Kind, Piece, Window, fail
from squall.prepare.sources.wrf_domain import OwnDomain, domain_of, grid_of
from squall.prepare.wrf_file import LAND_USE
from squall.reader import clock
from squall.reader.dataset import open_run

_NEEDED = ("T", "P", "PB", "PH", "PHB", "U", "V", "QVAPOR", "HGT")
_WATER = {
    "cloud_water": "QCLOUD", "cloud_ice": "QICE", "rain": "QRAIN", "snow": "QSNOW", "graupel": "QGRAUP",
}  # fmt: skip
_MASS = ("MU", "MUB", "ZNW")
_OF_SIGMA = (("C1H", 1.0), ("C2H", 0.0))
_OF_SURFACE = {
    "terrain": ("HGT", "m"), "land_mask": ("LANDMASK", "1"), "skin_temperature": ("TSK", "K"),
    "sea_surface_temperature": ("SST", "K"), "sea_ice": ("SEAICE", "1"), "snow_water": ("SNOW", "kg m-2"),
    "snow_depth": ("SNOWH", "m"), "canopy_water": ("CANWAT", "kg m-2"),
}  # fmt: skip
_IN_SOIL = {"soil_temperature": ("TSLB", "K"), "soil_moisture": ("SMOIS", "m3 m-3")}
_ALSO_IN_SOIL = {"soil_liquid": ("SH2O", "m3 m-3")}
_ROUNDING = 2e-3  # K: T and THM of one state are not farther apart
_COLDEST = 100.0  # K: files hold 0 where there is no sea or no such field

Field = Callable[[int], Array]  # of a frame: (levels, rows, columns)


def is_history(path: Path) -> bool:
    """Whether it is a run directory, or a file or store of a history: staggered, with a map and times."""
    try:
        history = _open(path)
    except (UserError, OSError, KeyError, ValueError):
        return False
    return {"bottom_top", "west_east_stag", "south_north_stag"} <= set(history.sizes)


def read(path: Path) -> Iterator[Piece]:
    """The pieces of all frames. Raises UserError for variables that are missing, naming them, and for a
    run without a map."""
    yield from _History(path).pieces()


def own_domain(path: Path) -> OwnDomain | None:
    """The domain of a history with its ground; None: it does not hold the ground. Raises UserError for a
    run without a map."""
    history = _open(path)
    if not {"HGT", "LANDMASK"} <= set(history.variables):
        return None
    height, land = (_first(history, name).astype(np.float32) for name in ("HGT", "LANDMASK"))
    orography = {
        name: _first(history, name).astype(np.float32)
        for name in OROGRAPHY
        if set(OROGRAPHY) <= set(history.variables)
    }
    return OwnDomain(
        _domain(history, path),
        height,
        land,
        _land_use(history),
        "those of the run's history",
        orography=orography,
    )


def _domain(history: xr.Dataset, path: Path) -> Domain:
    sizes = history.sizes
    return domain_of(history.attrs, sizes["west_east"], sizes["south_north"], str(path))


def _land_use(history: xr.Dataset) -> LandUse | None:
    if not set(LAND_USE) <= set(history.attrs) or "LU_INDEX" not in history:
        return None
    given = {name: history.attrs[name] for name in LAND_USE}
    attributes = {name: value if isinstance(value, str) else int(value) for name, value in given.items()}
    soil = _first(history, "ISLTYP") if "ISLTYP" in history else None
    classes = (_first(history, "LU_INDEX"), soil)
    land, soil = (None if x is None else np.rint(x).astype(np.int32) for x in classes)
    assert land is not None
    return LandUse(land, attributes, soil)


def _first(history: xr.Dataset, name: str) -> NDArray[Any]:
    """A field of the ground, of the first frame."""
    variable = history[name]
    return np.asarray((variable.isel(Time=0) if "Time" in variable.dims else variable).values)


def top_of(path: Path) -> float | None:
    """Pressure at the top of a history's model in Pa; None: it does not say."""
    history = _open(path)
    levels = int(history.attrs.get("BOTTOM-TOP_GRID_DIMENSION", history.sizes["bottom_top"] + 1))
    if "P_TOP" not in history or levels != history.sizes["bottom_top"] + 1:  # or not all levels are there
        return None
    return float(np.ravel(history["P_TOP"].values)[0])


@lru_cache(maxsize=64)
def _open(path: Path) -> xr.Dataset:
    return open_run(path)


def _times(history: xr.Dataset, path: Path) -> list[datetime]:
    told = history["elapsed"].attrs
    start = clock.parse(told.get("start", ""), str(told.get("start_calendar", "")) or "standard")
    if start is None:
        raise fail(str(path), "its dates are unknown: neither Times nor the units of XTIME give them")
    moments = (clock.iso(clock.date_after(start, float(seconds))) for seconds in history["elapsed"])
    return [datetime.fromisoformat(moment) for moment in moments]


class _History:
    """The contents of one path, frame by frame."""

    def __init__(self, path: Path) -> None:
        self._path, self._of = path, _open(path)
        missing = [name for name in _NEEDED if name not in self._of]
        if missing:
            raise fail(
                str(path),
                f"this history lacks {', '.join(missing)}, which squall prepare needs: add "
                f"{'it' if len(missing) == 1 else 'them'} to `fields` of the run's [output.history] and "
                "run it again",
            )
        self._top = top_of(path)
        grid = grid_of(_domain(self._of, path), "history")
        self._grids = {"u": grid.shifted(-0.5, 0, 1, 0), "v": grid.shifted(0, -0.5, 0, 1)}
        self._mass = grid
        levels = self._of.sizes["bottom_top"] + (self._top is not None)
        self._levels = tuple(float(n) for n in range(levels, 0, -1))  # counted from the top, as GRIB does

    def pieces(self) -> Iterator[Piece]:
        for frame, time in enumerate(_times(self._of, self._path)):
            for field, values in self._on_levels().items():
                yield self._piece(frame, time, field, "", "hybrid", self._levels, values)
            if "W" in self._of:
                interfaces = tuple(float(n) for n in range(self._of.sizes["bottom_top"] + 1, 0, -1))
                for field, values in (("w", self._w), ("interface_height", self._interfaces)):
                    yield self._piece(frame, time, field, "", "hybrid", interfaces, values)
            yield self._piece(
                frame, time, "surface_pressure", "Pa", "surface", (0.0,), self._surface_pressure
            )
            for field, (name, units) in _OF_SURFACE.items():
                if name in self._of:
                    yield self._piece(frame, time, field, units, "surface", (0.0,), self._plane(name))
            yield from self._soil(frame, time)

    def _on_levels(self) -> dict[str, Field]:
        made: dict[str, Field] = {
            "temperature": lambda frame: self._raised(self._temperature(frame)),
            "pressure": self._pressure_to_top,
            "height": self._height,
            "u": lambda frame: self._raised(self._values("U", frame)),
            "v": lambda frame: self._raised(self._values("V", frame)),
            "mixing_ratio": lambda frame: self._raised(self._values("QVAPOR", frame)),
        }
        for field, name in _WATER.items():
            if name in self._of:
                made[field] = lambda frame, name=name: self._raised(self._values(name, frame))  # type: ignore[misc]
        return made

    def _soil(self, frame: int, time: datetime) -> Iterator[Piece]:
        if not {"DZS", *(name for name, _ in _IN_SOIL.values())} <= set(self._of.variables):
            return
        thickness = self._values("DZS", frame)
        edges = np.round(np.cumsum(thickness.astype(np.float64)), 4)
        also = {field: given for field, given in _ALSO_IN_SOIL.items() if given[0] in self._of}
        for field, (name, units) in (_IN_SOIL | also).items():
            for n, (depth, layer) in enumerate(zip(edges, thickness, strict=True)):

                def of_layer(frame: int, name: str = name, n: int = n) -> Array:
                    return self._values(name, frame)[n : n + 1]

                tops = (float(depth - layer),)
                yield self._piece(frame, time, field, units, "soil", (float(depth),), of_layer, tops)

    def _values(self, name: str, frame: int) -> Array:
        variable = self._of[name]
        chosen = variable.isel(Time=frame) if "Time" in variable.dims else variable
        return np.asarray(chosen.values, np.float32)

    def _raised(self, values: Array) -> Array:
        """The field with the uppermost layer's values repeated at the model's top."""
        return values if self._top is None else np.concatenate([values, values[-1:]])

    def _pressure(self, frame: int) -> Array:
        return self._values("P", frame) + self._values("PB", frame)

    def _pressure_to_top(self, frame: int) -> Array:
        raised = self._raised(self._pressure(frame))
        if self._top is not None:
            raised[-1] = self._top
        return raised

    def _theta(self, frame: int) -> Array:
        """Potential temperature of dry air [K], from T. WRF 4 integrates THM, and programs that change only
        THM (ndown, feedback of nests, data assimilation) leave T outdated: where the two differ, THM is
        used."""
        theta = self._values("T", frame) + np.float32(THETA0)
        kind = self._of.attrs.get("USE_THETA_M")
        if kind is None or "THM" not in self._of or not (moist := self._values("THM", frame)).any():
            return theta
        vapour = self._values("QVAPOR", frame) if int(kind) else np.float32(0)
        integrated = (moist + np.float32(THETA0)) / (1 + np.float32(R_V / R_D) * vapour)
        return np.where(np.abs(integrated - theta) > _ROUNDING, integrated, theta)

    def _temperature(self, frame: int) -> Array:
        theta = self._theta(frame)
        return np.asarray(theta * (self._pressure(frame) / np.float32(P0)) ** np.float32(KAPPA))

    def _w(self, frame: int) -> Array:
        return self._values("W", frame)

    def _interfaces(self, frame: int) -> Array:
        return np.asarray((self._values("PH", frame) + self._values("PHB", frame)) / np.float32(G))

    def _height(self, frame: int) -> Array:
        """Of the layers' pressures: those of the middle of their mass, which lies below that of their depth
        (by the hypsometric equation of a layer of one temperature; 10 m in one of 800 m, a hectopascal)."""
        faces = self._interfaces(frame)
        depth = np.diff(faces, axis=0)
        warmth = virtual_temperature(self._temperature(frame), self._values("QVAPOR", frame))
        x = np.tanh(G * depth / (2 * R_D * warmth))
        middles = np.asarray(faces[:-1] + depth * np.log1p(x) / (2 * np.arctanh(x)), np.float32)
        return middles if self._top is None else np.concatenate([middles, faces[-1:]])

    def _surface_pressure(self, frame: int) -> Array:
        """The surface pressure from the mass of the column and its water, which a preparation converts back
        to mass; for histories without them, from the weight of the air below the lowest level's pressure."""
        if self._top is None or not self._knows_mass():
            return self._pressure_under_lowest(frame)
        mu = self._values("MU", frame).astype(np.float64) + self._values("MUB", frame)
        depth = -np.diff(self._values("ZNW", frame).astype(np.float64))
        c1, c2 = (self._values(name, frame) if name in self._of else n for name, n in _OF_SIGMA)
        mass = (depth * c1)[:, None, None] * mu + (depth * c2)[:, None, None]
        names = ("QVAPOR", *(name for name in _WATER.values() if name in self._of))
        weight = sum(np.sum(mass * self._values(name, frame), axis=0) for name in names)
        return np.asarray(self._top + mu + weight, np.float32)[None]

    def _knows_mass(self) -> bool:
        """Files without the coefficients of the hybrid coordinate are older than that, if they do not say."""
        have = set(self._of.variables)
        sigma = int(self._of.attrs.get("HYBRID_OPT", 0)) == 0
        return (
            self._top is not None
            and set(_MASS) <= have
            and (sigma or {name for name, _ in _OF_SIGMA} <= have)
        )

    def _pressure_under_lowest(self, frame: int) -> Array:
        pressure, temperature = self._pressure(frame)[0], self._temperature(frame)[0]
        warmth = virtual_temperature(temperature, self._values("QVAPOR", frame)[0])
        depth = self._height(frame)[0] - self._values("HGT", frame)
        return np.asarray(pressure * np.exp(G * depth / (R_D * warmth)), np.float32)[None]

    def _plane(self, name: str) -> Field:
        def plane(frame: int) -> Array:
            values = self._values(name, frame)
            return (np.where(values < _COLDEST, np.nan, values) if name in ("TSK", "SST") else values)[None]

        return plane

    def _piece(
        self,
        frame: int,
        time: datetime,
        field: str,
        units: str,
        kind: Kind,
        levels: tuple[float, ...],
        values: Field,
        tops: tuple[float, ...] = (),
    ) -> Piece:
        def load(window: Window) -> Array:
            return window.of(values(frame))

        return Piece(
            field=field,
            time=None if field in ("terrain", "land_mask") else time,
            kind=kind,
            levels=levels,
            grid=self._grids.get(field, self._mass),
            units=units or FIELDS[field].units,
            where=f"{self._path}: {FIELDS[field].label} at {time:%Y-%m-%d %H:%M}",
            load=load,
            along_grid=True,
            tops=tops,
            origin=_origin(self._of.attrs),
        )


def _origin(attributes: dict[Any, Any]) -> str:
    return f"a run's history ({str(attributes.get('TITLE', '')).strip() or 'no title'})"
