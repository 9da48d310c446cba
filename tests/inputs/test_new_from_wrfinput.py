"""`squall new --from-wrfinput`: any spacing, any name of a file."""

from fractions import Fraction
from pathlib import Path

import netCDF4
import numpy as np
import pytest

from squall.run_files.time_steps import step_up_to

pytestmark = pytest.mark.regression

WEATHER = {"START_DATE": "2005-07-16_00:00:00", "DX": np.float32(9000), "DY": np.float32(9000), "MAP_PROJ": 1}


def initial(file, **attributes):
    with netCDF4.Dataset(file, "w") as data:
        data.setncatts(WEATHER | attributes)


def boundary(file, first="2005-07-16_00:00:00", end="2005-07-17_12:00:00", records=1):
    with netCDF4.Dataset(file, "w") as data:
        data.createDimension("Time", None), data.createDimension("DateStrLen", 19)
        for name, text in (("Times", first), ("md___nextbdytimee_x_t_d_o_m_a_i_n_m_e_t_a_data_", end)):
            variable = data.createVariable(name, "S1", ("Time", "DateStrLen"))
            for record in range(records):
                variable[record] = list(text)


def seconds(quantity):
    number, unit = quantity.split()
    return float(number) * {"s": 1, "min": 60, "h": 3600, "d": 86400}[unit]


def test_an_initial_file_of_large_eddies_gives_a_step(trial, commands):
    run = commands.new(trial("05-new-hangs-below-167-m", "wrfinput_d01"))
    assert run["run"]["time_step"] == "0.5 s"


@pytest.mark.parametrize("spacing", [0.5, 3, 10, 33, 50, 166, 167, 250, 1e3, 4e3, 135e3, 1e6])
def test_any_spacing_has_a_step_that_divides_an_hour(spacing, commands, tmp_path):
    initial(tmp_path / "wrfinput_d01", DX=np.float32(spacing), DY=np.float32(spacing))
    step = seconds(commands.new(tmp_path / "wrfinput_d01")["run"]["time_step"])
    assert 0.4 * 6e-3 * spacing <= step <= 6.001e-3 * spacing
    assert Fraction(3600) % Fraction(f"{step:.9g}") == 0


@pytest.mark.parametrize("longest", [1e-5, 0.0031, 0.02, 0.0999, 0.3, 0.6, 0.999, 1.0, 1.5, 7, 59.9, 61, 5e3])
def test_a_step_is_the_longest_round_one(longest):
    step = step_up_to(longest)
    assert step <= longest
    assert 3600 % step == 0
    assert step > 0.4 * min(longest, 3600)


@pytest.mark.parametrize("longest", [0, -1, float("inf"), float("nan")])
def test_no_step_is_sought_below_nothing(longest):
    with pytest.raises(ValueError, match="is impossible"):
        step_up_to(longest)


@pytest.mark.parametrize(
    ("key", "value"), [("DX", 0), ("DY", -9000.0), ("DX", "nine"), ("DX", np.nan), ("DX", [1.0, 2.0])]
)
def test_a_spacing_that_is_none_is_named(key, value, commands, tmp_path):
    initial(tmp_path / "wrfinput_d01", **{key: value})
    assert f"its attribute {key}" in commands.refused(tmp_path / "wrfinput_d01", "new")


def test_an_initial_file_of_any_name_gives_six_hours_without_its_boundary_file(trial, commands):
    run = commands.new(trial("20-new-from-wrfinput", "my_input.nc"))
    assert run["run"]["duration"] == "6 h"
    assert run["initial"]["file"].endswith("my_input.nc")
    assert run["boundary"]["file"].endswith("wrfbdy_d01")


def test_a_boundary_file_without_dates_is_named(trial, commands):
    told = commands.refused(trial("20-new-from-wrfinput", "wrfinput_d01"), "new")
    assert "wrfbdy_d01 does not give the times of its records" in told
    assert '"0000-00-00_00:00:00"' in told


@pytest.mark.parametrize(
    ("name", "beside", "expected"),
    [
        ("wrfinput_d01", "wrfbdy_d01", "36 h"),
        ("wrfinput_d01.nc", "wrfbdy_d01.nc", "36 h"),
        ("wrfinput_d01.nc", "wrfbdy_d01", "36 h"),
        ("my_input.nc", "wrfbdy_d01", "36 h"),
        ("WRFINPUT_D01", "wrfbdy_d01", "36 h"),
        ("my_input.nc", "other", "6 h"),
        ("wrfinput_d02", "wrfbdy_d01", "6 h"),
    ],
)  # fmt: skip
def test_a_boundary_file_is_found_under_wrfs_name_or_that_of_the_initial_file(
    name, beside, expected, commands, tmp_path
):
    initial(tmp_path / name)
    boundary(tmp_path / beside)
    run = commands.new(tmp_path / name)
    assert seconds(run["run"]["duration"]) == 3600 * float(expected.split()[0])
    assert (Path(run["boundary"]["file"]).name == beside) == (expected != "6 h")


def test_a_boundary_file_of_another_date_is_not_that_of_a_file_of_another_name(commands, tmp_path):
    initial(tmp_path / "my_input.nc")
    boundary(tmp_path / "wrfbdy_d01", first="2004-07-16_00:00:00", end="2004-07-18_00:00:00")
    assert commands.new(tmp_path / "my_input.nc")["run"]["duration"] == "6 h"


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({"records": 0}, "contains no record"),
        ({"end": "2005-07-16_00:00:00"}, "does not give the times of its records"),
        ({"end": "2005-07-15_00:00:00"}, "does not give the times of its records"),
        ({"first": "\0" * 19}, "does not give the times of its records"),
    ],
)
def test_what_is_wrong_with_a_boundary_file_is_told(times, expected, commands, tmp_path):
    initial(tmp_path / "wrfinput_d01")
    boundary(tmp_path / "wrfbdy_d01", **times)
    assert f"wrfbdy_d01 {expected}" in commands.refused(tmp_path / "wrfinput_d01", "new")


@pytest.mark.parametrize("content", [b"", b"text", None])
def test_what_is_no_netcdf_is_named(content, commands, tmp_path):
    if content is None:
        (tmp_path / "wrfinput_d01").mkdir()
    else:
        (tmp_path / "wrfinput_d01").write_bytes(content)
    assert "wrfinput_d01" in commands.refused(tmp_path / "wrfinput_d01", "new")
