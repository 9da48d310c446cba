"""The map of a history as a coordinate reference system of PROJ or of Cartopy.

x and y are the coordinates west_east and south_north of the model's files [m]; of a latitude-longitude grid,
whose files have none, they are longitude and latitude [degrees].
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr
from pyproj import CRS

from squall import diagnose
from squall.errors import UserError

if TYPE_CHECKING:
    import cartopy.crs


def of(history: xr.Dataset) -> CRS:
    """As pyproj has it. Raises UserError for a history without a map."""
    return CRS.from_cf({name: _plain(value) for name, value in _told(history).items()})


def cartopys(history: xr.Dataset) -> "cartopy.crs.Projection":
    """As Cartopy has it: the projection of axes, and the `transform` of what is drawn in x and y. Raises
    UserError for a history without a map, and where Cartopy is not installed."""
    try:
        from cartopy import crs
    except ModuleNotFoundError:
        raise UserError(
            "The Python package cartopy is not installed: pip install cartopy. history.squall.crs gives the "
            "same map to pyproj."
        ) from None
    told = {name: _plain(value) for name, value in _told(history).items()}
    radius = told["earth_radius"]
    globe = crs.Globe(ellipse=None, semimajor_axis=radius, semiminor_axis=radius)
    name = told["grid_mapping_name"]
    if name == "lambert_conformal_conic":
        return crs.LambertConformal(
            told["longitude_of_central_meridian"], told["latitude_of_projection_origin"],
            standard_parallels=tuple(np.atleast_1d(told["standard_parallel"])), globe=globe,
            cutoff=30 if np.ravel(told["standard_parallel"])[0] < 0 else -30,
        )  # fmt: skip
    if name == "polar_stereographic":
        return crs.Stereographic(
            told["latitude_of_projection_origin"], told["straight_vertical_longitude_from_pole"],
            true_scale_latitude=told["standard_parallel"], globe=globe,
        )  # fmt: skip
    if name == "mercator":
        return crs.Mercator(
            told["longitude_of_projection_origin"], latitude_true_scale=told["standard_parallel"], globe=globe
        )
    return crs.PlateCarree(globe=globe)


def _told(history: xr.Dataset) -> Mapping[str, Any]:
    found = diagnose.grid_mapping(history)
    if found is None:
        raise UserError(
            "The dataset has no map: neither a CF grid mapping nor WRF's attributes MAP_PROJ, TRUELAT1 and "
            "STAND_LON."
        )
    return {"earth_radius": diagnose.constants.EARTH_RADIUS} | dict(found[1].attrs)


def _plain(value: Any) -> Any:
    """For pyproj, which takes no arrays of NumPy's."""
    if isinstance(value, np.ndarray):
        return [float(number) for number in value] if value.size > 1 else float(value.ravel()[0])
    return value.item() if isinstance(value, np.generic) else value
