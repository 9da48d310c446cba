"""`squall plan` of runs with physics of their own that begin from files: what their steps cost is told."""

import json
from dataclasses import replace

import pytest

from real_case import real
from squall import locate, planning
from squall.errors import UserError
from squall.lab import step_factor
from squall.lab.workspace import Workspace

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
    locate.planner_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

__all__ = ["real"]

SCHEMES = ["wsm6", "revised-mm5", "ysu", "slab", "broadband"]


COSTS = {
    "source": "by hand", "calibrated": {"microphysics": "kessler"}, "acoustic_substeps": 4,
    "acoustic_substep": 0.1, "tracer": 0.1, "initial_file": 0.5, "part": {"microphysics": {"wsm6": 0.25}},
    "schemes": {
        "microphysics": {"kessler": 0.25, "wsm6": 0.75}, "surface_layer": {"revised-mm5": 0.25},
        "boundary_layer": {"ysu": 0.25}, "radiation": {"broadband": 10.0},
    },
}  # fmt: skip


@pytest.fixture
def costs(tmp_path):
    path = tmp_path / "schemes.json"
    path.write_text(json.dumps(COSTS))
    return path


def test_a_run_that_begins_from_a_file_is_planned_with_its_levels_and_what_its_schemes_cost(real, costs):
    """Each domain by its own: radiation, every 30 minutes, is in each sixth step of 300 s and in each 18th of
    the nest; wsm6 goes through those of 300 s in three parts."""
    question = planning.Question(
        real, planning.machine_file("today"), 4, method="closed-form", step_factor=1.0, schemes=costs
    )
    answer = planning.ask(question)
    assert answer["exchanges"]["cells"] == [12, 10, 27]
    assert [nest["cells"] for nest in answer["nests"]] == [[12, 12, 27]]
    assert answer["physics"] == SCHEMES
    by_schemes = planning.ask(replace(question, step_factor=None))
    outer, inner = 1 + 0.5 + 2 * 0.25 + 0.5 + 0.5 + 10 / 6, 1 + 0.5 + 0.5 + 0.5 + 10 / 18
    assert by_schemes["cell_step"]["factor"] == pytest.approx(outer)
    assert by_schemes["cell_step"]["unknown"] == ["land slab"]
    assert [nest["factor"] for nest in by_schemes["nests"]] == [pytest.approx(inner)]
    share = 12 * 10 / (12 * 10 + 3 * 12 * 12)  # of the cell-steps, all on one node
    slower = by_schemes["step"]["computing"] / answer["step"]["computing"]
    assert slower == pytest.approx(share * outer + (1 - share) * inner, rel=0.05)
    assert by_schemes["step"]["messages"] == answer["step"]["messages"]
    assert by_schemes["streams"][0]["drain"] == answer["streams"][0]["drain"]


def test_the_plan_says_what_a_cell_step_was_taken_to_cost_and_where_that_is_from(squall, real, costs):
    words = ["plan", "--machine", "today", "-n", "2", "--counts"]
    said = squall(*words, real, "--schemes", costs).stdout
    assert f"{', '.join(SCHEMES)}: a cell-step is assumed to take 4.67 times as long as the sup" in said
    assert "from the costs of its schemes (by hand)" in said
    assert f"left out: land slab; `squall lab step-factor {real}`" in said
    assert (
        "4.5 times as long as the supercell's, as given by --step-factor"
        in squall(*words, real, "--step-factor", "4.5").stdout
    )
    assert "kessler: a cell-step is assumed to take 1 times as long" in squall(*words, "supercell").stdout


@pytest.mark.parametrize("suite", ["conus", "convection", "regional", "tropical"])
def test_all_schemes_of_suites_are_known(suite, real):
    text = real.read_text()
    physics = text[text.index("[physics]") : text.index("[initial]")]
    real.write_text(text.replace(physics, f'[physics]\nsuite = "{suite}"\n'))
    question = planning.Question(real, planning.machine_file("today"), 4, method="closed-form")
    cost = planning.ask(question)["cell_step"]
    assert cost["unknown"] == []
    assert 2 < cost["factor"] < 12


def test_a_cell_step_of_the_case_is_held_to_one_of_the_supercell(real, tmp_path, monkeypatch):
    """Of the processor's time, without the first step; a nest's three steps of 12 x 12 cells count."""
    ran = []

    def run(workspace, name, run_file, settings, layout, timing):
        ran.append((run_file.name, settings.get("run.duration"), settings.get("output.history.interval")))
        seconds = 27e-6 * (12 * 10 + 3 * 12 * 12) * 3 if run_file == real else 2e-6 * 200 * 200 * 50
        timing.write_text(json.dumps({"each_step_processor": [99.0, seconds / 2, seconds * 3 / 2]}))

    monkeypatch.setattr(Workspace, "run", run)
    found = step_factor.measure(Workspace(tmp_path / "runs"), str(real), [], 2, 2)
    assert found.ratios == pytest.approx([1.5, 1.5])
    assert ran[0] == ("real.toml", "900 s", "0 s")
    assert len(ran) == 4


def test_a_factor_is_measured_here(real, tmp_path, monkeypatch):
    monkeypatch.setattr(step_factor, "LARGE", replace(step_factor.LARGE, nx=16, ny=16, nz=10, steps=3))
    found = step_factor.measure(Workspace(tmp_path / "runs"), str(real), [], 1, 1)
    assert found.median > 0
