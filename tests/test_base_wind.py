"""Coriolis on the wind less its base profile (WRF's pert_coriolis): a case's sounding stays what it was."""

import shutil

import netCDF4
import numpy as np
import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.verify.data import Skipped, folder

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

F, MINUTES = 1e-3, 1  # so strong that a minute shows it
RUN = """[run]
duration = "{minutes} min"
time_step = "6 s"

[initial]
file = "wrfinput_d01"

[domain]
boundary_west = "periodic"
boundary_east = "periodic"
boundary_south = "periodic"
boundary_north = "periodic"

[physics]
microphysics = "vapour"

[dynamics]
coriolis = "{coriolis}"

[output.history]
interval = "{minutes} min"
path = "history.nc"
frames_per_file = 10
"""


@pytest.fixture(scope="module")
def sheared(tmp_path_factory):
    """The supercell's initial file with rotation, and the wind at its beginning (level; u, v)."""
    try:
        source = folder("supercell") / "wrfinput_d01"
    except Skipped as reason:
        pytest.skip(str(reason))
    file = tmp_path_factory.mktemp("sheared") / "wrfinput_d01"
    shutil.copy(source, file)
    with netCDF4.Dataset(file, "a") as f:
        f["F"][:] = F
        profiles = np.array([f["U"][0].mean(axis=(1, 2)), f["V"][0].mean(axis=(1, 2))])
        assert np.abs(profiles - [f["U_BASE"][0], f["V_BASE"][0]]).max() < 1e-3
    return file, profiles


def mean_winds(squall, tmp_path, sheared, coriolis):
    """How much the mean wind of each level has changed (u, v; level) [m/s]."""
    file, before = sheared
    shutil.copy(file, tmp_path / "wrfinput_d01")
    (tmp_path / "case.toml").write_text(RUN.format(coriolis=coriolis, minutes=MINUTES))
    assert squall("run", "case.toml").returncode == 0
    with netCDF4.Dataset(tmp_path / "runs" / "case" / "history.nc") as f:
        return np.array([f["U"][-1].mean(axis=(1, 2)), f["V"][-1].mean(axis=(1, 2))]) - before


def test_a_sounding_that_nothing_balances_stays(squall, tmp_path, sheared):
    change = mean_winds(squall, tmp_path, sheared, "file-departure")
    assert np.abs(change).max() < 0.005


def test_the_whole_wind_turns_without_it(squall, tmp_path, sheared):
    change, (u, v) = mean_winds(squall, tmp_path, sheared, "file"), sheared[1]
    turned = F * 60 * MINUTES
    assert np.abs(change - [v * turned - u * turned**2 / 2, -u * turned - v * turned**2 / 2]).max() < 0.02
    assert np.abs(change).max() > 1


def test_it_needs_the_profiles_of_an_idealised_case(squall, tmp_path, sheared):
    shutil.copy(sheared[0], tmp_path / "wrfinput_d01")
    with netCDF4.Dataset(tmp_path / "wrfinput_d01", "a") as f:
        f["Z_BASE"][:] = 0
    (tmp_path / "case.toml").write_text(RUN.format(coriolis="file-departure", minutes=MINUTES))
    said = squall("run", "case.toml")
    assert said.returncode != 0
    assert 'holds no Z_BASE that grows from layer to layer; dynamics.coriolis = "file-departure"' in " ".join(
        (said.stdout + said.stderr).split()
    )
