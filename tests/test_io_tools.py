"""Files of the output runtime: converted, joined, checked."""

import os

import netCDF4
import numpy as np
import pytest

from field_checksum import field_checksum
from stored_files import (
    TOOL,
    content,
    engines,
    killed_run,
    peak_of,
    published,
    stored,
    write_sample,
)

pytestmark = [
    pytest.mark.regression,
    pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built"),
]


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


@pytest.mark.parametrize("command", ["convert", "stitch", "check", "recover", "report"])
def test_help_of_each_command_about_files_has_examples(squall, command):
    said = squall(command, "--help")
    assert said.returncode == 0
    assert f"squall {command}" in said.stdout.partition("Examples")[2]
