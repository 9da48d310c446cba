"""Derivatives along the grid, on every kind of map, against flows whose derivatives are known."""

import numpy as np
import pytest
import xarray as xr

from flows_on_maps import DOMAINS, on_sphere, rotation, vorticity
from squall.diagnose import vorticity as diagnosed
from squall.diagnose.constants import EARTH_RADIUS, EARTH_ROTATION, G

PLANE = ("south_north", "west_east")
AXIS = (1.0, -0.5, 0.7)
INNER = (slice(1, -1), slice(1, -1))  # at the sides differences are one-sided


def frame_of(domain):
    points = domain.mass
    factors = {
        "MAPFAC_M": points.map_factor_x,
        "MAPFAC_MX": points.map_factor_x,
        "MAPFAC_MY": points.map_factor_y,
    }
    frame = xr.Dataset(attrs={"DX": domain.dx, "DY": domain.dy})
    return frame.assign({name: (PLANE, values) for name, values in factors.items()})


def plane(values):
    return xr.DataArray(values, dims=PLANE)


@pytest.mark.parametrize("name", DOMAINS)
def test_vorticity_and_divergence_of_rigid_rotation(name):
    domain = DOMAINS[name]
    frame, true = frame_of(domain), vorticity(domain.mass, AXIS, 20.0)
    u, v = map(plane, rotation(domain.mass, AXIS, 20.0))
    np.testing.assert_allclose(diagnosed.relative(frame, u, v).values[INNER], true[INNER], atol=3e-9)
    np.testing.assert_allclose(diagnosed.divergence(frame, u, v).values[INNER], 0, atol=3e-9)


@pytest.mark.parametrize("name", DOMAINS)
def test_divergence_and_vorticity_of_the_gradient_of_a_plane_wave(name):
    """The flow down the gradient of a . r diverges by 2 a . r / R^2 and does not turn: the rotation about a,
    turned by a quarter."""
    domain = DOMAINS[name]
    u, v = rotation(domain.mass, AXIS, 20.0)
    u, v = plane(v), plane(-u)
    frame, true = frame_of(domain), vorticity(domain.mass, AXIS, 20.0)
    np.testing.assert_allclose(diagnosed.divergence(frame, u, v).values[INNER], true[INNER], atol=3e-9)
    np.testing.assert_allclose(diagnosed.relative(frame, u, v).values[INNER], 0, atol=3e-9)


@pytest.mark.parametrize("name", DOMAINS)
def test_potential_vorticity_of_tilted_shear(name):
    """Wind that grows with height about one axis and theta that falls towards another: every term counts."""
    domain, layers = DOMAINS[name], 5
    points = domain.mass
    up = on_sphere(points.longitude, points.latitude)[0]
    growth, cold = np.arange(1.0, layers + 1), np.array([0.3, 0.4, -0.8])
    u, v = (growth[:, None, None] * part for part in rotation(points, AXIS, 10.0))
    theta = 300 + 4 * growth[:, None, None] + 30 * (up @ cold)
    pressure = 9e4 - 1e4 * np.arange(layers)[:, None, None] + 0 * theta
    frame = frame_of(domain).assign(
        U=(("bottom_top", *PLANE), u), V=(("bottom_top", *PLANE), v), T=(("bottom_top", *PLANE), theta - 300),
        P=(("bottom_top", *PLANE), 0 * theta), PB=(("bottom_top", *PLANE), pressure),
        F=(PLANE, points.coriolis[0]),
    )  # fmt: skip
    # With k x grad(theta) = r x grad(theta): the sheared wind is axis x r, the rest follows from vectors.
    axis = np.asarray(AXIS) / np.linalg.norm(AXIS)
    wind = 10.0 * np.cross(axis, up)  # its growth from layer to layer
    gradient = 30 / EARTH_RADIUS * (cold - (up @ cold)[..., None] * up)
    tilt = -(np.cross(up, gradient) * wind).sum(-1)
    turning = vorticity(points, AXIS, 10.0) * growth[:, None, None] + 2 * EARTH_ROTATION * up[..., 2]
    true = -G * (turning * 4.0 + tilt) / -1e4
    found = diagnosed.potential(frame).values
    np.testing.assert_allclose(found[:, 1:-1, 1:-1], true[:, 1:-1, 1:-1], atol=2e-5 * np.abs(true).max())
