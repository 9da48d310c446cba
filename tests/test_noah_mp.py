"""A winter day over North America's plains with Noah-MP, from the input of WRF's run with it."""

import shutil
import subprocess

import numpy as np
import pytest
import xarray as xr

from squall import locate
from squall.errors import UserError
from squall.lab.verify.data import Skipped, folder

pytestmark = [pytest.mark.regression, pytest.mark.seconds(60)]

try:
    MODEL = locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

RUN_FILE = """\
[run]
duration = "{minutes} min"
time_step = "180 s"
{restart}
[boundary]
file = "wrfbdy_d01"
[dynamics]
coriolis = "file"
[physics]
microphysics = "morrison"
surface_layer = "mynn"
boundary_layer = "mynn-edmf"
land = "noah-mp"
radiation = "broadband"
radiation_interval = "30 min"
[initial]
file = "wrfinput_d01"
[output.history]
interval = "30 min"
fields = ["default", "ALBOLD", "EAH"]
[output.restart]
interval = "30 min"
"""
CARRIED = ("TV", "TG", "TSNO", "SNICE", "SNLIQ", "DZSNO", "TSLB", "SMOIS", "TSK", "HFX", "CANICE", "EAH", "T")


@pytest.fixture(scope="module")
def plains():
    try:
        return folder("physics2/plains")
    except Skipped as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def forecast(plains, tmp_path_factory):
    """An hour of it."""
    return run(plains, tmp_path_factory.mktemp("whole"), 60)


def run(plains, directory, minutes, restart="", threads=1):
    for name in ("wrfinput_d01", "wrfbdy_d01"):
        if not (directory / name).exists():
            shutil.copyfile(plains / name, directory / name)
    file = directory / "run.toml"
    file.write_text(RUN_FILE.format(minutes=minutes, restart=restart))
    said = subprocess.run(
        [MODEL, file, "--threads", str(threads), "--overwrite"],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    return directory


def last_frame(directory):
    return xr.open_dataset(sorted(directory.rglob("*history*.nc"))[-1]).isel(Time=-1).load()


def test_snow_lies_in_layers_that_add_up_to_it(forecast):
    frame = last_frame(forecast)
    assert frame.ISNOW.min() == -3
    layered = frame.ISNOW < 0
    depth = frame.DZSNO.sum("snow_layers_stag")
    np.testing.assert_allclose(depth.where(layered, 0), frame.SNOWH.where(layered, 0), atol=1e-5)
    mass = (frame.SNICE + frame.SNLIQ).sum("snow_layers_stag")
    np.testing.assert_allclose(mass.where(layered, 0), frame.SNOW.where(layered, 0), rtol=1e-5)
    inside = frame.SNICE > 0
    assert frame.TSNO.where(inside).max() < 273.161
    assert frame.TSNO.where(inside).min() > 230


def test_a_restart_goes_on_with_the_same_bits(plains, forecast, tmp_path):
    run(plains, tmp_path, 30)
    restart = next(tmp_path.rglob("*restart*.nc"))
    shutil.move(restart, tmp_path / "begin.nc")
    run(plains, tmp_path, 60, 'restart_from = "begin.nc"')
    one, two = last_frame(forecast), last_frame(tmp_path)
    for name in CARRIED:
        np.testing.assert_array_equal(one[name], two[name], err_msg=name)


def test_threads_do_not_change_the_bits(plains, forecast, tmp_path):
    one, two = last_frame(forecast), last_frame(run(plains, tmp_path, 60, threads=3))
    for name in CARRIED:
        np.testing.assert_array_equal(one[name], two[name], err_msg=name)
