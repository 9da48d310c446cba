"""`squall wrf time`: what is run, in which folders and with which settings, and what is told of it. A script
stands for WRF."""

import contextlib
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from squall.errors import UserError
from squall.wrf import namelist
from squall.wrf_output import timing
from squall.wrf_output.layers import LAYERS
from squall.wrf_output.settings import read as read_settings
from squall.wrf_output.timing import measure, programs, show
from squall.wrf_output.timing.measure import Setup
from squall.wrf_output.timing.programs import Programs
from squall.wrf_output.timing.variants import NONE, REFERENCE, Namelists, Variant, chosen

NAMELIST = """ &time_control
 run_hours = 6, ! of the spring run
 start_year = 2005, start_month = 7, start_day = 16, start_hour = 12,
 history_interval_h = 1, 1,
 frames_per_outfile = 24, 24,
 history_outname = '/elsewhere/wrfout_d<domain>_<date>',
 restart_interval = 180,
 io_form_history = 102,
 auxhist7_interval = 10, 10, io_form_auxhist7 = 2, auxhist7_outname = '/elsewhere/aux_<date>'
 use_netcdf_classic = .true.
 /
 &domains
 max_dom = 2,
 /
 &namelist_quilt
 nio_tasks_per_group = 2,
 /
"""

#: Writes as many frames as hours fit the run; io_form 13 fails, and 11 has another value in the second frame.
FAKE = """#!{python}
import re, sys
import netCDF4
def value(key):
    return int(re.search(rf"^ {{key}} = (\\d+)", text, re.M)[1])
text = open("namelist.input").read()
form, never = value("io_form_history"), "history_interval = 10000000" in text
assert open("TABLE.TBL").read() == "table"
assert open("wrfinput_d01").read() == "input"
said = open("rsl.error.0000", "w")
if form == 13:
    print("FATAL: no [parallel] netCDF", file=said)
    sys.exit(1)
hours = 1 if "run_seconds = 3600" in text else value("run_hours")
for hour in range(1 if never else hours + 1):
    name = f"wrfout_d01_2005-07-16_{{12 + hour}}:00:00"
    for piece in ("_0000", "_0001") if form > 100 else ("",):
        with netCDF4.Dataset(name + piece, "w", format="NETCDF3_CLASSIC") as file:
            file.createDimension("x", 1000)
            file.createVariable("T", "f4", ("x",))[:] = hour + (form == 11 and {differs})
    if hour:
        print(f"Timing for main: time {{hour}} on domain   1:    2.00000 elapsed seconds", file=said)
    seconds = 9 if not hour else {seconds} * hour
    print(f"Timing for Writing {{name}} for domain        1:   {{seconds:8.5f}} elapsed seconds", file=said)
    print(f"Timing for Writing {{name}} for domain        2:   77.00000 elapsed seconds", file=said)
print("d01 wrf: SUCCESS COMPLETE WRF", file=said)
"""


def fake(path, seconds, differs=False):
    path.write_text(FAKE.format(python=sys.executable, seconds=seconds, differs=differs))
    path.chmod(0o755)
    return path


def left(folder):
    """The folder of a run, with what an earlier one left in it."""
    folder.mkdir()
    for name, text in {
        "namelist.input": NAMELIST, "TABLE.TBL": "table", "wrfinput_d01": "input",
        "rsl.error.0000": "earlier", "wrfout_d01_2005-07-16_18:00:00": "earlier",
        "squall_io.toml": "nonsense",
    }.items():  # fmt: skip
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def run(tmp_path):
    return left(tmp_path / "run")


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """Of all variants that run without mpirun, twice."""
    folder = tmp_path_factory.mktemp("timed")
    both = Programs(
        fake(folder / "wrf.exe", 0.4), fake(folder / "wrf_squall.exe", 0.1, True), (2, 102, 11, 13)
    )
    variants = [v for v in chosen(both, [], ["zarr"]) if not v.servers]
    (folder / "scratch").mkdir()
    setup = Setup(left(folder / "run"), both, variants, 1, 2, folder / "scratch")
    return measure.measure(setup, lambda doing: None)


def changed(run, variant, **options):
    path = run / "namelist.input"
    path.write_text(Namelists.of(run).text(variant, **options))
    return namelist.read(path)


def test_writes_are_those_of_the_outermost_domain_and_the_first_is_apart(result):
    wrf, squall = result.of(REFERENCE), result.of(Variant(2, "thread"))
    assert wrf.runs[0].writes == pytest.approx([9, 0.4, 0.8, 1.2, 1.6, 2.0, 2.4])
    assert wrf.runs[0].steps == [2] * 6
    assert (wrf.first, wrf.write, wrf.largest) == pytest.approx((9, 1.4, 2.4))
    assert result.less(squall) == pytest.approx(4)
    assert result.of(NONE).write is None
    assert result.slower(wrf) > 0


def test_nothing_is_left_and_the_run_s_folder_stays_as_it_is(result, run):
    timed = result.setup.folder
    assert {p.name: p.read_text() for p in timed.iterdir()} == {p.name: p.read_text() for p in run.iterdir()}
    assert not [*result.setup.scratch.iterdir()]


def test_the_frames_are_compared_and_a_frame_in_pieces_is_their_sum(result):
    assert result.of(REFERENCE).compared == "the reference"
    assert result.of(Variant(2, "thread")).compared == "equal"
    pieces = result.of(Variant(102))
    assert pieces.compared == "in pieces"
    assert pieces.frame_bytes == 2 * pieces.file_bytes > 8000
    differs = result.of(Variant(11, "thread"))
    assert differs.compared == "differs"
    assert "T" in differs.difference
    assert result.values == 4000
    assert result.copy > 0


def test_a_variant_that_fails_is_told_with_what_it_said_and_the_others_go_on(result):
    assert [m.variant for m in result.measured if m.failure] == [Variant(13)]
    assert {len(m.runs) for m in result.measured if not m.failure} == {2}
    told = show.failures(result)[0]
    assert told.startswith("WRF io_form 13 failed. It ended with exit code 1")
    assert "FATAL: no [parallel] netCDF" in told
    assert next(row for row in show.rows(result) if row[0] == "WRF io_form 13")[-1] == "failed"


def test_the_table_is_told_for_terminals_for_markdown_and_as_json(result, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(measure, "measure", lambda *_: result)
    monkeypatch.setenv("COLUMNS", "200")
    assert not timing.run(result.setup, tmp_path / "times.json", markdown=False)
    shown = capsys.readouterr().out
    for word in ("1 rank that computes", "A frame has 0.0 MB", "Squall io_form 11 zarr", "equal", "FATAL"):
        assert word in shown
    timing.run(result.setup, None, markdown=True)
    lines = capsys.readouterr().out.splitlines()
    row = next(line for line in lines if line.startswith("| Squall io_form 2 |"))
    assert row.startswith("| Squall io_form 2 | thread | 0.3500 | 0.6000 | 4.0 | 9.00 |")
    assert {line.count("|") for line in lines if line.startswith("|")} == {12}
    told = json.loads((tmp_path / "times.json").read_text())
    found = next(v for v in told["variants"] if v["name"] == "WRF io_form 2")
    assert (found["times_less_than_io_form_2"], found["compared"]) == (1, "the reference")
    assert len(found["runs"][0]["writes"]) == 7


def test_a_run_writes_history_alone_a_frame_a_file_into_its_own_folder(run):
    found = changed(run, Variant(11, "thread"))
    assert found.columns("time_control.io_form_history") == [11]
    assert found.columns("time_control.frames_per_outfile") == [1, 1]
    assert found.columns("time_control.history_interval_h") == [1, 1]
    assert found.column("time_control.use_netcdf_classic") is False
    assert found.column("time_control.restart_interval") == 10000000
    assert found.columns("time_control.auxhist7_interval") == [10000000] * 2
    assert found.column("namelist_quilt.nio_tasks_per_group") == 0
    assert not [name for name in found.names if name.endswith("_outname")]
    assert "! of the spring run" in (run / "namelist.input").read_text()


def test_without_output_the_interval_is_longer_than_any_run(run):
    found = changed(run, NONE)
    assert found.columns("time_control.history_interval") == [10000000] * 2
    assert found.columns("time_control.history_interval_h") == [0, 0]
    assert found.column("time_control.io_form_history") == 102


def test_classic_is_a_key_that_is_added_where_it_is_absent(run):
    path = run / "namelist.input"
    path.write_text(NAMELIST.replace("use_netcdf_classic", "!"))
    assert "use_netcdf_classic" not in Namelists.of(run).text(Variant(2)).replace("! = .true.", "")
    assert changed(run, Variant(2, classic=True)).column("time_control.use_netcdf_classic") is True


def test_the_run_that_is_compared_ends_with_its_second_frame(run):
    found = changed(run, Variant(2), short=True)
    assert found.column("time_control.run_hours") == 0
    assert found.column("time_control.run_seconds") == 3600
    (run / "namelist.input").write_text(NAMELIST.replace("run_hours = 6", "run_hours = 1"))
    assert "run_seconds" not in Namelists.of(run).text(Variant(2), short=True)


@pytest.mark.parametrize(
    ("placement", "engine", "codec"),
    [("thread", "", ""), ("servers", "", ""), ("thread", "zarr", "zstd:3")],
)
def test_settings_of_squall_are_valid(tmp_path, placement, engine, codec):
    path = tmp_path / "squall_io.toml"
    path.write_text(Variant(11, placement, engine, codec=codec).settings())
    found = read_settings(path)
    assert found.of("history")["placement"] == placement
    assert found.of("history").get("engine", "") == engine
    assert found.of("history").get("codec", "") == codec
    assert found.servers == (placement == "servers")


def test_what_is_timed_is_what_both_programs_have(tmp_path):
    ncd, pnc, adios2 = LAYERS[2], LAYERS[0], LAYERS[1]
    both = Programs(tmp_path, tmp_path, (2, 102, 14), [adios2, ncd], ["zarr"])
    names = [f"{v.name} {v.placement}".strip() for v in chosen(both, [], ["zarr"])]
    assert names == [
        "no output", "WRF io_form 2", "WRF io_form 2 classic", "WRF io_form 102", "WRF io_form 14",
        "Squall io_form 2 thread", "Squall io_form 14 thread", "Squall io_form 14 servers",
        "Squall io_form 14 zarr thread", "Squall io_form 14 zarr servers",
    ]  # fmt: skip
    assert chosen(both, [14], ["zarr:zstd:3"])[-1] == Variant(14, "servers", "zarr", codec="zstd:3")
    assert chosen(both, [2], []) == [NONE, REFERENCE, Variant(2, classic=True), Variant(2, "thread")]
    with pytest.raises(UserError, match="no io_form 11; it has 2, 102 and 14"):
        chosen(both, [11], [])
    with pytest.raises(UserError, match="no engine sst; it has zarr"):
        chosen(both, [], ["sst:zstd"])
    assert pnc.io_form == 11


def test_servers_are_ranks_in_addition(run, tmp_path):
    both = Programs(tmp_path / "wrf.exe", tmp_path / "wrf_squall.exe", (11,))
    setup = Setup(run, both, [], 1, 1, tmp_path)
    command = measure.start(setup, Variant(11, "servers")).command
    assert command[command.index("-n") + 1] == "2"
    assert command[-1] == str(both.squall)
    assert measure.start(setup, Variant(11)).command == [str(both.wrf)]


def told_to_file(setup, json):
    with json.with_suffix(".md").open("w") as out, contextlib.redirect_stdout(out):
        timing.run(setup, json, markdown=True)


def runs(pid):
    """Whether a process runs: one that was killed may keep its number until its new parent looks at it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_signal_ends_wrf_removes_its_folder_and_tells_what_was_measured(run, tmp_path):
    started, json_file = tmp_path / "started", tmp_path / "times.json"
    sleeps = tmp_path / "wrf_squall.exe"
    wrf = fake(tmp_path / "wrf.exe", 0.4)
    sleeps.write_text(
        f"#!/bin/sh\ngrep -q 'run_seconds = 3600' namelist.input && exec {wrf} # what is compared\n"
        f"echo $$ > {started}.tmp\nmv {started}.tmp {started}\nexec sleep 600\n"
    )
    sleeps.chmod(0o755)
    both = Programs(wrf, sleeps, (2,))
    setup = Setup(run, both, [REFERENCE, Variant(2, "thread")], 1, 1, tmp_path)
    process = multiprocessing.get_context("fork").Process(target=told_to_file, args=(setup, json_file))
    process.start()
    while not started.exists():
        assert process.is_alive()
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGTERM)
    process.join(60)
    assert process.exitcode == 128 + signal.SIGTERM
    told = json.loads(json_file.read_text())
    assert told["stopped"]
    assert [(v["compared"], len(v["runs"])) for v in told["variants"]] == [("the reference", 1), ("equal", 0)]
    assert "stopped after 1 of 2 runs, 1 run of each" in json_file.with_suffix(".md").read_text()
    deadline = time.monotonic() + 60
    while runs(int(started.read_text())):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert not [*tmp_path.glob("wrf-time-*")]


@pytest.mark.skipif(not (shutil.which("cc") and shutil.which("nm")), reason="there is no cc or no nm")
def test_io_forms_and_layers_are_those_in_the_programs(tmp_path):
    main = tmp_path / "main"
    main.mkdir()
    without = "int main(void) { return 0; }"
    source = f"void ext_ncd_ioinit_(void) {{}} void ext_ncdpar_ioinit_(void) {{}} {without}"
    for name in ("wrf.exe", "wrf_squall.exe"):
        subprocess.run(["cc", "-x", "c", "-", "-o", main / name], input=source, text=True, check=True)
    found = programs.find(tmp_path)
    assert found.wrf == main / "wrf.exe"
    assert (found.forms, found.replaced) == ([2, 102, 13], [])
    subprocess.run(["cc", "-x", "c", "-", "-o", main / "wrf.exe"], input=without, text=True, check=True)
    with pytest.raises(UserError, match="shows no layer that writes netCDF"):
        programs.find(tmp_path)


def test_what_is_missing_is_told_with_what_makes_it(squall, run, tmp_path):
    def told(*arguments):
        done = squall("wrf", "time", run, "--wrf", tmp_path / "WRF", *arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        return " ".join(done.stderr.split())

    assert "it has no main/wrf.exe" in told()
    (tmp_path / "WRF" / "main").mkdir(parents=True)
    fake(tmp_path / "WRF" / "main" / "wrf.exe", 1)
    assert f"has no main/wrf_squall.exe. This makes it: squall wrf relink {tmp_path / 'WRF'}" in told()
    assert "numbers separated by commas" in told("--forms", "netcdf")
    (run / "namelist.input").write_text(NAMELIST.replace("history_interval_h = 1, 1", "history_interval = 0"))
    assert "has no history written" in told()
    os.remove(run / "namelist.input")
    assert "There is no namelist" in told()
