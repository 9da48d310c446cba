"""The measures that verification judges by, on fields whose measure is known."""

import json

import numpy as np
import pytest

from squall.errors import UserError
from squall.lab import verify
from squall.lab.verify import baroclinic_wave
from squall.lab.verify.check import Check, Skipped
from squall.lab.verify.gabls1 import CORIOLIS, GEOSTROPHIC, depth_by_stress
from squall.lab.verify.history import at_heights, normalised_rms
from squall.lab.verify.moist_bubble import equivalent_potential_temperature
from squall.lab.verify.mountain_schaer import short_wave_share
from squall.lab.verify.squall_line import cold_pool
from squall.lab.verify.water import change_of_water
from squall.lab.verify.wrf_reference import Limit, compare, compare_total
from squall.lab.workspace import Workspace
from squall.plot.pictures import front_position


class MadeUp:
    """A history of arrays, each of them the same in all frames unless it is a list of one per frame."""

    dx = 500.0

    def __init__(self, elapsed=(0.0,), **fields):
        self.elapsed = np.array(elapsed)
        self.fields = fields

    def has(self, name):
        return name in self.fields

    def field(self, name, frame=-1):
        value = self.fields[name]
        return value[frame] if isinstance(value, list) else value

    def frame_at(self, seconds):
        return self.elapsed.tolist().index(seconds)

    def column_mass(self, frame=-1):
        return self.field("mass", frame)

    def theta(self, frame=-1):
        return self.field("theta", frame)

    def height(self, frame=-1):
        return self.field("height", frame)


class MadeUpReference(MadeUp):
    def frames(self):
        return [(n, f"stamp {n}", seconds) for n, seconds in enumerate(self.elapsed)]

    def spread(self):
        return {f"stamp {n}": {"U": 0.1} for n in range(len(self.elapsed))}


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
    assert front_position(x, np.zeros(4)) is None


def test_short_waves_are_told_from_long_ones():
    x = np.arange(80) * 500.0
    long, short = np.sin(2 * np.pi * x / 20e3), np.sin(2 * np.pi * x / 2e3)
    assert short_wave_share(long[None], 500.0) < 1e-4
    assert short_wave_share((long + short)[None], 500.0) == pytest.approx(0.5, abs=0.01)


def test_heights_are_found_column_by_column():
    height = np.array([[0.0, 100.0], [100.0, 300.0]])
    field = np.array([[0.0, 0.0], [1.0, 2.0]])
    assert at_heights(field, height, np.array([50.0, 100.0])).tolist() == [[0.5, 0.0], [1.0, 0.0]]


def test_a_boundary_layer_is_as_deep_as_its_stress_reaches():
    """A stress of 0.09 (1 - z / 180 m)^1.5 at 30 degrees, which the wind is in balance with, and turns."""
    edges = np.linspace(0, 400, 129)
    stress = 0.09 * np.maximum(1 - edges / 180, 0) ** 1.5
    angle = np.radians(30)
    along, across = (np.diff(stress * part) / np.diff(edges) for part in (np.cos(angle), np.sin(angle)))
    turning = np.full(128, 1e-5)
    # CORIOLIS v - du/dt is minus what the stress on the air, against x, leaves; so is it of y.
    v, u = (-along + turning) / CORIOLIS, GEOSTROPHIC + (across - turning) / CORIOLIS
    expected = 180 * (1 - 0.05 ** (2 / 3)) / 0.95
    assert depth_by_stress(edges, u, v, turning, turning) == pytest.approx(expected, rel=2e-3)


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


def test_water_that_fell_is_not_lost_and_water_that_vanished_is():
    air = {"ZNW": np.array([1.0, 0.5, 0.0]), "mass": np.full((1, 2), 9.81e4)}  # 1e4 kg/m2
    vapour = np.full((2, 1, 2), 0.01)  # 100 kg/m2
    history = MadeUp(
        (0.0, 1.0, 2.0),
        QVAPOR=[vapour, 0.9 * vapour, 0.9 * vapour],
        RAINNC=[np.zeros((1, 2)), np.full((1, 2), 10.0), np.full((1, 2), 9.0)],
        **air,
    )
    assert change_of_water(history) == pytest.approx([0, 0, -0.01])


def test_equivalent_potential_temperature_of_dry_air_is_its_potential_temperature():
    none, pressure = np.zeros((1, 1, 1)), np.full((1, 1, 1), 7e4)
    history = MadeUp(QVAPOR=none, QCLOUD=none, P=none, PB=pressure, theta=none + 310)
    assert equivalent_potential_temperature(history) == pytest.approx(310, abs=0.01)


def test_equivalent_potential_temperature_counts_what_condensation_would_give():
    none, pressure = np.zeros((1, 1, 1)), np.full((1, 1, 1), 1e5)
    history = MadeUp(QVAPOR=none + 0.01, QCLOUD=none, P=none, PB=pressure, theta=none + 300)
    # exp(2.5e6 * 0.01 / (1046.4 * 300)) and the pressure of the dry air
    assert equivalent_potential_temperature(history) == pytest.approx(326.3, abs=0.5)


def test_the_cold_pool_of_a_made_up_current_has_its_speed():
    """1 km deep and 3 K below 300 K: c = sqrt(2 g h / 100) = 14 m/s."""
    calm = np.full((4, 1, 100), 300.0)
    cold = calm.copy()
    cold[:2, :, :60] -= 3
    dry = np.zeros_like(calm)
    height = np.broadcast_to(np.arange(5)[:, None, None] * 500.0, (5, 1, 100))
    history = MadeUp((0.0, 1.0), theta=[calm, cold], QVAPOR=dry, QCLOUD=dry, QRAIN=dry, height=height)
    pool = cold_pool(history, 1)
    assert pool.edge == 60 * 500.0
    assert pool.speed == pytest.approx(np.sqrt(2 * 9.81 * 1000 * 0.01))


def test_a_field_that_does_not_vary_in_wrf_is_not_compared():
    theirs = MadeUpReference((0.0,), U=np.arange(4.0).reshape(2, 2), RAINNC=np.zeros((2, 2)))
    ours = MadeUp((0.0,), U=theirs.field("U") + 0.05, RAINNC=np.zeros((2, 2)))
    (of_u,) = compare("case", theirs, ours, ("U", "RAINNC"), (0.0,), Limit(0.02))
    assert of_u.passed
    assert compare_total("case", theirs, ours, "RAINNC", 0.0, Limit(0.02)) == []
    (total,) = compare_total("case", theirs, ours, "U", 0.0, Limit(0.02))
    assert total.ours == pytest.approx(6.2 / 6)
    assert total.tolerance == 0.1
