"""Diagnostics of a run: state of the air, humidity, sea-level pressure, winds and storms, on layers, mass
points, and surfaces of pressure, height or potential temperature.

    >>> from squall import diagnose
    >>> from squall.reader.dataset import open_run
    >>> history = open_run("runs/january-storm", chunks={"Time": 1})
    >>> slp = diagnose.field(history, "sea_level_pressure")
    >>> z500 = diagnose.field(history, "height", diagnose.Surface("pressure", 5e4))

Dask arrays stay lazy. Constants and formulas are the model's, so diagnostics are consistent with the run.
"""

from squall.diagnose.derived import Derived
from squall.diagnose.fields import Surface, available, field
from squall.diagnose.levels import on_height, on_pressure, on_theta
from squall.diagnose.staggering import centred
from squall.diagnose.table import TABLE

__all__ = [
    "TABLE", "Derived", "Surface", "available", "centred", "field", "on_height", "on_pressure", "on_theta",
]  # fmt: skip
