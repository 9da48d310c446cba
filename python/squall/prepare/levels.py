"""The model's vertical levels: eta from the user's settings, and the coefficients that the model derives.

Dry hydrostatic pressure is p_d = B (p_s - p_t) + (eta - B)(p_0 - p_t) + p_t (Laprise 1992; hybrid
form of Klemp 2011; Skamarock et al. 2019, NCAR/TN-556, section 2). Level 0 is the surface.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import P0
from squall.diagnose.staggering import to_centres
from squall.errors import UserError
from squall.prepare.base_atmosphere import BaseAtmosphere

Profile = NDArray[np.float64]


@dataclass(frozen=True)
class VerticalGrid:
    """Levels and their coefficients, every number one that single precision holds.

    Names ending in f are at the nz + 1 interfaces, in h at the nz layers; c1 to c4 as in WRF.
    """

    top: float  # Pa of dry air
    etac: float  # 0: pure sigma; else eta above which levels are of constant pressure
    znw: Profile  # eta of interfaces, from 1 to 0
    znu: Profile  # eta of layers
    dnw: Profile  # znw[k + 1] - znw[k]
    rdnw: Profile
    dn: Profile  # znu[k] - znu[k - 1]; entry 0 is 0
    rdn: Profile
    fnm: Profile  # weight of layer k at interface k; entry 0 is 0
    fnp: Profile  # weight of layer k - 1
    cf: tuple[float, float, float]  # extrapolation of layers 0, 1, 2 to the surface
    cfn: tuple[float, float]  # extrapolation of layers nz - 1, nz - 2 to the top
    c1f: Profile
    c2f: Profile
    c3f: Profile
    c4f: Profile
    c1h: Profile
    c2h: Profile
    c3h: Profile
    c4h: Profile

    @property
    def nz(self) -> int:
        return len(self.znu)


def stretched_eta(levels: int, top: float, lowest: float, stretch: float, base: BaseAtmosphere) -> Profile:
    """Interfaces whose layers thicken from the ground upwards, `levels` + 1 values of eta.

    The first layer is `lowest` m thick in the base atmosphere over sea level, each next one by the
    factor `stretch` thicker, smoothly levelling off at the thickness with which `levels` layers
    end at the pressure `top`. Where even unlimited growth does not get there the factor is raised.
    Raises UserError where more than 1.5 would be needed, or where equal layers already get higher.
    """
    height = float(base.height(np.asarray(top)))
    if levels * lowest >= height:
        raise UserError(
            f"{levels} levels of at least {lowest:g} m do not fit below the top at {height:.0f} m "
            f"({top / 100:g} hPa): use fewer levels, a higher top or a thinner lowest layer."
        )
    k = np.arange(levels)
    needed = _bisect(lambda factor: float(np.sum(lowest * factor**k)) - height, 1.0, 3.0)
    if needed > 1.5:
        raise UserError(
            f"{levels} levels from a layer of {lowest:g} m to a top at {height:.0f} m ({top / 100:g} hPa) "
            f"would each be {needed:.2f} times as thick as the one below: use more levels, a lower top or "
            f"a thicker lowest layer."
        )
    free = lowest * max(stretch, 1.02 * needed) ** k

    def thickness(limit: float) -> Profile:
        return np.asarray(free / np.sqrt(1 + (free / limit) ** 2))

    limit = _bisect(lambda x: float(np.sum(thickness(x))) - height, height / levels / 4, 100 * height)
    heights = np.concatenate([[0.0], np.cumsum(thickness(limit))])
    eta = (base.pressure(heights) - top) / (base.p00 - top)
    eta[0], eta[-1] = 1.0, 0.0
    return eta


def divided_eta(parent: Profile, layers: int) -> Profile:
    """`layers` + 1 interfaces whose layers divide those between `parent`'s smoothly, as the model does where
    a nest says `nz`: eta as a monotone function of how many of the parent's layers lie below, a cubic between
    two interfaces with harmonic means of neighbouring layers as slopes (Fritsch and Carlson 1980, SIAM J.
    Numer. Anal. 17, 238-246)."""
    step = np.diff(parent)
    slope = np.concatenate([step[:1], 2 * step[:-1] * step[1:] / (step[:-1] + step[1:]), step[-1:]])
    at = np.arange(layers + 1) * (len(step) / layers)
    k = np.minimum(at.astype(int), len(step) - 1)
    t, u = at - k, 1 - (at - k)
    eta = (
        u * u * (1 + 2 * t) * parent[k]
        + t * t * (3 - 2 * t) * parent[k + 1]
        + t * u * u * slope[k]
        - t * t * u * slope[k + 1]
    )
    eta[0], eta[-1] = 1.0, 0.0
    return np.asarray(eta)


def checked_eta(eta: Sequence[float]) -> Profile:
    """An explicit list of interfaces; raises UserError unless it falls strictly from 1 to 0."""
    values = np.asarray(eta, np.float64)
    if len(values) < 4 or values[0] != 1 or values[-1] != 0:
        raise UserError("eta needs at least 4 interfaces, from 1 at the surface down to 0 at the top.")
    if wrong := [n for n in range(1, len(values)) if not values[n] < values[n - 1]]:
        raise UserError(
            f"eta must decrease from each interface to the next: number {wrong[0]} (from 0) is "
            f"{values[wrong[0]]:g} after {values[wrong[0] - 1]:g}."
        )
    return values


def make_vertical_grid(eta: Profile, top: float, etac: float) -> VerticalGrid:
    """The coefficients, rounded to single precision as the model keeps them."""
    znw = _single(eta)
    znu = to_centres(znw)
    dnw = np.diff(znw)
    dn = np.concatenate([[0.0], np.diff(znu)])
    fnm, fnp = np.zeros_like(dn), np.zeros_like(dn)
    fnm[1:] = 0.5 * dnw[:-1] / dn[1:]
    fnp[1:] = 0.5 * dnw[1:] / dn[1:]
    # Three layers at the surface (exact for straight lines), two at the top.
    a = (2 * dn[1] + dn[2]) / (dn[1] + dn[2]) * dnw[0] / dn[1]
    b = dn[1] / (dn[1] + dn[2]) * dnw[0] / dn[2]
    return VerticalGrid(
        top=float(np.float32(top)),
        etac=etac,
        znw=znw,
        znu=_single(znu),
        dnw=_single(dnw),
        rdnw=_single(1 / dnw),
        dn=_single(dn),
        rdn=_single(np.concatenate([[0.0], 1 / dn[1:]])),
        fnm=_single(fnm),
        fnp=_single(fnp),
        cf=(_rounded(fnp[1] + a), _rounded(fnm[1] - a - b), _rounded(b)),
        cfn=(_rounded((0.5 * dnw[-1] + dn[-1]) / dn[-1]), _rounded(-0.5 * dnw[-1] / dn[-1])),
        **_hybrid(znw, znu, float(np.float32(top)), etac),
    )


def _hybrid(znw: Profile, znu: Profile, top: float, etac: float) -> dict[str, Profile]:
    depth = P0 - top
    c3f = surface_weight(znw, etac)
    c3f[0], c3f[-1] = 1.0, 0.0
    c3h = to_centres(c3f)
    c1h, c1f = np.ones_like(znu), np.ones_like(znw)
    if etac > 0:
        c1h = np.diff(c3f) / np.diff(znw)
        c1f[1:-1] = np.diff(c3h) / np.diff(znu)
        c1f[-1] = 0
    made = {
        "c1f": c1f,
        "c2f": (1 - c1f) * depth,
        "c3f": c3f,
        "c4f": (znw - c3f) * depth,
        "c1h": c1h,
        "c2h": (1 - c1h) * depth,
        "c3h": c3h,
        "c4h": (znu - c3h) * depth,
    }
    return {name: _single(values) for name, values in made.items()}


def surface_weight(eta: Profile, etac: float) -> Profile:
    """B(eta): eta itself for pure sigma (etac = 0); for the hybrid coordinate the cubic that is 1
    with slope 1 at the surface and 0 with slope 0 from etac up (NCAR/TN-556, eq. 2.3)."""
    if etac <= 0:
        return eta.copy()
    e = etac
    c = (2 * e**2 * (1 - e), -e * (4 - 3 * e - e**3), 2 * (1 - e**3), -(1 - e**2))
    cubic = (c[0] + eta * (c[1] + eta * (c[2] + eta * c[3]))) / (1 - e) ** 4
    return np.where(eta < e, 0.0, cubic)


def _single(x: Profile) -> Profile:
    return x.astype(np.float32).astype(np.float64)


def _rounded(x: float) -> float:
    return float(np.float32(x))


def _bisect(f: Callable[[float], float], low: float, high: float) -> float:
    """The zero of an increasing function f."""
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if f(middle) > 0 else (middle, high)
    return 0.5 * (low + high)
