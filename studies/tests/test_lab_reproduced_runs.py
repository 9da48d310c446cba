"""Items of `squall lab reproduce` that run the model: what they ask for, and what they make of it."""

import json
from contextlib import contextmanager, nullcontext

import pytest

from squall.errors import UserError
from squall.lab.workspace import Layout, Workspace
from squall.profile.messages import Count, Messages
from squall.profile.ranks import Rank, Routine
from squall_studies.pipeline.planes import Sent
from squall_studies.reproduce import council, kinds_of_step, routines, runner, transports, watched
from squall_studies.reproduce.item import Context


def item(items, name):
    return next(each for each in items if each.name == name)


def rows(each, found):
    """Of its first table, of what JSON holds; the figure is drawn too."""
    found = json.loads(json.dumps(found))
    runner.figure(each, {"found": found})
    return each.tables(found)[0].rows


@pytest.fixture
def look(tmp_path):
    return Context(Workspace(tmp_path), True, 1, lambda text: nullcontext())


@pytest.fixture
def seen(monkeypatch):
    """Runs that take a second a step on one rank, a quarter of it in a routine that does not scale."""
    asked = []

    def run(context, run_file, layout, settings):
        asked.append((layout.ranks, settings["domain.ny"]))
        n, steps = layout.ranks, 2
        loops = (
            Routine("scales", "a.cpp", 1, "computing", steps, 1.5 / n, 1.5 / n, (1.5 / n,)),
            Routine("does not", "b.cpp", 1, "exchanging", steps, 0.5, 0.5),
        )
        patch = {"x0": 0, "y0": 0, "nx": 4, "ny": 4, "nz": 4}
        one = Rank(0, "here", 1, steps, 1.5 / n + 0.5, 64, patch, loops, (), 0)
        sent = Count("MPI_Isend", "sent", 1024.0, 6.0 * n, 6000.0 * n, 0.1)
        return watched.Watched([one] * n, Messages(2.0, (sent,), ({},) * n))

    monkeypatch.setattr(watched, "run", run)
    monkeypatch.setattr(routines, "triad", lambda cores: 8e9)
    monkeypatch.setattr("squall.machine.cores", lambda: 2)
    return asked


def test_a_routine_scales_as_its_time_falls(look, seen):
    found = rows(item(routines.ITEMS, "hector-profile"), routines.measure_profile(look))
    assert found == [
        ["scales", "750.00", "375.00", "1.00"],
        ["does not", "250.00", "250.00", "0.50"],
        ["a step", "1000.00", "625.00", "0.80"],
    ]


def test_cores_fill_with_as_many_cells_each(look, seen, monkeypatch):
    monkeypatch.setattr(routines.hardware, "why_not", lambda: "nobody counts here")
    measured = routines.measure_population(look)
    found = rows(item(routines.ITEMS, "hector-population"), measured)
    assert seen == [(1, "30"), (2, "60")]
    assert [row[-2:] for row in found] == [["8.00", "1.00"], ["4.00", "1.60"]]
    assert routines.population_tables(measured)[1].rows == [["nobody counts here"]]


def test_cache_fills_of_a_step_are_those_of_a_longer_run_less_those_of_a_shorter(look, seen, monkeypatch):
    cell_steps = []

    def run(workspace, name, run_file, settings, layout):
        cells = int(settings["domain.nx"]) * int(settings["domain.ny"]) * int(settings["domain.nz"])
        cell_steps.append(cells * int(settings["run.duration"].split()[0]) / 12)  # steps of 12 s

    @contextmanager
    def counting():
        counts = {}
        yield counts
        counts |= {"lines into L1": 1e6 + 8 * cell_steps[-1], "lines from memory": 5e5 + 2 * cell_steps[-1]}

    monkeypatch.setattr(routines.hardware, "why_not", lambda: "")
    monkeypatch.setattr(routines.hardware, "counting", counting)
    monkeypatch.setattr(Workspace, "run", run)
    each, measured = item(routines.ITEMS, "hector-population"), routines.measure_population(look)
    rows(each, measured)
    assert each.tables(measured)[1].rows == [["1", "8.00", "2.00"], ["2", "8.00", "2.00"]]


def test_messages_are_told_by_size_and_in_all(look, seen):
    tables = item(council.ITEMS, "council-messages")
    found = council.measure_messages(look)
    assert rows(tables, found) == [
        ["512 B - 1 KiB", "6", "12", "24", "48"],
        ["all", "6", "12", "24", "48"],
    ]
    assert council.message_tables(found)[1].rows[-1] == ["all", "0.006", "0.012", "0.024", "0.048"]


def test_steps_are_told_apart_by_what_is_due_at_their_end(look, monkeypatch):
    steps = [9.0] + [1.0] * 47
    for number in range(4, 48, 4):
        steps[number - 1] = 2.0
    steps[11] = steps[35] = 3.0
    steps[23], steps[47] = 5.0, 4.0

    def run(workspace, name, run_file, settings, layout, timing):
        every = [settings[f"output.{stream}.interval"] for stream in ("history", "second", "restart")]
        assert every == ["48 s", "144 s", "288 s"]
        timing.write_text(json.dumps({"each_step": steps}))

    monkeypatch.setattr(Workspace, "run", run)
    monkeypatch.setattr("squall.machine.cores", lambda: 1)
    [row] = rows(kinds_of_step.ITEMS[0], kinds_of_step.measure(look))
    assert row == ["1", "1", "9000.0", "1000.0", "2000.0", "3000.0", "5000.0", "4000.0"]


def test_one_core_has_no_room_for_two_runs_and_says_so(look, monkeypatch):
    monkeypatch.setattr(council.machine, "cores", lambda: 1)
    with pytest.raises(UserError, match="need two cores"):
        council.measure_affinity(look)


def test_runs_side_by_side_are_kept_to_cores_of_their_own(look, monkeypatch):
    asked = []

    def side_by_side(context, run_file, domain, places, pinned):
        asked.append((places, pinned))
        return 1.0 if pinned else 2.0

    monkeypatch.setattr(council, "_side_by_side", side_by_side)
    monkeypatch.setattr(council.os, "sched_getaffinity", lambda _: {4, 5, 6, 7})
    monkeypatch.setattr(council.machine, "cores", lambda: 4)
    found = rows(item(council.ITEMS, "council-affinity"), council.measure_affinity(look))
    assert asked[0::2] == [([[4, 5, 6, 7]], True), ([[4, 5], [6, 7]], True)]
    assert [row[-1] for row in found] == ["0.50", "0.25", "1.00", "0.50"]


def test_huge_pages_are_taken_from_a_run_and_given_back(look, monkeypatch):
    def seconds(context, run_file, layout, settings):
        with open("/proc/self/status") as status:
            allowed = "THP_enabled:\t1" in status.read()
        return 1.0 if allowed else 1.25

    monkeypatch.setattr(council.stepping, "seconds_a_step", seconds)
    found = rows(item(council.ITEMS, "council-huge-pages"), council.measure_pages(look))
    assert found == [["on", "1000.0", "20.0"], ["off", "1250.0", "0.0"]]
    assert seconds(None, None, Layout(1, 1), {}) == 1.0


def test_energy_of_all_sockets_is_read_before_and_after_or_refused_with_the_place(
    look, monkeypatch, tmp_path
):
    monkeypatch.setattr(council.rapl, "FOLDER", tmp_path)
    with pytest.raises(UserError, match=r"energy cannot be read \(there are no counters: .*"):
        council.measure_energy(look)
    counters = [tmp_path / name / "energy_uj" for name in ("intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0")]
    for counter, count in zip(counters, (7, 9_500_000, 0), strict=True):  # the last is a part of the first
        counter.parent.mkdir()
        counter.write_text(str(count))
        (counter.parent / "max_energy_range_uj").write_text("10000000")

    def seconds(context, run_file, layout, settings):
        for counter in counters:  # the second begins anew on its way
            counter.write_text(str((int(counter.read_text()) + 3_000_000) % 10_000_000))

    monkeypatch.setattr(council.stepping, "seconds_a_step", seconds)
    monkeypatch.setattr(council.machine, "cores", lambda: 2)
    found = rows(item(council.ITEMS, "council-energy"), council.measure_energy(look))
    assert [row[:2] for row in found] == [["1", "6.0"], ["2", "6.0"]]


def test_streams_are_told_by_way_and_size(look, monkeypatch):
    sent = [Sent("files", None, 1024, 1e-3, 2e6), Sent("evpath", 4, 1024, 2e-3, 1e6)]
    monkeypatch.setattr(transports.planes, "measure", lambda workspace, console: sent)
    found = rows(transports.ITEMS[0], transports.measure(look))
    assert found == [["files", "1.00"], ["evpath, queue 4", "2.00"]]
    monkeypatch.setattr(transports.planes, "measure", lambda workspace, console: [])
    with pytest.raises(UserError, match="no engine sst"):
        transports.measure(look)
