"""What a run would refuse its plan refuses, with the same words and exit code."""

import subprocess

import pytest

import commands
from squall import locate
from squall.errors import UserError
from test_prepare_history import BRITAIN, COARSE

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

BUBBLE = """
[run]
duration = "24 s"
time_step = "12 s"

[domain]
nx = 24
ny = 24
nz = 8
dx = "2 km"

[vertical]
top = "12 km"

[initial]
case = "warm-bubble"

[output.restart]
interval = "12 s"
"""

MIDDLE = BRITAIN.replace('terrain = "terrain.nc"', "")

NEST = """
[nest.inner]
i_parent_start = 8
j_parent_start = 8
nx = {cells}
ny = 24
"""


def model(folder, text, *more):
    (folder / "case.toml").write_text(text)
    command = [locate.model_binary(), folder / "case.toml", *more]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


def refusal(folder, text, *more):
    """What both say."""
    plan, run = (model(folder, text, *more, *extra) for extra in (("--plan",), ()))
    assert (plan.returncode, plan.stderr) == (run.returncode, run.stderr)
    assert plan.returncode == 1
    return plan.stderr


@pytest.mark.parametrize("directory", ["runs", "runs/bubble", "runs/deep/bubble"])
def test_a_file_where_the_run_directory_should_be(tmp_path, directory):
    (tmp_path / "runs").write_text("not a directory")
    said = refusal(tmp_path, BUBBLE, "--set", f"run.directory={directory}")
    assert f"cannot write to {directory}: check that it exists, is writable" in said


def test_a_plan_makes_no_run_directory(tmp_path):
    assert model(tmp_path, BUBBLE, "--set", "run.directory=runs/deep", "--plan").returncode == 0
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("cells", "told"),
    [(None, "it has no nest number 2"), (21, "west_east_d02 = 21, but the run file asks for 24")],
)
def test_a_restart_frame_without_the_state_of_a_nest(tmp_path, cells, told):
    first = BUBBLE + (NEST.format(cells=cells) if cells else "")
    assert model(tmp_path, first, "--set", "run.directory=out").returncode == 0
    frame = min((tmp_path / "out").glob("restart_*"))
    text, options = (
        BUBBLE + NEST.format(cells=24),
        ("--set", "run.directory=out", "--set", f"run.restart_from={frame}"),
    )
    assert told in refusal(tmp_path, text, *options)
    # A nest that begins later needs none.
    later = model(tmp_path, text + 'start = "24 s"\n', *options, "--plan")
    assert later.returncode == 0, later.stderr


def test_two_days_of_run_with_twelve_hours_of_boundaries(tmp_path):
    domain = 'nx = 24\nny = 20\nnz = 20\ndx = "54 km"'
    text = COARSE.format(analysis='["westerly-jet"]', prepare=MIDDLE, domain=domain)
    text = text.replace('"30 min"', '"12 h"')
    (tmp_path / "run.toml").write_text(text)
    done = commands.squall(["prepare", "run.toml"], tmp_path, drawn=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert model(tmp_path, text, "--plan").returncode == 0
    said = " ".join(refusal(tmp_path, text, "--set", "run.duration=2 d").split())
    assert "wrfbdy_d01" in said
    assert "set run.duration to 43200 s or less, or write a longer boundary file" in said
