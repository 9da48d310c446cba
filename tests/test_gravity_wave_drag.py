"""Drag by mountains within cells in whole runs: where it is, in nests that move, and its bits."""

import numpy as np
import pytest
from netCDF4 import Dataset

from analysed_runs import LAND, run, write_inputs
from squall.lab.verify import storm_with_nests
from squall.prepare.columns import OROGRAPHY
from squall.reader.dataset import open_run

MOUNTAINS = (LAND > 0.5) & (np.random.default_rng(2).random(LAND.shape) > 0.5)
DRAG = ("DUSFCG", "DVSFCG", "DTAUX3D", "DTAUY3D")
PHYSICS = 'gravity_wave_drag = "kim-arakawa"\n'
NEST = storm_with_nests.nest(8, 7, 24, 21)
FIELDS = f"fields = {['default', *DRAG]}\n".replace("'", '"')
MOVES = 'moves = ["3 min, 1, 0", "6 min, -1, 1"]\n'
SHORT = ("run.duration=10 min", 'output.history.interval="1 min"', f"output.history.{FIELDS.strip()}")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Mountains of another kind in each second cell or so of the land."""
    folder = write_inputs(tmp_path_factory.mktemp("mountains"))
    kinds = np.random.default_rng(3).random((len(OROGRAPHY), *LAND.shape))
    largest = {"VAR": 400, "CON": 4}
    with Dataset(folder / "wrfinput_d01", "a") as file:
        for name, kind in zip(OROGRAPHY, kinds, strict=True):
            plane = file.createVariable(name, "f4", file["HGT"].dimensions)
            plane[0] = np.where(MOUNTAINS, kind * largest.get(name, 1), 0)
    return folder


@pytest.fixture(scope="module")
def moved(files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("moved") / "run"
    return run(files, folder, *SHORT, physics=PHYSICS, more=NEST + MOVES), inner(folder)


def inner(folder):
    return open_run(folder / "runs/run", domain=2)


def stress(frame):
    return np.hypot(frame["DUSFCG"].values, frame["DVSFCG"].values)


def test_mountains_slow_the_wind_down_where_they_are_and_nowhere_else(moved):
    last = moved[0].isel(Time=-1)
    rates = np.abs(last["DTAUX3D"].values) + np.abs(last["DTAUY3D"].values)
    assert np.all(stress(last)[~MOUNTAINS] == 0)
    assert np.all(rates[:, ~MOUNTAINS] == 0)
    assert np.mean(stress(last)[MOUNTAINS] > 0.001) > 0.5


def test_a_nest_that_has_moved_has_the_mountains_of_where_it_is(moved):
    """Each cell those of its parent's."""
    starts = []
    for frame in (2, 5, 9):
        nest = moved[1].isel(Time=frame)
        x, y = (int(nest[f"{axis}_PARENT_START"]) - 1 for axis in "IJ")
        mountains = np.kron(MOUNTAINS[y : y + 7, x : x + 8], np.ones((3, 3), bool))
        assert np.all(stress(nest)[~mountains] == 0), frame
        assert np.mean(stress(nest)[mountains] > 0.001) > 0.5, frame
        starts.append((x + 1, y + 1))
    assert starts == [(8, 7), (9, 7), (8, 8)]


@pytest.mark.parametrize("how", ["ranks", "tiles", "cut"])
def test_the_bits_of_the_drag_stay_in_a_nest_that_moves(files, moved, tmp_path, how):
    one = "frames_per_file = 1"
    more = NEST + MOVES
    settings, ranks = SHORT, 1
    if how == "ranks":
        ranks = 3
    elif how == "tiles":
        settings = (*SHORT, "parallel.tile_x=5", "parallel.tile_y=3")
    else:
        at_four = ("run.duration=4 min", 'output.restart.interval="4 min"')
        run(files, tmp_path / "run", *SHORT, *at_four, f"output.history.{one}", physics=PHYSICS, more=more)
        (last,) = (tmp_path / "run/runs/run").glob("restart_*")
        settings = (*SHORT, f"output.history.{one}", f"run.restart_from={last}")
    other = run(files, tmp_path / "run", *settings, ranks=ranks, physics=PHYSICS, more=more)
    for whole, part in zip(moved, (other, inner(tmp_path / "run")), strict=True):
        for name in ("U", "V", "T", *DRAG):
            a, b = (of[name].isel(Time=-1).values for of in (whole, part))
            assert a.tobytes() == b.tobytes(), name
