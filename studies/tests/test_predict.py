"""`squall lab predict` holds what `squall plan` says to this machine."""

import math

import pytest

from made_machines import frame, node, written
from squall.errors import UserError
from squall.lab.io import bench
from squall.lab.prediction import steps
from squall.lab.workspace import Workspace
from squall_studies.prediction import check
from squall_studies.prediction.check import Comparison, Round


def test_frames_of_an_engine_that_was_not_calibrated_are_refused_before_anything_runs(tmp_path):
    written(tmp_path, node([frame(0.3)]))
    setup = check.Setup((20, 20, 10), (1,), ("netcdf", "zarr"), 1, None)
    with pytest.raises(UserError, match=r"without frames of netcdf; choose other engines \(--engines zarr\)"):
        check.run(tmp_path / "node.toml", setup, tmp_path, None)


def compared(predicted, *rounds):
    return Comparison(1, "step", predicted, tuple(Round(*each) for each in rounds))


def test_a_prediction_is_kept_within_15_percent():
    assert compared(1.14, (1.0,)).within
    assert not compared(1.16, (1.0,)).within
    assert not compared(0.84, (1.0,)).within


def test_how_much_slower_the_machine_is_in_a_round_is_taken_off_what_is_measured():
    busy = compared(1.0, (1.0, 1.0), (2.1, 2.0), (9.0, 1.0))  # the last was disturbed by itself
    assert busy.measured == 1.05
    assert busy.slower == 1.0
    assert busy.within


def test_a_prediction_off_a_median_of_rounds_that_lie_far_apart_is_neither_right_nor_wrong():
    unsteady = [(1.0,), (1.4,), (2.0,), (2.2,)]  # the middle two: 1.4 to 2.0
    right, untold, beyond, below = (compared(t, *unsteady) for t in (1.7, 2.25, 2.35, 1.15))
    assert (right.middle, right.within, right.untold) == ((1.4, 2.0), True, False)
    assert (untold.within, untold.untold) == (False, True)
    assert "undecided" in untold.verdict
    assert (beyond.verdict, below.verdict) == ("outside the goal", "outside the goal")
    assert compared(1.2, (1.0,), (1.01,), (0.99,)).verdict == "outside the goal"


def test_rounds_go_on_while_they_lie_far_apart_three_times_as_many_at_most(tmp_path, monkeypatch):
    monkeypatch.setattr(check.Machine, "predicted", lambda *_: {"step": {"seconds": 1.0}})
    monkeypatch.setattr(check.Machine, "load_of_steps", lambda *_: steps.Load)
    here = check.Machine(
        tmp_path / "node.toml", check.Setup((9, 9, 9), (1,), (), 2, None), Workspace(tmp_path)
    )

    def rounds(*seconds):
        left = iter(seconds)
        monkeypatch.setattr(check.steps, "timed", lambda *_: next(left))
        [found] = check._compare(here, 1, lambda _: None)
        return [r.measured for r in found.rounds]

    assert rounds(1.0, 1.1, 9.0) == [1.0, 1.1]
    assert rounds(1.0, 1.5, 1.1, 1.1) == [1.0, 1.5, 1.1, 1.1]  # of which the middle half is alike
    assert len(rounds(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)) == 6


def test_steps_are_told_apart_from_messages_where_a_machine_file_tells_nothing_of_them(tmp_path, monkeypatch):
    """By what they should take: the file predicts 0.4 us a cell on one core."""
    machine_file = tmp_path / "node.toml"
    machine_file.write_text("")
    here = check.Machine(machine_file, check.Setup((20, 20, 10), (4,), (), 1, None), Workspace(tmp_path))
    asked = []

    def predicted(self, run_file, settings, ranks):
        cells = math.prod(int(settings[f"domain.n{axis}"]) for axis in "xyz")
        return {"step": {"seconds": 4e-7 * cells / ranks}}

    def pair(workspace, ranks):
        asked.append(ranks)
        return steps.Pair(1.2 + 0.1, 0.040344 + 0.1)

    monkeypatch.setattr(check.Machine, "predicted", predicted)
    monkeypatch.setattr(check.steps, "pair", pair)
    monkeypatch.setattr(check.machine, "cores", lambda: 2)
    load = here.load_of_steps(4)()
    assert asked == [2]  # no more ranks than cores
    assert (load.slower, load.delay) == pytest.approx((3.0, 0.1))


def test_frames_of_both_kinds_are_measured_for_the_load_of_a_frame(tmp_path, monkeypatch):
    """Of zarr on two ranks, calibrated with 20 ms in a large frame that are not for its bytes."""
    file = tmp_path / "node.toml"
    file.write_text(
        "[calibration.frames]\nzarr = { frame = 0.005, part = 1.0, together = 0.0005 }\n"
        "[calibration.seen]\n"
        "zarr = { one = { large = 9.0, small = 9.0 }, several = { large = 0.100, small = 0.065 } }\n"
    )
    here = check.Machine(file, check.Setup((20, 20, 10), (4,), (), 1, None), Workspace(tmp_path))
    asked = []

    def measure(setup, cell, interval, plain, growing):
        asked.append((setup.ranks, setup.fields, setup.size))
        return frame(0.08 * 2 + 0.02 * 3 if setup.fields == 15 else 0.065 * 3)

    monkeypatch.setattr(bench, "measure", measure)
    monkeypatch.setattr(check.machine, "cores", lambda: 2)
    busy = here.load_of_frames("zarr", 4, fixed=0.06)()
    assert asked == [(2, 15, (200, 200, 50)), (2, 60, (60, 60, 10))]
    assert busy.off(2 * 0.03 + 3 * 0.06) == pytest.approx(0.09)
    assert here.load_of_frames("netcdf", 4, fixed=0.06)() == steps.Load()  # the file tells nothing of it


def test_each_round_measures_what_calibrated_before_and_after(tmp_path, monkeypatch):
    asked, large = [], iter([20.5, 40.5, 30.5, 30.5])  # of which half a second is waited
    machine_file = tmp_path / "node.toml"
    machine_file.write_text('[calibration.steps]\n"1" = { large = 10.0, small = 1.0 }\n')
    setup = check.Setup((20, 20, 10), (1,), (), 2, None)
    here = check.Machine(machine_file, setup, Workspace(tmp_path))
    monkeypatch.setattr(check.Machine, "predicted", lambda *_: {"step": {"seconds": 2.0}})
    pairs: list[steps.Pair] = []

    def timed(workspace, run_file, settings, ranks):
        asked.append(run_file.stem)
        if run_file.stem == "large-supercell":
            pairs.append(steps.Pair(whole := next(large), (whole - 0.5) / 10 + 0.5))
            return whole
        return pairs[-1].small if run_file.stem == "supercell" else 6.5

    monkeypatch.setattr(steps, "timed", timed)
    [found] = check._compare(here, 1, lambda _: None)
    assert asked == ["large-supercell", "supercell", "storm", "large-supercell", "supercell"] * 2
    for seen in found.rounds:
        assert (seen.measured, seen.slower, seen.delay) == pytest.approx((6.5, 3.0, 0.5))
    assert found.measured == pytest.approx(2.0)
    assert found.within
