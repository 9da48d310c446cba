"""The answer does not depend on ranks, threads or tiles, nor on a restart: to the last bit."""

import itertools
from contextlib import suppress
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np

from squall.dataset import history_files
from squall.lab.report import picture
from squall.lab.verify import data
from squall.lab.verify.check import Check, Skipped
from squall.lab.workspace import Layout, Workspace

NAME = "bit-for-bit"
SOURCE = "the same run on one rank, one thread, one tile"

# Together these turn on everything that looks at neighbours.
RUN_FILES = {
    "channel": """\
# 3-D, periodic and walls, Coriolis, 2-D Smagorinsky mixing on coordinate surfaces.
[run]
duration = "1 hour"
time_step = "600 s"

[domain]
nx = 21
ny = 26
nz = 10
dx = "200 km"
boundary_south = "symmetric"
boundary_north = "symmetric"

[vertical]
top = "16 km"

[dynamics]
coriolis = "f-plane"
f = "1e-4 s-1"

[diffusion]
scheme = "smagorinsky-2d"

[initial]
case = "baroclinic-wave"

[output.history]
interval = "30 min"

[output.restart]
interval = "30 min"
""",
    "bubble": """\
# 3-D, open on all sides, 3-D Smagorinsky mixing, Rayleigh and w damping, even orders.
[run]
duration = "24 s"
time_step = "4 s"
acoustic_substeps = 6

[domain]
nx = 23
ny = 19
nz = 20
dx = "500 m"
boundary_west = "open"
boundary_east = "open"
boundary_south = "open"
boundary_north = "open"

[vertical]
top = "10 km"

[dynamics]
momentum_order_horizontal = 6
momentum_order_vertical = 4
w_damping = true

[diffusion]
scheme = "smagorinsky-3d"
surfaces = "physical"

[damping]
scheme = "rayleigh"
depth = "3 km"
coefficient = "0.05 s-1"

[initial]
case = "warm-bubble"
u = "5 m/s"
centre_x = "-700 m"
centre_y = "300 m"
radius_y = "3 km"

[output.history]
interval = "12 s"

[output.restart]
interval = "12 s"
""",
    "mountain": """\
# Terrain, open and periodic, hybrid levels, constant mixing in physical space, implicit damping.
[run]
duration = "24 s"
time_step = "4 s"
acoustic_substeps = 6

[domain]
nx = 37
ny = 7
nz = 20
dx = "500 m"
boundary_west = "open"
boundary_east = "open"

[vertical]
top = "15 km"
coordinate = "hybrid"

[diffusion]
scheme = "constant"
surfaces = "physical"
horizontal = "50 m2/s"
vertical = "5 m2/s"

[damping]
scheme = "implicit-w"
depth = "5 km"
coefficient = "0.2 s-1"

[initial]
case = "mountain-schaer"

[output.history]
interval = "12 s"

[output.restart]
interval = "12 s"
""",
    "wrf-forms": """\
# WRF's forms of mixing and of the fall of rain in physical space.
[run]
duration = "4 min"
time_step = "12 s"
acoustic_substeps = 6
compatibility = "wrf"

[domain]
nx = 19
ny = 14
nz = 16
dx = "2 km"
boundary_west = "open"
boundary_east = "open"

[vertical]
top = "20 km"

[physics]
microphysics = "kessler"

[diffusion]
scheme = "constant"
surfaces = "physical"
horizontal = "300 m2/s"
vertical = "100 m2/s"
mix_full_fields = true

[initial]
case = "supercell"

[output.history]
interval = "2 min"

[output.restart]
interval = "2 min"
""",
    "wrf-surfaces": """\
# WRF's forms of mixing and of the fall of rain, on coordinate surfaces.
[run]
duration = "4 min"
time_step = "12 s"
acoustic_substeps = 6
compatibility = "wrf"

[domain]
nx = 19
ny = 14
nz = 16
dx = "2 km"
boundary_west = "open"
boundary_east = "open"

[vertical]
top = "20 km"

[physics]
microphysics = "kessler"

[diffusion]
scheme = "constant"
surfaces = "coordinate"
horizontal = "300 m2/s"
vertical = "100 m2/s"
mix_full_fields = true

[initial]
case = "supercell"

[output.history]
interval = "2 min"

[output.restart]
interval = "2 min"
""",
    "current": """\
# 2-D, walls, constant mixing on coordinate surfaces.
[run]
duration = "12 s"
time_step = "2 s"

[domain]
nx = 65
ny = 1
nz = 16
dx = "400 m"
boundary_west = "symmetric"
boundary_east = "symmetric"

[vertical]
top = "6.4 km"

[diffusion]
scheme = "constant"
horizontal = "75 m2/s"
vertical = "75 m2/s"

[initial]
case = "density-current"

[output.history]
interval = "6 s"

[output.restart]
interval = "6 s"
""",
    "supercell": """\
# Moist: warm rain, predicted subgrid energy, open on all sides, positive-definite transport.
[run]
duration = "8 min"
time_step = "12 s"
acoustic_substeps = 6

[domain]
nx = 17
ny = 13
nz = 16
dx = "2 km"
boundary_west = "open"
boundary_east = "open"
boundary_south = "open"
boundary_north = "open"

[vertical]
top = "20 km"

[physics]
microphysics = "kessler"

[diffusion]
scheme = "tke"
surfaces = "physical"
mix_full_fields = true

[damping]
scheme = "rayleigh"
depth = "5 km"
coefficient = "0.003 s-1"

[initial]
case = "supercell"
amplitude = "12 K"

[output.history]
interval = "4 min"

[output.restart]
interval = "4 min"
""",
    "ice": """\
# Moist: ice, monotonic transport, periodic, theta of dry air.
[run]
duration = "8 min"
time_step = "12 s"
acoustic_substeps = 6

[domain]
nx = 13
ny = 11
nz = 16
dx = "2 km"

[vertical]
top = "20 km"

[dynamics]
limiter = "monotonic"
moist_theta = false

[physics]
microphysics = "wsm6"

[diffusion]
scheme = "smagorinsky-3d"
surfaces = "physical"

[initial]
case = "supercell"
amplitude = "12 K"

[output.history]
interval = "4 min"

[output.restart]
interval = "4 min"
""",
}

# From WRF's input: map factors, terrain, specified sides. The restart begins within the second
# record of boundary values.
REAL = "winter"
REAL_RUN_FILE = """\
[run]
duration = "4 h"
time_step = "600 s"
acoustic_substeps = 4

[domain]
boundary_west = "specified"
boundary_east = "specified"
boundary_south = "specified"
boundary_north = "specified"

[boundary]
file = "{folder}/wrfbdy_d01"

[dynamics]
coriolis = "file"
hypsometric = 1
moist_theta = false

[physics]
microphysics = "kessler"

[diffusion]
scheme = "smagorinsky-2d"
surfaces = "coordinate"

[initial]
file = "{folder}/wrfinput_d01"

[output.history]
interval = "40 min"

[output.restart]
interval = "200 min"
"""

SETUPS = (*RUN_FILES, REAL)

REFERENCE = Layout(ranks=1, threads=1, tile_x=10000, tile_y=10000)
LAYOUTS = (
    Layout(ranks=1, threads=1, tile_x=7, tile_y=3),
    Layout(ranks=1, threads=3, tile_x=16, tile_y=1),
    Layout(ranks=2, threads=1),
    Layout(ranks=3, threads=2, tile_x=5, tile_y=2),
    Layout(ranks=4, threads=1),
)


RESTARTED = Layout(ranks=3, threads=1, tile_x=6, tile_y=4)


def verify(workspace: Workspace) -> list[Check]:
    """All setups; the real one only where the reference data are."""
    checks = {setup: verify_setup(workspace, setup) for setup in RUN_FILES}
    with suppress(Skipped):
        checks[REAL] = verify_setup(workspace, REAL)
    _draw(workspace, checks)
    return [check for of_setup in checks.values() for check in of_setup]


def verify_setup(workspace: Workspace, setup: str) -> list[Check]:
    """One of SETUPS in every layout, and cut in two by a restart in another layout.

    Raises Skipped for the real one where the reference data are not there.
    """
    name = f"{NAME}-{SETUPS.index(setup) + 1}"
    run_file = workspace.run_file(name, _run_file(setup))
    reference = workspace.run(f"{name}-reference", run_file, {}, REFERENCE)
    checks = []
    for layout in LAYOUTS:
        run = workspace.run(f"{name}-{_short(layout)}", run_file, {}, layout)
        checks.append(_check(setup, _describe(layout), differences(reference, run, whole=True)))
    restart = {"run.restart_from": str(_first_restart(reference))}
    run = workspace.run(f"{name}-restarted", run_file, restart, RESTARTED)
    checks.append(
        _check(setup, f"restarted, {_describe(RESTARTED)}", differences(reference, run, whole=False))
    )
    return checks


def _run_file(setup: str) -> str:
    if setup == REAL:
        return REAL_RUN_FILE.format(folder=data.folder("conus_2008-02-05").resolve())
    return RUN_FILES[setup]


def differences(reference: Path, run: Path, *, whole: bool) -> list[str]:
    """What is not the same, bit for bit, in the history of two runs: "frame: variable, points".

    `whole`: both must have the same frames; else those of `run` must be among the reference's.
    """
    ours = {file.name: file for file in history_files(run)}
    theirs = {file.name: file for file in history_files(reference)}
    strange = set(ours) ^ set(theirs) if whole else set(ours) - set(theirs)
    found = [f"{name}: in one run only" for name in sorted(strange)]
    for name in sorted(set(ours) & set(theirs)):
        found += [f"{name}: {difference}" for difference in _compare(theirs[name], ours[name])]
    return found


def _compare(theirs: Path, ours: Path) -> list[str]:
    with netCDF4.Dataset(theirs) as a, netCDF4.Dataset(ours) as b:
        a.set_auto_maskandscale(False)
        b.set_auto_maskandscale(False)
        found = [f"{name}, in one file only" for name in sorted(set(a.variables) ^ set(b.variables))]
        for name in sorted(set(a.variables) & set(b.variables)):
            x, y = np.ascontiguousarray(a[name][...]), np.ascontiguousarray(b[name][...])
            if x.shape != y.shape or x.dtype != y.dtype:
                found.append(f"{name}, of another shape or type")
            elif x.tobytes() != y.tobytes():
                found.append(f"{name}, {_points_that_differ(x, y)} of {x.size} points")
    return found


def _points_that_differ(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> int:
    """Compares bits: -0 is not 0, and NaN may be NaN."""
    bytes_x, bytes_y = (array.reshape(-1, 1).view(np.uint8) for array in (x, y))
    return int((bytes_x != bytes_y).any(axis=1).sum())


def _first_restart(run: Path) -> Path:
    return min(run.glob("restart_*"))


def _short(layout: Layout) -> str:
    return f"{layout.ranks}x{layout.threads}-{layout.tile_x}x{layout.tile_y}"


def _describe(layout: Layout) -> str:
    tiles = f", tiles {layout.tile_x} x {layout.tile_y}" if layout.tile_x else ""
    return f"{_count(layout.ranks, 'rank')} x {_count(layout.threads, 'thread')}{tiles}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number > 1 else ''}"


def _check(setup: str, what: str, found: list[str]) -> Check:
    example = f" (first: {found[0]})" if found else ""
    quantity = f"fields that differ, {setup}, {what}{example}"
    return Check(NAME, quantity, 0.0, float(len(found)), 0.0, SOURCE, rule="at most")


def _draw(workspace: Workspace, checks: dict[str, list[Check]]) -> None:
    setups, layouts = list(checks), [_describe(layout) for layout in LAYOUTS]
    counts = np.array([[check.ours for check in of_setup] for of_setup in checks.values()])
    with picture(workspace.picture(NAME), 9, 4.5) as figure:
        axes = figure.subplots()
        axes.imshow(counts > 0, cmap="RdYlGn_r", vmin=-0.4, vmax=1.4, aspect="auto")
        for row, column in itertools.product(*map(range, counts.shape)):
            axes.text(column, row, f"{counts[row, column]:.0f}", ha="center", va="center")
        axes.set_yticks(range(len(setups)), setups)
        columns = [*layouts, "restarted, " + _describe(RESTARTED)]
        axes.set_xticks(
            range(len(columns)), [column.replace(" x ", "\nx ", 1).replace(", ", ",\n") for column in columns]
        )
        axes.set_title("Fields that differ from " + SOURCE)
