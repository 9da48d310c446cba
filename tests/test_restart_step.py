"""A run that goes on from a restart frame with another time step: what is due comes when it should, in the
domain and in nests, and what cannot be right is refused."""

import re
import shutil

import numpy as np
import pytest
from netCDF4 import Dataset

import made_up_columns as made_up
from analysed_runs import GRID, HILL, LAND, ROWS, SETTINGS, run, sea_at, write_inputs
from squall.prepare.make_state import build_state
from squall.prepare.wrfbdy import BoundaryWriter
from squall.prepare.wrffdda import NudgingWriter
from squall.prepare.wrflowinp import write_wrflowinp
from squall.reader.dataset import open_run

pytestmark = pytest.mark.regression

EVERY_FIVE = "output.history.interval=5 min"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("analysed"))


def go_on(files, folder, *settings, minutes=40, **more):
    """The history of a run that has stopped at some minute and goes on, with other settings then."""
    run(files, folder, f"run.duration={minutes} min", f"output.restart.interval={minutes} min", **more)
    restart = sorted((folder / "runs/run").glob("restart_*"))[-1].relative_to(folder)
    return run(files, folder, f"run.restart_from={restart}", *settings, **more)


def nearness(one, other, name):
    """Of the last frames, in units of the spread."""
    a, b = (np.asarray(data[name].values[-1], dtype=float) for data in (one, other))
    return np.sqrt(np.mean((a - b) ** 2)) / a.std()


@pytest.fixture(scope="module")
def halved(files, tmp_path_factory):
    """Forty minutes in steps of 60 s, twenty of 30 s: and all of it in steps of 60 s and of 30 s."""
    folder = tmp_path_factory.mktemp("halved")
    cumulus = {
        "physics": 'cumulus = "kain-fritsch"\ncumulus_interval = "5 min"\nradiation_interval = "15 min"'
    }
    return (
        go_on(
            files,
            folder / "on",
            "run.time_step=30 s",
            EVERY_FIVE,
            "output.restart.interval=60 min",
            **cumulus,
        ),
        run(files, folder / "long", EVERY_FIVE, **cumulus),
        run(files, folder / "short", "run.time_step=30 s", EVERY_FIVE, **cumulus),
        folder / "on/runs/run",
    )


def test_the_weather_stays_what_it_was(halved):
    on, long, short, _ = halved
    for name in ("U", "V", "T", "MU", "QVAPOR", "TSK"):
        apart = nearness(long, short, name)
        assert 0 < nearness(short, on, name) < 1.5 * apart + 1e-4, name


def test_frames_keep_their_times_and_the_log_tells_of_the_step(halved):
    on, *_, folder = halved
    assert list(on["elapsed"].values) == [0, 1200, 2400, 2700, 3000, 3300, 3600]
    last = sorted(folder.glob("history_*"))[-1]
    with Dataset(last) as frames:
        assert frames.DT == 30
        assert frames["XTIME"][:].tolist()[-1] == 60
    log = (folder / "run.log").read_text()
    assert "From 0:40:00 on the time step is 30 s; before the restart it was 60 s." in log
    with Dataset(sorted(folder.glob("restart_*"))[-1]) as frame:
        assert (int(frame["STEP"][:].squeeze()), float(frame["SECONDS"][:].squeeze())) == (120, 3600)


def calls(history, name="GLW"):
    """At the end of which five minutes radiation was another than at their beginning."""
    values, times = history[name].values, history["elapsed"].values
    return [int(times[n]) for n in range(1, len(times)) if (values[n] != values[n - 1]).any()]


def test_radiation_comes_when_it_is_due(halved):
    """At 45 minutes as ever, and once at the restart, since its interval is of whole steps."""
    on, _, short, _ = halved
    assert calls(short) == [300, 1200, 2100, 3000]
    assert [time for time in calls(on) if time > 2400] == [2700, 3000]


def test_a_step_that_does_not_divide_the_time_of_the_frame_begins_with_a_shorter_one(files, tmp_path):
    """40 minutes are no whole number of steps of 45 s, an hour is."""
    nest = "[nest.inner]\ni_parent_start = 8\nj_parent_start = 7\nnx = 24\nny = 18\n"
    nest += '[output.history_d02]\ninterval = "20 min"\n'
    on = go_on(
        files, tmp_path / "on", "run.time_step=45 s", "output.restart.interval=0 s",
        "output.history.interval=15 min", "output.history_d02.interval=15 min", more=nest,
    )  # fmt: skip
    assert list(on["elapsed"].values[-2:]) == [2700, 3600]
    log = (tmp_path / "on/runs/run/run.log").read_text()
    assert "From 0:40:00 on the time step is 45 s; before the restart it was 60 s." in log
    run(files, tmp_path / "long", more=nest)
    run(
        files, tmp_path / "short", "run.time_step=45 s", "output.restart.interval=0 s",
        "output.history.interval=15 min", "output.history_d02.interval=15 min", more=nest,
    )  # fmt: skip
    for domain in (1, 2):
        on, long, short = (open_run(tmp_path / name / "runs/run", domain) for name in ("on", "long", "short"))
        assert on["elapsed"].values[-1] == 3600
        for name in ("U", "T", "MU", "QVAPOR"):
            assert 0 < nearness(short, on, name) < nearness(short, long, name), (domain, name)


def test_steps_may_begin_to_adapt_and_be_equal_again(files, tmp_path):
    """A run of equal steps used to take the number of a frame's steps for its time."""
    whole = run(files, tmp_path / "whole", run="acoustic_substeps = 8")
    adaptive = ("run.adaptive_time_step=true", "run.max_time_step=70 s")
    adapted = go_on(files, tmp_path / "adapted", *adaptive, run="acoustic_substeps = 8")
    again = "adaptive_time_step = true\nacoustic_substeps = 8\n"
    equal = go_on(files, tmp_path / "equal", "run.adaptive_time_step=false", run=again)
    for other in (adapted, equal):
        assert list(other["elapsed"].values) == [0, 1200, 2400, 3600]
        for name, limit in (("U", 0.1), ("T", 0.01), ("QVAPOR", 0.03)):
            assert nearness(other, whole, name) < limit, name
    log = (tmp_path / "adapted/runs/run/run.log").read_text()
    assert "From 0:40:00 on the time step adapts, from 60 s; before the restart it was 60 s." in log
    log = (tmp_path / "equal/runs/run/run.log").read_text()
    told = re.search(r"From 0:40:00 on the time step is 60 s; before the restart it was ([\d.]+) s\.", log)
    assert told
    assert float(told[1]) > 60


MEAN = '[output.means]\ninterval = "20 min"\nfields = ["T2"]\nover_time = { T2 = "mean" }\n'


def test_means_of_all_steps_are_not_made_of_two_kinds_of_step(files, tmp_path):
    def half_way(folder, more, **fails):
        return go_on(files, tmp_path / folder, "run.time_step=30 s", minutes=30, more=more, **fails)

    folder = tmp_path / "refused"
    run(files, folder, "run.duration=30 min", "output.restart.interval=30 min", more=MEAN)
    restart = next((folder / "runs/run").glob("restart_*")).relative_to(folder)
    on = (f"run.restart_from={restart}", "run.time_step=30 s")
    said = run(files, folder, *on, more=MEAN, fails=True)
    assert "[output.means]: over_time weights all steps of an interval equally" in said
    assert 'keep run.time_step = "60 s" until the end' in said
    sampled = MEAN + 'sample = "1 min"\n'
    on = half_way("sampled", sampled)
    whole = run(files, tmp_path / "whole", more=sampled)
    assert list(whole["elapsed"].values) == list(on["elapsed"].values)
    half_way("extremes", MEAN.replace('"mean"', '"min max"'))
    at_end = go_on(files, tmp_path / "at_end", "run.time_step=30 s", more=MEAN)
    assert at_end["elapsed"].values[-1] == 3600


def cut_off(path):
    """A file of analyses without its first record."""
    with Dataset(path) as old, Dataset(path.with_name("cut"), "w", format="NETCDF3_64BIT_OFFSET") as new:
        keep = range(1, len(old.dimensions["Time"]))
        new.setncatts(old.__dict__)
        for name, dimension in old.dimensions.items():
            new.createDimension(name, None if dimension.isunlimited() else len(dimension))
        for name, variable in old.variables.items():
            copy = new.createVariable(name, variable.dtype, variable.dimensions)
            copy.setncatts({k: v for k, v in variable.__dict__.items() if k != "_FillValue"})
            copy[:] = variable[list(keep)] if variable.dimensions[0] == "Time" else variable[:]
    path.with_name("cut").replace(path)


@pytest.fixture(scope="module")
def frequent(tmp_path_factory):
    """Input whose analyses are twenty minutes apart."""
    folder = write_inputs(tmp_path_factory.mktemp("frequent"))
    thirds = [0, 1 / 3, 2 / 3, 1]
    states = [build_state(made_up.weather(GRID, HILL, h), GRID, HILL, LAND, SETTINGS) for h in thirds]
    with (
        BoundaryWriter(folder / "wrfbdy_d01", GRID, ROWS) as boundary,
        NudgingWriter(folder / "wrffdda_d01", GRID) as nudging,
    ):
        for state in states:
            boundary.add(state)
            nudging.add(state)
    write_wrflowinp(folder / "wrflowinp_d01", GRID, SETTINGS, [sea_at(h) for h in thirds])
    return folder


ANALYSED = {
    "boundary": 'lower_file = "wrflowinp_d01"',
    "more": '[nudging]\nfile = "wrffdda_d01"\nwind = "3e-4 s-1"\ntemperature = "3e-4 s-1"\n',
}
ANALYSES = ("wrfbdy_d01", "wrflowinp_d01", "wrffdda_d01")


@pytest.mark.parametrize("ranks", [1, 3])
def test_after_a_restart_files_of_analyses_need_hold_no_more_than_what_is_left(frequent, tmp_path, ranks):
    """From 40 minutes on, the time of the frame: with the same bits."""
    whole = run(frequent, tmp_path / "whole", **ANALYSED)
    folder = tmp_path / "on"
    run(frequent, folder, "run.duration=40 min", **ANALYSED)
    restart = next((folder / "runs/run").glob("restart_*")).relative_to(folder)
    for name in ANALYSES:
        for _ in range(2):
            cut_off(folder / name)
    on = run(frequent, folder, f"run.restart_from={restart}", ranks=ranks, **ANALYSED)
    for name in ("U", "V", "W", "T", "MU", "PH", "QVAPOR", "TSK"):
        assert whole[name].values[-1].tobytes() == on[name].values[-1].tobytes(), name


@pytest.mark.parametrize("name", ANALYSES)
def test_a_file_that_begins_after_the_frame_is_refused(frequent, tmp_path, name):
    folder = tmp_path / "late"
    run(frequent, folder, "run.duration=20 min", "output.restart.interval=20 min", **ANALYSED)
    restart = next((folder / "runs/run").glob("restart_*")).relative_to(folder)
    for _ in range(2):
        cut_off(folder / name)
    said = run(frequent, folder, f"run.restart_from={restart}", fails=True, **ANALYSED)
    assert f"{name}: begins at 2020-03-01_12:40:00, but the run begins at 2020-03-01T12:20:00" in said
    shutil.rmtree(folder / "runs")
    cold = run(frequent, folder, fails=True, **ANALYSED)  # who does not go on needs all of it
    assert f"{name}: begins at 2020-03-01_12:40:00, but the run begins at 2020-03-01T12:00:00" in cold
