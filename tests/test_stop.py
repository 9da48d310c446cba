"""A run that is asked to stop writes a restart frame; with it, the run goes on as if it had not stopped."""

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

import commands
from squall import locate
from squall.errors import UserError
from squall.lab.verify import bit_for_bit

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

# It lasts longer than any machine takes to send it a signal: no test waits for time, or races with its end.
RUN_FILE = """\
[run]
duration = "500 d"
time_step = "120 s"

[domain]
nx = 40
ny = 40
nz = 24
dx = "200 km"
boundary_south = "symmetric"
boundary_north = "symmetric"

[vertical]
top = "16 km"

[dynamics]
coriolis = "f-plane"
f = "1e-4 s-1"

[initial]
case = "baroclinic-wave"

[output.history]
interval = "90 min"
"""
LONG = 300  # s that a busy machine may take
COMMAND = [sys.executable, "-c", "from squall.cli import main; main()"]


@pytest.fixture
def start(tmp_path):
    """Starts `squall run` in an empty directory and waits for the first frame, or another file."""
    running = []

    def run(*arguments, more="", awaited="history_*.nc"):
        (tmp_path / "wave.toml").write_text(RUN_FILE + more)
        process = subprocess.Popen(
            [*COMMAND, "run", "wave.toml", "--threads", "1", *arguments],
            cwd=tmp_path, env=os.environ | {"NO_COLOR": "1"}, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_signals,
        )  # fmt: skip
        running.append(process)
        deadline = time.monotonic() + LONG
        while not list(tmp_path.glob(f"runs/*/{awaited}")) and time.monotonic() < deadline:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.02)
        return process

    yield run
    for process in running:
        end_session(process.pid)
        process.communicate()


def heed_signals():
    """A shell that put the tests into the background has them ignore Ctrl-C, and all that they start."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
        signal.signal(number, signal.SIG_DFL)


def end_session(leader):
    """Ends what is left of a session: a run that nobody waits for any more would go on for 500 days."""
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if os.getsid(int(process.name)) == leader:
                os.kill(int(process.name), signal.SIGKILL)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """Runs so many hours at a stretch; returns the run's directory."""
    made = {}

    def run(hours):
        if hours not in made:
            folder = tmp_path_factory.mktemp("whole")
            (folder / "wave.toml").write_text(RUN_FILE)
            words = ("run", "wave.toml", "--set", f"run.duration={hours} h")
            commands.squall(words, folder, timeout=LONG).check_returncode()
            made[hours] = folder / "runs" / "wave"
        return made[hours]

    return run


def resume(said, folder):
    """Runs the command that the stopped run has named, for some hours; returns how many in all."""
    (line,) = re.findall(r"^  (squall run .*)$", said, re.M)
    words = shlex.split(line)
    assert words[-1].startswith("run.restart_from=")
    newest = max(path.name for path in folder.glob("runs/*/history_*.nc"))
    frame = datetime.strptime(newest, "history_%Y-%m-%d_%H:%M:%S.nc")
    hours = int((frame - datetime(2000, 1, 1)).total_seconds() // 3600) + 4  # frames are 90 minutes apart
    again = commands.squall([*words[1:], "--set", f"run.duration={hours} h"], folder, timeout=LONG)
    assert again.returncode == 0, again.stderr
    return hours


@pytest.mark.parametrize(
    ("arguments", "number", "code"),
    [
        (("-n", "1"), signal.SIGTERM, 3),
        (("-n", "2"), signal.SIGINT, -signal.SIGINT),
        (("-n", "3", "--set", "output.servers=1"), signal.SIGUSR1, 3),
        (
            (
                *("-n", "2", "--set", "output.restart.interval=1 h"),
                *("--set", "output.restart.frames_per_file=50", "--set", "output.restart.engine=zarr"),
            ),
            signal.SIGTERM,
            3,
        ),
    ],
    ids=["one rank", "two ranks, Ctrl-C", "with a server", "into the restart stream"],
)
def test_a_stopped_run_goes_on_to_the_same_bits(arguments, number, code, start, uninterrupted, tmp_path):
    process = start(*arguments)
    process.send_signal(number)
    said, complaints = process.communicate(timeout=LONG)
    assert process.returncode == code, complaints
    assert f"{number.name}: the model will finish its step" in complaints
    whole = uninterrupted(resume(said, tmp_path))
    assert bit_for_bit.differences(whole, tmp_path / "runs" / "wave", whole=True) == []


@pytest.mark.parametrize("ranks", ["1", "2"])
def test_a_second_signal_ends_at_once_what_does_not_stop(ranks, start):
    process = start("-n", ranks)
    for rank in model_of(process.pid):
        os.kill(rank, signal.SIGSTOP)  # a step that does not end
    process.send_signal(signal.SIGTERM)
    while "the model will finish its step" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(1.1)  # what comes within a second is the same signal again
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    _, complaints = process.communicate(timeout=LONG)  # left alone, it would never end
    assert process.returncode not in (0, 3), complaints


def model_of(pid):
    """The processes below a process that are the model."""
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    found = [child for child in children if "squall-model" in Path(f"/proc/{child}/comm").read_text()]
    return found + [below for child in children for below in model_of(child)]


def test_a_signal_that_was_to_be_ignored_is(start, tmp_path):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does; children inherit it
    try:
        process = start()
    finally:
        signal.signal(signal.SIGHUP, before)
    process.send_signal(signal.SIGHUP)
    frames = len(list(tmp_path.glob("runs/*/history_*.nc")))
    while len(list(tmp_path.glob("runs/*/history_*.nc"))) < frames + 3:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    said, complaints = process.communicate(timeout=LONG)
    assert process.returncode == 3, complaints
    assert "Stopped by SIGTERM" in said
    assert "SIGHUP" not in said + complaints


def test_a_new_run_over_a_stopped_one_leaves_no_restart_frame_behind(start, tmp_path):
    process = start()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LONG)
    assert len(list(tmp_path.glob("runs/wave/restart_*"))) == 1
    again = [
        *COMMAND,
        "run",
        "wave.toml",
        "--set",
        "run.duration=240 s",
        "--set",
        "output.history.interval=0 s",
    ]
    refused = subprocess.run(again, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert refused.returncode == 1
    assert "--overwrite" in refused.stderr
    subprocess.run([*again, "--overwrite"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    assert not list(tmp_path.glob("runs/wave/restart_*"))


def kill(process):
    """The model, as a node that fails does."""
    for rank in model_of(process.pid):
        os.kill(rank, signal.SIGKILL)
    process.communicate(timeout=LONG)


def go_on(folder, *settings):
    words = [word for setting in settings for word in ("--set", setting)]
    return commands.squall(["run", "wave.toml", "--threads", "1", "--continue", *words], folder, timeout=LONG)


def test_a_run_killed_before_its_first_restart_frame_begins_anew(start, uninterrupted, tmp_path):
    kill(start())
    again = go_on(tmp_path, "run.duration=3 h")
    assert again.returncode == 0, again.stderr
    assert "from the beginning, and replacing the output of the run that ended early" in " ".join(
        again.stdout.split()
    )
    assert bit_for_bit.differences(uninterrupted(3), tmp_path / "runs/wave", whole=True) == []


def test_to_go_on_replaces_no_frames_of_other_settings(start, tmp_path):
    kill(start())
    frames = {path: path.read_bytes() for path in tmp_path.glob("runs/wave/history_*.nc")}
    again = go_on(tmp_path, "run.duration=3 h", "dynamics.f=1.1e-4 s-1")
    assert again.returncode == 1
    assert "frames, such as history_" in " ".join(again.stderr.split())
    assert {path: path.read_bytes() for path in frames} == frames


def test_a_run_that_is_done_without_a_restart_frame_is_kept(tmp_path):
    (tmp_path / "wave.toml").write_text(RUN_FILE)
    assert go_on(tmp_path, "run.duration=120 s").returncode == 0
    again = go_on(tmp_path, "run.duration=3 h")
    assert again.returncode == 2
    assert "the run is done. Use --overwrite to run it again" in " ".join(again.stderr.split())


@pytest.mark.parametrize("scheme", ["launch", "twice"])
def test_a_digital_filter_hears_that_it_is_to_stop(scheme, start, tmp_path):
    table = (
        f'\n[digital_filter]\nscheme = "{scheme}"\nspan = "99840 s"\ncutoff = "1 h"\n'  # 832 steps or more
    )
    process = start("-n", "2", more=table, awaited="status.json")
    process.send_signal(signal.SIGTERM)
    said, complaints = process.communicate(timeout=LONG)
    assert process.returncode == 3, said + complaints
    # A launcher passes the signal on as one of its own.
    assert " in the digital filter, before the first step: no restart frame" in " ".join(said.split())
    status = json.loads((tmp_path / "runs/wave/status.json").read_text())
    assert (status["state"], status.get("restart", "")) == ("stopped", "")
    assert not list(tmp_path.glob("runs/wave/restart_*"))
