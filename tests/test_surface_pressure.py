"""The pressure at the ground that a history has, of a step from WRF's own state of a winter day: with
`compatibility = "wrf"` against what WRF 4.7.1 wrote a step later, else against the layer above the ground."""

import re

import numpy as np
import pytest
import xarray as xr

from real_columns import frames_of, needed
from squall.errors import UserError
from squall.locate import model_binary

pytestmark = pytest.mark.regression

try:
    MODEL = model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

WATERS = ("QVAPOR", "QCLOUD", "QRAIN", "QICE", "QSNOW", "QGRAUP")
OF_MASS = ("MU", "MUB", "P", "PB", "C1H", "C2H", "DNW", "P_TOP")
STEP = 180  # s, WRF's
RUN = f"""
[run]
duration = "{STEP} s"
time_step = "{STEP} s"
compatibility = "{{compatibility}}"
[dynamics]
coriolis = "file"
[physics]
microphysics = "wsm6"
surface_layer = "revised-mm5"
boundary_layer = "ysu"
[boundary]
file = "{{sides}}"
[initial]
file = "wrfinput_d01"
[output.history]
interval = "{STEP} s"
"""


@pytest.fixture(scope="module")
def wrf():
    """Frames after 3 hours and a step later."""
    source = needed("physics2/plains/columns_conus.nc")
    with xr.open_dataset(source, decode_times=False, mask_and_scale=False) as file:
        needless = [name for name in file if re.match("AC|R.*TEN|[SL]W[UD]|EXCH|EL_|CLDFRA", name)]
        return file.drop_vars(needless).isel(Time=slice(0, 2)).load()


def forecast(wrf, folder, compatibility):
    """Its frames at the start and a step later."""
    wrf.isel(Time=[0]).to_netcdf(folder / "wrfinput_d01")
    sides = needed("physics2/plains/wrfbdy_d01")
    (folder / "run.toml").write_text(RUN.format(compatibility=compatibility, sides=sides))
    (frames,) = frames_of(MODEL, folder)
    return frames


def of_a_frame(history, frame):
    """Weight of the air at the ground [Pa], and pressure of the lowest layer and half its weight."""
    now = history[[*WATERS, *OF_MASS]].isel(Time=frame).astype(np.float64)
    water = sum(now[name] for name in WATERS).values
    mass = (now["MU"] + now["MUB"]).values
    per_area = -(now["C1H"].values[:, None, None] * mass + now["C2H"].values[:, None, None])
    layers = (1 + water) * per_area * now["DNW"].values[:, None, None]
    lowest = (now["P"] + now["PB"]).values[0]
    return float(now["P_TOP"]) + layers.sum(0), lowest + layers[0] / 2


def most(x):
    return float(np.abs(x).max())


def test_with_wrfs_forms_it_is_wrfs_the_weight_of_the_air_before_the_last_step(wrf, tmp_path):
    history = forecast(wrf, tmp_path, "wrf")
    theirs, ours = wrf["PSFC"].values[1], history["PSFC"].values[-1]
    apart, linear = most(ours - theirs), most(of_a_frame(wrf, 1)[1] - theirs)
    print(f"at most {apart:.3f} Pa from WRF's; pressure of the layer above, extrapolated: {linear:.1f}")
    assert apart < 0.2
    assert linear > 20


def test_else_it_is_the_pressure_of_the_lowest_layer_and_half_its_weight(wrf, tmp_path):
    history = forecast(wrf, tmp_path, "none")
    for frame in (0, -1):
        assert most(history["PSFC"].values[frame] - of_a_frame(history, frame)[1]) < 0.05
