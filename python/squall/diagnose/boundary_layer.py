"""The boundary layer, from profiles of columns of air."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import R_D, G
from squall.diagnose.vapour import virtual_temperature

VON_KARMAN = 0.4
CRITICAL = 0.25  # bulk Richardson number

Block = NDArray[Any]


def heights(temperature: Block, mixing_ratio: Block, interfaces: Block) -> Block:
    """Heights of layers' middles above the ground (layers, ...) [m] by hydrostatic balance. Temperature [K],
    mixing ratio [kg kg-1], pressures of the interfaces from the ground up (layers + 1, ...) [Pa], of which
    the last may be 0."""
    virtual = virtual_temperature(temperature, mixing_ratio)
    middle = 0.5 * (interfaces[1:] + interfaces[:-1])
    lower = R_D / G * virtual * np.log(interfaces[:-1] / middle)  # half of each layer
    upper = R_D / G * virtual[:-1] * np.log(middle[:-1] / interfaces[1:-1])
    made = lower.copy()
    made[1:] += np.cumsum(lower[:-1] + upper, axis=0)
    return np.asarray(made)


def height_by_richardson(height: Block, virtual_potential: Block, u: Block, v: Block) -> Block:
    """Height of the boundary layer (...) [m], at which the bulk Richardson number reaches 0.25: Vogelezang
    and Holtslag (1996), Boundary-Layer Meteorol. 81, 245-269, eq. 3 with the lowest layer as the surface and
    without their term of friction. Height [m], virtual potential temperature [K] and winds [m s-1] of
    layers from the ground up (layers, ...). At least the height of the lowest layer's middle."""
    shear = (u - u[0]) ** 2 + (v - v[0]) ** 2
    buoyancy = G / virtual_potential[0] * (virtual_potential - virtual_potential[0]) * (height - height[0])
    number = buoyancy / np.maximum(shear, 0.01)
    made = height[-1].copy()
    found = np.zeros(made.shape, bool)
    for k in range(1, len(number)):
        here = ~found & (number[k] >= CRITICAL)
        share = (CRITICAL - number[k - 1]) / np.where(here, number[k] - number[k - 1], 1)
        between = height[k - 1] + np.clip(share, 0, 1) * (height[k] - height[k - 1])
        made = np.where(here, between, made)
        found |= here
    return np.asarray(made)


def friction_velocity(speed: Block, height: Block | float, roughness: Block | float) -> Block:
    """From a wind [m s-1] at a height above a ground of some roughness [m]: that of a logarithmic profile in
    neutral air [m s-1]."""
    return np.asarray(VON_KARMAN * speed / np.log(height / roughness))
