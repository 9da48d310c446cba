"""Geogrid's data sets: tiles as they are written, and what a domain's cells get from them."""

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from netCDF4 import Dataset

from geogrid_tiles import LAND_USE, write_set
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare import geography
from squall.prepare.geography import Geography
from squall.prepare.sources import open_heights
from squall.prepare.sources.geogrid_tiles import TileSet
from squall.prepare.sources.piece import Window
from squall.prepare.terrain import cell_means
from test_prepare_command import RUN_FILE, write_era5

pytestmark = [pytest.mark.regression, pytest.mark.seconds(60)]

# Points every 0.5 degrees from 0 to 20 E and 40 to 55 N; cells of one degree hold 2 x 2 of them.
NY, NX = 30, 40
DEGREE = 6370e3 * np.pi / 180
DOMAIN = Domain(Projection("lat-lon", 0, 0, 0), 10, 8, DEGREE, DEGREE, 48, 10)  # from 5 to 15 E, 44 to 52 N
WATER, FOREST, CROPS, GRASS = 17, 5, 12, 10


def uses(folder, classes, **keys):
    return write_set(folder / "modis_landuse_20class_30s", classes, **LAND_USE | keys)


@pytest.mark.parametrize("word", [1, 2, 3, 4])
@pytest.mark.parametrize("endian", ["big", "little"])
@pytest.mark.parametrize("row_order", ["bottom_top", "top_bottom"])
@pytest.mark.parametrize("border", [0, 3])
def test_tiles_are_read_as_they_are_written(tmp_path, word, endian, row_order, border):
    low, high = -(2 ** (8 * word - 1)), 2 ** (8 * word - 1)
    values = np.random.default_rng(word).integers(low, high, (2, NY, NX))
    folder = write_set(
        tmp_path / "a", values, word=word, endian=endian, row_order=row_order, border=border, signed="yes",
        scale_factor=0.5,
    )  # fmt: skip
    data = TileSet(folder)
    assert data.levels == 2
    np.testing.assert_allclose(data.grid.x[[0, -1]], [0.25, 19.75])
    np.testing.assert_allclose(data.grid.y[[0, -1]], [40.25, 54.75])
    # Across four tiles of 20 x 10 points.
    made = data.load(Window(slice(7, 23), (slice(15, 33),), 15), level=1)
    np.testing.assert_array_equal(made, (0.5 * values[1, 7:23, 15:33]).astype(np.float32))


def test_unsigned_bytes_go_to_255_and_the_missing_value_is_none(tmp_path):
    values = np.full((NY, NX), 255)
    values[0, 0] = 9
    made = TileSet(write_set(tmp_path / "a", values, missing_value=9)).load(
        Window(slice(0, 2), (slice(0, 2),), 0)
    )
    np.testing.assert_array_equal(made, [[np.nan, 255], [255, 255]])


def test_the_missing_value_is_that_of_scaled_numbers_as_geogrid_has_it(tmp_path):
    values = np.full((NY, NX), 2)
    values[0, 0] = 200
    made = TileSet(write_set(tmp_path / "a", values, scale_factor=0.01, missing_value=2)).load(
        Window(slice(0, 1), (slice(0, 2),), 0)
    )
    np.testing.assert_array_equal(made, np.float32([[np.nan, 0.02]]))


def test_an_index_may_have_comments_behind_its_values(tmp_path):
    folder = write_set(tmp_path / "a", np.ones((NY, NX)), units="'percent'  # of the cell")
    rewrite("dx", "dx = 0.5   # degrees")(folder)
    data = TileSet(folder)
    assert data.index.text("units", "") == "percent"
    assert data.grid.x[1] - data.grid.x[0] == 0.5


def test_a_domain_across_the_date_line_reads_both_ends_of_the_earth(tmp_path):
    lon = np.arange(-179.5, 180)
    classes = np.broadcast_to(np.where(lon > 0, FOREST, CROPS), (60, 360))
    uses(tmp_path, classes, first=(-179.5, -29.5), step=1.0, tile=(60, 20))
    domain = Domain(Projection("mercator", 10, 10, 180), 10, 8, 100e3, 100e3, 5, 180)
    use = Geography(tmp_path).land(domain).use.land_use
    np.testing.assert_array_equal(use[:, :5], FOREST)
    np.testing.assert_array_equal(use[:, 5:], CROPS)


def test_a_cell_is_of_the_class_that_most_of_its_points_have(tmp_path):
    """Cell (row 3, column 4) covers 9 to 10 E, 47 to 48 N: points in columns 18, 19 and rows 14, 15."""
    classes = np.full((NY, NX), CROPS)
    classes[14:16, 18:20] = [[FOREST, GRASS], [FOREST, CROPS]]
    uses(tmp_path, classes)
    use = Geography(tmp_path).land(DOMAIN).use
    assert use.land_use[3, 4] == FOREST
    assert (use.land_use == CROPS).sum() == 79
    assert use.attributes["MMINLU"] == "MODIFIED_IGBP_MODIS_NOAH"


def test_land_is_where_water_has_less_than_half_and_its_class_is_one_of_land(tmp_path):
    classes = np.full((NY, NX), CROPS)
    classes[:, :20] = WATER  # west of 10 E
    classes[14:16, 18:20] = [[FOREST, GRASS], [WATER, GRASS]]  # an island of three quarters
    classes[14:16, 24:26] = [[FOREST, CROPS], [WATER, WATER]]  # water of a half
    classes[14:16, 26:28] = 21  # a lake
    uses(tmp_path, classes)
    land = Geography(tmp_path).land(DOMAIN)
    assert land.use.land_use[3].tolist() == [WATER] * 4 + [GRASS, CROPS, CROPS, WATER, WATER, CROPS]
    np.testing.assert_array_equal(land.mask, land.use.land_use != WATER)


def test_data_coarser_than_the_domain_give_the_nearest_class(tmp_path):
    classes = np.where(np.arange(NX) < 20, FOREST, CROPS) + np.zeros((NY, 1), int)
    uses(tmp_path, classes)
    fine = Domain(DOMAIN.projection, 40, 20, DEGREE / 20, DEGREE / 20, 48, 10)
    use = Geography(tmp_path).land(fine).use.land_use
    np.testing.assert_array_equal(use, np.where(fine.mass.longitude < 10, FOREST, CROPS))


def test_soil_of_land_is_none_of_water_even_where_the_data_say_so(tmp_path):
    uses(tmp_path, np.full((NY, NX), CROPS))
    soil = np.full((NY, NX), 14)
    soil[:, 22:] = 3
    write_set(tmp_path / "soiltype_top_30s", soil, type="categorical")
    use = Geography(tmp_path).land(DOMAIN).use
    np.testing.assert_array_equal(use.soil, 3)  # 6 cells from the nearest
    assert use.attributes["ISOILWATER"] == 14


def test_months_are_means_over_cells_of_what_is_known(tmp_path):
    uses(tmp_path, np.full((NY, NX), CROPS))
    months = np.arange(12)[:, None, None] + np.zeros((NY, NX), int)
    green = 2 * months
    green[:, 14, 18] = 99  # beside three others, in percent
    write_set(tmp_path / "greenfrac_fpar_modis", green, scale_factor=0.01, units='"fraction"')
    albedo = 10 + months
    albedo[:, 14, 18] = 0  # no albedo
    write_set(tmp_path / "albedo_modis", albedo, units='"percent"')
    write_set(tmp_path / "maxsnowalb_modis", np.full((NY, NX), 70), units='"percent"')
    deep = np.full((NY, NX), 28510)
    deep[:, 18] = 0
    write_set(tmp_path / "soiltemp_1deg", deep, word=2, scale_factor=0.01)
    climate = Geography(tmp_path).land(DOMAIN).climate
    share = 0.4375**2  # a point reaches as far as the next, into the cells to west and south too
    n = np.arange(12)
    np.testing.assert_allclose(
        climate.greenness[:, 3, 4], 0.01 * (share * 99 + (1 - share) * 2 * n), atol=0.003
    )
    np.testing.assert_allclose(climate.greenness[:, 4, 4], 0.02 * n, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(climate.albedo[:, 3, 4], 0.1 + 0.01 * n, rtol=1e-5)
    np.testing.assert_allclose(climate.snow_albedo, 0.7, rtol=1e-6)
    np.testing.assert_allclose(climate.deep_temperature, 285.1, rtol=1e-6)


def test_values_coarser_than_the_domain_are_bilinear(tmp_path):
    uses(tmp_path, np.full((NY, NX), CROPS))
    slope = 10 * np.arange(NX) + 4 * np.arange(NY)[:, None]
    write_set(tmp_path / "soiltemp_1deg", 20000 + slope, word=2, scale_factor=0.01)
    fine = Domain(DOMAIN.projection, 40, 20, DEGREE / 20, DEGREE / 20, 48, 10)
    deep = Geography(tmp_path).land(fine).climate.deep_temperature
    points = fine.mass
    exact = 200 + 0.2 * (points.longitude - 0.25) + 0.08 * (points.latitude - 40.25)
    np.testing.assert_allclose(deep, exact, atol=1e-3)


def test_heights_of_tiles_are_means_over_cells(tmp_path):
    height = np.full((NY, NX), 400)
    height[14:16, 18:20] = 800
    folder = write_set(tmp_path / "topo_gmted2010_30s", height, word=2, signed="yes")
    made, land = cell_means(open_heights(folder), DOMAIN)
    assert made[0, 0] == 400
    assert 600 < made[3, 4] < 800  # bilinear between the points, over the cell
    np.testing.assert_array_equal(land, 1)


def test_the_finest_of_modis_goes_before_finer_usgs(tmp_path):
    usgs = LAND_USE | {"mminlu": '"USGS"', "category_max": 24}
    for name, step, keys in (
        ("landuse_30s", 0.1, usgs), ("modis_landuse_20class_5m", 0.5, LAND_USE),
        ("modis_landuse_20class_30s", 0.4, LAND_USE), ("modis_landuse_20class_9m", 0.6, LAND_USE),
    ):  # fmt: skip
        write_set(tmp_path / name, np.full((NY, 2 * NX), int(10 * step)), step=step, **keys)
    land = Geography(tmp_path).land(Domain(DOMAIN.projection, 4, 4, DEGREE, DEGREE, 46, 10))
    assert np.all(land.use.land_use == 4)


def test_usgs_keeps_its_own_numbers(tmp_path):
    classes = np.full((NY, NX), 7)
    classes[:, :20] = 28  # lakes
    write_set(tmp_path / "landuse_30s", classes, **LAND_USE | {"mminlu": '"USGS"', "category_max": 24})
    land = Geography(tmp_path).land(DOMAIN)
    assert (land.use.attributes["MMINLU"], land.use.attributes["ISWATER"]) == ("USGS", 16)
    np.testing.assert_array_equal(land.use.land_use, np.where(DOMAIN.mass.longitude < 10, 16, 7))


def broken(tmp_path, how):
    folder = uses(tmp_path, np.full((NY, NX), CROPS))
    how(folder)
    return Geography(tmp_path).land(DOMAIN)


def rewrite(key, value):
    def how(folder):
        lines = [
            line for line in (folder / "index").read_text().splitlines() if not line.startswith(key + " ")
        ]
        (folder / "index").write_text("\n".join([*lines, value]))

    return how


def beside(name, values):
    return lambda folder: write_set(folder.parent / name, values)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (rewrite("dx", ""), "index: is missing dx"),
        (rewrite("dx", "dx = wide"), "index: dx = wide is not a number"),
        (rewrite("dx", "dx 0.5"), r'index:\d+: "dx 0.5" is not key = value'),
        (rewrite("type", ""), "index: is missing type"),
        (rewrite("projection", "projection = lambert"), "projection = lambert is not supported"),
        (rewrite("wordsize", "wordsize = 8"), "wordsize = 8 is not supported; use one of 1, 2, 3, 4"),
        (rewrite("mminlu", 'mminlu = "NLCD40"'), "mminlu = NLCD40 is not supported; use"),
        (rewrite("tile_x", "tile_x = 25"), "not that of a tile of 25 x 10 points"),
        (rewrite("wordsize", "wordsize = 2"), r"has 200 bytes, and 1 level\(s\) of 20 x 10"),
        (lambda folder: (folder / "00001-00020.00011-00020").unlink(), "at x 1, y 11 is missing"),
        (lambda folder: [path.unlink() for path in folder.glob("0*")], "there is no tile, such as"),
        (lambda folder: [path.unlink() for path in folder.glob("*.0002*")], "do not cover the domain"),
        (lambda folder: (folder / "index").unlink(), "no land use: expected data sets of WPS's geogrid"),
        (beside("albedo_modis", np.full((12, NY, NX), 120)), "ranges from 1.2 to 1.2"),
        (beside("greenfrac", np.full((NY, NX), 1)), r"has 1 level\(s\), but 12"),
    ],
)  # fmt: skip
def test_what_is_broken_is_refused_by_name(tmp_path, how, said):
    with pytest.raises(UserError, match=said):
        broken(tmp_path, how)


def test_a_folder_that_is_none_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"nowhere: there is no such folder; prepare.geography names it"):
        Geography(tmp_path / "nowhere")


def prepare_with_land(squall, folder, more="", sea_west_of=None, **environment):
    write_era5(folder, [datetime(2024, 1, 15, 6), datetime(2024, 1, 15, 18)])
    if sea_west_of is not None:  # the analysis knows a sea of that size
        with Dataset(folder / "sfc.nc", "a") as file:
            land = file["lsm"][:]
            file["lsm"][:] = np.where(file["longitude"][:] < sea_west_of, 0, land)
    text = RUN_FILE.replace("[initial]", f"{more}\n\n[initial]")
    (folder / "forecast.toml").write_text(text)
    done = squall("prepare", "forecast.toml", drawn=False, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def west_of(lon, classes, other):
    """Every 0.5 degrees from 30 W to 40 E and 20 to 70 N."""
    return np.where(np.arange(-29.75, 40, 0.5) < lon, classes, other) + np.zeros((100, 1), int)


def test_the_initial_file_has_the_land_of_the_folder_and_nests_theirs(squall, tmp_path):
    place = {"first": (-29.75, 20.25), "tile": (70, 50)}
    uses(tmp_path / "WPS_GEOG", west_of(5, WATER, FOREST), **place)
    write_set(tmp_path / "WPS_GEOG" / "topo_gmted2010_30s", west_of(5, 0, 300), word=2, **place)
    nest = "[nest.inner]\nnx = 18\nny = 18\ncenter_latitude = '45 degrees'\ncenter_longitude = '5 degrees'\n"
    more = f'geography = "WPS_GEOG"\n\n{nest}initial_file = "made/wrfinput_d02"'
    said = prepare_with_land(squall, tmp_path, more, sea_west_of=5)
    assert "land use: the dominant class of each cell, from" in said
    for name in ("wrfinput_d01", "wrfinput_d02"):
        with Dataset(tmp_path / "made" / name) as file:
            clear = np.abs(file["XLONG"][0] - 5) > 0.8
            land = file["XLONG"][0] > 5
            for variable, on_land, on_water in (
                ("LU_INDEX", FOREST, WATER), ("IVGTYP", FOREST, WATER), ("LANDMASK", 1, 0), ("XLAND", 1, 2),
            ):  # fmt: skip
                np.testing.assert_array_equal(
                    file[variable][0][clear], np.where(land, on_land, on_water)[clear]
                )
            np.testing.assert_array_equal(file["XLAND"][0] == 2, file["LU_INDEX"][0] == WATER)
            assert file["HGT"][0].min() >= 0
    with Dataset(tmp_path / "made" / "wrfinput_d01") as file:
        assert file["HGT"][0][10, 18] == pytest.approx(300, abs=1)


def test_land_that_was_fetched_is_the_default(squall, tmp_path):
    cache = tmp_path / "cache" / "squall" / "land"
    uses(cache, west_of(5, WATER, FOREST), first=(-29.75, 20.25), tile=(70, 50))
    said = prepare_with_land(squall, tmp_path, sea_west_of=5, XDG_CACHE_HOME=str(tmp_path / "cache"))
    told = f"from {cache / 'modis_landuse_20class_30s'}, installed by squall fetch land"
    assert told in said
    with Dataset(tmp_path / "made" / "wrfinput_d01") as file:
        assert told in file.GROUND
        assert set(np.unique(file["LU_INDEX"][0])) == {FOREST, WATER}


def test_a_file_without_land_use_says_so(squall, tmp_path):
    said = prepare_with_land(squall, tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert "land use: none; install it with squall fetch land" in said
    with Dataset(tmp_path / "made" / "wrfinput_d01") as file:
        assert "land use: none" in file.GROUND


def test_the_run_file_that_prepare_writes_makes_the_same_land_whatever_was_fetched(squall, tmp_path):
    write_era5(tmp_path, [datetime(2024, 1, 15, 6), datetime(2024, 1, 15, 18)])
    land = tmp_path / "cache" / "squall" / "land"
    uses(land, west_of(5, WATER, FOREST), first=(-29.75, 20.25), tile=(70, 50))
    with_land, without = ({"XDG_CACHE_HOME": str(tmp_path / name)} for name in ("cache", "other"))
    for first, again, named in ((with_land, without, str(land)), (without, with_land, "none")):
        made = squall(
            "prepare", "pl.nc", "sfc.nc", "-o", named[-4:], "--levels", "20", "--size", "20x18",
            "--spacing", "60 km", "--center", "45,5", drawn=False, **first,
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        folder = tmp_path / named[-4:]
        assert f'geography = "{named}"' in (folder / "forecast.toml").read_text()
        before = (folder / "wrfinput_d01").read_bytes()
        done = squall("prepare", f"{named[-4:]}/forecast.toml", drawn=False, **again)
        assert done.returncode == 0, done.stderr
        assert (folder / "wrfinput_d01").read_bytes() == before


def test_the_cache_is_the_users(monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert geography.cache() == Path.home() / ".cache" / "squall" / "land"
