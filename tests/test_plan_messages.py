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


def counted(folder, program, run_file, ranks, settings):
    """The calls of a run."""
    counts = folder / "counts.json"
    words = [str(run_file), "--overwrite"]
    words += [word for s in [*settings, f"run.directory={folder / 'run'}"] for word in ("--set", s)]
    start = launch.prepare(program, words, ranks, 1, added=messages.environment(counts))
    done = subprocess.run(
        start.command, env=start.whole_environment() | {"SQUALL_TERMINAL": "0"}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    return messages.read(counts).calls


def sent(folder, run_file, ranks, steps):
    """Messages between two ranks, and their bytes, of a run."""
    settings = [*SMALL, f"run.duration={12 * steps} s"]
    calls = counted(folder, locate.model_binary(), run_file, ranks, settings)
    calls = [c for c in calls if c.call in ("MPI_Isend", "MPI_Send")]
    return sum(c.count for c in calls), sum(c.bytes for c in calls)


def test_a_step_sends_what_is_planned(run_file, tmp_path):
    ranks = 4
    few, many = (sent(tmp_path, run_file, ranks, steps) for steps in (2, 5))
    a_step = [(b - a) / 3 for a, b in zip(few, many, strict=True)]
    question = planning.Question(run_file, planning.machine_file("today"), ranks, settings=SMALL)
    step = planning.ask(question)["step"]
    assert a_step == [step["messages"], step["bytes"]]


def test_a_step_on_the_globe_sends_what_is_planned(tmp_path):
    """Rows go to the south and north in calls that outermost patches make, too, for nobody; cells to the west
    and east in one call of all patches of a row."""
    run_file, rows = locate.transport_file("moving-vortices"), 3
    small = ["grid.nlon=48", "grid.nlat=24", "run.time_step=2 h", "output.history.interval=0 s"]
    small += ["parallel.ranks_x=2", f"parallel.ranks_y={rows}"]
    sent = []
    for steps in (2, 5):
        settings = [*small, f"run.duration={2 * steps} h"]
        calls = counted(tmp_path, locate.transport_binary(), run_file, 2 * rows, settings)
        bytes_of = {
            name: sum(c.bytes for c in calls if c.call == name) for name in ("MPI_Sendrecv", "MPI_Alltoallv")
        }
        assert min(bytes_of.values()) > 0
        sent.append(bytes_of["MPI_Sendrecv"] * (rows - 1) / rows + bytes_of["MPI_Alltoallv"])
    question = planning.Question(
        run_file, planning.machine_file("today"), 2 * rows, settings=small, words=["--tracer-step", "1e-7"]
    )
    assert (sent[1] - sent[0]) / 3 == planning.ask(question)["step"]["bytes"]
