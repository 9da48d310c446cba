"""One stream of one domain of a run, as the page sees it: its frames, grid and fields."""

import contextlib
import hashlib
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import dask
import numpy as np
import xarray as xr

from squall import diagnose
from squall.diagnose import spacing
from squall.diagnose.columns import LEVEL
from squall.errors import UserError
from squall.geo import globe, maps
from squall.plot import choice, times
from squall.reader.dataset import open_run

_LARGE = 4_000_000  # points of a field: larger ones are read in pieces
_PIECE = 512  # points along a side of one
_SURFACES = {"P", "PB", "PH", "PHB", "T", "HGT"}  # what levels are found by
_OFTEN = _SURFACES | {
    "U", "V", "XLAT", "XLONG", "SINALPHA", "COSALPHA", "MAPFAC_M", "MAPFAC_MX", "MAPFAC_MY", "F", "T_BASE",
    "Z_BASE", "MU", "MUB", "DNW", "C1H", "C2H", "P_TOP", "PSFC",
}  # fmt: skip
_ALONG = ("west_east", "south_north")


@contextlib.contextmanager
def calmly() -> Iterator[None]:
    """Logarithms of what is below the ground and means of nothing are missing values here, no news. What
    is in pieces is read by this thread, as all is."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), dask.config.set(scheduler="synchronous"):
        warnings.simplefilter("ignore")
        yield


@dataclass(frozen=True)
class Known:
    """A field: how it is called, and the dimension of its levels ("": none)."""

    name: str
    long_name: str
    units: str
    level: str
    derived: bool


class Source:
    """Frames and fields of a stream. Made anew when frames have come. Raises UserError without any."""

    def __init__(self, run: Path, stream: str, domain: int) -> None:
        self.stream, self.domain = stream, domain
        history = _opened(run, domain, None, stream)
        if not set(_ALONG) <= set(history.sizes):
            raise UserError(f"The stream {stream} has no horizontal grid.")
        large = history.sizes["west_east"] * history.sizes["south_north"] * history.sizes.get(LEVEL, 1)
        self.large = large > _LARGE
        if self.large:
            pieces = dict.fromkeys((*_ALONG, *(f"{dim}_stag" for dim in _ALONG)), _PIECE)
            pieces |= {"Time": 1, LEVEL: 1, f"{LEVEL}_stag": 1}
            history = _opened(run, domain, pieces, stream)
        self.history = history
        self.elapsed = history["elapsed"].values.astype(float)

    @property
    def nx(self) -> int:
        return int(self.history.sizes["west_east"])

    @property
    def ny(self) -> int:
        return int(self.history.sizes["south_north"])

    @property
    def spacing(self) -> tuple[float, float]:
        """Of mass points in x and y [km]."""
        first = self.history.isel(Time=0)
        dx = spacing.told(first, "west_east") or 1000.0
        return dx / 1000, (spacing.told(first, "south_north") or dx) / 1000

    @cached_property
    def map(self) -> maps.Map | None:
        """Where the domain lies on the Earth; None: nowhere."""
        first = self.history.isel(Time=0)
        if not maps.has_map(first):
            return None
        try:
            return maps.Map.of(first[["XLAT", "XLONG"]].load())
        except UserError:
            return None

    @cached_property
    def start(self) -> np.datetime64 | None:
        """The calendar's time of step 0."""
        return times.moment(self.history, 0.0)

    def valid(self, elapsed: float) -> float:
        """Seconds since 1970 of a frame; of a run without a calendar, since its start."""
        if self.start is None:
            return elapsed
        return float(self.start.astype("datetime64[s]").astype(np.int64)) + elapsed

    def index(self, elapsed: float) -> int:
        """The frame of a time. Raises UserError where there is none."""
        nearest = int(np.abs(self.elapsed - elapsed).argmin())
        if abs(self.elapsed[nearest] - elapsed) > 0.02:
            raise UserError(f"There is no frame at {elapsed:g} s.")
        return nearest

    def at(self, valid: float) -> int:
        """The frame nearest to a valid time. Raises UserError for one that is not near any."""
        off = np.abs(self.elapsed - (valid - self.valid(0.0)))
        nearest = int(off.argmin())
        reach = 0.5 * float(np.diff(self.elapsed).max()) if len(self.elapsed) > 1 else 1.0
        if off[nearest] > reach + 0.02:
            raise UserError("The other run has no frame near this time.")
        return nearest

    def frame(self, index: int, *names: str) -> xr.Dataset:
        with calmly():
            return choice.frame(self.history, index, *names)

    def box(self, index: int | slice, i: slice, j: slice) -> xr.Dataset:
        """A part of frames with the faces around it."""
        chosen: dict[str, Any] = {"Time": index, "west_east": i, "south_north": j}
        for dim, part in (("west_east_stag", i), ("south_north_stag", j)):
            if dim in self.history.sizes:
                chosen[dim] = slice(part.start, part.stop + 1)
        return self.history.isel(chosen, missing_dims="ignore")

    @cached_property
    def fields(self) -> list[Known]:
        """All that can be drawn, derived ones first."""
        with calmly():
            corner = self.box(slice(0, 2), slice(0, min(4, self.nx)), slice(0, min(4, self.ny)))
            corner.update(corner[self._of_derived()].load())
            return [found for name in diagnose.available(corner) if (found := _known(corner, name))]

    def _of_derived(self, names: Iterable[str] = diagnose.TABLE) -> list[str]:
        """Variables that derived fields are made of."""
        needs = {name for row in names for enough in diagnose.TABLE[row].needs for name in enough}
        return [str(name) for name in self.history.variables if name in needs | _OFTEN or str(name)[0] == "Q"]

    def near(self, index: int | slice, i: slice, j: slice, field: str) -> xr.Dataset:
        """The part of frames that a field is made of there, in memory."""
        box = self.box(index, i, j)
        if field in box.variables and field not in diagnose.TABLE:
            return box[sorted({field, *_SURFACES} & set(box.variables))].load()
        return box[self._of_derived([field] if field in diagnose.TABLE else [])].load()

    def levels(self) -> dict[str, list[float]]:
        """Values of the stream's own dimensions of levels."""
        own = (dim for dim in choice.LEVELS if dim in self.history.variables and dim in self.history.sizes)
        return {dim: np.asarray(self.history[dim].values, float).tolist() for dim in own}

    @cached_property
    def name(self) -> str:
        """Tells this grid's coordinates from others', for what browsers keep."""
        text = f"{self.nx} {self.ny} {self.spacing} {self.start}"
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def _opened(run: Path, domain: int, pieces: dict[str, int] | None, stream: str) -> xr.Dataset:
    """A stream in WRF's layout. A globe's frames are put into it, and read whole."""
    if pieces is not None and globe.is_globe(open_run(run, domain, stream=stream)):
        pieces = {"Time": 1, "lev": 1}
    history = open_run(run, domain, pieces, stream)
    if globe.is_globe(history) and {"lat", "lon"} <= set(history.dims):
        return globe.as_domain(history)
    return history


def _known(corner: xr.Dataset, name: str) -> Known | None:
    try:
        array = diagnose.field(corner if _of_two(name) else corner.isel(Time=0), name)
    except (UserError, KeyError, ValueError):
        return None
    rest = [str(dim) for dim in array.dims if dim not in (*_ALONG, "Time")]
    if len(rest) > 1 or (rest and rest[0] not in choice.LEVELS):
        return None
    units = str(array.attrs.get("units", ""))
    long_name = str(array.attrs.get("long_name", name))
    derived = name in diagnose.TABLE
    return Known(name, long_name if derived else _sentence(long_name), units, "".join(rest), derived)


def _of_two(name: str) -> bool:
    return name in diagnose.TABLE and diagnose.TABLE[name].over_time


def _sentence(text: str) -> str:
    """WRF's descriptions are in capitals, some of them."""
    return text.lower() if text.isupper() else text
