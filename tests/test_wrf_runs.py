"""Folders of WRF runs that the output runtime wrote: what looks at runs of ours looks at these."""

import json
import os
import shutil
import time
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

import squall as package
from growing_run import ENGINES, needs
from made_wrf import EARTH, MadeWrf, domains
from pictures import assert_drawn
from squall.commands import complete
from squall.errors import UserError
from squall.reader.frames import streams
from squall.runs import report as reports
from squall.runs import run_state
from squall.runs import status as statuses

pytestmark = pytest.mark.regression


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Complete runs of three hours by any engine, each made once."""
    found = {}

    def make(engine="netcdf", **options):
        needs(engine)
        key = engine, *options
        if key not in found:
            found[key] = tmp_path_factory.mktemp("wrf") / "-".join(key)
            with MadeWrf(found[key], engine, **options) as wrf:
                wrf.add(3)
        return found[key]

    return make


@pytest.fixture
def own(made, tmp_path):
    """A run that a test may change."""
    return lambda *engine: shutil.copytree(made(*engine), tmp_path / "wrf", symlinks=True)


def first_file(run, stream="wrfout_d02"):
    return min(path for path in run.glob(f"{stream}_*") if path.suffix not in (".part", ".png"))


def outdated(run):
    """WRF has said nothing for a while."""
    os.utime(run / "rsl.error.0000", (time.time() - 600,) * 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_streams_of_all_domains_are_read_in_every_format(made, engine):
    run = made(engine)
    assert streams(run) == ["history", "history_d02"]
    for domain, words in (
        (1, {}),
        (2, {"domain": 2}),
        (2, {"stream": "wrfout_d02"}),
        (2, {"stream": "history_d02"}),
    ):
        found = xr.open_dataset(run, engine="squall", **words)
        latitude = domains()[domain - 1][1]
        assert (found.sizes["south_north"], found.sizes["west_east"]) == latitude.shape
        np.testing.assert_allclose(found["XLAT"][0], latitude, rtol=1e-6)
        np.testing.assert_array_equal(
            found["XTIME"], np.datetime64("2000-01-01") + np.arange(3) * np.timedelta64(1, "h")
        )
        np.testing.assert_array_equal(found["T2"][:, 0, 0], 280 + 10 * domain + np.arange(3))
    restart = package.open_run(run, stream="restart", domain=2)
    assert restart["elapsed"].values.tolist() == [3600.0]


@pytest.mark.parametrize("engine", ENGINES)
def test_xarray_knows_folders_and_files_without_being_told_of_squall(made, engine):
    run = made(engine)
    assert xr.open_dataset(run)["T2"].sizes["Time"] == 3
    with xr.open_dataset(first_file(run)) as one:
        assert float(one["T2"][0, 0, 0]) == 300


def test_a_stream_that_is_not_there_is_told_from_those_that_are(made):
    with pytest.raises(UserError, match=r"Its streams are history, history_d02\.$"):
        package.open_run(made(), stream="auxhist2")


def test_a_run_is_told_of_and_followed_while_wrf_runs_and_when_it_has_ended(tmp_path):
    needs("netcdf")
    with MadeWrf(tmp_path / "wrf") as wrf:
        wrf.add(2)
        state = run_state.state_of(wrf.folder)
        told = state.told
        assert (state.word, told["time"], told["seconds"], told["duration"]) == (
            "running",
            "2000-01-01T01:00:00",
            3600,
            21600,
        )
        assert told["speed"] == pytest.approx(600 / 0.5)
        assert told["steps_per_second"] == pytest.approx(2)
        assert told["seconds_left"] == pytest.approx(18000 / 1200)
        nest = told["domains"][1]
        assert (nest["nx"], nest["ny"], nest["dx"], nest["parent"]) == (24, 18, 20000, 1)
        frames = package.follow(wrf.folder, timeout=100)
        assert [float(next(frames)["elapsed"]) for _ in range(2)] == [0, 3600]
        wrf.add()
        assert float(next(frames)["elapsed"]) == 7200  # before WRF has ended
        assert statuses.wait_for(wrf.folder, "history at 2000-01-01T02:00", 0) == 0
        assert statuses.wait_for(wrf.folder, "wrfout_d02 at 2000-01-01T02:00", 0) == 0
    assert list(frames) == []
    assert run_state.state_of(wrf.folder).word == "done"


def test_without_wrfs_messages_its_files_tell_how_far_and_how_fast_it_is(own):
    run = own()
    (run / "rsl.error.0000").unlink()
    for hour, file in enumerate(sorted(run.glob("wrfout_d01_*00"))):
        os.utime(file, (1e9 + 10 * hour,) * 2)
    state = run_state.state_of(run)
    assert (state.word, state.told["time"], state.told["speed"]) == ("done", "2000-01-01T02:00:00", 360)
    (run / "namelist.input").write_text("no namelist")
    assert run_state.state_of(run).told == {}


def test_a_wrf_that_was_killed_has_died_and_its_frames_are_recovered(squall, tmp_path):
    needs("netcdf")
    wrf = MadeWrf(tmp_path / "wrf", frames_per_file=3)
    wrf.add(2)
    wrf.kill()
    assert run_state.state_of(wrf.folder).word == "running"  # a moment ago it said something
    outdated(wrf.folder)
    assert run_state.state_of(wrf.folder).word == "died"
    with pytest.raises(UserError, match=r"no frame was received\. `squall recover .*` publishes") as died:
        list(package.follow(wrf.folder, domain=2))
    assert "squall run" not in str(died.value)
    assert squall("check", wrf.folder).returncode == 0
    recovered = squall("recover", wrf.folder)
    assert recovered.returncode == 0, recovered.stderr
    assert package.open_run(wrf.folder, domain=2)["elapsed"].values.tolist() == [0, 3600]


def test_checking_a_folder_finds_what_is_damaged_in_any_stream(squall, own):
    run = own()
    assert squall("check", run).returncode == 0
    file = first_file(run, "wrfrst_d02")
    content = bytearray(file.read_bytes())
    content[-40] ^= 1  # in the last field
    file.write_bytes(content)
    checked = squall("check", run)
    assert checked.returncode == 1
    assert file.name in checked.stdout + checked.stderr


@pytest.mark.parametrize("engine", ENGINES)
def test_pictures_lie_beside_files_of_every_format(squall, own, engine):
    run = own(engine)
    file = first_file(run)
    drawn = squall("plot", file, "--field", "T2")
    assert drawn.returncode == 0, drawn.stderr
    assert_drawn(run / f"{file.stem}-T2.png")
    for words in (["--stream", "wrfout_d02"], ["--time", "01:00"]):
        drawn = squall("plot", run, "--field", "T2", *words, "-o", "other.png")
        assert drawn.returncode == 0, drawn.stderr


def test_nests_are_outlined_where_the_namelist_has_them(made, own):
    (nest,) = json.loads(package.open_run(made()).attrs["NESTS"])
    assert nest == {"name": "d02", "i": 5, "j": 6, "width": 8, "height": 6}
    assert "NESTS" not in package.open_run(made(), domain=2).attrs
    run = own()
    text = (run / "namelist.input").read_text()
    (run / "namelist.input").write_text(text.replace("e_we = 21", "e_we = 31"))  # of another run
    assert "NESTS" not in package.open_run(run).attrs


def test_the_report_is_where_squall_io_toml_puts_it(squall, made, tmp_path):
    told = squall("report", made("netcdf", report=True), "-o", "cost.png")
    assert told.returncode == 0, told.stderr
    assert "wrfout_d02" in told.stdout
    assert_drawn(tmp_path / "cost.png")


def test_without_a_report_the_manifests_are_told_and_how_to_get_one(squall, made):
    run = made()
    told = squall("report", run)
    assert told.returncode == 0
    assert 'the line report = "squall_report.json" at the top of squall_io.toml asks for one' in " ".join(
        told.stdout.split()
    )
    one = json.loads(squall("report", run, "--json").stdout)["streams"][1]
    size = sum(file.stat().st_size for file in run.glob("wrfout_d02_*"))
    assert one == {"name": "wrfout_d02", "engine": "netcdf", "frames": 3, "first": "2000-01-01T00:00:00",
                   "last": "2000-01-01T02:00:00", "files": 3, "stored_bytes": size}  # fmt: skip
    assert reports.published(run / "namelist.input") == []


@pytest.mark.parametrize("command", ["status", "report", "plot"])
def test_a_folder_that_is_no_run_is_refused_in_a_sentence(squall, tmp_path, command):
    told = squall(command, tmp_path)
    assert told.returncode != 0
    assert "Traceback" not in told.stderr
    assert told.stderr.startswith(f"squall: {tmp_path}")


def test_fields_are_completed_from_a_file_of_any_format(made):
    line = SimpleNamespace(params={"run": made("zarr"), "stream": None})
    assert "T2" in complete.fields(line, "T")
    line.params["run"] = made().parent
    assert complete.fields(line, "T") == []


@pytest.mark.parametrize("idealised", [False, True])
def test_the_live_page_has_domains_times_and_health(made, idealised):
    pytest.importorskip("starlette", reason="the page needs the extra watch")
    from squall.watch import health
    from squall.watch.index import index
    from squall.watch.reading import Store
    from squall.watch.run import Run

    run = Run(made("netcdf", idealised=True) if idealised else made())
    run.refresh()
    (found,) = index([run], Store())["runs"]
    assert [(one["name"], one["domain"]) for one in found["streams"]] == [("history", 1), ("history", 2)]
    for one in found["streams"]:
        assert one["frames"] == [0, 3600, 7200]
        assert one["grid"]["earth"] == (not idealised)
        assert "T2" in [field["name"] for field in one["fields"]]
    grid = found["streams"][1]["grid"]
    assert (grid["x"], grid["y"]) == pytest.approx((4 * EARTH.dx / 1000, 5 * EARTH.dy / 1000), abs=0.1)
    state = health.state(run)
    assert (state["word"], state["seconds"], state["duration"]) == ("done", 7200, 21600)
    told = health.health(run)
    assert list(told["streams"]) == ["wrfout_d01", "wrfout_d02", "wrfrst_d01", "wrfrst_d02"]
    assert told["log"][-1].endswith("SUCCESS COMPLETE WRF")
    assert "squall_io.toml" in told["hint"]


def test_the_page_of_a_single_file_notices_that_it_changes(own):
    pytest.importorskip("starlette", reason="the page needs the extra watch")
    from squall.watch.run import Run

    run = Run(first_file(own("zarr")))
    assert run.parts() == [("history", 1)]
    before = run.mark()
    os.utime(run.path / "zarr.json", (1e9, 1e9))
    assert before != run.mark()
