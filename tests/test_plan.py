"""`squall plan`, and the machine files that `squall lab calibrate` makes for it."""

import itertools
import math
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from made_machines import GB, frame, node, on_a_cluster, small, written
from squall import planning
from squall.errors import UserError
from squall.lab.io import bench
from squall.lab.prediction import calibrate, frames, machine_file, measured, steady, steps
from squall.lab.workspace import Workspace

pytestmark = pytest.mark.regression


def test_a_machine_file_says_what_was_measured(tmp_path):
    found = written(
        tmp_path, node([frame(0.3), frame(0.3, "netcdf"), frame(0.5, codec="zstd:1", stored=50_000_000)])
    )
    assert found["calibration"]["bytes_per_cell_step"] == 6000
    assert found["nodes"]["core_bandwidth"] == 12 * GB
    assert found["nodes"]["bandwidth"] == 18 * GB  # 1.5 times as fast on all cores
    assert found["storage"]["target_bandwidth"] == 1 * GB
    assert found["calibration"]["copy"] == pytest.approx(5 * GB * 12 / 9, rel=1e-3)  # alone
    # 0.3 s without copies into the stage and to writers, 10 ms each, and a quarter of the disk's 0.1 s:
    # 0.255 s, of which a process writes 25 ms.
    assert found["calibration"]["engines"]["zarr"] == pytest.approx(50e6 / 0.23, rel=1e-3)
    assert found["calibration"]["codecs"]["zstd"]["ratio"] == 2


def test_the_fastest_of_repeats_counts_once_it_has_been_reproduced():
    runs = iter([[2.0, 1.0, 1.5], [1.5, 1.0, 1.05]])  # seconds; 1.0 was met once, then twice
    assert steady.steady("steps", lambda: (seconds := next(runs), seconds)) == [1.5, 1.0, 1.05]
    assert next(runs, None) is None


def test_repeats_too_far_apart_are_refused_with_a_word():
    asked = []
    with pytest.raises(UserError, match=r"steps: repeats differ by 50 % in each of 5 attempts.*busy"):
        steady.steady("steps", lambda: (asked.append(1), [1.0, 1.5, 2.0]))
    assert len(asked) == 5


def test_of_a_file_the_least_time_of_a_measurement_counts_without_its_first_frame():
    times = [bench.Frame(d, d, copy, 0.02, 0.1) for d, copy in ((0.1, 0.01), (0.4, 0.01), (0.3, 0.02))]
    best = calibrate._best(replace(frame(1.0), frames=tuple(times)))
    assert (best.perceived, best.drain, best.copy) == (0.3, 0.3, 0.01)


def test_frames_count_once_their_median_has_been_met_again(monkeypatch):
    """Of the first frame, which finds memory and directories new, nothing counts."""
    runs = iter([[9.0, 1.0, 1.0, 1.3, 1.3], [9.0, 1.0, 1.3, 1.0, 1.3]])  # seconds

    def measure(*_, **__):
        return replace(frame(1.0), frames=tuple(bench.Frame(d, d, 0.01, 0.02, 0.1) for d in next(runs)))

    monkeypatch.setattr(calibrate.bench, "measure", measure)
    of = frame(1.0).combination
    found = calibrate._seen(bench.Setup(Path()), of, Console())
    assert found.perceived == pytest.approx(1.15)
    assert next(runs, None) is None  # of the first run the halves were 30 % apart


def test_all_cores_are_never_taken_for_slower_than_one(tmp_path):
    idle = node([frame(0.3)])
    busy = replace(idle, several=replace(idle.several, cell_steps=1.2e6))
    assert written(tmp_path, busy)["nodes"]["bandwidth"] == 12 * GB


def test_the_disk_is_told_from_the_making_by_frames_of_one_rank_and_of_all():
    """100 MB: the disk takes 40 ms of them, a writer 64 ms, two 32 ms each; copies and gathering 10 ms each
    where both ranks do them, 20 ms each where one does."""
    one = replace(frame(0.064 + 0.040 / 4 + 0.040), frames=(bench.Frame(0.114, 0.094, 0.02, 0.025, 0.1),))
    both = frame(0.040 + 0.032 / 4 + 0.020)
    found = replace(node([both]), alone={"zarr": one})
    assert found.disk == pytest.approx(100e6 / 0.040)
    assert measured.making(found, one, 1) == pytest.approx(0.064 - 100e6 / found.process)


def test_how_fast_points_go_from_rank_to_rank_is_told_from_frames_that_differ_in_that_alone(tmp_path):
    """A rank gets 25 of 100 MB: 25 ms longer than copying them at 5 GB/s, so in 30 ms."""
    of = replace(node([frame(0.3)]), crossed=frame(0.325))
    alone = 12 / 9  # of the bandwidth of one core, of which each of two has three quarters
    told = written(tmp_path, of)["calibration"]
    assert told["crossing"] == pytest.approx(25e6 / 0.030 * alone, rel=1e-3)


def test_what_parts_of_a_frame_cost_is_told_from_frames_of_few_and_of_many(monkeypatch, tmp_path):
    """A frame takes 5 ms, a part 0.1 ms of one rank and 0.3 ms of two, and bytes 1 ns."""

    def measure(setup, cell, interval, plain, growing):
        assert not growing  # every frame begins a file, as in a run by default
        parts, bytes_ = 2 * setup.fields, 4 * setup.fields * math.prod(setup.size)
        drain = 0.005 + parts * (1e-4 if setup.ranks == 1 else 3e-4) + 1e-9 * bytes_
        return replace(frame(drain), bytes=bytes_)

    monkeypatch.setattr(bench, "measure", measure)
    large = replace(frame(0.1), bytes=100_000_000)
    setup = bench.Setup(tmp_path, ranks=2)
    cost, seen = calibrate._cost(setup, large.combination, (large, large), Console())
    assert cost.frame == pytest.approx(0.005)
    assert cost.part == pytest.approx(1e-4)
    assert cost.together == pytest.approx(3e-4)
    assert seen == pytest.approx((0.005 + 120 * 1e-4 + 8.64e-3, 0.005 + 120 * 3e-4 + 8.64e-3))
    of_both = replace(node([frame(0.3)]), alone={"zarr": large}, costs={"zarr": cost}, small={"zarr": seen})
    found = written(tmp_path, of_both)
    assert found["calibration"]["frames"]["zarr"]["together"] == pytest.approx(3e-4)
    kept = machine_file.seen_frames(tmp_path / "node.toml")["zarr"]
    assert kept.one == steps.Pair(0.1, pytest.approx(seen[0], rel=1e-3))
    assert kept.several == steps.Pair(0.3, pytest.approx(seen[1], rel=1e-3))
    assert kept.cost.of("zarr", 2) == pytest.approx(0.005 + 30 * 3e-4)


def test_a_busy_machines_load_is_told_from_frames_of_many_bytes_and_of_many_parts():
    """Bytes take twice as long, parts three times; the frame that is predicted has its own share of each."""
    then = steps.Pair(large=0.100, small=0.050)  # of the large, 30 ms are not for bytes
    now = steps.Pair(large=2 * 0.070 + 3 * 0.030, small=3 * 0.050)
    busy = frames.load(now, then, fixed_of_large=0.030, fixed=0.080)
    assert busy.off(2 * 0.040 + 3 * 0.080) == pytest.approx(0.120)
    assert frames.load(then, then, 0.030, 0.080) == steps.Load(pytest.approx(1.0), pytest.approx(0.0))
    # A cost beyond the frame itself, as noise makes it, leaves a tenth to bytes.
    assert frames.load(then, then, 0.2, 0.080).off(0.1) == pytest.approx(0.1)


def test_a_cluster_has_nodes_network_and_storage_of_the_options(tmp_path):
    found = written(tmp_path, node([frame(0.3)]), machine_file.Cluster(200, 25 * GB, 1e-6, 40 * GB))
    assert (found["nodes"]["count"], found["network"]["bandwidth"]) == (200, 25 * GB)
    assert found["storage"]["target_bandwidth"] == 40 * GB


def test_measurements_that_lack_what_is_needed_are_refused():
    one = node([]).one
    with pytest.raises(UserError, match="frames with placement inline and codec none"):
        calibrate._measured([one], [frame(0.3, codec="zstd:1")], 2)


def test_engines_that_store_nothing_are_left_out(tmp_path):
    frames = [frame(0.3), frame(0.1, "null", stored=0), frame(0.2, "sst", codec="zstd:1", stored=0)]
    found = written(tmp_path, calibrate._measured([node([]).one], frames, 2))
    assert set(found["calibration"]["engines"]) == {"zarr", "null"}
    assert "codecs" not in found["calibration"]


@pytest.mark.parametrize("staged", [0.01, 0.06])  # as fast as a copy, and slower
def test_a_frame_takes_as_long_as_it_took_where_it_was_measured(tmp_path, staged):
    """The calibration is the planner's inverse: 100 MB by two ranks on one node, from the first point until
    all is stored."""
    seen = node([frame(0.3, staged=staged)])
    written(tmp_path, seen)
    settings = [
        'output.history.engine="zarr"',
        'output.history.placement="inline"',
        'output.history.codec="none"',
    ]
    settings += ["domain.nx=200", "domain.ny=200", "domain.nz=50"]
    question = planning.Question(
        small(tmp_path), tmp_path / "node.toml", 2, settings=settings, method="closed-form"
    )
    [stream] = planning.ask(question)["streams"]
    assert stream["drain"] == pytest.approx(0.3 * stream["bytes"] / 100e6, rel=0.1)
    assert stream["busy"]["copy"] == pytest.approx(staged * stream["bytes"] / 100e6, rel=0.1)


def test_a_frame_that_begins_a_file_takes_what_is_fixed_along(tmp_path):
    cost = measured.Cost(0.0, 0.001, 0.001)
    written(tmp_path, replace(node([frame(0.3)]), costs={"zarr": cost}))
    settings = [f"output.history.{key}" for key in ('engine="zarr"', 'placement="inline"', 'codec="none"')]
    question = planning.Question(
        small(tmp_path), tmp_path / "node.toml", 1, settings=settings, method="closed-form"
    )
    within = replace(question, settings=[*settings, "output.history.frames_per_file=10"])
    [first], [later] = (planning.ask(asked)["streams"] for asked in (question, within))
    assert first["bytes"] > 1.05 * later["bytes"]
    assert first["busy"]["files"] > 2 * later["busy"]["files"] > 0  # descriptions of variables, too


def test_a_step_on_one_core_takes_what_the_calibration_has(tmp_path):
    step = planning.ask(on_a_cluster(tmp_path, 1))["step"]
    assert step["computing"] == pytest.approx(64 * 64 * 40 / 2e6)
    assert step["messages"] == 0


def test_a_busy_machines_load_is_told_from_steps_of_a_large_and_a_small_domain():
    then = steps.Pair(large=0.8, small=0.04)
    busy = steps.load(steps.Pair(large=2 * 0.8 + 0.05, small=2 * 0.04 + 0.05), then)
    assert (busy.slower, busy.delay) == pytest.approx((2.0, 0.05))
    assert busy.off(2 * 0.2 + 0.05) == pytest.approx(0.2)  # a domain of a size between
    assert steps.load(then, then) == steps.Load(1.0, 0.0)
    # Where the small steps tell of no delay, the large ones count alone; nothing is taken off beyond reason.
    assert steps.load(steps.Pair(1.6, 0.07), then) == steps.Load(2.0, 0.0)
    assert steps.load(steps.Pair(0.03, 0.05), then).slower == pytest.approx(0.03 / 0.8)
    assert steps.Load(1.0, 5.0).off(1.0) == pytest.approx(0.1)


def test_what_steps_took_when_a_machine_was_calibrated_is_kept_in_its_file(tmp_path):
    seen = {1: steps.Pair(0.8, 0.03), 4: steps.Pair(0.5, 0.02)}
    written(tmp_path, replace(node([frame(0.3)]), steps=seen))
    assert machine_file.seen_steps(tmp_path / "node.toml") == seen


@pytest.mark.parametrize("oversubscribed", [[1.2], [1.2, 2.4]])
def test_steps_on_one_core_and_all_are_needed_and_on_twice_as_many_ranks_kept_where_they_are_steady(
    tmp_path, monkeypatch, capsys, oversubscribed
):
    large = {1: itertools.cycle([2.0]), 2: itertools.cycle([1.0]), 4: itertools.cycle(oversubscribed)}
    monkeypatch.setattr(steps, "pair", lambda workspace, ranks: steps.Pair(next(large[ranks]), 0.03))
    monkeypatch.setattr(calibrate.machine, "cores", lambda: 2)
    monkeypatch.setattr(calibrate.limits, "triad", lambda cores: 12 * GB)
    monkeypatch.setattr(calibrate.matrix, "combinations", lambda *_: [frame(0.3).combination])
    monkeypatch.setattr(calibrate, "_seen", lambda *_: frame(0.3))
    monkeypatch.setattr(calibrate, "_cost", lambda *_: (measured.Cost(), (0.1, 0.1)))
    found = calibrate.measure(Workspace(tmp_path), 2)
    kept = {1: steps.Pair(2.0, 0.03), 2: steps.Pair(1.0, 0.03)}
    steady_ones = len(oversubscribed) == 1
    assert found.steps == kept | ({4: steps.Pair(1.2, 0.03)} if steady_ones else {})
    assert ("Left out: steps on 4 ranks" in capsys.readouterr().out) != steady_ones
    assert (found.one.cell_steps, found.several.cell_steps) == (1e6, 2e6)  # of 2,000,000 cells
    assert measured.together(found) == 24 * GB
    large[2] = itertools.cycle([1.0, 2.0])
    with pytest.raises(UserError, match="steps on 2 ranks: repeats differ by 100 %"):
        calibrate.measure(Workspace(tmp_path), 2)
