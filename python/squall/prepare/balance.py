"""Hydrostatic balance in the model's own discrete equations.

The vertical equation that is set to zero is the model's (dynamics/buoyancy.hpp; Skamarock et al.
2019, NCAR/TN-556, eq. 2.38), with q all water and primes departures from the base state:

    g ( dp'/d_eta / (1 + q) - c1 mu' - (c1 mub + c2) q / (1 + q) ) = 0     at interfaces 1 to nz

From it follows p'; then the inverse density by the equation of state, as a ratio to that of the
base state, and the geopotential by the hypsometric relation (dynamics/state_equation.hpp).

Blocks are (levels, rows, columns), float64 that single precision holds.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import C_P, KAPPA, P0, R_D, THETA0, G
from squall.prepare.base_state import BaseState
from squall.prepare.levels import VerticalGrid

Block = NDArray[np.float64]

CV_OVER_CP = (C_P - R_D) / C_P


@dataclass(frozen=True)
class BaseBlock:
    """Some rows of a base state in double precision."""

    mub: Block
    pb: Block
    alb: Block
    theta: Block  # K
    phb: Block

    @staticmethod
    def of(base: BaseState, rows: slice) -> "BaseBlock":
        def wide(x: NDArray[np.float32]) -> Block:
            return x[..., rows, :].astype(np.float64)

        return BaseBlock(
            wide(base.mub), wide(base.pb), wide(base.alb), wide(base.theta) + THETA0, wide(base.phb)
        )


def balanced_pressure(v: VerticalGrid, base: BaseBlock, mu: Block, water: Block) -> Block:
    """p' on layers in Pa; mu: perturbation column mass (rows, columns); water: all, kg per kg of dry air."""
    p = np.empty_like(base.pb)
    for k in range(v.nz, 0, -1):
        upper = min(k, v.nz - 1)
        q = 0.5 * (water[upper] + water[upper - 1])
        weight = (1 + q) * v.c1f[k] * mu + q * (v.c1f[k] * base.mub + v.c2f[k])
        if k == v.nz:
            p[k - 1] = -weight / (2 * v.rdnw[k - 1])
        else:
            p[k - 1] = p[k] - weight / v.rdn[k]
    return p


def balanced_geopotential(
    v: VerticalGrid, base: BaseBlock, mu: Block, p: Block, theta: Block, hypsometric: int
) -> Block:
    """ph' on interfaces in m2 s-2, each value rounded to single precision before the next is built
    on it, so that rounding does not add up. theta: full potential temperature of moist air, K."""
    alpha = base.alb * (theta / base.theta) * (1 + p / base.pb) ** -CV_OVER_CP
    ph = np.zeros_like(base.phb)
    for k in range(v.nz):
        depth = layer_depth(v, k, base.mub + mu, hypsometric)
        rise = alpha[k] * depth - (base.phb[k + 1] - base.phb[k])
        ph[k + 1] = (ph[k] + rise).astype(np.float32)
    return ph


def pressure_from_state(
    v: VerticalGrid, base: BaseBlock, mu: Block, ph: Block, theta: Block, hypsometric: int
) -> Block:
    """p' on layers that the model finds from mu, ph and theta of moist air: the way back."""
    p = np.empty_like(base.pb)
    for k in range(v.nz):
        thickness = (ph[k + 1] - ph[k]) + (base.phb[k + 1] - base.phb[k])
        alpha = thickness / layer_depth(v, k, base.mub + mu, hypsometric)
        ratio = theta[k] / base.theta[k] * base.alb[k] / alpha
        p[k] = base.pb[k] * (ratio ** (1 / CV_OVER_CP) - 1)
    return p


def vertical_acceleration(v: VerticalGrid, base: BaseBlock, mu: Block, p: Block, water: Block) -> Block:
    """dw/dt in m s-2 on interfaces 1 to nz of a state at rest."""
    made = np.empty_like(base.pb)
    for k in range(1, v.nz + 1):
        upper = min(k, v.nz - 1)
        q = 0.5 * (water[upper] + water[upper - 1])
        slope = -2 * v.rdnw[k - 1] * p[k - 1] if k == v.nz else v.rdn[k] * (p[k] - p[k - 1])
        mass = v.c1f[k] * base.mub + v.c2f[k]
        weight = slope / (1 + q) - v.c1f[k] * mu - q / (1 + q) * mass
        made[k - 1] = G * weight / (mass + v.c1f[k] * mu)
    return made


def layer_depth(v: VerticalGrid, k: int, mu_full: Block, hypsometric: int) -> Block:
    """The factor [Pa] that multiplies alpha of a layer to give its thickness [m2 s-2]: its mass, or
    p ln(p_lower / p_upper) (WRF's hypsometric_opt 1 and 2)."""
    mass = -v.dnw[k] * (v.c1h[k] * mu_full + v.c2h[k])
    if hypsometric == 1:
        return np.asarray(mass)
    p = v.c3h[k] * mu_full + v.c4h[k] + v.top
    return np.asarray(2 * p * np.arctanh(mass / (2 * p)))


def theta_of(temperature: Block, pressure: Block) -> Block:
    """Potential temperature in K."""
    return np.asarray(temperature * (P0 / pressure) ** KAPPA)
