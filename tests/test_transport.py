"""squall-transport through its command line: what it writes, how it goes on, what it refuses."""

import signal
import subprocess

import numpy as np
import pytest
import xarray as xr

from cf_checker import minded_of
from globe_run import carry
from squall import locate
from squall.runs import run_state

CASE = """
[run]
duration = "{days} d"
time_step = "2 h"
directory = "{directory}"

[grid]
nlon = 32
nlat = 16

[vertical]
nz = 5

[wind]
flow = "dcmip-1-1"

[tracer.ozone]
shape = "slotted-cylinders"
scale = 1e-6
amount = "mole"

[tracer.one]
shape = "constant"

[output.history]
interval = "1 d"
frames_per_file = 100
"""


def start(folder, more="", days=2, arguments=(), name="run", ranks=1):
    file = folder / f"{name}.toml"
    file.write_text(CASE.format(days=days, directory=folder / name) + more)
    return carry(file, ranks, arguments)


def history(folder, stream="history"):
    (file,) = sorted(folder.glob(f"{stream}_*"))
    with xr.open_dataset(file) as data:
        return data.load()


def test_a_history_opens_in_xarray_with_its_coordinates(tmp_path):
    done = start(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "100 %" in done.stdout
    assert "left" in done.stdout
    data = history(tmp_path / "run")
    assert data["ozone"].dims == ("time", "lev", "lat", "lon")
    assert data["ozone"].sizes == {"time": 3, "lev": 5, "lat": 16, "lon": 32}
    assert data["time"].values[-1] == np.datetime64("2000-01-03")
    assert data["lat"].attrs["units"] == "degrees_north"
    assert data["lat_bnds"].values[0, 0] == pytest.approx(-90)
    assert np.ptp(data["one"].values) < 1e-6
    assert data["ozone_mass"].values[-1] == pytest.approx(data["ozone_mass"].values[0], rel=1e-13)


def test_a_column_of_ozone_is_in_dobson_units(tmp_path):
    assert start(tmp_path).returncode == 0
    data = history(tmp_path / "run")
    assert data["ozone_column"].attrs["units"] == "DU"
    # 1 DU is 2.6867e20 molecules per m2; the layers are 1000 to 254.944 hPa deep
    air = (1e5 - 25494.4) / 9.80616 / 0.0289644 * 6.02214076e23
    expected = data["ozone"].isel(time=0).mean("lev") * air / 2.6867e20
    np.testing.assert_allclose(data["ozone_column"].isel(time=0), expected, rtol=0.02)


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_run_that_goes_on_has_the_bits_of_one_that_was_not_cut(tmp_path, ranks):
    more = '[output.restart]\ninterval = "1 d"\n'
    assert start(tmp_path, more, name="whole").returncode == 0
    (tmp_path / "cut").mkdir()
    frame = tmp_path / "whole" / "restart_2000-01-02_00:00:00.nc"
    done = start(tmp_path, more, 2, ["--set", f"run.restart_from={frame}"], "cut", ranks)
    assert done.returncode == 0, done.stderr
    whole, cut = (
        xr.open_dataset(tmp_path / name / "restart_2000-01-03_00:00:00.nc") for name in ("whole", "cut")
    )
    assert len(whole) > 20
    for name in whole:
        np.testing.assert_array_equal(whole[name], cut[name], err_msg=name)


def test_zonal_means_and_stations_are_those_of_the_grid(tmp_path):
    (tmp_path / "stations.csv").write_text(f"name,longitude,latitude\nhere,{5.625 + 11.25 * 3},{0}\n")
    more = """
[output.zonal]
interval = "1 d"
frames_per_file = 100
average = "zonal"
fields = ["ozone", "ozone_column"]

[output.places]
interval = "1 d"
frames_per_file = 100
stations = "stations.csv"
fields = ["ozone"]
"""
    done = start(tmp_path, more)
    assert done.returncode == 0, done.stderr
    whole, zonal, places = (history(tmp_path / "run", name) for name in ("history", "zonal", "places"))
    np.testing.assert_allclose(zonal["ozone"], whole["ozone"].mean("lon"), rtol=1e-5)
    assert "lon" not in zonal.dims
    expected = whole["ozone"].isel(lon=3).isel(lat=slice(7, 9)).mean("lat")
    np.testing.assert_allclose(places["ozone"].squeeze("station"), expected, rtol=1e-5)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_stations_have_the_bits_of_their_cells_and_zonal_means_are_those_of_the_history(tmp_path, ranks):
    """Stations at the poles, beside the date line and on either side of the borders of patches."""
    places = [(1, -89, 0, 0), (359, -1, 31, 7), (181, 1, 16, 8), (90, 45, 8, 12), (-170, 89.9, 16, 15)]
    lines = [f"s{n},{lon},{lat}" for n, (lon, lat, _, _) in enumerate(places)]
    (tmp_path / "stations.csv").write_text("\n".join(["name,longitude,latitude", *lines]))
    more = """
[output.zonal]
interval = "1 d"
frames_per_file = 100
average = "zonal"

[output.places]
interval = "1 d"
frames_per_file = 100
stations = "stations.csv"
interpolation = "nearest"
"""
    done = start(tmp_path, more, ranks=ranks)
    assert done.returncode == 0, done.stderr
    whole, zonal, at = (history(tmp_path / "run", name) for name in ("history", "zonal", "places"))
    fields = ["ozone", "one", "ozone_column", "one_column", "ps"]
    for name in fields:
        assert float(np.abs(whole[name]).max()) > 0
        expected = whole[name].astype(float).mean("lon")
        np.testing.assert_allclose(zonal[name], expected, rtol=2e-7, atol=1e-30)  # a bit of single precision
        for n, (_, _, i, j) in enumerate(places):
            np.testing.assert_array_equal(at[name].isel(station=n), whole[name].isel(lon=i, lat=j))


def test_fields_by_an_expression_are_in_all_streams(tmp_path):
    more = """
[field.ppm]
expression = "ozone * 1e6"
units = "1e-6"
long_name = "ozone in parts per million"

[field.burden]
expression = "(ozone + one) * air / 2 + 0 * ps"
units = "kg m-2"

[output.other]
interval = "1 d"
frames_per_file = 100
fields = ["ppm", "burden", "ozone", "one", "air", "pressure"]

[output.zonal]
interval = "1 d"
frames_per_file = 100
average = "zonal"
fields = ["ppm", "ozone"]
"""
    assert start(tmp_path, more).returncode == 0
    assert {"ppm", "burden"} <= set(history(tmp_path / "run").data_vars)
    data, zonal = (history(tmp_path / "run", name) for name in ("other", "zonal"))
    assert data["ppm"].attrs["units"] == "1e-6"
    assert data["ppm"].attrs["long_name"] == "ozone in parts per million"
    assert data["burden"].attrs["long_name"] == "(ozone + one) * air / 2 + 0 * ps"
    np.testing.assert_allclose(data["ppm"], 1e6 * data["ozone"], rtol=2e-7)
    np.testing.assert_allclose(data["burden"], (data["ozone"] + data["one"]) * data["air"] / 2, rtol=4e-7)
    np.testing.assert_allclose(zonal["ppm"], 1e6 * zonal["ozone"], rtol=4e-7)
    # the air of all layers weighs what the pressure at the ground is above that at the top, 254.944 hPa
    np.testing.assert_allclose(9.80616 * data["air"].sum("lev"), 1e5 - 25494.4, rtol=1e-6)
    assert (np.diff(data["pressure"], axis=1) < 0).all()


@pytest.mark.parametrize("coordinate", ["pressure", "hybrid"])
def test_checkers_of_cf_mind_nothing(tmp_path, coordinate):
    (tmp_path / "stations.csv").write_text("name,longitude,latitude\nhere,20,30\n")
    more = """
[output.few]
interval = "1 d"
fields = ["ozone"]

[output.zonal]
interval = "1 d"
average = "zonal"

[output.places]
interval = "1 d"
stations = "stations.csv"
"""
    done = start(tmp_path, more, 1, ["--set", f"vertical.coordinate={coordinate}"])
    assert done.returncode == 0, done.stderr
    files = sorted((tmp_path / "run").glob("*01-02*.nc")) + sorted((tmp_path / "run").glob("history_*.nc"))
    assert len(files) == 4
    assert minded_of(*files) == []


def test_a_part_of_the_grid_is_that_part(tmp_path):
    more = """
[output.part]
interval = "1 d"
frames_per_file = 100
levels = [1, 3, 2]
region = [4, 20, 2, 9]
stride = 2
fields = ["ozone", "ps"]
precision = { ozone = "absolute 1e-9" }
"""
    done = start(tmp_path, more)
    assert done.returncode == 0, done.stderr
    whole, part = history(tmp_path / "run"), history(tmp_path / "run", "part")
    chosen = whole["ozone"].isel(lev=slice(1, 4, 2), lat=slice(2, 10, 2), lon=slice(4, 21, 2))
    np.testing.assert_allclose(part["ozone"], chosen, atol=1.001e-9)
    np.testing.assert_array_equal(part["lon"], chosen["lon"])
    np.testing.assert_array_equal(part["lev"], chosen["lev"])
    np.testing.assert_allclose(part["ps"], 1e5, rtol=1e-6)


@pytest.mark.parametrize("engine", ["zarr", "netcdf-split"])
@pytest.mark.parametrize("placement", ["inline", "thread"])
def test_engines_and_placements_write_the_same_values(tmp_path, engine, placement):
    more = f"""
[output.other]
interval = "1 d"
engine = "{engine}"
placement = "{placement}"
fields = ["ozone"]
"""
    done = start(tmp_path, more)
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "run" / "io-report.json").read_text()
    assert f'"{engine}"' in report
    assert f'"{placement}"' in report
    if engine == "zarr":
        last = xr.open_zarr(sorted((tmp_path / "run").glob("other_*.zarr"))[-1], consolidated=False)
        np.testing.assert_array_equal(last["ozone"].values[-1], history(tmp_path / "run")["ozone"].values[-1])


def test_a_rank_set_aside_writes_the_streams(tmp_path):
    done = start(tmp_path, "[output]\nservers = 1\n", ranks=3)
    assert done.returncode == 0, done.stderr
    assert '"servers"' in (tmp_path / "run" / "io-report.json").read_text()


def test_servers_end_with_a_run_that_fails(tmp_path):
    more = "[parallel]\nranks_y = 7\n[output]\nservers = 1\n"  # rows of patches are too few for 2 ranks
    done = start(tmp_path, more, ranks=3)
    assert done.returncode != 0
    assert "ranks_y" in done.stderr


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('engin = "zarr"\n', 'did you mean "engine"'),
        ('fields = ["ozon"]\n', 'did you mean "ozone"'),
        ('[output.places]\ninterval = "1 d"\nstations = "none.csv"\n', "there is no file"),
        ("[tracer.bad]\nscale = nan\n", "tracer.bad.scale"),
        ('[advection]\nscheme = "upwind"\n', "slopes"),
        ('[field.x]\nunits = "1"\n', 'key "expression" is missing in [field.x]'),
        ('[field.x]\nexpression = "2 * ozon"\n', 'there is no field "ozon"; did you mean "ozone"'),
        ('[field.x]\nexpression = "2 *"\n', "it ends where a value was expected"),
        ('[field.x]\nexpression = "ozone_mass"\n', "one number of the whole globe"),
        ('[field.ps]\nexpression = "ozone"\n', "there is a field of that name already"),
    ],
)
def test_what_is_wrong_with_a_run_file_is_refused_by_name(tmp_path, more, said):
    done = start(tmp_path, more)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_run_that_is_asked_to_stop_says_how_to_go_on(tmp_path):
    file = tmp_path / "run.toml"
    file.write_text(CASE.format(days=100000, directory=tmp_path / "run"))
    command = [locate.transport_binary(), file, "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as running:
        assert "left" in running.stdout.readline()
        running.send_signal(signal.SIGTERM)
        said = running.stdout.read()
    assert running.returncode == 3
    assert "Stopped by SIGTERM" in said
    frame = said.split("run.restart_from=")[1].strip()
    done = start(tmp_path, days=100000, arguments=["--check", "--set", f"run.restart_from={frame}"])
    assert done.returncode == 0, done.stderr
    with xr.open_dataset(frame) as data:
        assert f"at step {int(data['step'][0])} of 1200000" in said


def test_a_restart_frame_of_another_grid_is_refused_by_what_differs(tmp_path):
    assert start(tmp_path, '[output.restart]\ninterval = "1 d"\n').returncode == 0
    frame = tmp_path / "run" / "restart_2000-01-02_00:00:00.nc"
    changed = ["--set", f"run.restart_from={frame}", "--set", "grid.nlon=64"]
    done = start(tmp_path, arguments=changed, name="other")
    assert done.returncode == 2
    assert "32 points along lon" in done.stderr


def test_check_runs_nothing(tmp_path):
    done = start(tmp_path, arguments=["--check"])
    assert done.returncode == 0
    assert "32 x 16 x 5 cells, 2 tracer(s)" in done.stdout
    assert not (tmp_path / "run").exists()


#: Those that need no file of winds: tests/test_transport_winds.py runs the other one.
CASES = [
    case
    for case in sorted((locate.run_files_folder() / "transport").glob("*.toml"))
    if "winds.nc" not in case.read_text()
]


def test_a_run_that_is_killed_is_told_from_one_that_is_done(tmp_path):
    assert start(tmp_path).returncode == 0
    assert run_state.state_of(tmp_path / "run").word == "done"
    file = tmp_path / "long.toml"
    file.write_text(CASE.format(days=100000, directory=tmp_path / "long"))
    command = [locate.transport_binary(), file, "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as running:
        assert "left" in running.stdout.readline()
        assert run_state.state_of(tmp_path / "long").word == "running"
        running.kill()
    assert run_state.state_of(tmp_path / "long").word == "died"


@pytest.mark.parametrize("case", CASES, ids=[case.stem for case in CASES])
def test_run_files_that_come_with_it_are_valid(tmp_path, case):
    command = [locate.transport_binary(), case, "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_an_eruption_and_the_age_of_air_are_in_the_history(tmp_path):
    more = """
[tracer.age]
clock = true

[tracer.ash]
scale = 0
eruption_mass = "1e9 kg"
eruption_longitude = 20
eruption_latitude = 64
eruption_bottom = "2 km"
eruption_top = "9 km"
eruption_duration = "6 h"
"""
    done = start(tmp_path, more)
    assert done.returncode == 0, done.stderr
    data = history(tmp_path / "run")
    assert data["ash_mass"].values[-1] == pytest.approx(1e9, rel=1e-12)
    assert data["age"].attrs["units"] == "s"
    assert data["age"].values[-1, 0].max() == 0
    assert 0 < data["age"].values[-1, -1].max() < 2 * 86400 * 1.001  # positive, not monotonic
    assert "age: " not in done.stdout


def test_the_page_of_keys_is_what_the_program_prints():
    said = subprocess.run([locate.transport_binary(), "--keys"], capture_output=True, text=True, check=True)
    page = locate.CHECKOUT / "docs" / "reference" / "transport-run-file.md"
    assert page.read_text() == said.stdout
