"""Derived fields that the model makes of a winter's weather, over mountains and on a map: those of
squall.diagnose, and of implementations that are neither's (independent_fields.py). The model takes three
steps from WRF's own state twelve hours into a forecast, with snow, graupel and rain."""

import re

import numpy as np
import pytest
import xarray as xr

import independent_fields as independent
from real_columns import difference, frames_of, needed
from squall import diagnose
from squall.errors import UserError
from squall.locate import model_binary

pytestmark = pytest.mark.regression

try:
    MODEL = model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

RUN = """
[run]
duration = "6 min"
time_step = "2 min"
[domain]
boundary_west = "open"
boundary_east = "open"
boundary_south = "open"
boundary_north = "open"
[dynamics]
coriolis = "file"
hypsometric = 1
[physics]
microphysics = "wsm6"
[initial]
file = "wrfinput_d01"
[output.history]
interval = "6 min"
fields = ["default", "derived"]
"""


def last_frame_of(folder, microphysics):
    """Of the run of a winter day with a scheme."""
    source = needed("physics/columns_winter.nc")
    with xr.open_dataset(source, decode_times=False, mask_and_scale=False) as file:
        needless = [name for name in file if re.match("AC|R.*TEN|[SL]W[UD]", name)]
        file.drop_vars(needless).isel(Time=[2]).to_netcdf(folder / "wrfinput_d01")
    (folder / "run.toml").write_text(RUN.replace("wsm6", microphysics))
    (frames,) = frames_of(MODEL, folder)
    return frames.isel(Time=-1)


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """The last frame."""
    return last_frame_of(tmp_path_factory.mktemp("weather"), "wsm6")


#: Of which the value jumps where a threshold is passed: saturation, an echo, a level of free convection.
JUMPS = (
    "wind_gust",
    "CLDFRA",
    "cloud_cover",
    "ECHOTOP",
    "REF",
    "reflectivity",
    "cin",
    "lfc",
    "cape",
    "lcl_most",
)
MADE = [
    name for name in diagnose.TABLE if name not in ("theta_pert", "surface_pressure", "precipitation_rate")
]


def bare(history):
    """A history that has nothing derived."""
    return history.drop_vars([name for name in diagnose.TABLE if name in history and name != "PSFC"])


@pytest.mark.parametrize("name", MADE)
def test_the_models_field_of_weather_is_that_of_squall_diagnose(history, name):
    ours, expected = history[name].values, diagnose.field(bare(history), name).values
    apart = np.abs(ours - expected)
    if name.startswith("wind_direction"):
        apart = np.minimum(apart, 360 - apart)
    scale = np.nanmax(np.abs(expected))
    far = ~(apart <= 3e-5 * scale) & ~(np.isnan(ours) & np.isnan(expected))
    print(f"{name}: at most {np.nanmax(apart):.3g} apart, of values up to {scale:.5g}; {far.sum()} of "
          f"{far.size} by more than rounding")  # fmt: skip
    assert scale > 0
    assert far.mean() <= (4e-3 if name.startswith(JUMPS) else 0)


def test_echoes_of_the_models_weather_are_those_of_stoelingas_power_laws(history):
    theirs = independent.echoes_of_exponentials(history, "wsm6")
    ours, seen = history["REFL_10CM"].values, theirs > -34
    assert seen.sum() > 3000
    difference("the model's echoes, Stoelinga", ours[seen], theirs[seen], "dBZ", rms=2e-3, most=5e-3)
    highest = history["REFD_COM"].values
    difference("the model's highest echoes, Stoelinga", highest, theirs.max(0), "dBZ", rms=2e-3, most=5e-3)
    top = independent.highest_fall_through(theirs, independent.height(history), 18.0)
    there = np.isfinite(top)
    assert there.sum() > 20
    difference(
        "the model's echo top, MetPy", history["ECHOTOP"].values[there], top[there], "m", rms=2, most=10
    )


@pytest.mark.parametrize("scheme", ["lin", "wsm3", "wsm5", "wdm5", "wdm6"])
def test_echoes_of_other_schemes_are_those_of_what_falls(tmp_path, scheme):
    """With other intercepts; rain that is snow where it freezes; without graupel; and of counted drops."""
    frame = last_frame_of(tmp_path, scheme)
    theirs = independent.echoes_of_exponentials(frame, scheme)
    ours, seen = frame["REFL_10CM"].values, theirs > -34
    frozen = independent.temperature(frame) < independent.KELVIN
    assert (seen & frozen).sum() > 300
    assert (seen & ~frozen).sum() > 300
    difference("the model's echoes, Stoelinga", ours[seen], theirs[seen], "dBZ", rms=2e-3, most=5e-3)
    made = diagnose.field(bare(frame), "REFL_10CM").values
    difference("squall.diagnose's, Stoelinga", made[seen], theirs[seen], "dBZ", rms=2e-3, most=5e-3)


def test_freezing_levels_of_the_models_weather_are_metpys(history):
    ours, theirs = history["FZLEV"].values, independent.freezing_level(history)
    np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs))
    there = np.isfinite(theirs)
    assert 0.3 < there.mean() < 1
    difference("the model's freezing level, MetPy", ours[there], theirs[there], "m", rms=0.5, most=2)


def test_updraught_helicity_of_the_models_weather_is_metpys(history):
    """But for the map, whose factors change the wind's turning by some hundredths."""
    inner = (slice(1, -1), slice(1, -1))
    ours, theirs = history["UH"].values[inner], independent.updraught_helicity(history)[inner]
    difference("the model's updraught helicity, MetPy", ours, theirs, "m2 s-2", rms=0.05 * theirs.std())


def test_frozen_precipitation_of_the_models_weather_is_what_it_says_of_each_kind(history):
    fallen, snow, graupel = (history[name].values for name in ("RAINNC", "SNOWNC", "GRAUPELNC"))
    assert snow.max() > 0.05
    assert graupel.max() > 1e-3
    np.testing.assert_array_equal(history["snow"].values, snow)
    np.testing.assert_array_equal(history["graupel"].values, graupel)
    np.testing.assert_allclose(history["rain"].values, (fallen - snow - graupel).clip(0), atol=1e-6)
    rate = history["precipitation_rate"].values
    np.testing.assert_allclose(rate, fallen / 0.1, rtol=1e-5)  # of six minutes
