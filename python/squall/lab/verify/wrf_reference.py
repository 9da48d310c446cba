"""References from WRF: its fields, and its distance from itself at half the time step.

The distance from WRF is the root mean square difference over the spread of WRF's field on each
level. The yardstick is WRF's distance from itself when its time step is halved.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np

from squall.lab.linear.atmosphere import Array
from squall.lab.verify import data
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, normalised_rms

WRF_VERSION = "4.7.1"
SOURCE = "distance from WRF 4.7.1's fields; reference: WRF's own distance from itself at half its time step"
FORMAT = "%Y-%m-%d_%H:%M:%S"


@dataclass(frozen=True)
class Reference:
    """A case of the reference data: folder, and stamp of its beginning (YYYY-mm-dd_HH:MM:SS).

    `fields` and `own`: the files of WRF's fields and its distance from itself, beside the input or elsewhere.
    """

    folder: Path
    start: str
    fields: str = "wrf_reference.nc"
    own: str = "wrf_spread.json"

    def file(self, name: str) -> Path:
        return (self.folder / name).resolve()

    def stamps(self) -> list[str]:
        with netCDF4.Dataset(self.folder / self.fields) as file:
            return [b"".join(stamp).decode() for stamp in file["Times"][:]]

    def seconds(self, stamp: str) -> float:
        return (datetime.strptime(stamp, FORMAT) - datetime.strptime(self.start, FORMAT)).total_seconds()

    def frames(self) -> Iterator[tuple[int, str, float]]:
        """Number, stamp and seconds since the beginning of each frame."""
        for number, stamp in enumerate(self.stamps()):
            yield number, stamp, self.seconds(stamp)

    def frame_at(self, seconds: float) -> int:
        """Number of the frame so long after the beginning."""
        return next(number for number, _, at in self.frames() if at == seconds)

    def field(self, name: str, frame: int) -> Array:
        with netCDF4.Dataset(self.folder / self.fields) as file:
            return np.ma.getdata(file[name][frame]).astype(np.float64)

    def spread(self) -> dict[str, dict[str, Any]]:
        """WRF's distance from itself by stamp and field, and "w_max" of both of its runs.

        The file has stamps or hours since the beginning for keys. A field that does not vary has no distance.
        """
        read = self.read_own()
        keys = {stamp: _key_of(read, stamp, seconds) for _, stamp, seconds in self.frames()}
        return {
            stamp: {name: own for name, own in read[key].items() if own is not None}
            for stamp, key in keys.items()
            if key
        }

    def read_own(self) -> dict[str, dict[str, Any]]:
        return json.loads((self.folder / self.own).read_text())  # type: ignore[no-any-return]


def _key_of(read: dict[str, Any], stamp: str, seconds: float) -> str | None:
    if stamp in read:
        return stamp
    hours = (key for key in read if key[0].isdigit() and ":" not in key)
    return next((key for key in hours if abs(float(key) * 3600 - seconds) < 1), None)


def reference(name: str, start: str) -> Reference:
    """The case of that name. Raises Skipped where the reference data are not there."""
    return Reference(data.folder(name), start)


@dataclass(frozen=True)
class Limit:
    """How far from WRF a field may be: a share of WRF's distance from itself, or `floor` if that is more.
    `forms`: whose forms of the equations the run has, where there is a choice."""

    floor: float
    share: float = 1.0
    forms: str = ""


#: Squall's own forms, and WRF's (run.compatibility).
OURS = Limit(0.02)
AS_WRF = Limit(0.005, 0.1, ", compatibility = wrf")
TWO_FORMS = {"none": OURS, "wrf": AS_WRF}


def whole(_field: str, values: Array) -> Array:
    return values


def compare(
    case: str,
    wrf: Reference,
    history: History,
    fields: Iterable[str],
    at: Iterable[float],
    limit: Limit,
    part: Callable[[str, Array], Array] = whole,
) -> list[Check]:
    """The distance of each field, or of a part of it, at each time [s].

    A field that does not vary in WRF (rain where none falls) has no distance and is left out.
    """
    spread = wrf.spread()
    wanted = set(at)
    return [
        _check(
            case,
            f"nRMSE of {field} after {_duration(seconds)}{limit.forms}",
            float(spread[stamp][field]),
            normalised_rms(
                part(field, wrf.field(field, number)),
                part(field, history.field(field, history.frame_at(seconds))),
            ),
            limit,
        )
        for number, stamp, seconds in wrf.frames()
        if seconds in wanted
        for field in fields
        if field in spread[stamp]
    ]


def compare_total(
    case: str, wrf: Reference, history: History, name: str, seconds: float, limit: Limit
) -> list[Check]:
    """The sum of a plane over WRF's, at a time [s], as far from 1 as the field may be from WRF's.

    None where WRF's field does not vary.
    """
    number, stamp = next((n, stamp) for n, stamp, at in wrf.frames() if at == seconds)
    own = wrf.spread()[stamp].get(name)
    if own is None:
        return []
    ratio = float(history.field(name, history.frame_at(seconds)).sum() / wrf.field(name, number).sum())
    quantity = f"total of {name} after {_duration(seconds)} over WRF's{limit.forms}"
    return [Check(case, quantity, 1.0, ratio, max(limit.floor, limit.share * float(own)), SOURCE)]


def _check(case: str, quantity: str, own: float, distance: float, limit: Limit) -> Check:
    return Check(
        case,
        quantity,
        own,
        distance,
        max(limit.floor, limit.share * own),
        SOURCE,
        rule="at most",
    )


def _duration(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds <= 3600 else f"{seconds / 3600:.0f} h"
