"""What preparation writes: files for the model, for WRF and for WRF's tools."""

import subprocess
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest
import xarray as xr
import xwrf  # noqa: F401 (registers the accessor)
from netCDF4 import Dataset

import made_up_columns as made_up
from squall import locate
from squall.errors import UserError
from squall.lab.first_hour import measure, pressure_noise, surface_pressure
from squall.prepare.balance import BaseBlock, vertical_acceleration
from squall.prepare.columns import LandClimate, LandUse
from squall.prepare.make_state import build_state
from squall.prepare.rim import build_rim
from squall.prepare.state import Settings
from squall.prepare.wrf_file import LAND_USE
from squall.prepare.wrfbdy import NEXT_TIME, THIS_TIME, BoundaryWriter
from squall.prepare.wrfinput import write_wrfinput
from squall.reader.dataset import open_run

pytestmark = pytest.mark.regression

GRID = made_up.domain()
HILL = made_up.hill(GRID, 900.0)
LAND = (HILL > 1).astype(np.float32)
SETTINGS = Settings(levels=30)
WIDTH = 5

RUN_FILE = """
[run]
duration = "1 h"
time_step = "60 s"
[boundary]
file = "wrfbdy_d01"
[dynamics]
coriolis = "{coriolis}"
[physics]
microphysics = "kessler"
[initial]
file = "wrfinput_d01"
[output.history]
interval = "10 min"
"""


def state_at(hours=0.0, settings=SETTINGS):
    return build_state(made_up.weather(GRID, HILL, hours), GRID, HILL, LAND, settings)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """wrfinput_d01 of one time, wrfbdy_d01 of three, six hours apart."""
    folder = tmp_path_factory.mktemp("prepared")
    state = state_at()
    filled = write_wrfinput(folder / "wrfinput_d01", state, GRID)
    assert any(line.startswith("LU_INDEX") for line in filled)
    with BoundaryWriter(folder / "wrfbdy_d01", GRID, WIDTH) as boundary:
        boundary.add(state)
        for hours in (6, 12):
            columns = made_up.weather(GRID, HILL, hours)
            boundary.add(build_rim(columns, GRID, HILL, LAND, SETTINGS, WIDTH))
        assert not boundary.hold_until(made_up.START + timedelta(hours=12))
    return folder


def run_model(folder, coriolis="file"):
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    (folder / "run.toml").write_text(RUN_FILE.format(coriolis=coriolis))
    done = subprocess.run(
        [model, "run.toml", "--threads", "1", "--overwrite"],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted((folder / "runs" / "run").glob("history_*.nc"))


def strip(field, side, width=WIDTH):
    """The outermost rows of a field (..., ny, nx) as a boundary file orders them."""
    across = np.moveaxis(field, -1 if side in ("XS", "XE") else -2, 0)
    return across[:width] if side in ("XS", "YS") else across[::-1][:width]


def test_the_boundary_begins_with_the_initial_state(files):
    with Dataset(files / "wrfinput_d01") as initial, Dataset(files / "wrfbdy_d01") as boundary:
        field = {name: np.ma.getdata(v[0]).astype(float) for name, v in initial.variables.items()
                 if name != "Times"}  # fmt: skip
        mu = field["MU"] + field["MUB"]
        pad_x, pad_y = np.pad(mu, ((0, 0), (1, 1)), "edge"), np.pad(mu, ((1, 1), (0, 0)), "edge")

        def mass(mu, kind):
            return field[f"C1{kind}"][:, None, None] * mu + field[f"C2{kind}"][:, None, None]

        expected = {
            "U": field["U"] * mass(0.5 * (pad_x[:, 1:] + pad_x[:, :-1]), "H") / field["MAPFAC_UY"],
            "V": field["V"] * mass(0.5 * (pad_y[1:] + pad_y[:-1]), "H") / field["MAPFAC_VX"],
            "T": field["THM"] * mass(mu, "H"),  # as WRF 4 writes it and integrates it
            "QVAPOR": field["QVAPOR"] * mass(mu, "H"),
            "PH": field["PH"] * mass(mu, "F"),
            "MU": field["MU"],
        }
        for name, values in expected.items():
            for side in ("XS", "XE", "YS", "YE"):
                found = np.ma.getdata(boundary[f"{name}_B{side}"][0])
                wanted = strip(values, side)
                assert found.shape == wanted.shape
                assert np.abs(found - wanted).max() <= 1e-6 * np.abs(values).max(), (name, side)


@pytest.mark.parametrize("moist", [True, False])
def test_theta_of_the_boundary_is_that_which_the_files_say_the_run_integrates(tmp_path, moist):
    settings = replace(SETTINGS, moist_theta=moist)
    state = state_at(settings=settings)
    write_wrfinput(tmp_path / "wrfinput_d01", state, GRID)
    with BoundaryWriter(tmp_path / "wrfbdy_d01", GRID, WIDTH) as boundary:
        boundary.add(state)
        boundary.hold_until(state.time + timedelta(hours=1))
    with Dataset(tmp_path / "wrfinput_d01") as initial, Dataset(tmp_path / "wrfbdy_d01") as boundary:
        assert initial.USE_THETA_M == boundary.USE_THETA_M == moist
        column = np.ma.getdata(initial["MU"][0] + initial["MUB"][0])[:, 0]
        mass = np.ma.getdata(initial["C1H"][0])[:, None] * column + initial["C2H"][0][:, None]
        held = boundary["T_BXS"][0, 0] / mass
        assert np.abs(held - initial["THM"][0][..., 0]).max() < 1e-3
        theta, vapour = initial["T"][0][..., 0] + 300.0, initial["QVAPOR"][0][..., 0]
        wanted = theta * (1 + 461.6 / 287 * vapour) - 300 if moist else theta - 300
        assert np.abs(held - wanted).max() < 1e-3
        assert np.abs(theta * vapour).max() > 1  # there is vapour to tell them apart


def test_values_and_tendency_of_a_record_lead_to_the_next(files):
    with Dataset(files / "wrfbdy_d01") as boundary:
        times = [[b"".join(t).decode() for t in boundary[name][:]] for name in (THIS_TIME, NEXT_TIME)]
        assert times[0] == ["2020-03-01_12:00:00", "2020-03-01_18:00:00"]
        assert times[1] == ["2020-03-01_18:00:00", "2020-03-02_00:00:00"]
        for name in ("U", "T", "MU", "PH", "QVAPOR"):
            value, tendency = boundary[f"{name}_BXS"][:], boundary[f"{name}_BTXS"][:]
            assert np.abs(tendency).max() > 0
            arrived = value[0].astype(float) + 6 * 3600 * tendency[0]
            assert np.abs(arrived - value[1]).max() <= 1e-6 * np.abs(value).max()


def test_a_rim_gives_what_the_whole_state_gives(tmp_path):
    later = made_up.weather(GRID, HILL, 6)
    whole = build_state(later, GRID, HILL, LAND, SETTINGS)
    rim = build_rim(later, GRID, HILL, LAND, SETTINGS, WIDTH)
    for name, given in (("whole", whole), ("rim", rim)):
        with BoundaryWriter(tmp_path / name, GRID, WIDTH) as boundary:
            boundary.add(given)
            assert boundary.hold_until(given.time + timedelta(hours=1))
    with Dataset(tmp_path / "whole") as one, Dataset(tmp_path / "rim") as other:
        assert set(one.variables) == set(other.variables)
        for name in one.variables:
            np.testing.assert_array_equal(one[name][:], other[name][:], err_msg=name)
        assert np.all(one["U_BTXS"][:] == 0)


@pytest.fixture(scope="module")
def histories(files):
    return run_model(files)


def test_the_first_hour_is_measured_against_the_initial_state(histories):
    history = open_run(histories[0].parent)
    departures = {d.quantity: d for d in measure(history, 6, margin=5)}
    pressure = [surface_pressure(history, frame)[5:-5, 5:-5] for frame in (0, 5, 6)]
    tendency = departures["surface-pressure tendency"]
    assert tendency.bias == pytest.approx((pressure[2] - pressure[0]).mean() / 100)
    assert tendency.rms >= abs(tendency.bias)
    assert departures["wind along x, 500 hPa"].rms > 0.1
    assert 0 < departures["temperature, 250 hPa"].rms < 3
    noise = pressure_noise(history, margin=5)
    assert [n.seconds for n in noise] == [600, 1200, 1800, 2400, 3000, 3600]
    assert noise[-1].tendency == pytest.approx(np.abs(pressure[2] - pressure[1]).mean() * 6 / 100)


def test_a_history_without_frames_of_the_first_hour_is_refused(histories):
    with pytest.raises(UserError, match=r"output\.history\.interval"):
        pressure_noise(open_run(histories[0]), margin=5)
    with pytest.raises(UserError, match="--margin"):
        pressure_noise(open_run(histories[0].parent), margin=10)


def test_surface_pressure_is_the_weight_of_the_air(histories, files):
    with Dataset(files / "wrfinput_d01") as initial:
        given = np.ma.getdata(initial["PSFC"][0]).astype(float)
    assert np.abs(surface_pressure(open_run(histories[0].parent), 0) - given).max() < 3


def test_the_model_runs_an_hour_on_the_files(files, histories):
    assert len(histories) == 7
    with (
        Dataset(histories[0]) as first,
        Dataset(histories[-1]) as last,
        Dataset(files / "wrfinput_d01") as own,
    ):
        # What the model makes of the base state is what the file says.
        for name in ("MUB", "PB", "PHB"):
            np.testing.assert_array_equal(first[name][:], own[name][:], err_msg=name)
        np.testing.assert_allclose(first["P"][:], own["P"][:], atol=0.05)
        # The model's own pressure balances the weight of the air.
        everywhere = slice(0, GRID.ny)
        state = state_at()
        water = (state.vapour + state.water["QCLOUD"]).astype(float)
        base = BaseBlock.of(state.base, everywhere)
        pressure = np.ma.getdata(first["P"][0]).astype(float)
        acceleration = vertical_acceleration(state.vertical, base, state.mu.astype(float), pressure, water)
        assert np.abs(acceleration).max() < 5e-4
        assert 0.01 < np.abs(last["W"][:]).max() < 5
        change = (last["MU"][0] - first["MU"][0]).astype(float)
        assert np.abs(change).max() < 1000


def test_an_atmosphere_at_rest_over_terrain_stays_at_rest(tmp_path):
    """A base state that is not isothermal leaves the truncation of the pressure gradient over slopes."""
    terrain = made_up.hill(GRID, 1000.0)
    columns = made_up.isothermal(GRID, 265.0, terrain)
    columns.temperature_2m = made_up.single(265.0, terrain.shape)
    state = build_state(columns, GRID, terrain, np.ones_like(terrain), SETTINGS)
    write_wrfinput(tmp_path / "wrfinput_d01", state, GRID)
    with BoundaryWriter(tmp_path / "wrfbdy_d01", GRID) as boundary:
        boundary.add(state)
        boundary.hold_until(state.time + timedelta(hours=1))
    histories = run_model(tmp_path, coriolis="none")
    assert len(histories) == 7
    for history in histories:
        with Dataset(history) as frame:
            assert np.abs(frame["W"][:]).max() < 0.01
            assert np.abs(frame["U"][:]).max() < 1.0
            assert np.abs(frame["V"][:]).max() < 1.0


def test_tools_of_wrf_read_them(files):
    with xr.open_dataset(files / "wrfinput_d01") as raw:
        made = raw.xwrf.postprocess()
        assert made["air_potential_temperature"].mean() > 290
        assert (
            made["wrf_projection"].item().coordinate_operation.method_code == "9802"
        )  # Lambert, two parallels
        assert float(made["XLAT"].mean()) == pytest.approx(40, abs=0.1)
        assert raw["U"].dims == ("Time", "bottom_top", "south_north", "west_east_stag")
        assert raw["PH"].attrs["stagger"] == "Z"
        assert raw["XLAND"].attrs["MemoryOrder"] == "XY "
    with xr.open_dataset(files / "wrfbdy_d01") as raw:
        assert raw["V_BTYE"].dims == ("Time", "bdy_width", "bottom_top", "west_east")


def test_the_ground_is_the_analysis_where_it_is_known(tmp_path):
    columns = made_up.weather(GRID, HILL)
    shape = HILL.shape
    columns.ground.skin_temperature = made_up.single(280.0, shape)
    columns.ground.sea_surface_temperature = made_up.single(285.0, shape)
    columns.ground.soil_temperature = made_up.single(np.array([279.0, 278.0])[:, None, None], (2, *shape))
    columns.ground.soil_moisture = made_up.single(0.3, (2, *shape))
    columns.ground.soil_depths = (0.1, 0.5)
    columns.ground.snow_water = made_up.single(20.0, shape)
    columns.ground.sea_ice = ice = made_up.single(0.75, shape)  # which reaches over the coast
    ice[: shape[0] // 2] = 0.3
    state = build_state(columns, GRID, HILL, LAND, SETTINGS)
    filled = write_wrfinput(tmp_path / "wrfinput_d01", state, GRID)
    assert not any(line.startswith(("TSK", "SST", "TSLB", "SMOIS", "SNOW:")) for line in filled)
    with Dataset(tmp_path / "wrfinput_d01") as file:
        land = LAND > 0.5
        assert np.all(file["TSK"][0][land] == 280)
        assert np.all(file["TSK"][0][~land] == np.where(ice >= 0.5, 280, 285)[~land])
        assert np.all(file["SEAICE"][0] == np.where(land, 0, ice))
        assert np.all(file["XLAND"][0] == np.where(land, 1, 2))
        assert np.all(file["IVGTYP"][0][~land] == file.ISWATER)
        assert np.all(file["ISLTYP"][0][~land] == file.ISOILWATER)
        np.testing.assert_allclose(file["ZS"][0], [0.05, 0.3])
        np.testing.assert_allclose(file["DZS"][0], [0.1, 0.4])
        assert np.all(file["TMN"][0] == 278)
        np.testing.assert_allclose(file["SNOWH"][0], 0.1)
        assert "grassland" in file.FILLED
    state.settings = replace(SETTINGS, fractional_sea_ice=True)
    write_wrfinput(tmp_path / "fractions", state, GRID)
    with Dataset(tmp_path / "fractions") as file:
        assert np.all(file["TSK"][0] == 280)


def test_land_use_of_the_analysis_is_taken_over_with_its_classes(tmp_path):
    columns = made_up.weather(GRID, HILL)
    use = np.where(LAND > 0.5, 5, 16).astype(np.int32)
    attributes = LAND_USE | {"MMINLU": "USGS", "NUM_LAND_CAT": 24, "ISWATER": 16}
    columns.ground.land_use = LandUse(use, attributes)
    state = build_state(columns, GRID, HILL, LAND, SETTINGS)
    filled = write_wrfinput(tmp_path / "wrfinput_d01", state, GRID)
    assert not any(line.startswith(("LU_INDEX", "IVGTYP")) for line in filled)
    assert any(line.startswith("ISLTYP") for line in filled)
    with Dataset(tmp_path / "wrfinput_d01") as file:
        assert (file.MMINLU, file.ISWATER) == ("USGS", 16)
        np.testing.assert_array_equal(file["IVGTYP"][0], use)
        np.testing.assert_array_equal(file["LU_INDEX"][0], use)
        assert file["IVGTYP"].dtype == np.int32


def test_plants_and_albedo_are_those_of_the_season(tmp_path):
    columns = made_up.weather(GRID, HILL)
    shape = LAND.shape
    months = np.broadcast_to(np.arange(12, dtype=np.float32)[:, None, None], (12, *shape))
    unknown = np.argwhere(LAND > 0.5)[0]
    deep = made_up.single(290.0, shape)
    deep[tuple(unknown)] = np.nan
    columns.ground.land_climate = LandClimate(
        greenness=months / 20,
        albedo=0.1 + months / 100,
        snow_albedo=made_up.single(0.6, shape),
        deep_temperature=deep,
    )
    columns.ground.soil_temperature = None
    columns.time = datetime(2007, 3, 31, 12)
    state = build_state(columns, GRID, HILL, LAND, SETTINGS)
    filled = write_wrfinput(tmp_path / "wrfinput_d01", state, GRID)
    assert not any(line.startswith(("VEGFRA", "SHDM", "ALBBCK", "SNOALB", "TMN")) for line in filled)
    along = 2 + (30.5 / 31 - 0.5)  # months after the middle of January
    with Dataset(tmp_path / "wrfinput_d01") as file:
        land = LAND > 0.5
        for name, on_land, on_water in (
            ("VEGFRA", 5 * along, 0),
            ("SHDMIN", 0, 0),
            ("SHDMAX", 55, 0),
            ("ALBBCK", 0.1 + along / 100, 0.08),
            ("SNOALB", 0.6, 0.08),
        ):
            np.testing.assert_allclose(
                file[name][0], np.where(land, on_land, on_water), rtol=1e-5, err_msg=name
            )
        made = file["TMN"][0]
        at_height = 290 - 0.0065 * HILL
        at_height[tuple(unknown)] = file["TSK"][0][tuple(unknown)]
        np.testing.assert_allclose(made[land], at_height[land], rtol=1e-6)
        np.testing.assert_array_equal(made[~land], file["TSK"][0][~land])


def test_an_interrupted_file_is_absent(tmp_path):
    def write():
        with BoundaryWriter(tmp_path / "wrfbdy_d01", GRID) as boundary:
            boundary.add(state_at())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    assert list(tmp_path.iterdir()) == []


def test_a_boundary_without_a_record_is_refused_and_leaves_nothing(tmp_path):
    with (
        pytest.raises(UserError, match="no record"),
        BoundaryWriter(tmp_path / "wrfbdy_d01", GRID) as boundary,
    ):
        boundary.add(state_at())
    assert list(tmp_path.iterdir()) == []


def test_times_must_follow_each_other(tmp_path):
    with BoundaryWriter(tmp_path / "wrfbdy_d01", GRID) as boundary:
        boundary.add(state_at(6))
        with pytest.raises(UserError, match="must be in order of time"):
            boundary.add(state_at(0))
        boundary.hold_until(made_up.START + timedelta(hours=7))


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        write_wrfinput(tmp_path / "file" / "wrfinput_d01", state_at(), GRID)
