"""`squall lab scheme-costs`: what each scheme of physics costs."""

import pytest

from real_case import real
from squall import locate
from squall.errors import UserError
from squall.lab import step_factor
from squall.lab.workspace import Workspace
from squall_studies import scheme_costs

try:
    locate.model_binary()
    locate.planner_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

__all__ = ["real"]


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
