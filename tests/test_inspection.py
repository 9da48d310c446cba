"""`squall info`, `squall diff`, `squall stop` and `squall support`."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from typer.testing import CliRunner

from squall import doctor
from squall.about import difference, info, support
from squall.about.redaction import Redaction
from squall.cli import app
from squall.errors import UserError
from squall.runs import run_state
from squall.runs import stop as stopping
from synthetic import write_history


@pytest.fixture
def run():
    """Runs a command in this process; returns its exit code and output."""

    def command(*words):
        result = CliRunner().invoke(app, [str(word) for word in words])
        if isinstance(result.exception, UserError):
            return result.exception.exit_code, str(result.exception)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result.exit_code, result.output

    return command


@pytest.fixture
def other(channel, tmp_path):
    """A copy of the channel's run, to be changed."""
    return Path(shutil.copytree(channel, tmp_path / "other"))


# ---- info


def test_info_tells_times_cells_sizes_and_fields(channel, run):
    code, said = run("info", channel)
    assert code == 0
    assert "history: 6 frames, 2000-01-01T00:00:00 to 2000-01-06T00:00:00, every 24 h" in said
    assert "20 x 40 x 8 cells of 200 km" in said
    assert "no map" in said
    (line,) = [line for line in said.splitlines() if line.split()[:1] == ["W"]]
    assert line.split() == ["W", "m", "s-1", "9", "z-wind", "component"]


def test_info_as_json_has_all_of_it(channel, run):
    code, said = run("info", channel, "--json")
    (stream,) = json.loads(said)["streams"]
    assert code == 0
    assert (stream["frames"], stream["files"], stream["interval"]) == (6, 6, 86400.0)
    assert stream["bytes"] == sum(file.stat().st_size for file in channel.glob("*.nc"))
    by_name = {field["name"]: field for field in stream["fields"]}
    assert by_name["T"]["levels"] == 8
    assert by_name["T"]["units"] == "K"
    assert "temperature" in stream["derived"]


def test_info_of_a_file_is_of_that_file(channel):
    (file, *_) = sorted(channel.glob("*.nc"))
    found = info.info(file)
    assert found["kind"] == "file"
    assert found["streams"][0]["frames"] == 1
    assert found["streams"][0]["bytes"] == file.stat().st_size


def test_info_tells_the_corners_of_a_map(tmp_path):
    import gzip

    path = tmp_path / "wrfinput_d01"
    path.write_bytes(gzip.decompress((Path(__file__).parent / "data" / "wrfinput_summer.gz").read_bytes()))
    on_map = info.info(path)["streams"][0]["map"]
    assert on_map["grid_mapping_name"] == "lambert_conformal_conic"
    assert on_map["corners"][0] == [34.0547, -106.2009]
    json.dumps(on_map)


def test_info_of_a_stream_that_is_not_there_says_so(channel, run):
    code, said = run("info", channel, "--stream", "stations")
    assert code == 2
    assert "has no stations files" in said


# ---- diff


def test_a_run_is_the_same_as_itself(channel, run):
    code, said = run("diff", channel, channel)
    assert code == 0
    assert "the same, bit for bit" in said


def test_diff_finds_how_much_and_where(channel, other, run):
    (*_, last) = sorted(other.glob("*.nc"))
    with netCDF4.Dataset(last, "a") as data:
        data["T"][0, 2, 5, 7] += 3
        data["T"][0, 2, 5, 8] -= 4
    code, said = run("diff", channel, other, "--json")
    assert code == 1
    (stream,) = json.loads(said)["streams"]
    (found,) = stream["differing"]
    assert (found["field"], found["differ"], found["time"]) == ("T", 2, "5 d")
    assert found["at"] == {"Time": 5, "bottom_top": 2, "south_north": 5, "west_east": 8}
    assert found["largest"] == pytest.approx(4, rel=1e-5)
    assert found["rms"] == pytest.approx(5 / np.sqrt(6 * 8 * 40 * 20), rel=1e-5)
    code, said = run("diff", channel, other)
    assert code == 1
    assert "5 d, bottom_top 2, south_north 5, west_east 8" in said
    assert run("diff", channel, other, "--fields", "U,V")[0] == 0


def test_a_frame_or_a_field_in_one_alone_is_a_difference(channel, other, run):
    (*_, last) = sorted(other.glob("*.nc"))
    last.unlink()
    code, said = run("diff", channel, other)
    assert code == 1
    assert "1 of its frames are in A alone" in said
    first = sorted(other.glob("*.nc"))[0]
    with netCDF4.Dataset(first, "a") as data:
        data.renameVariable("MU", "MUX")
    code, said = run("diff", sorted(channel.glob("*.nc"))[0], first)
    assert code == 1
    assert "fields in A alone: MU\n" in said
    assert "fields in B alone: MUX\n" in said


def test_the_same_numbers_in_another_type_are_the_same(channel, other, run):
    first = sorted(channel.glob("*.nc"))[0]
    wide = other / "wide.nc"
    with netCDF4.Dataset(first) as a, netCDF4.Dataset(wide, "w") as b:
        b.setncatts({name: a.getncattr(name) for name in a.ncattrs()})
        for name, dim in a.dimensions.items():
            b.createDimension(name, None if dim.isunlimited() else len(dim))
        for name, old in a.variables.items():
            new = b.createVariable(name, "f8" if old.dtype == "f4" else old.dtype, old.dimensions)
            new.setncatts({key: old.getncattr(key) for key in old.ncattrs()})
            new[:] = old[:]
    assert run("diff", first, wide)[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--fields", "NOTHING"), "Neither has a field NOTHING"),
        (("--stream", "stations"), "has no stations files"),
    ],
)
def test_what_cannot_be_compared_is_said(channel, run, words, message):
    code, said = run("diff", channel, channel, *words)
    assert code == 2
    assert message in said


def test_runs_without_a_common_time_cannot_be_compared(channel, tmp_path):
    late = write_history(
        tmp_path / "late", "baroclinic-wave", nx=20, ny=40, nz=8, dx=2e5, top=16000, times=[86400 * 30],
        theta_pert=lambda seconds, x, y, z: 0 * (x + y + z),
    )  # fmt: skip
    with pytest.raises(UserError, match=r"no frame of the same time.*A has \S+ to .*, B has \S+ to "):
        difference.difference(channel, late)


# ---- stop


@pytest.fixture
def model(tmp_path):
    """A process that notes a SIGUSR1 as the model does, and its run directory."""
    directory = tmp_path / "run"
    directory.mkdir()
    code = (
        "import signal, json, sys; from pathlib import Path\n"
        "path = Path(sys.argv[1]) / 'status.json'\n"
        "def heed(*_):\n"
        "    told = json.loads(path.read_text()) | {'state': 'stopped', 'why': 'by SIGUSR1'}\n"
        "    path.write_text(json.dumps(told)); sys.exit(3)\n"
        "signal.signal(signal.SIGUSR1, heed); print('ready', flush=True)\n"
        "while True: signal.pause()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, directory], stdout=subprocess.PIPE)
    process.stdout.readline()
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    told = {
        "squall_status": 1, "state": "running", "pid": process.pid, "beat": 1, "host": "here", "at": 0,
        "process": run_state.started(process.pid), "machine": f"{boot} {os.readlink('/proc/self/ns/pid')}",
    }  # fmt: skip
    (directory / "status.json").write_text(json.dumps(told))
    yield process, directory
    process.kill()
    process.communicate()


def test_stop_asks_the_model_and_waits_for_its_end(model, run):
    process, directory = model
    code, said = run("stop", directory, "--wait")
    assert code == 0
    assert f"Asked process {process.pid} to stop" in said
    assert "stopped: by SIGUSR1" in said
    assert process.wait() == 3


def test_where_nothing_runs_stop_says_so(model, run):
    process, directory = model
    run("stop", directory, "--wait")
    process.wait()
    assert run("stop", directory) == (1, f"Nothing runs in {directory}: the run was stopped: by SIGUSR1.")


def test_a_process_that_took_the_models_number_is_left_alone(model, run):
    process, directory = model
    status = directory / "status.json"
    status.write_text(json.dumps(json.loads(status.read_text()) | {"process": "1"}))
    code, said = run("stop", directory)
    assert code == 1
    assert "the run died" in said
    with pytest.raises(UserError, match="has just ended"):
        stopping._send(process.pid, "1", directory)
    assert process.poll() is None


def test_a_run_on_another_machine_is_left_alone(model, run, monkeypatch):
    process, directory = model
    monkeypatch.setattr(run_state, "on_this_machine", lambda told: False)
    monkeypatch.setattr(run_state, "_lives", lambda told: True)
    code, said = run("stop", directory)
    assert code == 1
    assert f"process {process.pid} on here" in said
    assert process.poll() is None


def test_another_programs_run_is_left_alone(run, monkeypatch, tmp_path):
    monkeypatch.setattr(run_state, "state_of", lambda run: run_state.State("running"))
    assert run("stop", tmp_path)[0] == 1


# ---- support


@pytest.fixture
def troubled(tmp_path, monkeypatch):
    """A run directory whose log names people, machines and places; this machine is not examined for it."""
    monkeypatch.setattr(doctor, "examine", lambda: [doctor.Finding("processor", "ok", "of node12")])
    home = tmp_path / "home" / "jane"
    directory = home / "runs" / "storm"
    directory.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USER", "jdoe")
    (directory / "run.log").write_text(
        f"squall run {home}/storm.toml --set run.directory={directory}\n"
        "jdoe@login7.example.org from 10.1.2.3 on node12.cluster, /home/max/wrf and /Users/Eva/x\n"
        "version 1.2.3, root mean square 0.5\n"
    )
    (directory / "status.json").write_text(
        json.dumps(
            {"squall_status": 1, "state": "died", "host": "node12", "machine": "abc", "pid": 7, "why": "x"}
        )
    )
    (directory / "history.manifest.jsonl").write_text('{"event":"stored","fields":{"T":"0123"}}\n')
    (directory / "history.nc").write_bytes(b"data of the run")
    (directory / "link.log").symlink_to("/etc/passwd")
    return directory


def test_the_archive_holds_what_helps_and_says_so(troubled, run, tmp_path):
    code, said = run("support", troubled, "-o", tmp_path / "a.tar.gz")
    assert code == 0, said
    with tarfile.open(tmp_path / "a.tar.gz") as tar:
        names = {entry.name for entry in tar}
        assert {entry.uname for entry in tar} | {entry.gname for entry in tar} == {""}
    assert {f"support/{name}" for name in (
        "run/run.log", "run/status.json", "run/history.manifest.jsonl", "files.txt", "versions.txt",
        "machine.txt", "CONTENTS.txt",
    )} == names  # fmt: skip
    for name in names:
        assert name.removeprefix("support/") in said


def test_the_archive_names_no_people_machines_or_homes(troubled, tmp_path):
    _, parts = support.archive(troubled, tmp_path / "a.tar.gz")
    text = "\n".join(part.text for part in parts)
    for word in (
        "jane",
        "jdoe",
        "node12",
        "login7",
        "10.1.2.3",
        "/home/",
        "/Users/",
        str(tmp_path),
        "0123",
        "data of",
    ):
        assert word not in text, word
    log = next(part.text for part in parts if part.name == "run/run.log")
    assert log.startswith("squall run ~/storm.toml --set run.directory=RUN\n")
    assert "version 1.2.3, root mean square 0.5" in log


def test_a_name_is_a_word_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("USER", "wind")
    redact = Redaction({"RUN": tmp_path})
    assert redact("wind WIND windy wind_speed") == "NAME NAME windy wind_speed"


def test_a_large_log_is_cut_in_the_middle(troubled, tmp_path):
    with (troubled / "run.log").open("a") as log:
        log.writelines(f"line {n}\n" for n in range(400_000))
    _, parts = support.archive(troubled, tmp_path / "a.tar.gz")
    log = next(part.text for part in parts if part.name == "run/run.log")
    assert len(log) < 2.2e6
    assert "bytes left out" in log
    assert log.endswith("line 399999\n")


def test_a_directory_that_is_no_run_is_refused(run, tmp_path):
    code, said = run("support", tmp_path)
    assert code == 2
    assert "is not a run directory" in said


def test_an_archive_that_cannot_be_written_is_said(troubled, run, tmp_path):
    code, said = run("support", troubled, "-o", tmp_path / "nowhere" / "a.tar.gz")
    assert code == 1
    assert "--output" in said
