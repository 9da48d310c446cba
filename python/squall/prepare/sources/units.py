"""Converts values from the units of files to Squall's, and checks that they are plausible."""

import numpy as np
from numpy.typing import NDArray

from squall.errors import UserError
from squall.prepare.sources.fields import FIELDS

Array = NDArray[np.float32]

G0 = 9.80665  # m s-2, of geopotential metres

# How units are spelt: the spelling without blanks, stars and carets, in lower case.
_SAME = {
    "K": ("k", "kelvin", "kelvins", "degk", "deg_k"),
    "degC": ("c", "degc", "deg_c", "celsius", "degreesc", "degreec", "degree_celsius", "degrees_celsius"),
    "m s-1": ("ms-1", "m/s", "m.s-1", "meters/second", "metres/second", "metersecond-1", "m/sec",
              "meter/sec"),
    "Pa": ("pa", "pascal", "pascals"),
    "hPa": ("hpa", "mb", "mbar", "millibar", "millibars", "hectopascal"),
    "m": ("m", "gpm", "meter", "meters", "metre", "metres", "metersmsl", "geopotentialmeter",
          "geopotentialmeters", "geopotential_m", "metersgpm"),
    "km": ("km", "kilometer", "kilometers"),
    "m2 s-2": ("m2s-2", "m2/s2", "j/kg", "jkg-1"),
    "kg kg-1": ("kgkg-1", "kg/kg", "kg.kg-1"),
    "g kg-1": ("gkg-1", "g/kg", "grams/kg", "gram/kg", "g.kg-1"),
    "%": ("%", "percent", "pct"),
    "1": ("1", "", "0-1", "(0-1)", "fraction", "proportion", "none", "dimensionless", "-", "non-dim",
          "fraction0to1", "flag", "categoryyes=1,no=0", "code"),
    "m3 m-3": ("m3m-3", "m3/m3", "fraction", "proportion", "1", "(0-1)", "volumetric"),
    "kg m-2": ("kgm-2", "kg/m2", "kg.m-2", "mm"),
    "W m-2": ("wm-2", "w/m2", "w.m-2", "wattsm-2"),
    "J m-2": ("jm-2", "j/m2", "j.m-2"),
    "kg m-2 s-1": ("kgm-2s-1", "kg/m2/s", "kg.m-2.s-1", "mms-1", "mm/s"),
}  # fmt: skip

# From the units of the file to those of the field: factor and what is added after it.
_CONVERSIONS = {
    ("degC", "K"): (1.0, 273.15),
    ("hPa", "Pa"): (100.0, 0.0),
    ("km", "m"): (1000.0, 0.0),
    ("m2 s-2", "m"): (1 / G0, 0.0),
    ("g kg-1", "kg kg-1"): (1e-3, 0.0),
    ("1", "%"): (100.0, 0.0),
    ("%", "1"): (0.01, 0.0),
    ("%", "m3 m-3"): (0.01, 0.0),
    ("m", "kg m-2"): (1000.0, 0.0),
    # Amounts are those of an hour.
    ("J m-2", "W m-2"): (1 / 3600, 0.0),
    ("m", "kg m-2 s-1"): (1000 / 3600, 0.0),
    ("kg m-2", "kg m-2 s-1"): (1 / 3600, 0.0),
}

# What a value outside the possible ones may be: factor, addition, in words.
_MISTAKES = (
    (1.0, 273.15, "degrees Celsius"),
    (100.0, 0.0, "hPa, or a fraction"),
    (0.01, 0.0, "100 times too large: per cent, or Pa labelled hPa"),
    (1e-3, 0.0, "g kg-1, or mm"),
    (1 / G0, 0.0, "geopotential (m2 s-2)"),
    (G0, 0.0, "geopotential height labelled geopotential"),
)


def conversion(units: str, field: str) -> tuple[float, float] | None:
    """Factor and addition that bring a file's units to those of a field; None: units unknown."""
    wanted = FIELDS[field].units
    spelling = units.lower().translate(str.maketrans("", "", " *^"))
    if spelling in _SAME.get(wanted, ()):
        return 1.0, 0.0
    for (given, to), change in _CONVERSIONS.items():
        if to == wanted and spelling in _SAME[given]:
            return change
    return None


def to_field(values: Array, units: str, field: str, where: str) -> Array:
    """Values in the units of the field. Raises UserError for units that do not fit it."""
    change = conversion(units, field)
    if change is None:
        raise UserError(
            f"{where}: {FIELDS[field].label} in {units!r} cannot be read; it should be in "
            f"{FIELDS[field].units} or in units that convert to them."
        )
    factor, added = change
    if (factor, added) == (1.0, 0.0):
        return values
    return values * np.float32(factor) + np.float32(added)


def check_range(values: Array, field: str, where: str) -> None:
    """Raises UserError for values that the field cannot have, and where none is known."""
    about = FIELDS[field]
    known = values[np.isfinite(values)]
    if known.size == 0:
        raise UserError(f"{where}: {about.label} has no valid value over the domain.")
    low, high = float(known.min()), float(known.max())
    if low >= about.low and high <= about.high:
        return
    hint = next(
        (
            f" It looks like {what}."
            for factor, added, what in _MISTAKES
            if about.low <= low * factor + added and high * factor + added <= about.high
        ),
        "",
    )
    raise UserError(
        f"{where}: {about.label} ranges from {low:.6g} to {high:.6g} {about.units}, but the valid range "
        f"is {about.low:g} to {about.high:g}.{hint} Correct the file or its attribute units."
    )
