"""Following runs over the network: what comes is what the files have, whoever else listens."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import xarray as xr

import squall
from followed import LONG, Follower
from growing_run import NETWORK, GrowingRun, needs, temperature
from squall import locate
from squall.errors import UserError
from squall.io import reading as io_reading

pytestmark = pytest.mark.regression

SETTINGS = [
    "domain.nx=64", "domain.nz=16", "domain.dx=400 m", "run.duration=20 s", "output.history.interval=4 s",
    "output.live.interval=4 s", "output.live.engine=sst",
]  # fmt: skip
_WAITS = 'output.live.options={ first_consumer = 60, when_queue_full = "wait"'
NO_FRAME_LOST = f"{_WAITS}, stall = 60, linger = 60 }}"  # however busy the machine is
SOON_LEFT_BEHIND = f"{_WAITS}, stall = 2 }}"
ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@pytest.fixture(autouse=True)
def engine():
    needs("sst")


@pytest.fixture
def model(tmp_path):
    """Starts the model on a density current that writes a history and sends the same over the network."""
    try:
        program = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    started = []

    def start(*settings, case="density-current"):
        words = [f"run.directory={tmp_path / 'run'}", *settings]
        command = [program, locate.run_file(case), *(word for w in words for word in ("--set", w))]
        with (tmp_path / f"said{len(started)}").open("w") as said:
            started.append(subprocess.Popen(command, env=ENVIRONMENT, stdout=said, stderr=subprocess.STDOUT))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def same(live, directory):
    """That frames are those of the files, bit for bit, attributes and coordinates included."""
    files = [frame.load() for frame in squall.follow(directory)]
    assert len(live) == len(files)
    for ours, theirs in zip(live, files, strict=True):
        xr.testing.assert_identical(ours, theirs)
        for name in theirs.variables:
            assert ours[name].dtype == theirs[name].dtype, name
            assert ours[name].values.tobytes() == theirs[name].values.tobytes(), name


@pytest.mark.parametrize("where", ["run directory", "contact file", "address"])
def test_frames_are_those_of_the_files_bit_for_bit(model, tmp_path, where):
    run, contact = tmp_path / "run", tmp_path / "run" / "live.sst"
    process = model(*SETTINGS, NO_FRAME_LOST)
    while not contact.exists():
        assert process.poll() is None
        time.sleep(0.02)
    given = {"run directory": run, "contact file": contact}
    if where == "address":
        given["address"] = contact.read_text().splitlines()[1]
    live = Follower(given[where], stream="live").to_the_end()
    assert process.wait(LONG) == 0
    if where == "address":  # which does not lead to the run file
        told = squall.open_run(run).attrs
        live = [frame.assign_attrs({k: told[k] for k in ("CASE", "PHYSICS")}) for frame in live]
    assert len(live) == 6
    same(live, run)


def test_a_stream_is_the_same_over_the_network_as_the_runtime_writes_it_to_files(tmp_path):
    found = {}
    for engine in ("sst", "netcdf"):
        with GrowingRun(tmp_path / engine, engine, 1, options=NETWORK if engine == "sst" else None) as run:
            follower = Follower(tmp_path / engine / "history.sst") if engine == "sst" else None
            for _ in range(3):
                run.add()
        found[engine] = follower.to_the_end() if follower else list(squall.follow(run.directory))
    for ours, theirs in zip(found["sst"], found["netcdf"], strict=True):
        xr.testing.assert_identical(ours, theirs.load())


def test_only_what_is_touched_travels_and_a_frame_that_was_let_go_says_so(tmp_path, monkeypatch):
    asked = []
    original = io_reading.Reader.read
    monkeypatch.setattr(
        io_reading.Reader, "read",
        lambda self, name, frame=0, start=None, count=None, dtype=None: (
            asked.append((name, tuple(count or ()))) or original(self, name, frame, start, count, dtype)
        ),
    )  # fmt: skip
    (tmp_path / "run").mkdir()
    with GrowingRun(tmp_path / "run", "sst", 1, options=NETWORK | {"queue_limit": "0"}) as run:
        frames = squall.follow(tmp_path / "run" / "history.sst", timeout=60)
        adding = threading.Thread(target=lambda: [run.add() for _ in range(2)])
        adding.start()  # which waits for a consumer
        first = next(frames)
        assert {name for name, _ in asked} == {"XTIME"}
        np.testing.assert_array_equal(first["T"][1, 2:4, ::3], temperature(0)[1, 2:4, ::3])
        assert asked[-1] == ("T", (1, 2, 7))
        next(frames)
        with pytest.raises(
            UserError, match=r"frame 0, cannot be read as a history: it was released .* load\(\)"
        ):
            first["HGT"].load()
        frames.close()
        adding.join()


CONSUMER = """
import sys, squall
for frame in squall.follow(sys.argv[1], stream="live"):
    frame.load()
    print(int(frame["elapsed"]), flush=True)
"""


def test_a_consumer_that_is_stopped_or_killed_takes_nothing_from_others_or_from_the_run(model, tmp_path):
    process = model(*SETTINGS, "run.duration=100000 s", SOON_LEFT_BEHIND)
    wait_for(tmp_path / "run" / "status.json")
    live, seen = squall.follow(tmp_path / "run", stream="live", timeout=LONG), []
    others = [Other(tmp_path / "run", number) for number in (signal.SIGSTOP, signal.SIGKILL)]
    try:
        after = 0
        for frame in live:
            seen.append(int(frame["elapsed"]))
            after += all(other.hit.is_set() for other in others)
            if after == 30:
                break
            time.sleep(0.01)
        # Where the stream goes on without those two, it waits two seconds for the others to come along.
        assert seen == sorted(set(seen))
        assert seen[-30:] == list(range(seen[-30], seen[-1] + 1, 4))
        live.close()
        process.terminate()
        assert process.wait(LONG) == 3
    finally:
        for other in others:
            other.end()


class Other:
    """A consumer that gets a signal when it has had two frames."""

    def __init__(self, run, number):
        self.hit = threading.Event()
        self._number = number
        command = [sys.executable, "-c", CONSUMER, run]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._thread = threading.Thread(target=self._wait)
        self._thread.start()

    def _wait(self):
        if all(self._process.stdout.readline().strip().isdigit() for _ in range(2)):
            self._process.send_signal(self._number)
            self.hit.set()

    def end(self):
        self._process.kill()
        self._thread.join()
        self._process.communicate()


def wait_for(path):
    until = time.monotonic() + LONG
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_run_that_is_stopped_and_continued_is_followed_on_without_a_frame_twice(model, tmp_path):
    run, long = tmp_path / "run", "run.duration=10000 s"
    process = model(*SETTINGS, long, NO_FRAME_LOST)
    follower = Follower(run / "live.sst")
    stopped_after = len(follower.has(3))
    process.terminate()
    assert process.wait(LONG) == 3
    (restart,) = run.glob("restart_*")
    seen = [int(frame["elapsed"]) for frame in follower.has(stopped_after)]
    assert not follower.ended
    end = seen[-1] // 4 * 4 + 40
    again = model(*SETTINGS, f"run.duration={end} s", NO_FRAME_LOST, f"run.restart_from={restart}")
    frames = follower.to_the_end()
    assert again.wait(LONG) == 0
    assert [int(frame["elapsed"]) for frame in frames] == list(range(0, end + 1, 4))
    same(frames, run)


def test_a_run_that_dies_is_an_error_behind_its_last_frame(model, tmp_path):
    process = model(*SETTINGS, "run.duration=10000 s", NO_FRAME_LOST)
    follower = Follower(tmp_path / "run" / "live.sst")
    follower.has(2)
    process.kill()
    process.wait()
    with pytest.raises(squall.RunDied, match=r"its process \d+ ended.*the last frame received is that of"):
        follower.to_the_end()


def test_a_run_that_has_ended_has_sent_what_it_had(model, tmp_path):
    process = model(*SETTINGS)
    assert process.wait(LONG) == 0
    assert list(squall.follow(tmp_path / "run", stream="live")) == []
    with pytest.raises(squall.NoFrame):  # nobody has ever sent anything there
        next(squall.follow(tmp_path / "elsewhere.sst", timeout=0.3))


def test_following_begins_at_the_time_that_is_asked_for(model, tmp_path):
    process = model(*SETTINGS, NO_FRAME_LOST)
    wait_for(tmp_path / "run" / "status.json")
    late = Follower(tmp_path / "run", stream="live", start=str(np.datetime64("2000-01-01T00:00:12")))
    assert [int(frame["elapsed"]) for frame in late.to_the_end()] == [12, 16, 20]
    assert process.wait(LONG) == 0
