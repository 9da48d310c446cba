"""Steady linear waves over a ridge in a uniform wind.

Smith (1979, Adv. Geophys. 21, 87-230); with compressibility as in Durran (1989, J. Atmos. Sci.
46, 1453-1461): for horizontal wavenumber k the vertical wind, scaled by the square root of
density, has the vertical wavenumber

    m^2 = N^2/U^2 - k^2 + U^2 k^2 / c^2 - 1/(4 H^2)

(H the scale height of density), which is exact for an isothermal atmosphere and holds for
constant N as long as H changes slowly. Upward energy propagation chooses the sign of real m, decay
with height that of imaginary m.
"""

from __future__ import annotations

import numpy as np

from squall.diagnose.constants import G
from squall.lab.linear.atmosphere import Array, Atmosphere


def vertical_wind(atmosphere: Atmosphere, wind: float, terrain: Array, dx: float, z: Array) -> Array:
    """w [m s-1] at heights `z` [m] (rows) over the ridge.

    `terrain` [m] is the height of the ground at points `dx` [m] apart, which should be zero well
    inside both ends (the domain is taken as periodic); `wind` [m s-1] > 0.
    """
    k = 2 * np.pi * np.fft.rfftfreq(len(terrain), dx)
    ground = np.zeros(1)
    n = atmosphere.buoyancy_frequency(ground)[0]
    c = atmosphere.sound_speed(ground)[0]
    # d(ln rho)/dz = -(g/c^2 + N^2/g) in any hydrostatic atmosphere.
    inverse_height = G / c**2 + n**2 / G
    m = np.sqrt((n**2 - wind**2 * k**2) / wind**2 + (wind * k / c) ** 2 - inverse_height**2 / 4 + 0j)
    phase = np.exp(1j * m * z[:, None])
    surface = 1j * k * wind * np.fft.rfft(terrain)
    amplitude = np.sqrt(atmosphere.density(ground) / atmosphere.density(z))
    return amplitude[:, None] * np.fft.irfft(surface * phase, n=len(terrain))


def hydrostatic_drag(density: float, n: float, wind: float, height: float) -> float:
    """Momentum flux [N m-1] of hydrostatic waves over a bell-shaped ridge of `height` [m].

    -(pi/4) rho0 N U h^2, the same at every level (Eliassen and Palm 1961; Smith 1979).
    """
    return -np.pi / 4 * density * n * wind * height**2
