"""The Great North Run's nested domains on the study's machines, simulated."""

import tomllib
from dataclasses import replace

import pytest

from squall import locate
from squall.errors import UserError
from squall_studies import planning
from squall_studies.reproduce import catalogue, curves, great_north_run, runner
from squall_studies.reproduce.item import Context

try:
    locate.model_binary()
    locate.planner_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

GRIDS, ITEM = catalogue.chosen(["hector-simulated-grids", "hector-simulated-layouts"])
GRIDS_CURVE = curves.curve("hector-simulated-grids")


def test_steps_an_hour_are_shown_by_cores_and_findings_told(context, monkeypatch):
    asked = []

    def ask(question):
        asked.append(question)
        cores = question.ranks * question.threads
        threads = 1.2 if question.threads > 1 else 1.0
        machine = 1.0 if "xt4" in question.machine.name else 0.9
        step = {"seconds": 3600 / (10 * cores * threads * machine)}
        return {"step": step, "machine": "a machine", "calibrated": "here", "method": "simgrid"}

    monkeypatch.setattr(planning, "ask", ask)
    found = ITEM.measure(Context(context.workspace, True, 1, context.status))
    assert [(q.ranks, q.threads) for q in asked[:4]] == [(48, 1), (12, 4), (48, 1), (8, 6)]
    first, findings = ITEM.tables(found)
    assert first.rows[0] == ["48", "480", "576", "432", "518"]
    assert [row[1] for row in findings.rows[:2]] == ["yes", "no"]  # a tenth slower
    assert "bandwidth" in findings.rows[1][2]
    runner.figure(ITEM, {"found": found})


def test_a_grid_of_patches_is_the_one_that_is_planned():
    run = replace(GRIDS_CURVE.series["XT4"](4), cells=(80, 60, 10), ranks=8)
    answer = planning.ask(run.question())
    assert (answer["process_grid"], answer["streams"]) == ([4, 2], [])
    assert GRIDS_CURVE.series["XT5"](4).machine == "rosa-xt5"
    assert GRIDS.simulated


def test_the_domains_have_the_published_sizes_and_step_three_and_nine_times(context):
    run_file = great_north_run.nested_run_file(context.workspace)
    domain = tomllib.loads(run_file.read_text())["domain"]
    assert (domain["nx"], domain["ny"]) == (355, 195)
    answer = planning.ask(
        planning.Question(run_file, planning.machine_file("hector-xt4"), 16, step_factor=1.0)
    )
    britain, tyne = answer["nests"]
    assert (britain["cells"], britain["steps"]) == ([318, 321, 35], 3)
    assert (tyne["cells"], tyne["steps"]) == ([390, 327, 35], 9)
    assert britain["looked_at"] > britain["fed_back"] > 0
    cells = 355 * 195 + 3 * 318 * 321 + 9 * 390 * 327
    alone = planning.ask(
        planning.Question(locate.run_file("supercell"), planning.machine_file("hector-xt4"), 16,
                          settings=["domain.nx=355", "domain.ny=195", "domain.nz=35"], step_factor=1.0)
    )  # fmt: skip
    assert answer["step"]["computing"] / alone["step"]["computing"] == pytest.approx(
        cells / (355 * 195), rel=0.05
    )
