"""TOMCAT's tables on its machine, and whole forecasts, simulated."""

import pytest

from squall.errors import UserError
from squall_studies import planning
from squall_studies.reproduce import curves, runner, simulated_forecast, simulated_tomcat
from squall_studies.reproduce.item import Context
from squall_studies.reproduce.simulated import Run

STEPS, DIAGNOSTICS = simulated_tomcat.ITEMS
[OURS] = (item for item in curves.ITEMS if item.study == "tomcat")
[FORECAST] = simulated_forecast.ITEMS


def answer(question, **changes):
    streams = [
        {"name": name, "perceived": lost, "drain": 2 * lost}
        for name, lost in (("history", 0.5), ("second", 0.25), ("restart", 2.0))
    ]
    way = {"made": 1e-4, "messages": 3, "bytes": 1000, "held": 2e6}
    diagnostics = {"in place": way | {"seconds": 0.01}, "gathered": way | {"seconds": 0.2}}
    return {
        "machine": "a machine", "method": "simgrid", "nodes": 3, "ranks": question.ranks, "servers": 0,
        "step": {"seconds": 0.1}, "streams": streams, "diagnostics": diagnostics,
        "run": {"computing": 100.0, "seconds": 101.0, "cost": 1.01},
    } | changes  # fmt: skip


def test_steps_take_what_is_due_in_them_for_every_ranks_and_threads(context, monkeypatch):
    asked = []
    monkeypatch.setattr(planning, "ask", lambda question: asked.append(question) or answer(question))
    found = STEPS.measure(context)
    assert [(q.ranks, q.threads) for q in asked] == [(n, t) for n in (80, 160, 400) for t in (1, 2, 4)]
    assert "output.second.interval=144 s" in asked[0].settings  # a quarter of a day of steps of half an hour
    [table] = STEPS.tables(found)
    # Initial, interval, 2 h, 6 h, 12 h, final: at the end all is stored, which takes twice as long.
    assert table.rows[0] == ["80", "1", "3", "850.0", "100.0", "600.0", "850.0", "2850.0", "5600.0"]
    runner.figure(STEPS, {"found": found})


def test_diagnostics_over_a_step_are_held_to_the_published_overhead(context, monkeypatch):
    asked = []
    monkeypatch.setattr(planning, "ask", lambda question: asked.append(question) or answer(question))
    found = DIAGNOSTICS.measure(context)
    assert [(q.stations, q.zonal) for q in asked[:2]] == [(300, False), (0, True)]
    first, against, beaten = DIAGNOSTICS.tables(found)
    assert (first.columns[-1], first.rows[0][-1]) == ("MB that a rank holds, at most", "2.000")
    assert [row[0] for row in against.rows] == ["stations", "zonal means"]
    assert beaten.rows[-1] == ["zonal means, 400 ranks", "0.0100", "yes"]
    slow = found | {"rows": [row | {"seconds": 0.06} for row in found["rows"]]}
    assert {row[-1] for row in DIAGNOSTICS.tables(slow)[-1].rows} == {"no"}
    runner.figure(DIAGNOSTICS, {"found": found})


def test_without_a_published_best_of_a_frame_ours_are_held_to_that_of_a_forecast(context, monkeypatch):
    streams = [{"name": "history", "perceived": 9.0, "drain": 9.0, "busy": {"targets": 1.0}}]
    costs = iter([1.01, 1.03])
    monkeypatch.setattr(
        planning, "ask", lambda question: answer(question, streams=streams, run={"cost": next(costs)})
    )
    found = OURS.measure(Context(context.workspace, True, 1, context.status))
    [table] = OURS.tables(found)
    assert table.columns[-1] == "less than 1.02 of the steps"
    assert [row[-1] for row in table.rows] == ["yes", "no: they wait while they write"]
    assert "not within reach" in OURS.missing()
    runner.figure(OURS, {"found": found})


def test_the_studys_gathering_grows_by_a_turn_for_each_rank():
    found = simulated_tomcat.turns([[80, 9.0, 1.0], [400, 45.0, 0.5]])
    assert found["turn"] == pytest.approx(0.1)
    assert found["predicted"] == pytest.approx(40.5)


def test_a_forecast_is_held_to_the_published_best_and_a_refusal_is_told(context, monkeypatch):
    stream = {"name": "history", "perceived": 1.0, "drain": 21.0, "between_frames": 60.0}

    def ask(question):
        if any("servers" in setting for setting in question.settings):
            raise UserError("too few patches")
        return answer(question, streams=[stream], run={"computing": 14400.0, "seconds": 0.0, "cost": 0.0})

    monkeypatch.setattr(planning, "ask", ask)
    found = FORECAST.measure(context)
    whole, verdicts, refused = FORECAST.tables(found)
    # 24 frames of 1 s; or 144, each of which is waited for 10 s more, as one comes every 10 s.
    late = "no: a frame is not stored when the next comes"
    assert [row[-2:] for row in whole.rows[:2]] == [["1.0017", "yes"], ["1.1100", late]]
    assert {row[-1] for row in refused.rows} == {"too few patches"}
    assert verdicts.rows[0] == ["zarr, zstd, inline", "1 h", "1.0017 to 1.0017", "4 of 4 machines", ""]
    assert verdicts.rows[1][3:] == ["0 of 4 machines", "a frame is not stored when the next comes"]
    runner.figure(FORECAST, {"found": found})


def test_what_ranks_do_not_compute_that_serve_counts_as_output(context, monkeypatch):
    stream = {"name": "history", "perceived": 0.0, "drain": 1.0, "between_frames": 60.0}

    def ask(question):
        serve = any("output.servers" in setting for setting in question.settings)
        return answer(question, streams=[stream], run={"computing": 105.0 if serve else 100.0})

    monkeypatch.setattr(planning, "ask", ask)
    whole, verdicts = FORECAST.tables(FORECAST.measure(context))
    by_way = {row[2]: row[-2:] for row in whole.rows}
    assert by_way["zarr, zstd, thread"] == ["1.0000", "yes"]
    assert by_way["netcdf, servers"] == ["1.0500", "no: those that serve do not compute"]
    assert verdicts.rows[-1][3:] == ["0 of 4 machines", "those that serve do not compute"]


def test_the_planner_sends_less_in_place_than_gathered():
    run = Run("hector-xe6", (80, 60, 10), 32).question()
    ways = planning.ask(planning.Question(run.run_file, run.machine, 32, settings=run.settings, zonal=True))[
        "diagnostics"
    ]
    assert ways["in place"]["messages"] == 31
    assert ways["gathered"]["messages"] == 31 * 10
    assert ways["gathered"]["bytes"] == pytest.approx(31 / 32 * 4 * 80 * 60 * 10 * 10, rel=0.02)
    assert ways["in place"]["seconds"] < ways["gathered"]["seconds"]
