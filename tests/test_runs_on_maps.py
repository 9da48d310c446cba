"""Runs on every kind of map: air that turns as a rigid body about any axis, in balance, goes on as it is; and
nests without a file of their own lie where their maps say, across the date line and around a pole."""

import subprocess
from dataclasses import replace

import numpy as np
import pytest
from netCDF4 import Dataset

import made_up_columns as made_up
from flows_on_maps import DOMAINS, on_sphere, rotation
from squall import locate
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare.make_state import build_state
from squall.prepare.sources.wrf_domain import domain_of
from squall.prepare.state import Settings
from squall.prepare.wrfbdy import BoundaryWriter
from squall.prepare.wrfinput import write_wrfinput
from squall.reader.dataset import open_run
from squall.runs import launch

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

AXIS = (1.0, -0.5, 0.7)
SPEED, TEMPERATURE = 50.0, 280.0  # m s-1, K
INNER = (slice(None), slice(8, -8), slice(8, -8))  # of (level, row, column): the sides are held

RUN_FILE = """
[run]
duration = "1 h"
time_step = "60 s"
[boundary]
file = "wrfbdy_d01"
[dynamics]
coriolis = "none"
[physics]
microphysics = "vapour"
[initial]
file = "wrfinput_d01"
[output.history]
interval = "1 h"
frames_per_file = 100
fields = ["default", "vorticity", "divergence"]
{more}
"""

# In the middle of its parent, so that a date line there runs between its own middle cells.
NEST = """
[nest.inner]
nx = 30
ny = 30
i_parent_start = 16
j_parent_start = 14
"""


def columns(domain, hours=0):
    """Wind of a rigid rotation on an Earth that does not turn. It is steady where
    p = p0 exp(U^2 (1 - (n . r)^2) / (2 R T)), whose gradient is what holds the air on its way."""
    made = made_up.isothermal(domain, TEMPERATURE, np.zeros((domain.ny, domain.nx)))
    up = on_sphere(domain.mass.longitude, domain.mass.latitude)[0]
    along = up @ (np.asarray(AXIS) / np.linalg.norm(AXIS))
    excess = SPEED**2 * (1 - along**2) / (2 * made_up.R * TEMPERATURE)
    made.surface_pressure = made_up.single(1e5 * np.exp(excess))
    scale = made_up.R * TEMPERATURE / made_up.G
    made.height = made_up.single(scale * (np.log(1e5 / made_up.LEVELS)[:, None, None] + excess))
    made.u = made_up.single(rotation(domain.u, AXIS, SPEED)[0], made.u.shape)
    made.v = made_up.single(rotation(domain.v, AXIS, SPEED)[1], made.v.shape)
    return replace(
        made, time=made.time + hours * (made_up.weather(domain, made.terrain, 1).time - made_up.START)
    )


def run(folder, domain, *settings, more="", change_input=lambda file: None):
    ground, settings_of_state = (
        np.zeros((domain.ny, domain.nx), np.float32),
        Settings(levels=20, remove_divergence=False),
    )
    states = [build_state(columns(domain, h), domain, ground, ground, settings_of_state) for h in (0, 6)]
    write_wrfinput(folder / "wrfinput_d01", states[0], domain)
    with Dataset(folder / "wrfinput_d01", "a") as file:
        change_input(file)
    with BoundaryWriter(folder / "wrfbdy_d01", domain, 5) as boundary:
        for state in states:
            boundary.add(state)
    (folder / "run.toml").write_text(RUN_FILE.format(more=more))
    command = [locate.model_binary(), "run.toml", "--threads", "1", "--overwrite"]
    for setting in settings:
        command += ["--set", setting]
    return subprocess.run(
        command, cwd=folder, env=launch.inherited(), capture_output=True, text=True, timeout=600, check=False
    )


@pytest.mark.parametrize("name", DOMAINS)
def test_a_rigid_rotation_in_balance_is_steady(name, tmp_path):
    """Without what maps do to the wind it would change by metres per second: curvature is 1e-3 m s-2."""
    done = run(tmp_path, DOMAINS[name])
    assert done.returncode == 0, done.stdout + done.stderr
    history = open_run(tmp_path / "runs/run")
    for wind in ("U", "V"):
        change = (history[wind].isel(Time=-1) - history[wind].isel(Time=0)).values[INNER]
        assert np.sqrt((change**2).mean()) < 0.01, f"{wind} changed by {np.abs(change).max()} m/s"
    change = (history["MU"].isel(Time=-1) - history["MU"].isel(Time=0)).values[INNER[1:]]
    assert np.abs(change).max() < 3, f"MU changed by {np.abs(change).max()} Pa"
    # And the model's own derivatives along the grid are those of the flow.
    up = on_sphere(*(history[n].values for n in ("XLONG", "XLAT")))[0]
    true = 2 * SPEED / 6.37e6 * (up @ (np.asarray(AXIS) / np.linalg.norm(AXIS)))
    first = {n: history[n].isel(Time=0).values[:, 1:-1, 1:-1] for n in ("vorticity", "divergence")}
    np.testing.assert_allclose(
        first["vorticity"], np.broadcast_to(true[1:-1, 1:-1], first["vorticity"].shape), atol=2e-8
    )
    np.testing.assert_allclose(first["divergence"], 0, atol=2e-8)


def test_a_map_whose_pole_is_turned_is_as_steady(tmp_path):
    """Curvature follows the latitude on the map, not the one on Earth, which WPS's pole_lat sets apart."""

    def turn_pole(file):
        file.POLE_LAT = np.float32(40)
        up = on_sphere(*(np.asarray(file[n][0], float) for n in ("XLONG", "XLAT")))[0]
        x, y, z = np.moveaxis(up @ np.array([[0.6, 0, -0.8], [0, 1, 0], [0.8, 0, 0.6]]), -1, 0)
        file["XLAT"][0], file["XLONG"][0] = np.degrees(np.arcsin(z)), np.degrees(np.arctan2(y, x))

    done = run(tmp_path, DOMAINS["lat-lon"], change_input=turn_pole)
    assert done.returncode == 0, done.stdout + done.stderr
    history = open_run(tmp_path / "runs/run")
    assert abs(float(history["XLAT"].mean()) - 60) > 20
    assert history.attrs["POLE_LAT"] == 40
    for wind in ("U", "V"):
        change = (history[wind].isel(Time=-1) - history[wind].isel(Time=0)).values[INNER]
        assert np.sqrt((change**2).mean()) < 0.01


@pytest.mark.parametrize("name", DOMAINS)
def test_a_nest_lies_where_its_map_says(name, tmp_path):
    domain = DOMAINS[name]
    done = run(tmp_path, domain, 'run.duration="5 min"', 'output.history.interval="5 min"', more=NEST)
    assert done.returncode == 0, done.stdout + done.stderr
    nest = open_run(tmp_path / "runs/run", domain=2).isel(Time=-1)
    map_of = domain.child(3, 15, 13, 30, 30)
    for kind, points in (("", map_of.mass), ("_U", map_of.u), ("_V", map_of.v)):
        here = on_sphere(nest[f"XLONG{kind}"].values.astype(float), nest[f"XLAT{kind}"].values.astype(float))[
            0
        ]
        away = 6.37e6 * np.linalg.norm(here - on_sphere(points.longitude, points.latitude)[0], axis=-1)
        assert away.max() < 60, f"XLAT{kind}, XLONG{kind}: {away.max():.0f} m"
    # By the angle at the place that the nest has, which near a pole may have another meridian.
    angle = np.arctan2(nest["SINALPHA"].values, nest["COSALPHA"].values)
    turn = (map_of.mass.longitude - nest["XLONG"].values + 180) % 360 - 180
    meridian = np.radians(map_of.projection.cone * turn)
    true = np.arctan2(map_of.mass.sin_alpha, map_of.mass.cos_alpha)
    off = (angle - true - meridian + np.pi) % (2 * np.pi) - np.pi
    far = np.abs(map_of.mass.latitude) < 89.95
    np.testing.assert_allclose(off[far], 0, atol=1e-3)
    for name_of, values in (("MX", map_of.mass.map_factor_x), ("MY", map_of.mass.map_factor_y)):
        np.testing.assert_allclose(nest[f"MAPFAC_{name_of}"], values, rtol=1e-4)
    centre = on_sphere(np.array(nest.attrs["CEN_LON"]), np.array(nest.attrs["CEN_LAT"]))[0]
    true_centre = on_sphere(np.array(map_of.center_longitude), np.array(map_of.center_latitude))[0]
    assert 6.37e6 * np.linalg.norm(centre - true_centre) < 1000


@pytest.mark.parametrize("name", ["polar-with-pole", "lat-lon-south-date-line"])
def test_a_nest_is_told_how_the_earth_turns_under_it(name, tmp_path):
    domain = DOMAINS[name]
    done = run(
        tmp_path, domain, 'run.duration="1 min"', 'output.history.interval="1 min"',
        'dynamics.coriolis="file"', more=NEST,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    nest = open_run(tmp_path / "runs/run", domain=2).isel(Time=-1)
    for field, true in zip("FE", domain.child(3, 15, 13, 30, 30).mass.coriolis, strict=True):
        np.testing.assert_allclose(nest[field], true, atol=1e-8)


def test_rows_too_narrow_for_sound_are_refused_with_what_works(tmp_path):
    domain = replace(DOMAINS["lat-lon"], center_latitude=85.0, ny=30)
    done = run(tmp_path, domain)
    assert done.returncode == 2
    assert "the smallest cells measure" in done.stderr
    assert (
        'map with its pole elsewhere: near the Earth\'s poles prepare.projection = "polar-stereographic"'
        in done.stderr
    )
    step = float(done.stderr.split('run.time_step = "')[1].split(" s")[0])
    long = f"{60 * step:g} s"
    again = run(
        tmp_path, domain, f'run.time_step="{step:g} s"', f'run.duration="{long}"',
        f'output.history.interval="{long}"',
    )  # fmt: skip
    assert again.returncode == 0, again.stderr


FINER = """
[run]
start = "2020-03-01T12:00:00"
duration = "5 min"
[domain]
nx = 36
ny = 36
nz = 20
dx = "10 km"
[prepare]
analysis = ["runs/run"]
projection = "lat-lon"
center_latitude = "-60 degrees"
center_longitude = "179 degrees"
[initial]
file = "wrfinput_fine"
[boundary]
file = "wrfbdy_fine"
"""


def test_a_run_on_a_latitude_longitude_map_is_an_analysis_for_another(squall, tmp_path):
    done = run(
        tmp_path,
        DOMAINS["lat-lon-south-date-line"],
        'run.duration="5 min"',
        'output.history.interval="5 min"',
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "fine.toml").write_text(FINER)
    made = squall("prepare", "fine.toml")
    assert made.returncode == 0, made.stdout + made.stderr
    fine = Domain(Projection("lat-lon", 0, 0, 179), 36, 36, 10e3, 10e3, -60, 179)
    with Dataset(tmp_path / "wrfinput_fine") as file:
        u = np.broadcast_to(rotation(fine.u, AXIS, SPEED)[0], file["U"].shape[1:])
        np.testing.assert_allclose(file["U"][0], u, atol=0.01)
        np.testing.assert_allclose(file["XLAT"][0], fine.mass.latitude, atol=1e-4)


def test_a_rotated_map_is_refused_by_name_as_an_analysis():
    attributes = {"MAP_PROJ": 6, "POLE_LAT": 40.0}
    with pytest.raises(
        UserError, match=r"rotated latitude-longitude map \(MAP_PROJ = 6 with POLE_LAT = 40\)"
    ):
        domain_of(attributes, 10, 10, "met_em.d01.nc")
