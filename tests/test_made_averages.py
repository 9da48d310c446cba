"""Streams of averages and other statistics of cells, and of coarser grids."""

import numpy as np
import pytest

from made_streams import BASINS, only

pytestmark = pytest.mark.regression


def test_averages_and_steps_in_a_row(made):
    history, zonal, tower = (only(made, name) for name in ("history", "zonal", "tower"))
    np.testing.assert_allclose(zonal["T"].values[-1], history["T"].values[-1].mean(-1), rtol=1e-5, atol=1e-5)
    assert zonal["U"].dims == ("Time", "bottom_top", "south_north")
    assert zonal["T"].attrs["cell_methods"] == "x: mean (weighted by area of cells)"
    cell = float(history.attrs["DX"])
    np.testing.assert_allclose(zonal["x_range"].values, [0, 24 * cell])
    np.testing.assert_allclose(only(made, "columns")["eta_range"].values, [1, 0])
    np.testing.assert_allclose(only(made, "corner")["x_range"].values, [2 * cell, 10 * cell])
    np.testing.assert_allclose(only(made, "heights")["west_east"].values, cell * (np.arange(24) + 0.5))
    assert tower["TMAX"].dims == ("Time", "station", "pressure_level")
    steps = only(made, "steps")
    assert (tower["TMAX"].values[-1] <= steps["T"].values.max() + 1e-3).all()
    assert np.isfinite(tower["TMAX"].values[-1]).all()


def test_meridional_averages_are_of_rows_of_cells_or_faces(made):
    history, mean = only(made, "history"), only(made, "meridional")
    assert mean["T"].dims == ("Time", "bottom_top", "west_east")
    assert mean["T"].attrs["cell_methods"] == "y: mean"
    np.testing.assert_allclose(mean["y_range"].values, [0, 20 * float(history.attrs["DY"])])
    for name in ("T", "V", "PSFC"):
        wanted = history[name].values[-1].astype(np.float64).mean(-2)
        np.testing.assert_allclose(mean[name].values[-1], wanted, rtol=1e-6, atol=1e-6)


def test_a_coarser_grid_has_the_means_of_its_cells(made):
    history, coarse = only(made, "history"), only(made, "coarse")
    assert coarse["T"].dims == ("Time", "bottom_top", "south_north_coarse", "west_east_coarse")
    assert coarse["T"].attrs["cell_methods"].startswith("south_north_coarse: west_east_coarse: mean")
    assert coarse["W"].shape == (3, 17, 4, 5)  # 20 x 24 cells: the last column is of four
    for name in ("T", "W", "PSFC"):
        fine = history[name].values[-1].astype(np.float64)
        for j, i in np.ndindex(4, 5):
            wanted = fine[..., 5 * j : 5 * j + 5, 5 * i : 5 * i + 5].mean((-1, -2))
            np.testing.assert_allclose(coarse[name].values[-1][..., j, i], wanted, rtol=1e-6, atol=1e-6)


def test_averages_may_be_other_statistics(made):
    history, integrals, spread, peaks = (only(made, n) for n in ("history", "integrals", "spread", "peaks"))
    cell = history.attrs["DX"] * history.attrs["DY"]
    wanted = history["QVAPOR"].values[-1].astype(np.float64).sum((-1, -2)) * cell
    np.testing.assert_allclose(integrals["QVAPOR"].values[-1], wanted, rtol=1e-6)
    assert integrals["QVAPOR"].attrs["units"] == "kg kg-1 m2"
    assert integrals["RAINNC"].dims == ("Time",)
    for name in ("U", "W"):
        wanted = history[name].values[-1].astype(np.float64).var((-1, -2))
        np.testing.assert_allclose(spread[name].values[-1], wanted, rtol=1e-4, atol=1e-9)
        assert spread[name].attrs["units"] == "m2 s-2"
        assert spread[name].attrs["cell_methods"] == "area: variance"
    corner = history["W"].values[-1][:, :5, :5]
    np.testing.assert_array_equal(peaks["W"].values[-1][:, 0, 0], corner.max((-1, -2)))


def masses(history):
    """Of the dry air in each cell of the last frame [kg], and half of those on either side of interfaces."""
    last = {name: history[name].values[-1].astype(np.float64) for name in ("MU", "MUB")}
    thickness, c1, c2 = (
        np.reshape(history[name].values[..., :], (-1, history.sizes["bottom_top"]))[0].astype(np.float64)
        for name in ("DNW", "C1H", "C2H")
    )
    column = last["MU"] + last["MUB"]
    cells = -thickness[:, None, None] * (c1[:, None, None] * column + c2[:, None, None]) / 9.81
    cells *= float(history.attrs["DX"]) * float(history.attrs["DY"])
    none = np.zeros_like(cells[:1])
    return cells, (np.concatenate([cells, none]) + np.concatenate([none, cells])) / 2


def test_averages_over_layers_count_by_the_mass_of_the_air(made):
    history, columns, water, volume = (only(made, n) for n in ("history", "columns", "water", "volume"))
    cells, between = masses(history)
    vapour, theta, w = (history[n].values[-1].astype(np.float64) for n in ("QVAPOR", "T", "W"))

    assert columns["QVAPOR"].dims == ("Time", "south_north", "west_east")
    wanted = (vapour * cells).sum(0) / cells.sum(0)
    np.testing.assert_allclose(columns["QVAPOR"].values[-1], wanted, rtol=3e-7)
    assert columns["QVAPOR"].attrs["cell_methods"] == (
        "eta: mean (weighted by mass per area of dry air in cells)"
    )
    wanted = (w * between).sum(0) / between.sum(0)
    np.testing.assert_allclose(columns["W"].values[-1], wanted, rtol=1e-5, atol=1e-9)
    np.testing.assert_array_equal(columns["PSFC"].values[-1], history["PSFC"].values[-1])  # it has no layers
    assert "XLAT" in columns.coords or "XLAT" in columns

    assert water["QVAPOR"].dims == ("Time",)
    assert water["QVAPOR"].attrs["units"] == "kg"
    np.testing.assert_allclose(water["QVAPOR"].values[-1], (vapour * cells).sum(), rtol=3e-7)

    assert volume["T"].dims == ("Time",)
    np.testing.assert_allclose(volume["T"].values[-1], (theta * cells).sum() / cells.sum(), rtol=3e-7)
    surface = history["PSFC"].values[-1].astype(np.float64)
    wanted = (surface * cells.sum(0)).sum() / cells.sum()
    np.testing.assert_allclose(volume["PSFC"].values[-1], wanted, rtol=3e-7)
    assert volume["WMAX"].attrs["cell_methods"] == (
        "Time: maximum eta: area: mean (weighted by mass of dry air around interfaces)"
    )
    assert volume["WMAX"].values[-1] >= (w * between).sum() / between.sum()


def test_quantiles_are_those_of_the_cells_to_the_width_of_a_bin(made):
    history, quantiles, medians = (only(made, name) for name in ("history", "quantiles", "medians"))
    w = history["W"].values[-1].astype(np.float64).reshape(17, -1)
    for name, which, width in (("WP50", 0.5, 0.001), ("WP99_5", 0.995, 0.001), ("TP90", 0.9, 1)):
        field = w if name[0] == "W" else history["T"].values[-1].astype(np.float64).reshape(16, -1)
        low, high = (np.quantile(field, which, axis=-1, method=m) for m in ("lower", "higher"))
        found = quantiles[name].values[-1]
        assert ((found > low - 1.01 * width) & (found < high + 1.01 * width)).all(), name
        assert quantiles[name].attrs["quantile"] == which
        assert quantiles[name].attrs["long_name"] == f"quantile {which:g} of {name[0]}"
    assert quantiles["PSFC"].attrs["cell_methods"] == "area: mean"  # of which no quantile is asked for
    assert "W" not in quantiles
    assert medians["WP50"].dims == ("Time", "bottom_top_stag", "south_north_coarse", "west_east_coarse")
    corner = np.median(history["W"].values[-1][:, :5, :5], axis=(-1, -2))
    np.testing.assert_allclose(medians["WP50"].values[-1][:, 0, 0], corner, atol=0.0021)


def test_quantiles_may_be_weighted(made):
    """By numpy's, of values that count by the mass of their air, and of cells that have all the same area."""
    history, found, areas, medians = (only(made, n) for n in ("history", "masses", "areas", "medians"))
    for name, mass in zip("TW", masses(history), strict=True):
        values, width = history[name].values[-1].astype(np.float64).ravel(), {"T": 1, "W": 0.001}[name]
        for which, suffix in (
            ((0.1, "P10"), (0.9, "P90")) if name == "T" else ((0.5, "P50"), (0.995, "P99_5"))
        ):
            wanted = np.quantile(values, which, weights=mass.ravel(), method="inverted_cdf")
            quantile = found[name + suffix]
            assert abs(quantile.values[-1] - wanted) < 1.01 * width, name + suffix
            if name == "T":
                assert abs(quantile.values[-1] - np.quantile(values, which)) > 2 * width  # of cells alike
            air = "in cells" if name == "T" else "around interfaces"
            assert quantile.attrs["comment"].startswith(f"weighted by mass of dry air {air}")
            assert quantile.attrs["units"] == history[name].attrs["units"]
    np.testing.assert_allclose(areas["WP50"].values, medians["WP50"].values, atol=0.0011)


def test_of_an_average_only_the_region_counts(made):
    history, corner = only(made, "history"), only(made, "corner")
    for name in ("T", "PSFC"):
        part = history[name].values[-1].astype(np.float64)[..., 3:13, 2:10].mean(-1)
        found = corner[name].values[-1]
        np.testing.assert_allclose(found[..., 3:13], part, rtol=1e-6, atol=1e-5)
        assert np.isnan(np.delete(found, np.s_[3:13], axis=-1)).all()


def test_masks_of_a_file_leave_the_cells_with_a_value_or_those_that_are_not_zero_or_missing(made):
    history, basin, wet = (only(made, name) for name in ("history", "basin", "wet"))
    assert 20 < (BASINS == 3).sum() < 200
    for name in ("T", "PSFC"):
        fine = history[name].values[-1].astype(np.float64)
        np.testing.assert_allclose(basin[name].values[-1], fine[..., BASINS == 3].mean(-1), rtol=1e-6)
        assert (np.abs(basin[name].values[-1] - fine.mean((-1, -2))) > 0).any()
    fine = np.where(BASINS > 0, history["PSFC"].values[-1].astype(np.float64), np.nan)
    for j, i in np.ndindex(4, 5):
        wanted = np.nanmean(fine[5 * j : 5 * j + 5, 5 * i : 5 * i + 5])
        np.testing.assert_allclose(wet["PSFC"].values[-1, j, i], wanted, rtol=1e-6)
