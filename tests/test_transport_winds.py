"""squall transport prepare, and runs with its winds."""

import subprocess

import numpy as np
import pytest
import xarray as xr

from globe_run import carry
from squall import locate

pytestmark = [pytest.mark.regression, pytest.mark.seconds(60)]

GFS = (locate.CHECKOUT / "../shared/data/analysis/gfs.t12z.pgrbf120.2p5deg.grib2").resolve()

CASE = """
[run]
start = "2011-01-15T12:00:00"
duration = "12 h"
time_step = "1 h"
directory = "{directory}"

[grid]
nlon = 48
nlat = 24

[vertical]
{levels}

[wind]
file = "winds.nc"

[tracer.one]
shape = "constant"

[tracer.q]
shape = "slotted-cylinders"

[output.restart]
interval = "6 h"
"""
MIXED = """
[mixing]
convection = "mass-flux"
boundary_layer = "holtslag-boville"

[tracer.radon]
scale = 0
emission = "3.69e-21 kg m-2 s-1"
emission_surface = "unfrozen-land"
lifetime = "5.517 d"

[tracer.ash]
scale = 1e-9
particle_diameter = "10e-6 m"
particle_density = "2500 kg m-3"
washout = "8.4e-5 s-1"
deposition_velocity_land = "0.005 m/s"

[output.history]
interval = "12 h"
frames_per_file = 10
"""
LEVELS = 'nz = 12\ntop = "10 hPa"\ncoordinate = "hybrid"'


def shifted(target, hours, raised):
    """GFS's field set, some hours later and with another surface pressure; means are of later periods."""
    eccodes = pytest.importorskip("eccodes", exc_type=RuntimeError)
    eccodes.codes_grib_multi_support_on()
    with GFS.open("rb") as file, target.open("wb") as out:
        while (message := eccodes.codes_grib_new_from_file(file)) is not None:
            when = 1200 + 100 * hours
            eccodes.codes_set(message, "dataTime", when % 2400)
            eccodes.codes_set(message, "dataDate", 20110110 + when // 2400)
            if eccodes.codes_get(message, "stepType") in ("avg", "accum"):
                eccodes.codes_set(message, "dayOfEndOfOverallTimeInterval", 15 + when // 2400)
                eccodes.codes_set(message, "hourOfEndOfOverallTimeInterval", when % 2400 // 100)
            if eccodes.codes_get(message, "shortName") == "sp":
                lat, lon = (
                    np.radians(eccodes.codes_get_array(message, f"{of}s")) for of in ("latitude", "longitude")
                )
                change = raised * (1 + 3 * np.cos(lat) * np.sin(2 * lon))
                eccodes.codes_set_values(message, eccodes.codes_get_values(message) + change)
            eccodes.codes_write(message, out)
            eccodes.codes_release(message)
        eccodes.codes_grib_multi_support_reset_file(file)
    return target


def run_file(folder, name="run", levels=LEVELS):
    path = folder / f"{name}.toml"
    path.write_text(CASE.format(directory=folder / name, levels=levels))
    return path


def run(folder, name="run", ranks=1, arguments=(), levels=LEVELS):
    return carry(run_file(folder, name, levels), ranks, arguments)


@pytest.fixture(scope="module")
def winds(tmp_path_factory):
    """A folder with a run file, analyses of three times and the winds of them; and what was said."""
    if not GFS.is_file():
        pytest.skip(f"there is no field set of GFS: {GFS}")
    folder = tmp_path_factory.mktemp("winds")
    files = [GFS, shifted(folder / "b.grib2", 6, 100), shifted(folder / "c.grib2", 12, 50)]
    command = [locate.CHECKOUT / ".venv/bin/squall", "transport", "prepare", run_file(folder), *files]
    said = subprocess.run(command, capture_output=True, text=True, check=False, env={"COLUMNS": "200"})
    assert said.returncode == 0, said.stderr
    return folder, files, said.stdout


@pytest.fixture(scope="module")
def whole(winds):
    """The folder, after a run of one rank."""
    folder = winds[0]
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert "winds: 3 records, read by the first rank of each row of patches" in done.stdout
    assert "0 MB of them to other ranks in 0 messages" in done.stdout
    return folder


def last(folder, name):
    with xr.open_dataset(folder / name / "restart_2011-01-16_00:00:00.nc") as frame:
        return frame.isel(time=0).load()


def weight(frame):
    """The surface pressure that the columns' air makes under 1000 Pa."""
    area = np.diff(np.sin(np.radians(frame["lat_bnds"].values)), axis=1)[:, 0] * 6.37122e6**2 * np.pi / 24
    return 1000 + frame["air"].sum("lev").values * 9.80616 / area[:, None]


def same(one, other):
    return len(one) > 20 and all(np.array_equal(one[name], other[name]) for name in one)


def test_the_report_says_what_is_there_and_what_stands_in(winds):
    said = " ".join(winds[2].split())
    for told in (
        "3, 2011-01-15 12:00 to 2011-01-16 00:00 UTC, 6 h apart",
        "48 x 24 cells",
        "boundary-layer height: where the bulk Richardson number is 0.25",
        "convective mass fluxes: none in the analysis",
        "global-mean surface pressure: up to +100 Pa from the first time's, removed",
        "sensible heat flux W m-2 gfs.t12z.pgrbf120.2p5deg.grib2: msshf",
    ):
        assert told in said
    assert "rain: none" not in said


def test_winds_are_in_a_file_of_cf(winds):
    data = xr.open_dataset(winds[0] / "winds.nc")
    assert data["u"].dims == ("time", "lev", "lat", "lon_west")
    assert data["v"].dims == ("time", "lev", "lat_south", "lon")
    assert list(data["time"].values.astype("datetime64[h]").astype(str)) == [
        "2011-01-15T12", "2011-01-15T18", "2011-01-16T00",
    ]  # fmt: skip
    area = np.diff(np.sin(np.radians(data["lat_bnds"].values)), axis=1)[:, 0]
    mean = data["ps"].mean("lon") @ xr.DataArray(area / 2, dims="lat")
    assert np.ptp(mean.values) < 1e-9  # Pa
    # of the field set, by its points' own areas
    assert float(mean[0]) == pytest.approx(98538.4, abs=10)
    assert float(data["rain_rate"][0].mean()) * 86400 == pytest.approx(2.5, abs=0.5)  # mm a day
    assert float(data["friction_velocity"].min()) > 0
    assert 200 < float(data["boundary_layer_height"].mean()) < 2000
    assert data["land_fraction"].values.max() <= 1


def test_columns_follow_the_surface_pressure_and_a_constant_stays_one(whole):
    winds = xr.open_dataset(whole / "winds.nc")
    assert np.ptp((winds["ps"][1] - winds["ps"][0]).values) > 300  # it changes, Pa
    for record, hour in ((1, "2011-01-15_18"), (2, "2011-01-16_00")):
        frame = xr.open_dataset(whole / "run" / f"restart_{hour}:00:00.nc").isel(time=0)
        assert np.abs(weight(frame) - winds["ps"][record].values).max() < 1e-6  # Pa, of 1e5
        assert float(np.abs(frame["one_s"] / frame["air"] - 1).max()) < 1e-12
        assert float(frame["q_s"].min()) >= 0


@pytest.mark.parametrize(("ranks", "read"), [(1, "one"), (2, "rows"), (2, "one"), (4, "rows"), (4, "one")])
def test_ranks_and_ways_of_reading_give_the_same_bits(whole, ranks, read):
    name = f"{read}{ranks}"
    done = run(whole, name, ranks, ["--set", f"wind.read={read}"])
    assert done.returncode == 0, done.stderr
    assert ("read by one rank" in done.stdout) == (read == "one")
    assert same(last(whole, "run"), last(whole, name))


def test_a_run_that_goes_on_has_the_bits_of_one_that_was_not_cut(whole):
    frame = whole / "run" / "restart_2011-01-15_18:00:00.nc"
    done = run(whole, "cut", 2, ["--set", f"run.restart_from={frame}"])
    assert done.returncode == 0, done.stderr
    assert same(last(whole, "run"), last(whole, "cut"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("grid.nlat=26", "it is of another grid: it has 48 x 24 cells"),
        ("vertical.nz=13", "it is of other levels: it has 12 layers, this run 13"),
        ("run.duration=13 h", "its winds are of 2011-01-15T12:00:00 to 2011-01-16T00:00:00"),
        ("run.time_step=4 h", "lie within a time step of 14400 s"),
        ("wind.file=nowhere.nc", "squall transport prepare makes it"),
    ],
)
def test_winds_that_do_not_fit_a_run_are_refused(winds, change, told):
    done = run(winds[0], "refused", 1, ["--set", change])
    assert done.returncode == 2
    assert told in done.stderr
    assert "wind.file: " in done.stderr
    assert not (winds[0] / "refused").exists()


def test_a_check_reads_all_values(winds, tmp_path):
    with xr.open_dataset(winds[0] / "winds.nc", decode_times=False) as data:
        broken = data.load()
    broken["q"][2, 3, 5, 7] = np.nan
    broken.to_netcdf(tmp_path / "winds.nc", format="NETCDF3_64BIT", unlimited_dims="time")
    done = run(tmp_path, "run", 1, ["--check"])
    assert done.returncode == 1
    assert "q is nan at 2011-01-16T00:00:00, in cell (7, 5, 3)" in done.stderr


def prepare(squall, folder, *files, levels=LEVELS):
    return squall(
        "transport", "prepare", run_file(folder, "run", levels), *files, "--output", folder / "winds.nc"
    )


def test_analyses_that_do_not_cover_the_run_are_refused(winds, squall, tmp_path):
    said = prepare(squall, tmp_path, *winds[1][:2])
    assert said.returncode == 2
    assert "The analysis is of 2011-01-15 12:00 to 2011-01-15 18:00 UTC, 2 time(s)" in said.stderr
    assert "See: squall help transport" in said.stderr
    assert not list(tmp_path.glob("winds*"))


A = np.array([0.0, 2000.0, 8000.0, 9000.0, 5000.0, 1500.0, 0.0])  # of interfaces, from the top
B = np.array([0.0, 0.0, 0.1, 0.3, 0.6, 0.9, 1.0])


def model_levels(path, west=0.0, hours=(0, 6, 12)):
    """A made-up analysis of three times on six model levels, as ERA5 names them; of a part by `west`."""
    lat, lon = np.linspace(90, -90, 37), np.arange(west, 360, 5.0)
    lev = np.arange(1.0, 7)
    shape = (3, 6, len(lat), len(lon))
    field = np.cos(np.radians(lat))[:, None] * np.sin(np.radians(lon))
    when = np.array([0.0, 6, 12])[:, None, None]  # as the weather goes on, whatever the times
    on_levels, surface = ("time", "level", "latitude", "longitude"), ("time", "latitude", "longitude")
    rows = np.broadcast_to(np.cos(np.radians(lat))[:, None], shape)
    data = xr.Dataset(
        {
            "t": (on_levels, np.full(shape, 250.0), {"units": "K"}),
            "u": (on_levels, 20 * rows, {"units": "m s-1"}),
            "v": (on_levels, np.zeros(shape), {"units": "m s-1"}),
            "q": (on_levels, np.full(shape, 1e-3), {"units": "kg kg-1"}),
            "mumf": (on_levels, np.full(shape, 0.02), {"units": "kg m-2 s-1"}),
            "mdmf": (on_levels, np.full(shape, -0.01), {"units": "kg m-2 s-1"}),
            "sp": (surface, 9.9e4 + 50 * when * field, {"units": "Pa"}),
            "z": (surface, np.zeros(shape)[:, 0], {"units": "m2 s-2", "long_name": "Geopotential"}),
            "blh": (surface, np.full(shape, 700.0)[:, 0], {"units": "m"}),
            "zust": (surface, np.full(shape, 0.4)[:, 0], {"units": "m s-1"}),
            "sshf": (surface, np.full(shape, -3.6e4)[:, 0], {"units": "J m**-2"}),
            "slhf": (surface, np.full(shape, -7.2e4)[:, 0], {"units": "J m**-2"}),
            "tp": (surface, np.full(shape, 3.6e-4)[:, 0], {"units": "m"}),
            "cp": (surface, np.full(shape, 1.8e-4)[:, 0], {"units": "m"}),
            "ap": ("level", 0.5 * (A[1:] + A[:-1])),
            "b": ("level", 0.5 * (B[1:] + B[:-1])),
        },
        {
            "time": ("time", 12.0 + np.array(hours), {"units": "hours since 2011-01-15 00:00"}),
            "level": ("level", lev, {"standard_name": "atmosphere_hybrid_sigma_pressure_coordinate",
                                     "formula_terms": "ap: ap b: b ps: sp"}),
            "latitude": ("latitude", lat, {"units": "degrees_north"}),
            "longitude": ("longitude", lon, {"units": "degrees_east"}),
        },
    )  # fmt: skip
    data.to_netcdf(path)
    return path


@pytest.fixture
def on_model_levels(tmp_path, squall):
    said = prepare(squall, tmp_path, model_levels(tmp_path / "a.nc"), levels='coordinate = "file"')
    assert said.returncode == 0, said.stderr
    return tmp_path, said.stdout


def test_weather_of_an_analysis_has_its_units_and_signs(on_model_levels):
    data = xr.open_dataset(on_model_levels[0] / "winds.nc")
    for name, value in {
        "boundary_layer_height": 700, "friction_velocity": 0.4, "sensible_heat_flux": 10,
        "latent_heat_flux": 20, "rain_rate": 1e-4, "convective_rain_rate": 5e-5,
    }.items():  # fmt: skip
        np.testing.assert_allclose(data[name], value, rtol=1e-5, err_msg=name)
    for name, value in {"updraught": 0.02, "downdraught": 0.01}.items():
        np.testing.assert_allclose(data[name][:, 1:-1], value, rtol=1e-5, err_msg=name)
        assert not data[name][:, [0, -1]].any()
    assert "land fraction: 0, all of it sea" in on_model_levels[1]


def test_levels_are_those_of_the_analysis_and_a_run_takes_them(on_model_levels):
    folder = on_model_levels[0]
    data = xr.open_dataset(folder / "winds.nc")
    np.testing.assert_allclose(data["ap_interface"], A[::-1], atol=1e-9)
    np.testing.assert_allclose(data["b_interface"], B[::-1], atol=1e-12)
    done = run(folder, "run", 2, levels='coordinate = "file"')
    assert done.returncode == 0, done.stderr
    frame = last(folder, "run")
    assert frame.sizes["lev"] == 6
    assert float(np.abs(frame["one_s"] / frame["air"] - 1).max()) < 1e-12


def test_times_need_not_be_evenly_apart(tmp_path, squall):
    said = prepare(squall, tmp_path, model_levels(tmp_path / "a.nc", hours=(0, 3, 12)))
    assert "3 to 9 h apart" in said.stdout, said.stderr
    assert run(tmp_path).returncode == 0
    pressure = xr.open_dataset(tmp_path / "winds.nc")["ps"].values  # changes by 600 Pa from time to time
    for hour, share in (("2011-01-15_18", 1 / 3), ("2011-01-16_00", 1)):
        frame = xr.open_dataset(tmp_path / "run" / f"restart_{hour}:00:00.nc").isel(time=0)
        ps = pressure[1] + share * (pressure[2] - pressure[1])
        assert np.abs(weight(frame) - ps).max() < 1e-6  # of 1e5
        assert float(np.abs(frame["one_s"] / frame["air"] - 1).max()) < 1e-12


def test_levels_may_be_those_of_a_table(tmp_path, squall):
    table = tmp_path / "levels.csv"
    table.write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b in zip(A[::2], B[::2], strict=True)))
    analysis = model_levels(tmp_path / "a.nc")
    case = run_file(tmp_path, levels='coordinate = "file"')
    said = squall("transport", "prepare", case, analysis, "--levels", table)
    assert said.returncode == 0, said.stderr
    np.testing.assert_allclose(xr.open_dataset(tmp_path / "winds.nc")["b_interface"], B[::-2])
    table.write_text("a,b\n0,0\n5,1\n")
    said = squall("transport", "prepare", case, analysis, "--levels", table)
    assert said.returncode == 2
    assert "from the ground (a = 0, b = 1) to a top with b = 0" in said.stderr


def test_an_analysis_of_a_part_of_the_globe_is_refused(tmp_path, squall):
    said = prepare(squall, tmp_path, model_levels(tmp_path / "a.nc", west=90.0))
    assert said.returncode == 2
    assert "does not go around the globe from pole to pole" in said.stderr


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        ('coordinate = "pressure"', "levels that follow the surface pressure of analyses are"),
        ('nz = 0\ncoordinate = "hybrid"', "0 layers up to 25494.4 Pa"),
        ('nz = "ten"\ncoordinate = "hybrid"', "vertical.nz is 'ten'"),
    ],
)
def test_a_run_file_that_cannot_have_such_winds_is_refused(tmp_path, squall, levels, told):
    said = prepare(squall, tmp_path, model_levels(tmp_path / "a.nc"), levels=levels)
    assert said.returncode == 2
    assert told in said.stderr


def test_columns_are_mixed_fed_and_washed_by_the_weather_of_the_analyses(winds, squall, tmp_path):
    """Within half a day clouds lift radon to 470 hPa, and the boundary layer to 840 hPa, where the wind alone
    has brought next to none; and ash is lost."""
    levels = LEVELS.replace("12", "40") + MIXED
    files = winds[1]
    assert squall("transport", "prepare", run_file(tmp_path, levels=levels), *files).returncode == 0
    unmixed = ("--set", "mixing.convection=none", "--set", "mixing.boundary_layer=none")
    for name, ranks, arguments in (("mixed", 1, ()), ("ranks", 3, ()), ("unmixed", 1, unmixed)):
        done = run(tmp_path, name, ranks, arguments, levels=levels)
        assert done.returncode == 0, done.stderr
    mixed, ranks, unmixed = (
        xr.open_dataset(next((tmp_path / name).glob("history*.nc"))).isel(time=-1)
        for name in ("mixed", "ranks", "unmixed")
    )
    assert all(np.array_equal(mixed[name], ranks[name]) for name in ("radon", "ash", "one", "q"))
    np.testing.assert_allclose(mixed.one, 1, rtol=1e-6)  # single precision in the file
    for one in (mixed, unmixed):
        assert one.radon.min() >= 0
        assert 0.15 < (one.radon[0] > 0.1 * one.radon[0].max()).mean() < 0.6  # land, and what lies in its lee
        assert 0.8e-9 < one.ash.mean() < 0.98e-9
    more = mixed.radon.mean(("lat", "lon")) / unmixed.radon.mean(("lat", "lon"))
    pressure = (mixed.ap + 1e5 * mixed.b).values / 100
    assert more[np.argmin(abs(pressure - 840))] > 2
    assert more[np.argmin(abs(pressure - 470))] > 1e4


def test_the_run_file_that_comes_with_it_runs_with_winds_that_are_prepared_for_it(tmp_path, squall):
    if not GFS.is_file():
        pytest.skip(f"there is no field set of GFS: {GFS}")
    case = locate.run_files_folder() / "transport" / "from-analysis.toml"
    files = [GFS, shifted(tmp_path / "b.grib2", 12, 100), shifted(tmp_path / "c.grib2", 24, 50)]
    said = squall("transport", "prepare", case, *files, "-o", tmp_path / "winds.nc")
    assert said.returncode == 0, said.stderr
    own = tmp_path / case.name
    own.write_text(case.read_text())
    command = [locate.transport_binary(), own, "--set", f"run.directory={tmp_path / 'run'}"]
    for more in (["--check"], ["--set", "run.duration=2 h", "--set", "output.history.interval=1 h"]):
        done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert "winds: 2 records" in done.stdout
