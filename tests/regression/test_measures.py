"""The measures that verification judges by, on fields whose measure is known."""

import json

import numpy as np
import pytest

from squall.errors import UserError
from squall.lab import verify
from squall.lab.verify import baroclinic_wave
from squall.lab.verify.check import Check, Skipped
from squall.lab.verify.density_current import front_position
from squall.lab.verify.history import at_heights, normalised_rms
from squall.lab.verify.mountain_schaer import short_wave_share
from squall.lab.workspace import Workspace


def check(ours, **kwargs):
    defaults = {"reference": 10.0, "tolerance": 0.5}
    return Check("case", "quantity", ours=ours, source="", **(defaults | kwargs))


def test_normalised_rms_removes_the_mean_of_each_level_from_the_spread():
    rng = np.random.default_rng(1)
    theirs = rng.normal(size=(4, 30, 40)) + np.arange(4)[:, None, None] * 100
    distance = normalised_rms(theirs, theirs + 0.1)
    assert distance == pytest.approx(0.1, rel=0.05)


def test_normalised_rms_of_a_plane_removes_its_mean():
    theirs = np.array([[99.0, 101.0], [101.0, 99.0]])
    assert normalised_rms(theirs, theirs + 0.5) == pytest.approx(0.5)


def test_front_lies_between_the_points_that_enclose_it():
    x = np.array([1.0, 2.0, 3.0, 4.0])
    assert front_position(x, np.array([0.0, -5.0, -2.0, 0.0])) == pytest.approx(3.5)
    assert np.isnan(front_position(x, np.zeros(4)))


def test_short_waves_are_told_from_long_ones():
    x = np.arange(80) * 500.0
    long, short = np.sin(2 * np.pi * x / 20e3), np.sin(2 * np.pi * x / 2e3)
    assert short_wave_share(long[None], 500.0) < 1e-4
    assert short_wave_share((long + short)[None], 500.0) == pytest.approx(0.5, abs=0.01)


def test_heights_are_found_column_by_column():
    height = np.array([[0.0, 100.0], [100.0, 300.0]])
    field = np.array([[0.0, 0.0], [1.0, 2.0]])
    assert at_heights(field, height, np.array([50.0, 100.0])).tolist() == [[0.5, 0.0], [1.0, 0.0]]


def test_a_check_passes_within_its_tolerance():
    assert check(10.4).passed
    assert not check(10.6).passed
    assert check(0.4, rule="at most").passed
    assert not check(0.6, rule="at most").passed
    assert check(0.6, rule="at least").passed
    assert not check(0.4, rule="at least").passed


@pytest.mark.parametrize("rule", ["within", "at most", "at least"])
def test_a_check_of_nothing_fails(rule):
    assert not check(float("nan"), rule=rule).passed


def test_missing_reference_data_skip_the_case_and_say_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("SQUALL_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(Skipped, match="SQUALL_DATA"):
        baroclinic_wave.verify(Workspace(tmp_path))


def test_the_table_of_a_failing_case_is_written_and_counts_as_failure(tmp_path, monkeypatch):
    monkeypatch.setitem(verify.CASES, "made-up", lambda _: [check(10.0), check(11.0)])
    table = tmp_path / "table.json"
    assert not verify.run(["made-up"], Workspace(tmp_path), 1, table)
    assert [row["passed"] for row in json.loads(table.read_text())["checks"]] == [True, False]


def test_a_case_that_fails_to_run_fails_and_the_others_go_on(tmp_path, monkeypatch):
    def broken(_):
        raise UserError("the model stopped")

    monkeypatch.setitem(verify.CASES, "broken", broken)
    monkeypatch.setitem(verify.CASES, "sound", lambda _: [check(10.0)])
    broken_one, sound_one = verify.verify_cases(["broken", "sound"], Workspace(tmp_path), 1)
    assert not broken_one.passed
    assert "the model stopped" in broken_one.error
    assert sound_one.passed
