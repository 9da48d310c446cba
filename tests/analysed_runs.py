"""Runs of made-up weather over a hill by the sea, with all that analyses give a run."""

import shutil
import subprocess
from datetime import timedelta

import numpy as np
import pytest

import made_up_columns as made_up
from squall import locate
from squall.errors import UserError
from squall.prepare.make_state import build_state
from squall.prepare.state import Settings
from squall.prepare.wrfbdy import BoundaryWriter
from squall.prepare.wrffdda import NudgingWriter
from squall.prepare.wrfinput import write_wrfinput
from squall.prepare.wrflowinp import write_wrflowinp
from squall.reader.dataset import open_run
from squall.runs import launch

try:
    locate.model_binary()
except UserError:  # of all that imports this
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

GRID = made_up.domain()
HILL = made_up.hill(GRID, 900.0)
LAND = (HILL > 1).astype(np.float32)
SETTINGS = Settings(levels=24)
ROWS = 5  # that the boundary file draws to itself

RUN_FILE = """
[run]
duration = "1 h"
time_step = "60 s"
{run}
[boundary]
file = "wrfbdy_d01"
{boundary}
[dynamics]
coriolis = "file"
[physics]
microphysics = "wsm6"
surface_layer = "revised-mm5"
boundary_layer = "ysu"
land = "slab"
radiation = "broadband"
{physics}
[initial]
file = "wrfinput_d01"
[output.history]
interval = "20 min"
frames_per_file = 100
[output.restart]
interval = "40 min"
{more}
"""


def sea_at(hours):
    """292 K and open in the west, 2 K warmer after six hours; in the north ice that has gone by then."""
    shape = HILL.shape
    temperature = np.full(shape, 292 + hours / 3, np.float32)
    ice = np.zeros(shape, np.float32)
    ice[-3:] = 1 - hours / 6
    return made_up.START + timedelta(hours=hours), temperature, ice


def write_inputs(folder):
    """All input of one domain, of two times six hours apart."""
    states = [build_state(made_up.weather(GRID, HILL, h), GRID, HILL, LAND, SETTINGS) for h in (0, 6)]
    _, temperature, ice = sea_at(0)
    ground = states[0].columns.ground
    ground.sea_surface_temperature, ground.sea_ice, ground.skin_temperature = temperature, ice, temperature
    write_wrfinput(folder / "wrfinput_d01", states[0], GRID)
    with (
        BoundaryWriter(folder / "wrfbdy_d01", GRID, ROWS) as boundary,
        NudgingWriter(folder / "wrffdda_d01", GRID) as nudging,
    ):
        for state in states:
            boundary.add(state)
            nudging.add(state)
    write_wrflowinp(folder / "wrflowinp_d01", GRID, SETTINGS, [sea_at(0), sea_at(6)])
    return folder


def run(files, folder, *settings, ranks=1, threads=1, run="", boundary="", physics="", more="", fails=False):
    """The run's history; what it says, where it fails."""
    folder.mkdir(exist_ok=True)
    for file in files.iterdir():
        shutil.copy(file, folder) if not (folder / file.name).exists() else None
    text = RUN_FILE.format(run=run, boundary=boundary, physics=physics, more=more)
    (folder / "run.toml").write_text(text)
    mpirun = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks)] if ranks > 1 else []
    command = [*mpirun, locate.model_binary(), "run.toml", "--threads", str(threads), "--overwrite"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(
        command, cwd=folder, env=launch.inherited(), capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stderr if fails else open_run(folder / "runs/run")


def assert_same_bits(files, folder, *settings, tiled=False, **more):
    """Of one run whole, and cut in two by a restart, on three ranks and then two; `tiled`: on three threads
    with odd tiles, too."""
    whole = run(files, folder / "whole", *settings, **more)
    run(files, folder / "cut", "run.duration=40 min", *settings, ranks=3, **more)
    restart = sorted((folder / "cut/runs/run").glob("restart_*"))[-1]
    kept = f"run.restart_from={restart.relative_to(folder / 'cut')}"
    others = {"cut": run(files, folder / "cut", kept, *settings, ranks=2, **more)}
    if tiled:
        tiles = ("parallel.tile_x=7", "parallel.tile_y=5")
        others["tiles"] = run(files, folder / "tiles", *tiles, *settings, threads=3, **more)
    for what, other in others.items():
        assert list(other["elapsed"].values) == list(whole["elapsed"].values), what
        for name in ("U", "V", "W", "T", "MU", "PH", "QVAPOR", "TSK", "HFX", "RAINNC"):
            assert whole[name].values.tobytes() == other[name].values.tobytes(), (what, name)
    return whole
