"""Derived fields of the air, its humidity and its flow, against MetPy, xwrf, WRF itself and closed forms, on
real columns. Each prints by how much they differ (pytest -s)."""

import warnings

import metpy.calc
import metpy.interpolate
import numpy as np
import pytest
import xarray as xr
import xwrf  # noqa: F401
from metpy.units import units

from real_columns import DATA, difference, real
from squall import diagnose
from squall.diagnose import vapour
from squall.diagnose.levels import interpolated
from squall.errors import UserError
from squall.lab.verify.history import at_heights

pytestmark = [pytest.mark.regression, pytest.mark.seconds(50)]

SUITES = ["physics/columns_summer.nc", "physics/columns_winter.nc"]
MASS = ("bottom_top", "south_north", "west_east")


@pytest.fixture(scope="module", params=SUITES, ids=["summer", "winter"])
def frame(request):
    return real(request.param).isel(Time=0).assign_attrs(name=request.param)


def as_xwrf_has_it(frame):
    file = xr.open_dataset(DATA / frame.attrs["name"], decode_times=False)
    return file.isel(Time=[0]).xwrf.postprocess().xwrf.destagger().isel(Time=0)


def quantity(array, unit):
    return units.Quantity(np.asarray(array, float), unit)


def test_pressure_temperature_and_height_are_xwrfs(frame):
    """xwrf has g = 9.81 and 2/7 as WRF does; what is left is rounding to single precision."""
    theirs = as_xwrf_has_it(frame)
    difference("pressure, xwrf", diagnose.field(frame, "pressure"), theirs["air_pressure"], "Pa", rms=5e-3)
    theta = theirs["air_potential_temperature"]
    difference("theta, xwrf", diagnose.field(frame, "theta"), theta, "K", rms=2e-5)
    z = theirs["geopotential_height"].values
    z = 0.5 * (z[1:] + z[:-1]) if len(z) == frame.sizes["bottom_top_stag"] else z
    difference("height, xwrf", diagnose.field(frame, "height"), z, "m", rms=2e-3)


def test_humidity_is_metpys_but_for_its_formula_of_saturation(frame):
    """MetPy saturates by Ambaum (2020), Squall as the model's schemes do, by Bolton (1980): they are 0.3 %
    apart between -35 and 35 °C, for which Bolton is made."""
    p, t, q = (diagnose.field(frame, name) for name in ("pressure", "temperature", "QVAPOR"))
    q = q.clip(min=1e-8)
    theirs = metpy.calc.relative_humidity_from_mixing_ratio(
        quantity(p, "Pa"), quantity(t, "K"), quantity(q, "kg/kg")
    ).to("percent").m  # fmt: skip
    ours = diagnose.field(frame, "relative_humidity")
    warm = t.values > 238
    difference("relative humidity, MetPy", ours.where(warm).values[:10], theirs[:10], "%", rms=0.2, most=0.5)
    difference("relative humidity of all levels, MetPy", ours, theirs, "%", rms=0.4)
    e = metpy.calc.vapor_pressure(quantity(p, "Pa"), quantity(q, "kg/kg"))
    dew_point = metpy.calc.dewpoint(e).to("K").m[q.values > 1e-5]
    ours = diagnose.field(frame, "dew_point").values[q.values > 1e-5]
    difference("dew point, MetPy", ours, dew_point, "K", rms=0.05)


def test_saturation_is_that_of_wmo_tables():
    """WMO-No. 8, table 4.B: over water 6.112 hPa at 0 °C, 23.38 at 20, 42.45 at 30."""
    kelvin = 273.15 + np.array([0.0, 20.0, 30.0])
    np.testing.assert_allclose(vapour.saturation_pressure(kelvin) / 100, [6.112, 23.38, 42.45], rtol=2e-3)
    q = vapour.saturation_mixing_ratio(kelvin, 1e5)
    np.testing.assert_allclose(vapour.dew_point(q, 1e5), kelvin, atol=1e-9)
    np.testing.assert_allclose(vapour.relative_humidity(q, kelvin, 1e5), 1.0, rtol=1e-12)


def test_values_at_2_m_by_the_neutral_profile_are_near_those_of_a_surface_layer_scheme(frame):
    """WRF's MM5 surface layer knows stability and the ground's own roughness and wetness; the neutral profile
    is on average within 1 K of its T2, and over the sea within 1 g/kg and 1 m/s."""
    sea = frame["LANDMASK"].values < 0.5
    without = frame.drop_vars(["T2", "Q2", "U10", "V10"])
    for name, unit, rms in (("T2", "K", 1.0), ("Q2", "kg kg-1", 1e-3), ("wind_speed_10m", "m s-1", 1.0)):
        ours, theirs = (diagnose.field(history, name).values[sea] for history in (without, frame))
        difference(f"{name} over the sea, WRF's surface layer", ours, theirs, unit, rms=rms)
    land = ~sea
    ours, theirs = (diagnose.field(history, "T2").values[land] for history in (without, frame))
    difference("T2 over land, WRF's surface layer", ours, theirs, "K", rms=1.0)


def test_pressure_at_sea_level_over_low_ground_is_the_hypsometric_equations(frame):
    """Below 100 m what the reduction makes of the air does not matter."""
    ground = frame["HGT"].values
    low = (ground > 0) & (ground < 100)
    warm = diagnose.field(frame, "T2").values
    mean = vapour.virtual_temperature(warm, frame["Q2"].values) + 0.00325 * ground
    expected = frame["PSFC"].values * np.exp(9.81 * ground / (287 * mean))
    ours = diagnose.field(frame, "sea_level_pressure").values
    difference("sea-level pressure over low ground", ours[low], expected[low], "Pa", rms=15.0)


def test_wind_turned_to_the_earth_is_xwrfs_and_its_direction_metpys(frame):
    theirs = as_xwrf_has_it(frame)
    east, north = (diagnose.field(frame, f"wind_{where}").values for where in ("east", "north"))
    difference("wind towards the east, xwrf", east, theirs["wind_east"], "m/s", rms=1e-5)
    difference("wind towards the north, xwrf", north, theirs["wind_north"], "m/s", rms=1e-5)
    direction = metpy.calc.wind_direction(quantity(east, "m/s"), quantity(north, "m/s")).m
    off = (diagnose.field(frame, "wind_direction").values - direction + 180) % 360 - 180
    difference("wind direction, MetPy", off, 0 * off, "degree", rms=1e-3)
    u, v = (diagnose.field(frame, name).values.astype(float) for name in ("U10", "V10"))
    turned = (u + 1j * v) * np.exp(1j * np.arctan2(frame["SINALPHA"].values, frame["COSALPHA"].values))
    direction = metpy.calc.wind_direction(quantity(turned.real, "m/s"), quantity(turned.imag, "m/s")).m
    off = (diagnose.field(frame, "wind_direction_10m").values - direction + 180) % 360 - 180
    difference("wind direction at 10 m, MetPy", off, 0 * off, "degree", rms=1e-3)


def test_gusts_are_of_the_air_that_metpy_finds_mixed(frame):
    pressure, temperature, speed, ground, height = (
        diagnose.field(frame, name).values.astype(float)
        for name in ("pressure", "temperature", "wind_speed", "wind_speed_10m", "height")
    )
    vapour = quantity(frame["QVAPOR"].values, "")
    theta = metpy.calc.virtual_potential_temperature(
        quantity(pressure, "Pa"), quantity(temperature, "K"), vapour
    ).m
    surface = frame["HGT"].values
    expected = ground.copy()
    for j, i in np.ndindex(ground.shape):
        for k in range(len(theta)):
            if theta[k, j, i] > theta[0, j, i] + 0.5:
                break
            share = max(1 - (height[k, j, i] - surface[j, i]) / 2000, 0.5)
            gust = ground[j, i] + share * (speed[k, j, i] - ground[j, i])
            expected[j, i] = max(expected[j, i], gust)
    ours = diagnose.field(frame, "wind_gust").values
    difference("wind gusts, MetPy's mixed air", ours, expected, "m/s", rms=0.02)
    assert 0.2 < (ours - ground).max() < 30


def test_vorticity_and_divergence_are_metpys_of_the_same_winds_and_distances(frame):
    """Without map factors: MetPy divides the differences of winds by distances, whose change along the grid
    (d ln m) turns a wind of 10 m/s by some 1e-7 s-1."""
    plain = frame.drop_vars([name for name in frame if str(name).startswith("MAPFAC")])
    u, v = (quantity(diagnose.field(plain, name), "m/s") for name in ("U", "V"))
    dx = units.Quantity(float(frame.attrs["DX"]), "m")
    inner = (slice(None), slice(1, -1), slice(1, -1))  # at the edges MetPy is of second order
    for name, of in (("vorticity", metpy.calc.vorticity), ("divergence", metpy.calc.divergence)):
        theirs = of(u, v, dx=dx, dy=dx).to("1/s").m
        difference(
            f"{name}, MetPy", diagnose.field(plain, name).values[inner], theirs[inner], "s-1", rms=1e-10
        )
    with_factors = diagnose.field(frame, "vorticity").values[inner]
    theirs = metpy.calc.vorticity(u, v, dx=dx, dy=dx).to("1/s").m
    difference("vorticity with map factors, MetPy without", with_factors, theirs[inner], "s-1", rms=4e-6)


def test_absolute_vorticity_is_relative_to_metpys_turning_of_the_earth(frame):
    turning = diagnose.field(frame, "absolute_vorticity") - diagnose.field(frame, "vorticity")
    theirs = metpy.calc.coriolis_parameter(quantity(frame["XLAT"].values, "degrees")).to("1/s").m
    theirs = np.broadcast_to(theirs, turning.shape)
    difference("turning of the Earth, MetPy", turning.values, theirs, "s-1", rms=2e-9)


def test_potential_vorticity_on_pressure_levels_is_metpys(frame):
    """MetPy differentiates on pressure levels, Squall along the model's layers, both with centred
    differences: where layers are 50 hPa and cells 130 km they differ by a tenth of the field's spread."""
    levels = np.arange(800e2, 250e2, -25e2)
    plain = frame.drop_vars([name for name in frame if str(name).startswith("MAPFAC")])
    u, v, theta = (
        diagnose.on_pressure(plain, diagnose.field(plain, name), levels) for name in ("U", "V", "theta")
    )
    dx = units.Quantity(float(frame.attrs["DX"]), "m")
    theirs = metpy.calc.potential_vorticity_baroclinic(
        quantity(theta, "K"), quantity(levels[:, None, None] + 0 * u.values, "Pa"), quantity(u, "m/s"),
        quantity(v, "m/s"), dx=dx, dy=dx, latitude=quantity(frame["XLAT"], "degree"),
    ).to("K m2 kg-1 s-1").m  # fmt: skip
    ours = diagnose.on_pressure(plain, diagnose.field(plain, "potential_vorticity"), levels)
    inner = (slice(4, -4), slice(2, -2), slice(2, -2))
    ours, theirs = ours.values[inner] * 1e6, theirs[inner] * 1e6
    high = np.isfinite(ours) & np.isfinite(theirs)
    assert high.mean() > 0.7
    difference("potential vorticity, MetPy", ours[high], theirs[high], "PVU", rms=0.2)
    assert np.corrcoef(ours[high], theirs[high])[0, 1] > 0.95


def test_potential_vorticity_of_an_isothermal_atmosphere_in_solid_rotation_has_its_closed_form():
    """theta = T (p0/p)^kappa: -g (f + 2 Omega) dtheta/dp = g kappa (f + 2 Omega) theta / p, on layers that
    slope as they like."""
    y, x = np.meshgrid(np.arange(12) * 1e4, np.arange(13) * 1e4, indexing="ij")
    p = np.linspace(9e4, 6e4, 61)[:, None, None] - 500 * np.sin(x / 4e4)
    theta = 250.0 * (1e5 / p) ** (2 / 7)
    spread = (61, 12, 13)
    u = np.broadcast_to(-1e-4 * np.pad(y, ((0, 0), (0, 1)), mode="edge"), (61, 12, 14))
    v = np.broadcast_to(1e-4 * np.pad(x, ((0, 1), (0, 0)), mode="edge"), (61, 13, 13))
    frame = xr.Dataset(
        {
            "T": (MASS, theta - 300), "P": (MASS, 0 * p), "PB": (MASS, p), "F": (MASS[1:], 1e-4 + 0 * x),
            "U": (("bottom_top", "south_north", "west_east_stag"), u),
            "V": (("bottom_top", "south_north_stag", "west_east"), v),
        }, attrs={"DX": 1e4, "DY": 1e4},
    )  # fmt: skip
    exact = 9.81 * (2 / 7) * 3e-4 * theta / p
    inner = (slice(1, -1), slice(1, -1), slice(1, -1))
    found = diagnose.field(frame, "potential_vorticity").values
    assert found.shape == spread
    difference("potential vorticity, closed form", found[inner] * 1e6, exact[inner] * 1e6, "PVU", rms=3e-3)


def test_interpolation_to_levels_is_metpys_logarithmic_one(frame):
    levels = np.array([850e2, 700e2, 500e2, 300e2])
    p, t = (diagnose.field(frame, name).values.astype(float) for name in ("pressure", "temperature"))
    with warnings.catch_warnings(action="ignore"):  # some levels are below the ground
        expected = metpy.interpolate.log_interpolate_1d(
            quantity(levels, "Pa"), quantity(p, "Pa"), quantity(t, "K")
        ).m
    ours = diagnose.on_pressure(frame, diagnose.field(frame, "temperature"), levels)
    assert ours.dims == ("pressure", "south_north", "west_east")
    np.testing.assert_array_equal(ours["pressure"], levels)
    above = ~np.isnan(expected)
    difference("temperature on pressures, MetPy", ours.values[above], expected[above], "K", rms=1e-4)


def test_where_a_column_passes_a_value_twice_either_passage_may_count_and_the_lowest_of_theta():
    z = np.arange(0.0, 5000.0, 1000.0)
    columns = xr.Dataset(
        {
            "T": (MASS, np.array([10.0, 2.0, 6.0, 12.0, 20.0])[:, None, None]),
            "PH": (("bottom_top_stag", *MASS[1:]), 0 * np.arange(6.0)[:, None, None]),
            "PHB": (("bottom_top_stag", *MASS[1:]), 9.81 * np.arange(-500.0, 5000, 1000)[:, None, None]),
        }
    )
    height = diagnose.field(columns, "height")
    np.testing.assert_allclose(height.values[:, 0, 0], z)
    values, theta = [304.0, 309.0, 330.0], diagnose.field(columns, "theta")
    highest = interpolated(height, theta, values).values[:, 0, 0]
    np.testing.assert_allclose(highest, [1500.0, 2500.0, np.nan])
    lowest = diagnose.on_theta(columns, height, values).values[:, 0, 0]
    np.testing.assert_allclose(lowest, [750.0, 125.0, np.nan])


def test_on_a_surface_vorticity_is_of_the_winds_there_and_direction_of_the_mean_wind(frame):
    surface = diagnose.Surface("pressure", 5e4)
    u, v = (diagnose.field(frame, name, surface) for name in ("U", "V"))
    found = diagnose.field(frame, "wind_speed", surface)
    np.testing.assert_allclose(found, np.hypot(u, v), rtol=1e-6)
    assert diagnose.field(frame, "vorticity", surface).dims == ("south_north", "west_east")
    above = diagnose.field(frame, "height", diagnose.Surface("height_above_ground", 1000.0))
    ground = frame["HGT"]
    difference("height 1 km above ground", above, ground + 1000, "m", rms=0.05)


def test_a_surface_of_what_has_no_levels_is_refused(frame):
    with pytest.raises(UserError, match="surface_pressure has no levels"):
        diagnose.field(frame, "surface_pressure", diagnose.Surface("height", 100.0))


def test_the_labs_sections_are_those_of_linear_interpolation():
    """Beyond the column its nearest value, as np.interp has it."""
    rng = np.random.default_rng(1)
    height = np.cumsum(rng.uniform(100, 300, (20, 5)), axis=0)
    values, z = rng.normal(size=(20, 5)), np.linspace(-100, 7000, 37)
    expected = np.stack([np.interp(z, height[:, i], values[:, i]) for i in range(5)], axis=1)
    np.testing.assert_allclose(at_heights(values, height, z), expected, atol=1e-12)


def test_the_table_says_of_every_field_what_it_is_and_where_it_is_from():
    standard = {row.standard_name for row in diagnose.TABLE.values() if row.standard_name}
    assert len(standard) > 30
    for name, row in diagnose.TABLE.items():
        assert row.source, name
        assert row.units, name
        assert row.long_name, name
        assert all(row.needs), name


def test_a_field_is_found_by_its_cf_name_and_what_a_run_lacks_is_told(frame):
    found = diagnose.field(frame, "air_pressure_at_mean_sea_level")
    assert (found.name, found.attrs["units"]) == ("sea_level_pressure", "Pa")
    assert "cape" not in diagnose.available(frame.drop_vars("QVAPOR"))
    with pytest.raises(UserError, match=r"no field vortcity\. Did you mean vorticity\?"):
        diagnose.field(frame, "vortcity")
