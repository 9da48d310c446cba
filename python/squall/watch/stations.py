"""Streams of stations: their positions on the map, and their time series."""

from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from squall.errors import UserError
from squall.geo import globe
from squall.plot import style
from squall.reader.dataset import open_run
from squall.watch.source import calmly
from squall.watch.units import plain

_LONGEST = 200  # stations of a stream on the page


class Stations:
    """One such stream. Made anew when frames have come. Raises UserError for a stream that is none."""

    def __init__(self, run: Path, stream: str) -> None:
        with calmly():
            self._history = globe.stations_on_map(open_run(run, stream=stream))
        if not {"station", "x", "y", "station_name"} <= {*self._history.sizes, *self._history.variables}:
            raise UserError(f"The stream {stream} has no stations.")
        self.stream = stream

    def about(self) -> dict[str, Any]:
        """Names, and places in the plane of the run's first domain [km]."""
        names = [_text(name) for name in self._history["station_name"].values[:_LONGEST]]
        x, y = (np.asarray(self._history[axis].values, float)[:_LONGEST] / 1000 for axis in ("x", "y"))
        return {"stream": self.stream, "names": names, "x": x.tolist(), "y": y.tolist(),
                "frames": int(self._history.sizes["Time"])}  # fmt: skip

    def series(self, station: int, first: int, last: int) -> dict[str, Any]:
        """All its fields without levels at a station, in some of the frames."""
        if station >= self._history.sizes["station"]:
            raise UserError(f"There is no station {station}.")
        frames = slice(first, min(last, self._history.sizes["Time"]))
        part = self._history.isel(station=station, Time=frames)
        with calmly():
            fields = [_series(array) for name, array in part.data_vars.items() if _is_series(array)]
        return {"t": part["elapsed"].values.astype(float).tolist(), "fields": fields,
                "more": last < self._history.sizes["Time"]}  # fmt: skip


def _text(name: Any) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)


def _is_series(array: xr.DataArray) -> bool:
    return array.dims == ("Time",) and array.dtype.kind == "f" and str(array.name) != "XTIME"


def _series(array: xr.DataArray) -> dict[str, Any]:
    shown, factor = style.shown(str(array.attrs.get("units", "")))
    values = (np.asarray(array.values, float) * factor).tolist()
    name = str(array.attrs.get("long_name") or array.attrs.get("description") or array.name)
    return {
        "name": str(array.name), "long_name": name.lower() if name.isupper() else name, "unit": plain(shown),
        "values": [value if np.isfinite(value) else None for value in values],
    }  # fmt: skip
