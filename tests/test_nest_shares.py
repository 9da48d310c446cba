"""Nests on some of the ranks, and beside each other on ranks of their own."""

import json
import os
import subprocess

import pytest
from netCDF4 import Dataset

from squall import locate
from squall.errors import UserError
from squall.lab.verify import storm_with_nests
from squall.runs import launch

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

DEEP = storm_with_nests.nest(4, 4, 12, 12, "deep") + 'parent = "west"\n'
EAST = storm_with_nests.nest(15, 7, 27, 24, "east")
STORM = (
    storm_with_nests.storm(26, 22, 12, "1 min")
    + """
[tracer.smoke]
source = ["24 km", "22 km", "500 m"]
rate = "3 kg/s"

[output.history]
interval = "24 s"
frames_per_file = 10

[output.most]
interval = "24 s"
frames_per_file = 10
fields = ["W", "T"]
over_time = { W = "max", T = "mean" }

[output.restart]
interval = "36 s"
"""
    + storm_with_nests.nest(5, 7, 27, 24, "west")
    + DEEP
    + EAST
)

MOVES = STORM.replace(DEEP, DEEP + 'moves = ["24 s, 1, 0"]\n').replace(
    EAST, EAST + 'moves = ["12 s, 0, 1"]\n'
)

LATER = STORM.replace(EAST, EAST + 'start = "12 s"\nend = "48 s"\n')

LEVELS = STORM.replace("[nest.west]\n", "[nest.west]\nnz = 24\n").replace(
    "[nest.east]\n", "[nest.east]\nnz = 9\n"
)


def run(folder, text, ranks, *more):
    folder.mkdir(exist_ok=True)
    run_file = folder / "storm.toml"
    run_file.write_text(text)
    arguments = [str(run_file), "--set", f"run.directory={folder / 'out'}", *more]
    start = launch.prepare(locate.model_binary(), arguments, ranks, 1)
    env = os.environ | start.environment | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(start.command, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fields(folder):
    """The bytes of every field of every frame below a run's directory."""
    found = {}
    for path in sorted((folder / "out").glob("*.nc")):
        with Dataset(path) as file:
            file.set_auto_mask(False)
            for name, variable in file.variables.items():
                found[path.name, name] = variable[...].tobytes()
    assert {"history_d04", "restart"} <= {name.split("_2")[0].removesuffix(".nc") for name, _ in found}
    return found


@pytest.mark.parametrize("text", [STORM, MOVES, LATER, LEVELS], ids=["still", "moving", "later", "levels"])
def test_the_same_bits_come_of_nests_on_shares_of_the_ranks(tmp_path, text):
    run(tmp_path / "one", text, 1)
    run(tmp_path / "three", text, 3)
    one, three = fields(tmp_path / "one"), fields(tmp_path / "three")
    assert one.keys() == three.keys()
    assert not [key for key in one if one[key] != three[key]]


def placed(placement):
    streams = ("history", "most", "restart")
    return [word for name in streams for word in ("--set", f"output.{name}.placement={placement}")]


@pytest.mark.parametrize(
    ("ranks", "settings"),
    [
        (3, ["--set", "output.servers=1", *placed("servers")]),
        (1, placed("thread")),
        (2, placed("thread")),
    ],
    ids=["server", "thread", "threads of two"],
)
def test_files_of_nests_are_the_same_whoever_writes_them(tmp_path, ranks, settings):
    """Histories of all domains, what is made over time of them, and the restart frame."""
    run(tmp_path / "inline", STORM, 1, *placed("inline"))
    run(tmp_path / "other", STORM, ranks, *settings)
    inline, other = fields(tmp_path / "inline"), fields(tmp_path / "other")
    assert inline.keys() == other.keys()
    assert not [key for key in inline if inline[key] != other[key]]


def test_a_run_on_shares_has_the_same_bits_through_a_restart(tmp_path):
    """One of which begins before that."""
    text = MOVES.replace("frames_per_file = 10", "frames_per_file = 1") + 'start = "12 s"\n'
    text = text.replace('["12 s, 0, 1"]', '["24 s, 0, 1"]')
    run(tmp_path / "whole", text, 3)
    run(tmp_path / "cut", text, 3, "--set", "run.duration=36 s")
    (last,) = (tmp_path / "cut/out").glob("restart_*")
    run(tmp_path / "cut", text, 3, "--set", f"run.restart_from={last}")
    whole, cut = fields(tmp_path / "whole"), fields(tmp_path / "cut")
    assert whole.keys() == cut.keys()
    assert not [key for key in whole if whole[key] != cut[key]]
    whole, cut = (json.loads((tmp_path / n / "out/status.json").read_text()) for n in ("whole", "cut"))
    assert [b["from"] for b in whole["budgets"]] == [0, 0, 0, 12]
    assert whole["budgets"] == cut["budgets"]


def test_a_plan_tells_which_ranks_have_a_nest(tmp_path):
    plan = run(tmp_path, STORM, 3, "--plan")
    west, deep, east = (
        next(line for line in part.splitlines() if line.startswith("decomposition"))
        for part in plan.split("\nnest ")[1:]
    )
    assert "(numbers 0 to 1 of 3): " in west
    assert " of 3): " in deep
    assert "1 rank (number 2 of 3): " in east


def test_a_state_that_breaks_on_some_ranks_alone_ends_the_run_on_all(tmp_path):
    """Of a nest whose steps are far too long; one-way, its parent knows nothing of it."""
    east = storm_with_nests.nest(15, 7, 25, 20, "east")
    east += "parent_grid_ratio = 5\nparent_time_step_ratio = 1\nfeedback = false\n"
    with pytest.raises(AssertionError, match="nest east: "):
        run(tmp_path / "broken", STORM.replace(EAST, east), 3)
