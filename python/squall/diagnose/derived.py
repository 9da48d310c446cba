"""What an entry of the table of derived fields says."""

from collections.abc import Callable
from dataclasses import dataclass

import xarray as xr

from squall.diagnose import wind

Fields = Callable[[xr.Dataset], xr.DataArray]
OfWind = Callable[[xr.Dataset, xr.DataArray, xr.DataArray], xr.DataArray]


@dataclass(frozen=True)
class Derived:
    """A field that is computed from variables of a history.

    needs: the sets of variables of which any one is enough. source: the formula and where it is from.
    compute: from a history. of_wind: for what is made of differences along the wind's level, from a history
    and winds on mass points, so that it can be made on any surface; on_pressure: what is interpolated to
    pressures in its place. over_time: it is made of several frames, of a history with the dimension Time.
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
    """Of a history, what is made of the wind on its layers."""
    return lambda history: of(history, *wind.along_grid(history))
