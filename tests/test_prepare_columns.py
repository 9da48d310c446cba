"""What an analysis lacks is made up and told, or refused by name; what cannot be true is refused."""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

import analytic
from analysed_columns import EUROPE, LAT, LON, assert_true, columns_of
from analytic import G0, LEVELS, START, era5, every, regular_grib
from squall.diagnose import vapour
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare import humidity
from squall.prepare.horizontal import Interpolation
from squall.prepare.sources import open_analysis
from squall.prepare.sources.grids import lat_lon
from squall.prepare.sources.piece import window_around

SEA_FROM = 5.0  # degrees east of which the made-up continent ends


def without(table, *names):
    return {name: field for name, field in table.items() if name not in names}


def saturated_share(p, lon, lat, over="water"):
    """Relative humidity in per cent of the analytic specific humidity."""
    q = analytic.specific_humidity(p, lon, lat)
    of_vapour = q * p / (287 / 461.6 + q * (1 - 287 / 461.6))
    t = analytic.temperature(p, lon, lat).astype(np.float32)
    return 100 * of_vapour / vapour.saturation_pressure_of_producer(t, over)


def test_humidity_from_relative_humidity_and_from_the_dew_point(tmp_path):
    upper = {**without(analytic.UPPER, "q"), "r": lambda *w: saturated_share(*w, "ecmwf")}
    path = regular_grib(tmp_path / "r.grib", LON, LAT, upper=upper)
    grib = replace_centre(path, "ecmf")
    columns, report = columns_of([grib])
    assert_true(columns, tolerance=3)
    assert list(report.notes) == [humidity.IN_WORDS["ecmwf"]]
    # Over ice: what is taken for over water would be moister by a third at 230 K.
    cold = columns.mixing_ratio[5]
    wrong = vapour.saturation_pressure_of_producer(columns.temperature[5])
    assert (wrong / vapour.saturation_pressure_of_producer(columns.temperature[5], "ecmwf")).min() > 1.2
    assert cold.max() < 1e-3


def replace_centre(path, centre):
    import eccodes as ec

    made = path.with_suffix(".centre")
    with path.open("rb") as old, made.open("wb") as new:
        while (handle := ec.codes_grib_new_from_file(old)) is not None:
            ec.codes_set(handle, "centre", centre)
            new.write(ec.codes_get_message(handle))
            ec.codes_release(handle)
    return made


@pytest.mark.parametrize(
    ("over", "kelvin", "expected"),
    [("water", 273.16, 611.21), ("water", 293.16, 2338.0), ("gfs", 243.16, 38.0), ("ecmwf", 243.16, 38.0)],
)
def test_pressures_of_saturation(over, kelvin, expected):
    found = vapour.saturation_pressure_of_producer(np.array([kelvin], np.float32), over)[0]
    assert found == pytest.approx(expected, rel=0.01)


def test_surface_pressure_follows_from_the_heights_and_is_told(tmp_path):
    path = regular_grib(tmp_path / "a.grib", LON, LAT, surface=without(analytic.SURFACE, "sp"))
    columns, report = columns_of([path])
    assert "surface pressure: interpolated from the levels to the terrain height" in report.substituted
    truth = analytic.surface_pressure(EUROPE.mass.longitude, EUROPE.mass.latitude)
    np.testing.assert_allclose(columns.surface_pressure, truth, atol=60)


def test_the_ground_follows_from_pressures_and_heights(tmp_path):
    path = regular_grib(tmp_path / "a.grib", LON, LAT, surface=without(analytic.SURFACE, "orog"))
    columns, report = columns_of([path])
    assert any("terrain height of the analysis" in line for line in report.substituted)
    truth = analytic.ground(EUROPE.mass.longitude, EUROPE.mass.latitude)
    np.testing.assert_allclose(columns.terrain, truth, atol=6)


def test_heights_follow_from_temperature(tmp_path):
    path = regular_grib(tmp_path / "a.grib", LON, LAT, upper=without(analytic.UPPER, "gh"))
    columns, report = columns_of([path])
    assert any("heights of the levels" in line for line in report.substituted)
    p, virtual = columns.pressure, columns.temperature * (1 + 0.608 * columns.mixing_ratio)
    thickness = 287 / G0 * 0.5 * (virtual[1:] + virtual[:-1]) * np.log(p[:-1] / p[1:])[:, None, None]
    np.testing.assert_allclose(np.diff(columns.height, axis=0), thickness, rtol=1e-4)


def test_neither_surface_pressure_nor_ground_is_refused(tmp_path):
    path = regular_grib(tmp_path / "a.grib", LON, LAT, surface=without(analytic.SURFACE, "sp", "orog"))
    with pytest.raises(UserError, match="lacks the surface pressure and the terrain height"):
        columns_of([path])


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("u", "wind along x on levels"),
        ("t", "no temperature on pressure or model levels"),
        ("q", "lacks humidity"),
    ],
)
def test_an_essential_field_that_is_missing_is_named(tmp_path, missing, said):
    path = regular_grib(tmp_path / "a.grib", LON, LAT, upper=without(analytic.UPPER, missing))
    with pytest.raises(UserError, match=said):
        columns_of([path])


def test_a_level_missing_between_others_is_named(tmp_path):
    whole = regular_grib(tmp_path / "a.grib", LON, LAT, upper=without(analytic.UPPER, "t"))
    part = regular_grib(
        tmp_path / "b.grib", LON, LAT, upper={"t": analytic.temperature}, surface={},
        levels=[p for p in LEVELS if p != 50000],
    )  # fmt: skip
    with pytest.raises(UserError, match="lacks temperature at 500 hPa"):
        columns_of([whole, part])


def test_humidity_that_ends_below_the_top_is_continued_and_told(tmp_path):
    dry = regular_grib(tmp_path / "a.grib", LON, LAT, upper=without(analytic.UPPER, "q"))
    moist = regular_grib(
        tmp_path / "b.grib", LON, LAT, upper={"q": analytic.specific_humidity}, surface={},
        levels=[p for p in LEVELS if p >= 20000 and p != 70000],
    )  # fmt: skip
    columns, report = columns_of([dry, moist])
    assert [line.split(":")[0] for line in report.substituted if line.startswith("humidity at ")] == [
        "humidity at 700 hPa", "humidity at 100 hPa", "humidity at 50 hPa", "humidity at 2 m",
    ]  # fmt: skip
    below, above = columns.mixing_ratio[2], columns.mixing_ratio[4]
    assert (columns.mixing_ratio[3] > above).all()
    assert (columns.mixing_ratio[3] < below).all()
    assert columns.mixing_ratio[-1].max() <= 3.001e-6


def test_a_time_missing_between_others_is_named(tmp_path):
    times = [time for n, time in enumerate(every(6, 5)) if n != 2]
    path = regular_grib(tmp_path / "a.grib", LON, LAT, times=times)
    with pytest.raises(UserError, match="lacks the time 2024-01-15 12:00 UTC"):
        open_analysis([path])


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("t", lambda t: t - 273.15, "It looks like degrees Celsius"),
        ("q", lambda q: 1000 * q, "the valid range is"),
        ("z", lambda z: 100 * z, "the valid range is"),
    ],
)
def test_values_that_cannot_be_in_the_units_they_claim_are_refused(tmp_path, name, change, said):
    upper, surface = era5(LON, LAT)
    units = upper[name].attrs
    upper[name] = change(upper[name])
    upper[name].attrs = units
    upper.to_netcdf(tmp_path / "pl.nc")
    surface.to_netcdf(tmp_path / "sfc.nc")
    with pytest.raises(UserError, match=said):
        columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"])


def test_pressure_in_hectopascals_without_units_is_refused_and_with_them_read(tmp_path):
    upper, surface = era5(LON, LAT)
    upper.to_netcdf(tmp_path / "pl.nc")
    surface["sp"] = surface["sp"] / 100
    surface["sp"].attrs["units"] = "hPa"
    surface.to_netcdf(tmp_path / "right.nc")
    assert_true(columns_of([tmp_path / "pl.nc", tmp_path / "right.nc"])[0])
    surface["sp"].attrs["units"] = "Pa"
    surface.to_netcdf(tmp_path / "wrong.nc")
    with pytest.raises(UserError, match=r"surface pressure ranges from .* It looks like hPa"):
        columns_of([tmp_path / "pl.nc", tmp_path / "wrong.nc"])


def test_a_field_without_any_value_is_refused(tmp_path):
    upper, surface = era5(LON, LAT)
    upper["v"] = upper["v"].where(False).assign_attrs(upper["v"].attrs)
    upper.to_netcdf(tmp_path / "pl.nc")
    surface.to_netcdf(tmp_path / "sfc.nc")
    with pytest.raises(UserError, match="wind along y has no valid value"):
        columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"])


def test_levels_missing_below_the_ground_are_made_from_above(tmp_path):
    upper, surface = era5(LON, LAT)
    hidden = (upper.pressure_level == 1000) & (upper.longitude > 0) & (upper.longitude < 10)
    with xr.set_options(keep_attrs=True):
        upper = upper.where(~hidden)
    upper.to_netcdf(tmp_path / "pl.nc")
    surface.to_netcdf(tmp_path / "sfc.nc")
    columns, report = columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"])
    assert any(line.startswith("levels below the ground") for line in report.substituted)
    lon = EUROPE.mass.longitude
    inside = (lon > 1.5) & (lon < 8.5)
    assert inside.sum() > 50
    # 6.5 K/km over the 750 m between 925 and 1000 hPa; winds as above; heights in balance.
    warmer = (columns.temperature[0] - columns.temperature[1])[inside]
    thickness = (columns.height[1] - columns.height[0])[inside]
    np.testing.assert_allclose(warmer, 6.5e-3 * thickness, rtol=0.03)
    np.testing.assert_array_equal(columns.mixing_ratio[0][inside], columns.mixing_ratio[1][inside])
    outside = ~((lon > -1.5) & (lon < 11.5))
    truth = analytic.temperature(1e5, lon, EUROPE.mass.latitude)
    np.testing.assert_allclose(columns.temperature[0][outside], truth[outside], atol=0.02)


def test_land_and_sea_do_not_mix(tmp_path):
    """Skin temperature is 290 K on land and 280 K at sea; soil and sea temperature have no other."""
    upper, surface = era5(LON, LAT)
    land = (surface.longitude < SEA_FROM) & (surface.latitude > 0)
    one = surface["sp"] * 0 + 1
    for name, values, units in (
        ("lsm", one.where(land, 0), "(0 - 1)"), ("skt", (one * 290).where(land, 280), "K"),
        ("sst", (one * 285).where(~land), "K"), ("stl1", (one * 288).where(land), "K"),
        ("swvl1", (one * 0.3).where(land), "m**3 m**-3"),
    ):  # fmt: skip
        surface[name] = values.assign_attrs(units=units)
    upper.to_netcdf(tmp_path / "pl.nc")
    surface.to_netcdf(tmp_path / "sfc.nc")
    from squall.prepare.make_columns import ColumnMaker
    from squall.prepare.regrid import Regridder
    from squall.prepare.report import Report

    # An island of the domain's own, 600 km from the analysis's land.
    own_land = (EUROPE.mass.longitude < SEA_FROM).astype(np.float32)
    own_land[10, 22] = 1
    report = Report()
    regridder = Regridder(open_analysis([tmp_path / "pl.nc", tmp_path / "sfc.nc"]), EUROPE, report)
    ground = ColumnMaker(regridder, own_land).make(START).ground
    np.testing.assert_allclose(ground.skin_temperature, np.where(own_land > 0, 290, 280), rtol=1e-6)
    np.testing.assert_allclose(ground.sea_surface_temperature, 285, rtol=1e-6)
    np.testing.assert_allclose(ground.soil_temperature[0], 288, rtol=1e-6)
    assert ground.soil_depths[0] == 0.07
    said = next(note for note in report.notes if note.startswith("soil temperature"))
    distance = float(said.split("at most ")[1].split()[0])
    island = EUROPE.mass.longitude[10, 22] - 4  # the last meridian with land
    expected = np.radians(island) * 6370 * np.cos(np.radians(EUROPE.mass.latitude[10, 22]))
    assert distance == pytest.approx(expected, rel=0.05)


def test_humidity_has_no_new_extremes(tmp_path):
    """A step in the analysis: cubic interpolation overshoots it, limited interpolation does not."""
    grid = lat_lon(LON, LAT)
    window = window_around(grid, EUROPE.mass.longitude, EUROPE.mass.latitude)
    lon = np.concatenate([LON[run] for run in window.columns])
    step = np.broadcast_to(np.where(lon > 5, 1.0, 0.0), window.shape)[None].astype(np.float32)
    of = Interpolation(grid, window, EUROPE, "mass")
    assert of(step, "cubic").max() > 1.03
    limited = of(step, "limited")
    assert (limited.min(), limited.max()) == (0, 1)


def test_a_domain_coarser_than_the_analysis_gets_means(tmp_path):
    """Noise from point to point, of mean 0, does not reach a domain of 5 times the spacing."""
    lon, lat = np.arange(-10, 10.01, 0.2), np.arange(35, 55.01, 0.2)
    grid = lat_lon(lon, lat)
    domain = Domain(Projection("lambert", 35, 55, 0), 10, 10, 100e3, 100e3, 45, 0)
    window = window_around(grid, domain.mass.longitude, domain.mass.latitude)
    noise = np.random.default_rng(1).normal(size=(1, *window.shape)).astype(np.float32)
    for stagger in ("mass", "u", "v"):
        of = Interpolation(grid, window, domain, stagger)
        inner = of(noise, "cubic")[0, 1:-1, 1:-1]
        # About 4.5 x 6.4 points in a cell.
        assert inner.std() < 1.3 / np.sqrt(4.5 * 6.4)
        # A slope is kept: the middle of a cell is where its points' mean is.
        slope = np.broadcast_to(lat[window.rows][:, None], window.shape)[None].astype(np.float32)
        np.testing.assert_allclose(of(slope, "cubic")[0], domain.points(stagger).latitude, atol=0.11)


def test_a_domain_beyond_the_analysis_is_refused(tmp_path):
    path = regular_grib(tmp_path / "a.grib", LON, LAT)
    with pytest.raises(
        UserError, match=r"extends beyond the analysis, by up to [\d.]+ of its cells: \d+% of its points"
    ):
        columns_of([path], replace(EUROPE, center_longitude=40.0))


def test_the_same_field_twice_is_told(tmp_path):
    path = regular_grib(tmp_path / "a.grib", LON, LAT)
    again = regular_grib(tmp_path / "b.grib", LON, LAT, surface={})
    assert "45 field(s) occur more than once" in open_analysis([path, again]).notes[0]
