"""Items of `squall lab reproduce` about messages: two MPI libraries, a field to patches and back, SMPI."""

import json
import shutil
from contextlib import nullcontext

import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.workspace import Workspace
from squall_studies import planning
from squall_studies.reproduce import mpi_libraries, runner, scatter, simulated_mpi
from squall_studies.reproduce.item import Context
from squall_studies.reproduce.started import started

SIZE = (24, 18, 4)


@pytest.fixture
def look(tmp_path):
    return Context(Workspace(tmp_path), True, 1, lambda text: nullcontext())


def shown(item, found):
    """Its tables, of what JSON holds; the figure is drawn too."""
    found = json.loads(json.dumps(found))
    runner.figure(item, {"found": found})
    return item.tables(found)


@pytest.fixture
def fields():
    try:
        return locate.fields_binary()
    except UserError:
        pytest.skip("squall-fields is not built")


@pytest.mark.parametrize("ranks", [2, 4, 6])
def test_every_way_moves_a_field_to_patches_and_back_with_the_bytes_that_are_worked_out(fields, ranks):
    found = started(fields, ["--size", *map(str, SIZE), "--turns", "2"], ranks)
    assert {way["way"] for way in found["ways"]} == set(scatter.counts(SIZE, ranks))
    for way in found["ways"]:
        expected = scatter.counts(SIZE, ranks)[way["way"]]
        assert way["right"]
        assert way["bytes"] == expected["bytes"]
        assert way["most_sent"] == expected["most"]


def test_derived_types_move_the_least_and_need_no_room():
    counts = scatter.counts((400, 400, 40), 400)
    field = 4 * 400 * 400 * 40
    assert counts["whole field"]["bytes"] == 2 * 399 * field
    assert counts["derived types"] == {"bytes": 2 * field * 399 / 400, "most": field * 399 / 400, "room": 0}
    assert counts["row masters"]["room"] == field / 20
    assert (
        counts["derived types"]["bytes"]
        < counts["row masters"]["bytes"]
        < counts["whole field"]["bytes"] / 100
    )


def test_wrong_values_are_refused(look, monkeypatch):
    way = {"way": "packed", "right": False}
    monkeypatch.setattr(scatter, "started", lambda *_: {"ways": [way]})
    monkeypatch.setattr(locate, "fields_binary", lambda: "squall-fields")
    with pytest.raises(UserError, match="wrong values: packed on 2 ranks"):
        scatter.measure(look)


def library(name, latency):
    row = {"bytes": 1024, "latency": latency, "one_way": 1e9, "both_ways": 2e9}
    row |= {f"{key}_median": value for key, value in row.items() if key != "bytes"}
    return {"library": f"{name}\nmore", "sizes": [row]}


def test_two_libraries_take_turns_and_steps_are_compared_turn_by_turn(look, monkeypatch, tmp_path):
    program = tmp_path / "program"
    program.touch()
    first = mpi_libraries.Build(program, program, None)
    second = mpi_libraries.Build(program, program, mpi_libraries.machine.Launcher("mpirun", "MPICH"))
    monkeypatch.setattr(mpi_libraries, "builds", lambda: [first, second])
    monkeypatch.setattr(mpi_libraries.machine, "cores", lambda: 2)
    asked, latencies = [], iter([3e-6, 4e-6, 2e-6, 5e-6, 4e-6, 6e-6])

    def run(program, arguments, ranks, launcher):
        asked.append(launcher)
        name = "MPICH Version:\t4.0.2" if launcher else "Open MPI v4.1.4, package: x"
        return library(name, next(latencies))

    seconds = iter([1.0, 1.1, 2.0, 2.2, 4.0, 4.4])  # the machine gets slower from turn to turn
    monkeypatch.setattr(mpi_libraries, "started", run)
    monkeypatch.setattr(mpi_libraries, "_step", lambda *_: next(seconds))
    found = mpi_libraries.measure(Context(look.workspace, True, 2, look.status))
    messages, steps = shown(mpi_libraries.ITEMS[0], found)
    assert [bool(launcher) for launcher in asked] == [False, True] * 3
    assert messages.columns[1:3] == ["latency, µs, Open MPI v4.1.4", "latency, µs, MPICH 4.0.2"]
    assert messages.rows == [["1 KiB", "2", "4", "1000", "1000", "2000", "2000"]]
    assert steps.rows == [["2", "2000.0", "2200.0", "1.100", ""]]
    [only] = shown(mpi_libraries.ITEMS[0], found | {"steps": []})  # tools/mpich --messages
    assert only.rows == messages.rows


def test_without_a_second_build_the_way_to_it_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("SQUALL_MPICH", str(tmp_path))
    with pytest.raises(UserError, match="tools/mpich"):
        mpi_libraries.builds()


def test_sends_of_a_trace_are_counted():
    trace = ["0 init", "0 isend 1 0 2400 6", "1 irecv 0 0 2400 6", "1 send 0 3 100 6", "0 wait 1 0 0"]
    assert simulated_mpi.counted(trace) == (2, 2500)


def test_what_is_sent_under_smpi_is_told_beside_what_is_planned(look, monkeypatch):
    answer = {"ranks": 4, "step": {"messages": 36, "bytes": 1000}}
    monkeypatch.setattr(planning, "ask", lambda question: answer)
    monkeypatch.setattr(simulated_mpi, "_build", lambda folder: folder)
    monkeypatch.setattr(simulated_mpi, "_sent", lambda *_: (36, 999))
    monkeypatch.setattr(simulated_mpi, "_model", lambda: None)
    [table] = shown(simulated_mpi.ITEMS[0], simulated_mpi.measure(look))
    assert table.rows[0] == ["its halos alone", "4", "36", "36", "1000", "999", "no"]
    assert "tools/smpi" in table.rows[1][0]


def test_of_the_model_under_smpi_what_a_step_sends_is_the_difference_of_two_runs(look, monkeypatch):
    answer = {"ranks": 4, "step": {"messages": 36, "bytes": 1000}}
    traced = iter([(500, 90_000), (572, 92_000)])  # two steps more
    monkeypatch.setattr(planning, "ask", lambda question: answer)
    monkeypatch.setattr(simulated_mpi, "_build", lambda folder: folder)
    monkeypatch.setattr(simulated_mpi, "_sent", lambda *_: (36, 1000))
    monkeypatch.setattr(simulated_mpi, "_model", lambda: look.workspace.directory / "squall-model")
    monkeypatch.setattr(simulated_mpi, "_traced", lambda *_: next(traced))
    [table] = shown(simulated_mpi.ITEMS[0], simulated_mpi.measure(look))
    assert table.rows[1] == ["the model", "4", "36", "36", "1000", "1000", "yes"]


@pytest.mark.skipif(shutil.which("smpicxx") is None, reason="no SimGrid with SMPI")
def test_the_models_halos_send_under_smpi_what_the_planner_counts(look):
    [row] = simulated_mpi.measure(look)["rows"]
    assert row["messages"] > 0
    assert (row["messages"], row["bytes"]) == (row["planned"], row["planned_bytes"])
