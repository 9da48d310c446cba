"""What a step is planned to send is what the model sends: counted between it and MPI, with nests too."""

import subprocess

import pytest

from squall import locate, planning
from squall.errors import UserError
from squall.lab.verify import storm_with_nests
from squall.profile import messages
from squall.runs import launch

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
    locate.messages_library()
    locate.planner_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

NEST = storm_with_nests.nest(12, 11, 48, 42) + 'smoothing = "1-2-1"\n'
SMALL = ["domain.nx=41", "domain.ny=38", "domain.nz=12", "output.history.interval=0 s"]


@pytest.fixture(params=["", NEST], ids=["one domain", "with a nest"])
def run_file(request, tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(locate.run_file("supercell").read_text() + request.param)
    return path


def sent(folder, run_file, ranks, steps):
    """Messages between two ranks, and their bytes, of a run."""
    counts = folder / f"{steps}.json"
    settings = [*SMALL, f"run.duration={12 * steps} s", f"run.directory={folder / 'run'}"]
    words = [str(run_file), "--overwrite", *(word for s in settings for word in ("--set", s))]
    start = launch.prepare(locate.model_binary(), words, ranks, 1, added=messages.environment(counts))
    done = subprocess.run(
        start.command, env=start.whole_environment() | {"SQUALL_TERMINAL": "0"}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    calls = [c for c in messages.read(counts).calls if c.call in ("MPI_Isend", "MPI_Send")]
    return sum(c.count for c in calls), sum(c.bytes for c in calls)


def test_a_step_sends_what_is_planned(run_file, tmp_path):
    ranks = 4
    few, many = (sent(tmp_path, run_file, ranks, steps) for steps in (2, 5))
    counted = [(b - a) / 3 for a, b in zip(few, many, strict=True)]
    question = planning.Question(run_file, planning.machine_file("today"), ranks, settings=SMALL)
    step = planning.ask(question)["step"]
    assert counted == [step["messages"], step["bytes"]]
