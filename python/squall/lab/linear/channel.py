"""Linear waves in a channel between a flat bottom and a rigid lid.

Two solutions for a potential-temperature disturbance carried by a uniform wind:

* `Channel`: the linear solution of the fully compressible Euler equations, which is what a
  compressible model must approach. Baldauf and Brdar (2013, QJRMS 139, 1977-1989) give it in
  closed form for an isothermal atmosphere; here the vertical structure is found numerically,
  so that any stratification will do, and the constant-N one of Skamarock and Klemp in particular.
* `boussinesq_theta`: the Boussinesq solution of Skamarock and Klemp (1994, MWR 122, 2623-2630,
  eq. 10, without rotation), to show how far the two sets of equations lie apart.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from squall.diagnose.constants import C_P, G
from squall.lab.linear.atmosphere import Array, Atmosphere


class Channel:
    """The compressible equations linearised about a resting atmosphere, for 0 <= z <= `depth`.

    With u = U/sqrt(rho), w = W/sqrt(rho), p' = P c sqrt(rho) and theta' = B N theta0 / (g sqrt(rho))
    the equations conserve U^2 + W^2 + P^2 + B^2: for one horizontal wavenumber k they read

        d(U, W)/dt = M (P, B),    d(P, B)/dt = -M^T (U, W)

    (U a quarter wavelength out of phase), so that the singular vectors of M are the normal modes
    and its singular values their frequencies. Differences are centred on `levels` layers,
    P and U on layers, W and B on the interfaces between them; W = 0 at the ends.
    """

    def __init__(self, atmosphere: Atmosphere, depth: float, levels: int = 100) -> None:
        self.dz = depth / levels
        self.z_layer = (np.arange(levels) + 0.5) * self.dz
        self.z_face = np.arange(1, levels) * self.dz
        self._sound_speed = atmosphere.sound_speed(self.z_layer)
        self._n = atmosphere.buoyancy_frequency(self.z_face)
        self._theta_face = atmosphere.theta(self.z_face)
        self._theta_layer = atmosphere.theta(self.z_layer)
        self._rho_layer = atmosphere.density(self.z_layer)
        self._rho_face = atmosphere.density(self.z_face)
        self._pressure_work = self._pressure_work_operator()

    def _pressure_work_operator(self) -> Array:
        """G in dP/dt = ... - G W: sqrt(rho) c (d/dz - g/c^2) (W / sqrt(rho)), layers x faces."""
        levels = len(self.z_layer)
        difference = (np.eye(levels, levels - 1) - np.eye(levels, levels - 1, -1)) / self.dz
        mean = (np.eye(levels, levels - 1) + np.eye(levels, levels - 1, -1)) / 2
        c = self._sound_speed[:, None]
        operator = difference - G / c**2 * mean
        return np.sqrt(self._rho_layer)[:, None] * c * operator / np.sqrt(self._rho_face)

    def frequencies(self, k: float) -> Array:
        """Angular frequencies [s-1] of all normal modes of wavenumber k [m-1], descending."""
        return np.linalg.svd(self._operator(k), compute_uv=False)

    def _operator(self, k: float) -> Array:
        levels = len(self.z_layer)
        top = np.hstack([-k * np.diag(self._sound_speed), np.zeros((levels, levels - 1))])
        bottom = np.hstack([self._pressure_work.T, np.diag(self._n)])
        return np.vstack([top, bottom])

    def hydrostatic_pressure(self, theta: Array) -> Array:
        """p' [Pa] on layers that balances theta' [K] on faces, zero at the lid.

        cp d(pi')/dz = g theta'/theta0^2 and p' = rho0 cp theta0 pi'; theta' is zero on the
        bottom and on the lid.
        """
        gradient = G * theta / (C_P * self._theta_face[:, None] ** 2)
        zero = np.zeros_like(gradient[:1])
        across = (np.vstack([zero, gradient]) + np.vstack([gradient, zero])) * self.dz / 2
        exner: Array = np.cumsum(across, axis=0) - across / 2 - across.sum(axis=0)
        return (self._rho_layer * C_P * self._theta_layer)[:, None] * exner

    def theta_after(self, time: float, dx: float, wind: float, theta: Array, pressure: Array) -> Array:
        """theta' [K] on faces (z, x) after `time` [s], carried along by `wind` [m s-1].

        `theta` [K] on faces and `pressure` [Pa] on layers are the disturbance at rest at time 0,
        periodic in x with spacing `dx` [m].
        """
        b_scale = (G / (self._n * self._theta_face) * np.sqrt(self._rho_face))[:, None]
        p_scale = (1 / (self._sound_speed * np.sqrt(self._rho_layer)))[:, None]
        spectrum = np.vstack([np.fft.rfft(pressure * p_scale), np.fft.rfft(theta * b_scale)])
        levels = len(self.z_layer)
        wavenumbers = 2 * np.pi * np.fft.rfftfreq(theta.shape[1], dx)
        for column, k in enumerate(wavenumbers):
            _, sigma, modes = np.linalg.svd(self._operator(k))
            amplitudes = modes @ spectrum[:, column]
            carried = np.exp(-1j * k * wind * time)
            spectrum[:, column] = carried * (modes.T @ (np.cos(sigma * time) * amplitudes))
        return np.fft.irfft(spectrum[levels:], n=theta.shape[1]) / b_scale


def boussinesq_theta(
    time: float, x: Array, z: Array, depth: float, n: float, shape: Callable[[Array], Array]
) -> Array:
    """theta' (z, x) of the Boussinesq channel after `time` in the frame of the wind.

    The disturbance at rest at time 0 is shape(x) sin(pi z / depth), periodic over x (evenly
    spaced). Each wavenumber k oscillates with nu = N k / sqrt(k^2 + (pi/depth)^2).
    """
    k = 2 * np.pi * np.fft.rfftfreq(len(x), x[1] - x[0])
    frequency = n * k / np.hypot(k, np.pi / depth)
    profile: Array = np.fft.irfft(np.fft.rfft(shape(x)) * np.cos(frequency * time), n=len(x))
    sine: Array = np.sin(np.pi * z / depth)
    return sine[:, None] * profile
