"""Items of `squall lab reproduce` that measure this machine do so, on next to nothing, and are shown.

What they ask for and make of it is tested beside this with made-up runs (test_lab_reproduced_runs.py and
others); here programs and files are real.
"""

import json
from dataclasses import replace

import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.io import bench
from squall.lab.speed_domains import STORM
from squall_studies import diagnostics
from squall_studies.diagnostics_found import Setup
from squall_studies.diagnostics_steps import EVERY
from squall_studies.reproduce import catalogue, kinds_of_step, runner, stepping, writing
from squall_studies.reproduce.item import Context

try:
    locate.model_binary()
    locate.messages_library()
    bench.program()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

#: Those that take more than some seconds of a core however small, or need what few machines have; some start
#: the same programs as others here.
ELSEWHERE = {
    "hector-layouts": "prepares input, as test_lab_reproduced_builds.py",
    "hector-builds": "test_lab_reproduced_builds.py",
    "hector-clearing": "test_lab_clearing.py",
    "hector-grids": "as council-conus, on more ranks",
    "hector-frames": "as hector-servers",
    "hector-groups": "as hector-servers",
    "council-messages": "as hector-profile, on more ranks",
    "council-affinity": "needs two cores",
    "council-energy": "needs RAPL",
    "council-mpi": "needs a second MPI",
    "tomcat-scatter-gather": "test_lab_reproduced_messages.py",
    "adios2-aggregators": "as adios2-burst",
    "adios2-pipeline": "takes minutes",
    "adios2-transports": "needs ADIOS2's streams",
}
HERE = {item.name: item for item in catalogue.ITEMS if not item.simulated}
MEASURED = [item for name, item in HERE.items() if name not in ELSEWHERE]
assert set(ELSEWHERE) < set(HERE)


@pytest.fixture
def tiny(monkeypatch):
    """Domains of three steps, frames of a few kilobytes, one core."""
    settings = stepping.Domain.settings

    def few(domain):
        steps = domain.steps if domain.steps > 2 * kinds_of_step.DAY / 3 else 3
        return settings(domain) | {
            **{f"domain.n{axis}": "16" for axis in "xyz"},
            "run.duration": f"{steps * STORM.time_step} s",
        }

    whole, of_size = writing.setup, writing.of_size
    small = {"size": (16, 12, 6), "fields": 2, "frames": 3}
    monkeypatch.setattr(stepping.Domain, "settings", few)
    monkeypatch.setattr(
        writing, "setup", lambda context, servers=1: replace(whole(context, servers), **small)
    )
    monkeypatch.setattr(writing, "of_size", lambda *args, **more: replace(of_size(*args, **more), **small))
    monkeypatch.setattr("squall.machine.cores", lambda: 1)
    monkeypatch.setattr(
        "squall_studies.reproduce.tomcat.Setup",
        lambda size, steps, repeats: Setup((16, 16, 10), EVERY * 2 + 1, 1),
    )
    monkeypatch.setattr(diagnostics, "COUNTED_SIZE", (40, 40, 4))


@pytest.mark.parametrize("item", MEASURED, ids=lambda item: item.name)
def test_an_item_measures_shows_and_draws(item, tiny, context):
    found = item.measure(Context(context.workspace, True, 1, context.status))
    kept = json.loads(json.dumps(found))
    first = item.tables(kept)[0]
    assert first.rows
    assert all(len(row) == len(first.columns) for row in first.rows)
    runner.figure(item, {"found": kept})
