"""What `--plan` says of memory is what the arrays of a run take."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.verify import storm_with_nests

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

CASES = Path(__file__).parents[1] / "run-files"
NEST = storm_with_nests.nest(10, 10, 45, 45)


def model(run_file, folder, *more):
    done = subprocess.run(
        [locate.model_binary(), run_file, "--set", f"run.directory={folder / 'run'}", *more],
        env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def planned(run_file, folder, *more):
    """Of all domains [bytes]."""
    units = {"kB": 1e3, "MB": 1e6, "GB": 1e9}
    found = re.findall(r"^memory +([\d.]+) (\w+) per rank", model(run_file, folder, "--plan", *more), re.M)
    return sum(float(number) * units[unit] for number, unit in found)


def taken(run_file, folder, *more):
    file = folder / "timing.json"
    model(run_file, folder, "--timing", str(file), *more)
    return json.loads(file.read_text())["array_bytes"]


def settings(**values):
    return [word for key, value in values.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]


@pytest.mark.parametrize(
    ("case", "step"),
    [("supercell", "12 s"), ("baroclinic-wave", "600 s"), ("gabls1", "10 s"), ("density-current", "1 s")],
)
def test_memory_is_within_five_per_cent_of_what_arrays_take(tmp_path, case, step):
    run_file = CASES / f"{case}.toml"
    brief = settings(run__duration=step, output__history__interval=step)
    assert planned(run_file, tmp_path, *brief) == pytest.approx(taken(run_file, tmp_path, *brief), rel=0.05)


def test_memory_of_nests_and_physics_is_within_a_tenth(tmp_path):
    text = (CASES / "supercell.toml").read_text().replace('"kessler"', '"wsm6"')
    run_file = tmp_path / "nested.toml"
    run_file.write_text(text + NEST)
    brief = settings(run__duration="12 s", output__history__interval="12 s")
    assert planned(run_file, tmp_path, *brief) == pytest.approx(taken(run_file, tmp_path, *brief), rel=0.1)


def test_memory_counts_what_a_filtered_start_holds_beside_the_run(tmp_path):
    """Forward a sum of the air; backward another solver."""
    size = settings(domain__nx=40, domain__ny=60, domain__nz=20, run__duration="2 h", run__time_step="300 s")
    run_file = CASES / "baroclinic-wave.toml"

    def of(scheme):
        keys = settings(digital_filter__scheme=scheme, digital_filter__span="20 min")
        return planned(run_file, tmp_path, *size, *(keys if scheme != "none" else ()))

    without, forward, backward = (of(scheme) for scheme in ("none", "launch", "diabatic"))
    points = 40 * 60 * 20 * 4
    assert forward - without > 5 * points  # wind, w, theta, geopotential
    assert 0.5 * without < backward - forward < 1.1 * without


def test_memory_counts_the_air_in_which_a_nest_looks_for_the_storm_that_it_follows(tmp_path):
    """Beside a nest that moves by a plan: theta of dry air, of a run whose own is moist air's."""

    def of(way):
        run_file = tmp_path / "moving.toml"
        run_file.write_text((CASES / "supercell.toml").read_text() + NEST + way)
        return planned(run_file, tmp_path)

    points = 45 * 45 * 40 * 4
    assert of('follow = "updraught"\n') - of('moves = ["10 min, 1, 0"]\n') > points
