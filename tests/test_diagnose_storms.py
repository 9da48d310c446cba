"""Derived fields of columns: water, radar echoes, parcels that rise, storms; against MetPy, WRF itself and
closed forms. Each prints by how much they differ (pytest -s)."""

import csv
from itertools import pairwise

import metpy.calc
import metpy.interpolate
import numpy as np
import pytest
import xarray as xr
from scipy.integrate import quad

from independent_fields import metpys, metpys_levels, quantity
from real_columns import DATA, difference, real
from squall import diagnose
from squall.diagnose import air, parcel, radar, storms, vapour
from squall.errors import UserError

pytestmark = pytest.mark.regression

MASS = ("bottom_top", "south_north", "west_east")
FACES = ("bottom_top_stag", "south_north", "west_east")


@pytest.fixture(scope="module")
def frames():
    """WRF's state six hours into a summer day with thunderstorms, and a step later."""
    return real("physics/columns_summer.nc").isel(Time=[0, 1])


@pytest.fixture(scope="module")
def frame(frames):
    return frames.isel(Time=0)


@pytest.fixture(scope="module")
def columns(frame):
    """Twelve columns across the domain, their winds on mass points."""
    on_mass = {name: diagnose.centred(frame[name]) for name in ("U", "V")}
    return frame.assign(on_mass).isel(south_north=slice(4, 20, 6), west_east=slice(3, 30, 7))


def profiles(columns, *names):
    """Values by column and level, in double precision."""
    arrays = (diagnose.field(columns, name).transpose(..., "bottom_top") for name in names)
    return [array.values.reshape(-1, columns.sizes["bottom_top"]).astype(float) for array in arrays]


def sounding(name):
    """Pressure [Pa], temperature and dew point [K], height [m] of an observed sounding."""
    path = DATA / "soundings" / name
    if not path.exists():
        pytest.skip(f"{path} is missing: SQUALL_DATA names the folder of the reference data")
    keys = ("pressure_hPa", "temperature_C", "dew point temperature_C", "geopotential height_m")
    with path.open() as lines:
        rows = [
            [float(row[key]) for key in keys]
            for row in csv.DictReader(lines)
            if all(row[key].strip() for key in keys)
        ]
    p, t, d, z = np.array(rows).T
    kept = np.append(True, np.diff(p) < 0)
    return 100 * p[kept], t[kept] + 273.15, d[kept] + 273.15, z[kept]


def test_lapse_rate_between_pressures_is_that_of_metpys_interpolation(columns):
    p, t, z = profiles(columns, "pressure", "temperature", "height")
    theirs = []
    for pressures, temperatures, heights in zip(p, t, z, strict=True):
        warm, high = metpy.interpolate.log_interpolate_1d(
            quantity([70000, 50000], "Pa"), quantity(pressures, "Pa"), temperatures, heights
        )
        theirs.append((warm[0] - warm[1]) / (high[1] - high[0]) * 1e3)
    ours = diagnose.field(columns, "lapse_rate_700_500").values.ravel()
    difference("lapse rate, MetPy's interpolation", ours, theirs, "K km-1", rms=0.05)


def test_lapse_rate_to_a_height_is_that_of_columns_interpolated_by_numpy(columns):
    t, z = profiles(columns, "temperature", "height")
    above = z - np.asarray(air.surface_height(columns)).reshape(-1, 1)
    there = np.array([np.interp(3000.0, heights, values) for heights, values in zip(above, t, strict=True)])
    ours = diagnose.field(columns, "lapse_rate_3km").values.ravel()
    difference("lapse rate to 3 km", ours, (t[:, 0] - there) / (3000 - above[:, 0]) * 1e3, "K km-1", rms=1e-3)


def test_precipitable_water_is_metpys(columns):
    """MetPy integrates mixing ratios over the pressure of moist air, which is 1 % too much, from the lowest
    layer's middle up, which is as much too little. By specific humidity over all of the pressure it is the
    model's."""
    p, dew, q = profiles(columns, "pressure", "dew_point", "QVAPOR")
    ours = diagnose.field(columns, "precipitable_water").values.ravel()
    theirs = [
        metpy.calc.precipitable_water(quantity(a, "Pa"), quantity(b, "K")).to("mm").m
        for a, b in zip(p, dew, strict=True)
    ]
    difference("precipitable water, MetPy", ours, theirs, "kg m-2", rms=0.3)
    specific = q / (1 + q)
    within = -np.trapezoid(specific, p, axis=1)
    below = (columns["PSFC"].values.ravel() - p[:, 0]) * specific[:, 0]
    difference("precipitable water by pressure", ours, (within + below) / 9.81, "kg m-2", rms=0.15)


@pytest.mark.parametrize(("name", "of"), [("cloud_water_path", "QCLOUD"), ("cloud_ice_path", "QICE")])
def test_paths_of_clouds_are_their_density_over_height(frame, name, of):
    """By MetPy's density of moist air and the heights of interfaces, not by the model's dry mass."""
    pressure, temperature = (diagnose.field(frame, n).values for n in ("pressure", "temperature"))
    vapour = frame["QVAPOR"].values.astype(float)
    moist = metpy.calc.density(quantity(pressure, "Pa"), quantity(temperature, "K"), quantity(vapour, ""))
    height = (frame["PH"] + frame["PHB"]).values.astype(float) / 9.81
    expected = (frame[of].values * moist.to("kg/m^3").m / (1 + vapour) * np.diff(height, axis=0)).sum(0)
    assert expected.max() > 0.01
    difference(f"{name}, by MetPy's density", diagnose.field(frame, name), expected, "kg m-2", rms=1e-3)


def test_cloud_fraction_is_that_which_wrf_made_of_the_same_state(frames):
    """WRF's radiation, which the step after the first frame calls, has the formula of Xu and Randall too, but
    saturation over ice where it is cold and snow among the cloud: layers of ice differ."""
    before, after = frames.isel(Time=0).drop_vars("CLDFRA"), frames.isel(Time=1)
    ours, theirs = diagnose.field(before, "CLDFRA").values, after["CLDFRA"].values
    assert theirs.max() > 0.9
    warm = diagnose.field(before, "temperature").values > 268
    difference("fraction of warm cloud, WRF", ours[warm], theirs[warm], "", rms=0.05)
    cover = diagnose.field(after, "cloud_cover").values
    assert ((cover >= theirs.max(0) - 1e-6) & (cover <= 1 + 1e-6)).all()


def test_clouds_that_touch_overlap_most_and_others_by_chance():
    fraction = np.array([0.0, 0.5, 0.3, 0.0, 0.4, 0.0])[:, None, None]
    found = diagnose.field(xr.Dataset({"CLDFRA": (MASS, fraction)}), "cloud_cover")
    assert float(found.squeeze()) == pytest.approx(1 - 0.5 * 0.6)
    fraction[2] = 1.0
    found = diagnose.field(xr.Dataset({"CLDFRA": (MASS, fraction)}), "cloud_cover")
    assert float(found.squeeze()) == pytest.approx(1.0)


def raining(**water):
    """Two columns of 40 layers of 400 m with a lapse rate of 6.5 K/km from 300 K, 1000 hPa at the ground."""
    z = (np.arange(40) + 0.5)[:, None, None] * 400.0 * np.ones((1, 1, 2))
    t = 300 - 0.0065 * z
    p = 1e5 * (t / 300) ** (9.81 / (287 * 0.0065))
    heights = 9.81 * 400.0 * np.arange(41)[:, None, None] * np.ones((1, 1, 2))
    fields = {
        "T": t * (1e5 / p) ** (2 / 7) - 300, "P": 0 * p, "PB": p, "QVAPOR": 0 * p,
        **{name: np.broadcast_to(np.asarray(value, float), z.shape) for name, value in water.items()},
    }  # fmt: skip
    data = {name: (MASS, values) for name, values in fields.items()}
    data |= {"PH": (FACES, 0 * heights), "PHB": (FACES, heights)}
    return xr.Dataset(data, attrs={"DX": 1e3, "DY": 1e3, "MP_PHYSICS": 6}), z, t, p


def test_echoes_are_the_sixth_moment_of_the_schemes_distributions():
    """By numerical integration of N(D) D^6 over diameters, and for rain Stoelinga's (2005) closed form."""
    history, _, t, p = raining(QRAIN=1e-3, QSNOW=5e-4, QGRAUP=2e-4)
    density = p / (287 * t)
    found = diagnose.field(history, "REFL_10CM").values
    for k in (0, 10, 18, 30):
        rho, kelvin = float(density[k, 0, 0]), float(t[k, 0, 0])
        cold = max(0.0, 273.15 - kelvin)
        kinds = [(1e-3, 8e6, 1000.0), (5e-4, min(2e6 * np.exp(0.12 * cold), 1e11), 100.0), (2e-4, 4e6, 500.0)]
        total = 0.0
        for q, n0, heavy in kinds:
            slope = (np.pi * heavy * n0 / (rho * q)) ** 0.25
            moment = quad(lambda x: x**6 * np.exp(-x), 0, 60)[0] * n0 / slope**7 * 1e18
            ice = 0.224 if heavy < 1000 and kelvin < 273.15 else 1.0
            total += moment * (heavy / 1000) ** 2 * ice
        assert found[k, 0, 0] == pytest.approx(10 * np.log10(total), abs=1e-4)
    history, _, t, p = raining(QRAIN=1e-3)
    rain = (p / (287 * t))[0, 0, 0] * 1e-3
    stoelinga = 720e18 * (1 / (np.pi * 1000)) ** 1.75 * rain**1.75 / 8e6**0.75
    ours = diagnose.field(history.assign_attrs(MP_PHYSICS=1), "REFL_10CM").values[0, 0, 0]
    print(f"rain of 1 g/kg: {ours:.3f} dBZ, Stoelinga (2005) {10 * np.log10(stoelinga):.3f} dBZ")
    assert ours == pytest.approx(10 * np.log10(stoelinga), abs=1e-4)
    marshall_palmer = 10 * np.log10(200 * 20.0**1.6)  # 20 mm/h
    assert abs(ours - marshall_palmer) < 5  # rain of 1 g/kg falls as some 20 mm/h


def test_thompsons_echoes_are_the_sixth_moment_of_its_distributions():
    """Rain and graupel by numerical integration over diameters; snow by WRF's form, whose factor of ice,
    0.176 / 0.93 (1000 / 900)^2 = 0.234, stands for 0.224."""
    history, _, t, p = raining(QRAIN=1e-3, QNRAIN=2000.0, QSNOW=0.0, QGRAUP=2e-4)
    found = diagnose.field(history.assign_attrs(MP_PHYSICS=8), "REFL_10CM").values
    for k in (0, 10, 30):
        rho, kelvin = float((p / (287 * t))[k, 0, 0]), float(t[k, 0, 0])
        slope = (np.pi * 1000 * 2000 / 1e-3) ** (1 / 3)
        total = quad(lambda x: x**6 * np.exp(-x), 0, 60)[0] * 2000 * rho / slope**6
        content = 2e-4 * rho
        n0 = 10 ** min(6, max(2, 3 + 2 / 7 * (np.log10(content) + 8)))
        slope = (np.pi * 400 * n0 / content) ** 0.25
        ice = 0.224 if kelvin < 273.15 else 1.0
        total += quad(lambda x: x**6 * np.exp(-x), 0, 60)[0] * n0 / slope**7 * 0.4**2 * ice
        assert found[k, 0, 0] == pytest.approx(10 * np.log10(1e18 * total), abs=1e-3)
    history, _, t, p = raining(QRAIN=0.0, QNRAIN=0.0, QSNOW=5e-4, QGRAUP=0.0)
    found = diagnose.field(history.assign_attrs(MP_PHYSICS=8), "REFL_10CM").values
    k, second = 20, 5e-4 * float((p / (287 * t))[20, 0, 0]) / 0.069
    c = float(t[k, 0, 0]) - 273.15
    a = 5.065339 - 0.062659 * c - 3.032362 * 4 + 0.029469 * c * 4 - 0.000285 * c**2 + 0.31255 * 16
    a += 0.000204 * c**2 * 4 + 0.003199 * c * 16 - 0.015952 * 64
    b = 0.476221 - 0.015896 * c + 0.165977 * 4 + 0.007468 * c * 4 - 0.000141 * c**2 + 0.060366 * 16
    b += 0.000079 * c**2 * 4 + 0.000594 * c * 16 - 0.003577 * 64
    wrfs = 1e18 * 0.176 / 0.93 * (6 / np.pi) ** 2 * (0.069 / 900) ** 2 * 10**a * second**b
    assert found[k, 0, 0] == pytest.approx(10 * np.log10(wrfs * 0.224 / 0.234), abs=0.01)


def test_echoes_of_the_column_of_1_km_of_minus_10_degrees_and_their_top():
    rain = np.where(np.arange(40) < 15, 1e-3, 0.0)[:, None, None] * np.array([1.0, 0.0])
    history, z, t, _ = raining(QRAIN=rain, QSNOW=0.0, QGRAUP=0.0)
    echoes = diagnose.field(history, "REFL_10CM").values[:, 0]
    assert echoes[:, 1].max() == pytest.approx(radar.LEAST)
    assert diagnose.field(history, "REFD_COM").values[0, 0] == pytest.approx(echoes[:, 0].max())
    expected = np.interp(1000.0, z[:, 0, 0], echoes[:, 0])
    assert diagnose.field(history, "reflectivity_1km").values[0, 0] == pytest.approx(expected)
    expected = np.interp(-263.15, -t[:, 0, 0], echoes[:, 0])
    assert diagnose.field(history, "reflectivity_minus10").values[0, 0] == pytest.approx(expected)
    top = diagnose.field(history, "ECHOTOP").values[0]
    assert 5800 < top[0] < 6200
    assert np.isnan(top[1])
    np.testing.assert_allclose(diagnose.field(history, "FZLEV").values, (300 - 273.15) / 0.0065, rtol=1e-9)


def test_echoes_of_a_scheme_that_is_not_known_are_refused():
    history, *_ = raining(QRAIN=1e-3)
    with pytest.raises(UserError, match=r"MP_PHYSICS = 18: add REFL_10CM"):
        diagnose.field(history.assign_attrs(MP_PHYSICS=18), "REFD_COM")


@pytest.mark.parametrize("scheme", [8, 10])
def test_echoes_without_the_numbers_of_particles_are_refused_by_name(scheme):
    history, *_ = raining(QRAIN=1e-3)
    with pytest.raises(UserError, match=r"QNRAIN"):
        diagnose.field(history.assign_attrs(MP_PHYSICS=scheme), "REFD_COM")


def test_cape_cin_and_levels_of_an_observed_sounding_are_metpys():
    """Norman, 4 May 1999 00 UTC."""
    p, t, dew, z = sounding("wyoming_OUN_19990504_00Z.csv")
    q = vapour.mixing_ratio(vapour.saturation_pressure(dew), p)
    for kind in ("surface", "most_unstable", "mixed_layer"):
        cape, cin, lcl, lfc = (float(one) for one in parcel.ascent(p, t, q, z, kind))
        theirs = metpys(p, t, dew, kind)
        print(f"{kind}: CAPE {cape:.0f}, MetPy {theirs[0]:.0f}; CIN {cin:.1f}, MetPy {theirs[1]:.1f} J/kg; "
              f"LCL {lcl:.0f}, LFC {lfc:.0f} m")  # fmt: skip
        assert cape > 2000
        assert cape == pytest.approx(theirs[0], rel=0.01)
        assert cin == pytest.approx(theirs[1], abs=4)
        condensation, free = metpys_levels(p, t, dew, z, kind)
        print(f"MetPy's LCL {condensation:.0f}, LFC {free:.0f} m")
        assert lcl == pytest.approx(condensation, abs=15)
        assert lfc == pytest.approx(free, abs=60)


@pytest.mark.parametrize("kind", ["surface", "mixed_layer", "most_unstable"])
def test_cape_and_cin_of_the_models_columns_are_metpys(columns, kind):
    """Besides constants: MetPy takes off what is negative between free convection and equilibrium, which
    Squall leaves out, and mixes and searches between layers, where Squall takes layers."""
    p, t, q, z, dew = profiles(columns, "pressure", "temperature", "QVAPOR", "height", "dew_point")
    ours = parcel.ascent(p, t, q, z, kind)
    theirs = np.array([metpys(*of, kind) for of in zip(p, t, dew, strict=True)])
    assert theirs[:, 0].max() > 500
    difference(f"CAPE, {kind}, MetPy", ours[0], theirs[:, 0], "J kg-1", rms=20)
    free = (theirs[:, 0] > 50) & np.isfinite(ours[1])
    difference(f"CIN, {kind}, MetPy", ours[1][free], theirs[free, 1], "J kg-1", rms=15)
    suffix = "" if kind == "surface" else f"_{kind}"
    lazily = diagnose.field(columns, f"cape{suffix}").values.ravel()
    np.testing.assert_allclose(lazily, ours[0], rtol=1e-3, atol=1.0)
    levels = np.array([tuple(metpys_levels(*of, kind)) for of in zip(p, t, dew, z, strict=True)])
    difference(f"LCL, {kind}, MetPy", ours[2], levels[:, 0], "m", rms=5, most=10)
    free = theirs[:, 0] > 50
    difference(f"LFC, {kind}, MetPy", ours[3][free], levels[free, 1], "m", rms=20, most=40)


def test_condensation_is_where_metpy_has_it(columns):
    p, t, q, dew = (
        values[:, 0] for values in profiles(columns, "pressure", "temperature", "QVAPOR", "dew_point")
    )
    at, level = parcel.condensation(t, q, p)
    expected = metpy.calc.lcl(quantity(p, "Pa"), quantity(t, "K"), quantity(dew, "K"))
    difference("pressure of condensation, MetPy", level, expected[0].to("Pa").m, "Pa", rms=150)
    difference("temperature of condensation, MetPy", at, expected[1].to("K").m, "K", rms=0.15)
    theta_e = metpy.calc.equivalent_potential_temperature(
        quantity(p, "Pa"), quantity(t, "K"), quantity(dew, "K")
    )
    ours = parcel.equivalent_potential_temperature(t, q, p)
    difference("theta_e, MetPy", ours, theta_e.to("K").m, "K", rms=0.3)


def test_air_that_rises_saturated_follows_metpys_pseudoadiabat():
    p = np.linspace(1000e2, 200e2, 81)
    theirs = metpy.calc.moist_lapse(quantity(p, "Pa"), quantity(293.15, "K")).to("K").m
    ours = [293.15]
    for below, above in pairwise(p):
        ours.append(float(parcel.saturated_ascent(np.array(ours[-1]), np.array(below), np.array(above))))
    difference("pseudoadiabat from 20 °C to 200 hPa, MetPy", ours, theirs, "K", rms=0.35, most=0.8)


def test_a_column_that_is_everywhere_stable_has_no_cape_and_no_level_of_free_convection():
    p = np.linspace(1000e2, 200e2, 30)
    cape, cin, lcl, lfc = parcel.ascent(
        p, np.full(30, 280.0), np.full(30, 1e-3), 8000 * np.log(1e5 / p), "surface"
    )
    assert cape == 0
    assert np.isnan(cin)
    assert np.isnan(lfc)
    assert lcl > 1000


def test_shear_storm_motion_and_helicity_are_metpys(columns):
    """Storm motion differs where the shear, to whose right it goes, is weak: MetPy weights means with
    pressure over pressure, Squall over height."""
    p, z, u, v = profiles(columns, "pressure", "height", "U", "V")
    ground = columns["HGT"].values.ravel()
    motion = [one.values.ravel() for one in storms.storm_motion(columns)]
    found = {name: diagnose.field(columns, name).values.ravel()
             for name in ("bulk_shear_1km", "bulk_shear_6km", "helicity_1km", "helicity_3km")}  # fmt: skip
    theirs = {name: [] for name in (*found, "u", "v")}
    for n in range(len(p)):
        height = quantity(z[n] - ground[n], "m")
        level, wind = quantity(p[n], "Pa"), (quantity(u[n], "m/s"), quantity(v[n], "m/s"))
        for depth in (1, 6):
            at = np.interp(1000.0 * depth, height.m, u[n]), np.interp(1000.0 * depth, height.m, v[n])
            theirs[f"bulk_shear_{depth}km"].append(np.hypot(at[0] - u[n, 0], at[1] - v[n, 0]))
        for depth in (1, 3):
            top = quantity(1000.0 * depth, "m") - height[0]
            total = metpy.calc.storm_relative_helicity(
                height, *wind, depth=top, storm_u=quantity(motion[0][n], "m/s"),
                storm_v=quantity(motion[1][n], "m/s"),
            )[2]  # fmt: skip
            theirs[f"helicity_{depth}km"].append(total.to("m2/s2").m)
        right = metpy.calc.bunkers_storm_motion(level, *wind, height)[0].to("m/s").m
        theirs["u"].append(right[0])
        theirs["v"].append(right[1])
    for depth in (1, 6):
        name = f"bulk_shear_{depth}km"
        difference(name, found[name], theirs[name], "m s-1", rms=1e-3)
    for depth in (1, 3):
        name = f"helicity_{depth}km"
        difference(f"{name}, MetPy, the same motion", found[name], theirs[name], "m2 s-2", rms=1.0)
    difference("storm motion along x, MetPy", motion[0], theirs["u"], "m s-1", rms=1.0)
    difference("storm motion along y, MetPy", motion[1], theirs["v"], "m s-1", rms=1.0)


def test_storms_move_to_the_left_of_the_shear_in_the_southern_hemisphere(columns):
    north = storms.storm_motion(columns.assign(F=abs(columns["F"])))
    south = storms.storm_motion(columns.assign(F=-abs(columns["F"])))
    apart = np.hypot(*(a.values - b.values for a, b in zip(north, south, strict=True)))
    np.testing.assert_allclose(apart, 15.0, rtol=1e-4)


def test_updraught_helicity_is_of_2_to_5_km_and_of_updraughts_only():
    history, *_ = raining()
    y, x = np.meshgrid(np.arange(6) * 1e3, np.arange(7) * 1e3, indexing="ij")
    history = history.isel(west_east=[0] * 7, south_north=[0] * 6)
    u = np.broadcast_to(-5e-3 * np.pad(y, ((0, 0), (0, 1)), mode="edge"), (40, 6, 8))
    v = np.broadcast_to(5e-3 * np.pad(x, ((0, 1), (0, 0)), mode="edge"), (40, 7, 7))
    w = np.where(x < 3e3, 20.0, -20.0) * np.ones((41, 1, 1))
    history = history.assign(
        U=(("bottom_top", "south_north", "west_east_stag"), u),
        V=(("bottom_top", "south_north_stag", "west_east"), v), W=(FACES, w),
    )  # fmt: skip
    found = diagnose.field(history, "UH").values[1:-1, 1:-1]
    np.testing.assert_allclose(found, np.where(x < 3e3, 3000 * 1e-2 * 20, 0)[1:-1, 1:-1], rtol=1e-9)


def test_kinds_of_precipitation_make_the_whole_and_its_rate_is_of_the_interval(frames):
    whole = diagnose.field(frames, "precipitation")
    parts = sum(diagnose.field(frames, name) for name in ("rain", "snow", "graupel"))
    np.testing.assert_allclose(parts, whole, atol=1e-4)
    rate = diagnose.field(frames, "precipitation_rate")
    assert np.isnan(rate.isel(Time=0)).all()
    fallen = (whole.isel(Time=1) - whole.isel(Time=0)).values
    step = frames["RAINNCV"].isel(Time=1) + frames["RAINCV"].isel(Time=1)  # of the 6 minutes between them
    assert fallen.max() > 0.1
    difference("precipitation rate, WRF's last step", rate.isel(Time=1), step * 10, "mm h-1", rms=0.05)
