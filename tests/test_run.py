"""The command and the model together: short runs, and what other tools make of their files."""

import shutil
import subprocess

import numpy as np
import pytest

from pictures import assert_drawn
from squall import diagnose, locate
from squall.errors import UserError
from squall.reader.dataset import history_files, open_run

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

SETTINGS = [
    "domain.nx=64",
    "domain.nz=16",
    'domain.dx="400 m"',
    'run.duration="8 s"',
    'output.history.interval="4 s"',
]
SHORT = ["density-current", *(word for setting in SETTINGS for word in ("--set", setting)), "--threads", "1"]


@pytest.fixture(scope="module")
def run_directory(tmp_path_factory):
    """A finished run of a few steps."""
    directory = tmp_path_factory.mktemp("short")
    from squall.runs import launch

    arguments = [str(locate.run_file(SHORT[0])), *SHORT[1:], "--set", f"run.directory={directory / 'out'}"]
    code = launch.execute(launch.prepare(locate.model_binary(), arguments, 1, 1))
    assert code == 0
    return directory / "out"


def test_a_wrong_key_is_refused_with_the_nearest_and_nothing_is_written(squall, tmp_path):
    said = squall("run", "density-current", "--set", 'run.tyme_step="1 s"')
    assert said.returncode == 2
    assert "run.tyme_step" in said.stderr
    assert "time_step" in said.stderr
    assert not (tmp_path / "runs").exists()


def test_a_plan_tells_and_writes_nothing(squall, tmp_path):
    said = squall("run", *SHORT, "--plan")
    assert said.returncode == 0, said.stderr
    assert "64" in said.stdout
    assert "history" in said.stdout
    assert not (tmp_path / "runs").exists()


def test_two_ranks_run_and_tell_their_progress_in_plain_lines(squall, tmp_path):
    said = squall("run", *SHORT, "-n", "2")
    assert said.returncode == 0, said.stderr
    assert "\r" not in said.stdout
    assert "\033" not in said.stdout
    assert open_run(tmp_path / "runs" / "density-current").sizes["Time"] == 3


def test_an_earlier_run_is_kept_unless_told_to_overwrite(squall, tmp_path):
    assert squall("run", *SHORT).returncode == 0
    refused = squall("run", *SHORT)
    assert refused.returncode != 0
    assert "--overwrite" in refused.stderr
    assert squall("run", *SHORT, "--overwrite").returncode == 0


def test_the_settings_beside_the_output_are_a_run_file(squall, run_directory):
    said = squall("run", run_directory / "run.toml", "--plan")
    assert said.returncode == 0, said.stderr


def test_a_run_is_drawn_without_options(squall, run_directory, tmp_path):
    said = squall("plot", run_directory, "-o", "picture.png")
    assert said.returncode == 0, said.stderr
    assert said.stdout.strip() == "Picture: picture.png"
    assert_drawn(tmp_path / "picture.png")


def test_xarray_finds_cf_times_and_units(run_directory):
    history = open_run(run_directory)
    assert str(history["XTIME"].values[-1]).startswith("2000-01-01T00:00:08")
    assert history["W"].attrs["standard_name"] == "upward_air_velocity"
    assert history["W"].attrs["units"] == "m s-1"


@pytest.mark.filterwarnings("ignore")
def test_xwrf_opens_the_files_as_they_are(run_directory):
    xwrf = pytest.importorskip("xwrf")
    import xarray as xr

    assert xwrf  # registers the accessor
    history = xr.open_dataset(history_files(run_directory)[-1]).xwrf.postprocess()
    assert "air_potential_temperature" in history
    assert float(history["air_potential_temperature"].max()) == pytest.approx(300, abs=2)


@pytest.mark.filterwarnings("ignore")
def test_the_tools_of_the_field_take_a_run_that_xarray_opens(run_directory):
    import metpy
    import xarray as xr
    import xwrf

    assert xwrf  # it registers an accessor
    history = xr.open_dataset(run_directory, engine="squall", chunks={})
    assert history.metpy.parse_cf("T").metpy.units == metpy.units.units.kelvin
    assert history["T"].metpy.time.name == "Time"
    made = history.xwrf.postprocess()
    assert float(made["air_potential_temperature"].max()) == pytest.approx(300, abs=2)


@pytest.mark.filterwarnings("ignore")
def test_wrf_python_opens_the_files_as_they_are(run_directory):
    wrf = pytest.importorskip("wrf")
    import netCDF4

    with netCDF4.Dataset(history_files(run_directory)[-1]) as file:
        assert float(wrf.getvar(file, "theta").max()) == pytest.approx(300, abs=2)


@pytest.mark.parametrize("tool", [["ncdump", "-h"], ["cdo", "-s", "sinfon"]])
def test_other_tools_open_the_files_as_they_are(run_directory, tool):
    if shutil.which(tool[0]) is None:
        pytest.skip(f"{tool[0]} is not installed")
    said = subprocess.run(
        [*tool, history_files(run_directory)[-1]], capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr
    assert "XTIME" in said.stdout or "2000-01-01" in said.stdout


def test_what_never_changes_is_once_in_a_file_of_several_frames_and_all_is_found(squall, tmp_path):
    said = squall("run", *SHORT, "--set", "output.history.frames_per_file=2")
    assert said.returncode == 0, said.stderr
    run = tmp_path / "runs" / "density-current"
    history = open_run(run)
    assert history["PHB"].dims == ("bottom_top_stag", "south_north", "west_east")
    assert history["PH"].dims[0] == "Time"
    assert history.sizes["Time"] == 3
    whole = tmp_path / "whole"
    assert squall("run", *SHORT, "--set", f"run.directory={whole}").returncode == 0
    for name in ("height", "pressure", "theta_pert"):
        once, each = (diagnose.field(open_run(path), name) for path in (run, whole))
        np.testing.assert_array_equal(once.transpose(*each.dims), each)
    assert squall("plot", run, "-o", "picture.png").returncode == 0
