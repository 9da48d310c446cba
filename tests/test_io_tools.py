"""Files of the output runtime: converted, joined, checked, recovered, reported on."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from rich.console import Console

from pictures import assert_drawn
from squall.checksum import field_checksum
from squall.runs import report as reports

MODEL = Path(os.environ.get("SQUALL_MODEL", "build/release/model/squall-model"))
IO = MODEL.resolve().parents[1] / "io"
TOOL = Path(os.environ.get("SQUALL_IO", IO / "tools" / "squall-io"))
WRITER = IO / "tests" / "io_endless_writer"

pytestmark = [
    pytest.mark.regression,
    pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built"),
]


@pytest.fixture
def tool(squall):
    """Runs a command of `squall` about files."""
    return lambda *arguments: squall(*arguments, SQUALL_IO=str(TOOL))


def engines():
    said = subprocess.run([TOOL, "engines", "--json"], capture_output=True, text=True, check=True)
    return [engine["name"] for engine in json.loads(said.stdout) if not engine["missing"]]


def write_sample(path, frames=3, first=0):
    """Fields of all types, per frame and fixed in time, with numbers, text and attributes."""
    noise = np.random.default_rng(1)
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as file:
        file.setncatts({"TITLE": "sample", "DX": np.float32(1000.0), "P0": 1e5, "GRID_ID": np.int32(1)})
        file.createDimension("when", None)
        for name, size in {"z": 4, "y": 9, "x": 11, "DateStrLen": 19}.items():
            file.createDimension(name, size)
        fields = {
            "Times": ("S1", ("when", "DateStrLen")),
            "STEP": ("i4", ("when",)),
            "T": ("f4", ("when", "z", "y", "x")),
            "PACKED": ("i2", ("when", "y", "x")),
            "HGT": ("f8", ("y", "x")),
        }
        for name, (kind, dimensions) in fields.items():
            fill = -32768 if name == "PACKED" else None
            field = file.createVariable(name, kind, dimensions, fill_value=fill)
            field.setncatts({"units": "1", "level": np.float64(0.5)})
        file.set_auto_maskandscale(False)
        file["PACKED"].setncatts({"scale_factor": np.float32(0.01), "add_offset": np.float32(5.0)})
        file["HGT"][:] = noise.random((9, 11))
        for frame in range(frames):
            text = f"2000-01-01_{first + frame:02d}:00:00"
            file["Times"][frame] = np.frombuffer(text.encode(), "S1")
            file["STEP"][frame] = first + frame
            file["T"][frame] = noise.random((4, 9, 11)) + first + frame
            file["PACKED"][frame] = noise.integers(-32000, 32000, (9, 11))
    return path


def content(path):
    """Everything in a netCDF file, in a form that compares."""
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        file.set_auto_chartostring(False)

        def attributes(of):
            return {name: (np.asarray(value).dtype.kind, str(value)) for name, value in of.__dict__.items()}

        return {
            "attributes": attributes(file),
            "dimensions": {name: (len(d), d.isunlimited()) for name, d in file.dimensions.items()},
            "fields": {
                name: (v.dimensions, v.dtype.str, attributes(v), np.asarray(v[:]).tobytes())
                for name, v in file.variables.items()
            },
        }


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_file_that_went_through_every_engine_is_as_it_was(tool, tmp_path, ranks):
    first = last = write_sample(tmp_path / "sample.nc")
    ring = [name for name in engines() if name not in ("null", "sst")]
    for n, engine in enumerate([*ring, "netcdf"]):
        out = tmp_path / f"{n}.{engine}"
        said = tool("convert", last, out, "--engine", engine, "-n", ranks)
        assert said.returncode == 0, f"{engine}: {said.stderr}"
        assert "read back and compared" in said.stdout
        last = out
    assert content(last) == content(first)
    assert not list(tmp_path.glob("*.part"))


def test_frames_and_fields_can_be_chosen(tool, tmp_path):
    sample = write_sample(tmp_path / "sample.nc", frames=5)
    out = tmp_path / "part.nc"
    said = tool("convert", sample, out, "--engine", "netcdf", "--frames=-2:", "--fields", "STEP,HGT")
    assert said.returncode == 0, said.stderr
    with netCDF4.Dataset(out) as file:
        assert list(file.variables) == ["STEP", "HGT"]
        assert sorted(file.dimensions) == ["when", "x", "y"]
        assert file["STEP"][:].tolist() == [3, 4]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sample.nc", "there.nc", "--engine", "netcdf"], "there.nc exists"),
        (["sample.nc", "sample.nc", "--engine", "netcdf", "--overwrite"], "is both input and output"),
        (["sample.nc", "new.nc", "--engine", "netcfd"], 'no engine "netcfd"'),
        (["sample.nc", "new.nc", "--engine", "netcdf", "--fields", "Q"], "no field Q; it has: Times, STEP"),
        (["sample.nc", "new.nc", "--engine", "netcdf", "--frames", "7:"], "none of its 3 frames"),
        (["absent.nc", "new.nc", "--engine", "netcdf"], "absent.nc: no such file"),
        (["cut.nc", "new.nc", "--engine", "netcdf"], "cut.nc: the file has"),
    ],
)
def test_a_conversion_that_cannot_be_says_why_and_leaves_nothing(tool, tmp_path, arguments, words):
    before = write_sample(tmp_path / "sample.nc").read_bytes()
    (tmp_path / "there.nc").write_text("precious")
    (tmp_path / "cut.nc").write_bytes(before[:-200])
    said = tool("convert", *arguments)
    assert said.returncode == 2
    assert words in said.stderr
    assert (tmp_path / "sample.nc").read_bytes() == before
    assert (tmp_path / "there.nc").read_text() == "precious"
    assert not (tmp_path / "new.nc").exists()
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.skipif("netcdf-split" not in (engines() if TOOL.exists() else []), reason="not in this build")
def test_stitch_joins_directories_of_parts_frame_after_frame(tool, tmp_path):
    for name, first in (("a", 0), ("b", 2)):
        sample = write_sample(tmp_path / f"{name}.nc", frames=2, first=first)
        said = tool("convert", sample, tmp_path / f"{name}.split", "--engine", "netcdf-split", "-n", 3)
        assert said.returncode == 0, said.stderr
    assert len(list((tmp_path / "a.split").glob("part_*.nc"))) == 3
    said = tool("stitch", "a.split", "b.split", "-o", "both.nc", "-n", 2)
    assert said.returncode == 0, said.stderr
    with netCDF4.Dataset(tmp_path / "both.nc") as both, netCDF4.Dataset(tmp_path / "b.nc") as b:
        assert both["STEP"][:].tolist() == [0, 1, 2, 3]
        assert np.array_equal(both["T"][2:], b["T"][:])


def peak_of(*command):
    """Megabytes of memory that a command had at most."""
    script = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", script, *map(str, command)], capture_output=True, text=True, check=True
    )
    return float(said.stdout)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file of one field of 300 MB."""
    path = tmp_path_factory.mktemp("large") / "large.nc"
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as file:
        file.createDimension("t", None)
        file.createDimension("n", 75_000_000)
        file.createVariable("a", "f4", ("t", "n"))[0] = np.arange(75_000_000, dtype="f4")
    return path


@pytest.mark.parametrize("engine", ["netcdf", "zarr", "netcdf-split"])
def test_a_file_larger_than_the_memory_is_converted_and_stitched_within_it(tmp_path, large, engine):
    if engine not in engines():
        pytest.skip("not in this build")
    small, suffix = (
        write_sample(tmp_path / "small.nc"),
        {"netcdf": ".nc", "zarr": ".zarr"}.get(engine, ".split"),
    )

    def peak(source, name):
        """Of converting it, and of making one file of what came of it again."""
        out = tmp_path / f"{name}-out{suffix}"
        yield peak_of(TOOL, "convert", source, out, "--engine", engine, "--memory", "64M")
        back = tmp_path / f"{name}-back.nc"
        if engine == "netcdf-split":
            yield peak_of(TOOL, "stitch", out, "-o", back, "--memory", "64M")
        else:
            yield peak_of(TOOL, "convert", out, back, "--engine", "netcdf", "--memory", "64M")
        assert back.is_file()

    for base, found in zip(peak(small, "small"), peak(large, "large"), strict=True):
        assert found - base < 64


def manifest_of(run):
    lines = (run / "endless.manifest.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines if line.endswith("}")]


def killed_run(run, frames_per_file, *more, ready):
    """Starts a writer in `run` and kills it when `ready(events)`; returns the manifest's events."""
    run.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        [WRITER, f"{run}/", str(frames_per_file), *map(str, more)], stdout=subprocess.PIPE
    )
    try:
        assert process.stdout.readline()
        deadline = time.monotonic() + 60
        while not ((run / "endless.manifest.jsonl").exists() and ready(manifest_of(run))):
            assert time.monotonic() < deadline, "the writer does not come on"
            time.sleep(0.005)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    return manifest_of(run)


def frames_in(run, name):
    with netCDF4.Dataset(run / name) as file:
        return file["A"][:, 0, 0].tolist()


def stored(events):
    return [event for event in events if event["event"] == "stored"]


def published(events):
    return [event["file"] for event in events if event["event"] == "published"]


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


def test_checksums_agree_with_those_computed_without_squall(tmp_path):
    events = killed_run(tmp_path / "run", 2, ready=lambda events: len(published(events)) >= 2)
    done, compared = published(events), 0
    for event in stored(events):
        if event["file"] not in done:
            continue
        with netCDF4.Dataset(tmp_path / "run" / event["file"]) as file:
            file.set_auto_maskandscale(False)
            for name, expected in event["fields"].items():
                assert f"{field_checksum(file[name][event['frame']]):016x}" == expected
                compared += 1
    assert compared >= 8


@pytest.mark.parametrize(
    ("name", "mark"), [("a.nc", None), ("a.zarr", "zarr.json"), ("a.split", "index.json")]
)
def test_convert_follows_the_ending_of_what_it_makes(tool, tmp_path, name, mark):
    said = tool("convert", write_sample(tmp_path / "sample.nc"), tmp_path / name)
    assert said.returncode == 0, said.stderr
    assert (tmp_path / name).is_file() if mark is None else (tmp_path / name / mark).is_file()


def test_an_ending_that_says_no_engine_is_told(tool, tmp_path):
    said = tool("convert", write_sample(tmp_path / "sample.nc"), tmp_path / "a.dat")
    assert said.returncode == 2
    assert "a.dat: the ending names no engine. Use .nc (netcdf), .zarr (zarr)" in said.stderr


def test_a_file_that_was_removed_on_purpose_is_not_missed(tool, tmp_path):
    run = tmp_path / "runs" / "a"
    settings = {
        "run.directory": "runs/a", "run.duration": "10 s", "run.time_step": "1 s", "domain.nx": "40",
        "output.restart.interval": "2 s", "output.history.interval": "0 s",
    }  # fmt: skip
    over = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    said = tool("run", "warm-bubble", "--keep-restarts", "2", *over)
    assert said.returncode == 0, said.stderr
    assert len(list(run.glob("restart_*.nc"))) == 2
    assert tool("check", run).returncode == 0
    next(iter(run.glob("restart_*.nc"))).unlink()
    assert tool("check", run).returncode == 1


def test_verify_finds_a_flipped_byte_and_a_missing_file(tool, tmp_path):
    run = tmp_path / "run"
    done = published(killed_run(run, 2, ready=lambda events: len(published(events)) >= 3))
    assert tool("check", run, "-n", 2).returncode == 0
    with (run / done[0]).open("r+b") as file:
        file.seek(-1000, os.SEEK_END)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    (run / done[1]).unlink()
    (run / "strange.nc").write_bytes((run / done[2]).read_bytes())
    said = tool("check", run, "-n", 2)
    assert said.returncode == 1
    assert f"{done[0]}: frame 1" in said.stdout
    assert "field B: the checksum is" in said.stdout
    assert f"{done[1]}: published, but missing" in said.stdout
    assert "strange.nc: in no manifest" in said.stdout
    assert "2 things wrong" in said.stdout


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


@pytest.fixture
def reported(tmp_path):
    """A run directory with a report of two streams, one of which lost a frame."""

    def frames(step, drain):
        for n in range(4):
            at = 1.0 + step * n
            yield {
                "number": n, "begun": at, "perceived": 0.02, "time": "2000-01-01T00:00:00",
                "committed": at + 0.02, "drain_begun": at + 0.03, "drain_ended": at + drain, "bytes": 10**8,
            }  # fmt: skip

    def stream(name, engine, step, drain, failed):
        timeline = list(frames(step, drain))
        timeline[-1] |= {"fault": "no space left on device"} if failed else {}
        return {
            "name": name, "engine": engine, "placement": "thread", "codec": "zstd",
            "frames": 4 - failed, "failed": failed, "skipped": 0, "bytes": 4 * 10**8,
            "stored_bytes": 10**8, "perceived_median": 0.02, "perceived_largest": 0.02,
            "perceived_total": 0.08, "drain_median": drain, "drain_largest": drain,
            "waits": 2, "waited": 0.5, "spilled": 0, "staging_peak": 10**8, "timeline": timeline,
        }  # fmt: skip

    report = {
        "squall_io_report": 1, "computing_ranks": 2, "servers": 0, "groups": 0, "seconds": 16.0,
        "streams": [stream("history", "zarr", 3.5, 1.5, 0), stream("restart", "netcdf", 4.0, 2.5, 1)],
    }  # fmt: skip
    (tmp_path / "io-report.json").write_text(json.dumps(report))
    return tmp_path


def test_report_shows_what_output_cost_and_draws_it(tool, reported):
    said = tool("report", reported)
    assert said.returncode == 0, said.stderr
    told = [re.split(r"\s{2,}", line.strip()) for line in said.stdout.splitlines()]
    assert said.stdout.splitlines()[0] == "2 computing ranks, no servers, 16 s"
    assert ["stream", "history", "restart"] in told
    assert ["engine, placement", "zarr, thread", "netcdf, thread"] in told
    assert ["frames", "4", "3 (1 failed)"] in told
    assert ["drain, median", "1.5 s", "2.5 s"] in told
    assert ["waits", "2 (500 ms)", "2 (500 ms)"] in told
    assert_drawn(reported / "io-report.png")


def test_no_word_of_the_report_is_cut_in_80_columns(reported):
    found = reports.load(reported)
    found.content["streams"] = [
        stream | {"name": f"{stream['name']}_{n}"} for n in range(4) for stream in found.streams
    ]
    console = Console(width=80, record=True, file=io.StringIO())
    for table in reports.tables(found, console.width):
        console.print(table)
    said = console.export_text()
    assert "…" not in said
    for n in range(4):
        assert f"history_{n}" in said
    assert said.count("compression ratio") > 1  # streams that do not fit come below
    assert all(len(line.rstrip()) <= 80 for line in said.splitlines())


def test_the_report_shows_what_a_terminal_would_obey(tool, reported):
    path = reported / "io-report.json"
    content = json.loads(path.read_text())
    content["streams"][0]["name"] = "hist\x1b[2J[red]"
    path.write_text(json.dumps(content))
    said = tool("report", reported)
    assert said.returncode == 0, said.stderr
    assert r"hist\x1b[2J[red]" in said.stdout
    assert "\x1b" not in said.stdout


def test_a_picture_of_what_is_printed_for_programs_is_refused(tool, reported):
    said = tool("report", reported, "--json", "-o", "a.png")
    assert said.returncode == 2
    assert "--json draws no picture: leave out --output" in said.stderr


def test_report_as_json_is_for_programs(tool, reported):
    said = tool("report", reported, "--json")
    streams = json.loads(said.stdout)["streams"]
    assert [stream["name"] for stream in streams] == ["history", "restart"]
    assert streams[0]["ratio"] == 4.0
    assert streams[0]["share"] == pytest.approx(0.005)
    assert not (reported / "io-report.png").exists()


def test_a_run_without_a_report_is_told_so(tool, tmp_path):
    said = tool("report", tmp_path)
    assert said.returncode == 2
    assert "io-report.json cannot be read" in said.stderr


@pytest.mark.parametrize("command", ["convert", "stitch", "check", "recover", "report"])
def test_help_of_each_command_about_files_has_examples(squall, command):
    said = squall(command, "--help")
    assert said.returncode == 0
    assert f"squall {command}" in said.stdout.partition("Examples")[2]
