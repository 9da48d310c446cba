"""Opens a run's history as one xarray dataset, lazily: frames are read when values are asked for.

    >>> from squall.reader.dataset import open_run
    >>> history = open_run("runs/baroclinic-wave")
    >>> history.T.isel(Time=-1, bottom_top=0)

Works on what any engine wrote, and as well on WRF's own history files.
"""

import json
import tomllib
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from squall.errors import UserError
from squall.reader import clock as clocks
from squall.reader import lazy_variable
from squall.reader.clock import Clock, iso
from squall.reader.frames import Frame, Held, history_files, index, naming, streams
from squall.reader.history_file import Stored
from squall.runs import wrf_run

__all__ = ["Frame", "as_history", "history_files", "of_frames", "open_run", "streams", "undecoded"]

Array = np.ndarray[Any, np.dtype[Any]]


def open_run(
    path: str | Path, domain: int = 1, chunks: Mapping[str, int] | None = None, stream: str = "history"
) -> xr.Dataset:
    """Opens the history or another stream of a run directory, or a single file, as `xarray.open_dataset(path,
    engine="squall")` does.

    Names, dimensions and units are those of the files, which follow WRF. Added are the coordinate `elapsed`
    on Time, seconds since the start of the run, and, if the run directory provides them, the attributes
    `CASE`, the built-in case, and `PHYSICS`, the names of its schemes. The dataset contains the frames
    published so far; open it again to see later ones. Only times are read at first; values are read on
    access, and only the requested frames and boxes, so a run may be larger than memory. With `chunks`, such
    as {"Time": 1}, variables are Dask arrays with these chunk sizes (dimensions not named are not split), and
    results computed from them are too. Raises UserError if there is nothing to open or it cannot be read.
    """
    decoded = decode(undecoded(Path(path), stream, domain))
    if chunks is None:
        return decoded
    try:
        return decoded.chunk({dim: chunks.get(str(dim), -1) for dim in decoded.dims})
    except ImportError as error:
        raise UserError("chunks needs Dask: pip install dask.") from error


def undecoded(path: Path, stream: str = "history", domain: int = 1) -> xr.Dataset:
    """As open_run, before CF's attributes are applied: what a reader of xarray's starts from."""
    frames, clock = index(history_files(path, domain, stream))
    return of_frames(frames, clock, path if path.is_dir() else path.parent)


def of_frames(frames: Sequence[Held], clock: Clock, directory: Path | None) -> xr.Dataset:
    """The dataset of these frames, in their order, undecoded. clock: of these frames. directory: of the run,
    if it is known."""
    with naming(frames[0].file):
        first = frames[0].open()
        found = first.variables()
        attributes = dict(first.attributes)
    variables = {name: lazy_variable.over(name, stored, frames) for name, stored in found.items()}
    # It has been read to find the frames, so that no file is opened for it again.
    minutes, told = clock.xtime()
    for name in ("XTIME", "Time"):
        if name == "XTIME" or (name in found and _alike(found[name].attributes, told)):
            variables[name] = _at_hand(minutes, told, found.get(name))
    for variable in variables.values():
        # No time but a span of one, which would be decoded as a time.
        if variable.attrs.get("units", "").startswith("seconds since") and variable.dims != ("Time",):
            del variable.attrs["units"]
    dataset = xr.Dataset(variables, attrs=attributes | _told(directory, attributes))
    return dataset.set_coords("XTIME").assign_coords(elapsed=elapsed(clock))


def elapsed(clock: Clock) -> xr.Variable:
    """Seconds since the start of the run; the attribute `start` is its date, "" if unknown."""
    told = {"units": "s", "long_name": "time since the start", "start": ""}
    if clock.start is not None:
        told |= {"start": iso(clock.start), "start_calendar": clock.start.calendar}
    return xr.Variable("Time", clock.seconds, told)


def _alike(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    return a.get("units") == b.get("units")


def _at_hand(values: Array, told: Mapping[str, Any], stored: Stored | None) -> xr.Variable:
    if stored is None or not _alike(stored.attributes, told):
        return xr.Variable("Time", values, told)
    return xr.Variable("Time", values.astype(stored.dtype), stored.attributes, stored.encoding)


def decode(dataset: xr.Dataset, **how: Any) -> xr.Dataset:
    """With CF's attributes applied, as xarray.decode_cf does it."""
    with warnings.catch_warnings():
        # Idealised runs may start in the year 1, which xarray decodes as cftime's dates: and says so.
        warnings.simplefilter("ignore", xr.SerializationWarning)
        decoded = xr.decode_cf(dataset, **how)
        for name in ("XTIME", "Time"):
            if name in decoded.variables:
                decoded[name].load()
    return _by_dates(decoded.set_coords(_mappings(decoded)))


def _mappings(dataset: xr.Dataset) -> list[str]:
    """CF's descriptions of the map: coordinates, so that a field that has one fits into the dataset."""
    described = {str(name): variable for name, variable in dataset.data_vars.items()}
    return [name for name, v in described.items() if "grid_mapping_name" in v.attrs and not v.dims]


def _by_dates(history: xr.Dataset) -> xr.Dataset:
    """With the index of times that WRF's own files lack, so that frames are chosen by their dates."""
    xtime = history.variables.get("XTIME")
    if (
        "Time" in history.variables
        or xtime is None
        or xtime.dims != ("Time",)
        or xtime.dtype.kind not in "MO"
    ):
        return history
    told = {"standard_name": "time", "long_name": "time", "axis": "T"}
    return history.assign_coords(Time=xr.Variable("Time", xtime.values, told))


def as_history(dataset: xr.Dataset) -> xr.Dataset:
    """Gives a dataset in WRF's layout, however it was opened, the form that `open_run` returns: with the
    dimension Time and the coordinate `elapsed`. A single frame may lack the dimension Time. Raises UserError
    if the dataset has no times.
    """
    along = next((name for name in clocks.DIMENSIONS if name in dataset.dims), None)
    history = dataset if along else dataset.expand_dims("Time")
    if along and along != "Time":
        history = history.rename_dims({along: "Time"})
    if "elapsed" in history.coords:
        if "Time" in history["elapsed"].dims:
            return history
        # A single frame, as squall.follow gives it.
        return history.assign_coords(elapsed=history["elapsed"].expand_dims("Time"))
    stored: dict[str, clocks.Values] = {}
    for name in clocks.NAMES:
        if name in history.variables and history[name].dims[:1] in ((), ("Time",)):
            variable = history[name].variable
            told = variable.attrs | {k: variable.encoding[k] for k in ("units",) if k in variable.encoding}
            stored |= _counted(name, np.atleast_1d(variable.values), told)
    try:
        clock = clocks.read(history.attrs, stored, history.sizes["Time"])
    except UserError as error:
        raise UserError(f"The dataset is not a history: {error}") from error
    return history.assign_coords(elapsed=elapsed(clock))


def _counted(name: str, values: Array, told: dict[str, Any]) -> dict[str, clocks.Values]:
    """A variable that tells times, with those that xarray has decoded as they were in a file."""
    if values.dtype.kind == "M":
        counted_from = clocks.parse(str(told.get("units", "")).partition(" since ")[2])
        if counted_from is None:
            return {"Times": (np.datetime_as_string(values, "ms"), {})}
        start = np.datetime64(iso(counted_from), "ms")
        minutes = (values.astype("datetime64[ms]") - start) / np.timedelta64(60000, "ms")
        return {name: (minutes, {"units": f"minutes since {iso(counted_from)}"})}
    if values.dtype.kind == "m":
        return {name: (values / np.timedelta64(1, "m"), {"units": "minutes"})}
    if values.dtype.kind == "O" and name != "Times":  # dates of a calendar of its own
        return {"Times": (np.array([str(value) for value in values]), {})}
    return {name: (values, told)}


def _told(directory: Path | None, attributes: Mapping[str, Any]) -> dict[str, str]:
    """What a run directory's run.toml says that its files do not: the built-in case, the physics, and where
    nests lie in the domain; of WRF only the last, which its namelist.input says."""
    if directory is None:
        return {}
    try:
        settings = tomllib.loads((directory / "run.toml").read_text())
    except (OSError, tomllib.TOMLDecodeError):
        nests = wrf_run.nests(directory, attributes)
        return {"NESTS": json.dumps(nests)} if nests else {}
    case = settings.get("initial", {}).get("case")
    schemes = settings.get("physics", {})
    named = [
        f"{what.replace('_', ' ')} {name}"
        for what, name in schemes.items()
        if isinstance(name, str) and not what.endswith(("_interval", "_tables"))
    ]
    physics = ", ".join(name for name in named if not name.endswith(" none"))
    told = ({"CASE": str(case)} if case else {}) | {"PHYSICS": physics}
    nests = _nests(settings.get("nest", {}), attributes, directory)
    return told | ({"NESTS": json.dumps(nests)} if nests else {})


def _nests(
    tables: Mapping[str, Mapping[str, Any]], attributes: Mapping[str, Any], directory: Path
) -> list[dict[str, Any]]:
    """Those right inside the domain of these attributes: first cells, from 1, and how many of its cells they
    cover; of those that move also `path`: seconds since the start, and first cells from then on, x and y."""
    found = []
    order = _in_order(tables)
    around = dict(enumerate(["", *order], start=1)).get(int(attributes.get("GRID_ID", 1)))
    for domain, name in enumerate(order, start=2):
        nest = tables[name]
        if nest.get("parent", "") != around:
            continue
        moves = any(key in nest for key in ("moves", "track", "follow"))
        path = _path(directory, domain) if moves else None
        ratio = nest.get("parent_grid_ratio", 3)
        width, height = nest["nx"] / ratio, nest["ny"] / ratio
        if path:
            i, j = path[1][0], path[2][0]
        elif "track" in nest:
            continue  # its history would tell where it begins
        elif "center_latitude" in nest:
            i, j = _around(nest, (width, height), attributes)
        else:
            i, j = nest["i_parent_start"], nest["j_parent_start"]
        place = {"name": name, "i": i, "j": j, "width": width, "height": height}
        found.append(place | ({"path": path} if path else {}))
    return found


def _in_order(tables: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Names of nests as the model numbers their domains, from 2: as declared, but parents first."""
    rest, order = list(tables), list[str]()
    while ready := next((n for n in rest if tables[n].get("parent", "") in ("", *order)), None):
        rest.remove(ready)
        order.append(ready)
    return order


def _path(directory: Path, domain: int) -> list[list[float]] | None:
    """Where a nest was, as its own history tells; None without one."""
    try:
        nest = undecoded(directory, domain=domain)
    except UserError:
        return None
    return [nest["elapsed"].values.tolist(), *(nest[f"{way}_PARENT_START"].values.tolist() for way in "IJ")]


def _around(
    nest: Mapping[str, Any], size: tuple[float, float], attributes: Mapping[str, Any]
) -> tuple[int, int]:
    """The first cells of a nest whose middle is told, from 1; size: in cells of the domain."""
    from squall.geo.domain import Domain
    from squall.geo.maps import projection
    from squall.quantity import quantity

    cells = (int(attributes[f"{way}_GRID_DIMENSION"]) - 1 for way in ("WEST-EAST", "SOUTH-NORTH"))
    spacing = (float(attributes[name]) for name in ("DX", "DY"))
    middle = (float(attributes[name]) for name in ("CEN_LAT", "CEN_LON"))
    domain = Domain(projection(attributes), *cells, *spacing, *middle)
    longitude, latitude = (quantity(nest[f"center_{which}"], "angle") for which in ("longitude", "latitude"))
    return domain.start_around(longitude, latitude, *size)
