"""The ground of a domain: means over cells, land mask, smoothing, and the analysis's ground at the sides."""

import numpy as np
import pytest
import xarray as xr

import analytic
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare.sources import open_heights
from squall.prepare.terrain import blended, cell_means, make_terrain, smoothed

DOMAIN = Domain(Projection("lambert", 35, 55, 10), 30, 24, 30e3, 30e3, 45, 10)


def write_heights(path, height, spacing=0.1, lat_down=False):
    """height(lon, lat) in m around the domain."""
    lon, lat = np.arange(-2, 22 + spacing / 2, spacing), np.arange(36, 54 + spacing / 2, spacing)
    lat = lat[::-1] if lat_down else lat
    values = height(*np.meshgrid(lon, lat)).astype(np.float32)
    xr.Dataset(
        {"relief": (("Y", "X"), values, {"units": "meters"})},
        coords={"X": ("X", lon, {"units": "degrees_east"}), "Y": ("Y", lat, {"units": "degrees_north"})},
    ).to_netcdf(path)
    return path


def slope(lon, lat):
    return 1000 + 50 * (lon - 10) + 80 * (lat - 45)


@pytest.mark.parametrize("spacing", [0.02, 0.1, 0.6])
@pytest.mark.parametrize("lat_down", [True, False])
def test_cells_get_the_mean_of_data_sets_of_any_spacing(tmp_path, spacing, lat_down):
    path = write_heights(tmp_path / "h.nc", slope, spacing, lat_down)
    height, land = cell_means(open_heights(path), DOMAIN)
    np.testing.assert_allclose(height, slope(DOMAIN.mass.longitude, DOMAIN.mass.latitude), atol=1.0)
    np.testing.assert_array_equal(land, 1)


def test_peaks_between_points_count(tmp_path):
    """Noise of mean 500 m: a sample at the middle of each cell would keep all of it."""
    rng = np.random.default_rng(2)
    path = write_heights(tmp_path / "h.nc", lambda lon, lat: 500 + 100 * rng.normal(size=lon.shape), 0.05)
    height, _ = cell_means(open_heights(path), DOMAIN)
    assert height.mean() == pytest.approx(500, abs=2)
    assert height.std() < 20  # 5 x 7 points in a cell


def test_the_sea_is_flat_and_the_coast_where_half_a_cell_is_land(tmp_path):
    path = write_heights(tmp_path / "h.nc", lambda lon, lat: np.where(lon < 10, 400.0, -3000.0), 0.05)
    made = make_terrain(DOMAIN, None, None, path, passes=0, blend_rows=0)
    lon = DOMAIN.mass.longitude
    clear = np.abs(lon - 10) > 0.25
    np.testing.assert_array_equal(made.land[clear], (lon < 10)[clear])
    np.testing.assert_allclose(made.height[clear], np.where(lon < 10, 400, 0)[clear], atol=1e-3)
    assert made.height.min() >= 0


def test_lakes_and_low_land_come_from_the_analysis(tmp_path):
    """A lake at 180 m, and land 30 m below the sea's level, which heights cannot tell."""
    path = write_heights(tmp_path / "h.nc", lambda lon, lat: np.where(lon < 10, 180.0, -30.0), 0.05)
    analysis = np.where(DOMAIN.mass.longitude < 10, 0.0, 1.0).astype(np.float32)
    made = make_terrain(DOMAIN, None, analysis, path, passes=0, blend_rows=0)
    np.testing.assert_array_equal(made.land, analysis)


def test_the_smoother_takes_two_cell_waves_and_keeps_long_ones():
    x = np.arange(60)
    inside = (slice(None), slice(10, -10))

    def kept(cells):
        wave = np.broadcast_to(np.cos(2 * np.pi * x / cells), (40, 60)).astype(np.float32)
        return np.abs(smoothed(wave)[inside]).max()

    assert kept(2) < 1e-6
    assert kept(4) == pytest.approx(0.76, abs=0.01)
    assert kept(10) == pytest.approx(0.994, abs=0.003)
    flat = np.full((20, 20), 700, np.float32)
    np.testing.assert_array_equal(smoothed(flat), flat)


def test_the_outermost_row_is_the_analysis_and_the_inside_is_not():
    made = blended(np.full((20, 24), 1000, np.float32), np.zeros((20, 24), np.float32), rows=5)
    np.testing.assert_array_equal(made[[0, -1]], 0)
    np.testing.assert_array_equal(made[:, [0, -1]], 0)
    np.testing.assert_allclose(made[10, :6], [0, 200, 400, 600, 800, 1000])
    np.testing.assert_array_equal(made[5:-5, 5:-5], 1000)


def test_without_a_data_set_the_ground_is_the_analysis_flattened_at_sea():
    analysis = np.array([[-9.0, 4.0], [12.0, 500.0]], np.float32)
    land = np.array([[0.0, 0.1], [0.9, 1.0]], np.float32)
    made = make_terrain(DOMAIN, analysis, land, None, passes=1, blend_rows=5)
    np.testing.assert_array_equal(made.height, [[0, 4], [12, 500]])
    np.testing.assert_array_equal(made.land, [[0, 0], [1, 1]])


def test_heights_that_do_not_cover_the_domain_are_refused(tmp_path):
    path = write_heights(tmp_path / "h.nc", slope)
    far = Domain(DOMAIN.projection, 30, 24, 30e3, 30e3, 45, 20)
    with pytest.raises(UserError, match="the terrain heights do not cover the domain"):
        cell_means(open_heights(path), far)


def test_a_file_without_heights_is_refused(tmp_path):
    _, surface = analytic.era5(np.arange(0, 20.0), np.arange(40, 50.0))
    surface[["sp"]].to_netcdf(tmp_path / "a.nc")
    with pytest.raises(UserError, match="no terrain height on a grid"):
        open_heights(tmp_path / "a.nc")
