"""The same run on any ranks, threads and tiles, or cut in two by a restart, gives the same bits."""

import shutil

import netCDF4
import pytest

from squall.lab.verify import bit_for_bit
from squall.lab.verify.check import Skipped
from squall.lab.workspace import Layout

LAYOUTS = bit_for_bit.LAYOUTS
#: One varies threads and tiles, the other ranks, along both axes. The run that goes on from a restart has
#: other ranks and tiles than either.
APART = (Layout(ranks=1, threads=3, tile_x=16, tile_y=1), Layout(ranks=4, threads=1))
#: Several ranks of several threads keep each other off the cores that they share, and cost as much as all
#: others. So every change is tested by them where there are few steps, and with a nest and all physics.
TOGETHER = Layout(ranks=3, threads=2, tile_x=5, tile_y=2)
TOGETHER_OF = ("channel", "bubble", "mountain", "current", "everything")


def chosen(setup):
    """The layouts that every change is tested by."""
    return (*APART, TOGETHER) if setup in TOGETHER_OF else APART


@pytest.mark.regression
@pytest.mark.spread
@pytest.mark.seconds(10)
@pytest.mark.parametrize("setup", bit_for_bit.ALL)
def test_layout_and_restart_leave_no_trace(setup, workspace, monkeypatch):
    monkeypatch.setattr(bit_for_bit, "LAYOUTS", chosen(setup))
    assert_no_trace(setup, workspace)


@pytest.mark.long
@pytest.mark.spread
@pytest.mark.seconds(20)
@pytest.mark.parametrize("setup", bit_for_bit.ALL)
def test_no_other_layout_leaves_a_trace(setup, workspace, monkeypatch):
    assert set(chosen(setup)) < set(LAYOUTS)
    monkeypatch.setattr(bit_for_bit, "LAYOUTS", [one for one in LAYOUTS if one not in chosen(setup)])
    assert_no_trace(setup, workspace)


def assert_no_trace(setup, workspace):
    try:
        checks = bit_for_bit.verify_setup(workspace, setup)
    except Skipped as reason:
        pytest.skip(str(reason))
    assert not [check.quantity for check in checks if not check.passed]


def write(path, values):
    path.parent.mkdir(exist_ok=True)
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("Time", None)
        file.createDimension("x", len(values))
        file.createVariable("T", "f4", ("Time", "x"))[0] = values


@pytest.fixture
def runs(tmp_path):
    for name in ("a", "b"):
        for hour in ("00", "01"):
            write(tmp_path / name / f"history_d01_2000-01-01_{hour}:00:00.nc", [1.0, -0.0, float("nan")])
    return tmp_path / "a", tmp_path / "b"


def test_equal_histories_do_not_differ(runs):
    assert bit_for_bit.differences(*runs, whole=True) == []


def test_one_changed_bit_is_found(runs):
    with netCDF4.Dataset(sorted(runs[1].iterdir())[1], "a") as file:
        file["T"][0, 1] = 0.0
    (found,) = bit_for_bit.differences(*runs, whole=True)
    assert "01:00:00.nc: T, 1 of 3 points" in found


def test_a_missing_frame_is_found_unless_a_part_is_compared(runs):
    sorted(runs[1].iterdir())[0].unlink()
    assert bit_for_bit.differences(*runs, whole=False) == []
    assert len(bit_for_bit.differences(*runs, whole=True)) == 1


def test_a_strange_frame_is_found(runs):
    first = sorted(runs[1].iterdir())[0]
    shutil.copy(first, first.with_name("history_d01_2000-01-01_02:00:00.nc"))
    assert len(bit_for_bit.differences(*runs, whole=False)) == 1
