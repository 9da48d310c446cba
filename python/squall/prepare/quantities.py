"""Quantities as run files write them: "30 km", "50 hPa", "45 degrees"."""

import re

_HOUR, _DAY = 3600.0, 86400.0
_UNITS = {
    "length": {"m": 1.0, "km": 1e3},
    "pressure": {"Pa": 1.0, "hPa": 1e2},
    "angle": {"degrees": 1.0, "degree": 1.0, "deg": 1.0},
    "time": {
        "s": 1.0, "min": 60.0, "h": _HOUR, "hour": _HOUR, "hours": _HOUR, "d": _DAY, "day": _DAY,
        "days": _DAY,
    },
}  # fmt: skip
_IN_WORDS = {
    "length": 'a length in m or km, such as "30 km"',
    "pressure": 'a pressure in Pa or hPa, such as "50 hPa"',
    "angle": 'an angle in degrees, such as "45 degrees"',
    "time": 'a time in s, min, h or d, such as "12 h"',
}
_LARGER = {"length": ("km", 1e3), "pressure": ("hPa", 1e2), "angle": ("degrees", 1.0), "time": ("h", _HOUR)}
_FORM = re.compile(r"\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*([A-Za-z]+)\s*")


def quantity(text: object, kind: str) -> float:
    """In m, Pa, degrees or s. kind: "length", "pressure", "angle" or "time". Raises ValueError, saying
    what would be right."""
    found = _FORM.fullmatch(text) if isinstance(text, str) else None
    if found is None or found[2] not in _UNITS[kind]:
        shown = f'"{text}"' if isinstance(text, str) else str(text)
        raise ValueError(f"{shown} is not {_IN_WORDS[kind]}")
    return float(found[1]) * _UNITS[kind][found[2]]


def spell(value: float, kind: str) -> str:
    """The other way round, in km, hPa, degrees and h (s where it is no whole number of minutes)."""
    unit, factor = ("s", 1.0) if kind == "time" and value % 60 else _LARGER[kind]
    return f"{value / factor:.10g} {unit}"
