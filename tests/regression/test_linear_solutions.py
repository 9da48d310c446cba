"""The linear solutions that the model is compared with have the limits that are known of them."""

import numpy as np
import pytest

from squall.diagnose.constants import C_P, R_D, G
from squall.lab.linear.atmosphere import ConstantStability, Isothermal
from squall.lab.linear.channel import Channel, boussinesq_theta
from squall.lab.linear.mountain import hydrostatic_drag, vertical_wind

DEPTH = 10e3


def bump(x):
    return 0.01 / (1 + ((x - x.mean()) / 5e3) ** 2)


@pytest.mark.parametrize("atmosphere", [ConstantStability(0.01, 300.0), Isothermal(250.0)])
def test_atmospheres_are_in_hydrostatic_balance(atmosphere):
    z = np.linspace(0, 12e3, 2001)
    gradient = np.gradient(atmosphere.exner(z), z, edge_order=2)
    assert gradient == pytest.approx(-G / (C_P * atmosphere.theta(z)), rel=1e-5)
    n = np.sqrt(G * np.gradient(np.log(atmosphere.theta(z)), z, edge_order=2))
    assert n == pytest.approx(atmosphere.buoyancy_frequency(z), rel=1e-4)


def test_an_isothermal_channel_has_the_known_normal_modes():
    """omega^4 - c^2 K^2 omega^2 + c^2 k^2 N^2 = 0, K^2 = k^2 + (l pi/H)^2 + 1/(4 Hs^2), and the
    Lamb wave omega = c k (Baldauf and Brdar 2013)."""
    temperature, k = 250.0, 2 * np.pi / 20e3
    atmosphere = Isothermal(temperature)
    c = atmosphere.sound_speed(np.zeros(1))[0]
    n = atmosphere.buoyancy_frequency(np.zeros(1))[0]
    scale_height = R_D * temperature / G
    vertical = np.arange(1, 4) * np.pi / DEPTH
    total = c**2 * (k**2 + vertical**2 + 1 / (4 * scale_height**2))
    root = np.sqrt(total**2 - 4 * (c * k * n) ** 2)
    expected = [*np.sqrt((total + root) / 2), *np.sqrt((total - root) / 2), c * k]
    found = Channel(atmosphere, DEPTH).frequencies(k)
    for omega in expected:
        assert np.abs(found / omega - 1).min() < 5e-4


def test_a_channel_returns_its_start_at_once():
    channel = Channel(ConstantStability(0.01, 300.0), DEPTH)
    x = (np.arange(100) + 0.5) * 1e3
    theta = np.sin(np.pi * channel.z_face / DEPTH)[:, None] * bump(x)
    pressure = channel.hydrostatic_pressure(theta)
    assert channel.theta_after(0.0, 1e3, 20.0, theta, pressure) == pytest.approx(theta, abs=1e-12)


def test_a_channel_carries_its_waves_with_the_wind():
    channel = Channel(ConstantStability(0.01, 300.0), DEPTH, levels=30)
    x = (np.arange(101) + 0.5) * 1e3
    theta = np.sin(np.pi * channel.z_face / DEPTH)[:, None] * bump(x)
    pressure = channel.hydrostatic_pressure(theta)
    still = channel.theta_after(500.0, 1e3, 0.0, theta, pressure)
    carried = channel.theta_after(500.0, 1e3, 20.0, theta, pressure)
    assert carried == pytest.approx(np.roll(still, 10, axis=1), abs=1e-12)


def test_a_shallow_weakly_stratified_channel_is_boussinesq():
    """Where density hardly changes over the depth and sound is far faster than the waves, the
    compressible solution is that of Skamarock and Klemp (1994)."""
    depth, n = 500.0, 0.005
    channel = Channel(ConstantStability(n, 300.0), depth)
    x = (np.arange(150) + 0.5) * 50.0

    def shape(x):
        return 0.01 / (1 + ((x - x.mean()) / 250.0) ** 2)

    theta = np.sin(np.pi * channel.z_face / depth)[:, None] * shape(x)
    ours = channel.theta_after(1500.0, 50.0, 0.0, theta, channel.hydrostatic_pressure(theta))
    theirs = boussinesq_theta(1500.0, x, channel.z_face, depth, n, shape)
    assert np.sqrt(np.mean((ours - theirs) ** 2)) < 0.03 * theirs.std()


@pytest.mark.long
def test_the_inertia_gravity_wave_has_the_extremes_of_other_compressible_models():
    """Giraldo and Restelli (2008, J. Comput. Phys. 227, 3849-3877): -1.51e-3 to 2.78e-3 K and
    thereabouts for five discretisations of the nonlinear equations."""
    channel = Channel(ConstantStability(0.01, 300.0), DEPTH)
    x = (np.arange(300) + 0.5) * 1e3
    theta = np.sin(np.pi * channel.z_face / DEPTH)[:, None] * bump(x)
    after = channel.theta_after(3000.0, 1e3, 20.0, theta, channel.hydrostatic_pressure(theta))
    assert after.min() == pytest.approx(-1.51e-3, rel=0.02)
    assert after.max() == pytest.approx(2.80e-3, rel=0.02)


def test_a_wide_ridge_makes_hydrostatic_waves():
    """Smith (1979), eq. 2.32 for a bell: w = U d/dx [h a (a cos lz - x sin lz) / (a^2 + x^2)], l = N/U."""
    atmosphere, wind, a, dx = Isothermal(250.0), 20.0, 60e3, 2e3
    x = (np.arange(4096) - 2048) * dx
    z = np.arange(0.0, 12e3, 500.0)
    w = vertical_wind(atmosphere, wind, 10 * a**2 / (a**2 + x**2), dx, z)
    scale_height = R_D * 250.0 / G
    phase = np.sqrt((atmosphere.buoyancy_frequency(z) / wind) ** 2 - 1 / (4 * scale_height**2)) * z
    streamline = 10 * a * (a * np.cos(phase)[:, None] - x * np.sin(phase)[:, None]) / (a**2 + x**2)
    expected = np.exp(z / (2 * scale_height))[:, None] * wind * np.gradient(streamline, dx, axis=1)
    assert np.abs(w - expected).max() < 0.02 * np.abs(expected).max()


def test_ripples_shorter_than_the_stability_allows_decay_upward():
    """2 pi U / N = 6.3 km; ripples of 4 km decay as exp(-z sqrt(k^2 - N^2/U^2))."""
    atmosphere = ConstantStability(0.01, 288.0)
    x = np.arange(400) * 100.0
    z = np.array([0.0, 2e3, 4e3])
    w = vertical_wind(atmosphere, 10.0, np.cos(2 * np.pi * x / 4e3), 100.0, z)
    amplitude = np.abs(w).max(axis=1) * np.sqrt(atmosphere.density(z) / atmosphere.density(z[:1]))
    decay = np.sqrt((2 * np.pi / 4e3) ** 2 - (0.01 / 10) ** 2)
    assert amplitude / amplitude[0] == pytest.approx(np.exp(-decay * z), rel=0.01)


def test_hydrostatic_drag_of_a_bell():
    assert hydrostatic_drag(1.2, 0.01, 10.0, 100.0) == pytest.approx(-np.pi / 4 * 1200.0)
