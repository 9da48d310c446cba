"""Nests in `squall prepare`: where they lie, what their files say, and what they are refused for."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure
from netCDF4 import Dataset

from analytic import every
from squall import locate
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.plot import nests as nests_on_plan
from squall.plot.panels import Flat
from squall.prepare.nests import KEYS, Nest, file_of, place
from squall.prepare.run_file import read_plan
from squall.prepare.terrain import from_parent
from test_prepare_command import RUN_FILE, times_of, write_era5

PAGE = locate.CHECKOUT / "docs" / "reference" / "run-file.md"

NESTS = """
[[prepare.nests]]
i_parent_start = 8
j_parent_start = 7
nx = 27
ny = 24

[[prepare.nests]]
parent = 2
parent_grid_ratio = 2
i_parent_start = 6
j_parent_start = 9
nx = 20
ny = 16
"""
PARENT = Domain(Projection("lambert", 35, 55, 5), 40, 30, 30e3, 30e3, 45, 8)


def write_heights(path):
    """Ridges 240 km apart, which the outermost domain does not resolve and the nests do."""
    lon, lat = np.arange(-15, 25.01, 0.1), np.arange(32, 58.01, 0.1)
    values = 900 + 800 * np.sin(np.radians(lon * 120)) * np.ones((len(lat), 1))
    xr.Dataset(
        {"relief": (("Y", "X"), values.astype(np.float32), {"units": "meters"})},
        coords={"X": ("X", lon, {"units": "degrees_east"}), "Y": ("Y", lat, {"units": "degrees_north"})},
    ).to_netcdf(path)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A domain, a nest and a nest of that, with heights of their own; (folder, what the command said)."""
    folder = tmp_path_factory.mktemp("nests")
    write_era5(folder, every(6, 3))
    write_heights(folder / "heights.nc")
    text = RUN_FILE.replace('"100 km"', '"60 km"').replace('"12 h"', '"6 h"')
    text = text.replace("[prepare]", '[prepare]\nterrain = "heights.nc"')
    (folder / "run.toml").write_text(text + NESTS)
    done = subprocess.run(
        [sys.executable, "-c", "from squall.cli import main; main()", "prepare", "run.toml"],
        cwd=folder, env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "made", done.stdout


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
        for kind in ("wrfinput", "wrfbdy"):
            with Dataset(folder / f"{kind}_{domain}") as file:
                assert tuple(file.getncattr(name) for name in names) == values
                assert {name: file.getncattr(name) for name in shared} == outermost
        with Dataset(folder / f"wrfinput_{domain}") as file:
            for name, same in levels.items():
                np.testing.assert_array_equal(file[name][0], same)
        assert times_of(folder / f"wrfbdy_{domain}") == ["2024-01-15_06:00:00"]
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


def test_from_a_plane_a_nest_gets_the_plane():
    nest = PARENT.child(4, 10, 8, 40, 32)
    i, j = np.meshgrid(np.arange(40), np.arange(30))
    made = from_parent(PARENT, (10 * i + 3 * j).astype(np.float32), nest)
    own_i, own_j = np.meshgrid(np.arange(40), np.arange(32))
    wanted = 10 * (9.5 + (own_i + 0.5) / 4) + 3 * (7.5 + (own_j + 0.5) / 4)
    np.testing.assert_allclose(made, wanted, atol=1e-3)


def test_without_heights_ground_and_mask_are_the_parents(squall, tmp_path):
    write_era5(tmp_path, every(6, 2))
    (tmp_path / "run.toml").write_text(RUN_FILE.replace('"12 h"', '"6 h"').replace("06:00", "00:00") + NESTS)
    done = squall("prepare", "run.toml")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("terrain: that of the parent, interpolated") == 2
    assert done.stdout.count("land mask: that of the parent, interpolated") == 2
    with (
        Dataset(tmp_path / "made" / "wrfinput_d01") as outer,
        Dataset(tmp_path / "made" / "wrfinput_d02") as inner,
    ):
        np.testing.assert_allclose(inner["HGT"][0, 1::3, 1::3], outer["HGT"][0, 6:14, 7:16], atol=0.01)
        np.testing.assert_array_equal(inner["LANDMASK"][0, 1::3, 1::3], outer["LANDMASK"][0, 6:14, 7:16])


def test_every_nest_is_balanced_and_told(prepared):
    folder, said = prepared
    accelerations = [float(x) for x in re.findall(r"greatest \|dw/dt\| (\S+) m/s2", said)]
    assert len(accelerations) == 3
    assert 0 < max(accelerations) < 2e-4
    assert re.search(r"Nest d02\n  27 x 24 cells of 20 km .*: cells 8 to 16 and 7 to 14 of d01\n", said)
    assert re.search(r"Nest d03\n  20 x 16 cells of 10 km .*: cells 6 to 15 and 9 to 16 of d02\n", said)
    assert said.count("terrain: that of the parent in the outermost row") == 2
    for name in ("prepared.png", "prepared_d02.png", "prepared_d03.png"):
        assert (folder / name).stat().st_size > 50_000
        assert f"made/{name}" in said


def test_a_nest_is_framed_where_its_outermost_sides_are():
    axes = Figure().subplots()
    nest = PARENT.child(3, 10, 8, 60, 30)
    plan = Flat((np.arange(PARENT.nx) + 0.5) * 30, (np.arange(PARENT.ny) + 0.5) * 30)
    inside = xr.Dataset(
        {"T": (("south_north", "west_east"), np.zeros((30, 60)))}, attrs=nest.wrf_attributes()
    )
    nests_on_plan.outline(axes, plan, nests_on_plan.Nest.of("d02", inside))
    (found,) = axes.patches
    np.testing.assert_allclose(found.get_bbox().extents, [300, 240, 900, 540])  # cells 10 to 29, 8 to 17
    assert axes.texts[0].get_text() == "d02"


def test_a_nest_runs_as_a_domain_of_its_own(prepared):
    folder, _ = prepared
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    (folder / "nest.toml").write_text(
        '[run]\nstart = "2024-01-15T06:00:00"\nduration = "10 min"\ntime_step = "60 s"\n'
        '[initial]\nfile = "wrfinput_d02"\n[boundary]\nfile = "wrfbdy_d02"\n[dynamics]\ncoriolis = "file"\n'
        '[physics]\nmicrophysics = "vapour"\n'
        '[damping]\nscheme = "implicit-w"\ndepth = "5 km"\ncoefficient = "0.2 s-1"\n'
        '[output.history]\ninterval = "10 min"\n'
    )
    done = subprocess.run(
        [model, "nest.toml", "--threads", "1", "--overwrite"],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    with Dataset(sorted((folder / "runs" / "nest").glob("history_*.nc"))[-1]) as file:
        w = file["W"][:]
        assert w.shape[-2:] == (24, 27)
        assert np.abs(w).max() < 3
        assert np.isfinite(file["T"][:]).all()


FIRST = "i_parent_start = 8\nj_parent_start = 7\nnx = 27"
SECOND = "parent = 2\nparent_grid_ratio = 2\ni_parent_start = 6\nj_parent_start = 9\nnx = 20\nny = 16"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("nx = 27", "nx = 28", ":31: prepare.nests.nx of d02: 28 is not a multiple of the ratio: take 27"),
        ("ny = 16", "ny = 15", ":40: prepare.nests.ny of d03: 15 is not a multiple of the ratio: take 14"),
        ("parent = 2", "parent = 3", ":35: prepare.nests.parent of d03: 3 is no domain before d03: take 1"),
        ("ratio = 2", "ratio = 1", ":36: prepare.nests.parent_grid_ratio of d03: 1 is not possible: it must"),
        ("start = 8", "start = 5", ":29: prepare.nests.i_parent_start of d02: 5 is not possible: it must"),
        ("i_parent_start = 8\n", "", "run.toml: prepare.nests.i_parent_start of d02: is missing"),
        ("nx = 27", "n_x = 27", "run.toml:31: prepare.nests.n_x of d02: unknown key; did you mean nx?"),
        ("ny = 16", 'ny = "16"', "run.toml:40: prepare.nests.ny of d03: '16' is not a whole number"),
        ("[[prepare.nests]]\n" + FIRST, "[prepare.nests]\n" + FIRST, "write [[prepare.nests]]"),
    ],
)  # fmt: skip
def test_mistakes_in_a_nest_are_named_with_its_line(tmp_path, old, new, said):
    write_era5(tmp_path, every(6, 2))
    text = RUN_FILE.lstrip() + NESTS.replace(old, new, 1)
    if new.startswith("[prepare.nests]"):
        text = text.replace("[[prepare.nests]]\n" + SECOND, "")
    (tmp_path / "run.toml").write_text(text)
    with pytest.raises(UserError) as refused:
        read_plan(tmp_path / "run.toml")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("nests", "said"),
    [
        ([Nest(20, 10, 60, 30)], r"i_parent_start of d02: the nest covers cells 20 to 39 of d01, which"),
        ([Nest(10, 17, 60, 30)], r"j_parent_start of d02: .* begin it between 6 and 16\."),
        ([Nest(6, 6, 93, 30)], r"nx of d02: 93 is too large for d01, .* at most 90 fit"),
        ([Nest(6, 6, 90, 63)], r"ny of d02: 63 is too large"),
        ([Nest(6, 6, 9, 30)], r"nx of d02: 9 is too small: 5 rows on each side follow the boundary file"),
        ([Nest(10, 10, 30, 30), Nest(6, 6, 63, 30, parent=2)], r"nx of d03: 63 is too large for d02"),
    ],
)  # fmt: skip
def test_a_nest_that_does_not_fit_its_parent_is_refused(nests, said):
    with pytest.raises(UserError, match=r"^prepare\.nests\." + said):
        place(PARENT, nests, 5)


def test_the_largest_nest_leaves_five_cells_on_every_side():
    _, nest = place(PARENT, [Nest(6, 6, 90, 60)], 5)
    west, south = PARENT.indices(nest.mass.longitude[0, 0], nest.mass.latitude[0, 0])
    east, north = PARENT.indices(nest.mass.longitude[-1, -1], nest.mass.latitude[-1, -1])
    third = 1 / 3
    np.testing.assert_allclose([west, south], 5 - third, atol=1e-6)
    np.testing.assert_allclose([east, north], [34 + third, 24 + third], atol=1e-6)


def test_files_of_nests_are_named_after_those_of_the_domain():
    assert file_of(Path("d01/wrfinput_d01"), 2) == Path("d01/wrfinput_d02")
    assert file_of(Path("start"), 12) == Path("start_d12")


def test_the_keys_of_a_nest_are_those_of_the_models_schema():
    section = PAGE.read_text().partition("## `[[prepare.nests]]`")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", section, re.M)) == sorted(KEYS)
