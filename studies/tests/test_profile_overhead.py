"""`squall lab profile-overhead`: pairs of runs, turn by turn."""

import json
from dataclasses import replace

import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.workspace import Layout, Workspace
from squall_studies import profile_overhead
from squall_studies.profile_overhead import Overhead, Setup

try:
    locate.messages_library()
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)


@pytest.fixture
def runs(monkeypatch):
    """Of three steps, with the profile 1 % longer, of the processor 0.1 %: whether each was profiled."""
    profiled = []

    def run(workspace, name, run_file, settings, layout, timing, watch):
        profiled.append(bool(watch.words))
        seconds = 1.01 if watch.words else 1.0
        seconds += 2.0 * (watch.words != () and len(profiled) == 2)  # something else had the machine
        processor = 0.5005 if watch.words else 0.5
        timing.write_text(
            json.dumps({"each_step": [9.0, seconds, seconds], "each_step_processor": [9.0, processor, 3.0]})
        )
        if watch.words:
            folder = workspace.directory / "profile"
            folder.mkdir(exist_ok=True)
            kept = {"steps": 3, "events": [[]] * 200, "events_lost": 100}
            (folder / "rank-0.json").write_text(json.dumps(kept))

    monkeypatch.setattr(Workspace, "run", run)
    monkeypatch.setattr(profile_overhead, "_counts", lambda: False)
    return profiled


def test_pairs_take_turns_and_their_median_counts_without_the_first_step(runs, tmp_path):
    found = profile_overhead.measure(Setup(pairs=3), Workspace(tmp_path), Layout(1, 1))
    assert runs == [False, True, True, False, False, True]
    assert found.more == pytest.approx(0.01)
    assert (found.events, found.step) == (100, 0.5)
    assert profile_overhead.row(found, 5e-6) == [
        *("1 x 1", "1.00", "1.00", "201.00", "0.10", "0.10", "0.10", "not counted here", "100", "0.100"),
    ]
    assert profile_overhead.row(replace(found, instructions=1.005), 0)[7] == "0.50"


def test_an_event_costs_what_steps_of_hardly_any_cells_take_more_of_the_processor(runs, tmp_path):
    found = profile_overhead.seconds_of_event(Setup((12, 12, 10), 3, 3), Workspace(tmp_path))
    assert found == pytest.approx(0.0005 / 100)


def test_a_goal_is_missed_where_three_quarters_of_the_pairs_say_so_by_both_times():
    slow, noisy = [1.01, 1.03, 1.04, 1.05], [0.9, 1.01, 1.04, 1.05]  # a median of 2.5 % may be noise

    def beyond(ratios, processor):
        return Overhead(1, 1, ratios, processor, None, 100, 1.0).beyond

    assert beyond(slow, slow)
    assert not beyond(noisy, slow)
    assert not beyond(slow, noisy)


def test_instructions_are_read_from_what_perf_writes():
    lines = ["# started on", "", "123456,,instructions:u,1000,100.00,,"]
    assert profile_overhead.counted(lines) == 123456


def test_a_pair_of_runs_is_measured_here(tmp_path):
    found = profile_overhead.measure(Setup((16, 16, 10), 3, 1), Workspace(tmp_path), Layout(1, 1))
    assert len(found.ratios) == 1
    assert found.ratios[0] > 0
    assert found.processor[0] > 0
    assert found.events > 10
    assert found.instructions is None or found.instructions > 1
