"""A latitude-longitude map, whose map factors along x and y differ."""

import shutil

import numpy as np
import pytest

from squall import diagnose, locate
from squall.errors import UserError
from squall.reader.dataset import open_run

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)


@pytest.mark.parametrize("projection", ["lat-lon", "lambert"])
def test_flow_over_the_pole_has_its_vorticity_on_either_map(squall, trial, tmp_path, projection):
    """20 m/s at the pole, as a rigid body: relative vorticity is 2 (20 / R) cos(lat) cos(lon)."""
    for file in ("pole.grib2", f"{projection}.toml"):
        shutil.copy(trial("08-vorticity-on-lat-lon", file), tmp_path)
    for command in ("prepare", "run"):
        done = squall(command, f"{projection}.toml")
        assert done.returncode == 0, done.stdout + done.stderr
    first = open_run(tmp_path / f"run_{projection}").isel(Time=0)
    lat, lon = np.radians(first["XLAT"].values), np.radians(first["XLONG"].values)
    true = 2 * 20 / 6.37e6 * np.cos(lat) * np.cos(lon)
    layer, inner = 10, (slice(1, -1), slice(1, -1))
    for made in (first["vorticity"], diagnose.field(first, "vorticity")):
        np.testing.assert_allclose(made.values[layer][inner], true[inner], atol=3e-8)
    absolute = diagnose.field(first, "absolute_vorticity").values
    np.testing.assert_allclose(first["absolute_vorticity"].values, absolute, atol=1e-8)
    potential = diagnose.field(first, "potential_vorticity").values
    np.testing.assert_allclose(
        first["potential_vorticity"].values, potential, atol=1e-4 * np.abs(potential).max()
    )
