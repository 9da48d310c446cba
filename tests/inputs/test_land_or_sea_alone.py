"""A field that has values over land alone, or over the sea alone, in a domain that has none of that is not
needed, or made up."""

import numpy as np
import pytest

from analysed_columns import EUROPE, LAT, LON
from analytic import START, era5
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare.make_columns import ColumnMaker
from squall.prepare.regrid import Regridder
from squall.prepare.report import Report
from squall.prepare.sources import open_analysis

pytestmark = pytest.mark.regression

SOIL = {"stl1": 285.0, "swvl1": 0.3}


def maker(paths, domain, land):
    regridder = Regridder(open_analysis(paths), domain, Report())
    return ColumnMaker(regridder, np.full((domain.ny, domain.nx), land, np.float32)), regridder


def mercator(latitude, longitude, spacing, cells):
    return Domain(
        Projection("mercator", latitude, latitude, longitude),
        cells,
        cells,
        spacing,
        spacing,
        latitude,
        longitude,
    )


@pytest.mark.parametrize("land", [0.0, 1.0])
def test_soil_of_a_domain_where_the_analysis_has_no_land(trial, land):
    path = trial("02-no-land-in-analysis", "sea.grib2")
    made, regridder = maker([path], mercator(30, -40, 60e3, 20), land)
    ground = made.make(regridder.analysis.times[0]).ground
    assert ground.soil_temperature is None
    told = any("soil: none in the analysis" in line for line in regridder.report.substituted)
    assert told == bool(land)  # a sea needs none; an island's is made up
    made, regridder = maker([path], mercator(35, 120, 60e3, 12), 1.0)
    ground = made.make(regridder.analysis.times[0]).ground
    # Deeper layers, which the analysis lacks, follow the year's mean.
    np.testing.assert_allclose(ground.soil_temperature[0], 285, atol=0.01)


def test_the_sea_of_a_domain_inland(trial):
    paths = [trial("02-no-land-in-analysis", name) for name in ("sea.grib2", "sst.nc")]
    made, regridder = maker(paths, mercator(40, 120, 20e3, 10), 1.0)
    assert made.make(regridder.analysis.times[0]).ground.sea_surface_temperature is None


def write(folder, **planes):
    """ERA5's files with planes of the surface, each where a mask holds: over land alone, or the sea."""
    upper, surface = era5(LON, LAT)
    for name, (values, where) in planes.items():
        plane = np.where(where, values, np.nan) * np.ones((len(LAT), len(LON)))
        units = {"swvl1": "m3 m-3", "siconc": "1", "sd": "m", "lsm": "1", "z": "m2 s-2"}.get(name, "K")
        surface[name] = (surface["sp"].dims, plane[None].astype(np.float32), {"units": units})
    upper.to_netcdf(folder / "pl.nc")
    surface.to_netcdf(folder / "sfc.nc")
    return [folder / "pl.nc", folder / "sfc.nc"]


def test_all_that_is_of_land_on_a_domain_of_sea(tmp_path):
    none = dict.fromkeys(("stl1", "swvl1", "sd", "lsm", "z"), (1.0, False))
    paths = write(tmp_path, **none, sst=(290, True), skt=(290, True))
    made, regridder = maker(paths, EUROPE, 0.0)
    columns = made.make(START)
    assert columns.ground.snow_water is None
    np.testing.assert_allclose(columns.terrain, 0)
    np.testing.assert_allclose(columns.ground.sea_surface_temperature, 290, atol=1e-3)
    np.testing.assert_allclose(regridder.plane(START, "land_mask"), 0)


def test_all_that_is_of_the_sea_on_a_domain_inland(tmp_path):
    paths = write(tmp_path, sst=(290, False), siconc=(0.5, False), lsm=(1, True), stl1=(285, True),
                  swvl1=(0.3, True), skt=(288, True))  # fmt: skip
    made, _ = maker(paths, EUROPE, 1.0)
    ground = made.make(START).ground
    assert ground.sea_ice is None
    assert ground.sea_surface_temperature is None
    np.testing.assert_allclose(ground.soil_temperature[0], 285, atol=1e-3)
    np.testing.assert_allclose(ground.skin_temperature, 288, atol=1e-3)
    # boundary.lower_file wants the temperature of water: a lake's is that of the land around.
    lakes, _ = maker(paths, EUROPE, 0.0)
    np.testing.assert_allclose(lakes.sea(START)[0], 288, atol=1e-3)


def test_what_stands_for_none_over_the_sea_is_not_looked_at(tmp_path):
    """0 K of soil under the sea, beside land."""
    land = (LON > 5) & np.ones((len(LAT), 1), bool)
    paths = write(tmp_path, lsm=(land, True), stl1=(np.where(land, 285, 0), True), swvl1=(0.3, True))
    made, _ = maker(paths, EUROPE, 1.0)
    np.testing.assert_allclose(made.make(START).ground.soil_temperature[0], 285, atol=1e-3)


def test_what_cannot_be_over_land_is_refused_whatever_is_over_the_sea(tmp_path):
    land = (LON > 5) & np.ones((len(LAT), 1), bool)
    paths = write(tmp_path, lsm=(land, True), stl1=(np.where(land, 12, 285), True), swvl1=(0.3, True))
    made, _ = maker(paths, EUROPE, 1.0)
    with pytest.raises(UserError, match="soil temperature ranges from 12 to 12 K"):
        made.make(START)


@pytest.mark.parametrize("where", [False, LON > 5])
def test_values_at_2_m_over_land_alone_are_not_used(tmp_path, where):
    """As of reanalyses of land: without, or with gaps over the domain, the levels alone are used."""
    made, regridder = maker(write(tmp_path, t2m=(285, where), d2m=(280, where)), EUROPE, 0.0)
    columns = made.make(START)
    assert columns.temperature_2m is None
    assert columns.mixing_ratio_2m is None
    assert any("temperature at 2 m" in line for line in regridder.report.substituted)


def test_a_sea_that_is_missing_where_it_is_wanted_is_refused(tmp_path):
    paths = write(tmp_path, skt=(np.nan, True))
    made, _ = maker(paths, EUROPE, 0.0)
    with pytest.raises(UserError, match="has no sea-surface temperature"):
        made.sea(START)


def test_the_command_prepares_a_domain_of_sea(trial, squall):
    done = squall("prepare", trial("02-no-land-in-analysis", "sea.grib2"), "-o", "o", "--center", "30,-40",
                  "--size", "20x20", "--spacing", "60 km", "--levels", 20)  # fmt: skip
    assert done.returncode == 0, done.stderr
