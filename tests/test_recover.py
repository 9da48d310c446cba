"""`squall recover`: what a killed run left is published, as far as it is whole."""

import json
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from stored_files import (
    TOOL,
    WRITER,
    engines,
    frames_in,
    killed_run,
    peak_of,
    published,
    stored,
)

pytestmark = [
    pytest.mark.regression,
    pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built"),
]


def test_a_run_larger_than_the_memory_is_recovered_and_checked_within_it(tmp_path):
    def peaks(name, points):
        """Of recovering a killed run whose fields have so many points, and of checking it."""
        run = tmp_path / name
        placed = ["netcdf", "inline", 0, "", 60, "multiple", points]
        events = killed_run(run, 1000, *placed, ready=lambda events: len(stored(events)) >= 2)
        yield peak_of(TOOL, "recover", run, "--memory", "64M")
        assert len(frames_in(run, events[1]["file"])) == len(stored(events))
        yield peak_of(TOOL, "verify", run, "--memory", "64M")

    for base, found in zip(peaks("small", 1000), peaks("large", 25_000_000), strict=True):
        assert found - base < 64 + 8  # the fields, and little beside them


@pytest.mark.parametrize("engine", ["netcdf", "netcdf-parallel"])
def test_recover_publishes_the_whole_frames_of_a_killed_run(tool, tmp_path, engine):
    if engine not in engines():
        pytest.skip(f"{engine} is not in this build")
    run = tmp_path / "run"
    events = killed_run(run, 1000, engine, "inline", ready=lambda events: len(stored(events)) >= 4)
    frames, name = len(stored(events)), events[1]["file"]
    left = (run / f"{name}.part").read_bytes()
    said = tool("recover", run, "--dry-run")
    assert "would publish" in said.stdout
    assert (run / f"{name}.part").read_bytes() == left
    said = tool("recover", run, "-n", 2)
    assert said.returncode == 0, said.stdout + said.stderr
    assert frames_in(run, name) == list(range(frames))
    assert not list(run.glob("*.part"))
    said = tool("recover", run)
    assert said.returncode == 0
    assert "Nothing to recover" in said.stdout
    assert tool("check", run).returncode == 0


def test_recover_drops_what_is_not_whole(tool, tmp_path):
    run = tmp_path / "run"
    events = killed_run(run, 1000, ready=lambda events: len(stored(events)) >= 5)
    part = run / f"{events[1]['file']}.part"
    with part.open("r+b") as file:
        file.truncate(part.stat().st_size * 3 // 5)
    said = tool("recover", run)
    assert said.returncode == 0, said.stdout
    whole = frames_in(run, events[1]["file"])
    assert 1 <= len(whole) < len(stored(events))
    assert whole == list(range(len(whole)))
    assert tool("check", run).returncode == 0


def test_recover_leaves_out_frames_that_others_wrote_again_when_a_server_was_lost(tool, tmp_path):
    run = tmp_path / "run"
    events = killed_run(run, 1000, ready=lambda events: len(stored(events)) >= 4)
    name, third = events[1]["file"], stored(events)[2]
    with (run / "endless.manifest.jsonl").open("a") as manifest:
        for event in (third | {"file": "again.nc", "frame": 0}, {"event": "published", "file": "again.nc"}):
            manifest.write("\n" + json.dumps(event))
    said = tool("recover", run)
    assert said.returncode == 0, said.stdout
    assert frames_in(run, name) == [0, 1]
    assert name not in tool("check", run).stdout  # it has what the manifest says now


def test_recover_brings_home_what_a_burst_directory_holds(tool, tmp_path):
    run, burst = tmp_path / "run", tmp_path / "burst"

    def between(events):
        return len(stored(events)) % 3 == 2 and any(event["event"] == "burst" for event in events)

    events = killed_run(run, 3, "netcdf", "inline", 0, burst, ready=between)
    assert tool("recover", run).returncode == 0
    files = {event["file"] for event in stored(events)}
    kept = [number for name in sorted(files) for number in frames_in(run, name)]
    assert kept == list(range(len(stored(events))))
    assert not [path for path in burst.rglob("*") if path.is_file()]
    assert tool("check", run).returncode == 0
    assert "Nothing to recover" in tool("recover", run).stdout


def test_recover_removes_the_copy_of_a_published_file_that_a_killed_run_left_in_its_burst_directory(
    tool, tmp_path
):
    run, burst = tmp_path / "run", tmp_path / "burst"
    events = killed_run(run, 1, "netcdf", "inline", 0, burst, ready=lambda events: len(published(events)) > 1)
    assert tool("recover", run).returncode == 0
    name = published(events)[0]
    held = Path(
        next(event["held"] for event in events if event["event"] == "burst" and event["file"] == name)
    )
    shutil.copy(run / name, held)
    said = tool("recover", run, "--dry-run")
    assert f"{name}: is published; would remove its copy in the burst directory" in said.stdout
    assert held.exists()
    (run / name).rename(run / "aside")  # then the copy may be all that there is
    assert "Nothing to recover" in tool("recover", run).stdout
    assert held.exists()
    (run / "aside").rename(run / name)
    assert f"{name}: is published; removed its copy in the burst directory" in tool("recover", run).stdout
    assert not held.exists()
    assert frames_in(run, name) == [0]
    assert "Nothing to recover" in tool("recover", run).stdout


def test_recover_leaves_a_run_alone_that_still_writes(tool, tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    process = subprocess.Popen([WRITER, f"{run}/", "1000"], stdout=subprocess.PIPE)
    try:
        assert process.stdout.readline()
        manifest = run / "endless.manifest.jsonl"
        while not manifest.exists() or not manifest.stat().st_size:  # which it writes when it is in use
            time.sleep(0.005)
        process.send_signal(signal.SIGSTOP)
        said = tool("recover", run)
    finally:
        process.kill()
        process.communicate()
    assert said.returncode == 2
    assert "a run, or another recovery, is writing it" in said.stderr
