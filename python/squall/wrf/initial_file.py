"""Settings for a WRF initial file, from its global attributes."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np

from squall.errors import UserError
from squall.run_files.by_spacing import EDDIES_RESOLVED, RESOLVED, SMALLER_EDDIES, suite_for
from squall.run_files.schema import Schema
from squall.run_files.time_steps import step_up_to
from squall.wrf.dates import written
from squall.wrf.namelist import Namelist, Value
from squall.wrf.rules import Setting
from squall.wrf.translate import translate

_NEXT_TIME = "md___nextbdytimee_x_t_d_o_m_a_i_n_m_e_t_a_data_"
_LENGTH = 6 * 3600.0  # of a run without a boundary file [s]
_LAYOUT = {"use_theta_m": 0}  # where it is absent the file is of WRF 3
_MOUNTAINS = ("VAR", "CON", *(f"{kind}{n}" for kind in ("OA", "OL") for n in (1, 2, 3, 4)))
#: What a surface layer and the simplest land begin with.
_GROUND = {"LU_INDEX", "XLAND", "TSK", "TSLB", "TMN"}
#: And Noah beside it.
_SOIL = {"SMOIS", "ISLTYP", "VEGFRA", "SHDMIN", "SHDMAX"}
_SCHEMES = ("mp_physics", "bl_pbl_physics", "sf_sfclay_physics")
_MIXING = ("diff_opt", "km_opt", "khdif", "kvdif", "damp_opt", "dampcoef")
# As is usual for weather; what real.exe leaves in its files is often not what WRF is run with.
_REAL_MIXING = {"diff_opt": 1, "km_opt": 4, "damp_opt": 3, "dampcoef": 0.2}

Settings = dict[str, dict[str, Setting]]


def settings(file: Path, schema: Schema) -> tuple[Settings, str]:
    """Tables of settings for a run from `file`, and from the boundary file beside it if there is one, and
    the time at which it begins. Raises UserError for what is no initial file."""
    attributes = attributes_of(file)
    for key in ("dx", "dy", "start_date"):
        if key not in attributes:
            raise UserError(f"{file} is not a WRF initial file: it has no attribute {key.upper()}.")
    for key in ("dx", "dy"):
        if not (isinstance(size := attributes[key], int | float) and 0 < size < np.inf):
            raise UserError(f"{file}: its attribute {key.upper()}, {size}, is not a grid spacing in metres.")
    real = attributes.get("map_proj", 0) != 0
    start = str(attributes["start_date"])
    boundary, length = _boundary(file, start) if real else (file, _LENGTH)
    tables: Settings = {"run": {}, "domain": {}}
    namelist = _namelist(attributes, length, real=real, drag=real and _has_mountains(file))
    for key, (value, _) in translate(namelist, schema).settings().items():
        table, name = key.rsplit(".", 1)
        tables.setdefault(table, {})[name] = value
    if real and (land := _land(file)):
        _set_physics(tables, min(float(attributes["dx"]), float(attributes["dy"])), land)
    tables["initial"] = {"file": str(file)}
    if real:
        tables["boundary"] = tables.get("boundary", {}) | {"file": str(boundary)}
    tables["output.history"] = {"interval": "1 h"}
    return tables, start


def attributes_of(file: Path) -> dict[str, Value]:
    """The global attributes, by name in lower case. Raises UserError for what is no netCDF file."""
    with _open(file) as data:
        return {key.lower(): _plain(data.getncattr(key)) for key in data.ncattrs()}


def _open(file: Path) -> netCDF4.Dataset:
    try:
        return netCDF4.Dataset(file)
    except OSError as error:
        raise UserError(f"Cannot read {file} as netCDF: {error.strerror or error}.") from error


def _plain(value: Any) -> Value:
    if isinstance(value, np.floating):
        return float(f"{value:.6g}")  # single precision
    return value.item() if isinstance(value, np.generic) else str(value)


def _boundary(file: Path, start: str) -> tuple[Path, float]:
    """The boundary file of an initial file, which need not be there, and how long a run is by it [s]. Raises
    UserError where one of its own name cannot be read."""
    own = file.with_name(file.name.replace("wrfinput", "wrfbdy"))
    if own != file and own.is_file():
        first, last = times_of(own)
        return own, (last - first).total_seconds()
    usual = file.with_name("wrfbdy_d01")
    if "wrfinput" in file.name and "d01" not in file.name:
        return own, _LENGTH  # of another domain, which it does not fit
    if usual.is_file():
        try:
            first, last = times_of(usual)
        except UserError:
            return usual, _LENGTH  # it may be another run's
        if first == written(start):
            return usual, (last - first).total_seconds()
    return usual if own == file else own, _LENGTH


def times_of(boundary: Path) -> tuple[datetime, datetime]:
    """When the first record of a boundary file begins and the last ends. Raises UserError for others."""
    with _open(boundary) as data:
        for name in ("Times", _NEXT_TIME):
            if name not in data.variables:
                raise UserError(f"{boundary} is not a WRF boundary file: it has no {name}.")
            if data[name].ndim != 2 or len(data[name]) == 0:
                raise UserError(f"{boundary} contains no record: its {name} is empty.")
        texts = [
            np.ma.filled(data[name][at], b" ").tobytes().decode("latin-1").strip(" \0")
            for name, at in (("Times", 0), (_NEXT_TIME, -1))
        ]
    first, last = (written(text) for text in texts)
    if first is None or last is None or last <= first:
        raise UserError(
            f"{boundary} does not give the times of its records: its Times range from "
            f'"{texts[0]}" to "{texts[1]}".'
        )
    return first, last


def _has_mountains(file: Path) -> bool:
    """Whether the file tells of those within cells."""
    with _open(file) as data:
        return set(_MOUNTAINS) <= set(data.variables)


def _land(file: Path) -> str:
    """The land that the file's soil does for; empty: it does not tell of the ground."""
    with _open(file) as data:
        if not set(data.variables) >= _GROUND:
            return ""
        if not set(data.variables) >= _SOIL:
            return "slab"
        moist = np.all(np.ma.getdata(data["SMOIS"][0]) > 0, axis=0) | (data["XLAND"][0] > 1.5)  # or water
        return "noah" if np.all(moist) else "slab"


def _set_physics(tables: Settings, spacing: float, land: str) -> None:
    """Schemes by the spacing, as of a prepared run, in place of those few that the attributes name."""
    named = tables.pop("physics", {})
    tables["physics"] = {"suite": suite_for(spacing)}
    if land != "noah":
        tables["physics"]["land"] = land
    if "gravity_wave_drag" in named:
        tables["physics"]["gravity_wave_drag"] = named["gravity_wave_drag"]
    if spacing <= EDDIES_RESOLVED:
        tables["physics"]["boundary_layer"] = "resolved"
        tables["diffusion"] = dict(SMALLER_EDDIES)


def _namelist(attributes: Mapping[str, Value], seconds: float, *, real: bool, drag: bool) -> Namelist:
    """A namelist that WRF might run the file with. drag: by mountains within cells, if these are large."""
    spacing = min(float(attributes["dx"]), float(attributes["dy"]))
    step = step_up_to(6e-3 * spacing)
    keys: dict[str, dict[str, Value]] = {
        "time_control": {"run_seconds": seconds, "history_interval": 60},
        "domains": {
            "time_step": int(step),
            "time_step_fract_num": (step % 1).numerator,
            "time_step_fract_den": (step % 1).denominator,
            "dx": attributes["dx"],
            "dy": attributes["dy"],
        },
        "dynamics": {
            "gwd_opt": int(drag and spacing > RESOLVED),
            "use_theta_m": attributes.get("use_theta_m", _LAYOUT["use_theta_m"]),
            **(_REAL_MIXING if real else {key: attributes.get(key, 0) for key in _MIXING}),
        },
        "physics": {key: attributes.get(key, 0) for key in _SCHEMES},
        "bdy_control": {"specified": True} if real else {"periodic_x": True, "periodic_y": True},
    }
    return Namelist({group: {key: [value] for key, value in of.items()} for group, of in keys.items()})
