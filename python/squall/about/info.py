"""`squall info`: domain, map, times, fields and sizes of a run or a file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from rich.text import Text

from squall import diagnose, quantity
from squall.about.rows import aligned
from squall.diagnose import spacing
from squall.errors import UserError
from squall.plot import times
from squall.printable import cell, printable
from squall.reader.clock import date_after, iso
from squall.reader.dataset import open_run
from squall.reader.frames import history_files, streams
from squall.reader.history_file import holds_frames
from squall.runs import manifest, run_state

_NO_FIELDS = {"XTIME", "Times", "Time", "elapsed", "ITIMESTEP"}
_VERTICAL = ("bottom_top", "bottom_top_stag", "pressure_level", "height_level", "ground_level", "theta_level",
             "soil_layers_stag")  # fmt: skip


def info(path: Path, only: str | None = None) -> dict[str, Any]:
    """What there is of a run directory, or of one file or engine's directory.

    Keys: path, kind ("run", "file"), state (of a run), streams; of each stream that can be read: name,
    frames, first, last (ISO 8601, or None without dates), seconds (of the first and the last frame since the
    start), interval [s] (None where it varies), files, bytes, domain, map, fields, derived. only: this stream
    alone. Raises UserError where there is nothing to read, or no such stream.
    """
    if holds_frames(path):
        return {"path": str(path), "kind": "file", "streams": [_stream(path, path.name, [path])]}
    if not path.is_dir():
        raise UserError(f"There is no run directory or file {path}.")
    state = _state(path)
    names = _names(path)
    if only is not None:
        if only not in names:
            history_files(path, stream=only)  # says what there is
        names = [only]
    found = []
    for name in names:
        try:
            found.append(_stream(path, name, history_files(path, stream=name)))
        except UserError as error:
            if only is not None or len(names) == 1:
                raise
            found.append({"name": name, "error": str(error)})
    return {"path": str(path), "kind": "run", "state": state, "streams": found}


def _names(run: Path) -> list[str]:
    known = streams(run)
    restart = [] if not manifest.of_part(run, "restart") else ["restart"]
    return [*(known or ["history"]), *restart]


def _state(run: Path) -> str | None:
    try:
        return run_state.state_of(run).word
    except UserError:
        return None  # files alone, such as somebody copied


def _stream(run: Path, name: str, files: list[Path]) -> dict[str, Any]:
    history = open_run(run, stream=name) if run.is_dir() and not holds_frames(run) else open_run(run)
    if not history.data_vars:
        raise UserError(f"{run} holds no fields: it is empty, or damaged.")
    seconds = history["elapsed"].values.astype(float)
    steps = np.diff(seconds)
    even = len(steps) > 0 and np.allclose(steps, steps[0], atol=0.5)
    return {
        "name": name,
        "frames": len(seconds),
        "first": _date(history, 0),
        "last": _date(history, -1),
        "seconds": [float(seconds[0]), float(seconds[-1])],
        "interval": float(steps[0]) if even else None,
        "files": len(files),
        "bytes": sum(_size(file) for file in files),
        "domain": _domain(history),
        "map": _map(history),
        "fields": [_field(str(n), a) for n, a in history.variables.items() if n not in _NO_FIELDS],
        "derived": [n for n in diagnose.available(history) if n not in history.variables],
    }


def _date(history: xr.Dataset, frame: int) -> str | None:
    begun = times.start(history)
    return None if begun is None else iso(date_after(begun, float(history["elapsed"][frame])))


def _size(file: Path) -> int:
    if file.is_dir():
        return sum(inner.stat().st_size for inner in file.rglob("*") if inner.is_file())
    return file.stat().st_size


def _domain(history: xr.Dataset) -> dict[str, Any]:
    """Cells, spacing [m], and the size [m]."""
    nx, ny = (history.sizes.get(dim) for dim in ("west_east", "south_north"))
    dx, dy = (spacing.told(history, dim) for dim in ("west_east", "south_north"))
    found: dict[str, Any] = {"nx": nx, "ny": ny, "nz": history.sizes.get("bottom_top"), "dx": dx, "dy": dy}
    return {name: value for name, value in found.items() if value is not None}


def _map(history: xr.Dataset) -> dict[str, Any] | None:
    """CF's attributes of the map, and the corners' latitudes and longitudes [degrees], from the southwestern
    on anticlockwise."""
    told = diagnose.grid_mapping(history)
    places = {"XLAT", "XLONG"} <= set(history.variables)
    if told is None or not places:
        return None
    latitude, longitude = (_last(history[name]).values for name in ("XLAT", "XLONG"))
    if latitude.ndim != 2:
        return None
    ends = ((0, 0), (0, -1), (-1, -1), (-1, 0))
    plain = {
        name: np.ravel(value).tolist() if np.size(value) > 1 else value
        for name, value in told[1].attrs.items()
    }
    corners = [[round(float(latitude[at]), 4), round(float(longitude[at]), 4)] for at in ends]
    return {**{name: _plain(value) for name, value in plain.items()}, "corners": corners}


def _last(array: xr.DataArray) -> xr.DataArray:
    return array.isel(Time=-1) if "Time" in array.dims else array


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic | np.ndarray) else value


def _field(name: str, array: xr.Variable) -> dict[str, Any]:
    level = next((str(dim) for dim in array.dims if dim in _VERTICAL), None)
    long_name = array.attrs.get("long_name") or array.attrs.get("description", "")
    return {
        "name": name,
        "units": str(array.attrs.get("units", "")),
        "long_name": str(long_name),
        "dims": [str(dim) for dim in array.dims],
        "shape": list(array.shape),
        "type": str(array.dtype),
        "levels": array.sizes[level] if level else None,
    }


def lines(found: dict[str, Any], width: int) -> Iterator[Text]:
    """For people, on a terminal of so many characters."""
    state = f"  {found['state']}" if found.get("state") else ""
    if found["kind"] == "run":
        yield cell(f"{found['path']}{state}")
    for stream in found["streams"]:
        if found["kind"] == "run":
            yield Text()
        if "error" in stream:
            yield cell(f"{stream['name']}: {stream['error']}")
            continue
        yield cell(f"{stream['name']}: {_times(stream)}")
        yield cell(f"  {_volume(stream)}")
        for line in _place(stream):
            yield cell(f"  {line}")
        for line in aligned(list(_rows(stream["fields"])), right={2}, most=width - 2):
            yield Text("  " + line)
        if stream["derived"]:
            yield cell(
                f"  and {len(stream['derived'])} derived fields, such as {', '.join(stream['derived'][:4])}"
            )


def _times(stream: dict[str, Any]) -> str:
    count = "1 frame" if stream["frames"] == 1 else f"{stream['frames']} frames"
    first, last = (stream[end] or _after(stream["seconds"][n]) for end, n in (("first", 0), ("last", -1)))
    if stream["frames"] == 1:
        return f"{count}, {first}"
    every = f", every {times.in_words(stream['interval'])}" if stream["interval"] else ""
    return f"{count}, {first} to {last}{every}"


def _after(seconds: float) -> str:
    return f"{times.in_words(seconds)} after the start"


def _volume(stream: dict[str, Any]) -> str:
    files = "1 file" if stream["files"] == 1 else f"{stream['files']} files"
    return f"{files}, {_bytes(stream['bytes'])}"


def _bytes(number: float) -> str:
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.0f} B"


def _place(stream: dict[str, Any]) -> Iterator[str]:
    domain, on_map = stream["domain"], stream["map"]
    cells = " x ".join(str(domain[name]) for name in ("nx", "ny", "nz") if name in domain)
    if cells:
        apart = [f"{domain[name] / 1000:g}" for name in ("dx", "dy") if name in domain]
        apart = apart[:1] if len(set(apart)) == 1 else apart
        yield f"{cells} cells" + (f" of {' x '.join(apart)} km" if apart else "")
    if on_map:
        (south, west), _, (north, east), _ = on_map["corners"]
        ends = " to ".join(
            f"{quantity.latitude(a)} {quantity.longitude(o)}" for a, o in ((south, west), (north, east))
        )
        yield f"{on_map['grid_mapping_name'].replace('_', ' ')} map, {ends}"
    elif cells:
        yield "no map"


def _rows(fields: list[dict[str, Any]]) -> Iterator[Sequence[str]]:
    yield "field", "units", "levels", "what"
    for field in fields:
        words = printable(field["long_name"])
        levels = "" if field["levels"] is None else str(field["levels"])
        yield (
            printable(field["name"]),
            printable(field["units"]),
            levels,
            words.lower() if words.isupper() else words,
        )
