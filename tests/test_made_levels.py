"""Streams on levels of pressure, height and potential temperature."""

import subprocess

import numpy as np
import pytest

from made_streams import columns, only
from squall import diagnose, locate

pytestmark = pytest.mark.regression


def test_levels_are_those_of_each_column(made):
    history, upper, heights = (only(made, name) for name in ("history", "upper_air", "heights"))
    assert upper["T"].dims == ("Time", "pressure_level", "south_north", "west_east")
    assert upper["PSFC"].dims == ("Time", "south_north", "west_east")
    assert upper.pressure_level.attrs["standard_name"] == "air_pressure"
    pressure = (history["P"] + history["PB"]).values[-1]
    wanted = columns(pressure, history["T"].values[-1], upper.pressure_level.values, log=True)
    np.testing.assert_allclose(upper["T"].values[-1], wanted, rtol=1e-4, atol=1e-4)
    z = ((history["PH"] + history["PHB"]) / 9.81).values[-1]
    wanted = columns((z[1:] + z[:-1]) / 2, history["T"].values[-1], [1000, 5000], log=False)
    np.testing.assert_allclose(heights["T"].values[-1, :2], wanted, rtol=1e-4, atol=1e-4)
    wanted = columns(z, history["W"].values[-1], [1000, 5000], log=False)
    np.testing.assert_allclose(heights["W"].values[-1, :2], wanted, rtol=1e-4, atol=1e-5)
    assert np.isnan(heights["T"].values[:, 2]).all()  # above the top


def ends(z, values, level, below):
    """The line through the two lowest, or highest, layers of each column, at a level."""
    low, high = (0, 1) if below else (-2, -1)
    slope = (values[high] - values[low]) / (z[high] - z[low])
    return values[low] + slope * (level - z[low])


def test_levels_outside_of_the_air_are_as_declared(made):
    history = only(made, "history")
    values = history["T"].values[-1].astype(np.float64)
    z = ((history["PH"] + history["PHB"]).astype(np.float64) / 9.81).values[-1] - history["HGT"].values[-1]
    z = (z[1:] + z[:-1]) / 2
    inside = columns(z, values, [3000], log=False)[0]

    near = only(made, "nearest_levels")["T"].values[-1]
    np.testing.assert_array_equal(near[0], history["T"].values[-1][0])
    np.testing.assert_allclose(near[1], inside, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(near[2], history["T"].values[-1][-1])

    beyond = only(made, "beyond_levels")["T"].values[-1]
    assert z[0].min() > 10
    assert z[-1].max() < 25e3
    np.testing.assert_allclose(beyond[0], ends(z, values, 10, below=True), rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(beyond[1], inside, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(beyond[2], ends(z, values, 25e3, below=False), rtol=1e-4, atol=1e-3)


def test_pressures_below_the_ground_are_extrapolated_in_their_logarithm(made):
    history, below = only(made, "history"), only(made, "below_ground")["T"].values[-1]
    values = history["T"].values[-1].astype(np.float64)
    pressure = (history["P"] + history["PB"]).values[-1].astype(np.float64)
    assert pressure[0].max() < 1090e2
    wanted = ends(np.log(pressure), values, np.log(1090e2), below=True)
    np.testing.assert_allclose(below[0], wanted, rtol=1e-4, atol=1e-3)
    wanted = columns(pressure, values, [500e2], log=True)
    np.testing.assert_allclose(below[1:], wanted, rtol=1e-4, atol=1e-4)


def test_levels_of_potential_temperature_are_those_of_each_column(made):
    history, isentropes = only(made, "history"), only(made, "isentropes")
    assert isentropes["QVAPOR"].dims == ("Time", "theta_level", "south_north", "west_east")
    assert isentropes.theta_level.attrs["standard_name"] == "air_potential_temperature"
    theta = history["T"].values[-1].astype(np.float64) + 300
    rising = (np.diff(theta, axis=0) > 0).all(0)  # elsewhere a level may lie in a column twice
    assert rising.mean() > 0.5
    wanted = columns(theta, history["QVAPOR"].values[-1], isentropes.theta_level.values, log=False)
    found = isentropes["QVAPOR"].values[-1]
    np.testing.assert_allclose(found[:, rising], wanted[:, rising], rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(
        isentropes["T"].values[-1, :2][:, rising] + 300,
        [[310], [325]] * np.ones((2, rising.sum())),
        atol=1e-3,
    )
    assert np.isfinite(found[:2, rising]).all()
    assert np.isnan(found[2]).all()  # above the top


def test_where_a_column_passes_a_potential_temperature_twice_the_model_takes_what_squall_diagnose_takes(
    made_model,
):
    stream = '\n[output.twice]\ninterval = "30 s"\nfields = ["QVAPOR"]\ntheta_levels = ["309 K"]\n'
    said, directory = made_model(
        "twice", streams=stream, **{"initial.amplitude": "12 K", "run.duration": "30 s"}
    )
    assert said.returncode == 0, said.stderr
    last = only(directory, "history").isel(Time=-1)
    passages = np.diff(np.sign(last["T"].values + 300 - 309), axis=0) != 0
    assert (passages.sum(0) > 1).any()
    wanted = diagnose.on_theta(last, last["QVAPOR"], [309.0]).values
    np.testing.assert_allclose(only(directory, "twice")["QVAPOR"].values[-1], wanted, rtol=1e-4, atol=1e-7)


def test_heights_above_the_ground_follow_a_mountain_and_those_above_the_sea_do_not(tmp_path):
    levels = "".join(
        f'\n[output.{name}]\ninterval = "2 min"\nfields = ["T"]\n{name}_levels = ["600 m", "2 km"]\n'
        for name in ("ground", "height")
    )
    case = locate.run_file("mountain-hydrostatic").read_text()
    (tmp_path / "ridge.toml").write_text(case + levels)
    keys = {"run.duration": "2 min", "run.directory": str(tmp_path), "output.history.interval": "2 min",
            "initial.height": "900 m", "domain.nz": "50"}  # fmt: skip
    words = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    subprocess.run([locate.model_binary(), tmp_path / "ridge.toml", *words], check=True, capture_output=True)
    history, ground, height = (only(tmp_path, name) for name in ("history", "ground", "height"))
    values, terrain = history["T"].values[-1], history["HGT"].values[-1].astype(np.float64)
    assert terrain.max() > 800
    z = ((history["PH"] + history["PHB"]).astype(np.float64) / 9.81).values[-1]
    z = (z[1:] + z[:-1]) / 2
    wanted = columns(z - terrain, values, [600, 2000], log=False)
    np.testing.assert_allclose(ground["T"].values[-1], wanted, rtol=1e-3, atol=1e-3)
    wanted = columns(z, values, [600, 2000], log=False)
    np.testing.assert_allclose(height["T"].values[-1], wanted, rtol=1e-3, atol=1e-3)
    inside = z[0] > 600  # of the mountain
    assert inside.any()
    assert np.isnan(height["T"].values[-1, 0][inside]).all()
    assert np.isfinite(ground["T"].values[-1]).all()
