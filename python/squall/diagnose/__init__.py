"""Diagnostics of a run: state of the air, humidity, sea-level pressure, winds and storms, on layers, mass
points, and surfaces of pressure, height or potential temperature.

    >>> import squall
    >>> history = squall.open_run("runs/january-storm", chunks={"Time": 1})
    >>> slp = squall.diagnose.field(history, "sea_level_pressure")
    >>> z500 = squall.diagnose.field(history, "height", "500 hPa")

Dask arrays stay lazy. Constants and formulas are the model's, so diagnostics are consistent with the run.
"""

from squall.diagnose.derived import Derived
from squall.diagnose.fields import available, field
from squall.diagnose.levels import on_height, on_pressure, on_theta
from squall.diagnose.placing import grid_mapping
from squall.diagnose.staggering import centred
from squall.diagnose.surfaces import Level, Surface
from squall.diagnose.table import TABLE

__all__ = [
    "TABLE", "Derived", "Level", "Surface", "available", "centred", "field", "grid_mapping", "on_height",
    "on_pressure", "on_theta",
]  # fmt: skip
