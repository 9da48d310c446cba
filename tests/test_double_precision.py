"""A run in double precision, which `tools/sanitize tsan` makes, has the answer of one in single precision."""

import os
import subprocess

import numpy as np
import pytest

from squall import locate
from squall.errors import UserError
from squall.reader.dataset import open_run
from squall.runs import launch

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

MODEL = locate.CHECKOUT / "model"
# By about five times what it was: rounding of a few steps, of a field's spread.
LIMITS = {"U": 2e-5, "V": 5e-4, "W": 8e-4, "T": 1e-5, "PH": 1.2e-4, "MU": 2.5e-4, "QVAPOR": 3e-6}
DOUBLE = locate.CHECKOUT / "build/tsan/model/threads"


def newest_source():
    return max(path.stat().st_mtime for path in (MODEL / "src").rglob("*.?pp"))


@pytest.mark.parametrize("domain", [1, 2])
def test_single_precision_is_rounding_away_from_double(tmp_path_factory, domain):
    """After three steps of a storm with a nest and physics, whose winds and pressures have only begun."""
    frames = sorted(DOUBLE.glob("history_2*.nc"))
    if not frames or frames[-1].stat().st_mtime < newest_source():
        pytest.skip("no run in double precision of these sources (tools/sanitize tsan ci)")
    out = tmp_path_factory.mktemp("single")
    arguments = [str(MODEL / "tests/threads.toml"), "--set", f"run.directory={out}", "--overwrite"]
    start = launch.prepare(locate.model_binary(), arguments, 1, 1)
    subprocess.run(start.command, env=os.environ | start.environment, timeout=300, check=True)
    single, double = (open_run(run, domain=domain).isel(Time=-1) for run in (out, DOUBLE))
    for name, most in LIMITS.items():
        ours, truth = (run[name].values.astype(np.float64) for run in (single, double))
        distance = np.sqrt(np.mean((ours - truth) ** 2)) / truth.std()
        print(name, distance)
        assert 0 < distance < most, name
