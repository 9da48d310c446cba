"""What `squall import` makes of WRF's wind farms and of the files of their turbines."""

import pytest

from namelists import SCHEMA, lost, namelist
from squall.errors import UserError
from squall.wrf import wind_farms
from squall.wrf.translate import translate

pytestmark = pytest.mark.regression
FARM = {"bl_pbl_physics": 5, "sf_sfclay_physics": 5, "windfarm_opt": 1}
TYPE = "2\n75. 85. 0.130 2.0\n4.   0.805    50.0 \n25.  0.050  2000.0  m/s, -, kW\n"


def taken(folder, **physics):
    translation = translate(namelist(physics=FARM | physics), SCHEMA)
    tables = wind_farms.take(translation, folder, folder / "farm.toml")
    return translation, [table.name for table in tables]


def test_turbines_by_place_and_their_types_become_tables(tmp_path):
    (tmp_path / "windturbines.txt").write_text("55.574051 6.883480 7\n55.569066 6.884697 3  ! north\n")
    (tmp_path / "wind-turbine-3.tbl").write_text(TYPE)
    (tmp_path / "wind-turbine-7.tbl").write_text(TYPE.replace("75.", "120."))
    translation, tables = taken(tmp_path, windfarm_tke_factor=0.5)
    assert tables == ["turbines.csv", "turbine-0.csv", "turbine-1.csv"]
    told = (tmp_path / "turbines.csv").read_text()
    assert told == "latitude,longitude,type\n55.574051,6.88348,1\n55.569066,6.884697,0\n"
    assert (tmp_path / "turbine-1.csv").read_text() == "wind_speed,thrust,power\n4,0.805,50\n25,0.05,2000\n"
    settings = {key: value for key, (value, _) in translation.settings().items()}
    assert {key: value for key, value in settings.items() if key.startswith("wind_farm")} == {
        "wind_farm.turbines": "turbines.csv", "wind_farm.curves": ["turbine-0.csv", "turbine-1.csv"],
        "wind_farm.hub_heights": [75, 120], "wind_farm.diameters": [85, 85],
        "wind_farm.standing_thrusts": [0.13, 0.13], "wind_farm.tke_factor": 0.5,
    }  # fmt: skip
    assert not translation.lost


def test_cells_count_from_0(tmp_path):
    (tmp_path / "windturbines-ij.txt").write_text("10   11   1\n")
    (tmp_path / "wind-turbine-1.tbl").write_text(TYPE)
    taken(tmp_path, windfarm_ij=1)
    assert (tmp_path / "turbines.csv").read_text() == "i,j,type\n9,10,0\n"


def test_without_the_files_of_wrf_there_is_no_wind_farm(tmp_path):
    translation, tables = taken(tmp_path)
    assert not tables
    assert not any(key.startswith("wind_farm") for key in translation.settings())
    assert [entry.lost for entry in translation.lost] == [
        "there are no wind farms: windturbines.txt is not beside the namelist"
    ]


@pytest.mark.parametrize(
    ("turbines", "of_type", "message"),
    [
        ("", TYPE, "has no turbine"),
        ("55.5 six 1\n", TYPE, "windturbines.txt:1: expected latitude, longitude and type"),
        ("55.5 6.8 1\n", None, "wind-turbine-1.tbl is not there"),
        ("55.5 6.8 1\n", "3" + TYPE[1:], "ends before wind speed, thrust coefficient and power"),
        ("55.5 6.8 1\n", TYPE.replace(" 2.0\n", "\n"), "wind-turbine-1.tbl:2: expected hub height"),
    ],
)
def test_files_that_wrf_could_not_read_are_refused(turbines, of_type, message, tmp_path):
    (tmp_path / "windturbines.txt").write_text(turbines)
    if of_type:
        (tmp_path / "wind-turbine-1.tbl").write_text(of_type)
    with pytest.raises(UserError, match=message):
        taken(tmp_path)


def test_what_is_no_farm_of_fitch_is_lost():
    assert "windfarm_opt = 2" in lost(physics=FARM | {"windfarm_opt": 2})[0]
    without = lost(physics={"bl_pbl_physics": 1, "sf_sfclay_physics": 1, "windfarm_opt": 1})
    assert "they need the turbulence of bl_pbl_physics = 5" in without[0]
