"""TOMCAT's steps on squall-transport: what is asked for, and what is made of the answers."""

import csv
import json

import pytest

from squall.lab.workspace import Workspace
from squall_studies import planning
from squall_studies.reproduce import globe_steps, runner

HERE, SIMULATED = globe_steps.ITEMS


def answer(question):
    streams = [
        {"name": name, "perceived": lost, "drain": 2 * lost}
        for name, lost in (("stations", 0.01), ("zonal", 0.02), ("history", 0.5))
    ]
    diagnostics = {"stations": {"seconds": 0.001}, "zonal": {"seconds": 0.002}}
    return {
        "machine": "a machine", "method": "simgrid", "ranks": question.ranks,
        "step": {"seconds": 0.1, "computing": 0.09, "messages": 7, "bytes": 1e6},
        "streams": streams, "diagnostics": diagnostics, "memory": {"rank": 1e8},
    }  # fmt: skip


def test_steps_on_the_studys_machine_take_what_is_due_and_stand_beside_the_study(context, monkeypatch):
    asked = []
    monkeypatch.setattr(planning, "ask", lambda question: asked.append(question) or answer(question))
    found = SIMULATED.measure(context)
    assert [question.ranks for question in asked] == [80, 160, 400]
    assert asked[0].words[0] == "--tracer-step"
    assert "output.zonal.interval=21600 s" in asked[0].settings
    steps, beside = SIMULATED.tables(found)
    # Interval; with stations; with means, too; with all fields, as at first; at last with all stored.
    assert steps.rows[0][1:7] == ["0.633", "0.1", "0.111", "0.133", "0.633", "1.16"]
    assert ["first step, 80 ranks", "330 s", "0.633 s", "yes"] in beside.rows
    assert ["step with stations, 400 ranks", "0.51 s", "0.111 s", "yes"] in beside.rows
    # 1 % of a step every 8th, and 2 % every 24th.
    assert ["diagnostics of a day's steps, 80 ranks", "at most 1%", "0.21%", "yes"] in beside.rows
    runner.figure(SIMULATED, {"found": found})


def test_the_case_has_the_studys_tracers_and_stations_all_over_the_globe(tmp_path):
    path = globe_steps.run_file(tmp_path)
    assert path.read_text().count("shape") == 30
    with (tmp_path / "stations.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 300
    assert sum(float(row["latitude"]) > 30 for row in rows) == pytest.approx(75, abs=1)  # a quarter of it
    assert all(-180 <= float(row["longitude"]) < 180 for row in rows)


def test_shares_of_diagnostics_are_those_of_a_days_steps(context, monkeypatch):
    def run(self, name, run_file, settings, layout, timing, model):
        step = {0: 5.0, 2: 1.1, 4: 1.2, 6: 1.1, 8: 3.0, 10: 1.1, 12: 1.2, 14: 1.1}
        each = [step.get(n, 1.0) for n in range(1, 17)]
        told = {"cells": 1000, "tracers": 10, "ranks": layout.ranks, "starting": 3.0, "finishing": 2.0}
        timing.write_text(json.dumps(told | {"each_step": each, "each_step_processor": each}))

    monkeypatch.setattr(Workspace, "run", run)
    found = HERE.measure(context)
    steps, shares, beside = HERE.tables(found)
    assert steps.rows[0] == ["1", "4", "1", "1.1", "1.2", "3", "3", "3", "100000.0"]
    # A tenth of a step every 8th, and as much more every 24th.
    assert shares.rows[0] == ["1", "10.00%", "10.00%", "1.67%", "no"]
    assert ["first step", "330", "4", "4"] in beside.rows
    assert ["step with zonal means, 400 ranks", "0.35", "1.2", "1.2"] in beside.rows
    runner.figure(HERE, {"found": found})
