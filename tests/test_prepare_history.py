"""`squall prepare` from a run's history: what `ndown` does."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from netCDF4 import Dataset

import commands
from squall import locate
from squall.errors import UserError
from squall.prepare.sources import history, open_analysis
from squall.prepare.sources.piece import Window
from test_great_north_run import hills

pytestmark = [pytest.mark.regression, pytest.mark.seconds(80)]

KATRINA = locate.CHECKOUT / "../shared/data/wrfout_samples/katrina_2005-08-28_d01.nc"

COARSE = """
[run]
start = "2009-09-20T06:00:00"
duration = "30 min"
time_step = "225 s"
[prepare]
analysis = {analysis}
{prepare}
[domain]
{domain}
[initial]
file = "wrfinput_d01"
[boundary]
file = "wrfbdy_d01"
[dynamics]
coriolis = "file"
[physics]
microphysics = "wsm6"
[damping]
scheme = "implicit-w"
depth = "5 km"
coefficient = "0.2 s-1"
[output.history]
interval = "15 min"
"""
BRITAIN = """
terrain = "terrain.nc"
center_latitude = "54.5 degrees"
center_longitude = "-4 degrees"
projection = "lambert"
true_latitude_1 = "50 degrees"
true_latitude_2 = "60 degrees"
top = "50 hPa"
"""


def run_file(path, analysis, prepare, domain):
    path.write_text(COARSE.format(analysis=f'["{analysis}"]', prepare=prepare, domain=domain))


def squall(folder, *arguments):
    return commands.squall(arguments, folder, timeout=400, drawn=False)


def works(folder, *arguments):
    done = squall(folder, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def coarse(tmp_path_factory):
    """A run of the jet over two ridges, 54 km, 24 x 20 cells, a frame each 15 minutes."""
    try:
        locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    folder = tmp_path_factory.mktemp("coarse")
    hills(folder / "terrain.nc")
    run_file(folder / "run.toml", "westerly-jet", BRITAIN, 'nx = 24\nny = 20\nnz = 20\ndx = "54 km"')
    works(folder, "prepare", "run.toml")
    works(folder, "run", "run.toml")
    return folder / "runs" / "run"


def frames(run):
    return sorted(run.glob("history_*.nc"))


def test_a_run_is_restored_from_its_own_history_on_its_own_grid(coarse, tmp_path):
    """From its second frame on, when air has begun to rise otherwise than the ground does."""
    with Dataset(frames(coarse)[0]) as first:
        eta = [round(float(x), 7) for x in first["ZNW"][0]]
    run_file(tmp_path / "run.toml", coarse, f"eta = {eta}\nremove_divergence = false", "nz = 20")
    text = (tmp_path / "run.toml").read_text()
    (tmp_path / "run.toml").write_text(text.replace("T06:00:00", "T06:15:00").replace("30 min", "15 min"))
    said = works(tmp_path, "prepare", "run.toml")
    assert "2 times" in said
    with Dataset(frames(coarse)[1]) as given, Dataset(tmp_path / "wrfinput_d01") as made:
        land = given["LANDMASK"][0] == 1
        assert np.abs(given["W"][0]).max() > 0.02
        for name, most in (
            ("U", 0.03), ("V", 0.03), ("T", 0.15), ("QVAPOR", 1e-5), ("QGRAUP", 1e-9), ("P", 30), ("MU", 0.2),
            ("W", 2e-3),
            ("HGT", 0), ("TSK", 1e-3), ("LANDMASK", 0), ("LU_INDEX", 0),
        ):  # fmt: skip
            away = np.abs(made[name][0] - given[name][0])
            assert away.max() <= most, f"{name}: {away.max()} of {most}"
        assert np.abs(made["TSLB"][0] - given["TSLB"][0])[:, land].max() < 1e-3
    with Dataset(tmp_path / "wrfbdy_d01") as sides:
        assert len(sides.dimensions["Time"]) == 1  # each frame's interval
    begun = {
        source: changes(tmp_path, "--set", f"initial.vertical_wind={source}", "--overwrite")
        for source in ("flow", "file")
    }
    with Dataset(tmp_path / "wrfinput_d01") as made:
        np.testing.assert_array_equal(begun["file"][0], made["W"][0])
    # Mass goes with the wind along the ground, whatever w is; heights move less where air rises as it did.
    (of_flow, falls), (of_file, goes_on) = (changed[1:] for changed in begun.values())
    assert of_file == pytest.approx(of_flow, rel=0.01)
    assert goes_on < falls


def changes(folder, *settings):
    """The W that a run begins with, and how much its mass and heights change in a step (rms; Pa, m2/s2)."""
    works(folder, "run", "run.toml", *settings, "--set", "run.duration=225 s",
          "--set", "output.history.interval=225 s")  # fmt: skip
    first, second = frames(folder / "runs" / "run")
    with Dataset(first) as a, Dataset(second) as b:
        inner = (..., slice(5, -5), slice(5, -5))
        rms = [float(np.sqrt(np.mean((b[name][0] - a[name][0])[inner] ** 2))) for name in ("MU", "PH")]
        return a["W"][0], *rms


def test_a_finer_run_starts_from_the_history_and_follows_it(coarse, tmp_path):
    inside = BRITAIN.replace('terrain = "terrain.nc"', f'terrain = "{coarse.parents[1] / "terrain.nc"}"')
    run_file(tmp_path / "run.toml", coarse, inside, 'nx = 24\nny = 24\nnz = 20\ndx = "18 km"')
    works(tmp_path, "prepare", "run.toml")
    text = (tmp_path / "run.toml").read_text().replace("225 s", "75 s")
    (tmp_path / "run.toml").write_text(text)
    works(tmp_path, "run", "run.toml")
    fine = frames(tmp_path / "runs" / "run")
    with Dataset(fine[-1]) as made, Dataset(frames(coarse)[-1]) as parent:
        assert np.abs(made["W"][0]).max() < 2
        # One projection and one middle: the fine domain lies over the coarse cells 8 to 15 and 6 to 13.
        within = parent["U"][0][:, 6:14, 8:17]
        assert made["U"][0].mean() == pytest.approx(within.mean(), abs=0.7)
        assert made["T"][0].mean() == pytest.approx(parent["T"][0][:, 6:14, 8:16].mean(), abs=0.7)


def test_a_domain_beyond_the_history_is_refused_with_the_number_of_cells(coarse, tmp_path):
    run_file(tmp_path / "run.toml", coarse, BRITAIN.replace('terrain = "terrain.nc"', ""),
             'nx = 30\nny = 20\nnz = 20\ndx = "54 km"')  # fmt: skip
    done = squall(tmp_path, "prepare", "run.toml")
    assert done.returncode != 0
    assert "extends beyond the analysis, by up to 3.0 of its cells" in " ".join(done.stderr.split())


def test_what_a_history_lacks_is_named_with_where_to_ask_for_it(coarse, tmp_path):
    with xr.open_dataset(frames(coarse)[0], decode_times=False) as whole:
        whole.drop_vars(["PB", "QVAPOR"]).to_netcdf(tmp_path / "poor.nc")
    with pytest.raises(UserError, match=r"lacks PB, QVAPOR.*`fields` of the run's \[output.history\]"):
        open_analysis([tmp_path / "poor.nc"])


def test_wrfs_history_is_a_source_by_what_it_holds():
    if not KATRINA.exists():
        pytest.skip(f"needs the reference data {KATRINA}")
    path = Path(KATRINA)
    assert history.is_history(path)
    assert history.top_of(path) is None  # the lowest 14 levels alone
    analysis = open_analysis([path])
    assert [f"{time:%d %H}" for time in analysis.times] == ["28 12", "28 15", "28 18", "28 21"]
    assert (analysis.kind, len(analysis.levels(analysis.times[0]))) == ("hybrid", 14)


#: What a wrfout file of WRF 4 holds of the kinds that a preparation looks at.
OF_WRF = """
    Times XTIME XLAT XLONG XLAT_U XLONG_U XLAT_V XLONG_V ZNU ZNW C1H C2H ZS DZS P_TOP HGT LANDMASK XLAND
    LU_INDEX IVGTYP ISLTYP VEGFRA U V W PH PHB T P PB MU MUB QVAPOR QCLOUD QRAIN QICE QSNOW QGRAUP
    TSLB SMOIS SH2O TSK SST SEAICE SNOW SNOWH CANWAT TMN PSFC T2 Q2 U10 V10 MAPFAC_M MAPFAC_U
    MAPFAC_V F E SINALPHA COSALPHA HFX QFX
"""
ATTRIBUTES_OF_WRF = """
    START_DATE SIMULATION_START_DATE WEST-EAST_GRID_DIMENSION SOUTH-NORTH_GRID_DIMENSION
    BOTTOM-TOP_GRID_DIMENSION DX DY GRID_ID PARENT_ID I_PARENT_START J_PARENT_START
    PARENT_GRID_RATIO DT CEN_LAT CEN_LON TRUELAT1 TRUELAT2 MOAD_CEN_LAT STAND_LON POLE_LAT POLE_LON
    MAP_PROJ MAP_PROJ_CHAR MMINLU NUM_LAND_CAT ISWATER ISLAKE ISICE ISURBAN ISOILWATER
"""


def as_wrf_writes(ours, path):
    """A history in WRF's form and nothing that is Squall's: frames of one file, each with all its fields, and
    the attributes that WRF gives them."""
    with Dataset(ours[0]) as first, Dataset(path, "w") as out:
        out.TITLE = " OUTPUT FROM WRF V4.7.1 MODEL"
        out.setncatts(
            {key: first.getncattr(key) for key in ATTRIBUTES_OF_WRF.split() if key in first.ncattrs()}
        )
        for name, dimension in first.dimensions.items():
            out.createDimension(name, None if name == "Time" else len(dimension))
        for name in (name for name in OF_WRF.split() if name in first.variables):
            given = first[name]
            dimensions = given.dimensions if given.dimensions[0] == "Time" else ("Time", *given.dimensions)
            made = out.createVariable(name, given.dtype, dimensions)
            if name != "Times":
                horizontal = {"south_north", "west_east", "south_north_stag", "west_east_stag"}
                order = "XYZ"[: len(dimensions) - 1] if horizontal & set(dimensions) else "Z"
                made.setncatts({"FieldType": np.int32(104), "MemoryOrder": order.ljust(3)})
                made.setncatts({"description": "", "units": getattr(given, "units", ""), "stagger": ""})
        for n, file in enumerate(ours):
            with Dataset(file) as frame:
                for name in out.variables:
                    values = frame[name][:]
                    out[name][n] = values[0] if frame[name].dimensions[0] == "Time" else values


def test_a_nest_follows_a_history_as_wrf_writes_it(coarse, tmp_path):
    """One way, as ndown: it gets the very files that it gets of Squall's own history, and steps."""
    inside = BRITAIN.replace('terrain = "terrain.nc"', f'terrain = "{coarse.parents[1] / "terrain.nc"}"')
    wrfout = tmp_path / "wrfout_d01_2009-09-20_06:00:00"
    as_wrf_writes(frames(coarse), wrfout)
    with Dataset(wrfout) as file:
        assert {"Times", "QVAPOR", "TSLB", "P_TOP", "LU_INDEX"} <= set(file.variables)
        assert not [name for name in file.ncattrs() if "SQUALL" in name.upper() or name == "Conventions"]
    made = {}
    for name, source in (("of-wrf", wrfout), ("of-squall", coarse)):
        folder = tmp_path / name
        folder.mkdir()
        run_file(folder / "run.toml", source, inside, 'nx = 24\nny = 24\nnz = 20\ndx = "18 km"')
        works(folder, "prepare", "run.toml")
        with Dataset(folder / "wrfinput_d01") as file, Dataset(folder / "wrfbdy_d01") as sides:
            made[name] = {key: file[key][:] for key in ("U", "T", "QVAPOR", "MU", "TSLB", "LU_INDEX", "HGT")}
            made[name] |= {key: sides[key][:] for key in ("U_BXS", "T_BTYE", "QVAPOR_BXE")}
    for key, values in made["of-squall"].items():
        np.testing.assert_array_equal(made["of-wrf"][key], values, err_msg=key)
    step = ["--set", "run.time_step=75 s", "--set", "run.duration=75 s"]
    works(tmp_path / "of-wrf", "run", "run.toml", *step, "--set", "output.history.interval=75 s")
    _, last = frames(tmp_path / "of-wrf" / "runs" / "run")
    with Dataset(last) as frame:
        assert 0 < np.abs(frame["W"][0]).max() < 2


def made_of(source, folder):
    """Some of what is prepared from the files or the run of a history."""
    folder.mkdir()
    run_file(folder / "run.toml", '", "'.join(map(str, source)), "", "nz = 20")
    works(folder, "prepare", "run.toml")
    with Dataset(folder / "wrfinput_d01") as file, Dataset(folder / "wrfbdy_d01") as sides:
        return [file["T"][:], file["MU"][:], file["TSLB"][:], sides["U_BTXE"][:]]


@pytest.fixture(scope="module")
def of_netcdf(coarse, tmp_path_factory):
    return made_of([coarse], tmp_path_factory.mktemp("netcdf") / "made")


@pytest.mark.parametrize("engine", ["zarr", "netcdf-split"])
def test_histories_of_other_engines_are_sources_as_runs_and_as_files(coarse, of_netcdf, tmp_path, engine):
    """The same bits as of the netCDF history, of a run directory and of what lies in it."""
    again = tmp_path / "again"
    again.mkdir()
    for name in ("run.toml", "wrfinput_d01", "wrfbdy_d01"):
        shutil.copy(coarse.parents[1] / name, again)
    works(again, "run", "run.toml", "--set", f"output.history.engine={engine}")
    run = again / "runs" / "run"
    files = [p for p in sorted(run.glob("history_*")) if not p.name.endswith(".json")]
    assert files
    assert not list(run.glob("history_*.nc")) or engine == "netcdf-split"
    for name, source in (("run", [run]), ("files", files)):
        for ours, reference in zip(made_of(source, tmp_path / name), of_netcdf, strict=True):
            np.testing.assert_array_equal(ours, reference, err_msg=name)


def test_water_on_leaves_and_what_of_the_soils_is_liquid_go_along(coarse, tmp_path):
    """Of a history with the variables of WRF's Noah; elsewhere leaves are dry and all of it is liquid."""
    source = tmp_path / "history"
    source.mkdir()
    rng = np.random.default_rng(7)
    for path in frames(coarse):
        shutil.copy(path, source)
        with Dataset(source / path.name, "a") as file:
            file["SMOIS"][:] = np.where(file["LANDMASK"][:][:, None] > 0.5, 0.3, 1)
            for name, like, most in (("SH2O", "SMOIS", 0.3), ("CANWAT", "TSK", 0.4)):
                if name not in file.variables:
                    file.createVariable(name, "f4", file[like].dimensions)
                file[name][:] = most * rng.random(file[name].shape)
    run_file(tmp_path / "run.toml", f"{source}/history_*.nc", "", "nz = 20")
    works(tmp_path, "prepare", "run.toml")
    with Dataset(sorted(source.iterdir())[0]) as given, Dataset(tmp_path / "wrfinput_d01") as made:
        land = given["LANDMASK"][0] > 0.5
        assert land.any()
        for name in ("SH2O", "CANWAT"):
            np.testing.assert_allclose(made[name][0][..., land], given[name][0][..., land], atol=1e-6)
        assert (made["CANWAT"][0][~land] == 0).all()
        assert (made["SH2O"][0][:, ~land] == 1).all()


def test_where_t_is_of_before_thm_counts(coarse, tmp_path):
    """As ndown, nests and data assimilation leave a file of WRF 4: they change what WRF integrates."""

    def temperature(path):
        from_all = Window(slice(None), (slice(None),), 0)
        piece = next(piece for piece in history.read(path) if piece.field == "temperature")
        return piece.load(from_all)

    known, stale = frames(coarse)[1], tmp_path / "stale.nc"
    shutil.copyfile(known, stale)
    with Dataset(stale, "a") as file:
        assert file.USE_THETA_M == 1
        file["T"][0, :4] += 3
    assert np.abs(temperature(stale) - temperature(known)).max() < 3e-3
    with Dataset(stale, "a") as file:
        file["THM"][:] = 0  # of a file that WRF 4 converted from before it
    assert np.abs(temperature(stale) - temperature(known)).max() > 2
