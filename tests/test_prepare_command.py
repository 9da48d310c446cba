"""The command `squall prepare`: from files to what a run starts from, and what it says on the way."""

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from netCDF4 import Dataset

from analysed_columns import LAT, LON
from analytic import era5, every, regular_grib
from pictures import assert_drawn
from squall import locate
from squall.errors import UserError
from squall.prepare.columns import OROGRAPHY
from squall.prepare.command import open_plan, prepare_all
from squall.prepare.fit import Wishes
from squall.prepare.run_file import OTHERS, Plan, read_plan
from squall.prepare.starter import run_file_text
from squall.prepare.state import Settings
from squall.quantity import quantity, spell
from squall.run_files import schema

pytestmark = [pytest.mark.regression, pytest.mark.seconds(90)]

DATA = Path(os.environ.get("SQUALL_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))

RUN_FILE = """
[run]
start = "2024-01-15T06:00:00"
duration = "12 h"
time_step = "300 s"

[domain]
nx = 24
ny = 20
nz = 20
dx = "100 km"

[prepare]
analysis = ["?l.nc", "sfc.nc"]
center_latitude = "45 degrees"
center_longitude = "5 degrees"
true_latitude_1 = "35 degrees"
true_latitude_2 = "55 degrees"

[initial]
file = "made/wrfinput_d01"

[boundary]
file = "made/wrfbdy_d01"

[dynamics]
coriolis = "file"
"""


def write_era5(folder, times):
    upper, surface = era5(LON, LAT, times)
    upper.to_netcdf(folder / "pl.nc")
    surface.to_netcdf(folder / "sfc.nc")


def times_of(path, name="Times"):
    with Dataset(path) as file:
        return ["".join(c.decode() for c in row) for row in file[name][:]]


def test_a_run_file_and_four_times(squall, tmp_path):
    write_era5(tmp_path, every(6, 4))
    (tmp_path / "run.toml").write_text(RUN_FILE)
    done = squall("prepare", "run.toml")
    assert done.returncode == 0, done.stderr
    made = tmp_path / "made"
    assert times_of(made / "wrfinput_d01") == ["2024-01-15_06:00:00"]
    assert times_of(made / "wrfbdy_d01") == ["2024-01-15_06:00:00", "2024-01-15_12:00:00"]
    with Dataset(made / "wrfinput_d01") as file:
        assert file["T"].shape == (1, 20, 20, 24)
        assert (file.MAP_PROJ, file.TRUELAT1, file.DX) == (1, 35, 100e3)
        assert file["XLAT"][0].mean() == pytest.approx(45, abs=0.5)
        assert file["LANDMASK"][0].min() == 1
    assert_drawn(made / "prepared.png")
    assert "2 files; latitude-longitude grid, 9 levels, 1000 hPa to 50 hPa" in done.stdout
    assert "3 times, 2024-01-15 06:00 UTC to 2024-01-15 18:00 UTC, 6 h apart" in done.stdout
    assert "24 x 20 cells of 100 km around 45.00°N 5.00°E, Lambert Conformal" in done.stdout
    assert re.search(r"(?m)^temperature K +cubic +9 levels, pl.nc: t *$", done.stdout)
    assert "wind at 10 m: none; only the levels are used" in done.stdout
    assert "Warning" not in done.stdout
    assert done.stdout.endswith("Next: squall run run.toml\n")


def test_the_sea_and_nudging_get_files_of_all_times_where_they_are_named(squall, tmp_path):
    upper, surface = era5(LON, LAT, every(6, 4))
    surface["lsm"] = surface["lsm"] * (surface["longitude"] < 5)
    upper.to_netcdf(tmp_path / "pl.nc")
    surface.to_netcdf(tmp_path / "sfc.nc")
    named = RUN_FILE.replace(
        'file = "made/wrfbdy_d01"', 'file = "made/wrfbdy_d01"\nlower_file = "made/wrflowinp_d01"'
    )
    (tmp_path / "f.toml").write_text(named + '[nudging]\nfile = "made/wrffdda_d01"\n')
    done = squall("prepare", "f.toml", drawn=False)
    assert done.returncode == 0, done.stdout + done.stderr
    made = tmp_path / "made"
    times = times_of(made / "wrflowinp_d01")
    assert times == ["2024-01-15_06:00:00", "2024-01-15_12:00:00", "2024-01-15_18:00:00"]
    assert times_of(made / "wrffdda_d01") == times[:2]  # each up to the next
    with (
        Dataset(made / "wrfinput_d01") as initial,
        Dataset(made / "wrflowinp_d01") as lower,
        Dataset(made / "wrffdda_d01") as nudging,
    ):
        sea = initial["XLAND"][0] > 1.5
        assert 0.3 < sea.mean() < 0.7
        np.testing.assert_array_equal(lower["SST"][0][sea], initial["SST"][0][sea])
        assert lower["SST"].shape == lower["SEAICE"].shape == (3, 20, 24)
        for name, theirs in (("U", "U"), ("V", "V"), ("T", "T"), ("Q", "QVAPOR"), ("PH", "PH")):
            np.testing.assert_array_equal(nudging[f"{name}_NDG_OLD"][0], initial[theirs][0])
            np.testing.assert_array_equal(nudging[f"{name}_NDG_OLD"][1], nudging[f"{name}_NDG_NEW"][0])
        assert nudging.GFDDA_INTERVAL_M == 360
        assert nudging.CEN_LAT == initial.CEN_LAT


def test_levels_by_eta_and_no_boundary_do_for_nudging_and_the_sea(squall, tmp_path):
    write_era5(tmp_path, every(6, 3))
    eta = [1, 0.98, 0.9, 0.6, 0.3, 0]
    text = RUN_FILE.replace("nz = 20\n", "").replace("[initial]", f"eta = {eta}\n\n[initial]")
    text = text.replace('file = "made/wrfbdy_d01"', 'lower_file = "made/wrflowinp_d01"')
    text = text.replace("2024-01-15T06", "2024-01-15T00")
    (tmp_path / "f.toml").write_text(text + '[nudging]\nfile = "made/wrffdda_d01"\n')
    done = squall("prepare", "f.toml", drawn=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "only the first time was used" not in done.stdout
    for name in ("wrfinput_d01", "wrffdda_d01", "wrflowinp_d01"):
        with Dataset(tmp_path / "made" / name) as file:
            assert len(file.dimensions["bottom_top"]) == len(eta) - 1


def test_nudging_by_one_time_is_refused_and_leaves_no_boundary(squall, tmp_path):
    write_era5(tmp_path, every(6, 2)[1:])
    (tmp_path / "f.toml").write_text(RUN_FILE + '[nudging]\nfile = "made/wrffdda_d01"\n')
    done = squall("prepare", "f.toml", drawn=False)
    assert done.returncode != 0
    assert "nudging needs analyses of at least two times" in " ".join(done.stderr.split())
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["wrfinput_d01"]


def test_one_grib_file_and_no_run_file(squall, tmp_path):
    regular_grib(tmp_path / "a.grib2", LON, LAT)
    done = squall("prepare", "a.grib2", "-o", "out", "--levels", "20", "--spacing", "150 km")
    assert done.returncode == 0, done.stderr
    out = tmp_path / "out"
    assert times_of(out / "wrfbdy_d01") == ["2024-01-15_00:00:00"]
    said = " ".join(done.stdout.split())
    assert "the analysis has one time: the lateral boundaries stay constant up to 2024-01-15 12:00" in said
    # The run file that it wrote makes the same files again.
    first = {name: (out / name).read_bytes() for name in ("wrfinput_d01", "wrfbdy_d01")}
    again = squall("prepare", "out/forecast.toml", drawn=False)
    assert again.returncode == 0, again.stderr
    for name, values in first.items():
        assert (out / name).read_bytes() == values
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    without_tables = ["--set", "physics.radiation=none", "--set", "physics.land=none"]
    plan = subprocess.run(
        [model, "out/forecast.toml", "--plan", *without_tables], cwd=tmp_path, capture_output=True, text=True
    )
    assert plan.returncode == 0, plan.stderr
    assert "suite regional; changed: radiation none, land none" in plan.stdout


@pytest.mark.parametrize(
    ("spacing", "schemes"),
    [
        (30e3, ["suite regional", "cumulus kain-fritsch", "boundary_layer ysu"]),
        (10e3, ["suite regional", "cumulus kain-fritsch", "boundary_layer ysu"]),
        (3e3, ["suite convection", "microphysics thompson", "boundary_layer mynn"]),
        (100, ["suite convection", "boundary_layer resolved", "diffusion tke", "steps of 0.5 s"]),
    ],
)
def test_the_run_file_has_schemes_for_its_spacing_and_is_accepted(spacing, schemes, tmp_path):
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    regular_grib(tmp_path / "a.grib2", LON, LAT)
    made_of = Plan(
        [tmp_path / "a.grib2"], tmp_path / "wrfinput_d01", tmp_path / "wrfbdy_d01",
        wishes=Wishes(nx=20, ny=20, dx=spacing, center_latitude=45, center_longitude=5),
        settings=Settings(levels=20),
    )  # fmt: skip
    [made] = prepare_all(made_of, *open_plan(made_of), lambda what, done, steps: None)
    (tmp_path / "forecast.toml").write_text(run_file_text(made, made_of, tmp_path))
    command = [model, "forecast.toml", "--plan", "--set", "physics.radiation=broadband"]  # without tables
    plan = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert plan.returncode == 0, plan.stdout + plan.stderr
    for scheme in schemes:
        assert scheme in plan.stdout
    assert ("cumulus" in plan.stdout) == ("cumulus kain-fritsch" in schemes)
    assert ("diffusion tke" in plan.stdout) == (spacing == 100)


def test_weather_that_does_not_change_has_no_tendencies(squall, tmp_path):
    write_era5(tmp_path, every(6, 3))
    (tmp_path / "run.toml").write_text(RUN_FILE.replace('"12 h"', '"6 h"'))
    assert squall("prepare", "run.toml", drawn=False).returncode == 0
    with Dataset(tmp_path / "made" / "wrfbdy_d01") as file:
        # The same weather at both times: no tendencies, but values.
        for side in ("XS", "XE", "YS", "YE"):
            assert np.abs(file[f"U_B{side}"][:]).max() > 1e5
            assert np.abs(file[f"U_BT{side}"][:]).max() < 1e-3 * np.abs(file[f"U_B{side}"][:]).max() / 21600


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("analysis =", "analyses =", 'run.toml:13: prepare.analyses: unknown key; did you mean analysis?'),
        ('"45 degrees"', '"45"', 'run.toml:14: prepare.center_latitude: "45" is not an angle in degrees'),
        ('"?l.nc"', '"gfs*.nc"', 'run.toml:13: prepare.analysis: there is no file "gfs*.nc"'),
        ("nx = 24", 'nx = "24"', "run.toml:7: domain.nx: '24' is not a whole number"),
        ('dx = "100 km"', 'dx = "100 K"', 'run.toml:10: domain.dx: "100 K" is not a length in m or km'),
        ("T06:00:00", "T07:00:00", "The analysis does not contain the run's start, 2024-01-15T07:00. It has"),
        ('"12 h"', '"48 h"', "The analysis ends at 2024-01-15 18:00 UTC, before the run"),
        ("[prepare]", "[prepared]", "there is no table [prepare]"),
        ('file = "made/wrfinput_d01"', "", "initial.file: must name the file for the initial state"),
        ("[initial]", 'projection = "conic"\n[initial]', '"conic" is not one of "lambert"'),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_file_and_line(squall, tmp_path, old, new, said):
    write_era5(tmp_path, every(6, 4))
    text = RUN_FILE.lstrip().replace(old, new)
    assert text != RUN_FILE.lstrip()
    (tmp_path / "run.toml").write_text(text)
    done = squall("prepare", "run.toml", drawn=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert not list(tmp_path.glob("made/wrf*"))


@pytest.mark.parametrize(
    ("option", "value", "key"),
    [
        ("--levels", "60", "domain.nz"),
        ("--size", "30x20", "domain.nx"),
        ("--terrain", "t.nc", "prepare.terrain"),
    ],
)
def test_an_option_that_a_run_file_says_too_is_refused_and_never_ignored(
    squall, tmp_path, option, value, key
):
    (tmp_path / "run.toml").write_text(RUN_FILE)
    done = squall("prepare", "run.toml", option, value, drawn=False)
    assert done.returncode == 2
    assert f"{option} {value}: run.toml sets this with {key}" in done.stderr


def test_the_table_of_fields_has_one_line_each_in_80_columns(squall, tmp_path):
    write_era5(tmp_path, every(6, 2))
    done = squall("prepare", "pl.nc", "sfc.nc", "-o", "out", COLUMNS="80")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    rows = lines[lines.index(next(line for line in lines if line.startswith("field "))) + 1 :]
    rows = rows[: rows.index("")]
    assert len(rows) >= 8
    assert all(re.match(r"\S.* (cubic|bilinear|from|land)", row) and len(row.rstrip()) <= 80 for row in rows)
    assert not any("…" in row for row in rows)


def test_all_mistakes_of_a_run_file_are_told_at_once(tmp_path):
    (tmp_path / "run.toml").write_text('[prepare]\nanalysis = ["a"]\ntop = 5\netac = "x"\n')
    with pytest.raises(UserError) as refused:
        read_plan(tmp_path / "run.toml")
    lines = str(refused.value).splitlines()
    assert len(lines) == 3
    assert [line.split(": ")[1] for line in lines] == ["prepare.top", "prepare.etac", "prepare.analysis"]


def test_every_key_that_a_preparation_follows_is_one_of_the_models():
    tables = schema.load().tables
    for name in OTHERS:
        table, _, key = name.partition(".")
        assert key in tables[table].keys


def test_settings_of_the_run_file_reach_the_state(tmp_path):
    (tmp_path / "a").touch()
    (tmp_path / "run.toml").write_text(
        '[run]\nduration = "1 d"\n[domain]\nnz = 33\n'
        '[prepare]\nanalysis = "a"\ntop = "70 hPa"\nlowest_layer = "30 m"\n'
        "use_surface = false\n[dynamics]\nhypsometric = 1\nmoist_theta = false\n"
        '[initial]\nfile = "i"\n[boundary]\nfile = "b"\nrelaxation_rows = 9\n'
    )
    plan = read_plan(tmp_path / "run.toml")
    made = plan.settings
    assert (made.levels, made.top, made.lowest_layer, made.hypsometric) == (33, 7000, 30, 1)
    assert (made.moist_theta, made.use_surface, made.boundary_rows) == (False, False, 10)
    assert plan.initial == tmp_path / "i"


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("30 km", "length", 3e4),
        ("50 hPa", "pressure", 5e3),
        ("-97 degrees", "angle", -97),
        ("1.5 d", "time", 129600),
    ],
)
def test_quantities_are_read_and_spelt(text, kind, value):
    assert quantity(text, kind) == value
    assert quantity(spell(value, kind), kind) == value


def test_metgrid_files_make_their_own_domain(squall, tmp_path):
    path = DATA / "analysis" / "met_em.d01.2005-08-28_12_00_00.nc"
    if not path.exists():
        pytest.skip(f"needs the reference data {path}")
    done = squall("prepare", path, "-o", tmp_path / "out", "--levels", "20")
    assert done.returncode == 0, done.stderr
    with Dataset(path) as given, Dataset(tmp_path / "out" / "wrfinput_d01") as made:
        for ours, theirs, error in (
            ("HGT", "HGT_M", 0), ("LANDMASK", "LANDMASK", 0), ("XLAT", "XLAT_M", 2e-5), ("F", "F", 1e-8),
            ("MAPFAC_M", "MAPFAC_M", 1e-6),
        ):  # fmt: skip
            np.testing.assert_allclose(made[ours][0], given[theirs][0], atol=error, err_msg=ours)
        assert (made.CEN_LAT, made.DX) == (given.CEN_LAT, given.DX)
        for name in OROGRAPHY:
            np.testing.assert_array_equal(made[name][0], given[name][0], err_msg=name)
        soil = np.stack([given[f"ST{layer}"][0] for layer in ("000010", "010040", "040100", "100200")])
        np.testing.assert_allclose(made["TSLB"][0], soil, atol=1e-3)
        # 28 August is 0.39 of the way from the middle of August to that of September.
        green, albedo = (given[name][0].data for name in ("GREENFRAC", "ALBEDO12M"))
        share = 27.5 / 31 - 0.5
        for name, ours in (
            ("VEGFRA", 100 * ((1 - share) * green[7] + share * green[8])),
            ("SHDMAX", 100 * green.max(axis=0)),
            ("SHDMIN", 100 * green.min(axis=0)),
            ("ALBBCK", ((1 - share) * albedo[7] + share * albedo[8]) / 100),
            ("SNOALB", given["SNOALB"][0] / 100),
            ("TMN", given["SOILTEMP"][0] - 0.0065 * given["HGT_M"][0]),
            ("ISLTYP", given["SOILCTOP"][0].argmax(axis=0) + 1),
        ):
            np.testing.assert_allclose(made[name][0], ours, rtol=2e-5, err_msg=name)


def test_a_global_forecast_of_the_gfs(squall, tmp_path):
    path = DATA / "analysis" / "gfs.t12z.pgrbf120.2p5deg.grib2"
    if not path.exists():
        pytest.skip(f"needs the reference data {path}")
    where = ("--center=48,10", "--size", "40x30", "--spacing", "100 km", "--levels", "20")
    done = squall("prepare", path, "-o", tmp_path / "out", *where, drawn=False)
    assert done.returncode == 0, done.stderr
    assert "relative humidity: assumed as the GFS's" in done.stdout
    assert "humidity at 20 hPa: between its neighbours" in done.stdout
    with Dataset(tmp_path / "out" / "wrfinput_d01") as file:
        assert 240 < file["TSK"][0].min() < file["TSK"][0].max() < 300  # January
        assert 0.3 < file["LANDMASK"][0].mean() < 0.9
        assert 0 < file["QVAPOR"][0].max() < 0.012


def test_a_nam_field_set_on_its_lambert_grid(squall, tmp_path):
    brought = subprocess.run(
        [locate.CHECKOUT / "tools" / "demo-data", tmp_path], capture_output=True, text=True
    )
    if brought.returncode != 0:
        pytest.skip(brought.stderr)
    path = tmp_path / "analysis.grb2"
    done = squall(
        "prepare", path, "-o", tmp_path / "out", "--spacing", "80 km", "--levels", "20", drawn=False
    )
    assert done.returncode == 0, done.stderr
    assert "lambert grid, 19 levels, 1000 hPa to 100 hPa" in done.stdout
    assert "skin temperature: temperature at 2 m" in done.stdout
    with Dataset(tmp_path / "out" / "wrfinput_d01") as file:
        assert file["P_TOP"][0] == 10000
        # A deep low over the Gulf of Alaska and a high over the Rocky Mountains.
        assert 60000 < file["PSFC"][0].min() < 75000
        assert 102500 < file["PSFC"][0].max() < 104500
