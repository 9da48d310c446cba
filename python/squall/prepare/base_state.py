"""The base state of a real case, as the model makes it from the terrain.

T = max(t_iso, t00 + lapse ln(p / p00)) (Skamarock et al. 2019, NCAR/TN-556, section 5.2.2; WRF's
base atmosphere). The model makes it anew in single precision from the terrain of a wrfinput file;
it is made here in the same precision and order, so that what is balanced here is balanced there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from squall.diagnose.constants import C_P, P0, R_D, THETA0, G
from squall.prepare.base_atmosphere import BaseAtmosphere
from squall.prepare.levels import VerticalGrid

Array = NDArray[np.float32]


@dataclass(frozen=True)
class BaseState:
    """The base state on a domain's mass points, in single precision; volumes are (levels, ny, nx)."""

    terrain: Array  # m
    mub: Array  # (ny, nx), dry column mass, Pa
    pb: Array  # layers, Pa
    theta: Array  # layers, K minus 300
    alb: Array  # layers, m3 kg-1
    phb: Array  # interfaces, m2 s-2


def make_base_state(
    terrain: Array, vertical: VerticalGrid, base: BaseAtmosphere, hypsometric: int
) -> BaseState:
    """Makes the base state from the terrain (ny, nx) [m]. hypsometric: 1 or 2, as in the run file."""
    f = np.float32
    terrain = terrain.astype(f)
    ratio = f(base.t00) / f(base.lapse)
    surface = f(base.p00) * _exp(
        -ratio + np.sqrt(ratio * ratio - f(2) * f(G) * terrain / f(base.lapse) / f(R_D))
    )
    mub = surface - f(vertical.top)
    column = _Column(mub, vertical)
    pb = column.pressure(vertical.c3h, vertical.c4h)
    temperature = np.maximum(f(base.t_iso), f(base.t00) + f(base.lapse) * _log(pb / f(base.p00)))
    theta = temperature * _power(f(base.p00) / pb, f(R_D) / f(C_P)) - f(THETA0)
    minus_cv_over_cp = -(f(C_P) - f(R_D)) / f(C_P)
    alb = (f(R_D) / f(P0)) * (theta + f(THETA0)) * _power(pb / f(P0), minus_cv_over_cp)
    if hypsometric == 2:
        faces = column.pressure(vertical.c3f, vertical.c4f)
        thickness = alb * pb * _log(faces[:-1] / faces[1:])
    else:
        thickness = column.mass() * alb
    phb = np.empty((vertical.nz + 1, *mub.shape), f)
    phb[0] = terrain * f(G)
    for k in range(vertical.nz):
        phb[k + 1] = phb[k] + thickness[k]
    return BaseState(terrain, mub, pb, theta, alb, phb)


class _Column:
    """Pressures and masses of the base state's columns in single precision."""

    def __init__(self, mub: Array, vertical: VerticalGrid) -> None:
        self.mub, self.vertical = mub, vertical

    def pressure(self, c3: NDArray[np.float64], c4: NDArray[np.float64]) -> Array:
        made = _profile(c3) * self.mub + _profile(c4) + np.float32(self.vertical.top)
        return made.astype(np.float32)

    def mass(self) -> Array:
        v = self.vertical
        made = -_profile(v.dnw) * (_profile(v.c1h) * self.mub + _profile(v.c2h))
        return made.astype(np.float32)


# The model calls the C library's functions of single precision. NumPy's own differ from them in the
# last bit, which geopotential feels; SciPy's xlogy calls logf, and exp and pow are rounded results
# of double precision in both.


def _exp(x: Array) -> Array:
    return np.exp(x.astype(np.float64)).astype(np.float32)


def _log(x: Array) -> Array:
    return np.asarray(xlogy(np.float32(1), x), np.float32)


def _power(x: Array, exponent: np.float32) -> Array:
    return (x.astype(np.float64) ** np.float64(exponent)).astype(np.float32)


def _profile(x: NDArray[np.float64]) -> Array:
    return x.astype(np.float32)[:, None, None]
