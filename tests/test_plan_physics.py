"""`squall plan` of runs with physics of their own that begin from files: what their steps cost is told."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from squall import locate, planning
from squall.errors import UserError
from squall.lab import scheme_costs, step_factor
from squall.lab.workspace import Workspace

try:
    locate.model_binary()
    locate.planner_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

RUN_FILE = """
[run]
duration = "1 h"
time_step = "300 s"
[domain]
boundary_west = "open"
boundary_east = "open"
boundary_south = "open"
boundary_north = "open"
[nest.inner]
i_parent_start = 5
j_parent_start = 4
nx = 12
ny = 12
[dynamics]
coriolis = "file"
hypsometric = 1
[physics]
microphysics = "wsm6"
surface_layer = "revised-mm5"
boundary_layer = "ysu"
land = "slab"
radiation = "broadband"
radiation_interval = "30 min"
[initial]
file = "wrfinput_d01"
[output.history]
interval = "1 h"
"""
SCHEMES = ["wsm6", "revised-mm5", "ysu", "slab", "broadband"]


@pytest.fixture
def real(tmp_path):
    """12 x 10 x 27 cells of a summer day (data/wrfinput_summer.gz), with a nest."""
    packed = Path(__file__).parent / "data" / "wrfinput_summer.gz"
    (tmp_path / "wrfinput_d01").write_bytes(gzip.decompress(packed.read_bytes()))
    path = tmp_path / "real.toml"
    path.write_text(RUN_FILE)
    return path


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
    words = ["plan", "--machine", "today", "-n", "2", "--method", "closed-form", "--no-servers"]
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


def test_what_schemes_cost_is_the_difference_of_runs_over_the_supercells(real, tmp_path, monkeypatch):
    """Of made-up times: the case with wsm6 takes 4 of a storm's 2, and so on; what the model refuses is left
    out, and of what is left a plan is made."""
    times = dict.fromkeys(scheme_costs.STORMS, 2.0) | dict.fromkeys(scheme_costs.WEATHER, 4.0)
    times |= {"storm, 4 substeps": 1.4, "storm, 4 tracers": 2.8, "storm, vapour": 1.5}
    times |= {"storm, no diffusion": 1.7, "case, vapour": 3.0, "case, no land": 3.8}
    times |= {"case, no surface": 3.2, "case, rrtmgp, each step": 24.0}
    times |= {scheme_costs._IN_PARTS: 4.8}  # three of them, of a step of 5 minutes
    names = {}

    def processor(workspace, run_file, settings):
        of_name = run_file.name, settings["run.duration"], *sorted(settings.items())
        name = names.get(of_name, scheme_costs._IN_PARTS)
        if name == "case, kim-arakawa":
            raise UserError("the file has no VAR\nno mountains")
        return [times[name] * cells.get(name, cells["case"])]

    cells = {}
    runs = scheme_costs._runs

    def remembered(*words):
        for name, file, keys, number in runs(*words):
            names[file.name, keys["run.duration"], *sorted(keys.items())] = name
            cells[name] = number
            yield name, file, keys, number

    monkeypatch.setattr(scheme_costs, "_runs", remembered)
    monkeypatch.setattr(step_factor, "processor", processor)
    seen, left_out = scheme_costs.measure(Workspace(tmp_path), str(real), [], 2, 2, lambda text: None)
    assert left_out == {"case, kim-arakawa": "the file has no VAR\nno mountains"}
    found = scheme_costs.costs(seen, 4, scheme_costs.parts_of(str(real), []))
    assert found["part"] == {"microphysics": {"wsm6": 0.2}}
    schemes = found["schemes"]
    assert schemes["microphysics"]["kessler"] == 0.25
    assert schemes["microphysics"]["wsm6"] == 0.5
    assert schemes["land"]["noah"] == 0.1
    assert schemes["radiation"]["rrtmgp"] == 10
    assert "gravity_wave_drag" not in schemes
    assert (found["acoustic_substep"], found["tracer"]) == (0.1, 0.1)
    # 1.6 of "no surface", and of a storm with its schemes and substeps 1 - 0.3 + (0.5 - 0.25) + (0.15 - 0.15)
    assert found["initial_file"] == pytest.approx(1.6 - 0.95)
    assert ["microphysics", "wsm6", "0.500", "0.500", "0.500"] in scheme_costs.rows(seen)
