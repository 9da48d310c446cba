"""Mountains within cells: statistics on analytic ground, WPS's tiles, and what the initial file gets."""

from dataclasses import replace

import numpy as np
import pytest
from netCDF4 import Dataset

from analytic import every
from geogrid_tiles import LAND_USE, write_set
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare.columns import OROGRAPHY
from squall.prepare.command import open_plan, prepare_all
from squall.prepare.orography import of_folder, of_heights
from squall.prepare.run_file import read_plan
from squall.prepare.sources import open_heights
from squall.prepare.starter import run_file_text
from test_prepare_command import RUN_FILE, write_era5
from test_prepare_terrain import write_heights

pytestmark = pytest.mark.regression

DEGREE = 6370e3 * np.pi / 180
FINE = 0.01
# Cells of half a degree, from 8 to 12 E and 44 to 46 N but for half a point, with 50 x 50 points in each.
CENTRE = 45 + FINE / 2, 10 + FINE / 2
DOMAIN = Domain(Projection("lat-lon", 0, 0, 0), 8, 4, DEGREE / 2, DEGREE / 2, *CENTRE)


def within(x, cell=0.5):
    """Where in its cell, from -0.5 to 0.5."""
    return (x / cell) % 1 - 0.5


def statistics(tmp_path, height):
    """height: from the south-western corner of a cell, degrees."""
    path = write_heights(tmp_path / "h.nc", lambda lon, lat: height(lon - FINE / 2, lat - FINE / 2), FINE)
    return of_heights(open_heights(path), DOMAIN).values


def test_waves_have_the_deviation_and_convexity_of_a_sine(tmp_path):
    made = statistics(tmp_path, lambda lon, lat: 2000 + 300 * np.sin(2 * np.pi * within(lon)))
    assert set(made) == set(OROGRAPHY)
    np.testing.assert_allclose(made["VAR"], 300 / np.sqrt(2), rtol=0.01)
    np.testing.assert_allclose(made["CON"], 1.5, rtol=0.01)
    np.testing.assert_array_equal(made["OL1"], 1)  # all of it is above 1116 m - 0.878 sigma
    assert all(values.dtype == np.float32 and values.shape == (4, 8) for values in made.values())


def test_a_plain_has_no_mountains(tmp_path):
    made = statistics(tmp_path, lambda lon, lat: 2000 + 0 * lon)
    for name, values in made.items():
        np.testing.assert_array_equal(values, 0, err_msg=name)


def bump(x, y):
    return 3000 * np.exp(-(x**2 + y**2) / 0.01)


# Where in a cell a hill stands, and the asymmetry for wind from west, south, south-west and north-west.
@pytest.mark.parametrize(
    ("x", "y", "signs"),
    [
        (-0.3, 0, (1, 0, 1, 1)), (0.3, 0, (-1, 0, -1, -1)), (0, -0.3, (0, 1, 1, -1)),
        (0, 0.3, (0, -1, -1, 1)),
        (-0.25, -0.25, (1, 1, 1, 0)), (-0.25, 0.25, (1, -1, 0, 1)),
    ],
)  # fmt: skip
def test_asymmetry_tells_on_which_side_a_hill_stands(tmp_path, x, y, signs):
    made = statistics(tmp_path, lambda lon, lat: bump(within(lon) - x, within(lat) - y))
    for n, sign in enumerate(signs, start=1):
        expected = pytest.approx(sign, abs=0.06)
        assert made[f"OA{n}"].mean() == expected, f"OA{n}"
        assert np.ptp(made[f"OA{n}"]) < 0.1


def test_a_reflection_turns_asymmetry_about_and_leaves_the_rest(tmp_path):
    def ground(lon, lat, sign=1):
        x, y = sign * within(lon), within(lat)
        return bump(x + 0.2, y - 0.1) + 0.4 * bump(x - 0.3, y + 0.3)

    made = statistics(tmp_path, ground)
    mirror = statistics(tmp_path, lambda lon, lat: ground(lon, lat, -1))
    for name in ("VAR", "CON", "OA2", "OL1", "OL2"):
        np.testing.assert_allclose(mirror[name], made[name], rtol=0.03, atol=0.02, err_msg=name)
    np.testing.assert_allclose(mirror["OA1"], -made["OA1"], atol=0.03)
    for kind, sign in (("OA", -1), ("OL", 1)):
        np.testing.assert_allclose(mirror[f"{kind}4"], sign * made[f"{kind}3"], atol=0.04)
    assert abs(made["OA1"]).min() > 0.1


def test_the_length_of_a_ridge_is_its_share_of_the_way(tmp_path):
    """A ridge from west to east over the middle third, which is two thirds of the middle half."""
    made = statistics(tmp_path, lambda lon, lat: np.where(np.abs(within(lat)) < 1 / 6, 2500.0, 100.0))
    np.testing.assert_allclose(made["OL1"], 2 / 3, atol=0.03)
    for n in (2, 3, 4):
        np.testing.assert_allclose(made[f"OL{n}"], 1 / 3, atol=0.03)
    corner = statistics(
        tmp_path, lambda lon, lat: np.where((within(lon) < 0) & (within(lat) < 0), 2500.0, 100.0)
    )
    np.testing.assert_allclose(corner["OL3"], 0.5, atol=0.03)
    np.testing.assert_array_equal(corner["OL4"], 0)


def test_directions_are_the_earths_however_the_grid_is_turned(tmp_path):
    """On a map whose y points north at 60 W, cells at 10 E are turned by 70 degrees times the sine of 60."""
    turned = Domain(Projection("polar-stereographic", 60, 60, -60), 8, 8, 40e3, 40e3, 45, 10)
    assert np.abs(turned.mass.sin_alpha).min() > 0.8
    lon, lat = turned.mass.longitude, turned.mass.latitude
    path = write_heights(tmp_path / "h.nc", lambda x, y: np.maximum(2000 - 8000 * np.abs(x - 10), 0), 0.01)
    made = of_heights(open_heights(path), turned).values
    west_of = (lon < 9.85) & (lon > 9.75)  # the ridge at 10 E is in the cells' east
    east_of = (lon > 10.15) & (lon < 10.25)
    assert west_of.any()
    assert east_of.any()
    assert made["OA1"][west_of].max() < -0.8
    assert made["OA1"][east_of].min() > 0.8
    assert np.abs(made["OA2"][west_of | east_of]).max() < 0.3
    assert np.isfinite(lat).all()


def test_heights_that_are_too_coarse_tell_nothing(tmp_path):
    path = write_heights(tmp_path / "h.nc", lambda lon, lat: 1000 + 100 * np.sin(lon), 0.2)
    made = of_heights(open_heights(path), DOMAIN)
    assert made.values == {}
    assert "needs 4 of them across a cell" in made.notes[0]


def write_tiles(folder, step, value=0):
    """A set of WPS's: VAR 100 + `value` m, CON 3, OA1 -0.1 ... -0.4, OL1 0.1 ... 0.4."""
    ny, nx = round(15 / step), round(20 / step)
    numbers = {"var": 1000 + 10 * value, "con": 30}
    numbers |= {f"{kind}{n}": sign * n for kind, sign in (("oa", -1), ("ol", 1)) for n in (1, 2, 3, 4)}
    for name, number in numbers.items():
        write_set(
            folder / name, np.full((ny, nx), number), first=(step / 2, 40 + step / 2), step=step,
            tile=(nx, ny), word=2, signed="yes", scale_factor=0.1,
        )  # fmt: skip


def test_of_wps_tiles_those_of_the_nearest_size_are_taken(tmp_path):
    for step, value in ((0.25, 1), (0.5, 2), (1.0, 3)):
        write_tiles(tmp_path / f"orogwd_{step}", step, value)
    made = of_folder(tmp_path, DOMAIN)
    assert made is not None
    np.testing.assert_allclose(made.values["VAR"], 102)
    np.testing.assert_allclose(made.values["OA3"], -0.3, rtol=1e-6)
    np.testing.assert_allclose(made.values["OL4"], 0.4, rtol=1e-6)
    assert "orogwd_0.5" in made.notes[0]
    assert (made.on_land(np.zeros((4, 8))).values["VAR"] == 0).all()


def test_a_set_of_tiles_that_is_not_whole_is_refused(tmp_path):
    assert of_folder(tmp_path, DOMAIN) is None
    write_tiles(tmp_path / "orogwd_30m", 0.5)
    (tmp_path / "orogwd_30m" / "ol2" / "index").unlink()
    with pytest.raises(UserError, match="no ol2/index; all of var, con, oa1"):
        of_folder(tmp_path, DOMAIN)


def prepared(tmp_path, extra=""):
    """Of cells of 40 km around 45 N and 10 E."""
    write_era5(tmp_path, every(6, 4))
    text = RUN_FILE.replace("[prepare]\n", f"[prepare]\n{extra}\n")
    for old, new in (("100 km", "40 km"), ('longitude = "5 d', 'longitude = "10 d'), ("300 s", "150 s")):
        text = text.replace(old, new)
    (tmp_path / "run.toml").write_text(text)
    plan = read_plan(tmp_path / "run.toml")
    analysis, domain = open_plan(plan)
    return plan, prepare_all(plan, analysis, domain, lambda what, done, steps: None)[0]


def test_the_initial_file_and_its_run_file_have_what_heights_tell(tmp_path):
    write_heights(tmp_path / "h.nc", lambda lon, lat: 1000 + 500 * np.sin(40 * lon), 0.05)
    plan, made = prepared(tmp_path, 'terrain = "h.nc"')
    with Dataset(made.files[0]) as file:
        assert set(OROGRAPHY) <= set(file.variables)
        assert file["VAR"].units == "m"
        land = file["LANDMASK"][0] > 0.5
        assert file["VAR"][0][land].min() > 100
        assert (file["VAR"][0][~land] == 0).all()
        np.testing.assert_allclose(file["VAR_SSO"][0], file["VAR"][0] ** 2, rtol=1e-5)
        assert file["GOT_VAR_SSO"][0] == 1  # else WRF takes VAR_SSO to be missing
        assert "subgrid orography: statistics of" in file.GROUND
    assert 'gravity_wave_drag = "kim-arakawa"' in run_file_text(made, plan, tmp_path)
    made.domain = replace(made.domain, dx=4e3, dy=4e3)  # which resolves the mountains
    assert "gravity_wave_drag" not in run_file_text(made, plan, tmp_path)


def test_without_fine_heights_the_file_has_none_and_says_so(tmp_path):
    plan, made = prepared(tmp_path)
    with Dataset(made.files[0]) as file:
        assert not set(OROGRAPHY) & set(file.variables)
        assert "subgrid orography: none" in file.GROUND
    assert "gravity_wave_drag" not in run_file_text(made, plan, tmp_path)


def test_wps_tiles_go_before_heights(tmp_path):
    write_set(tmp_path / "geog" / "modis_landuse_20class_30s", np.full((30, 40), 12), **LAND_USE)
    write_tiles(tmp_path / "geog" / "orogwd_30m", 0.5)
    write_heights(tmp_path / "h.nc", lambda lon, lat: 1000 + 500 * np.sin(40 * lon), 0.05)
    _, made = prepared(tmp_path, 'terrain = "h.nc"\ngeography = "geog"')
    with Dataset(made.files[0]) as file:
        np.testing.assert_allclose(file["VAR"][0], 100)
        assert "orogwd_30m" in file.GROUND
