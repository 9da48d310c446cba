"""The files that `squall prepare` makes of nests: what they say, and the runs that begin from them."""

import re
import shutil
import subprocess
from datetime import datetime

import numpy as np
import pytest
import xarray as xr
from netCDF4 import Dataset

import commands
from analytic import every
from pictures import assert_drawn
from squall import locate
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare.state import Settings
from squall.prepare.terrain import from_parent
from squall.prepare.wrflowinp import write_wrflowinp
from squall.reader.dataset import open_run
from test_prepare_command import RUN_FILE, times_of, write_era5

pytestmark = [pytest.mark.regression, pytest.mark.seconds(80)]

NESTS = """
[nest.inner]
i_parent_start = 8
j_parent_start = 7
nx = 27
ny = 24
initial_file = "made/wrfinput_d02"

[nest.core]
parent = "inner"
parent_grid_ratio = 2
i_parent_start = 6
j_parent_start = 9
nx = 20
ny = 16
initial_file = "made/wrfinput_d03"
blend_rows = 1
"""
RUN = """
[run]
duration = "10 min"
time_step = "120 s"
[initial]
file = "wrfinput_d01"
[boundary]
file = "wrfbdy_d01"
[dynamics]
coriolis = "file"
[physics]
microphysics = "vapour"
[damping]
scheme = "implicit-w"
depth = "5 km"
coefficient = "0.2 s-1"
[output.history]
interval = "10 min"
"""


def write_heights(path):
    """Ridges 240 km apart, which the outermost domain does not resolve and the nests do."""
    lon, lat = np.arange(-15, 25.01, 0.1), np.arange(32, 58.01, 0.1)
    values = 900 + 800 * np.sin(np.radians(lon * 120)) * np.ones((len(lat), 1))
    xr.Dataset(
        {"relief": (("Y", "X"), values.astype(np.float32), {"units": "meters"})},
        coords={"X": ("X", lon, {"units": "degrees_east"}), "Y": ("Y", lat, {"units": "degrees_north"})},
    ).to_netcdf(path)


def prepare(folder, levels="", nests=NESTS, drawn=False):
    """A domain, a nest and a nest of that, with heights of their own; what the command said."""
    write_era5(folder, every(6, 3))
    write_heights(folder / "heights.nc")
    text = RUN_FILE.replace('"100 km"', '"60 km"').replace('"12 h"', '"6 h"')
    text = text.replace("[prepare]", f'[prepare]\nterrain = "heights.nc"\n{levels}')
    (folder / "run.toml").write_text(text + nests)
    done = commands.squall(["prepare", "run.toml"], folder, drawn=drawn)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """(folder of the files, what the command said)"""
    folder = tmp_path_factory.mktemp("nests")
    said = prepare(folder, drawn=True)
    return folder / "made", said


def of_cells(fine, ratio):
    """Values (..., rows, columns) in squares of ratio x ratio points: (..., rows, ratio, columns, ratio)."""
    *_, rows, columns = fine.shape
    return fine.reshape(*fine.shape[:-2], rows // ratio, ratio, columns // ratio, ratio)


@pytest.mark.parametrize(
    ("parent", "nest", "ratio", "rows", "columns"),
    [("d01", "d02", 3, slice(6, 14), slice(7, 16)), ("d02", "d03", 2, slice(8, 16), slice(5, 15))],
)
def test_nest_points_tile_the_cells_of_the_parent(prepared, parent, nest, ratio, rows, columns):
    folder, _ = prepared
    with Dataset(folder / f"wrfinput_{parent}") as outer, Dataset(folder / f"wrfinput_{nest}") as inner:
        for name in ("XLAT", "XLONG"):
            wanted = outer[name][0, rows, columns].astype(float)
            cells = of_cells(inner[name][0].astype(float), ratio)
            if ratio == 3:  # the middle one of each nine is the parent's
                np.testing.assert_allclose(cells[:, 1, :, 1], wanted, atol=1e-5)
            # On the curved map the mean lies off by the curvature of a cell of at most 60 km.
            np.testing.assert_allclose(cells.mean(axis=(1, 3)), wanted, atol=1e-3)
        # U points on the parent's faces.
        faces = slice(columns.start, columns.stop + 1)
        if ratio == 3:
            np.testing.assert_allclose(
                inner["XLONG_U"][0, 1::3, ::3], outer["XLONG_U"][0, rows, faces], atol=1e-5
            )


def test_files_say_where_a_nest_lies_as_wrf_does(prepared):
    folder, _ = prepared
    wanted = {
        "d01": (1, 0, 1, 1, 1, 60e3),
        "d02": (2, 1, 8, 7, 3, 20e3),
        "d03": (3, 2, 6, 9, 2, 10e3),
    }
    names = ("GRID_ID", "PARENT_ID", "I_PARENT_START", "J_PARENT_START", "PARENT_GRID_RATIO", "DX")
    shared = ("MAP_PROJ", "TRUELAT1", "TRUELAT2", "STAND_LON", "MOAD_CEN_LAT", "BOTTOM-TOP_GRID_DIMENSION")
    with Dataset(folder / "wrfinput_d01") as first:
        outermost = {name: first.getncattr(name) for name in shared}
        levels = {name: first[name][0] for name in ("ZNW", "P_TOP")}
    assert outermost["MOAD_CEN_LAT"] == 45
    for domain, values in wanted.items():
        with Dataset(folder / f"wrfinput_{domain}") as file:
            assert tuple(file.getncattr(name) for name in names) == values
            assert {name: file.getncattr(name) for name in shared} == outermost
            for name, same in levels.items():
                np.testing.assert_array_equal(file[name][0], same)
    assert times_of(folder / "wrfbdy_d01") == ["2024-01-15_06:00:00"]
    assert not (folder / "wrfbdy_d02").exists()  # what comes in at a nest's sides is its parent's
    with Dataset(folder / "wrfinput_d02") as file:
        assert (file.getncattr("WEST-EAST_GRID_DIMENSION"), file["T"].shape) == (28, (1, 20, 24, 27))
        assert file.CEN_LAT != 45


def test_the_ground_of_a_nest_is_its_parents_at_the_sides_and_its_own_inside(prepared):
    folder, _ = prepared
    parent = Domain(Projection("lambert", 35, 55, 5), 24, 20, 60e3, 60e3, 45, 5)
    nest = parent.child(3, 7, 6, 27, 24)
    with Dataset(folder / "wrfinput_d01") as outer, Dataset(folder / "wrfinput_d02") as inner:
        np.testing.assert_allclose(inner["XLAT"][0], nest.mass.latitude, atol=1e-5)
        own, parents = inner["HGT"][0].data, from_parent(parent, outer["HGT"][0].data, nest)
    for side in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        np.testing.assert_allclose(own[side], parents[side], atol=0.01)
    ridges = 900 + 800 * np.sin(np.radians(nest.mass.longitude * 120))
    inside = np.s_[6:-6, 6:-6]
    assert np.abs(own - ridges)[inside].max() < 40
    # Which the parent's cells of 60 km cannot show.
    assert np.abs(own - parents)[inside].max() > 100


def test_every_nest_is_balanced_and_told(prepared):
    folder, said = prepared
    accelerations = [float(x) for x in re.findall(r"largest \|dw/dt\| (\S+) m/s2", said)]
    assert len(accelerations) == 3
    assert 0 < max(accelerations) < 2e-4
    assert re.search(r"Nest d02\n  27 x 24 cells of 20 km .*: cells 8 to 16 and 7 to 14 of d01\n", said)
    assert re.search(r"Nest d03\n  20 x 16 cells of 10 km .*: cells 6 to 15 and 9 to 16 of d02\n", said)
    assert said.count("terrain: that of the parent in the outermost row") == 2
    for name in ("prepared.png", "prepared_d02.png", "prepared_d03.png"):
        assert_drawn(folder / name)
        assert f"made/{name}" in said


def test_nests_run_on_their_own_ground_inside_the_domain(prepared):
    folder, _ = prepared
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    (folder / "run.toml").write_text(RUN + NESTS.replace("made/", ""))
    done = subprocess.run(
        [model, "run.toml", "--threads", "1", "--overwrite"],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    with Dataset(folder / "wrfinput_d03") as file:
        own = file["HGT"][0].data
    for number, shape in ((2, (24, 27)), (3, (16, 20))):
        _, last = sorted((folder / "runs" / "run").glob(f"history_d{number:02d}_*.nc"))
        with Dataset(last) as file:
            w = file["W"][:]
            assert w.shape[-2:] == shape
            assert np.abs(w).max() < 3
            assert np.isfinite(file["T"][:]).all()
    with Dataset(sorted((folder / "runs" / "run").glob("history_d03_*.nc"))[0]) as file:
        ground = file["HGT"][0].data
    # Its own inside the rows in which it passes into the parent's.
    np.testing.assert_array_equal(ground[6:-6, 6:-6], own[6:-6, 6:-6])
    assert np.abs(ground - own)[0].max() > 1, "the parent's, which has its own parent's there"


def test_a_track_by_latitude_and_longitude_takes_the_nest_along(prepared, tmp_path):
    """On a Lambert map, from the middle of one of the parent's cells to that of another."""
    folder, _ = prepared
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    cells = {"0 min": (10, 8), "4 min": (12, 9), "8 min": (12, 11)}  # from 0
    with Dataset(folder / "wrfinput_d01") as file:
        places = [
            f"{time}, {file['XLAT'][0, j, i]:.5f} degrees, {file['XLONG'][0, j, i]:.5f} degrees"
            for time, (i, j) in cells.items()
        ]
    for name in ("wrfinput_d01", "wrfbdy_d01"):
        shutil.copy(folder / name, tmp_path)
    nest = f"\n[nest.inner]\nnx = 27\nny = 27\ntrack = {places}\n".replace("'", '"')
    (tmp_path / "run.toml").write_text(RUN.replace('interval = "10 min"', 'interval = "2 min"') + nest)
    done = subprocess.run(
        [model, "run.toml", "--threads", "1"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    parent, inner = (open_run(tmp_path / "runs" / "run", domain=n) for n in (1, 2))
    starts = zip(inner["I_PARENT_START"].values, inner["J_PARENT_START"].values, strict=True)
    middles = [(int(i) - 1 + 4, int(j) - 1 + 4) for i, j in starts]  # of nine of the parent's cells
    assert [middles[n] for n in (0, 2, 4, 5)] == [*cells.values(), cells["8 min"]]
    assert middles[1] in ((11, 8), (11, 9)), "between them it is between"
    for n, (i, j) in enumerate(middles):
        for name in ("XLAT", "XLONG"):
            here = parent[name].values[n, j, i]
            assert float(inner[name][n, 13, 13]) == pytest.approx(float(here), abs=1e-3)


def test_what_is_wrong_with_a_nests_file_is_told_before_the_run(prepared, tmp_path):
    folder, _ = prepared
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    for name in ("wrfinput_d01", "wrfbdy_d01", "wrfinput_d02", "wrfinput_d03"):
        shutil.copy(folder / name, tmp_path)

    def refusal():
        (tmp_path / "run.toml").write_text(RUN + NESTS.replace("made/", ""))
        done = subprocess.run(
            [model, "run.toml", "--plan"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode != 0
        return " ".join(done.stderr.split())

    with Dataset(tmp_path / "wrfinput_d03", "a") as file:
        file["U"][0, 3, 10, 12] = np.nan
    assert "wrfinput_d03" in refusal()
    (tmp_path / "wrfinput_d03").unlink()
    assert "nest.core.initial_file: there is no file" in refusal()
    shutil.copy(folder / "wrfinput_d02", tmp_path / "wrfinput_d03")
    assert "has cells from west to east = 27, the nest 20" in refusal()


def run_with(folder, other, text, *options):
    """A run in a folder that gets the inputs of the outermost domain and of the nest in it."""
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    for name in ("wrfinput_d01", "wrfbdy_d01", "wrfinput_d02"):
        shutil.copy(folder / name, other)
    (other / "run.toml").write_text(text.replace("made/", ""))
    return subprocess.run(
        [model, "run.toml", "--threads", "1", *options],
        cwd=other, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def run_with_core_of(folder, other, *options):
    """The run with a nest's file of another preparation."""
    shutil.copy(other / "made" / "wrfinput_d03", other)
    return run_with(folder, other, RUN + NESTS, *options)


def test_a_nests_file_brings_levels_of_its_own(prepared, tmp_path):
    prepare(tmp_path, levels='lowest_layer = "60 m"')
    done = run_with_core_of(prepared[0], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    eta = {}
    for name, number in (("d01", ""), ("d03", "_d03")):
        last = sorted((tmp_path / "runs" / "run").glob(f"history{number}_2*.nc"))[-1]
        with Dataset(last) as file:
            eta[name] = np.asarray(file["ZNW"][0])
            assert np.abs(file["W"][:]).max() < 3
            assert np.isfinite(file["T"][:]).all()
    with Dataset(tmp_path / "wrfinput_d03") as file:
        np.testing.assert_array_equal(eta["d03"], file["ZNW"][0])
    assert np.abs(eta["d03"][1] - eta["d01"][1]) > 5e-4


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ('top = "60 hPa"', "wrfinput_d03 has its top at 6000 Pa, but the nest's parent at 5000 Pa"),
        ("etac = 0.3", "wrfinput_d03 has another transition from terrain-following to pressure levels"),
    ],
)
def test_a_nests_file_that_lies_otherwise_is_refused_by_the_plan_as_by_the_run(
    prepared, tmp_path, levels, said
):
    prepare(tmp_path, levels=levels)
    plan, done = (run_with_core_of(prepared[0], tmp_path, *options) for options in (("--plan",), ()))
    assert plan.returncode != 0
    assert said in " ".join(plan.stderr.split())
    assert (done.returncode, done.stderr) == (plan.returncode, plan.stderr)


@pytest.mark.parametrize(
    ("hour", "name", "said"),
    [
        (7, "SST", "begins at 2024-01-15_07:00:00, but the run begins at 2024-01-15T06:00:00"),
        (6, "OTHER", "sea: has no variable SST; write it with"),
    ],
    ids=["of another date", "of nothing"],
)
def test_a_file_of_a_nests_sea_that_cannot_be_is_refused_by_the_plan_as_by_the_run(
    prepared, tmp_path, hour, name, said
):
    nest = Domain(Projection("lambert", 35, 55, 5), 24, 20, 60e3, 60e3, 45, 5).child(3, 7, 6, 27, 24)
    warm = np.full((nest.ny, nest.nx), 280, np.float32)
    sea = datetime(2024, 1, 15, hour), warm, 0 * warm
    write_wrflowinp(tmp_path / "sea", nest, Settings(levels=20), [sea])
    if name != "SST":
        with Dataset(tmp_path / "sea", "a") as file:
            file.renameVariable("SST", name)
    text = NESTS.partition("[nest.core]")[0] + 'lower_file = "sea"\n'
    run = RUN.replace("[physics]", '[physics]\nsurface_layer = "revised-mm5"\nboundary_layer = "ysu"')
    plan, done = (run_with(prepared[0], tmp_path, run + text, *options) for options in (("--plan",), ()))
    assert said in " ".join(plan.stderr.split())
    assert (plan.returncode, plan.stderr) == (1, done.stderr)
    assert done.returncode == 1
