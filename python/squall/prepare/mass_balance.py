"""Removes the divergence of the column mass flux from the wind.

Interpolation leaves a column divergence that is a small difference of large numbers: surface
pressure would change by several hPa an hour everywhere, and adjust by external gravity waves. The
least change of the flux that takes it away is the gradient of a potential (Sasaki 1970; Washington
and Baumhefner 1975):

    laplacian chi = -(D - mean of D),     D = dU/dx + dV/dy,     U + dchi/dx,  V + dchi/dy

with U = sum over levels of u (c1 mu + c2) (-d_eta) / m, the model's own fluxes, in which the
continuity equation has no map factor under the derivative. Wind changes by the same amount at all
heights. The rows that the boundary file covers are left alone, so that the file and the state
agree; the mean, which is what blows into the domain through them, stays.

Where the boundary holds still for the whole run (an analysis of one time), what blows in would
raise or lower the pressure hour after hour. There the mean over the whole domain is taken out
first, by fluxes that grow linearly from the middle to the sides.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.fft import dctn, idctn

from squall.diagnose.staggering import to_faces
from squall.geo.domain import Domain
from squall.prepare.state import MassBalance, State

Block = NDArray[np.float64]

SMALLEST = 4  # cells between the boundary's rows, below which nothing is done


def remove_divergence(state: State, domain: Domain, margin: int, steady: bool) -> MassBalance | None:
    """Changes u and v of the state, except on the outermost `margin` rows of faces and cells; there
    only where `steady`, for a boundary that holds still.

    None: the domain is too small, nothing was changed.
    """
    if min(domain.nx, domain.ny) < 2 * margin + SMALLEST:
        return None
    mu = state.base.mub.astype(np.float64) + state.mu
    mu_u, mu_v = to_faces(mu, 1), to_faces(mu, 0)
    flux_u = _column_flux(state, state.u, mu_u) / domain.u.map_factor_y
    flux_v = _column_flux(state, state.v, mu_v) / domain.v.map_factor_x
    inside = np.s_[margin:-margin, margin:-margin]
    whole = np.diff(flux_u, axis=1) / domain.dx + np.diff(flux_v, axis=0) / domain.dy
    divergence = whole[inside]
    change_u, change_v = np.zeros_like(flux_u), np.zeros_like(flux_v)
    if steady:
        change_u += -0.5 * whole.mean() * domain.dx * _from_middle(domain.nx)
        change_v += -0.5 * whole.mean() * domain.dy * _from_middle(domain.ny)[:, None]
    chi = _solve(-(divergence - divergence.mean()), domain.dx, domain.dy)
    change_u[inside][:, 1:-1] += np.diff(chi, axis=1) / domain.dx
    change_v[inside][1:-1] += np.diff(chi, axis=0) / domain.dy
    left = divergence.mean() - steady * whole.mean()
    du = change_u * domain.u.map_factor_y / mu_u
    dv = change_v * domain.v.map_factor_x / mu_v
    state.u += du.astype(np.float32)
    state.v += dv.astype(np.float32)
    factors = (domain.mass.map_factor_x * domain.mass.map_factor_y)[inside]
    return MassBalance(
        before=float(np.abs(factors * divergence).mean()),
        after=float(np.abs(factors * left).mean()),
        wind_rms=float(np.sqrt((du**2).mean() + (dv**2).mean())),
        wind_greatest=float(max(np.abs(du).max(), np.abs(dv).max())),
        inflow=float(-whole.mean()),
    )


def _from_middle(cells: int) -> Block:
    """Of faces, in cells."""
    return np.arange(cells + 1, dtype=np.float64) - cells / 2


def _column_flux(state: State, wind: NDArray[np.float32], mu: Block) -> Block:
    """Sum over the levels of wind times mass, level by level to keep memory small."""
    v = state.vertical
    total = np.zeros_like(mu)
    for k in range(v.nz):
        total -= v.dnw[k] * (v.c1h[k] * mu + v.c2h[k]) * wind[k]
    return total


def _solve(right: Block, dx: float, dy: float) -> Block:
    """The potential with laplacian `right` in the model's differences and no flux through the
    outermost faces, by cosine transforms. Its mean is 0."""
    ny, nx = right.shape
    x = (2 * np.cos(np.pi * np.arange(nx) / nx) - 2) / dx**2
    y = (2 * np.cos(np.pi * np.arange(ny) / ny) - 2) / dy**2
    eigenvalues = x[None, :] + y[:, None]
    eigenvalues[0, 0] = 1
    waves = dctn(right, type=2) / eigenvalues
    waves[0, 0] = 0
    return np.asarray(idctn(waves, type=2))
