"""`squall plan` of runs with physics of their own that begin from files: what their steps cost is told."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from squall import locate, planning
from squall.errors import UserError
from squall.lab import step_factor
from squall.lab.workspace import Workspace

try:
    locate.model_binary()
    locate.sim_binary()
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


def test_a_run_that_begins_from_a_file_is_planned_with_its_levels_and_schemes(real):
    question = planning.Question(real, planning.machine_file("today"), 4, method="closed-form")
    answer = planning.ask(question)
    assert answer["exchanges"]["cells"] == [12, 10, 27]
    assert [nest["cells"] for nest in answer["nests"]] == [[12, 12, 27]]
    assert answer["physics"] == SCHEMES
    slower = planning.ask(replace(question, step_factor=5.0))
    assert slower["step"]["computing"] == pytest.approx(5 * answer["step"]["computing"])
    assert slower["step"]["messages"] == answer["step"]["messages"]
    assert slower["streams"][0]["drain"] == answer["streams"][0]["drain"]


def test_physics_that_was_not_calibrated_is_told_with_what_measures_it(squall, real):
    words = ["plan", "--machine", "today", "-n", "2", "--method", "closed-form", "--no-servers"]
    said = squall(*words, real).stdout
    assert f"{', '.join(SCHEMES)}: not what was calibrated with (kessler)" in said
    assert f"squall lab step-factor {real}" in said
    assert "4.5 times a supercell's" in squall(*words, real, "--step-factor", "4.5").stdout
    assert "kessler, as calibrated" in squall(*words, "supercell").stdout


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
