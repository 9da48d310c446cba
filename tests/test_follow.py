"""Following runs, and asking how they are."""

import json
import time

import numpy as np
import pytest
import xarray as xr

import squall
import squall.plot
from followed import Follower, claim
from growing_run import ENGINES, GrowingRun, needs, temperature
from pictures import assert_drawn
from squall.errors import UserError
from squall.runs import run_state

pytestmark = pytest.mark.regression


@pytest.mark.parametrize("engine", ENGINES)
def test_frames_come_one_by_one_while_a_run_writes_them_and_again_when_it_has_ended(tmp_path, engine):
    needs(engine)
    with GrowingRun(tmp_path / "run", engine, 50 if engine == "zarr" else 1) as run:
        run.add()
        follower = Follower(run.directory)
        for n in range(1, 4):
            follower.has(n)
            run.add()
        follower.has(4)
    frames = follower.to_the_end()
    assert [int(frame["elapsed"]) for frame in frames] == [0, 60, 120, 180]
    for n, frame in enumerate(frames):
        np.testing.assert_array_equal(frame["T"], temperature(n))
        assert "Time" not in frame.sizes
    for live, later in zip(frames, squall.follow(run.directory), strict=True):
        xr.testing.assert_identical(live, later.load())
    history = squall.open_run(run.directory)
    for n, live in enumerate(frames):
        xr.testing.assert_identical(live, history.isel(Time=n).load())


def test_frames_are_the_same_from_every_engine(tmp_path):
    found = {}
    for engine in ENGINES:
        needs(engine)
        with GrowingRun(tmp_path / engine, engine, 2) as run:
            for _ in range(3):
                run.add()
        found[engine] = [frame.load() for frame in squall.follow(run.directory)]
    for engine, frames in found.items():
        assert len(frames) == 3
        for ours, theirs in zip(frames, found["netcdf"], strict=True):
            xr.testing.assert_identical(ours, theirs), engine


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """A run of five frames, a minute apart."""
    needs("netcdf")
    with GrowingRun(tmp_path_factory.mktemp("ended") / "run", "netcdf", 1) as run:
        for _ in range(5):
            run.add()
    return run.directory


@pytest.mark.parametrize(
    ("start", "minutes"),
    [("first", [0, 1, 2, 3, 4]), ("last", [4]), ("next", []),
     ("2000-01-01T00:03", [3, 4]), ("2000-01-01_00:04:00", [4])],
)  # fmt: skip
def test_following_begins_where_it_is_asked_to(ended, start, minutes):
    assert [int(f["elapsed"]) // 60 for f in squall.follow(ended, start=start)] == minutes


def test_a_frame_is_read_only_when_values_are_asked_for(ended, monkeypatch):
    from squall.reader import lazy_variable

    read = []
    original = lazy_variable._Frames._frame
    monkeypatch.setattr(
        lazy_variable._Frames,
        "_frame",
        lambda self, frame, rest: read.append(self.name) or original(self, frame, rest),
    )
    frame = next(squall.follow(ended))
    assert "T" not in read
    assert float(frame["T"][0, 0, 0]) == 0
    assert "T" in read


def test_what_cannot_be_followed_is_refused_at_once(ended, tmp_path):
    with pytest.raises(UserError, match="There is no run directory"):
        squall.follow(tmp_path / "nowhere")
    with pytest.raises(UserError, match="is not a run directory: it has neither"):
        squall.follow(tmp_path)
    with pytest.raises(UserError, match="has no winds files"):
        squall.follow(ended, stream="winds")
    with pytest.raises(UserError, match="'noon' is not a time"):
        squall.follow(ended, start="noon")


@pytest.fixture
def run(tmp_path):
    """A run that has published a frame and runs on, in this process."""
    needs("netcdf")
    with GrowingRun(tmp_path / "run", "netcdf", 1) as writer:
        writer.add()
    claim(writer.directory)
    return writer.directory


def go_on(run, first, frames=1):
    with GrowingRun(run, "netcdf", 1, first) as writer:
        for _ in range(frames):
            writer.add()


def test_a_run_that_stops_and_is_continued_is_followed_on_without_a_frame_twice(run):
    follower = Follower(run)
    follower.has(1)
    claim(run, state="stopped", why="by SIGTERM")
    go_on(run, 0, 2)
    claim(run, state="done")
    assert [int(frame["elapsed"]) for frame in follower.to_the_end()] == [0, 60]


def test_a_run_that_had_stopped_before_gives_what_is_there(run):
    claim(run, state="stopped", why="by SIGTERM")
    assert len(list(squall.follow(run))) == 1


def test_a_run_that_dies_is_an_error_behind_its_last_frame_that_says_what_to_do(run):
    follower = Follower(run)
    follower.has(1)
    claim(run, process="1")
    with pytest.raises(
        squall.RunDied, match=r"at model time 2000-01-01T00:05:00: its process \d+ ended without"
    ) as told:
        follower.to_the_end()
    assert "the last frame received is that of 2000-01-01T00:00:00" in str(told.value)
    assert f"squall recover {run}" in str(told.value)


def test_waiting_for_a_frame_ends_after_the_time_that_is_given(run):
    frames = squall.follow(run, timeout=0.3)
    next(frames)
    with pytest.raises(squall.NoFrame, match=r"within 0\.3 s"):
        next(frames)


def test_a_run_of_another_machine_is_dead_when_it_has_been_silent_and_beats_no_more(run, monkeypatch):
    monkeypatch.setattr(run_state, "_BEATS", 0.05)
    claim(run, machine="elsewhere", host="node7", at=time.time() - 2 * run_state.SILENT)
    assert run_state.state_of(run).word == "died"
    assert "on node7 since" in run_state.state_of(run).why
    claim(run, machine="elsewhere", at=time.time() - run_state.SILENT / 2)
    assert run_state.state_of(run).word == "running"
    monkeypatch.setattr(run_state.time, "sleep", lambda _: claim(run, machine="elsewhere", at=0, beat=2))
    claim(run, machine="elsewhere", at=0)  # its clock is wrong
    assert run_state.state_of(run).word == "running"


def test_a_new_run_in_the_same_directory_is_followed_from_its_beginning(run):
    follower = Follower(run)
    follower.has(1)
    time.sleep(1.1)  # a manifest tells when it was begun, to the second
    (run / "history.manifest.jsonl").unlink()
    go_on(run, 0, 2)
    claim(run, state="done")
    assert [int(frame["elapsed"]) for frame in follower.to_the_end()] == [0, 0, 60]


def test_status_waits_for_a_frame_and_tells_scripts_how_the_run_is(run, squall):
    assert squall("status", run).returncode == 4
    there = squall("status", run, "--wait-for", "history at 2000-01-01T00:00")
    assert (there.returncode, there.stdout) == (0, "")
    late = squall("status", run, "--wait-for", "history at 2000-01-01T00:01", "--timeout", "0.1")
    assert late.returncode == 4
    go_on(run, 1)
    assert squall("status", run, "--wait-for", "history at 2000-01-01 00:01").returncode == 0
    claim(run, state="died", why="it burst")
    never = squall("status", run, "--wait-for", "history at 2000-01-01T00:02")
    assert never.returncode == 1
    assert "died: it burst" in never.stdout
    told = json.loads(squall("status", run, "--json").stdout)
    assert (told["state"], told["why"]) == ("died", "it burst")
    assert told["streams"][0]["last_frame"] == "2000-01-01T00:01:00"
    assert squall("status", run, "--wait-for", "noon").returncode == 2


def test_a_frame_that_was_followed_can_be_drawn(channel, tmp_path):
    from squall.reader.dataset import as_history

    frame = squall.open_run(channel).isel(Time=2)
    history = as_history(frame)
    assert history["elapsed"].dims == ("Time",)
    assert list(history["elapsed"].values) == [172800]
    squall.plot.save(squall.plot.figure(frame, "theta_pert", level="0"), tmp_path / "theta.png")
    assert_drawn(tmp_path / "theta.png")
