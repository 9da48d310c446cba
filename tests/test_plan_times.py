"""`squall plan` tells times with the error that was measured, and refuses those that were held to nothing."""

import json
from dataclasses import replace

import pytest

from made_machines import frame, node, on_a_cluster, small, written
from squall import compared, planning

INLINE = ["output.history.placement=inline"]


@pytest.fixture
def on_a_node(tmp_path):
    """Two ranks of a calibrated node."""
    written(tmp_path, node([frame(0.3), frame(0.3, "netcdf")]))
    return planning.Question(small(tmp_path), tmp_path / "node.toml", 2, settings=INLINE)


def refused(question):
    return [reason for _, reason in compared.timed(question).refused]


def test_steps_and_frames_that_were_compared_are_told_with_their_errors(squall, on_a_node):
    words = ["--machine", on_a_node.machine, "-n", 2, on_a_node.run_file, "--set", INLINE[0]]
    done = squall("plan", *words)
    assert done.returncode == 0, done.stderr
    assert "off by at most 13 % where it was measured: on 1 to 4 ranks of one node" in done.stdout
    assert "off by at most 11 % there" in done.stdout  # netcdf
    kept = json.loads(squall("plan", *words, "--json").stdout)
    assert kept["run"]["seconds"] > 0
    assert kept["step"]["error"].startswith("off by at most 13 %")
    assert kept["streams"][0]["drain"] > 0
    assert kept["refused"] == []


def test_without_times_that_were_compared_counts_are_told_and_the_reasons(squall, tmp_path):
    question = on_a_cluster(tmp_path)
    words = ["--machine", question.machine, "-n", 16, question.run_file]
    done = squall("plan", *words)
    assert done.returncode == 2
    for word in ("16 ranks x 1 threads on 8 nodes", "messages", "per rank", "history"):
        assert word in done.stdout, word
    assert "\nstep" not in done.stdout
    assert "times of messages between nodes were never compared" in done.stderr
    assert "only 1 to 4 ranks of one thread each were compared" in done.stderr
    kept = json.loads(squall("plan", *words, "--json").stdout)
    assert set(kept["step"]) == {"messages", "bytes"}
    assert "run" not in kept
    assert "drain" not in kept["streams"][0]
    assert len(kept["refused"]) == 2
    done = squall("plan", *words, "--counts")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(squall("plan", *words, "--counts", "--json").stdout)["refused"] == []


def test_what_the_planner_refuses_is_refused_with_its_words(squall, tmp_path):
    question = on_a_cluster(tmp_path)
    done = squall("plan", "--machine", question.machine, "-n", 1000, question.run_file)
    assert done.returncode == 2
    assert "need 500 nodes" in done.stderr
    done = squall("plan", "--machine", "x", "-n", 2, "supercell")
    assert "today, xeon-2023 come with Squall" in done.stderr


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (["output.history.placement=thread"], "netcdf, thread, none: only netcdf and zarr were compared"),
        (["output.history.engine=pnetcdf", *INLINE], "pnetcdf, inline, none: only"),
        (["output.history.engine=zarr", "output.history.codec=zstd:1", *INLINE], "zarr, inline, zstd"),
        (["output.history.stride=2", *INLINE], "frames with stride were never compared"),
        (["output.history.frames_per_file=2", *INLINE], "frames with frames_per_file were never compared"),
    ],
)
def test_frames_that_were_not_compared_are_not_told_where_steps_are(on_a_node, settings, reason):
    told = compared.timed(replace(on_a_node, settings=settings, method="closed-form"))
    assert told.step
    assert told.frames == {}
    assert [what for what, _ in told.refused] == ["frames of history"]
    assert reason in told.refused[0][1]
    assert not told.whole
    assert "run" not in told.content()


def test_a_second_stream_is_not_told(on_a_node):
    told = compared.timed(replace(on_a_node, settings=[*INLINE, 'output.restart.interval="30 min"']))
    assert list(told.frames) == ["history"]
    assert {what for what, _ in told.refused} == {"frames of restart"}


def test_cores_that_were_not_measured_have_no_times(on_a_node):
    assert "no [calibration]" in refused(replace(on_a_node, machine=planning.machine_file("today")))[0]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"nodes": 2}, "between nodes"), ({"ranks": 5}, "only 1 to 4 ranks"),
        ({"threads": 2}, "of one thread each"), ({"servers": 1}, "were 43 % off"),
        ({"nests": [{}]}, "runs with nests were never compared"),
        ({"cell_step": {"factor": 3.0, "unknown": []}}, "on another processor; `squall lab step-factor"),
        ({"cell_step": {"factor": 1, "unknown": ["land slab"]}}, "land slab: the cost is unknown"),
    ],
)  # fmt: skip
def test_each_reason_against_a_step_is_told(on_a_node, changes, reason):
    answer = {
        "nodes": 1, "ranks": 2, "threads": 1, "servers": 0, "nests": [],
        "cell_step": {"factor": 1, "unknown": []},
    }  # fmt: skip
    assert compared.against_steps(on_a_node, answer, True) == []
    [said] = compared.against_steps(on_a_node, answer | changes, True)
    assert reason in said


def test_other_physics_has_times_where_its_cost_was_measured(on_a_node):
    other = {"factor": 3.0, "unknown": []}
    answer = {"nodes": 1, "ranks": 2, "threads": 1, "servers": 0, "nests": [], "cell_step": other}
    measured_here = replace(on_a_node, step_factor=3.0)
    assert compared.against_steps(measured_here, answer, True) == []
    assert compared.against_steps(replace(on_a_node, schemes=on_a_node.machine), answer, True) == []
    assert "other physics by --step-factor" in compared.timed(measured_here).step
