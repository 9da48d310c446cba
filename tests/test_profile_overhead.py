"""`squall lab profile-overhead`: pairs of runs, turn by turn."""

import json

import pytest

from squall import locate
from squall.errors import UserError
from squall.lab import profile_overhead
from squall.lab.profile_overhead import Overhead, Setup
from squall.lab.workspace import Layout, Workspace

try:
    locate.messages_library()
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)


def test_pairs_take_turns_and_their_median_counts_without_the_first_step(monkeypatch, tmp_path):
    profiled = []

    def run(workspace, name, run_file, settings, layout, timing, watch):
        profiled.append(bool(watch.words))
        seconds = 1.01 if watch.words else 1.0
        seconds += 2.0 * (watch.words != () and len(profiled) == 2)  # something else had the machine
        timing.write_text(json.dumps({"each_step": [9.0, seconds, seconds]}))

    monkeypatch.setattr(Workspace, "run", run)
    monkeypatch.setattr(profile_overhead, "_counts", lambda: False)
    found = profile_overhead.measure(Setup(pairs=3), Workspace(tmp_path), Layout(1, 1))
    assert profiled == [False, True, True, False, False, True]
    assert found.more == pytest.approx(0.01)
    assert profile_overhead.row(found) == ["1 x 1", "1.00", "1.00", "201.00", "not counted here"]
    assert profile_overhead.row(Overhead(1, 2, [1.0], 1.005))[-1] == "0.50"


def test_a_goal_is_missed_where_three_quarters_of_the_pairs_say_so():
    assert Overhead(1, 1, [1.01, 1.03, 1.04, 1.05], None).beyond
    assert not Overhead(1, 1, [0.9, 1.01, 1.04, 1.05], None).beyond  # its median is 2.5 %, and may be noise


def test_instructions_are_read_from_what_perf_writes():
    lines = ["# started on", "", "123456,,instructions:u,1000,100.00,,"]
    assert profile_overhead.counted(lines) == 123456


def test_a_pair_of_runs_is_measured_here(tmp_path):
    found = profile_overhead.measure(Setup((16, 16, 10), 3, 1), Workspace(tmp_path), Layout(1, 1))
    assert len(found.ratios) == 1
    assert found.ratios[0] > 0
    assert found.instructions is None or found.instructions > 1
