"""Rising air parcels: condensation, free convection, and energy.

A parcel keeps its potential temperature and vapour until it is saturated; from then on condensate falls out
(pseudoadiabatic ascent, without ice). Buoyancy uses virtual temperature (Doswell and Rasmussen 1994, Wea.
Forecasting 9, 625-629). Saturation and latent heat are those of the model's schemes.

Columns lie along the last axis of arrays of NumPy, from the lowest layer up.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import xarray as xr

from squall.diagnose import air
from squall.diagnose.columns import of_columns
from squall.diagnose.constants import C_P, EPSILON, KAPPA, LATENT_HEAT, P0, R_D
from squall.diagnose.interpolation import Interpolator
from squall.diagnose.vapour import (
    dew_point,
    saturation_mixing_ratio,
    vapour_pressure,
    virtual_temperature,
)  # fmt: skip

Start = Literal["surface", "mixed_layer", "most_unstable"]
Fields = Callable[[xr.Dataset], xr.DataArray]
Block = Any

MIXED = 100e2  # Pa, of the lowest air that is mixed
SEARCHED = 300e2  # Pa, of the lowest air in which the most unstable parcel is
SUBSTEPS = 2  # of the ascent of saturated air from layer to layer


def condensation(temperature: Block, mixing_ratio: Block, pressure: Block) -> tuple[Block, Block]:
    """Temperature [K] and pressure [Pa] at which a parcel is saturated (Bolton 1980, Mon. Wea. Rev. 108,
    1046-1053, equation 15, to 0.1 K; and Poisson's equation)."""
    cold = np.minimum(dew_point(mixing_ratio, pressure), temperature)
    at = 1 / (1 / (cold - 56.0) + np.log(temperature / cold) / 800.0) + 56.0
    return at, pressure * (at / temperature) ** (1 / KAPPA)


def equivalent_potential_temperature(temperature: Block, mixing_ratio: Block, pressure: Block) -> Block:
    """theta_e [K] by Bolton (1980), equation 39."""
    at, _ = condensation(temperature, mixing_ratio, pressure)
    dry = temperature * (P0 / (pressure - vapour_pressure(mixing_ratio, pressure))) ** KAPPA
    dry = dry * (temperature / at) ** (0.28 * mixing_ratio)
    return dry * np.exp((3036.0 / at - 1.78) * mixing_ratio * (1 + 0.448 * mixing_ratio))


def saturated_ascent(temperature: Block, pressure: Block, to: Block) -> Block:
    """Temperature [K] of saturated air from one pressure to another [Pa], pseudoadiabatically (AMS Glossary,
    moist-adiabatic lapse rate; Bakhshaii and Stull 2013, J. Appl. Meteor. Climatol. 52, 5-15, equation 5):
    dT/d ln p = (R T + L r) / (c_p + L^2 r epsilon / (R T^2)), by the classical Runge-Kutta method."""

    def slope(x: Block, t: Block) -> Block:
        r = saturation_mixing_ratio(t, np.exp(x))
        return (R_D * t + LATENT_HEAT * r) / (C_P + LATENT_HEAT**2 * r * EPSILON / (R_D * t**2))

    x, h = np.log(pressure), np.log(to / pressure) / SUBSTEPS
    for _ in range(SUBSTEPS):
        a = slope(x, temperature)
        b = slope(x + 0.5 * h, temperature + 0.5 * h * a)
        c = slope(x + 0.5 * h, temperature + 0.5 * h * b)
        d = slope(x + h, temperature + h * c)
        temperature, x = temperature + h / 6 * (a + 2 * b + 2 * c + d), x + h
    return temperature


@dataclass
class _Parcel:
    """Where parcels start: pressure [Pa], temperature [K], vapour, and the layer from which on they rise."""

    pressure: Block
    temperature: Block
    vapour: Block
    layer: Block


def _parcel(start: Start, p: Block, t: Block, q: Block) -> _Parcel:
    if start == "surface":
        return _Parcel(p[..., 0], t[..., 0], q[..., 0], np.zeros(p.shape[:-1], int))
    if start == "mixed_layer":
        warm, vapour = mixed(p, t, q)
        return _Parcel(p[..., 0], warm, vapour, np.zeros(p.shape[:-1], int))
    theta_e = equivalent_potential_temperature(t, np.maximum(q, 1e-8), p)
    layer = np.where(p >= p[..., :1] - SEARCHED, theta_e, -np.inf).argmax(-1)
    pressure, temperature, vapour = (
        np.take_along_axis(values, layer[..., None], -1)[..., 0] for values in (p, t, q)
    )
    return _Parcel(pressure, temperature, vapour, layer)


def mixed(p: Block, t: Block, q: Block) -> tuple[Block, Block]:
    """Temperature [K] at the lowest layer and mixing ratio of the lowest 100 hPa, mixed."""
    weight = _weights(p, MIXED)
    theta = (t * (P0 / p) ** KAPPA * weight).sum(-1)
    return theta * (p[..., 0] / P0) ** KAPPA, (q * weight).sum(-1)


def _weights(p: Block, depth: float) -> Block:
    """Of the trapezium rule over pressure from the lowest layer to `depth` above it; their sum is 1."""
    clipped = np.maximum(p, p[..., :1] - depth)
    between = 0.5 * (clipped[..., :-1] - clipped[..., 1:])
    weights = np.zeros_like(p)
    weights[..., :-1] += between
    weights[..., 1:] += between
    return weights / depth


class _Ascent:
    """The sums over the way of parcels, from layer to layer."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.cape, self.cin = np.zeros(shape), np.zeros(shape)  # of all that was passed below the lfc
        self.lfc = np.full(shape, np.nan)  # ln p

    def pass_through(self, x0: Block, x1: Block, b0: Block, b1: Block, wet: Block, there: Block) -> None:
        """From ln p = x0 to x1 with buoyancies b0 and b1 [K of virtual temperature], linear between. wet:
        above condensation; there: where parcels have started."""
        h = np.where(there, x0 - x1, 0.0)
        up, down, share = _areas(b0, b1)
        begins = wet & (h > 0) & np.isnan(self.lfc) & (np.maximum(b0, b1) > 0)
        down_before = np.where(begins & (b0 > 0), 0.0, R_D * h * down)
        self.cin += np.where(np.isnan(self.lfc), down_before, 0.0)
        self.lfc = np.where(begins, x0 + (x1 - x0) * np.where(b0 > 0, 0.0, share), self.lfc)
        self.cape += np.where(np.isnan(self.lfc), 0.0, R_D * h * up)


def _areas(b0: Block, b1: Block) -> tuple[Block, Block, Block]:
    """Above and below zero of a straight line from b0 to b1 over a unit, and where it crosses zero."""
    crosses = (b0 < 0) != (b1 < 0)
    share = np.where(crosses, b0 / np.where(crosses, b0 - b1, 1.0), 0.0)
    up = np.where(b0 > 0, 0.5 * b0 * share, 0.5 * b1 * (1 - share))
    down = np.where(b0 > 0, 0.5 * b1 * (1 - share), 0.5 * b0 * share)
    mean = 0.5 * (b0 + b1)
    up = np.where(crosses, up, np.maximum(mean, 0))
    down = np.where(crosses, down, np.minimum(mean, 0))
    return up, -down, share


def ascent(p: Block, t: Block, q: Block, z: Block, start: Start) -> tuple[Block, Block, Block, Block]:
    """CAPE and CIN [J kg-1], and the levels of condensation and free convection [m above sea level], from
    pressure [Pa], temperature [K], vapour [kg kg-1] and height [m] of columns.

    CAPE is the integral of positive buoyancy above the lowest level of free convection; CIN is that of
    negative buoyancy below it, as a positive number. Without free convection CAPE is 0, and CIN and the level
    are NaN.
    """
    q = np.maximum(q, 1e-8)
    parcel = _parcel(start, p, t, q)
    t_lcl, p_lcl = condensation(parcel.temperature, parcel.vapour, parcel.pressure)
    x, x_lcl, x_start = np.log(p), np.log(p_lcl), np.log(parcel.pressure)
    around = virtual_temperature(t, q)
    sums = _Ascent(p.shape[:-1])
    rising = parcel.temperature
    at_start = virtual_temperature(rising, parcel.vapour)
    buoyancy = at_start - around[..., 0]
    for k in range(p.shape[-1] - 1):
        there, x0, x1 = k >= parcel.layer, x[..., k], x[..., k + 1]
        buoyancy = np.where(k <= parcel.layer, at_start - around[..., k], buoyancy)
        middle = np.clip(x_lcl, x1, x0)  # where it is saturated, or an end
        share = (x0 - middle) / (x0 - x1)
        outside = around[..., k] + share * (around[..., k + 1] - around[..., k])
        dry = parcel.temperature * np.exp(KAPPA * (middle - x_start))
        between = np.where(middle < x0, virtual_temperature(dry, parcel.vapour) - outside, buoyancy)
        sums.pass_through(x0, middle, buoyancy, between, np.False_, there)
        wet = there & (x_lcl > x1)
        warm = np.where(x_lcl >= x0, rising, t_lcl)
        saturated = saturated_ascent(warm, np.exp(middle), p[..., k + 1])
        dry = parcel.temperature * np.exp(KAPPA * (x1 - x_start))
        rising = np.where(there, np.where(wet, saturated, dry), parcel.temperature)
        holds = np.where(wet, saturation_mixing_ratio(rising, p[..., k + 1]), parcel.vapour)
        buoyancy = virtual_temperature(rising, holds) - around[..., k + 1]
        sums.pass_through(middle, x1, between, buoyancy, wet, wet)
    cin = np.where(np.isnan(sums.lfc), np.nan, sums.cin)
    return sums.cape, cin, _height_at(x_lcl, x, z), _height_at(sums.lfc, x, z)


def _height_at(wanted: Block, x: Block, z: Block) -> Block:
    """Heights of columns at values of ln p, one a column."""
    of_levels = (np.ascontiguousarray(np.moveaxis(values, -1, 0)) for values in (x, z))
    coordinate, height = of_levels
    return Interpolator(coordinate, wanted).linear(height)


def _double(p: Block, t: Block, q: Block, z: Block) -> tuple[Block, Block, Block, Block]:
    return np.asarray(p, float), np.asarray(t, float), np.asarray(q, float), np.asarray(z, float)


def _of_history(which: int, start: Start) -> Fields:
    def of(history: xr.Dataset) -> xr.DataArray:
        found: tuple[xr.DataArray, ...] = of_columns(
            lambda *columns: ascent(*_double(*columns), start),
            air.pressure(history), air.temperature(history), air.mixing_ratio(history), air.height(history),
            results=4,
        )  # fmt: skip
        return found[which]

    return of


def cape(start: Start) -> Fields:
    """Of a history [J kg-1], see `ascent`."""
    return _of_history(0, start)


def cin(start: Start) -> Fields:
    """Of a history [J kg-1], see `ascent`."""
    return _of_history(1, start)


def condensation_level(start: Start) -> Fields:
    """Of a history, height above the sea [m], see `ascent`."""
    return _of_history(2, start)


def free_convection_level(start: Start) -> Fields:
    """Of a history, height above the sea [m], see `ascent`."""
    return _of_history(3, start)
