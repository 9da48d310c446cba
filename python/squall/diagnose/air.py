"""The state of the air on mass points, derived from the variables of a history.

Arrays keep the history's dimensions (Time, bottom_top, south_north, west_east), all or some of them. Dask
arrays stay lazy. Index 0 is the lowest layer, the southernmost row, the westernmost column. SI units. A
missing variable raises KeyError; `squall.diagnose.field` knows which variables each function needs.
"""

from typing import Any

import numpy as np
import xarray as xr

from squall.diagnose import vapour
from squall.diagnose.columns import INTERFACE, LEVEL
from squall.diagnose.constants import KAPPA, P0, R_D, THETA0, G
from squall.diagnose.interpolation import Interpolator
from squall.diagnose.staggering import centred


def interface_height(history: xr.Dataset) -> xr.DataArray:
    """Height of the interfaces between layers above sea level [m]: (PH + PHB) / g."""
    return xr.DataArray((history["PH"].variable + history["PHB"].variable) / G)


def height(history: xr.Dataset) -> xr.DataArray:
    """Height of the layers' midpoints above sea level [m]."""
    return centred(interface_height(history))


def surface_height(history: xr.Dataset) -> xr.DataArray:
    """Terrain height above sea level [m]."""
    return interface_height(history).isel({INTERFACE: 0})


def layer_height(history: xr.Dataset) -> xr.DataArray:
    """Height at which a layer has its mean pressure [m], the height that belongs to `pressure`. It is below
    the layer's midpoint by about one eighth of the squared thickness divided by the scale height."""
    z = interface_height(history).rename({INTERFACE: LEVEL})
    low, high = z.isel({LEVEL: slice(0, -1)}), z.isel({LEVEL: slice(1, None)})
    r = G * (high - low) / (R_D * virtual_temperature(history))
    found: xr.DataArray = low + (high - low) * np.log(2 / (1 + np.exp(-r))) / r
    return found


def theta(history: xr.Dataset) -> xr.DataArray:
    """Potential temperature [K]: T + 300 K."""
    return centred(history["T"]) + THETA0


def theta_pert(history: xr.Dataset) -> xr.DataArray:
    """Departure of theta from the initial profile at the same height, or, in a history that has no
    such profile (T_BASE on Z_BASE), from the mean of its layer [K]."""
    values = theta(history)
    from_mean = values - values.mean(["south_north", "west_east"])
    if "T_BASE" not in history or "Z_BASE" not in history:
        return from_mean
    profile = history[["Z_BASE", "T_BASE"]]
    profile = profile.isel(Time=0) if "Time" in profile.dims else profile  # it is the same in all frames
    z, t = (xr.DataArray(profile[name].variable).rename({LEVEL: "profile"}) for name in ("Z_BASE", "T_BASE"))
    of_profile: xr.DataArray = xr.apply_ufunc(
        _of_profile, height(history), z, t, input_core_dims=[[], ["profile"], ["profile"]],
        dask="parallelized", dask_gufunc_kwargs={"allow_rechunk": True}, output_dtypes=[float],
    )  # fmt: skip
    given = (z.diff("profile") > 0).all()  # zeros: a file that was made without
    return (values - THETA0 - of_profile).where(given, from_mean)


def _of_profile(at: Any, z: Any, t: Any) -> Any:
    """t(z), linear, at heights; beyond the ends with the slope there."""
    return Interpolator(z, at, "straight").linear(t)


def pressure(history: xr.Dataset) -> xr.DataArray:
    """Pressure on layers [Pa]: P + PB."""
    return centred(history["P"] + history["PB"])


def temperature(history: xr.Dataset) -> xr.DataArray:
    """Temperature [K]: theta (p / p0)^(R / cp), Poisson's equation."""
    return theta(history) * (pressure(history) / P0) ** KAPPA


def mixing_ratio(history: xr.Dataset) -> xr.DataArray:
    """Vapour mixing ratio [kg kg-1 of dry air]: QVAPOR, with negative values set to 0."""
    return centred(history["QVAPOR"]).clip(min=0)


def virtual_temperature(history: xr.Dataset) -> xr.DataArray:
    """Virtual temperature [K]: the temperature of dry air of the same density; the temperature itself in a
    history without vapour."""
    if "QVAPOR" not in history:
        return temperature(history)
    found: xr.DataArray = vapour.virtual_temperature(temperature(history), centred(history["QVAPOR"]))
    return found


def relative_humidity(history: xr.Dataset) -> xr.DataArray:
    """Relative humidity over liquid water [%]; see `squall.diagnose.vapour.relative_humidity`."""
    t, p = temperature(history), pressure(history)
    found: xr.DataArray = 100.0 * vapour.relative_humidity(mixing_ratio(history), t, p)
    return found


def dew_point(history: xr.Dataset) -> xr.DataArray:
    """Dew point over liquid water [K]; see `squall.diagnose.vapour.dew_point`."""
    found: xr.DataArray = vapour.dew_point(mixing_ratio(history), pressure(history))
    return found


def density(history: xr.Dataset) -> xr.DataArray:
    """Density of moist air without condensate [kg m-3]: p / (R T_v)."""
    return pressure(history) / (R_D * virtual_temperature(history))


def dry_density(history: xr.Dataset) -> xr.DataArray:
    """Density of the dry air in moist air [kg m-3], to which mixing ratios refer."""
    if "QVAPOR" not in history:
        return density(history)
    return density(history) / (1 + centred(history["QVAPOR"]))
