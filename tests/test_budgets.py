"""Dry air and water that cross the sides of domains, and what two-way nesting does not conserve."""

import json
import subprocess

import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.verify import storm_with_nests
from squall.runs import launch

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

NEUTRAL = """
[run]
duration = "4 min"
time_step = "12 s"
acoustic_substeps = 4

[domain]
nx = 40
ny = 40
nz = 8
dx = "3 km"

[vertical]
top = "8 km"

[initial]
case = "warm-bubble"
amplitude = "0 K"
u = "20 m/s"

[nest.inner]
i_parent_start = 14
j_parent_start = 14
nx = 42
ny = 42
"""

STORM = storm_with_nests.storm(24, 22)
NEST = storm_with_nests.nest(7, 6, 36, 33)


def run(folder, text, *more, ranks=1):
    folder.mkdir(exist_ok=True)
    (folder / "case.toml").write_text(text)
    arguments = [str(folder / "case.toml"), "--set", f"run.directory={folder / 'out'}", *more]
    start = launch.prepare(locate.model_binary(), arguments, ranks, 1)
    env = launch.inherited() | start.environment | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(start.command, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def budgets(folder):
    return json.loads((folder / "out/status.json").read_text())["budgets"]


def test_a_closed_box_loses_and_gains_nothing(tmp_path):
    sides = [f"domain.boundary_{side}=symmetric" for side in ("west", "east", "south", "north")]
    run(tmp_path, STORM, *(word for side in sides for word in ("--set", side)))
    (box,) = budgets(tmp_path)
    assert (box["from"], box["to"], box["area"]) == (0, 120, pytest.approx(24 * 22 * 4e6))
    for kind in ("dry_air", "water"):
        assert {box[kind][term] for term in ("in", "out", "rim", "nests")} == {0}
    air, water = box["dry_air"], box["water"]
    assert abs(air["change"]) < 1e-9 * air["mass"]
    assert abs(water["change"]) < 1e-7 * water["mass"], "no rain has fallen yet"


def test_of_uniform_flow_as_much_goes_out_as_comes_in(tmp_path):
    """Through a side of the inner 40 cells of the nest of 1 km: rho u A over 4 min, some 8 km high."""
    run(tmp_path, NEUTRAL)
    outer, nest = (b["dry_air"] for b in budgets(tmp_path))
    crossing = 20 * 240 * 40e3 * nest["mass"] / (42e3) ** 2
    assert nest["in"] == pytest.approx(crossing, rel=1e-6)
    assert nest["out"] == pytest.approx(nest["in"], rel=1e-8)
    assert abs(outer["nests"]) < 1e-9 * outer["mass"]
    assert outer["in"] == outer["out"] == 0, "its sides are periodic"


@pytest.fixture(scope="module")
def storm(tmp_path_factory):
    folder = tmp_path_factory.mktemp("storm")
    said = run(folder, STORM + NEST)
    return folder, said


def test_the_dry_air_of_a_nest_and_its_parent_changes_by_what_the_budget_says(storm):
    """To rounding of the column mass in single precision: 1e-5 Pa in a cell and step, of 1e5."""
    outer, nest = (b["dry_air"] for b in budgets(storm[0]))
    for air in (outer, nest):
        terms = air["in"] - air["out"] + air["rim"] + air["nests"] + air["rest"]
        assert air["change"] == pytest.approx(terms, abs=1e-12 * air["mass"])
    assert nest["in"] > 0.01 * nest["mass"]
    assert abs(nest["rest"]) < 1e-10 * nest["mass"]
    assert abs(nest["rest"]) < 1e-3 * abs(nest["change"])
    # What the parent's fluxes do not explain is what it took from the nest, and that is not nothing.
    assert abs(outer["rest"]) < 1e-10 * outer["mass"]
    assert abs(outer["nests"]) > 100 * abs(outer["rest"])


@pytest.mark.parametrize("adaptive", [False, True], ids=["equal", "adaptive"])
def test_a_run_that_goes_on_from_where_a_nest_ended_tells_no_more_of_it(tmp_path, adaptive):
    text = STORM + NEST + 'end = "1 min"\n[output.restart]\ninterval = "1 min"\n'
    if adaptive:
        text = text.replace("[domain]", 'adaptive_time_step = true\nmax_time_step = "12 s"\n[domain]', 1)
    first = run(tmp_path / "one", text)
    frame = min((tmp_path / "one/out").glob("restart_*"))
    said = run(tmp_path / "two", text, "--set", f"run.restart_from={frame}")
    assert "inner" in first.partition("budget of")[2]
    assert [(b["domain"], b["from"], b["to"]) for b in budgets(tmp_path / "two")] == [(1, 60, 120)]
    assert "inner" not in said.partition("budget of")[2]
    assert not list((tmp_path / "two/out").glob("history_d02*"))


def test_one_way_nesting_takes_nothing_from_the_parent(tmp_path):
    run(tmp_path, STORM + NEST + "feedback = false\n")
    outer, nest = budgets(tmp_path)
    assert outer["dry_air"]["nests"] == outer["water"]["nests"] == 0
    assert nest["dry_air"]["in"] > 0


def test_water_through_the_sides_and_by_relaxation_is_all_that_a_nest_without_rain_gets(storm):
    """What is left over, 2e-5 of the change, is rounding."""
    _, nest = budgets(storm[0])
    water = nest["water"]
    assert water["in"] > 5e-3 * water["mass"]
    assert abs(water["change"]) > 1e-4 * water["mass"]
    assert abs(water["rim"]) > 0.1 * abs(water["change"]), "relaxation counts"
    assert abs(water["rest"]) < 2e-4 * abs(water["change"])


def test_budgets_are_the_same_on_any_ranks_and_through_a_restart(tmp_path, storm):
    run(tmp_path / "three", STORM + NEST, ranks=3)
    restart = '[output.restart]\ninterval = "48 s"\n'
    run(tmp_path / "cut", STORM + NEST + restart, "--set", "run.duration=48 s", ranks=2)
    (frame,) = (tmp_path / "cut/out").glob("restart_*")
    run(tmp_path / "cut", STORM + NEST, "--set", f"run.restart_from={frame}")
    wanted = budgets(storm[0])
    assert budgets(tmp_path / "three") == wanted
    assert budgets(tmp_path / "cut") == wanted


def test_budgets_of_open_sides_are_the_same_on_tiles_of_a_row(tmp_path):
    """The inner face of the northern side is the next tile's."""
    sides = [f"domain.boundary_{side}=open" for side in ("west", "east", "south", "north")]
    more = [word for side in sides for word in ("--set", side)]
    run(tmp_path / "tiles", STORM, *more)
    run(tmp_path / "rows", STORM, *more, "--set", "parallel.tile_y=1")
    assert budgets(tmp_path / "rows") == budgets(tmp_path / "tiles")


def test_the_log_has_them_by_the_hour_and_the_screen_has_their_sum(tmp_path):
    text = NEUTRAL.replace('"4 min"', '"61 min"').replace("nx = 40\nny = 40", "nx = 16\nny = 16")
    text = text.replace("= 14", "= 5").replace("= 42", "= 18").replace("nz = 8", "nz = 4")
    said = run(tmp_path, text)
    log = [line.partition("  ")[2] for line in (tmp_path / "out/run.log").read_text().splitlines()]
    heads = [line.split(":  ")[0].split(": dry")[0] for line in log if line.startswith("budget of")]
    assert heads == ["budget of 0 s to 1:00:00", "budget of 1:00:00 to 1:01:00", "budget of 0 s to 1:01:00"]
    assert [(b["from"], b["to"]) for b in budgets(tmp_path)] == [(3600, 3660)] * 2
    assert "budget of 0 s to 1:01:00" in said
    assert "inner" in said


def test_a_nest_that_ends_closes_its_budget(tmp_path):
    life = 'start = "24 s"\nend = "84 s"\n'
    run(tmp_path, STORM + NEST + life)
    log = (tmp_path / "out/run.log").read_text()
    assert "budget of 0 s to 0:01:24" in log
    assert "inner from 24 s to 0:01:24:" in log
    (outer,) = budgets(tmp_path)
    assert (outer["from"], outer["to"]) == (84, 120)


def assert_budgets_close(found):
    """Of dry air everywhere, and of the water of a nest without rain."""
    for air in (b["dry_air"] for b in found):
        assert abs(air["rest"]) < 1e-10 * air["mass"]
    nest = found[1]["water"]
    assert min(nest["in"], abs(nest["change"])) > 1e-4 * nest["mass"]
    assert abs(nest["rest"]) < 2e-4 * abs(nest["change"])


def test_budgets_begin_where_a_filtered_start_ends(tmp_path):
    """The integration that was filtered is in none, and a nest that begins where it ended begins once."""
    filtered = '[digital_filter]\nscheme = "launch"\nspan = "48 s"\ncutoff = "60 s"\n'
    run(tmp_path, STORM + NEST + 'start = "48 s"\n' + filtered)
    found = budgets(tmp_path)
    assert [(b["from"], b["to"]) for b in found] == [(24, 120), (48, 120)]
    assert_budgets_close(found)


def test_budgets_close_over_steps_that_change(tmp_path):
    text = STORM.replace("acoustic_substeps = 6", "acoustic_substeps = 8\nadaptive_time_step = true")
    run(tmp_path, text + NEST)
    log = (tmp_path / "out/run.log").read_text()
    assert "  step 12 s  " in log
    assert "  step 14" in log
    assert_budgets_close(budgets(tmp_path))
