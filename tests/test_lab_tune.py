"""`squall lab tune` finds what is fastest, keeps it, and what it kept is used only where it holds."""

import json
import time
from dataclasses import replace

import pytest
from netCDF4 import Dataset

from pictures import assert_drawn
from squall.errors import UserError
from squall.lab.tune import choices, problem, search, trial
from squall.lab.tune.problem import DEFAULT, Candidate, Problem, Stream
from squall.lab.tune.race import OUT_OF_TIME, Clock, Entry, race
from squall.lab.tune.trial import Length, Took, TooSlowError
from squall.runs import tuned

pytestmark = pytest.mark.regression

ENGINES = {"netcdf": ["none", "zstd"], "zarr": ["blosc-zstd", "none"], "adios": ["zstd"]}
HISTORY = Stream("history", 5, True)


def made_up(tmp_path, streams=(HISTORY,), cores=4):
    return Problem(tmp_path / "a.toml", {}, 12.0, 600, 40, 20, list(streams), cores, ENGINES)


def cost(candidate):
    """Seconds of a step by which settings, on which the best of one kind does not depend on the others."""
    s = dict(candidate.settings)
    computing = candidate.ranks - int(s.get("output.servers", 0))
    seconds = 1 / (computing * (candidate.threads or 2)) + 0.01 * candidate.ranks
    seconds *= 0.9 if s.get("parallel.tile_y") == "8" else 1
    seconds *= 0.8 if s.get("output.history.engine") == '"zarr"' else 1
    seconds *= 0.7 if s.get("output.history.codec") == '"none"' else 1
    return seconds


class Stopwatch:
    """Runs nothing: a step takes what `cost` says; counts runs."""

    def __init__(self, of=cost):
        self.of, self.asked = of, []

    def __call__(self, candidate, limit):
        self.asked.append(candidate)
        return Took(self.of(candidate), self.of(candidate))


def forever():
    return Clock(float("inf"))


def test_the_search_finds_what_all_combinations_have_at_their_best_with_far_fewer_runs(tmp_path):
    what, kinds = made_up(tmp_path), choices.KINDS
    searched, everything = Stopwatch(), Stopwatch()
    found = search.search(what, kinds, searched, forever())
    best = search.exhaustive(what, kinds, everything, 1)[0]
    assert found.best.best == pytest.approx(cost(best.candidate))
    assert len(set(searched.asked)) < len(everything.asked) / 5


def test_what_the_search_loses_is_told_of_known_times_without_a_run(tmp_path):
    what, kinds = made_up(tmp_path), choices.KINDS
    known = search.exhaustive(what, kinds, Stopwatch(), 1)
    assert search.replayed(what, kinds, known) == 0
    # What is fast only with something else that is slow by itself is not found by one kind after the other.
    hidden = [entry for entry in known if len(entry.candidate.settings) > 2][-1]
    hidden.seconds.append(known[0].best / 1.25)
    assert search.replayed(what, kinds, known) == pytest.approx(0.25)


def test_the_default_stays_where_nothing_is_faster(tmp_path):
    found = search.search(made_up(tmp_path), choices.KINDS, Stopwatch(lambda _: 1.0), forever())
    assert found.best.candidate == DEFAULT


def test_the_best_of_the_race_loses_the_duel_when_it_is_slower_there():
    lucky = Candidate(2, 1)
    times = iter([0.9, 1.0, 1.2, 1.0, 1.2, 1.0, 1.2, 1.0])
    best, default = search.duel(lucky, lambda c, limit: Took(next(times), 1), forever())
    assert search.winner(best, default) is default


def test_what_is_clearly_slower_drops_out_and_is_not_run_again():
    runs = []

    def measure(candidate, limit):
        runs.append(candidate.ranks)
        return Took({1: 1.0, 2: 1.04, 3: 1.5}[candidate.ranks], 1.0)

    entries = [Entry(Candidate(n, 1), "layout") for n in (1, 2, 3)]
    ranking = race(entries, measure, forever())
    assert [entry.candidate.ranks for entry in ranking] == [1, 2, 3]
    assert runs.count(3) == 1
    assert runs.count(2) > 2
    assert entries[2].verdict == "slower after 1"


def test_a_run_far_slower_is_stopped_and_one_that_is_refused_says_why():
    def measure(candidate, limit):
        if candidate.ranks == 2:
            assert limit is not None
            raise TooSlowError
        if candidate.ranks == 3:
            raise UserError("no such engine\nmore")
        return Took(1.0, 1.0)

    entries = [Entry(Candidate(n, 1), "layout") for n in (1, 2, 3)]
    race(entries, measure, forever())
    assert [entry.verdict for entry in entries[1:]] == ["stopped: much slower", "refused: no such engine"]


def test_when_time_is_over_the_default_was_measured_and_what_was_not_tried_is_told(tmp_path):
    found = search.search(made_up(tmp_path), choices.KINDS, Stopwatch(), Clock(time.monotonic() - 1))
    assert found.entries[0].seconds
    assert {entry.verdict for entry in found.entries[1:]} == {OUT_OF_TIME}
    assert found.best.candidate == DEFAULT


def test_a_case_that_does_not_run_as_it_is_ends_with_what_the_model_said(tmp_path):
    def refuse(candidate, limit):
        raise UserError("run.time_step is missing")

    with pytest.raises(UserError, match=r"with its default settings: refused: run\.time_step is missing"):
        search.search(made_up(tmp_path), choices.KINDS, refuse, forever())


def test_layouts_use_all_cores_one_less_and_half_and_grids_fit_the_domain(tmp_path):
    what = replace(made_up(tmp_path, cores=8), ny=1)
    made = list(choices.KINDS[0].make(what, DEFAULT))
    assert {c.ranks * c.threads for c in made} == {8, 7, 4}
    assert {c.get("parallel.ranks_y") for c in made if c.ranks > 1} == {"1"}


def test_output_is_no_choice_where_none_is_written_and_unknown_kinds_are_refused(tmp_path):
    silent = made_up(tmp_path, streams=())
    assert [kind.name for kind in choices.chosen([], silent)] == ["layout", "tiles"]
    with pytest.raises(UserError, match="no choice tile; the choices are layout, tiles"):
        choices.chosen(["tile"], silent)


def test_a_trial_has_the_frames_of_the_run_or_more_frequent_ones(tmp_path):
    what = made_up(tmp_path)
    assert trial.length(what, step=0.1, seconds=2) == Length(20, 5, 5)
    rare = made_up(tmp_path, [replace(HISTORY, steps=300)])
    assert trial.length(rare, step=0.1, seconds=2) == Length(18, 6, 300)
    assert trial._frequency(rare, Length(18, 6, 300)) == {"output.history.interval": "72 s"}


def test_rare_frames_count_as_often_as_the_run_has_them():
    timing = {"each_step": [9.0] + [1.0] * 9 + [2.0] * 2, "stages": {"output": 5.0}}
    report = [{"frames": 3, "perceived_total": 1.5, "drain_median": 0.5}]
    # 2 / 11 s a step in disturbed ones, (1.5 + 3) / 3 s a frame
    often = trial._step(timing, report, Length(12, 6, 6))
    assert often == pytest.approx(13 / 11 + 1.5 / 6)
    rarely = trial._step(timing, report, Length(12, 6, 60))
    assert rarely == pytest.approx(1 + (2 / 11 * 6 + 1.5) / 60)


@pytest.fixture
def configured(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def result(document, **changes):
    decides = ["parallel.tile_x", "output.history.engine"]
    found = tuned.Result(
        *("storm", tuned.case_class(document, decides), tuned.this_machine(), tuned.this_build(), 2, 1),
        *({"parallel.tile_x": "41"}, decides, 0.5, 1.0, "2020-01-01T00:00:00"),
    )
    return replace(found, **changes)


STORM = {"run": {"time_step": "12 s", "duration": "2 h"}, "domain": {"nx": 41}, "initial": {"case": "a"}}


def test_a_result_holds_for_cases_that_cost_the_same(configured):
    tuned.keep(result(STORM))
    longer = STORM | {"run": STORM["run"] | {"duration": "9 h", "name": "x"}, "parallel": {"tile_x": 3}}
    assert tuned.find("storm", longer).ranks == 2
    for other in (
        {"domain": {"nx": 42}},
        {"parallel": {"threads": 2}},
        {"output": {"history": {"codec": "none"}}},
    ):
        with pytest.raises(UserError, match="no result for cases like storm"):
            tuned.find("storm", STORM | other)


def test_a_result_of_another_machine_or_build_is_refused(configured):
    tuned.keep(result(STORM, machine="Cray-1, 1 cores, no MPI"))
    with pytest.raises(UserError, match="is from another machine \\(Cray-1, 1 cores"):
        tuned.find("storm", STORM)
    tuned.keep(result(STORM, build="old"))
    with pytest.raises(UserError, match="from another build of the model, of 2020-01-01"):
        tuned.find("storm", STORM)
    tuned.keep(result(STORM))
    assert tuned.find("storm", STORM).build == tuned.this_build()


def test_a_case_is_tuned_and_run_as_tuned(squall, tmp_path):
    small = [f"--set=domain.{key}={n}" for key, n in (("nx", 16), ("ny", 16), ("nz", 20))]
    small += ["--set=run.duration=240 s", "--set=output.history.interval=120 s"]
    where = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    words = ["--time", "2s", "--only", "layout,codec", "--engines", "netcdf", "--results", "tried.json"]
    done = squall("lab", "tune", "supercell", *small, *words, **where)
    assert done.returncode == 0, done.stderr
    tried = json.loads((tmp_path / "tried.json").read_text())
    assert tried["default"]["seconds"]
    assert all(seconds > 0 for entry in tried["tried"] for seconds in entry["seconds"])
    assert_drawn(tmp_path / "runs" / "tune" / "supercell.png")
    assert not (tmp_path / "runs" / "tune" / "trial").exists()
    planned = squall("run", "supercell", *small, "--tuned", "--plan", **where)
    assert planned.returncode == 0, planned.stderr
    assert f"As tuned: squall run supercell -n {tried['best']['ranks']}" in planned.stdout
    refused = squall("run", "supercell", "--tuned", "--plan", **where)
    assert refused.returncode == 2
    assert "no result for cases like supercell" in refused.stderr
    assert squall("run", "supercell", *small, "--tuned", "-n", "2", **where).returncode == 2


def test_the_grid_of_a_run_that_begins_from_a_file_is_the_files(tmp_path):
    with Dataset(tmp_path / "wrfinput_d01", "w") as file:
        for name, size in (("west_east", 30), ("south_north", 24)):
            file.createDimension(name, size)
    run_file = tmp_path / "a.toml"
    run_file.write_text('[run]\ntime_step = "6 s"\nduration = "1 h"\n[initial]\nfile = "wrfinput_d01"\n')
    found = problem.read(str(run_file), [])
    assert (found.nx, found.ny, found.steps) == (30, 24, 600)
    (tmp_path / "wrfinput_d01").unlink()
    with pytest.raises(UserError, match=r"cannot be tuned: .*wrfinput_d01"):
        problem.read(str(run_file), [])


def test_engines_of_this_build_make_files():
    assert "netcdf" in problem.engines()
    assert not {"null", "sst"} & set(problem.engines())
