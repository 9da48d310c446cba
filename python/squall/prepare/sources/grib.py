"""Pieces of GRIB files, editions 1 and 2, through ecCodes.

ecCodes itself, not cfgrib: an analysis mixes kinds of levels, grids of messages and several fields
in a message, which cfgrib splits into data sets by trial and indexes in files beside the data.
"""

import contextlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from squall import grib_library
from squall.diagnose.vapour import Saturation
from squall.prepare.sources import grib_made
from squall.prepare.sources import grib_names as names
from squall.prepare.sources.fields import FIELDS
from squall.prepare.sources.grib_grid import GridReader, Shape
from squall.prepare.sources.piece import Array, Kind, Piece, Unread, Window, fail

ec = grib_library.load()

MISSING = 1e30

# NCEP's generating processes whose humidity is over water and ice mixed: GFS and its analyses.
_GFS = {80, 81, 82, 96, 107}
_NCEP_MODELS = {
    **dict.fromkeys((81, 96), "GFS"), 82: "GFS", 83: "HRRR", 84: "NAM", 89: "NAM", 105: "RAP", 107: "GEFS",
}  # fmt: skip
_CENTRES = {
    "kwbc": "NCEP", "ecmf": "ECMWF", "edzw": "DWD", "lfpw": "Météo-France", "egrr": "the Met Office",
    "cwao": "CMC", "rjtd": "JMA", "babj": "CMA", "ammc": "the Bureau of Meteorology",
}  # fmt: skip


def read(path: Path) -> Iterator[Piece | Unread]:
    """The pieces of a file that an analysis can use. Raises UserError where a message is broken."""
    grids = GridReader(str(path))
    for message in _messages(path):
        piece = _piece(message, path, grids)
        if piece is not None:
            yield piece


def read_weather(path: Path) -> Iterator[Piece]:
    """Of the weather that acts on tracers, of a moment or over the period that ends at the piece's time:
    means, and amounts, as those of an hour. Fluxes are upwards, and convective ones both positive."""
    grids = GridReader(str(path))
    for message in _messages(path):
        name, level_type = str(message.get("shortName")), message.get("typeOfLevel")
        field = names.OF_WEATHER.get(name)
        on_levels = field is not None and FIELDS[field].vertical
        if field is None or on_levels != (level_type in ("isobaricInhPa", "hybrid")):
            continue
        factor = -1.0 if message.get("centre") == "ecmf" and field in names.DOWNWARDS else 1.0
        if message.get("stepType") == "accum":
            hours = _hours(message)
            if hours <= 0:  # the first step of a forecast
                continue
            factor /= hours
        kind: Kind = "surface" if not on_levels else "hybrid" if level_type == "hybrid" else "pressure"
        level = float(message.get("level")) * (100.0 if kind == "pressure" else 1.0) if on_levels else 0.0
        made = _made(message, path, grids, (field, kind, level, 0.0), f"{path}: {name}")
        yield made.times(factor)


def _hours(message: "_Message") -> float:
    """The length of the period of a mean or an amount."""
    steps = float(message.get("endStep") or 0) - float(message.get("startStep") or 0)
    return steps * {0: 1 / 60, 1: 1.0, 2: 24.0, 10: 3.0, 11: 6.0, 12: 12.0, 13: 1 / 3600}.get(
        int(message.get("stepUnits") or 1), 1.0
    )


@dataclass(frozen=True)
class _Message:
    handle: int
    path: Path
    offset: int
    field: int  # of those in one message

    def get(self, key: str) -> Any:
        """The value of a key, None where the message has none."""
        with contextlib.suppress(ec.KeyValueNotFoundError):
            return ec.codes_get(self.handle, key)
        return None


def _messages(path: Path) -> Iterator[_Message]:
    """All fields of a file one after the other; each is gone when the next is asked for."""
    ec.codes_grib_multi_support_on()
    last, field = -1, 0
    with path.open("rb") as file:
        while True:
            try:
                handle = ec.codes_grib_new_from_file(file)
            except ec.CodesInternalError as error:
                raise fail(
                    str(path), f"broken after {max(last, 0)} bytes ({error}); fetch it again"
                ) from None
            if handle is None:
                break
            try:
                offset = int(ec.codes_get(handle, "offset"))
                field = field + 1 if offset == last else 0
                last = offset
                yield _Message(handle, path, offset, field)
            finally:
                ec.codes_release(handle)
        ec.codes_grib_multi_support_reset_file(file)
    if last < 0:
        raise fail(str(path), "contains no GRIB message")


def _piece(message: _Message, path: Path, grids: GridReader) -> Piece | Unread | None:
    name, level_type = message.get("shortName"), message.get("typeOfLevel")
    found = _identify(message, name, level_type)
    where = f"{path}: {name} ({level_type} {message.get('level')})"
    if found is None:
        return _missed(message, name, level_type, where)
    no_state = grib_made.no_state(message.get)
    if no_state:
        return Unread(found[0], f"as {no_state}", where)
    return _made(message, path, grids, found, where)


def _made(
    message: _Message, path: Path, grids: GridReader, found: tuple[str, Kind, float, float], where: str
) -> Piece:
    """The piece of a message that was identified."""
    (field, kind, level, top), name = found, message.get("shortName")
    time = _time(message, where)
    where += f" at {time:%Y-%m-%d %H:%M}"
    grid, shape = grids.of(message.handle, where)
    units = str(message.get("units"))
    if name == "lnsp":
        units = "Pa"
    if name == "sd":
        units = "m"

    def load(window: Window) -> Array:
        values = _values(message.path, message.offset, message.field, shape)
        if name == "lnsp":
            values = np.exp(values)
        return window.of(values)[None]

    return Piece(
        field=field,
        time=None if field in ("terrain", "land_mask") else time,
        kind=kind,
        levels=(level,),
        grid=grid,
        units=units,
        where=where,
        load=load,
        # Bit 5 of the flags; ecCodes's uvRelativeToGrid is not there for every grid.
        along_grid=bool((message.get("resolutionAndComponentFlags") or 0) & 8),
        saturation=_saturation(message),
        of_moist_air=name in names.OF_MOIST_AIR,
        tops=(top,) if kind == "soil" else (),
        coefficients=_coefficients(message, int(level)) if kind == "hybrid" else (),
        origin=_origin(message),
        member=grib_made.member(message.get),
        made=grib_made.made(message.get, time),
    )


def _missed(message: _Message, name: str, level_type: str, where: str) -> Unread | None:
    """A field on levels that is not read, and why; None: it is of no use anyway."""
    field = names.ON_LEVELS.get(name.removeprefix("avg_"))
    if field is None:
        return None
    if level_type in names.OTHER_LEVELS:
        return Unread(field, f"on levels of the kind {level_type}", where)
    no_state = grib_made.no_state(message.get)
    return Unread(field, f"as {no_state}", where) if no_state else None


def _time(message: _Message, where: str) -> datetime:
    """The time as written; ecCodes converts even invalid months and days to some date."""
    made = None
    for which in ("data", "validity"):
        day, clock = message.get(f"{which}Date"), message.get(f"{which}Time")
        try:
            made = datetime.strptime(f"{day:08d}{clock:04d}", "%Y%m%d%H%M")
        except (TypeError, ValueError):
            raise fail(where, f"its time, {day} {clock}, is not a date") from None
    assert made is not None
    return made


def _identify(message: _Message, name: str, level_type: str) -> tuple[str, Kind, float, float] | None:
    """Field, kind of level, level (see Piece) and upper edge of a soil layer; None: of no use."""
    level = message.get("level")
    at_height = names.AT_HEIGHT.get((name, level_type, level))
    if at_height and not (name == "z" and message.get("numberOfVerticalCoordinateValues") == 0 and level):
        return at_height, "surface", 0.0, 0.0
    if name in names.ECMWF_SOIL:
        field, (top, bottom) = names.ECMWF_SOIL[name]
        return field, "soil", bottom, top
    if name in names.IN_SOIL and level_type in ("depthBelowLandLayer", "depthBelowLand"):
        return _soil(message, names.IN_SOIL[name], level_type)
    if name in names.IN_SOIL and level_type == "soilLayer":  # numbered, as ECMWF's open data has them
        number = message.get("bottomLevel")
        if message.get("centre") != "ecmf" or number not in range(1, len(names.ECMWF_LAYERS) + 1):
            return None
        top, bottom = names.ECMWF_LAYERS[number - 1]
        return names.IN_SOIL[name], "soil", bottom, top
    if name in names.OF_SURFACE and level_type not in ("isobaricInhPa", "isobaricInPa"):
        return names.OF_SURFACE[name], "surface", 0.0, 0.0
    if name not in names.ON_LEVELS:
        return None
    if level_type in ("isobaricInhPa", "isobaricInPa"):
        pascals = level * (100.0 if level_type == "isobaricInhPa" else 1.0)
        return names.ON_LEVELS[name], "pressure", pascals, 0.0
    return (names.ON_LEVELS[name], "hybrid", float(level), 0.0) if level_type == "hybrid" else None


def _soil(message: _Message, field: str, level_type: str) -> tuple[str, Kind, float, float] | None:
    if level_type == "depthBelowLand":
        return None  # at a depth, not of a layer
    if message.get("edition") == 1:
        return field, "soil", message.get("bottomLevel") / 100, message.get("topLevel") / 100

    def depth(which: str) -> float:
        scaled = message.get(f"scaledValueOf{which}FixedSurface")
        return float(scaled / 10 ** message.get(f"scaleFactorOf{which}FixedSurface"))

    return field, "soil", depth("Second"), depth("First")


def _saturation(message: _Message) -> Saturation:
    centre = message.get("centre")
    if centre == "ecmf":
        return "ecmwf"
    return "gfs" if centre == "kwbc" and message.get("generatingProcessIdentifier") in _GFS else "water"


def _origin(message: _Message) -> str:
    """The model and the centre, by WMO's and NCEP's tables."""
    centre = str(message.get("centre") or "")
    name = _CENTRES.get(centre, centre)
    model = _NCEP_MODELS.get(message.get("generatingProcessIdentifier")) if centre == "kwbc" else None
    return f"{model} of {name}" if model else name


def _coefficients(message: _Message, level: int) -> tuple[tuple[float, float], ...]:
    """a and b of a model level, from those of the interfaces above and below it."""
    if not message.get("PVPresent"):
        return ()
    a, b = np.split(np.asarray(ec.codes_get_array(message.handle, "pv")), 2)
    if not 0 < level < len(a):
        return ()
    return ((0.5 * float(a[level - 1] + a[level]), 0.5 * float(b[level - 1] + b[level])),)


def _values(path: Path, offset: int, field: int, shape: Shape) -> NDArray[np.float64]:
    """The plane (rows, columns) of a field, NaN where missing."""
    ec.codes_grib_multi_support_on()
    with path.open("rb") as file:
        file.seek(offset)
        handle = None
        for _ in range(field + 1):
            if handle is not None:
                ec.codes_release(handle)
            handle = ec.codes_grib_new_from_file(file)
        try:
            ec.codes_set(handle, "missingValue", MISSING)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                values = np.asarray(ec.codes_get_values(handle))
        except ec.CodesInternalError as error:  # packed in a way that ecCodes was built without, or broken
            raise RuntimeError(str(error)) from None
        finally:
            ec.codes_release(handle)
            ec.codes_grib_multi_support_reset_file(file)
    values[values == MISSING] = np.nan
    return shape.plane(values)
