"""`squall plan`, and the machine files that `squall lab calibrate` makes for it."""

import json
import tomllib
from dataclasses import replace

import pytest

from squall import locate, planning
from squall.errors import UserError
from squall.lab import speed
from squall.lab.io import bench
from squall.lab.prediction import calibrate
from squall.lab.prediction.check import Comparison

DOMAIN = calibrate._SIZE.label
GB = 1e9
ONE_NODE = calibrate.Cluster()


def frame(drain, engine="zarr", codec="none", stored=100_000_000):
    """Of 100 MB by two ranks: 1 GB/s of raw writes with fsync, 4 without, copies of 5 GB/s a core."""
    times = bench.Frame(perceived=drain, drain=drain, copy=0.01, raw=0.025, raw_fsync=0.1)
    combination = bench.Combination(engine, "inline", codec)
    return bench.Measurement(combination, 100_000_000, stored, (times, times), 0, 0.1, 0, 0)


def node(frames):
    one = speed.Measurement(DOMAIN, 1, "1 core", 2e6, 12 * GB, {})
    both = speed.Measurement(DOMAIN, 2, "2 ranks", 3e6, 20 * GB, {})
    return calibrate.Measured(one, both, frames, ranks=2)


def written(tmp_path, measured, cluster=ONE_NODE):
    calibrate.write(measured, cluster, "a node", tmp_path / "node.toml")
    return tomllib.loads((tmp_path / "node.toml").read_text())


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


def test_a_cluster_has_nodes_network_and_storage_of_the_options(tmp_path):
    found = written(tmp_path, node([frame(0.3)]), calibrate.Cluster(200, 25 * GB, 1e-6, 40 * GB))
    assert (found["nodes"]["count"], found["network"]["bandwidth"]) == (200, 25 * GB)
    assert found["storage"]["target_bandwidth"] == 40 * GB


def test_measurements_that_lack_what_is_needed_are_refused():
    one = node([]).one
    with pytest.raises(UserError, match="frames inline without codec"):
        calibrate._measured([one], [frame(0.3, codec="zstd:1")], 2)


def test_engines_that_store_nothing_are_left_out(tmp_path):
    frames = [frame(0.3), frame(0.1, "null", stored=0), frame(0.2, "sst", codec="zstd:1", stored=0)]
    found = written(tmp_path, calibrate._measured([node([]).one], frames, 2))
    assert set(found["calibration"]["engines"]) == {"zarr", "null"}
    assert "codecs" not in found["calibration"]


def small(tmp_path):
    path = tmp_path / "small.toml"
    text = (
        locate.run_file("supercell").read_text().replace("nx = 41", "nx = 64").replace("ny = 41", "ny = 64")
    )
    path.write_text(text)
    return path


@pytest.fixture
def question(tmp_path):
    written(tmp_path, node([frame(0.3), frame(0.3, "netcdf")]), calibrate.Cluster(64))
    return planning.Question(small(tmp_path), tmp_path / "node.toml", ranks=16, method="closed-form")


def test_a_frame_takes_as_long_as_it_took_where_it_was_measured(tmp_path):
    """The calibration is the planner's inverse: 100 MB by two ranks on one node."""
    measured = node([frame(0.3)])
    written(tmp_path, measured)
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


def test_a_step_on_one_core_takes_what_the_calibration_has(question):
    step = planning.ask(replace(question, ranks=1))["step"]
    assert step["computing"] == pytest.approx(64 * 64 * 40 / 2e6)
    assert step["messages"] == 0


def test_servers_are_recommended_where_they_shorten_the_run(question):
    answer = planning.ask(question)
    variants = planning.with_servers(question, answer)
    assert {variant.servers for variant in variants} >= {0, 1, 4}
    best = planning.recommended(variants)
    assert best.seconds <= min(variant.seconds for variant in variants) / 0.99
    slow = [planning.Variant(0, {"run": {"seconds": 9.0}}), planning.Variant(2, {"run": {"seconds": 5.0}})]
    assert planning.recommended(slow).servers == 2
    assert planning.recommended([*slow, planning.Variant(1, {"run": {"seconds": 5.02}})]).servers == 1


def test_the_command_prints_times_memory_and_servers_and_says_how(squall, question, tmp_path):
    words = ["--machine", question.machine, "-n", "16", question.run_file, "--method", "closed-form"]
    done = squall("plan", *words, "--json", "plan.json")
    assert done.returncode == 0, done.stderr
    for word in ("closed forms", "16 ranks x 1 threads on 8 nodes", "recommended:", "a rank", "history"):
        assert word in done.stdout, word
    kept = json.loads((tmp_path / "plan.json").read_text())
    assert kept["by_servers"]["0"] == kept["run"]["seconds"]
    refused = squall("plan", *words[:2], "-n", "1000", question.run_file)
    assert refused.returncode == 2
    assert "need 500 nodes" in refused.stderr
    assert "today come with Squall" in squall("plan", "--machine", "x", "-n", "2", "supercell").stderr


def test_a_prediction_is_kept_within_15_percent():
    assert Comparison(1, "step", 1.14, 1.0).within
    assert not Comparison(1, "step", 1.16, 1.0).within
    assert not Comparison(1, "step", 0.84, 1.0).within
