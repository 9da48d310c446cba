"""What a run that goes on from a restart makes of the files that it finds: each time once, nothing lost."""

import re
import subprocess
import time

import numpy as np
import pytest

import commands
from squall import io, locate

pytestmark = pytest.mark.regression

SMALLER = {
    "domain.nx": 21,
    "domain.ny": 21,
    "domain.nz": 20,
    "domain.dx": '"4 km"',
    "output.restart.interval": '"2 min"',
    "output.history.interval": '"1 min"',
    "output.history.frames_per_file": 3,
    "output.upper_air.interval": '"1 min"',
    "output.upper_air.frames_per_file": 20,
    "output.statistics.interval": '"1 min"',
    "output.statistics.frames_per_file": 20,
}
STREAMS = ("stations", "flights", "statistics", "upper-air")


def words(duration, **more):
    keys = SMALLER | {"run.duration": f'"{duration} min"'} | more
    return ["mesonet", *(word for key, value in keys.items() for word in ("--set", f"{key}={value}"))]


def zarr(stream):
    return {f"output.{stream}.engine": '"zarr"', f"output.{stream}.path": f'"{stream}.zarr"'}


ZARR = zarr("stations") | zarr("flights") | zarr("statistics")


def minutes(path):
    with io.Reader(str(path)) as file:
        return [float(file.read("Time", n)) for n in range(file.frames)]


def assert_same(path, whole):
    with io.Reader(str(path)) as file, io.Reader(str(whole)) as other:
        assert (file.frames, set(file.fields)) == (other.frames, set(other.fields))
        for name in file.fields:
            for n in range(file.frames):
                np.testing.assert_array_equal(file.read(name, n), other.read(name, n), err_msg=name)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The directory of a run of eight minutes at a stretch."""
    folder = tmp_path_factory.mktemp("whole")
    commands.squall(["run", *words(8)], folder).check_returncode()
    return folder / "runs" / "mesonet"


@pytest.mark.parametrize(("engine", "ranks"), [("netcdf", 1), ("netcdf", 2), ("zarr", 1), ("zarr", 2)])
def test_a_stream_of_one_file_goes_on_behind_what_was_published(squall, tmp_path, whole, engine, ranks):
    more = ZARR if engine == "zarr" else {}
    for duration, arguments in ((4, ()), (8, ("--continue",))):
        said = squall("run", *words(duration, **more), *arguments, "--ranks", ranks)
        assert said.returncode == 0, said.stderr
    run = tmp_path / "runs" / "mesonet"
    for stream in STREAMS:
        suffix = "zarr" if engine == "zarr" and stream != "upper-air" else "nc"
        assert minutes(run / f"{stream}.{suffix}") == list(range(9)), stream
        assert_same(run / f"{stream}.{suffix}", whole / f"{stream}.nc")
    checked = squall("check", run)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("engine", ["netcdf", "zarr"])
def test_frames_after_the_restart_are_made_again_and_no_time_is_there_twice(squall, tmp_path, whole, engine):
    more = ZARR if engine == "zarr" else {}
    assert squall("run", *words(8, **more)).returncode == 0
    run = tmp_path / "runs" / "mesonet"
    restart = {"run.restart_from": f'"{run}/restart_2000-01-01_00:04:00.nc"'}
    suffix = "zarr" if engine == "zarr" else "nc"
    for duration in (6, 8):
        said = squall("run", *words(duration, **more, **restart))
        assert said.returncode == 0, said.stderr
        assert minutes(run / f"stations.{suffix}") == list(range(duration + 1))
        checked = squall("check", run)
        assert checked.returncode == 0, checked.stdout
    assert_same(run / f"flights.{suffix}", whole / "flights.nc")


def test_a_history_of_several_frames_a_file_keeps_what_lies_before_the_restart(squall, tmp_path, whole):
    """A file begins where the run goes on; one whose name is that of a whole hour goes on."""
    hourly = {"output.history.path": '"hour_%Y-%m-%d_%H.nc"', "output.history.frames_per_file": 60}
    for more in ({}, {"run.directory": '"hourly"'} | hourly):
        for duration, arguments in ((4, ()), (8, ("--continue",))):
            said = squall("run", *words(duration, **more), *arguments)
            assert said.returncode == 0, said.stderr
    files = sorted((tmp_path / "runs" / "mesonet").glob("history_*.nc"))
    assert [minutes(file) for file in files] == [[0, 1, 2], [3, 4], [5, 6, 7], [8]]
    assert minutes(tmp_path / "hourly" / "hour_2000-01-01_00.nc") == list(range(9))


def test_where_frames_would_be_lost_the_run_is_refused_before_its_first_step(squall, tmp_path):
    split = {"output.stations.engine": '"netcdf-split"'}
    assert squall("run", *words(4, **split)).returncode == 0
    stations = tmp_path / "runs" / "mesonet" / "stations.nc"
    said = squall("run", *words(8, **split), "--continue")
    assert said.returncode != 0
    assert "[output.stations]: its path names a file with frames from before the restart" in said.stderr
    assert "engine netcdf-split cannot append" in said.stderr
    assert minutes(stations) == list(range(5))
    said = squall("run", *words(8, **split, **{"output.stations.path": '"later.nc"'}), "--continue")
    assert said.returncode == 0, said.stderr
    assert minutes(stations.with_name("later.nc")) == [5, 6, 7, 8]


@pytest.mark.parametrize(
    ("stream", "declared", "says"),
    [
        ("stations", {"fields": '["PSFC", "W"]'}, "it has no field W"),
        ("upper_air", {"pressure_levels": '["850 hPa"]'}, "its dimension pressure_level is 4, not 1"),
        (
            "statistics",
            {"engine": '"zarr"', "path": '"statistics.zarr"', "codec": '"none"'},
            r"field \w+ has another codecs",
        ),
    ],
)
def test_a_stream_of_another_declaration_than_its_file_is_refused_before_the_first_step(
    squall, tmp_path, stream, declared, says
):
    """As its first frame would be; by a plan, too."""
    before = zarr(stream) if "engine" in declared else {}
    assert squall("run", *words(2, **before)).returncode == 0
    run = tmp_path / "runs" / "mesonet"
    changed = {f"output.{stream}.{key}": value for key, value in declared.items()}
    for plan in (["--plan"], []):
        said = squall("run", *words(4, **changed), "--continue", *plan)
        assert said.returncode == 2, said.stderr
        told = " ".join(said.stderr.split())
        assert f"[output.{stream}]: its path names a file with frames from before the restart" in told
        assert re.search(f"cannot append: {says}", told), told
    assert minutes(run / ("statistics.zarr" if before else "stations.nc")) == [0, 1, 2]
    assert squall("run", *words(4, **before), "--continue", "--plan").returncode == 0


LONG = {
    f"output.{stream}.frames_per_file": 1000
    for stream in ("stations", "profiles", "flights", "upper_air", "statistics", "budget")
} | {"output.flights.places_outside": '"leave-out"'}


def kill_after(tmp_path, restart, **more):
    """Runs for hours, and kills the run once a restart frame is there."""
    run = tmp_path / "runs" / "mesonet"
    with subprocess.Popen(
        [str(locate.model_binary()), str(locate.run_file("mesonet")), *words(900, **LONG, **more)[1:]],
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as model:  # fmt: skip
        deadline = time.monotonic() + 60
        while not list(run.glob(restart)) and time.monotonic() < deadline:
            assert model.poll() is None, model.stderr.read()
            time.sleep(0.02)
        model.kill()
    return max(int(path.stem[-5:-3]) for path in run.glob("restart_*.nc"))


def test_what_a_killed_run_had_stored_is_published_before_another_goes_on(squall, tmp_path):
    run = tmp_path / "runs" / "mesonet"
    last = kill_after(tmp_path, "restart_*_00:04:00.nc")
    assert not (run / "stations.nc").exists()
    said = squall("run", *words(last + 3, **LONG), "--continue")
    assert said.returncode == 0, said.stderr
    assert minutes(run / "stations.nc") == list(range(last + 4))
    checked = squall("check", run)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("engine", ["netcdf", "zarr"])
def test_what_a_run_had_appended_when_it_was_killed_is_there_for_the_next(squall, tmp_path, engine):
    more = ZARR if engine == "zarr" else {}
    suffix = "zarr" if engine == "zarr" else "nc"
    run = tmp_path / "runs" / "mesonet"
    assert squall("run", *words(4, **LONG, **more)).returncode == 0
    from_four = {"run.restart_from": f'"{run}/restart_2000-01-01_00:04:00.nc"'}
    last = kill_after(tmp_path, "restart_*_00:08:00.nc", **more, **from_four)
    said = squall("run", *words(last + 3, **LONG, **more), "--continue")
    assert said.returncode == 0, said.stderr
    for stream in ("stations", "flights"):
        assert minutes(run / f"{stream}.{suffix}") == list(range(last + 4)), stream
    checked = squall("check", run)
    assert checked.returncode == 0, checked.stdout


def test_a_copy_that_is_shorter_than_what_was_published_does_not_take_its_place(squall, tmp_path):
    run = tmp_path / "runs" / "mesonet"
    assert squall("run", *words(8, **LONG)).returncode == 0
    from_four = {"run.restart_from": f'"{run}/restart_2000-01-01_00:04:00.nc"'}
    kill_after(tmp_path, "stations.nc.part", **from_four)
    said = squall("recover", run)
    assert minutes(run / "stations.nc") == list(range(9)), said.stdout


def test_lines_of_another_group_of_servers_may_stand_between_those_of_a_file(squall, tmp_path):
    """Each group opens the manifest when it first has something to say."""
    kill_after(tmp_path, "restart_*_00:04:00.nc")
    manifest = tmp_path / "runs" / "mesonet" / "stations.manifest.jsonl"
    lines = manifest.read_text().splitlines()
    second = next(n for n, line in enumerate(lines) if '"event":"stored"' in line and '"frame":1,' in line)
    manifest.write_text("\n".join([*lines[:second], lines[0], *lines[second:]]) + "\n")
    said = squall("recover", manifest)
    assert said.returncode == 0, said.stdout + said.stderr
    found = minutes(manifest.with_name("stations.nc"))
    assert len(found) >= 4
    assert found == list(range(len(found)))
