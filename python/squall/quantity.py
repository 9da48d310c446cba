"""Quantities as run files and people write them: "30 km", "50 hPa", "45 degrees", "36 h"; and back.

The one parser of them in Python: for run files, for the options of commands, and for functions that take
either a number or a text.
"""

import re
from typing import Literal, NamedTuple

Kind = Literal["length", "pressure", "angle", "time", "temperature"]

_HOUR, _DAY = 3600.0, 86400.0
# As the model reads them (model/src/config/units.cpp).
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
# What people write on a command line beside these; not in run files.
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
    """A value in m, Pa, degrees, s or K, of what kind it is, and the unit that it was given in."""

    value: float
    kind: Kind
    unit: str

    @property
    def factor(self) -> float:
        """How much of the SI unit the given one is."""
        return (_UNITS[self.kind] | _SPOKEN[self.kind])[self.unit]


def parse(text: str, *kinds: Kind) -> Quantity:
    """What a person wrote, which may be of several kinds: "500mb", "5 km". Raises ValueError, saying what
    would be right."""
    found = _FORM.fullmatch(text)
    for kind in kinds:
        units = _UNITS[kind] | _SPOKEN[kind]
        if found is not None and found[2] in units:
            return Quantity(_number(found[1], text) * units[found[2]], kind, found[2])
    raise ValueError(f'"{text}" is not {" or ".join(_IN_WORDS[kind] for kind in kinds)}')


def quantity(text: object, kind: Kind) -> float:
    """In m, Pa, degrees or s, what a run file says. Raises ValueError, saying what would be right."""
    found = _FORM.fullmatch(text) if isinstance(text, str) else None
    if found is None or found[2] not in _UNITS[kind]:
        shown = f'"{text}"' if isinstance(text, str) else str(text)
        raise ValueError(f"{shown} is not {_IN_WORDS[kind]}")
    return _number(found[1], found[0]) * _UNITS[kind][found[2]]


def _number(digits: str, text: str) -> float:
    try:
        return float(digits)
    except ValueError:
        raise ValueError(f'"{text}" begins with no number') from None


def spell(value: float, kind: Kind) -> str:
    """The other way round, in km, hPa, degrees and h (s where it is no whole number of minutes)."""
    unit, factor = ("s", 1.0) if kind == "time" and value % 60 else _LARGER[kind]
    return f"{value / factor:.10g} {unit}"


def latitude(degrees: float, digits: int = 2) -> str:
    """With the hemisphere in a letter: 34.50°N, 12.25°S."""
    return f"{abs(degrees):.{digits}f}°{'S' if degrees < 0 else 'N'}"


def longitude(degrees: float, digits: int = 2) -> str:
    """With the hemisphere in a letter: 97.00°W."""
    degrees = (degrees + 180) % 360 - 180
    return f"{abs(degrees):.{digits}f}°{'W' if degrees < 0 else 'E'}"
