"""What a history of a real case holds for other tools: the ground, the map, the water."""

import re
import shutil
import subprocess

import numpy as np
import pyproj
import pytest
import xarray as xr
import xwrf  # noqa: F401 (registers the accessor)
from netCDF4 import Dataset

from cf_checker import minded_of
from squall import locate
from squall.errors import UserError
from squall.reader.dataset import streams
from squall.runs import launch
from test_fuzz_input import BOUNDARY, RUN_FILE, intact, real_case  # noqa: F401 (fixtures)

pytestmark = [pytest.mark.regression, pytest.mark.seconds(40)]

try:
    MODEL = locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)


@pytest.fixture(scope="module")
def files(intact, tmp_path_factory):  # noqa: F811
    """The initial file, and the history's second frame."""
    folder = tmp_path_factory.mktemp("real")
    source = intact["NETCDF4"]
    (folder / "run.toml").write_text(RUN_FILE.format(input=source))
    subprocess.run([MODEL, "run.toml", "--threads", "1"], cwd=folder, check=True, timeout=60)
    return source, sorted((folder / "runs" / "run").glob("history_*.nc"))[1]


def test_the_ground_is_carried_unchanged_and_the_air_at_two_metres_is_not(files):
    source, history = files
    with Dataset(source) as before, Dataset(history) as after:
        carried = [
            name
            for name, v in before.variables.items()
            if v.dimensions[1:]
            in (("south_north", "west_east"), ("soil_layers_stag", "south_north", "west_east"))
            and name not in ("MU", "MUB", "PSFC", "Q2", "T2", "TH2", "U10", "V10", "SR")
        ]
        assert {
            "LANDMASK",
            "XLAND",
            "TSK",
            "SST",
            "TSLB",
            "SMOIS",
            "SH2O",
            "IVGTYP",
            "ISLTYP",
            "LU_INDEX",
        } < set(carried)
        for name in carried:
            np.testing.assert_array_equal(after[name][:], before[name][:], err_msg=name)
            assert after[name].dtype == before[name].dtype
        assert "T2" not in after.variables
        assert after["TSLB"].stagger == "Z"
        for attribute in (
            "MAP_PROJ",
            "TRUELAT1",
            "TRUELAT2",
            "STAND_LON",
            "MOAD_CEN_LAT",
            "CEN_LON",
            "MMINLU",
            "ISWATER",
        ):
            assert after.getncattr(attribute) == before.getncattr(attribute)
        assert after.MP_PHYSICS == 1
        assert after.START_DATE == before.START_DATE == "2005-07-16_00:00:00"


#: What a history holds at the start that the model finds itself, as WRF does: the base state from the
#: terrain, and what follows from it; W from the flow over the terrain; T from the moist one and back.
FOUND = {"PHB", "PB", "MUB", "ALB", "P", "AL", "PSFC", "W", "T", "THM"}


def carried(source, text, folder, ranks, found):
    """Runs from a run file; the fields of the input that its history carries, and those that differ in it."""
    (folder / "run.toml").write_text(text)
    start = launch.prepare(MODEL, ["run.toml", "--threads", "1"], ranks, 1)
    subprocess.run(start.command, env=start.whole_environment(), cwd=folder, check=True, timeout=60)
    first = min((folder / "runs" / "run").glob("history_*.nc"))
    with Dataset(source) as before, Dataset(first) as after:
        before.set_auto_mask(False), after.set_auto_mask(False)
        shared = before.variables.keys() & after.variables.keys() - found
        return shared, {name for name in shared if not np.array_equal(before[name][:], after[name][:])}


@pytest.mark.parametrize(("ranks", "boundary"), [(1, "open"), (4, "open"), (4, "symmetric")])
def test_every_field_of_the_input_that_the_history_carries_is_equal_to_the_bit(
    intact,  # noqa: F811
    tmp_path,
    ranks,
    boundary,
):
    source = intact["NETCDF4"]
    text = RUN_FILE.format(input=source).replace('"open"', f'"{boundary}"')
    walls = {"U", "V"} if boundary == "symmetric" else set()  # the wind through a wall is none
    shared, different = carried(source, text, tmp_path, ranks, FOUND | walls)
    assert len(shared) > 60
    assert {"U", "MU", "MAPFAC_UX", "MAPFAC_VY", "XLAT_V", "QVAPOR"} - walls < shared
    assert not different


@pytest.mark.parametrize("ranks", [1, 4])
def test_so_it_is_between_specified_sides(real_case, tmp_path, ranks):  # noqa: F811
    source = real_case / "wrfinput_d01"
    text = RUN_FILE.format(input=source).replace('"open"', '"specified"')
    text += BOUNDARY.format(boundary=real_case / "wrfbdy_d01")
    shared, different = carried(source, text, tmp_path, ranks, FOUND)
    assert {"U", "V", "MU", "MAPFAC_UX", "MAPFAC_VY", "XLAT_V", "QVAPOR"} < shared
    assert not different


def test_both_potential_temperatures_agree(files):
    with Dataset(files[1]) as history:
        dry, moist, vapour = (history[name][0].astype(float) for name in ("T", "THM", "QVAPOR"))
    np.testing.assert_allclose((dry + 300) * (1 + 461.6 / 287 * vapour), moist + 300, rtol=3e-7)
    assert vapour.max() > 0.01


def test_moist_air_without_rain_has_no_rain(intact, tmp_path):  # noqa: F811
    text = RUN_FILE.format(input=intact["NETCDF4"]).replace('"kessler"', '"vapour"')
    (tmp_path / "run.toml").write_text(text)
    subprocess.run([MODEL, "run.toml", "--threads", "1"], cwd=tmp_path, check=True, timeout=60)
    with Dataset(min((tmp_path / "runs" / "run").glob("history_*.nc"))) as history:
        for name in ("RAINC", "RAINNC"):
            assert history[name].units == "mm"
            assert not history[name][:].any()
        assert "QRAIN" not in history.variables


def test_xwrf_places_it(files):
    with xr.open_dataset(files[1]) as history:
        placed = history.xwrf.postprocess()
        assert placed.wrf_projection.item().to_cf()["grid_mapping_name"] == "lambert_conformal_conic"
        assert np.diff(placed.x.values).mean() == pytest.approx(135000, rel=1e-6)
        latitude = placed.XLAT.values
        assert 25 < latitude.min() < latitude.max() < 50


def test_the_map_is_there_as_cf_has_it(files):
    """Coordinates of cells and faces on the map give the latitudes and longitudes that the file holds."""
    with xr.open_dataset(files[1]) as history:
        assert history["T"].attrs["grid_mapping"] == "projection"
        crs = pyproj.CRS.from_cf(history["projection"].attrs)
        to_earth = pyproj.Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)
        for x, y, at in (
            ("west_east", "south_north", ""),
            ("west_east_stag", "south_north", "_U"),
            ("west_east", "south_north_stag", "_V"),
        ):
            found = to_earth.transform(*np.meshgrid(history[x].values, history[y].values))
            expected = [history[name + at].values.squeeze() for name in ("XLONG", "XLAT")]
            np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.mark.filterwarnings("ignore:In a future version of xarray:FutureWarning")
def test_xarray_combines_the_files_without_being_told_how(files):
    paths = sorted(files[1].parent.glob("history_*.nc"))
    with xr.open_mfdataset(paths) as run:
        assert run.sizes["Time"] == len(paths) > 1
        assert run["Time"].to_index().is_monotonic_increasing
        assert run["T"].dims == ("Time", "bottom_top", "south_north", "west_east")
        np.testing.assert_array_equal(run["Time"], run["XTIME"])


@pytest.mark.long
def test_a_checker_of_cf_minds_nothing_but_the_names_of_wrfs_own_attributes(files):
    assert minded_of(files[1]) == []


BOX = """
[output.box]
interval = "{interval}"
fields = ["T", "HGT"]
lonlatbox = [{west}, {east}, {south}, {north}]

[output.mean]
interval = "{interval}"
fields = ["T", "PSFC"]
average = "domain"
weight = "area"
lonlatbox = [{west}, {east}, {south}, {north}]

[output.coarse]
interval = "{interval}"
fields = ["T", "PSFC"]
coarsen = 4
weight = "area"
"""


@pytest.mark.parametrize("ranks", [1, 2])
def test_parts_of_the_domain_by_longitude_and_latitude(intact, tmp_path, ranks):  # noqa: F811
    source = intact["NETCDF4"]
    with Dataset(source) as file:
        lat, lon = (file[name][0].astype(float) for name in ("XLAT", "XLONG"))
    j, i = (n // 2 for n in lat.shape)
    box = {
        "west": lon[j, i - 3] - 0.01,
        "east": lon[j, i + 3],
        "south": lat[j - 2, i],
        "north": lat[j + 2, i],
    }
    text = RUN_FILE.format(input=source)
    interval = re.search(r'interval = "([^"]+)"', text).group(1)
    (tmp_path / "run.toml").write_text(text + BOX.format(interval=interval, **box))
    start = launch.prepare(MODEL, ["run.toml", "--threads", "1"], ranks, 1)
    subprocess.run(start.command, env=start.whole_environment(), cwd=tmp_path, check=True, timeout=120)
    run = tmp_path / "runs" / "run"
    history, part, mean, coarse = (
        xr.open_dataset(sorted(run.glob(f"{name}_*.nc"))[-1], decode_times=False).load()
        for name in ("history", "box", "mean", "coarse")
    )
    inside = (lon >= box["west"]) & (lon <= box["east"]) & (lat >= box["south"]) & (lat <= box["north"])
    rows, columns = (np.flatnonzero(inside.any(axis)) for axis in (1, 0))
    cut = history["T"].values[..., rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    np.testing.assert_array_equal(part["T"].values, cut)
    area = 1 / (history["MAPFAC_MX"].values[0].astype(float) * history["MAPFAC_MY"].values[0])
    for name in ("T", "PSFC"):
        values = history[name].values.astype(float)
        wanted = (values * area * inside).sum((-1, -2)) / (area * inside).sum()
        np.testing.assert_allclose(mean[name].values, wanted, rtol=1e-5, atol=1e-5)
        first = (values * area)[..., :4, 4:8].sum((-1, -2)) / area[:4, 4:8].sum()
        np.testing.assert_allclose(coarse[name].values[..., 0, 1], first, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(coarse["XLONG"].values[-1, 1, 1], lon[4:8, 4:8].mean(), rtol=1e-5)


ON_LAND = """
[output.{mask}]
interval = "{interval}"
fields = ["PSFC"]
average = "domain"
mask = "{mask}"
"""


COASTS = """
[output.coasts]
interval = "{interval}"
fields = ["PSFC"]
stations = "coasts.csv"
interpolation = "land"
"""


def test_averages_of_land_and_of_sea_and_stations_on_land(intact, tmp_path):  # noqa: F811
    source = tmp_path / "wrfinput_d01"
    shutil.copy(intact["NETCDF4"], source)
    with Dataset(source, "r+") as file:
        land = (np.arange(file["LANDMASK"][0].size) % 3 == 0).reshape(file["LANDMASK"][0].shape)
        file["LANDMASK"][0] = land
    text = RUN_FILE.format(input=source)
    interval = re.search(r'interval = "([^"]+)"', text).group(1)
    for mask in ("land", "sea"):
        text += ON_LAND.format(mask=mask, interval=interval)
    text += COASTS.format(interval=interval)
    places = [(4.2, 5.1), (7.9, 3.3), (2.0, 8.4), (10.6, 6.7)]
    rows = [f"s{n},{i},{j}" for n, (i, j) in enumerate(places)]
    (tmp_path / "coasts.csv").write_text("\n".join(["name,i,j", *rows]))
    (tmp_path / "run.toml").write_text(text)
    subprocess.run([MODEL, "run.toml", "--threads", "1"], cwd=tmp_path, check=True, timeout=120)
    history, on_land, at_sea, coasts = (
        xr.open_dataset(max((tmp_path / "runs" / "run").glob(f"{name}_*.nc")), decode_times=False)[
            "PSFC"
        ].values
        for name in ("history", "land", "sea", "coasts")
    )
    pressure = history[-1].astype(float)
    np.testing.assert_allclose(on_land[-1], pressure[land].mean(), rtol=1e-6)
    np.testing.assert_allclose(at_sea[-1], pressure[~land].mean(), rtol=1e-6)
    assert abs(on_land[-1] - at_sea[-1]) > 1e-3
    cells = np.argwhere(land)
    for value, (i, j) in zip(coasts[-1], places, strict=True):
        nearest = cells[np.argmin(((cells - [j, i]) ** 2).sum(1))]
        assert value == history[-1][tuple(nearest)]


ON_A_MAP = """
[output.cities]
interval = "{interval}"
fields = ["PSFC", "wind_east"]
stations = "cities.csv"

[output.towers]
interval = "{interval}"
fields = ["T", "height", "U"]
stations = "cities.csv"

[output.flight]
interval = "{interval}"
fields = ["T", "QVAPOR"]
trajectories = "flight.csv"

[output.swath]
interval = "{interval}"
fields = ["T", "QVAPOR"]
trajectories = "swath.csv"

[output.upper_air]
interval = "{interval}"
fields = ["wind_east", "wind_north", "W", "temperature", "U", "V"]
pressure_levels = ["700 hPa", "500 hPa"]

[output.column]
interval = "{interval}"
fields = ["QVAPOR", "PSFC"]
average = "column"
weight = "mass"

[output.cut]
interval = "{interval}"
fields = ["T", "U", "PSFC"]
region = [2, 9, 1, 8]
stride = 2

[output.extremes]
interval = "{interval}"
fields = ["PSFC", "T"]
over_time = {{ PSFC = "min max", T = "mean" }}

[output.valleys]
interval = "{interval}"
fields = ["PSFC"]
average = "domain"
mask = "LANDMASK = 1"
"""


def test_a_checker_of_cf_minds_nothing_in_what_is_made_of_a_map(intact, tmp_path):  # noqa: F811
    source = intact["NETCDF4"]
    with Dataset(source) as file:
        lat, lon = (file[name][0].astype(float) for name in ("XLAT", "XLONG"))
    (tmp_path / "cities.csv").write_text(
        f"name,longitude,latitude\none,{lon[3, 4]},{lat[3, 4]}\nother,{lon[6, 8]},{lat[6, 8]}\n"
    )
    places = [f"{lon[j, j]},{lat[j, j]}" for j in (2, 7)]
    (tmp_path / "flight.csv").write_text(
        f"name,time,longitude,latitude,altitude\nplane,0,{places[0]},4000\nplane,900,{places[1]},8000\n"
    )
    (tmp_path / "swath.csv").write_text(
        f"name,time,longitude,latitude\nsatellite,0,{places[0]}\nsatellite,900,{places[1]}\n"
    )
    text = RUN_FILE.format(input=source)
    interval = re.search(r'interval = "([^"]+)"', text).group(1)
    box = {"west": lon[4, 4], "east": lon[4, 9], "south": lat[3, 5], "north": lat[8, 5]}
    text += BOX.format(interval=interval, **box) + COASTS.format(interval=interval)
    (tmp_path / "coasts.csv").write_text("name,i,j\na,3,4\nb,7.5,2.5\n")
    (tmp_path / "run.toml").write_text(text + ON_A_MAP.format(interval=interval))
    subprocess.run([MODEL, "run.toml", "--threads", "1"], cwd=tmp_path, check=True, timeout=120)
    run = tmp_path / "runs" / "run"
    made = [name for name in streams(run) if name != "history"]
    assert len(made) == 13
    assert minded_of(*(max(run.glob(f"{name}_*.nc")) for name in made)) == []
