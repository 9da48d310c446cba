"""Where nests lie in `squall prepare`, what they have of their parent's ground, and what is refused."""

import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure
from netCDF4 import Dataset

from analytic import every
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.plot import nests as nests_on_plan
from squall.plot.panels import Flat
from squall.prepare.nests import Nest, place
from squall.prepare.run_file import read_plan
from squall.prepare.terrain import from_parent
from test_prepare_command import RUN_FILE, write_era5
from test_prepare_nests import NESTS

pytestmark = pytest.mark.regression

PARENT = Domain(Projection("lambert", 35, 55, 5), 40, 30, 30e3, 30e3, 45, 8)


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


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("nx = 27", "nx = 28", ":31: nest.inner.nx: 28 is not a multiple of the ratio: use 27"),
        ("ny = 16", "ny = 15", ":41: nest.core.ny: 15 is not a multiple of the ratio: use 14"),
        ('"inner"', '"outer"', ':36: nest.core.parent: "outer" does not lead to the outermost domain'),
        ("ratio = 2", "ratio = 1", ":37: nest.core.parent_grid_ratio: 1 is not possible: it must"),
        ("i_parent_start = 8\n", "", ":28: [nest.inner]: give its position in one way: i_parent_start and"),
        ("nx = 27", "n_x = 27", "run.toml:31: nest.inner.n_x: unknown key; did you mean nx?"),
        ("ny = 16", 'ny = "16"', "run.toml:41: nest.core.ny: '16' is not a whole number"),
        ("initial_file", "lower_file", "nest.inner.lower_file: needs initial_file, which"),
    ],
)  # fmt: skip
def test_mistakes_in_a_nest_are_named_with_its_line(tmp_path, old, new, said):
    write_era5(tmp_path, every(6, 2))
    (tmp_path / "run.toml").write_text(RUN_FILE.lstrip() + NESTS.replace(old, new, 1))
    with pytest.raises(UserError) as refused:
        read_plan(tmp_path / "run.toml")
    assert said in str(refused.value)


def nest(i, j, nx, ny, name="inner", parent=""):
    return Nest(name, nx, ny, i, j, parent=parent)


@pytest.mark.parametrize(
    ("nests", "said"),
    [
        ([nest(22, 10, 60, 30)], r"inner.i_parent_start: the nest covers cells 22 to 41 of d01, which"),
        ([nest(10, 19, 60, 30)], r"inner.j_parent_start: .* start it between 4 and 18\."),
        ([nest(6, 6, 105, 30)], r"inner.nx: 105 is too large for d01, .* at most 102 fit"),
        ([nest(6, 6, 90, 75)], r"inner.ny: 75 is too large"),
        ([nest(6, 6, 9, 30)], r"inner.nx: 9 is too small: 5 rows on each side are boundary rows"),
        ([nest(10, 10, 30, 30), nest(6, 6, 75, 30, "core", "inner")], r"core.nx: 75 is too large for d02"),
    ],
)  # fmt: skip
def test_a_nest_that_does_not_fit_its_parent_is_refused(nests, said):
    with pytest.raises(UserError, match=r"^nest\." + said):
        place(PARENT, nests, 5)


def test_the_largest_nest_leaves_three_cells_on_every_side():
    _, inside = place(PARENT, [nest(4, 4, 102, 72)], 5)
    west, south = PARENT.indices(inside.mass.longitude[0, 0], inside.mass.latitude[0, 0])
    east, north = PARENT.indices(inside.mass.longitude[-1, -1], inside.mass.latitude[-1, -1])
    third = 1 / 3
    np.testing.assert_allclose([west, south], 3 - third, atol=1e-6)
    np.testing.assert_allclose([east, north], [36 + third, 26 + third], atol=1e-6)


def test_a_nest_around_a_place_has_it_in_its_middle():
    there = Nest("inner", 30, 24, center_latitude=45.9, center_longitude=8.6)
    _, inside = place(PARENT, [there], 5)
    i, j = inside.indices(np.array(8.6), np.array(45.9))
    assert abs(i - 14.5) <= 1.5  # half a cell of the parent
    assert abs(j - 11.5) <= 1.5
