"""WRF's namelist.fire beside a namelist: how moist the fuel is, and fuels that are not Anderson's."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isclose
from pathlib import Path
from typing import Any

from squall.errors import UserError
from squall.run_files.schema import Schema
from squall.wrf import fortran
from squall.wrf.fortran_values import Refused, Value
from squall.wrf.rules import Setting
from squall.wrf.translate import Translation, is_default

NAME = "namelist.fire"
_GROUPS = ("fuel_scalars", "fuel_categories", "fuel_moisture")
#: Of a category, what WRF's keys are in [fire].
_CATEGORY = {"fgi": "load", "fueldepthm": "depth", "savr": "surface_to_volume", "fuelmce": "extinction",
             "weight": "weight", "ichap": "chaparral"}  # fmt: skip
_CLASSES = ("fgi_1h", "fgi_10h", "fgi_100h", "fgi_1000h", "fgi_live")
_ALIKE = {"fueldens": 32.0, "st": 0.0555, "se": 0.01}
_HEAT = 17.433e6  # of combustion [J/kg]
_NO_FUEL = 14
#: As far as two roundings of Anderson's tons per acre may be apart.
_ROUNDED = 2e-3
#: Of the classes of fuel whose moisture a model predicts.
_MOISTURE: Mapping[str, Sequence[float]] = {
    "moisture_classes": [5], "drying_lag": [1, 10, 100, 1000, 1e9], "wetting_lag": [1.4, 14, 140, 1400, 1e9],
    "saturation_moisture": [2.5] * 5, "saturation_rain": [8] * 5, "rain_threshold": [0.05] * 5,
    "drying_model": [1] * 5, "wetting_model": [1] * 5, "fmc_gc_initialization": [2, 2, 2, 2, 3],
    "fmc_live": [0.3],
}  # fmt: skip

Group = Mapping[str, list[Value | None]]


def take(translation: Translation, folder: Path, schema: Schema) -> None:
    """Where the namelist has a fire and `folder` this file: sets the moisture of the fuel, and tells what of
    the file the fire does not have. Raises UserError for what WRF could not read."""
    entries = (*translation.translated, *translation.lost)
    entry = next((one for one in entries if one.key == "ifire" and one.settings), None)
    path = folder / NAME
    if entry is None or not path.is_file():
        return
    told = _read(path)
    settings = dict(entry.settings)
    if "fire.moisture" not in settings:
        moisture: Setting = float((told["fuel_scalars"].get("fuelmc_g") or [0.08])[0] or 0)
        if not is_default("fire.fuel_moisture", moisture, schema):
            settings["fire.fuel_moisture"] = moisture
    lost = "; ".join(filter(None, [entry.lost, *_differing(told, settings, schema.fuels)]))
    (translation.lost if entry in translation.lost else translation.translated).remove(entry)
    taken = replace(entry, settings=settings, lost=lost)
    (translation.lost if lost else translation.translated).insert(0, taken)


def _read(path: Path) -> Mapping[str, Group]:
    try:
        groups = fortran.read(fortran.text_of(path), _GROUPS).groups
    except Refused as error:
        raise UserError(f"{path}:{error.line}: {error}.") from error
    return {name: groups[name].values if name in groups else {} for name in _GROUPS}


def _differing(
    told: Mapping[str, Group], settings: Mapping[str, Setting], fuels: list[dict[str, Any]]
) -> Iterator[str]:
    scalars, predicts = told["fuel_scalars"], settings.get("fire.moisture") == "model"
    if not _are(scalars.get("cmbcnst"), [_HEAT]):
        yield f"dry fuel gives off {_HEAT:g} J/kg, not cmbcnst of {NAME}"
    if not _are(scalars.get("no_fuel_cat"), [_NO_FUEL]):
        yield f"the category without fuel is {_NO_FUEL}, not no_fuel_cat of {NAME}"
    first, last = 1, len(fuels)
    if settings.get("fire.fuel", "category") == "category":
        first = last = int(str(settings.get("fire.fuel_category", 1)))
    others = [
        str(category)
        for category, fuel in enumerate(fuels, 1)
        if first <= category <= last and not _is(told["fuel_categories"], category, fuel, predicts)
    ]
    if others:
        yield f"fuel is Anderson's, other than in {NAME} in category {', '.join(others)}"
    if predicts:
        group = told["fuel_moisture"]
        keys = [key for key, usual in _MOISTURE.items() if not _are(group.get(key), usual)]
        if keys:
            yield f"the moisture of fuel is predicted with WRF's {', '.join(keys)}, not those of {NAME}"


def _is(told: Group, category: int, fuel: Mapping[str, Any], with_classes: bool) -> bool:
    """Whether a category is as here, so far as the file says."""
    usual = {key: float(fuel[name]) for key, name in _CATEGORY.items()} | _ALIKE
    if with_classes:
        usual |= dict(zip(_CLASSES, fuel["classes"], strict=True))
    return all(_are(told.get(key, [])[category - 1 : category], [value]) for key, value in usual.items())


def _are(told: list[Value | None] | None, usual: Sequence[float]) -> bool:
    """Whether numbers are as usual, those that are told."""
    pairs = zip(told or [], usual, strict=False)
    return all(value is None or _is_close(value, number) for value, number in pairs)


def _is_close(value: Value, number: float) -> bool:
    return not isinstance(value, str) and isclose(float(value), number, rel_tol=_ROUNDED)
