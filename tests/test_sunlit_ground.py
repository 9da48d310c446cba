"""Sunlight on a hill: as it is inclined, in its shadow, and dimmed by aerosol."""

import numpy as np
import pytest
from netCDF4 import Dataset

from analysed_runs import ROWS, assert_same_bits, run, write_inputs
from squall import locate
from squall.errors import UserError
from squall.reader.dataset import open_run

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

RELIEF = "slope_radiation = true\ntopographic_shading = true\n"
INSIDE = np.s_[ROWS:-ROWS, ROWS:-ROWS]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """With the sun of Greenwich, where it is noon."""
    folder = write_inputs(tmp_path_factory.mktemp("relief"))
    with Dataset(folder / "wrfinput_d01", "a") as file:
        file["XLONG"][:] += 95
    return folder


def test_slopes_that_face_the_sun_take_more_and_others_less(files, tmp_path):
    beam = '[output.beam]\ninterval = "20 min"\nframes_per_file = 100\nfields = ["SWDDIR"]\n'
    whole = assert_same_bits(files, tmp_path, physics=RELIEF, more=beam)
    flat = run(files, tmp_path / "flat")
    first = 1  # frame of those after the first call
    down, on_relief = (whole[name].values[first].astype(float) for name in ("SWDOWN", "SWNORM"))
    direct = open_run(tmp_path / "whole/runs/run", stream="beam")["SWDDIR"].values[first].astype(float)
    assert direct.min() > 50  # by day
    np.testing.assert_allclose(
        whole["GSW"].values[first], (1 - whole["ALBEDO"].values[first]) * on_relief, rtol=2e-3
    )
    # The sun is as high as before, of other weather only a little.
    np.testing.assert_allclose(whole["COSZEN"].values[first], flat["COSZEN"].values[first])
    assert np.abs(down - flat["SWDOWN"].values[first])[INSIDE].mean() < 2
    share = (on_relief - (down - direct)) / direct
    # At noon in the north: what rises northward faces the sun.
    height = np.asarray(whole["HGT"].values, float).reshape(-1, *share.shape)[0]
    north = np.gradient(height, axis=0) / 10e3
    steep = np.abs(north[INSIDE]) > 0.004
    assert np.sign(share[INSIDE][steep] - 1).tolist() == np.sign(north[INSIDE][steep]).tolist()
    assert share.mean() == pytest.approx(1, abs=1e-3)  # terrain as a whole takes what the sun sends
