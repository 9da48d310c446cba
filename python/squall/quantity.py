"""Parses and formats quantities such as "30 km", "50 hPa", "45 degrees" and "36 h".

Used for run files, for options of commands, and for functions that accept a number or a text.
"""

import re
from typing import Literal, NamedTuple

Kind = Literal["length", "pressure", "angle", "time", "temperature"]

_HOUR, _DAY = 3600.0, 86400.0
# The same units as the model's (model/src/config/units.cpp).
_UNITS: dict[Kind, dict[str, float]] = {
    "length": {"m": 1.0, "km": 1e3},
    "pressure": {"Pa": 1.0, "hPa": 1e2},
    "angle": {"degrees": 1.0, "degree": 1.0, "deg": 1.0},
    "time": {
        "s": 1.0, "min": 60.0, "h": _HOUR, "hour": _HOUR, "hours": _HOUR, "d": _DAY, "day": _DAY,
        "days": _DAY,
    },
    "temperature": {"K": 1.0},
}  # fmt: skip
# Further units that options accept, but run files do not.
_SPOKEN: dict[Kind, dict[str, float]] = {
    "length": {},
    "pressure": {"mb": 1e2, "mbar": 1e2, "hpa": 1e2, "pa": 1.0},
    "angle": {"°": 1.0},
    "time": {"sec": 1.0, "minutes": 60.0, "hr": _HOUR, "hrs": _HOUR},
    "temperature": {},
}
_IN_WORDS: dict[Kind, str] = {
    "length": 'a length in m or km, such as "30 km"',
    "pressure": 'a pressure in Pa or hPa, such as "50 hPa"',
    "angle": 'an angle in degrees, such as "45 degrees"',
    "time": 'a time in s, min, h or d, such as "12 h"',
    "temperature": 'a temperature in K, such as "320 K"',
}
_LARGER: dict[Kind, tuple[str, float]] = {
    "length": ("km", 1e3), "pressure": ("hPa", 1e2), "angle": ("degrees", 1.0), "time": ("h", _HOUR),
    "temperature": ("K", 1.0),
}  # fmt: skip
_FORM = re.compile(r"\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*([A-Za-z°]+)\s*")


class Quantity(NamedTuple):
    """A value in m, Pa, degrees, s or K, its kind, and the unit that it was given in."""

    value: float
    kind: Kind
    unit: str

    @property
    def factor(self) -> float:
        """The given unit in SI units."""
        return (_UNITS[self.kind] | _SPOKEN[self.kind])[self.unit]


def parse(text: str, *kinds: Kind) -> Quantity:
    """Parses a quantity of any of several kinds, such as "500mb" or "5 km". Raises ValueError, with the
    accepted forms, if it is none."""
    found = _FORM.fullmatch(text)
    for kind in kinds:
        units = _UNITS[kind] | _SPOKEN[kind]
        if found is not None and found[2] in units:
            return Quantity(_number(found[1], text) * units[found[2]], kind, found[2])
    raise ValueError(f'"{text}" is not {" or ".join(_IN_WORDS[kind] for kind in kinds)}')


def quantity(text: object, kind: Kind) -> float:
    """Converts a quantity of a run file to m, Pa, degrees or s. Raises ValueError, with the accepted form, if
    it is none."""
    found = _FORM.fullmatch(text) if isinstance(text, str) else None
    if found is None or found[2] not in _UNITS[kind]:
        shown = f'"{text}"' if isinstance(text, str) else str(text)
        raise ValueError(f"{shown} is not {_IN_WORDS[kind]}")
    return _number(found[1], found[0]) * _UNITS[kind][found[2]]


def _number(digits: str, text: str) -> float:
    try:
        return float(digits)
    except ValueError:
        raise ValueError(f'"{text}" does not begin with a number') from None


def spell(value: float, kind: Kind) -> str:
    """Formats a value in km, hPa, degrees or h (in s if it is not a whole number of minutes)."""
    unit, factor = ("s", 1.0) if kind == "time" and value % 60 else _LARGER[kind]
    return f"{value / factor:.10g} {unit}"


def latitude(degrees: float, digits: int = 2) -> str:
    """A latitude with the letter of its hemisphere: 34.50°N, 12.25°S."""
    return f"{abs(degrees):.{digits}f}°{'S' if degrees < 0 else 'N'}"


def longitude(degrees: float, digits: int = 2) -> str:
    """A longitude with the letter of its hemisphere: 97.00°W."""
    degrees = (degrees + 180) % 360 - 180
    return f"{abs(degrees):.{digits}f}°{'W' if degrees < 0 else 'E'}"
