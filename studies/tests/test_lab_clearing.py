"""What a step allocates and clears is what a longer run counts more than a shorter one."""

import json
from contextlib import nullcontext

import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.workspace import Workspace
from squall.profile import allocations
from squall_studies.reproduce import clearing, runner
from squall_studies.reproduce.item import Context


def leave(folder, steps, program="squall-model"):
    """1000 small allocations and 9 fields beside the steps; in each step 40 small ones and 8 kB cleared."""
    calls = [
        {"what": "allocated", "below": 128, "calls": 1000 + 40 * steps, "bytes": 100 * steps, "seconds": 0},
        {"what": "allocated", "below": 1 << 20, "calls": 9, "bytes": 9e6, "seconds": 0.25},
        {"what": "cleared", "below": 8192, "calls": steps, "bytes": 8000 * steps, "seconds": 0.002 * steps},
    ]
    content = {"program": program, "pages": 500, "calls": calls}
    (folder / f"allocations-{program}.json").write_text(json.dumps(content))


def test_a_step_has_the_difference_of_two_runs_and_fields_are_held_all_along(tmp_path, monkeypatch):
    def run(workspace, name, run_file, settings, layout, watch):
        steps = int(settings["run.duration"].split()[0]) // 12
        leave(tmp_path / "allocations", steps)
        leave(tmp_path / "allocations", 1, "mpirun")

    monkeypatch.setattr(Workspace, "run", run)
    monkeypatch.setattr(locate, "model_binary", lambda: tmp_path / "squall-model")
    monkeypatch.setattr(locate, "allocations_library", lambda: tmp_path / "library.so")
    monkeypatch.setattr(clearing.stepping, "without_output", lambda context: tmp_path)
    monkeypatch.setattr(clearing.stepping, "seconds_a_step", lambda *_: 0.1)
    monkeypatch.setattr(clearing.machine, "cores", lambda: 2)
    found = clearing.measure(Context(Workspace(tmp_path), True, 1, lambda text: nullcontext()))
    [item] = clearing.ITEMS
    runner.figure(item, {"found": json.loads(json.dumps(found))})
    steps, once = item.tables(found)
    assert [row[:2] for row in steps.rows[:3]] == [["one domain", str(n)] for n in (1, 2, 4)]
    assert steps.rows[0][2:] == ["100.0", "0.0", "40", "0.1", "0", "8.0", "2.00"]
    assert once.rows[0][2] == "9"
    assert found["runs"][0]["new"] > 0
    assert once.rows[2][-1] == "more ranks than cores"


def test_a_folder_without_counts_of_the_program_is_refused(tmp_path):
    leave(tmp_path, 1, "mpirun")
    with pytest.raises(UserError, match="no counts of squall-model"):
        allocations.read(tmp_path, "squall-model")
