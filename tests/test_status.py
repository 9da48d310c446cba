"""What a run of the model tells of itself, and workflows that wait for it."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

import squall as package
from squall import locate
from squall.errors import UserError
from squall.runs import run_state

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "workflows.md"
SMALL = (
    *("density-current", "--threads", "1", "--set", "domain.dx=1600 m", "--set", "run.time_step=4 s"),
    *("--set", "output.history.interval=1 min"),
)
LONG = 300  # s that a busy machine may take


@pytest.fixture
def start(tmp_path):
    """Starts a run that lasts longer than any test."""
    running = []

    def begin(*arguments):
        case = locate.run_file("density-current")
        process = subprocess.Popen(
            [locate.model_binary(), case, *arguments, "--set", f"run.directory={tmp_path}/run"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.communicate()


ENDLESS = (
    *("--threads", "1", "--set", "domain.dx=1600 m", "--set", "run.time_step=4 s"),
    *("--set", "output.history.interval=20 min", "--set", "run.duration=500 d"),
)


def wait_until(condition):
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_load_and_staging_memory_of_ranks_are_told_while_a_run_goes_on(start, tmp_path):
    start(*ENDLESS)
    status = tmp_path / "run" / "status.json"

    def told():
        return json.loads(status.read_text()) if status.exists() else {}

    wait_until(lambda: "load" in told())
    found = told()
    assert found["load"] == [1.0]  # one rank waits for nobody
    assert len(found["staging"]) == len(found["staging_peak"]) == 1
    assert 0 <= found["staging"][0] <= found["staging_limit"]
    assert 0 < found["staging_peak"][0] <= found["staging_limit"]


def test_a_run_that_has_ended_has_its_whole_story_in_its_directory(squall, tmp_path):
    ran = squall("run", *SMALL, "--set", "run.duration=2 min")
    assert ran.returncode == 0, ran.stderr
    run = tmp_path / "runs" / "density-current"
    shown = squall("status", run, "--json")
    assert shown.returncode == 0
    told = json.loads(shown.stdout)
    assert (told["state"], told["time"], told["steps"], told["seconds_left"]) == (
        "done",
        "2000-01-01T00:02:00",
        30,
        0,
    )
    assert 0 < told["courant"] < 2
    (history,) = (stream for stream in told["streams"] if stream["name"] == "history")
    assert (history["published"], history["last_frame"]) == (3, "2000-01-01T00:02:00")
    assert (history["frames"], history["waits"], history["failed"]) == (3, 0, 0)
    log = (run / "run.log").read_text().splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  ", line) for line in log)
    kept = [line[21:] for line in log]
    for line in ran.stdout.splitlines():
        assert line in kept


def test_a_run_that_is_killed_has_died_and_one_that_is_asked_to_stop_can_go_on(start, squall, tmp_path):
    run = tmp_path / "run"
    process = start(*ENDLESS)
    wait_until(lambda: list(run.glob("history_*.nc")))
    assert run_state.state_of(run).word == "running"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LONG)
    stopped = run_state.state_of(run)
    assert (stopped.word, stopped.why) == ("stopped", "by SIGTERM")
    assert Path(stopped.told["restart"]).exists()
    seen = []
    frames = package.follow(run)
    seen += [int(frame["elapsed"]) for frame in frames]
    again = start(*ENDLESS, "--set", f"run.restart_from={stopped.told['restart']}")
    wait_until(lambda: run_state.state_of(run).word == "running")
    frames = package.follow(run)
    for _ in range(len(seen) + 2):
        frame = next(frames)
    assert int(frame["elapsed"]) == 1200 * (len(seen) + 1)
    again.kill()
    again.communicate()
    assert run_state.state_of(run).word == "died"
    assert squall("status", run).returncode == 1
    with pytest.raises(package.RunDied, match="killed or crashed"):
        for _ in frames:
            pass


def test_a_directory_into_which_a_run_writes_is_not_replaced(start, squall, tmp_path):
    run = tmp_path / "run"
    process = start(*ENDLESS)
    wait_until(lambda: list(run.glob("history_*.nc")))
    there = sorted(run.glob("history_*.nc"))
    for how in ("--overwrite", "--continue"):
        refused = squall("run", *SMALL, how, "--set", f"run.directory={run}")
        assert refused.returncode != 0
        complaint = " ".join(refused.stderr.split())
        assert f"Another run is writing into {run}: process {process.pid} on " in complaint
    assert set(there) <= set(run.glob("history_*.nc"))
    assert run_state.state_of(run).word == "running"


def test_a_run_that_fails_says_why(squall, tmp_path):
    failed = squall("run", *SMALL, "--set", "run.duration=1 h", "--set", "run.time_step=30 s")
    assert failed.returncode == 1
    run = tmp_path / "runs" / "density-current"
    state = run_state.state_of(run)
    assert state.word == "died"
    assert "Likely remedy" in state.why
    assert "Likely remedy" in (run / "run.log").read_text()


def scripts():
    """The lines of the page's examples that wait for a frame, as a shell runs them."""
    text = PAGE.read_text()
    cylc = re.search(r"\[\[wait_18\]\]\n +script = (.*)$", text, re.M).group(1)
    one, several = re.findall(r"%include <head.h>\n(.*?)%include <tail.h>", text, re.S)
    plain = re.search(r"^    (squall status .* --wait-for .*)$", text, re.M).group(1)
    tail = re.search(r"```bash\n(tail .*?)```", text, re.S).group(1)
    variables = {"%RUN%": "runs/storm", "%FRAME%": "2007-01-24T18:00"}
    for script in (cylc, one, several, plain, tail):
        for name, value in variables.items():
            script = script.replace(name, value)
        yield script


@pytest.mark.parametrize(
    "script", list(scripts()), ids=["cylc", "ecFlow", "ecFlow, events", "alone", "no Squall"]
)
def test_the_examples_for_workflow_systems_wait_for_their_frame(script, tmp_path):
    run = tmp_path / "runs" / "storm"
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "squall").symlink_to(Path(os.sys.executable).parent / "squall")
    (programs / "ecflow_client").write_text('#!/bin/sh\necho "$@"\n')
    (programs / "ecflow_client").chmod(0o755)
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "CYLC_WORKFLOW_SHARE_DIR": str(run.parent)}
    process = subprocess.Popen(
        ["bash", "-ec", script], cwd=tmp_path, env=os.environ | environment, stdout=subprocess.PIPE, text=True
    )
    run.mkdir(parents=True)
    with (run / "history.manifest.jsonl").open("a") as manifest:
        for hour in (12, 15, 18, 21):
            frame = {"event": "frame", "time": f"2007-01-24T{hour}:00:00", "file": f"h{hour}.nc", "frame": 0}
            print(json.dumps(frame, separators=(",", ":")), file=manifest, flush=True)
        (run / "status.json").write_text(json.dumps({"squall_status": 1, "state": "stopped", "why": ""}))
        said, _ = process.communicate(timeout=LONG)
    assert process.returncode == 0
    if "ecflow_client" in script:
        assert said.split() == ["--event", "at_15", "--event", "at_18", "--event", "at_21"]
