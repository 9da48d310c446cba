"""An entry of the table of derived fields."""

from collections.abc import Callable
from dataclasses import dataclass

import xarray as xr

from squall.diagnose import wind

Fields = Callable[[xr.Dataset], xr.DataArray]
OfWind = Callable[[xr.Dataset, xr.DataArray, xr.DataArray], xr.DataArray]


@dataclass(frozen=True)
class Derived:
    """A field that is computed from variables of a history.

    needs: alternative sets of variables, any one of which is enough. source: the formula and its reference.
    compute: computes the field from a history. of_wind: for fields that contain horizontal differences of the
    wind, computes the field from a history and winds on mass points of any surface. on_pressure: the field to
    interpolate to pressure levels instead. over_time: the field needs several frames, so a history with the
    dimension Time.
    """

    name: str
    units: str
    long_name: str
    standard_name: str
    source: str
    needs: tuple[tuple[str, ...], ...]
    compute: Fields
    of_wind: OfWind | None = None
    on_pressure: Fields | None = None
    over_time: bool = False


def of_wind(of: OfWind) -> Fields:
    """Computes a field of the wind on the layers of a history."""
    return lambda history: of(history, *wind.along_grid(history))
