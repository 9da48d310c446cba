"""The page of diagnostics and the case mesonet: what they show runs, gives what they say, is drawn."""

import os
import re
import shlex
import shutil
import subprocess

import numpy as np
import pytest
import xarray as xr
from typer.testing import CliRunner

from cf_checker import minded_of
from pictures import assert_drawn
from squall import cli, locate
from squall.errors import UserError
from squall.plot import Choice, PictureFile, choice
from squall.reader.dataset import open_run, streams
from squall.runs import launch

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

PAGE = (locate.CHECKOUT / "docs" / "how-to" / "diagnostics.md").read_text()
CASE = locate.run_file("mesonet")
SNIPPETS = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
PLOTS = re.findall(r"^    (squall plot .*?) *(?:#.*)?$", PAGE, re.M)
SHORT = {"domain.nz": "16", "run.duration": "10 min"}


def start(top, arguments, **settings):
    words = [*map(str, arguments), "--threads", "1"]
    for key, value in (SHORT | settings).items():
        words += ["--set", f"{key}={value}"]
    begun = launch.prepare(locate.model_binary(), words, 1, 1)
    return subprocess.run(
        begun.command, cwd=top, env=os.environ | begun.environment, capture_output=True, text=True,
        timeout=240, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of the storm with all streams of the page, in the folder that its stations lie in."""
    top = tmp_path_factory.mktemp("page")
    settings = CASE.read_text().split("[output.history]")[0]
    file = top / "mesonet.toml"  # as the page calls it
    file.write_text(settings + '[output.history]\ninterval = "10 min"\n' + "\n".join(SNIPPETS))
    for table in CASE.parent.glob("mesonet*.csv"):
        shutil.copy(table, top)
    nx, ny = (int(re.search(rf"^{key} = (\d+)", settings, re.M).group(1)) for key in ("nx", "ny"))
    basin = (("south_north", "west_east"), 3 * np.tri(ny, nx, dtype=np.int32))
    xr.Dataset({"basin": basin}).to_netcdf(top / "mesonet-basins.nc")
    said = start(top, [file])
    assert said.returncode == 0, said.stderr
    return top / "runs" / "mesonet"


def test_the_page_has_a_stream_of_every_kind(run):
    assert streams(run) == [
        "budget", "flights", "gusts", "history", "isentropes", "overview", "part", "profiles",
        "stations", "statistics", "storms", "upper_air", "upper_basin", "water", "winds", "zonal",
    ]  # fmt: skip
    keys = {key for text in SNIPPETS for key in re.findall(r"^(\w+) =", text, re.M)}
    kinds = {
        "stations",
        "trajectories",
        "pressure_levels",
        "height_levels",
        "ground_levels",
        "theta_levels",
        "region",
        "levels",
        "stride",
        "over_time",
        "sample",
        "average",
        "mask",
        "quantiles",
        "coarsen",
    }
    assert kinds <= keys


@pytest.mark.parametrize(
    ("stream", "field", "dimensions"),
    [
        ("storms", "cape", ("south_north", "west_east")),
        ("stations", "wind_speed_10m", ("station",)),
        ("profiles", "W", ("station", "ground_level")),
        ("flights", "relative_humidity", ("trajectory",)),
        ("upper_air", "temperature", ("pressure_level", "south_north", "west_east")),
        ("statistics", "wind_speed_10mMAX", ("south_north", "west_east")),
        ("budget", "RAINNC", ()),
        ("winds", "wind_speed_10mP99", ()),
        ("water", "QVAPOR", ()),
        ("isentropes", "QVAPOR", ("theta_level", "south_north", "west_east")),
        ("part", "W", ("bottom_top_stag", "south_north", "west_east")),
        ("zonal", "U", ("bottom_top", "south_north")),
        ("overview", "PSFC", ("south_north_coarse", "west_east_coarse")),
        ("gusts", "wind_speedMAX", ("station", "height_level")),
    ],
)
def test_streams_of_the_page_give_what_it_says(run, stream, field, dimensions):
    assert open_run(run, stream=stream)[field].dims == ("Time", *dimensions)


@pytest.mark.parametrize("command", PLOTS)
def test_the_plots_of_the_page_are_drawn(run, monkeypatch, command):
    monkeypatch.chdir(run.parents[1])
    before = set(run.rglob("*.png"))
    said = CliRunner().invoke(cli.app, shlex.split(command)[1:])
    assert said.exit_code == 0, said.output
    [drawn] = set(run.rglob("*.png")) - before
    assert_drawn(drawn)
    drawn.unlink()


def test_the_page_draws_streams_of_several_kinds():
    drawn = {re.search(r"--stream (\w+)", command).group(1) for command in PLOTS}
    assert drawn == {"stations", "profiles", "flights", "upper_air"}
    assert len(PLOTS) == 6


@pytest.mark.parametrize(
    ("stream", "wanted", "names"),
    [
        ("stations", Choice("PSFC", station="left,right"), "stations-PSFC.png"),
        ("profiles", Choice("W", level="4 km", limits="-10,30"), "profiles-W.png"),
        ("budget", Choice(), "budget.png"),
        ("statistics", Choice("UHMAX"), "UHMAX.png"),
    ],
)
def test_streams_are_drawn(run, stream, wanted, names):
    drawn = PictureFile(run, wanted, dots=50, stream=stream).draw()
    assert drawn.name == names
    assert_drawn(drawn)
    drawn.unlink()


def test_a_field_on_a_level_of_its_stream_is_that_of_the_file(run):
    frame = open_run(run, stream="upper_air").isel(Time=-1)
    found, words = choice.on_level(frame, frame["W"], "500 hPa")
    assert words == "500 hPa"
    with xr.open_dataset(next(run.glob("upper_air*.nc")), decode_times=False) as file:
        np.testing.assert_array_equal(found.values, file["W"].values[-1, 2])


@pytest.mark.parametrize(
    ("stream", "wanted", "says"),
    [
        (
            "stations",
            Choice(station="lef"),
            r"no station lef. Did you mean left\? There are: where",
        ),
        ("stations", Choice("PSFCC"), "Did you mean PSFC"),
        ("stations", Choice("PSFC", level="1 km"), "has no levels"),
        ("stations", Choice(section="y=3"), "--section: this stream holds time series"),
        ("profiles", Choice("W", level="3 km"), "the stream has 0.5, 1, 2"),
        ("upper_air", Choice("W", level="100 hPa"), "the stream has 850, 700, 500, 250 hPa"),
        ("upper_air", Choice(), "choose one with --field: temperature"),
        ("history", Choice(station="left"), "choose another with --stream"),
        ("stetions", Choice(), "Its streams are budget, flights, gusts"),
    ],
)
def test_what_cannot_be_drawn_of_a_stream_is_told(run, tmp_path, stream, wanted, says):
    with pytest.raises(UserError, match=says):
        PictureFile(run, wanted, tmp_path / "picture.png", stream=stream).draw()


def test_station_files_say_what_identifies_a_series_and_a_profile_and_where_they_are(run, tmp_path):
    [stations, profiles] = [xr.open_dataset(run / f"{name}.nc") for name in ("stations", "profiles")]
    assert stations.attrs["featureType"] == "timeSeries"
    assert profiles.attrs["featureType"] == "timeSeriesProfile"
    roles = {name: a.attrs["cf_role"] for name, a in profiles.variables.items() if "cf_role" in a.attrs}
    assert roles == {"station_name": "timeseries_id", "ITIMESTEP": "profile_id"}
    assert "cf_role" not in stations["ITIMESTEP"].attrs
    assert stations["x"].values.tolist() == [41000.0, 45000.0, 53000.0, 65000.0]
    assert stations["y"].values.tolist() == [41000.0, 55000.0, 33000.0, 45000.0]


def test_heights_of_the_layers_are_a_coordinate_of_the_rest_at_stations(tmp_path):
    file = tmp_path / "layers.toml"
    stream = 'path = "layers.nc"\nframes_per_file = 9\nfields = ["height", "theta", "W", "PSFC"]'
    file.write_text(
        CASE.read_text().split("[output.history]")[0]
        + f'[output.history]\ninterval = "1 min"\n[output.layers]\ninterval = "1 min"\n{stream}\n'
        + f'stations = "{CASE.with_suffix(".csv")}"\n'
    )
    said = start(tmp_path, [file], **{"run.duration": "2 min"})
    assert said.returncode == 0, said.stderr
    run = tmp_path / "runs" / "layers"
    with xr.open_dataset(run / "layers.nc", decode_coords=False) as data:
        assert data["height"].attrs["axis"] == "Z"
        assert data["theta"].attrs["coordinates"].endswith(" station_name height")
        assert data["W"].attrs["coordinates"].endswith(" station_name")  # between the layers
        assert data["PSFC"].attrs["coordinates"].endswith(" station_name")
    assert_drawn(PictureFile(run, Choice("theta"), dots=50, stream="layers").draw())


def test_what_stays_on_the_grid_keeps_its_coordinates(run):
    with xr.open_dataset(next(run.glob("upper_air*.nc")), decode_coords=False) as data:
        assert data["U"].attrs["coordinates"] == "XLONG_U XLAT_U XTIME"
        assert data["W"].attrs["coordinates"] == "XLONG XLAT XTIME"


@pytest.mark.long
def test_a_checker_of_cf_minds_nothing_but_the_names_of_wrfs_own_attributes(run):
    assert minded_of(*(next(run.glob(f"{stream}*.nc")) for stream in streams(run))) == []


def test_the_plan_of_made_streams_has_the_bytes_of_their_files(squall, tmp_path):
    """Stations by x and y too, which the grid alone places."""
    said = squall("run", "mesonet", "--plan")
    assert said.returncode == 0, said.stderr
    planned = dict(re.findall(r"^ +(\w+) +\d+ frames? of .*?: ([\d.]+ k?B) in", said.stdout, re.M))
    assert planned["profiles"] == "42.9 kB"  # 46 frames of 4 fields at 4 stations on 14 levels, and times
    far = tmp_path / "far.csv"
    far.write_text("name,x,y\nhere,3000,5000\nnowhere,1e9,0\n")
    said = squall("run", "mesonet", "--plan", "--set", f'output.stations.stations="{far}"')
    assert said.returncode == 2
    assert "outermost cells: nowhere; remove them" in said.stderr.replace("\n", " ")


def test_a_new_run_file_of_a_case_brings_its_stations(squall, tmp_path):
    said = squall("new", "mine.toml", "--case", "mesonet")
    assert said.returncode == 0, said.stderr
    assert "mesonet.csv" in said.stdout
    assert (tmp_path / "mesonet.csv").read_bytes() == CASE.with_suffix(".csv").read_bytes()
    assert squall("run", "mine.toml", "--plan").returncode == 0
    (tmp_path / "mesonet.csv").write_text("name,i,j\nmine,1,1\n")
    said = squall("new", "other.toml", "--case", "mesonet")
    assert said.returncode == 2
    assert "differs from the file of the case mesonet" in said.stderr
    assert not (tmp_path / "other.toml").exists()
