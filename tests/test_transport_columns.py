"""Processes of columns in runs of squall-transport: maps of emissions, LINOZ, mixing, ranks and restarts."""

import re

import numpy as np
import pytest
import xarray as xr

from globe_run import carry

RADIUS = 6.37122e6

CASE = """
[run]
start = "2001-01-20T00:00:00"
duration = "1 d"
time_step = "2 h"
directory = "{directory}"

[grid]
nlon = 32
nlat = 16

[vertical]
nz = 12
top = "100 hPa"

[wind]
flow = "dcmip-1-1"

[output.history]
interval = "1 d"
frames_per_file = 100

[output.restart]
interval = "12 h"
"""


def start(folder, more, arguments=(), name="run", ranks=1):
    file = folder / f"{name}.toml"
    file.write_text(CASE.format(directory=folder / name) + more)
    return carry(file, ranks, arguments)


def last_frame(folder, name="run"):
    with xr.open_dataset(folder / name / "restart_2001-01-21_00:00:00.nc") as data:
        return data.load()


def emission_map(months=12, seed=3):
    """Random emissions of 2001, of the middle of months with bounds, on 7 x 9 cells from north to south that
    begin at 175 W."""
    lat_faces, lon_faces = np.linspace(90, -90, 8), np.linspace(-175, 185, 10)
    begins = np.array([f"2001-{m:02}-01" for m in range(1, 13)] + ["2002-01-01"], "datetime64[D]")
    days = (begins - begins[0]).astype(float)[: months + 1]
    flux = np.random.default_rng(seed).random((months, 7, 9)) * 1e-12
    bounds = {
        name: ((name, "bnds"), np.stack([faces[:-1], faces[1:]], 1))
        for name, faces in {"lat": lat_faces, "lon": lon_faces, "time": days}.items()
    }
    data = xr.Dataset({"sf6": (("time", "lat", "lon"), flux, {"units": "kg m-2 s-1"})})
    for name, units in {
        "lat": "degrees_north",
        "lon": "degrees_east",
        "time": "days since 2001-01-01",
    }.items():
        data[f"{name}_bnds"] = bounds[name]
        middles = data[f"{name}_bnds"].values.mean(1)
        data[name] = (name, middles, {"units": units, "bounds": f"{name}_bnds"})
    areas = RADIUS**2 * np.outer(-np.diff(np.sin(np.deg2rad(lat_faces))), np.deg2rad(np.diff(lon_faces)))
    return data, (flux * areas).sum((1, 2))


def write(data, path, unlimited=()):
    data.to_netcdf(path, unlimited_dims=unlimited)
    return path


@pytest.mark.parametrize(("ranks", "unlimited"), [(1, ()), (4, ("time",))])
def test_a_map_emits_as_much_as_its_cells_do(tmp_path, ranks, unlimited):
    data, totals = emission_map()
    write(data, tmp_path / "sf6.nc", unlimited)
    more = '[tracer.sf6]\nscale = 0\nemission_file = "sf6.nc"\n'
    done = start(tmp_path, more, ranks=ranks)
    assert done.returncode == 0, done.stderr
    assert last_frame(tmp_path)["sf6_s"].sum() == pytest.approx(totals[0] * 86400, rel=1e-12)


def test_a_map_of_months_changes_with_them(tmp_path):
    data, totals = emission_map()
    write(data, tmp_path / "sf6.nc")
    more = '[tracer.sf6]\nscale = 0\nemission_file = "sf6.nc"\n'
    done = start(
        tmp_path, more, ["--set", "run.start=2001-01-31T16:00:00", "--set", "output.restart.interval=24 h"]
    )
    assert done.returncode == 0, done.stderr
    with xr.open_dataset(tmp_path / "run" / "restart_2001-02-01_16:00:00.nc") as frame:
        emitted = float(frame["sf6_s"].sum())
    assert emitted == pytest.approx(3600 * (8 * totals[0] + 16 * totals[1]), rel=1e-12)


def test_where_a_map_ends_nothing_is_emitted(tmp_path):
    data, _ = emission_map()
    north = data.isel(lat=slice(0, 2), time=0, drop=True).drop_vars("time_bnds")
    north["sf6"][0, 0] = np.nan
    write(north, tmp_path / "sf6.nc")
    more = '[tracer.sf6]\nscale = 0\nemission_file = "sf6.nc"\n'
    done = start(tmp_path, more, ["--set", "wind.flow=solid-body", "--set", "wind.period=1e6 d"])
    assert done.returncode == 0, done.stderr
    mass = last_frame(tmp_path)["sf6_s"]
    assert mass.sel(lat=slice(-90, 20)).sum() == pytest.approx(0, abs=1e-6 * float(mass.sum()))
    faces = np.deg2rad([90, 90 - 180 / 7, 90 - 360 / 7])
    rows = RADIUS**2 * -np.diff(np.sin(faces)) * 2 * np.pi / 9
    expected = (north["sf6"].fillna(0).values * rows[:, None]).sum()
    assert mass.sum() == pytest.approx(expected * 86400, rel=1e-12)


def damage_units(data):
    data["sf6"].attrs["units"] = "kg m-2"


def damage_sign(data):
    data["sf6"][0, 2, 3] = -1.0


def damage_dimensions(data):
    data["lat"].attrs["units"] = "m"


def damage_calendar(data):
    data["time"].attrs["calendar"] = "noleap"


@pytest.mark.parametrize(
    ("damage", "key", "said"),
    [
        (damage_units, "", "no variable in kg m-2 s-1"),
        (damage_units, 'emission_variable = "sf6"', 'sf6 in "kg m-2"'),
        (None, 'emission_variable = "co2"', 'no variable "co2"'),
        (damage_dimensions, "", "latitude, longitude"),
        (damage_calendar, "", "noleap"),
    ],
)
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_map_that_cannot_be_is_refused_before_the_run(tmp_path, damage, key, said, ranks):
    data, _ = emission_map()
    if damage:
        damage(data)
    write(data, tmp_path / "sf6.nc")
    done = start(tmp_path, f'[tracer.sf6]\nscale = 0\nemission_file = "sf6.nc"\n{key}\n', ranks=ranks)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert re.search(r"run\.toml:\d+: \[tracer\.sf6\].*sf6\.nc", done.stderr)
    assert not (tmp_path / "run").exists()


def test_a_map_with_a_negative_emission_is_refused(tmp_path):
    data, _ = emission_map()
    damage_sign(data)
    write(data, tmp_path / "sf6.nc")
    done = start(tmp_path, '[tracer.sf6]\nscale = 0\nemission_file = "sf6.nc"\n')
    assert done.returncode == 2
    assert re.search(r"run\.toml:\d+: \[tracer\.sf6\].*sf6\.nc.*not negative", done.stderr)


def test_a_map_of_another_time_is_refused_by_its_times(tmp_path):
    data, _ = emission_map(months=3)
    write(data, tmp_path / "sf6.nc")
    more = '[tracer.sf6]\nscale = 0\nemission_file = "sf6.nc"\n'
    done = start(tmp_path, more, ["--check", "--set", "run.start=2001-03-31T12:00:00"])
    assert done.returncode == 2
    assert "from 2001-01-01T00:00:00 to 2001-04-01T00:00:00" in done.stderr
    assert "2001-04-01T12:00:00" in done.stderr


def linoz_table(lifetime_days=2.0):
    """Ozone of 5 ppm with a slope, which the temperature of 300 K and a column of 0 DU shift by 1 ppm."""
    lat, lev = np.array([-60.0, 0.0, 60.0]), np.array([500.0, 300.0, 200.0, 100.0])
    shape, rate = (12, 3, 4), -1 / (lifetime_days * 86400)
    ozone = np.broadcast_to(4e-6 + 1e-8 * lat[:, None], shape)
    fields = {
        "ozone": ozone,
        "temperature": np.full(shape, 290.0),
        "column": np.zeros(shape),
        "production": np.zeros(shape),
        "production_by_ozone": np.full(shape, rate),
        "production_by_temperature": np.full(shape, -rate * 1e-7),
        "production_by_column": np.zeros(shape),
    }
    data = xr.Dataset({name: (("month", "lat", "lev"), values) for name, values in fields.items()})
    data["lat"], data["lev"] = ("lat", lat, {"units": "degrees_north"}), ("lev", lev, {"units": "hPa"})
    return data


def test_ozone_relaxes_to_its_balance_where_the_table_is(tmp_path):
    write(linoz_table(), tmp_path / "linoz.nc")
    more = '[tracer.o3]\nscale = 1e-6\namount = "mole"\nlinoz = "linoz.nc"\n'
    still = ["--set", "wind.flow=solid-body", "--set", "wind.period=1e7 d"]
    done = start(tmp_path, more, still)
    assert done.returncode == 0, done.stderr
    with xr.open_dataset(tmp_path / "run" / "restart_2001-01-21_00:00:00.nc") as frame:
        ratio = (frame["o3_s"] / frame["air"]).isel(time=0).load()
    lat = ratio["lat"].clip(-60, 60)
    balance = 5e-6 + 1e-8 * lat
    expected = balance + (1e-6 - balance) * np.exp(-0.5)
    pressures = 1e5 * 0.1 ** ((np.arange(12) + 0.5) / 12)  # roughly, of layers
    stratosphere, below = ratio[pressures < 4.5e4], ratio[pressures > 5.5e4]
    np.testing.assert_allclose(stratosphere, expected.broadcast_like(stratosphere), rtol=1e-7)
    np.testing.assert_allclose(below, 1e-6, rtol=1e-9)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda d: d.drop_vars("column"), 'no variable "column"'),
        (lambda d: d.isel(month=slice(0, 6)), "12 months"),
        (lambda d: d.isel(lat=slice(None, None, -1)), "south to north"),
        (lambda d: d.assign(production_by_ozone=-d["production_by_ozone"]), "below 0"),
    ],
)
def test_a_table_of_ozone_that_cannot_be_is_refused(tmp_path, damage, said):
    write(damage(linoz_table()), tmp_path / "linoz.nc")
    done = start(tmp_path, '[tracer.o3]\namount = "mole"\nlinoz = "linoz.nc"\n', ["--check"])
    assert done.returncode == 2
    assert said in done.stderr


COLUMNS = """
[weather]
kind = "zonal"

[mixing]
convection = "mass-flux"
boundary_layer = "holtslag-boville"

[tracer.radon]
scale = 0
emission = "3.69e-21 kg m-2 s-1"
emission_surface = "unfrozen-land"
lifetime = "5.517 d"

[tracer.e90]
scale = 0
emission = "1e-12 kg m-2 s-1"
lifetime = "90 d"

[tracer.one]

[tracer.sf6]
scale = 0
emission_file = "{folder}/sf6.nc"

[tracer.ash]
scale = 0
particle_diameter = "1e-5 m"
washout = "8.4e-5 s-1"
rainout = "3e-4 s-1"
deposition_velocity = "0.01 m/s"

[tracer.ash.release.volcano]
mass = "1e9 kg"
longitude = [14.99]
latitude = [37.75]
bottom = "3 km"
top = "9 km"
profile = [1, 1, 4]
duration = "6 h"
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("columns")
    write(emission_map()[0], folder / "sf6.nc")
    done = start(folder, COLUMNS.format(folder=folder))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("ranks", [2, 4])
def test_columns_are_the_same_on_any_ranks_and_after_a_restart(whole, tmp_path, ranks):
    frame = whole / "run" / "restart_2001-01-20_12:00:00.nc"
    for name, arguments in {"ranks": [], "cut": ["--set", f"run.restart_from={frame}"]}.items():
        (tmp_path / name).mkdir()
        done = start(tmp_path, COLUMNS.format(folder=whole), arguments, name, ranks)
        assert done.returncode == 0, done.stderr
        mine, other = last_frame(tmp_path, name), last_frame(whole)
        assert len(mine) > 50
        for variable in other:
            np.testing.assert_array_equal(mine[variable], other[variable], err_msg=f"{name}: {variable}")


def test_columns_keep_a_constant_and_emit_over_unfrozen_land_alone(whole):
    data = last_frame(whole)
    np.testing.assert_allclose(data["one_s"] / data["air"], 1, rtol=1e-13)
    for name in ("radon", "e90", "sf6", "ash"):
        assert float(data[f"{name}_s"].min()) >= 0
    ground = data["radon_s"].isel(lev=0)
    assert float(ground.sel(lon=slice(40, 140), lat=slice(-40, 40)).min()) > 1e3 * float(
        ground.sel(lon=slice(250, 300), lat=slice(-40, 40)).max()
    )
    assert float(data["e90_s"].isel(lev=5).max()) > 0  # by clouds
    assert float(data["ash_s"].sum()) < 1e9


def test_mixing_without_a_weather_is_refused(tmp_path):
    done = start(tmp_path, '[mixing]\nconvection = "mass-flux"\n[tracer.q]\n', ["--check"])
    assert done.returncode == 2
    assert "mixing.convection has no effect" in done.stderr


def test_a_tracer_without_a_source_that_is_0_at_the_start_is_refused(tmp_path):
    done = start(tmp_path, '[tracer.q]\nscale = 0\nlifetime = "1 d"\n', ["--check"])
    assert done.returncode == 2
    assert "tracer.q.scale = 0 and no source" in done.stderr
