"""Grids of the globe, means in their cells, potentials, and the boundary layer of winds from analyses."""

import numpy as np
import pytest

from squall.diagnose import boundary_layer
from squall.prepare.poles import Poles
from squall.prepare.sources.grids import lat_lon
from squall.transport.balance import Poisson, convergence
from squall.transport.cell_means import CellMeans
from squall.transport.globe import RADIUS, Levels, make_globe, make_levels

GRIDS = [("gaussian", 48, 24), ("regular", 90, 40), ("gaussian", 9, 6)]
SOURCES = {
    "from the north, with poles": (np.arange(0, 360, 2.5), np.arange(90, -91, -2.5)),
    "from the south, without": (np.arange(-180, 180, 3.0), np.arange(-88.5, 89, 3.0)),
    "westward": (np.arange(357.5, -1, -2.5), np.arange(90, -91, -2.5)),
}


@pytest.mark.parametrize(("kind", "nlon", "nlat"), GRIDS)
def test_areas_make_the_sphere(kind, nlon, nlat):
    globe = make_globe(kind, nlon, nlat)
    assert globe.area.sum() * nlon == pytest.approx(4 * np.pi * RADIUS**2, rel=1e-14)
    assert np.all((globe.lat_faces[:-1] < globe.lat) & (globe.lat < globe.lat_faces[1:]))


def means(source, globe, stagger, f):
    """Of f(longitude, latitude) in radians at the points of a source."""
    poles = Poles(lat_lon(*SOURCES[source]))
    window = poles.window(np.array([0.0, 90, 180, 270]), np.array([-90.0, 90, 0, 0]))
    own = poles.own(window)
    columns = np.concatenate([poles.grid.x[run] for run in window.columns])
    values = f(*np.meshgrid(np.radians(columns), np.radians(SOURCES[source][1]))).astype(np.float32)
    assert values.shape == own.shape
    return CellMeans(poles.grid, window, globe, stagger)(poles.extended(values[None], window, 1), "linear")[0]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("kind", "nlon", "nlat"), GRIDS)
def test_means_in_cells_keep_the_mean_over_the_sphere(kind, nlon, nlat, source):
    globe = make_globe(kind, nlon, nlat)
    fine = make_globe("regular", 240, 120)

    def field(lon, lat):
        return 1e5 + 3000 * np.sin(lat) ** 2 + 500 * np.cos(lat) * np.sin(5 * lon)

    found, exact = means(source, globe, "mass", field), means(source, fine, "mass", field)
    assert globe.mean(found) == pytest.approx(fine.mean(exact), rel=2e-6)
    np.testing.assert_allclose(means(source, globe, "mass", lambda lon, lat: 0 * lon + 7), 7, rtol=3e-6)


@pytest.mark.parametrize("source", SOURCES)
def test_faces_have_the_field_of_their_place(source):
    globe = make_globe("gaussian", 48, 24)

    def field(lon, lat):
        return np.cos(lat) * np.sin(lon)

    west, south = means(source, globe, "u", field), means(source, globe, "v", field)
    assert west.shape == (24, 49)
    assert south.shape == (25, 48)
    # near the poles the middle of a side is not where its mean is
    np.testing.assert_allclose(west[4:-4], field(globe.lon_faces, globe.lat[4:-4, None]), atol=4e-3)
    np.testing.assert_allclose(south, field(globe.lon, globe.lat_faces[:, None]), atol=4e-3)


@pytest.mark.parametrize(("kind", "nlon", "nlat"), GRIDS)
def test_a_potential_has_the_convergence_that_it_was_solved_for(kind, nlon, nlat):
    globe = make_globe(kind, nlon, nlat)
    wanted = np.random.default_rng(7).normal(size=(nlat, nlon)) * globe.area[:, None]
    wanted -= globe.area[:, None] * wanted.sum() / (globe.area.sum() * nlon)
    poisson = Poisson(globe)
    left = poisson.convergence(poisson.solve(wanted)) - wanted
    assert np.abs(left).max() / np.abs(wanted).max() < 1e-13


def test_rotation_has_no_convergence():
    globe, levels = make_globe("gaussian", 48, 24), make_levels(5, 1e4, "pressure", "hybrid")
    surface = np.full((24, 48), 1e5)
    u = np.broadcast_to(30 * np.cos(globe.lat)[:, None], (5, 24, 48))
    assert np.abs(convergence(globe, levels, surface, u, np.zeros_like(u))).max() == 0


def test_layers_of_the_top_and_of_the_ground_are_where_they_are_wanted():
    levels = make_levels(10, 1000.0, "height", "hybrid")
    pressure = levels.interfaces(np.array([[9e4, 1e5]]))
    assert pressure.shape == (11, 1, 2)
    np.testing.assert_allclose(pressure[[0, -1], 0], [[9e4, 1e5], [1000, 1000]], rtol=1e-13)
    assert np.all(np.diff(pressure, axis=0) < 0)
    assert Levels(levels.a, levels.b).nz == 10


def test_the_boundary_layer_ends_where_air_becomes_stable():
    interfaces = 1e5 * np.exp(-np.arange(31) * 100 / 8000.0)[:, None]
    ratio = np.zeros((30, 1))
    middle = 0.5 * (interfaces[1:] + interfaces[:-1])
    temperature = 290 * (middle / 1e5) ** (287 / 1004.5)
    height = boundary_layer.heights(temperature, ratio, interfaces)
    assert height[:, 0] == pytest.approx(50 * 290 / 273.4 * (1 + 2 * np.arange(30)), rel=0.06)
    potential = np.where(height < 1200, 290.0, 290 + 0.01 * (height - 1200))
    wind = np.broadcast_to(5.0 + 0.001 * height, height.shape)
    found = boundary_layer.height_by_richardson(height, potential, wind, 0 * wind)
    assert found[0] == pytest.approx(1200, abs=120)


def test_friction_follows_the_logarithmic_profile():
    assert boundary_layer.friction_velocity(np.array([10.0]), 10.0, 0.1)[0] == pytest.approx(
        0.4 * 10 / np.log(100)
    )
