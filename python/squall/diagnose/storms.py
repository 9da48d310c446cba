"""Rotation of storms and its environment: wind shear, helicity, rotating updraughts. SI units; heights are
above ground; the lowest layer represents the ground."""

from collections.abc import Callable
from typing import Any

import numpy as np
import xarray as xr

from squall.diagnose import air, vorticity, wind
from squall.diagnose.columns import INTERFACE, LEVEL, of_columns, of_points
from squall.diagnose.levels import on_height, on_pressure
from squall.diagnose.staggering import centred

Fields = Callable[[xr.Dataset], xr.DataArray]

_TO_THE_SIDE = 7.5  # m s-1, of Bunkers et al. (2000)


def updraft_helicity(history: xr.Dataset) -> xr.DataArray:
    """Updraught helicity between 2 and 5 km above ground [m2 s-2]: the integral of vorticity times w where w
    is upward (Kain et al. 2008, Wea. Forecasting 23, 931-952, equation 1)."""
    turning = vorticity.relative(history, *wind.along_grid(history)) * centred(history["W"]).clip(min=0)
    found: xr.DataArray = (turning * _thickness_between(history, 2000.0, 5000.0)).sum(LEVEL)
    return found


def _thickness_between(history: xr.Dataset, low: float, high: float) -> xr.DataArray:
    """Of the part of each layer that lies between two heights above the ground [m]."""
    height = (air.interface_height(history) - air.surface_height(history)).clip(low, high)
    return height.diff(INTERFACE).rename({INTERFACE: LEVEL})


def bulk_shear(depth: float) -> Fields:
    """Bulk wind shear between the lowest layer and a height [m]: magnitude of the vector difference [m
    s-1]."""

    def of(history: xr.Dataset) -> xr.DataArray:
        parts = [
            on_height(history, along, depth, above_ground=True) - along.isel({LEVEL: 0})
            for along in wind.along_grid(history)
        ]
        return wind.speed(history, *parts)

    return of


def lapse_rate_to(depth: float) -> Fields:
    """Lapse rate from the lowest layer to a height [m] above ground [K km-1]."""

    def of(history: xr.Dataset) -> xr.DataArray:
        temperature = air.temperature(history)
        lowest = (air.height(history) - air.surface_height(history)).isel({LEVEL: 0})
        above = on_height(history, temperature, depth, above_ground=True)
        return (temperature.isel({LEVEL: 0}) - above) / (depth - lowest) * 1e3

    return of


def lapse_rate_between(low: float, high: float) -> Fields:
    """Lapse rate from one pressure [Pa] to a lower one [K km-1]."""

    def of(history: xr.Dataset) -> xr.DataArray:
        temperature, height = (
            on_pressure(history, array, high) - on_pressure(history, array, low)
            for array in (air.temperature(history), air.layer_height(history))
        )
        return -1e3 * temperature / height

    return of


def storm_motion(history: xr.Dataset) -> tuple[xr.DataArray, xr.DataArray]:
    """Grid-relative motion of a right-moving supercell [m s-1] by Bunkers et al. (2000, Wea. Forecasting 15,
    61-79): the mean wind of the lowest 6 km, and 7.5 m/s to the right of the shear between the mean winds of
    the lowest 500 m and of 5.5 to 6 km; to the left of it where the Coriolis parameter is negative. Means are
    weighted with pressure."""
    (u, v), pressure = wind.along_grid(history), air.pressure(history)

    def mean(low: float, high: float) -> tuple[xr.DataArray, xr.DataArray]:
        weight = pressure * _thickness_between(history, low, high)
        total = weight.sum(LEVEL)
        return (u * weight).sum(LEVEL) / total, (v * weight).sum(LEVEL) / total

    (u_mean, v_mean), below, above = mean(0, 6000), mean(0, 500), mean(5500, 6000)
    du, dv = above[0] - below[0], above[1] - below[1]
    share = _side(history) * _TO_THE_SIDE / wind.speed(history, du, dv).clip(min=1e-6)
    return u_mean + share * dv, v_mean - share * du


def _side(history: xr.Dataset) -> xr.DataArray | float:
    """1 to the right, -1 to the left: where storms that turn as cyclones do go."""
    if "F" not in history:
        return 1.0
    return of_points(lambda f: np.where(f < 0, -1.0, 1.0), vorticity.coriolis(history))


def storm_relative_helicity(depth: float) -> Fields:
    """Storm-relative helicity of the lowest `depth` m [m2 s-2]: twice the area swept by the storm-relative
    wind in the hodograph (Davies-Jones, Burgess and Foster 1990, 16th Conf. on Severe Local Storms), with the
    storm motion of `storm_motion`."""

    def of(history: xr.Dataset) -> xr.DataArray:
        height = air.height(history) - air.surface_height(history)
        (u, v), (u_storm, v_storm) = wind.along_grid(history), storm_motion(history)
        found: xr.DataArray = of_columns(
            lambda u, v, z: _swept(u, v, z, depth), u - u_storm, v - v_storm, height
        )
        return found

    return of


def _swept(u: Any, v: Any, z: Any, depth: float) -> Any:
    """Sum over layers up to a height, of the last in part, of the cross product of winds below and above."""
    swept = np.zeros(u.shape[:-1])
    for k in range(u.shape[-1] - 1):
        part = np.clip((depth - z[..., k]) / (z[..., k + 1] - z[..., k]), 0, 1)
        du, dv = u[..., k + 1] - u[..., k], v[..., k + 1] - v[..., k]
        swept += part * (du * v[..., k] - dv * u[..., k])
    return swept
