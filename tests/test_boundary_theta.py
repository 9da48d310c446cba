"""Which potential temperature the sides of a run follow, whoever wrote the boundary file: WRF 4 writes that
of moist air, WRF 3 and an older Squall that of dry."""

import shutil
import subprocess

import numpy as np
import pytest
import xarray as xr
from netCDF4 import Dataset

from squall import locate
from squall.diagnose.constants import R_D, R_V, THETA0
from squall.errors import UserError
from squall.lab.verify.data import Skipped, folder

pytestmark = pytest.mark.regression

try:
    MODEL = locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

STEP = 180
RUN_FILE = f"""\
[run]
duration = "{STEP} s"
time_step = "{STEP} s"
[boundary]
file = "wrfbdy_d01"
[dynamics]
coriolis = "file"
[physics]
microphysics = "kessler"
[initial]
file = "wrfinput_d01"
[output.history]
interval = "{STEP} s"
"""
SIDES = ("XS", "XE", "YS", "YE")
REAL_4 = " OUTPUT FROM REAL_EM V4.7.1 PREPROCESSOR"
WRF_4_SAYS = "bdy either 1) pert moist pot temp=(1+Rv/Rd Qv)*(theta)-T0, or 2) pert dry pot temp=theta-T0"
WRF_3_SAYS = "bdy perturbation potential temperature theta-t0"


@pytest.fixture(scope="module")
def tropics():
    """Files in the conventions of WRF 4, over a warm sea, with sides that do not change."""
    try:
        return folder("physics2/tropics")
    except Skipped as reason:
        pytest.skip(str(reason))


@pytest.fixture
def case(tropics, tmp_path):
    for name in ("wrfinput_d01", "wrfbdy_d01"):
        shutil.copyfile(tropics / name, tmp_path / name)
    return tmp_path


def strip(field, side):
    """The outermost row of a field (levels, rows, columns)."""
    return {"XS": field[..., 0], "XE": field[..., -1], "YS": field[..., 0, :], "YE": field[..., -1, :]}[side]


def dry_the_sides(case):
    """As Squall wrote them once, and WRF 3: theta of dry air in T_B*."""
    with Dataset(case / "wrfinput_d01") as initial, Dataset(case / "wrfbdy_d01", "a") as boundary:
        for side in SIDES:
            assert not boundary[f"T_BT{side}"][:].any()
            base = initial["MUB"][0].astype(float)
            mu = np.stack([row_of(base, side, row) for row in range(5)]) + boundary[f"MU_B{side}"][0]
            mass = initial["C1H"][0][:, None] * mu[:, None] + initial["C2H"][0][:, None]
            moist = boundary[f"T_B{side}"][0] / mass + THETA0
            vapour = boundary[f"QVAPOR_B{side}"][0] / mass
            boundary[f"T_B{side}"][0] = (moist / (1 + R_V / R_D * vapour) - THETA0) * mass


def row_of(plane, side, row):
    """The row or column of a plane that is so many away from a side."""
    return {
        "XS": plane[:, row], "XE": plane[:, -1 - row], "YS": plane[row], "YE": plane[-1 - row],
    }[side]  # fmt: skip


def describe(variable, value):
    if value is None:
        variable.delncattr("description")
    else:
        variable.description = value


def edit(path, **attributes):
    """Sets global attributes; None takes one away. T_SAYS: the description of T_B*."""
    with Dataset(path, "a") as file:
        for name, value in attributes.items():
            if name == "T_SAYS":
                for side in SIDES:
                    describe(file[f"T_B{side}"], value)
            elif value is None:
                file.delncattr(name)
            else:
                file.setncattr(name, np.int32(value) if isinstance(value, int) else value)


def run(case, *options):
    (case / "run.toml").write_text(RUN_FILE)
    done = subprocess.run(
        [MODEL, "run.toml", "--threads", "1", "--overwrite", *options],
        cwd=case, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def check_sides(case, field="THM", theta=None):
    """After a step the outermost row is what initial.file has there, for nothing changes."""
    with Dataset(case / "wrfinput_d01") as initial:
        wanted = np.asarray(initial[field][0], float) if theta is None else theta
    last = max((case / "runs" / "run").glob("history_*.nc"))
    with Dataset(last) as history:
        found = np.asarray(history[field][0], float)
    for side in SIDES:
        assert np.abs(strip(found, side) - strip(wanted, side)).max() < 2e-3, side


#: What is done to the headers of files with moist theta; all stay readable.
OF_MOIST_AIR = {
    "as WRF 4 writes it": {"TITLE": REAL_4, "T_SAYS": WRF_4_SAYS},
    "as WRF 4's ndown writes it": {  # which leaves the middle of the domain around it
        "TITLE": " OUTPUT FROM NDOWN_EM V4.7.1 PREPROCESSOR",
        "T_SAYS": WRF_4_SAYS,
        "CEN_LAT": np.float32(2.5),
        "CEN_LON": np.float32(120),
    },
    "made moist by hand": {},
    "without TITLE": {"TITLE": None, "T_SAYS": WRF_4_SAYS},
    "without USE_THETA_M": {"TITLE": REAL_4, "USE_THETA_M": None},
    "without all of it": {"TITLE": None, "USE_THETA_M": None, "T_SAYS": None},
    "under the title of WRF 5": {"TITLE": " OUTPUT FROM REAL_EM V5.0 PREPROCESSOR"},
}


@pytest.mark.parametrize("header", OF_MOIST_AIR)
def test_moist_theta_is_taken_as_it_is(case, header):
    edit(case / "wrfbdy_d01", **OF_MOIST_AIR[header])
    said = run(case)
    check_sides(case)
    assert ("T_B*" in said) == (header == "made moist by hand")


#: And of files with dry theta.
OF_DRY_AIR = {
    "as WRF 3.9 writes it": {"TITLE": " OUTPUT FROM REAL_EM V3.9.1.1 PREPROCESSOR", "T_SAYS": WRF_3_SAYS},
    "as WRF 3.6 writes it": {"TITLE": " OUTPUT FROM REAL_EM V3.6.1 PREPROCESSOR", "USE_THETA_M": None},
    "as WRF 4 writes it without moist theta": {"TITLE": REAL_4, "USE_THETA_M": 0},
    "without either": {"TITLE": None, "USE_THETA_M": None},
    "prepared by an older Squall": {},
}


@pytest.mark.parametrize("header", OF_DRY_AIR)
def test_dry_theta_is_made_moist(case, header):
    dry_the_sides(case)
    edit(case / "wrfbdy_d01", **OF_DRY_AIR[header])
    said = run(case)
    check_sides(case)
    assert ("an older version of Squall prepared" in said) == (header == "prepared by an older Squall")
    planned = run(case, "--plan")
    assert ("an older version of Squall prepared" in planned) == (header == "prepared by an older Squall")


def test_values_that_the_header_denies_are_taken_for_what_they_are_and_the_user_is_told(case):
    dry_the_sides(case)
    edit(case / "wrfbdy_d01", TITLE=REAL_4, T_SAYS=WRF_4_SAYS)
    said = run(case)
    check_sides(case)
    assert "T_B* are read as the potential temperature of dry air" in said
    assert "WRF 4 wrote its header with USE_THETA_M = 1" in said


def test_a_run_that_integrates_dry_theta_dries_the_sides(case):
    edit(case / "wrfbdy_d01", TITLE=REAL_4)
    run(case, "--set", "dynamics.moist_theta=false")
    check_sides(case, "T")


def test_an_initial_file_of_wrf_3_goes_with_a_boundary_file_of_wrf_4(case):
    with Dataset(case / "wrfinput_d01") as file:
        moist = np.asarray(file["THM"][0], float)
    edit(case / "wrfinput_d01", TITLE=" OUTPUT FROM REAL_EM V3.9.1 PREPROCESSOR", USE_THETA_M=0)
    with xr.open_dataset(case / "wrfinput_d01", decode_times=False) as file:
        old = file.drop_vars("THM").load()
    old.to_netcdf(case / "wrfinput_d01", format="NETCDF3_64BIT")
    edit(case / "wrfbdy_d01", TITLE=REAL_4)
    run(case)
    check_sides(case, theta=moist)


def test_a_file_that_xarray_wrote_again_is_read_alike(case):
    with xr.open_dataset(case / "wrfbdy_d01", decode_times=False) as file:
        again = file.load()
    again.attrs = {"history": "written again"}
    again.to_netcdf(case / "wrfbdy_d01", unlimited_dims=["Time"])
    run(case)
    check_sides(case)


def changed_by_analysis(case):
    """Weather along the sides of initial.file that the boundary file knows nothing of, as after data
    assimilation."""
    with Dataset(case / "wrfinput_d01", "a") as file:
        for row in (0, -1):
            file["T"][0, :, row] += 3.0
        file["THM"][0] = (file["T"][0] + THETA0) * (1 + R_V / R_D * file["QVAPOR"][0]) - THETA0


@pytest.mark.parametrize("version", [3, 4])
def test_where_the_values_do_not_tell_the_header_does(case, version):
    with Dataset(case / "wrfinput_d01") as file:
        moist = np.asarray(file["THM"][0], float)
    if version == 3:
        dry_the_sides(case)
    title = f" OUTPUT FROM REAL_EM V{version}.1 PREPROCESSOR"
    edit(case / "wrfbdy_d01", TITLE=title, T_SAYS=WRF_4_SAYS if version == 4 else WRF_3_SAYS)
    changed_by_analysis(case)
    said = run(case)
    check_sides(case, theta=moist)
    assert "T_B*" not in said
