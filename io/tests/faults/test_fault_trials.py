"""`tools/faults` finds what breaks a promise, and nothing where all are kept."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer

from fault_trials import judge, machine, schedule, trial
from fault_trials.__main__ import app
from fault_trials.schedule import Fault, Layout, Schedule
from fault_trials.trial import Patience
from squall.errors import UserError

pytestmark = [pytest.mark.regression, pytest.mark.spread, pytest.mark.seconds(100)]

COMMAND = Path(__file__).parents[3] / "tools" / "faults"

INLINE = Layout("netcdf", "inline", ranks=1)
# A busy machine must not take longer than the deadline where nothing is wrong.
BUSY = Patience(deadline=15, margin=40)


@pytest.fixture(scope="module", autouse=True)
def built():
    try:
        machine.programs()
        machine.open_mpi()
    except UserError as error:
        pytest.skip(str(error))


def broken(tmp_path, layout, fault, patience=Patience()):  # noqa: B008
    done = trial.carry_out(Schedule(0, 0, layout, fault), tmp_path, patience)
    return {violation.promise for violation in judge.judge(done)}, done


def damage(monkeypatch, what):
    """Does `what` to the directory of published files before anybody looks at it."""
    whole, seen = trial._look, []

    def look(programs, data):
        if not seen:
            what(data / "out")
        seen.append(data)
        return whole(programs, data)

    monkeypatch.setattr(trial, "_look", look)


def flip(path):
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(content)


def test_a_run_without_a_fault_keeps_all_promises(tmp_path):
    promises, done = broken(tmp_path, INLINE, Fault("none", harmless=True))
    assert not promises
    assert sorted(done.left.frames) == list(range(schedule.FRAMES))
    assert not list(tmp_path.iterdir())
    done.run.said = "io_faults_writer: tpp.c:83: __pthread_tpp_change_priority: Assertion `...' failed.\n"
    assert {v.promise for v in judge.judge(done)} == {"nobody crashes"}


@pytest.mark.parametrize("harm", [flip, lambda path: os.truncate(path, 500), lambda path: path.unlink()])
def test_a_published_file_that_is_damaged_or_gone_is_found(tmp_path, monkeypatch, harm):
    damage(monkeypatch, lambda out: harm(out / "2000-01-01_00-00-03.nc"))
    promises, _ = broken(tmp_path, INLINE, Fault("none", harmless=True))
    assert "what is published is whole" in promises


def test_a_frame_that_was_reported_lost_and_shows_is_found(tmp_path, monkeypatch):
    def publish_all_the_same(out):
        (out / "2000-01-01_00-00-03.nc").hardlink_to(out / "2000-01-01_00-00-00.nc")

    # Frame 3 cannot be renamed; frame 0 takes its place, under a number that was reported lost.
    damage(monkeypatch, publish_all_the_same)
    rules = "call=rename path=*-03.nc do=fail"
    promises, done = broken(tmp_path, INLINE, Fault("rename error", rules, cause="Input/output error"))
    assert judge.told_lost(done) == {3}
    assert "what is published is whole" in promises
    done.left.frames[3] = 0
    assert "what was reported lost is not visible" in {v.promise for v in judge.judge(done)}


@pytest.mark.long
def test_a_run_that_waits_for_ever_is_found_and_ended(tmp_path):
    layout = Layout("netcdf", "inline", ranks=2)
    # It will wait for a minute; the trial for 6 seconds.
    rules = "rank=1 call=collective nth=12 do=drop"
    promises, done = broken(tmp_path, layout, Fault("dropped message", rules), Patience(60, 6 - 130))
    assert done.fired
    assert "nothing hangs" in promises


def test_a_loss_that_nobody_is_told_of_is_found(tmp_path, monkeypatch):
    damage(monkeypatch, lambda out: (out / "2000-01-01_00-00-03.nc").unlink())
    promises, _ = broken(tmp_path, INLINE, Fault("quota", "quota=1000000", cause="No space"))
    assert {"nothing is lost silently", "losses show in the exit code"} <= promises


@pytest.mark.parametrize("placement", schedule.PLACEMENTS)
def test_every_engine_keeps_its_promises_under_a_fault_that_is_drawn(placement, tmp_path):
    drawn = [
        schedule.draw(12, number, [engine], [placement])
        for number, engine in enumerate(machine.storing_engines())
    ]
    with ThreadPoolExecutor(2) as pool:
        trials = pool.map(lambda s: trial.carry_out(s, tmp_path, BUSY), drawn)
    assert not {str(t.schedule): violations for t in trials if (violations := judge.judge(t))}


def test_a_frame_that_is_missing_where_others_should_have_taken_over_is_found(tmp_path, monkeypatch):
    damage(monkeypatch, lambda out: (out / "2000-01-01_00-00-03.nc").unlink())
    layout = Layout("netcdf", "servers", ranks=1, servers=1, on_lost_server="take-over")
    kill = Fault("kill -9", "rank=1 call=rename nth=3 do=kill", noticed=False, victim=1)
    promises, done = broken(tmp_path, layout, kill)
    assert sorted(done.left.frames) == [0, 1, 2, 4, 5, 6, 7]
    assert "others take over from lost servers" in promises


def test_frames_that_a_message_leaves_to_recover_are_known():
    said = "squall io: stream fire: frames 1 to 2, 4 to 4 were stored by servers that are lost, in x; 8 to 9"
    run = trial.Ended(0, said, hung=False, seconds=0.0)
    assert judge.left_in_parts(SimpleNamespace(run=run)) == {1, 2, 4}


def test_a_frame_that_is_skipped_without_leave_is_found(tmp_path):
    _, done = broken(tmp_path, INLINE, Fault("none", harmless=True))
    report = done.run.events("report")[0]
    report["skipped"] = 1
    assert {v.promise for v in judge.judge(done)} == {"only streams that may skip do so"}


def test_a_seed_and_a_number_make_the_same_schedule_again():
    engines = ("netcdf", "zarr")
    drawn = [schedule.draw(7, n, engines) for n in range(200)]
    assert drawn == [schedule.draw(7, n, engines) for n in range(200)]
    assert {s.layout.engine for s in drawn} == set(engines)
    assert {s.layout.placement for s in drawn} == set(schedule.PLACEMENTS)
    assert {s.fault.kind for s in drawn} >= {"kill -9", "SIGSTOP", "full disk", "fsync error"}
    assert {s.layout.on_lost_server for s in drawn} == {"stop", "take-over"}
    assert {s.layout.when_full for s in drawn} == {"wait", "spill", "skip"}
    stores = [s.layout for s in drawn if s.layout.engine == "zarr"]
    assert {(s.tiled, s.encode) for s in stores if s.servers} == {
        (tiled, who) for tiled in (False, True) for who in ("auto", "ranks", "servers")
    }
    assert {s.tiled for s in stores if not s.servers} == {False, True}
    assert len({str(s) for s in drawn}) == 200


def test_every_rule_that_is_drawn_is_one_that_the_shim_knows(tmp_path):
    programs = machine.programs()
    probe = programs.writer.parent / "io_faults_probe"
    for number in range(100):
        rules = schedule.draw(3, number, ("netcdf", "zarr")).fault.rules
        done = subprocess.run(
            [probe], env=os.environ | {"LD_PRELOAD": str(programs.shim), "SQUALL_FAULTS": rules}, check=False
        )
        assert done.returncode == 0, rules


def command(folder, *arguments):
    """Runs `tools/faults` in a directory; returns the finished process."""
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_command_prints_a_table_and_writes_what_it_found(tmp_path):
    done = command(
        tmp_path,
        *("--runs", 4, "--engine", "netcdf", "--fault", "slow disk,full disk"),
        *("--deadline", BUSY.deadline),
        *("--dir", "runs", "--json", "found.json"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All promises were kept in 4 trials" in done.stdout
    found = json.loads((tmp_path / "found.json").read_text())
    assert len(found["trials"]) == 4
    assert all(not t["violations"] for t in found["trials"])


def test_an_engine_that_is_not_known_is_refused_with_those_that_are(tmp_path):
    done = command(tmp_path, "--engine", "no-such-engine")
    assert done.returncode == 2
    assert done.stderr.startswith("tools/faults: There is no engine no-such-engine; there are ")
    assert "netcdf" in done.stderr


def test_help_gives_examples_and_says_what_each_option_is(tmp_path):
    done = command(tmp_path, "--help")
    assert done.returncode == 0, done.stderr
    assert "    tools/faults --seed 7 --from 123 --runs 1" in done.stdout
    silent = [p.name for p in typer.main.get_command(app).params if not getattr(p, "help", None)]
    assert not silent
