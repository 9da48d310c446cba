"""Manifests that somebody else may have written: what `verify` and `recover` read, keep and never touch."""

import json
import os
import subprocess
from pathlib import Path

import netCDF4
import numpy as np
import pytest

from field_checksum import field_checksum

MODEL = Path(os.environ.get("SQUALL_MODEL", "build/release/model/squall-model"))
TOOL = Path(os.environ.get("SQUALL_IO", MODEL.resolve().parents[1] / "io" / "tools" / "squall-io"))

pytestmark = [
    pytest.mark.regression,
    pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built"),
]


def tool(*arguments):
    return subprocess.run(
        [TOOL, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )


def write_frames(path, frames=3, seed=1, kind="NETCDF3_64BIT_OFFSET"):
    """A file of one field; returns the checksums of its frames."""
    noise = np.random.default_rng(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    with netCDF4.Dataset(path, "w", format=kind) as file:
        file.createDimension("Time", None)
        file.createDimension("x", 20)
        field = file.createVariable("A", "f4", ("Time", "x"))
        for frame in range(frames):
            field[frame] = noise.random(20)
        return [f"{field_checksum(field[frame]):016x}" for frame in range(frames)]


def forge(run, *events, engine="netcdf", **opened):
    """A manifest of these events, after one that opens it."""
    run.mkdir(exist_ok=True)
    first = {"event": "open", "stream": "s", "engine": engine, **opened}
    lines = [event if isinstance(event, str) else json.dumps(event) for event in (first, *events)]
    (run / "s.manifest.jsonl").write_text("\n".join(lines) + "\n")


def stored(file, checksums):
    return [
        {"event": "stored", "file": str(file), "frame": frame, "time": "", "fields": {"A": checksum}}
        for frame, checksum in enumerate(checksums)
    ]


def tree(path):
    """All files below a directory, with their bytes."""
    return {file: file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


@pytest.mark.parametrize(
    "name", ["../outside/x.nc", "{outside}/x.nc", "a/../../outside/x.nc", "..", "a\nb", ""]
)
def test_files_outside_of_the_manifests_directory_are_refused(tmp_path, name):
    outside = tmp_path / "outside"
    checksums = write_frames(outside / "x.nc.part")
    forge(tmp_path / "run", *stored(name.format(outside=outside), checksums))
    before = tree(outside)
    for command in ("verify", "recover"):
        said = tool(command, tmp_path / "run")
        assert said.returncode == 2, said.stdout
        assert "s.manifest.jsonl, line 2: Squall does not write such a line" in said.stderr
        assert "restore the manifest" in said.stderr
    assert tree(outside) == before


def test_what_is_held_elsewhere_than_in_a_burst_directory_is_left_there(tmp_path):
    run, outside = tmp_path / "run", tmp_path / "outside"
    checksums = write_frames(outside / "x.nc.part")
    before = tree(outside)
    held = {"event": "burst", "file": "x.nc", "held": str(outside / "x.nc.part")}
    for opened in ({}, {"burst_dir": str(tmp_path / "burst")}, {"burst_dir": str(outside / "x.nc.part")}):
        forge(run, *stored("x.nc", checksums), held, **opened)
        said = tool("recover", run)
        assert said.returncode == 2
        assert "in a burst directory of this stream" in said.stderr
        assert "--burst-dir" in said.stderr
        assert tree(outside) == before
    (tmp_path / "burst").mkdir()
    held["held"] = str(tmp_path / "burst" / ".." / "outside" / "x.nc.part")
    forge(run, *stored("x.nc", checksums), held, burst_dir=str(tmp_path / "burst"))
    assert tool("recover", run).returncode == 2
    assert tree(outside) == before
    said = tool("recover", run, "--burst-dir", outside)
    assert said.returncode == 0, said.stderr
    assert (run / "x.nc").exists()


def test_a_file_that_came_home_before_that_was_written_down_is_published(tmp_path):
    run, burst = tmp_path / "run", tmp_path / "burst"
    checksums = write_frames(run / "x.nc")
    came_home = (run / "x.nc").read_bytes()
    write_frames(burst / "x.nc.part")
    held = {"event": "burst", "file": "x.nc", "held": str(burst / "x.nc.part")}
    forge(run, *stored("x.nc", checksums), held, burst_dir=str(burst))
    said = tool("recover", run)
    assert said.returncode == 0, said.stdout + said.stderr
    assert (run / "x.nc").read_bytes() == came_home
    assert tree(burst) == {}
    assert "Nothing to recover" in tool("recover", run).stdout


def test_a_file_of_another_name_is_not_taken_from_a_burst_directory(tmp_path):
    run, burst = tmp_path / "run", tmp_path / "burst"
    checksums = write_frames(burst / "precious.nc")
    held = {"event": "burst", "file": "x.nc", "held": str(burst / "precious.nc")}
    forge(run, *stored("x.nc", checksums), held, burst_dir=str(burst))
    assert tool("recover", run).returncode == 2
    assert (burst / "precious.nc").exists()


@pytest.mark.parametrize("where", ["x.nc.part", "x.nc", "x.nc.rescued"])
def test_links_out_of_the_run_are_not_followed(tmp_path, where):
    run, outside = tmp_path / "run", tmp_path / "outside"
    checksums = write_frames(outside / "y.nc", frames=4)
    forge(run, *stored("x.nc", checksums[:3]))
    (run / where).symlink_to(outside / "y.nc")
    before = tree(outside)
    said = tool("recover", run)
    assert said.returncode == 2, said.stdout
    assert "is a link out of its directory" in said.stderr
    assert tree(outside) == before
    assert (run / where).is_symlink()


def test_a_link_to_another_file_of_the_run_is_not_written_through(tmp_path):
    run = tmp_path / "run"
    checksums = write_frames(run / "published.nc", frames=4)
    forge(run, *stored("x.nc", checksums[:3]))
    (run / "x.nc.part").symlink_to("published.nc")
    before = tree(run)
    said = tool("recover", run)
    assert said.returncode == 2, said.stdout
    assert "is a link" in said.stderr
    assert tree(run) == before


def test_verify_tells_of_a_published_file_that_is_a_link_out_of_the_run(tmp_path):
    run, outside = tmp_path / "run", tmp_path / "outside"
    checksums = write_frames(outside / "x.nc")
    forge(run, *stored("x.nc", checksums), {"event": "published", "file": "x.nc"})
    (run / "x.nc").symlink_to(outside / "x.nc")
    said = tool("verify", run)
    assert said.returncode == 1
    assert "is a link out of its directory" in said.stdout


def test_a_file_that_is_not_of_the_run_is_not_rewritten(tmp_path):
    """The number of records was taken down in the header before anything was compared."""
    run = tmp_path / "run"
    forge(run, *stored("x.nc", ["0123456789abcdef"] * 3))
    write_frames(run / "x.nc.part", frames=5)
    os.truncate(run / "x.nc.part", (run / "x.nc.part").stat().st_size - 40)
    before = tree(run)
    said = tool("recover", run)
    assert said.returncode == 1
    assert "none of 3 stored frames can be saved" in said.stdout
    assert tree(run) == before


def test_recover_replaces_only_what_a_run_makes(tmp_path):
    run, burst = tmp_path / "run", tmp_path / "burst"
    place = burst / (run / "x.nc.part").relative_to("/")
    checksums = write_frames(place)
    held = {"event": "burst", "file": "x.nc", "held": str(place)}
    forge(run, *stored("x.nc", checksums), held, burst_dir=str(burst))
    (run / "x.nc.part").mkdir()
    (run / "x.nc.part" / "notes.txt").write_text("precious")
    before = tree(tmp_path)
    said = tool("recover", run)
    assert said.returncode == 2, said.stdout
    assert "x.nc.part is not what a run writes" in said.stderr
    assert tree(tmp_path) == before
    (run / "x.nc.part" / "notes.txt").unlink()
    (run / "x.nc.part").rmdir()
    (run / "x.nc.part").write_text("a draft of mine")
    assert tool("recover", run).returncode == 2
    assert (run / "x.nc.part").read_text() == "a draft of mine"
    (run / "x.nc.part").write_bytes(place.read_bytes()[:100])  # a copy that was cut off
    said = tool("recover", run)
    assert said.returncode == 0, said.stderr
    assert not place.exists()
    assert tool("verify", run).returncode == 0


def test_a_directory_of_which_the_copy_was_cut_off_is_copied_again(tmp_path):
    """It had none of the documents yet by which an engine's directory is known."""
    run, burst = tmp_path / "run", tmp_path / "burst"
    place = burst / (run / "x.zarr.part").relative_to("/")
    checksums = write_frames(tmp_path / "x.nc")
    made = tool("convert", tmp_path / "x.nc", tmp_path / "x.zarr", "--engine", "zarr")
    if "zarr" in made.stderr:
        pytest.skip("zarr is not in this build")
    assert made.returncode == 0, made.stderr
    place.parent.mkdir(parents=True)
    (tmp_path / "x.zarr").rename(place)
    held = {"event": "burst", "file": "x.zarr", "held": str(place)}
    forge(run, *stored("x.zarr", checksums), held, engine="zarr", burst_dir=str(burst))
    shard = next(file for file in place.rglob("c*") if file.is_file()).relative_to(place)
    cut = run / "x.zarr.part" / shard
    cut.parent.mkdir(parents=True)
    cut.write_bytes((place / shard).read_bytes()[:10])
    (run / "x.zarr.part" / "notes.txt").write_text("precious")
    assert tool("recover", run).returncode == 2
    assert (run / "x.zarr.part" / "notes.txt").read_text() == "precious"
    (run / "x.zarr.part" / "notes.txt").unlink()
    said = tool("recover", run)
    assert said.returncode == 0, said.stderr
    assert tool("verify", run).returncode == 0


def test_a_cut_file_keeps_the_frames_that_are_whole(tmp_path):
    run = tmp_path / "run"
    for kind, cut in (("NETCDF3_64BIT_OFFSET", 100), ("NETCDF3_CLASSIC", 1), ("NETCDF3_64BIT_DATA", 79)):
        checksums = write_frames(run / "x.nc.part", frames=5, kind=kind)
        os.truncate(run / "x.nc.part", (run / "x.nc.part").stat().st_size - cut)
        forge(run, *stored("x.nc", checksums))
        assert "would publish" in tool("recover", run, "--dry-run").stdout
        said = tool("recover", run)
        assert said.returncode == 0, said.stderr
        with netCDF4.Dataset(run / "x.nc") as file:
            assert len(file["A"]) == (3 if cut == 100 else 4)
        assert tool("verify", run).returncode == 0
        (run / "x.nc").unlink()


@pytest.mark.parametrize(
    "event",
    [
        {"frame": 7},
        {"frame": -1},
        {"frame": 10**30},
        {"frame": 1e300},
        {"frame": "0"},
        {"fields": {"A": "not hexadecimal"}},
        {"fields": {"A": "0" * 40 + "ffffffffffffffffff"}},
        {"fields": {"A": 5}},
        {"fields": 5},
        {"time": []},
        {"file": 5},
        {"event": "burst", "held": "relative"},
        {"event": "published", "frames": "all"},
    ],
)
def test_lines_of_another_kind_are_named(tmp_path, event):
    forge(tmp_path / "run", {**stored("x.nc", ["0"])[0], **event})
    said = tool("verify", tmp_path / "run")
    assert said.returncode == 2, said.stdout
    assert "line 2: Squall does not write such a line" in said.stderr


def test_lines_without_end_or_bottom_are_read_once(tmp_path):
    """Read anew for each bracket or byte, they would take days; and calls nested so deep end a process."""
    forge(tmp_path / "run", "[" * 10_000_000, '{"a":' * 1_000_000, "x" * 10_000_000)
    assert tool("verify", tmp_path / "run").returncode == 0


def test_a_file_that_claims_more_than_it_can_hold_is_wrong_at_once(tmp_path):
    run = tmp_path / "run"
    forge(run, *stored("x.nc", ["0"]), {"event": "published", "file": "x.nc"})
    with netCDF4.Dataset(run / "x.nc", "w") as file:
        file.createDimension("Time", None)
        file.createDimension("x", 2**45)
        file.createVariable("A", "f4", ("Time", "x"), chunksizes=(1, 1000), zlib=True)[0, 0] = 1
    said = tool("verify", run)
    assert said.returncode == 1
    assert "bytes, but has" in said.stdout


def test_a_line_of_very_many_fields_is_read(tmp_path):
    checksums = {f"FIELD_{n}": f"{n:016x}" for n in range(17_000)}
    event = {"event": "stored", "file": "x.nc", "frame": 0, "time": "", "fields": checksums}
    forge(tmp_path / "run", event)
    said = tool("verify", tmp_path / "run")
    assert said.returncode == 0, said.stderr
    assert "x.nc: 1 frame stored but not published" in said.stdout


@pytest.mark.parametrize("little", ["0", "[]", "{}"])
def test_a_line_of_more_values_than_its_bytes_mean_is_refused(tmp_path, little):
    forge(
        tmp_path / "run",
        '{"event": "stored", "file": "x.nc", "many": [' + ",".join([little] * 400_000) + "]}",
    )
    said = tool("verify", tmp_path / "run")
    assert said.returncode == 2, said.stdout
    assert "s.manifest.jsonl, line 2: Squall does not write such a line" in said.stderr
    assert "has more than" in said.stderr


def test_what_a_terminal_would_obey_is_escaped(tmp_path):
    run = tmp_path / "run"
    checksums = write_frames(run / "x.nc", frames=1)
    name = "A\x1b[2J\r\nEverything\u202e\x9b\x7f\u00e9"
    event = {
        "event": "stored",
        "file": "x.nc",
        "frame": 0,
        "time": "\x1b]0;t\x07",
        "fields": {name: checksums[0]},
    }
    forge(run, event, {"event": "published", "file": "x.nc"})
    said = tool("verify", run)
    assert said.returncode == 1, said.stderr
    wrong = next(line for line in said.stdout.splitlines() if line.startswith("wrong: "))
    assert r"field A\x1b[2J\x0d\x0aEverything\xe2\x80\xae\xc2\x9b\x7fé: is not in the file" in wrong
    assert r"(\x1b]0;t\x07)" in wrong
    assert "\x1b" not in said.stdout
    broken = tmp_path / "broken"
    forge(broken, {**event, "file": "a\x1b[2Jb/../../x.nc"})
    said = tool("verify", broken)
    assert said.returncode == 2, said.stdout
    assert "\x1b" not in said.stderr
