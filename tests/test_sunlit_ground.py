"""Sunlight on a hill: as it is inclined, in its shadow, and dimmed by aerosol."""

import os
from pathlib import Path

import numpy as np
import pytest
from netCDF4 import Dataset

import made_up_columns as made_up
from analysed_runs import GRID, ROWS, SETTINGS, assert_same_bits, run, sea_at, write_inputs
from squall.prepare.make_state import build_state
from squall.prepare.wrfinput import write_wrfinput
from squall.prepare.wrflowinp import write_wrflowinp
from squall.reader.dataset import open_run

pytestmark = pytest.mark.regression

RELIEF = "slope_radiation = true\ntopographic_shading = true\n"
INSIDE = np.s_[ROWS:-ROWS, ROWS:-ROWS]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """With the sun of Greenwich, where it is noon."""
    folder = write_inputs(tmp_path_factory.mktemp("relief"))
    with Dataset(folder / "wrfinput_d01", "a") as file:
        file["XLONG"][:] += 95
    return folder


def test_slopes_that_face_the_sun_take_more_and_others_less(files, tmp_path):
    beam = '[output.beam]\ninterval = "20 min"\nframes_per_file = 100\nfields = ["SWDDIR"]\n'
    whole = assert_same_bits(files, tmp_path, physics=RELIEF, more=beam)
    flat = run(files, tmp_path / "flat")
    first = 1  # frame of those after the first call
    down, on_relief = (whole[name].values[first].astype(float) for name in ("SWDOWN", "SWNORM"))
    direct = open_run(tmp_path / "whole/runs/run", stream="beam")["SWDDIR"].values[first].astype(float)
    assert direct.min() > 50  # by day
    np.testing.assert_allclose(
        whole["GSW"].values[first], (1 - whole["ALBEDO"].values[first]) * on_relief, rtol=2e-3
    )
    # The sun is as high as before, of other weather only a little.
    np.testing.assert_allclose(whole["COSZEN"].values[first], flat["COSZEN"].values[first])
    assert np.abs(down - flat["SWDOWN"].values[first])[INSIDE].mean() < 2
    share = (on_relief - (down - direct)) / direct
    # At noon in the north: what rises northward faces the sun.
    height = np.asarray(whole["HGT"].values, float).reshape(-1, *share.shape)[0]
    north = np.gradient(height, axis=0) / 10e3
    steep = np.abs(north[INSIDE]) > 0.004
    assert np.sign(share[INSIDE][steep] - 1).tolist() == np.sign(north[INSIDE][steep]).tolist()
    assert share.mean() == pytest.approx(1, abs=1e-3)  # terrain as a whole takes what the sun sends


@pytest.fixture
def aerosol(files):
    """Of a depth of 0.8 in the east, none in the west."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    if not (cache / "squall" / "radiation").is_dir():
        pytest.skip("needs the tables of the radiation: squall fetch radiation")
    write_wrflowinp(files / "AOD_d01", GRID, SETTINGS, [sea_at(0), sea_at(6)])
    with Dataset(files / "AOD_d01", "a") as file:
        depth = file.createVariable("AOD5502D", "f4", ("Time", "south_north", "west_east"))
        depth[:] = 0
        depth[:, :, GRID.nx // 2 :] = 0.8
    return files


SPECTRAL = (
    "physics.radiation=rrtmgp",
    "run.duration=20 min",
    'output.history.fields=["SWDDIR", "SWDOWN", "T"]',
)


def test_aerosol_of_a_file_dims_each_cell_by_its_own(aerosol, tmp_path):
    def frame(name, *settings, ranks=1):
        return run(aerosol, tmp_path / name, *SPECTRAL, *settings, ranks=ranks)

    clear = frame("clear")["SWDDIR"].values[-1]
    hazy = frame("hazy", "physics.aerosol_file=AOD_d01")
    share = (hazy["SWDDIR"].values[-1] / clear)[INSIDE]
    west = slice(0, share.shape[1] // 2 - 2)
    assert share[:, west] == pytest.approx(1, abs=0.02)
    assert 0.1 < share[:, -3:].mean() < 0.55
    again = frame("ranks", "physics.aerosol_file=AOD_d01", ranks=3)
    for field in ("SWDDIR", "SWDOWN", "T"):
        assert hazy[field].values.tobytes() == again[field].values.tobytes()


def write_nest_input(path, i_start, j_start, nx, ny):
    """Over level land."""
    grid = GRID.child(3, i_start - 1, j_start - 1, nx, ny)
    height = np.zeros((ny, nx), np.float32)
    state = build_state(made_up.weather(grid, height, 0), grid, height, height + 1, SETTINGS)
    write_wrfinput(path, state, grid)
    with Dataset(path, "a") as file:
        file["XLONG"][:] += 95


@pytest.mark.parametrize("own", ["", 'initial_file = "wrfinput_d02"\n'], ids=["parents", "own-file"])
def test_aerosol_of_a_file_is_over_nests_too_wherever_they_go(aerosol, tmp_path, own):
    """Across the line between haze and none, which a nest sees move as it moves."""
    middle = GRID.nx // 2
    nest = f"[nest.inner]\ni_parent_start = {middle - 3}\nj_parent_start = 7\nnx = 24\nny = 21\n{own}"
    if own:
        write_nest_input(aerosol / "wrfinput_d02", middle - 3, 7, 24, 21)
    else:
        nest += 'moves = ["10 min, 1, 0"]\n'

    def share(name, *settings):
        run(aerosol, tmp_path / name, *SPECTRAL, 'output.history.interval="5 min"', *settings, more=nest)
        return open_run(tmp_path / f"{name}/runs/run", domain=2)["SWDDIR"].values[-1]

    clear, hazy = share("clear"), share("hazy", "physics.aerosol_file=AOD_d01")
    hidden = (hazy / clear).mean(axis=0) < 0.7
    line = 3 * (4 if own else 3)
    assert not hidden[: line - 1].any()
    assert hidden[line + 1 :].all()


@pytest.mark.long
def test_a_nest_may_have_aerosol_of_its_own(aerosol, tmp_path):
    """Of a depth of 0.8 in its north, under a parent without any; on any ranks, and where it stays."""
    nx, ny, middle = 24, 21, GRID.nx // 2
    grid = GRID.child(3, middle - 4, 6, nx, ny)
    nothing = np.zeros((ny, nx), np.float32)
    write_wrflowinp(aerosol / "AOD_d02", grid, SETTINGS, [(made_up.START, nothing, nothing)])
    with Dataset(aerosol / "AOD_d02", "a") as file:
        depth = file.createVariable("AOD5502D", "f4", ("Time", "south_north", "west_east"))
        depth[:] = 0
        depth[:, ny // 2 :] = 0.8
    nest = f"[nest.inner]\ni_parent_start = {middle - 3}\nj_parent_start = 7\nnx = {nx}\nny = {ny}\n"
    own = nest + 'aerosol_file = "AOD_d02"\n'

    def beam(name, table, *settings, ranks=1):
        run(aerosol, tmp_path / name, *SPECTRAL, *settings, ranks=ranks, more=table)
        return [
            open_run(tmp_path / f"{name}/runs/run", domain=number)["SWDDIR"].values[-1] for number in (1, 2)
        ]

    clear, hazy, again = beam("clear", nest), beam("hazy", own), beam("ranks", own, ranks=3)
    share = (hazy[1] / clear[1])[:, 3:-3].mean(axis=1)
    assert share[: ny // 2 - 1] == pytest.approx(1, abs=0.03)
    assert share[ny // 2 + 1 :].max() < 0.7
    assert hazy[0] == pytest.approx(clear[0], rel=0.05)
    assert hazy[1].tobytes() == again[1].tobytes()

    def refused(name, table, *settings):
        return run(aerosol, tmp_path / name, *settings, more=table, fails=True)

    assert "nest.inner.aerosol_file has no effect without" in refused("broadband", own)
    moving = own + 'moves = ["10 min, 1, 0"]\n'
    assert "the file is for one place, but the nest moves" in refused("moving", moving, *SPECTRAL)
