"""Derived fields that the model writes are those that squall.diagnose makes of the same file's variables, and
what is followed from frame to frame is the largest of all steps."""

import numpy as np
import pytest

import commands
from squall import diagnose
from squall.errors import UserError
from squall.locate import model_binary
from squall.reader.dataset import open_run
from squall.reader.history_file import kept_open

pytestmark = pytest.mark.regression

try:
    model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

# A storm of ice and rain over an ocean, with sides of both kinds, on a plane that turns.
STORM = {
    "domain.nx": 24,
    "domain.ny": 20,
    "domain.nz": 30,
    "domain.boundary_south": "periodic",
    "domain.boundary_north": "periodic",
    "run.duration": "18 min",
    "physics.microphysics": "wsm6",
    "physics.boundary_layer": "bulk",
    "physics.surface_temperature": "303 K",
    "diffusion.scheme": "smagorinsky-3d",
    "diffusion.mix_full_fields": "false",
    "initial.amplitude": "6 K",
    "output.history.interval": "6 min",
    "output.history.fields": '["default", "derived"]',
    "output.steps.interval": "12 s",
    "output.steps.fields": '["W", "P", "PB", "UH", "wind_speed_10m", "reflectivity_1km"]',
    "output.steps.path": '"steps_%Y-%m-%d_%H:%M:%S.nc"',
}

# Of which the value jumps where a threshold is passed: saturation, an echo, a level of free convection.
JUMPS = {
    "wind_gust",
    "CLDFRA",
    "cloud_cover",
    "ECHOTOP",
    "REFL_10CM",
    "REFD_COM",
    "reflectivity_1km",
    "reflectivity_minus10",
} | {name for name in diagnose.TABLE if name.startswith(("cin", "lfc", "cape", "lcl_most"))}


@pytest.fixture(scope="module")
def storm(tmp_path_factory):
    """The run directory."""
    folder = tmp_path_factory.mktemp("storm")
    settings = [word for key, value in STORM.items() for word in ("--set", f"{key}={value}")]
    said = commands.squall(["run", "supercell", *settings], folder)
    assert said.returncode == 0, said.stderr
    return folder / "runs" / "supercell"


def test_thompsons_echoes_are_those_of_squall_diagnose(squall, tmp_path):
    on_plain_ground = {
        key: value for key, value in STORM.items() if not key.startswith(("physics", "output.steps"))
    }
    settings = on_plain_ground | {
        "physics.microphysics": "thompson",
        "run.duration": "12 min",
        "initial.amplitude": "12 K",
        "output.history.fields": '["default", "REFL_10CM"]',
    }
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    said = squall("run", "supercell", *words)
    assert said.returncode == 0, said.stderr
    with kept_open():
        history = open_run(tmp_path / "runs" / "supercell").load()
    ours = history["REFL_10CM"].values
    expected = diagnose.field(history.drop_vars("REFL_10CM"), "REFL_10CM").values
    assert expected.max() > 40
    far = np.abs(ours - expected) > 3e-5 * np.abs(expected).max()
    assert far.mean() <= 2e-3  # beside the threshold below which there is no precipitation


@pytest.fixture(scope="module")
def history(storm):
    with kept_open():
        return open_run(storm).load()


def theirs(history, name):
    """What squall.diagnose makes of a history that has nothing derived."""
    variables = [other for other in diagnose.TABLE if other in history and other != "PSFC"]
    bare = history.drop_vars(variables)
    return diagnose.field(bare, name).values


MADE = [name for name in diagnose.TABLE if name not in ("theta_pert", "surface_pressure")]


@pytest.mark.parametrize("name", MADE)
def test_the_models_field_is_that_of_squall_diagnose(history, name):
    ours, expected = history[name].values, theirs(history, name)
    assert ours.shape == expected.shape
    np.testing.assert_array_equal(history[name].attrs["units"], diagnose.TABLE[name].units)
    apart = np.abs(ours - expected)
    if name.startswith("wind_direction"):
        apart = np.minimum(apart, 360 - apart)
    scale = np.nanmax(np.abs(expected))
    far = ~(apart <= 3e-5 * scale) & ~(np.isnan(ours) & np.isnan(expected))
    print(f"{name}: at most {np.nanmax(apart):.3g} apart, of values up to {scale:.5g}; {far.sum()} of "
          f"{far.size} by more than rounding")  # fmt: skip
    assert scale > 0 or name in ("snow", "graupel")  # none has reached the ground
    assert far.mean() <= (2e-3 if name in JUMPS else 0)


@pytest.mark.parametrize(
    ("name", "of"),
    [("UP_HELI_MAX", "UH"), ("WSPD10MAX", "wind_speed_10m"), ("REFD_MAX", "reflectivity_1km")],
)
def test_what_is_followed_is_the_largest_of_all_steps_since_the_last_frame(storm, history, name, of):
    steps = _steps(storm)
    frames = history["elapsed"].values
    for before, now, frame in zip([-1.0, *frames], frames, range(len(frames)), strict=False):
        since = steps[of].values[(steps["elapsed"] > before) & (steps["elapsed"] <= now)]
        np.testing.assert_array_equal(history[name].values[frame], since.max(0))


def test_draughts_are_the_extremes_of_w_below_400_hpa_at_the_ends_of_all_steps(storm, history):
    """By pressure between layers as WRF weights it, FNM and FNP; the ground counts."""
    steps = _steps(storm)
    pressure = (steps["P"] + steps["PB"]).values
    fnm, fnp = (history[name].values[0, 1:, None, None] for name in ("FNM", "FNP"))
    between = fnm * pressure[:, 1:] + fnp * pressure[:, :-1]
    low = np.concatenate([np.ones_like(between[:, :1], bool), between > 40000], axis=1)
    w, elapsed = steps["W"].values[:, :-1], steps["elapsed"].values
    before = -1.0
    for frame, now in enumerate(history["elapsed"].values):
        since = (elapsed > before) & (elapsed <= now)
        up, down = (np.where(low[since], w[since], none) for none in (-np.inf, np.inf))
        np.testing.assert_array_equal(history["W_UP_MAX"].values[frame], up.max((0, 1)))
        np.testing.assert_array_equal(history["W_DN_MAX"].values[frame], down.min((0, 1)))
        before = now
    assert history["W_UP_MAX"].values[-1].max() > 5


def _steps(storm):
    import xarray as xr

    files = sorted(storm.glob("steps_*.nc"))
    data = xr.concat([xr.open_dataset(file).load() for file in files], "Time")
    minutes = (data["XTIME"] - data["XTIME"][0]) / np.timedelta64(1, "s")
    return data.assign_coords(elapsed=("Time", minutes.values))
