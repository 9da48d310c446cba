"""The origin of GRIB fields: ensemble member, analysis or forecast, and products that are not a state of the
atmosphere."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from squall.prepare.sources.piece import Made

Get = Callable[[str], Any]  # the value of a key, None where the message has none

MEAN, SPREAD = "mean", "spread"

# Code table 4.7: what is derived of all members.
_DERIVED = {0: MEAN, 1: MEAN, 2: SPREAD, 3: SPREAD, 4: SPREAD, 5: SPREAD, 6: MEAN, 8: "minimum", 9: "maximum"}
# Of ECMWF's types in GRIB 1 and 2.
_TYPES_DERIVED = {"em": MEAN, "es": SPREAD, "taem": MEAN, "ses": SPREAD}
# Code table 4.3.
_ANALYSES = {0, 1}
_NO_STATES = {5: "a probability", 6: "the error of a forecast", 7: "the error of an analysis",
              9: "a climatology"}  # fmt: skip
_TYPES_NO_STATES = {
    "ea": "the error of an analysis", "ef": "the error of a forecast", "me": "the error of a model",
    "eme": "the error of a model", "4i": "increments of an analysis", "ep": "a probability",
    "fp": "a probability", "cl": "a climatology", "efi": "an index of extremes",
    "sot": "an index of extremes",
}  # fmt: skip


def no_state(get: Get) -> str:
    """Describes a product that is not an instantaneous state of the atmosphere; empty for one that is."""
    step = get("stepType")
    if step not in ("instant", None):
        return f"a value over a period ({step}), not an instantaneous one"
    if get("probabilityType") is not None:
        return "a probability"
    if get("percentileValue") is not None:
        return f"the {get('percentileValue')}th percentile of an ensemble"
    told = _NO_STATES.get(get("typeOfGeneratingProcess"), "")
    return told or _TYPES_NO_STATES.get(str(get("dataType")), "")


def member(get: Get) -> str:
    """The member of an ensemble: its number, or what is derived of all; empty: the message says none."""
    derived = get("derivedForecast")
    if derived is not None:
        return _DERIVED.get(derived, f"derived {derived}")
    kind = str(get("dataType"))
    if kind in _TYPES_DERIVED:
        return _TYPES_DERIVED[kind]
    if get("edition") == 1 and get("centre") == "kwbc":
        return _of_ncep(get)
    number = get("perturbationNumber")
    if number is None:
        number = get("number")
    if number is None or (kind in ("an", "fc") and not number and not get("numberOfForecastsInEnsemble")):
        return ""  # ECMWF writes number 0 also where there is no ensemble
    # NCEP perturbed in pairs once: both of a pair have one number.
    return f"-{number}" if get("typeOfEnsembleForecast") == 2 else str(number)


def _of_ncep(get: Get) -> str:
    """The ensemble kind and number from NCEP's extension of GRIB 1, octets 41 to 45 of section 1 (Office Note
    388)."""
    kind, number = get("type"), get("identificationNumber")
    if number is None or kind not in (1, 2, 3):
        return MEAN if number is not None and kind == 5 else ""
    return "0" if kind == 1 else f"{'-' if kind == 2 else ''}{number}"


def made(get: Get, valid: datetime) -> Made:
    """The analysis or forecast."""
    day, clock = get("dataDate"), get("dataTime")
    try:
        start = datetime.strptime(f"{day:08d}{clock:04d}", "%Y%m%d%H%M")
    except (TypeError, ValueError):
        start = None
    process = "forecast"
    if get("dataType") == "an" or (get("typeOfGeneratingProcess") in _ANALYSES and start == valid):
        process = "analysis"
    version = str(get("experimentVersionNumber") or "") if get("centre") == "ecmf" else ""
    return Made(start, process, version)
