"""WRF's own fields and its distance from itself, to measure the model against.

The distance from WRF is the root mean square difference over the spread of WRF's field on each
level. The yardstick is WRF's distance from itself when its time step is halved.
"""

import json
from collections.abc import Iterable, Iterator
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

FORMAT = "%Y-%m-%d_%H:%M:%S"


@dataclass(frozen=True)
class Reference:
    """A case of the reference data: folder, and stamp of its beginning (YYYY-mm-dd_HH:MM:SS)."""

    folder: Path
    start: str

    def file(self, name: str) -> Path:
        return (self.folder / name).resolve()

    def stamps(self) -> list[str]:
        with netCDF4.Dataset(self.folder / "wrf_reference.nc") as file:
            return [b"".join(stamp).decode() for stamp in file["Times"][:]]

    def seconds(self, stamp: str) -> float:
        return (datetime.strptime(stamp, FORMAT) - datetime.strptime(self.start, FORMAT)).total_seconds()

    def frames(self) -> Iterator[tuple[int, str, float]]:
        """Number, stamp and seconds since the beginning of each frame."""
        for number, stamp in enumerate(self.stamps()):
            yield number, stamp, self.seconds(stamp)

    def field(self, name: str, frame: int) -> Array:
        with netCDF4.Dataset(self.folder / "wrf_reference.nc") as file:
            return np.ma.getdata(file[name][frame]).astype(np.float64)

    def spread(self) -> dict[str, dict[str, Any]]:
        """WRF's distance from itself by stamp and field, and "w_max" of both of its runs."""
        return json.loads((self.folder / "wrf_spread.json").read_text())  # type: ignore[no-any-return]


def reference(name: str, start: str) -> Reference:
    """The case of that name. Raises Skipped where the reference data are not there."""
    return Reference(data.folder(name), start)


def compare(
    case: str, wrf: Reference, history: History, fields: Iterable[str], at: Iterable[float], floor: float
) -> list[Check]:
    """The distance of each field at each time [s], allowed to be WRF's from itself or `floor`."""
    spread = wrf.spread()
    wanted = set(at)
    return [
        _check(
            case,
            f"nRMSE of {field} after {_duration(seconds)}",
            float(spread[stamp][field]),
            normalised_rms(wrf.field(field, number), history.field(field, history.frame_at(seconds))),
            floor,
        )
        for number, stamp, seconds in wrf.frames()
        if seconds in wanted
        for field in fields
    ]


def _check(case: str, quantity: str, own: float, distance: float, floor: float) -> Check:
    return Check(
        case,
        quantity,
        own,
        distance,
        max(floor, own),
        "distance from WRF 4.7.1's fields; reference: WRF's own distance from itself at half its time step",
        rule="at most",
    )


def _duration(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds <= 3600 else f"{seconds / 3600:.0f} h"
