"""Data sets of the land have gaps: what they do not know is no sea far above it, and a lake stays a lake."""

import numpy as np
import pytest
from netCDF4 import Dataset

from geogrid_tiles import LAND_USE, write_set
from squall.geo.domain import Domain, Projection
from squall.prepare.geography import Geography
from squall.prepare.land_gaps import Known, filled
from squall.prepare.terrain import make_terrain

pytestmark = pytest.mark.regression

WATER, FOREST, ICE, GRASS = 17, 5, 15, 10
# Points every degree of the whole Earth.
LON, LAT = np.meshgrid(np.arange(-179.5, 180), np.arange(-89.5, 90))
DOMAIN = Domain(Projection("lat-lon", 0, 0, 0), 30, 24, 100e3, 100e3, 46, 10)  # cells of 0.9 degrees
SOUTH = Domain(Projection("polar-stereographic", -70, -70, 0), 20, 20, 60e3, 60e3, -90, 0)


def land_of(tmp_path, classes, domain):
    write_set(tmp_path / "modis_landuse_20class_30s", classes, first=(-179.5, -89.5), step=1.0, tile=(60, 20),
              **LAND_USE)  # fmt: skip
    return Geography(tmp_path).land(domain)


def known(domain, height, land=1.0, spacing=3.0, own=False):
    """spacing: of the analysis, in cells."""
    shape = domain.mass.latitude.shape
    mask = None if land is None else np.broadcast_to(np.float32(land), shape)
    return Known(np.broadcast_to(np.float32(height), shape), own, mask, spacing)


def around(lon, lat, size):
    return (np.abs(LON - lon) < size) & (np.abs(LAT - lat) < size)


@pytest.mark.parametrize("land", [1.0, None])
def test_the_pole_that_satellites_do_not_see_is_ice_as_all_around(tmp_path, land):
    given = land_of(tmp_path, np.where(LAT < -88, WATER, np.where(LAT < -60, ICE, WATER)), SOUTH)
    assert (given.mask == 0).sum() > 20
    made = filled(given, known(SOUTH, 2800, land))
    np.testing.assert_array_equal(made.mask, 1)
    np.testing.assert_array_equal(made.use.land_use, ICE)
    assert any("are set to land: they are not lakes" in note for note in made.notes)


def test_a_domain_within_the_gap_is_ice_too(tmp_path):
    small = Domain(SOUTH.projection, 10, 10, 5e3, 5e3, -90, 0)
    made = filled(land_of(tmp_path, np.where(LAT < -88, WATER, ICE), small), known(small, 2800, spacing=1.0))
    np.testing.assert_array_equal(made.use.land_use, ICE)


def test_a_gap_in_the_ice_of_greenland_is_ice_but_a_fjord_is_water(tmp_path):
    greenland = Domain(Projection("polar-stereographic", 70, 70, -40), 20, 20, 60e3, 60e3, 75, -40)
    gap, fjord = around(-40, 75, 3), around(-48, 78, 2)
    given = land_of(tmp_path, np.where(gap | fjord, WATER, ICE), greenland)
    latitude, longitude = greenland.mass.latitude, greenland.mass.longitude
    sea = (np.abs(longitude + 48) < 2.5) & (np.abs(latitude - 78) < 2.5)
    made = filled(given, known(greenland, np.where(sea, 0, 2500), np.where(sea, 0.2, 1)))
    np.testing.assert_array_equal(made.use.land_use == WATER, (given.use.land_use == WATER) & sea)
    assert (made.use.land_use == WATER).any()


def test_a_lake_that_the_analysis_does_not_know_stays_a_lake(tmp_path):
    given = land_of(tmp_path, np.where(around(10, 46, 2), WATER, FOREST), DOMAIN)
    made = filled(given, known(DOMAIN, 400))
    np.testing.assert_array_equal(made.mask, given.mask)
    assert (made.mask == 0).sum() == 16
    assert made.notes == given.notes


def test_water_so_wide_that_the_analysis_would_know_it_is_land(tmp_path):
    given = land_of(tmp_path, np.where(around(10, 46, 6), WATER, FOREST), DOMAIN)
    made = filled(given, known(DOMAIN, 400, spacing=1.5))
    np.testing.assert_array_equal(made.use.land_use, FOREST)


def test_a_great_lake_that_the_analysis_knows_and_the_caspian_below_the_sea_stay_water(tmp_path):
    given = land_of(tmp_path, np.where(around(10, 46, 6), WATER, FOREST), DOMAIN)
    for height, land in ((400, given.mask), (-28, 1.0)):
        made = filled(given, known(DOMAIN, height, land, spacing=1.0))
        np.testing.assert_array_equal(made.mask, given.mask)


def test_an_island_that_the_data_set_leaves_out_stands_out_of_the_sea(tmp_path):
    given = land_of(tmp_path, np.full(LON.shape, WATER), DOMAIN)
    height = np.zeros((24, 30))
    height[10:12, 14:16] = 600
    height[3, 3] = 40  # a ripple
    made = filled(given, known(DOMAIN, height, 0.2, own=True))
    np.testing.assert_array_equal(made.mask, height > 100)
    np.testing.assert_array_equal(made.use.land_use, np.where(height > 100, GRASS, WATER))
    np.testing.assert_array_equal(filled(given, known(DOMAIN, height, 0.2)).mask, 0)  # the analysis's heights


@pytest.mark.parametrize("number", [0, 255])
def test_what_the_data_set_does_not_know_is_as_the_analysis_has_it(tmp_path, number):
    given = land_of(tmp_path, np.where(LON > 10, number, FOREST), DOMAIN)
    sea = DOMAIN.mass.latitude > 46
    made = filled(given, known(DOMAIN, np.where(sea, 0, 300), np.where(sea, 0, 1)))
    np.testing.assert_array_equal(
        made.use.land_use, np.where(sea & (DOMAIN.mass.longitude > 10), WATER, FOREST)
    )
    np.testing.assert_array_equal(made.mask, made.use.land_use != WATER)
    assert any("without data in the data set" in note for note in made.notes)


def test_soil_and_class_come_from_the_nearest_land(tmp_path):
    classes = np.where(around(10, 46, 6), WATER, np.where(LON < 10, FOREST, GRASS))
    write_set(tmp_path / "soiltype_top_30s", np.where(classes == WATER, 14, np.where(LON < 10, 3, 9)),
              first=(-179.5, -89.5), step=1.0, tile=(60, 20), type="categorical")  # fmt: skip
    made = filled(land_of(tmp_path, classes, DOMAIN), known(DOMAIN, 400, spacing=1.0))
    assert set(np.unique(made.use.land_use)) == {FOREST, GRASS}
    np.testing.assert_array_equal(made.use.soil, np.where(made.use.land_use == FOREST, 3, 9))


def heights(tmp_path, values):
    with Dataset(tmp_path / "heights.nc", "w") as file:
        for name, axis, units in (("lon", LON[0], "degrees_east"), ("lat", LAT[:, 0], "degrees_north")):
            file.createDimension(name, len(axis))
            variable = file.createVariable(name, "f8", (name,))
            variable.units, variable[:] = units, axis
        variable = file.createVariable("z", "f4", ("lat", "lon"), fill_value=-9999.0)
        variable.setncatts({"units": "m", "standard_name": "surface_altitude"})
        variable[:] = np.ma.masked_invalid(values)
    return tmp_path / "heights.nc"


@pytest.mark.parametrize("size", [4.0, 60.0])
def test_holes_in_heights_are_no_sea_where_the_analysis_has_land(tmp_path, size):
    """As of data sets that end at 60 degrees north, or in the shadows of mountains."""
    path = heights(tmp_path, np.where(around(10, 46, size), np.nan, 800.0))
    shape = DOMAIN.mass.latitude.shape
    analysis, ones = np.full(shape, 780, np.float32), np.ones(shape, np.float32)
    made = make_terrain(DOMAIN, analysis, ones, path, 0, 0)
    assert 779 < made.height.min() <= made.height.max() < 801
    np.testing.assert_array_equal(made.land, 1)
    assert any("with gaps in the data set" in note for note in made.notes)


def test_the_sea_may_have_no_heights(tmp_path):
    path = heights(tmp_path, np.where(LON > 10, np.nan, 800.0))
    mask = (DOMAIN.mass.longitude < 10).astype(np.float32)
    made = make_terrain(DOMAIN, 780 * mask, mask, path, 0, 0)
    np.testing.assert_array_equal(made.land, mask)
    np.testing.assert_array_equal(made.height[DOMAIN.mass.longitude > 11], 0)


def test_the_south_pole_is_ice_in_the_initial_file(squall, trial, tmp_path):
    classes = np.where(LAT < -88, WATER, np.where(LAT < -60, ICE, WATER))
    folder = tmp_path / "cache" / "squall" / "land"
    land_of(folder, classes, SOUTH)
    file = trial("13-south-pole-is-sea", "south.grib2")
    done = squall(
        "prepare", str(file), "-o", "o", "--center", "-90,0", "--size", "20x20", "--spacing", "50 km",
        "--levels", "20", XDG_CACHE_HOME=str(tmp_path / "cache"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with Dataset(tmp_path / "o" / "wrfinput_d01") as made:
        np.testing.assert_array_equal(made["LANDMASK"][0], 1)
        np.testing.assert_array_equal(made["LU_INDEX"][0], ICE)
