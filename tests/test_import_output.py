"""What becomes of what WRF writes beside its history: diagnostics, tslist, lists of fields."""

import subprocess
import tomllib

import pytest

from namelists import SCHEMA, lost, namelist, settings
from squall import locate
from squall.errors import UserError
from squall.run_files.run_file import toml
from squall.wrf import iofields
from squall.wrf.translate import translate
from squall.wrf.write import report, run_file

pytestmark = pytest.mark.regression

DIAGNOSTICS = {
    "time_control": {
        "auxhist23_interval": 180, "io_form_auxhist23": 2, "frames_per_auxhist23": 4,
        "auxhist22_interval": 60, "io_form_auxhist22": 2,
        "nwp_diagnostics": 1, "output_diagnostics": 1, "auxhist3_interval": 1440, "io_form_auxhist3": 2,
    },
    "diags": {
        "p_lev_diags": 1, "num_press_levels": 2, "press_levels": [85000, 50000, 0],
        "z_lev_diags": 1, "num_z_levels": 2, "z_levels": [1000, -80],
    },
}  # fmt: skip


def test_diagnostics_become_streams_of_their_own(tmp_path):
    translation = translate(namelist(**DIAGNOSTICS), SCHEMA)
    file = run_file(translation, SCHEMA, tmp_path / "namelist.input", tmp_path / "a.toml")
    streams = tomllib.loads(file)["output"]
    assert streams["pressure"]["pressure_levels"] == ["850 hPa", "500 hPa"]
    assert streams["pressure"]["interval"] == "3 h"
    assert streams["pressure"]["frames_per_file"] == 4
    assert "temperature" in streams["pressure"]["fields"]
    assert streams["heights"]["height_levels"] == ["1000 m"]
    assert streams["heights_above_ground"]["ground_levels"] == ["80 m"]
    assert streams["extremes"]["over_time"]["T2"] == "mean min max standard_deviation"
    assert streams["extremes"]["interval"] == "1 d"
    assert "UP_HELI_MAX" in streams["history"]["fields"]
    told = report(translation)
    assert "W_MEAN and GRPL_MAX are not written" in told
    assert "the times of the extremes (TT2MIN and others) are not written" in told
    assert "RAINNCVMEAN" in told


def test_the_climate_of_a_run_has_the_skin_and_both_kinds_of_rain():
    over_time = settings(**DIAGNOSTICS)["output.extremes.over_time"]
    assert over_time["TSK"] == "mean min max standard_deviation"
    assert (over_time["RAINC"], over_time["RAINNC"]) == ("accumulation", "accumulation")
    assert settings(**DIAGNOSTICS)["output.extremes.fields"] == list(over_time)


@pytest.mark.parametrize(("scheme", "echoes"), [(0, False), (1, True), (6, True), (8, True)])
def test_the_model_takes_the_diagnostics_of_each_microphysics(scheme, echoes, tmp_path):
    """In a case of its own, since WRF's initial file is not here."""
    physics = {"mp_physics": scheme, "bl_pbl_physics": 1, "sf_sfclay_physics": 1}
    of_wrf = DIAGNOSTICS | {"physics": physics}
    of_wrf["time_control"] = DIAGNOSTICS["time_control"] | {"history_interval": 60}
    made = settings(**of_wrf)
    assert ("REFD_MAX" in made["output.history.fields"]) == echoes
    assert any("nor REFD_MAX without microphysics" in text for text in lost(**of_wrf)) != echoes
    parts = ("output.", "physics.microphysics", "physics.surface_layer", "physics.boundary_layer")
    made = {key: toml(value) for key, value in made.items() if key.startswith(parts)}
    made |= {"physics.surface_temperature": '"300 K"', "diffusion.scheme": '"smagorinsky-2d"'}
    words = [word for key, value in made.items() for word in ("--set", f"{key}={value}")]
    said = subprocess.run(
        [locate.model_binary(), locate.run_file("supercell"), *words, "--plan"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr


def test_levels_that_are_not_written_and_levels_without_values_are_said():
    assert lost(diags={"p_lev_diags": 1, "num_press_levels": 1, "press_levels": [85000]}) == [
        "p_lev_diags = 1, num_press_levels = 1, press_levels = 85000: auxhist23 is never written; set "
        "auxhist23_interval and io_form_auxhist23"
    ]
    with pytest.raises(UserError, match="give no level"):
        lost(diags={"p_lev_diags": 1})


TSLIST = """#-----------------------------------------------#
# 24 characters for name | pfx |  LAT  |   LON  |
#-----------------------------------------------#
Cape Hallett              hallt -72.330  170.250
McMurdo Station           mcm   -77.851  166.713
"""


def test_a_tslist_becomes_a_table_of_stations(squall, tmp_path):
    (tmp_path / "namelist.input").write_text(
        "&time_control\n run_hours = 6, history_interval = 60 /\n"
        "&domains\n time_step = 60, dx = 12000, dy = 12000 /\n"
    )
    (tmp_path / "tslist").write_text(TSLIST)
    said = squall("import", "namelist.input", "-o", "a.toml")
    assert said.returncode == 0, said.stderr
    assert "stations.csv" in said.stdout
    table = (tmp_path / "stations.csv").read_text()
    assert table == "name,longitude,latitude\nhallt,170.25,-72.33\nmcm,166.713,-77.851\n"
    stations = tomllib.loads((tmp_path / "a.toml").read_text())["output"]["stations"]
    assert stations["stations"] == "stations.csv"
    assert stations["interval"] == "1 min"
    assert stations["fields"] == ["T2", "Q2", "U10", "V10", "PSFC", "RAINNC"]
    profiles = tomllib.loads((tmp_path / "a.toml").read_text())["output"]["profiles"]
    assert profiles["stations"] == "stations.csv"
    assert profiles["interval"] == "1 min"
    assert profiles["fields"] == ["U", "V", "theta", "QVAPOR", "height"]
    assert profiles["interpolation"] == "nearest"
    (tmp_path / "tslist").write_text(TSLIST + "nowhere\n")
    said = squall("import", "namelist.input", "-o", "b.toml")
    assert said.returncode != 0
    assert "tslist:6: a station needs a name, a prefix, latitude and longitude" in said.stderr


IOFIELDS = """# one line for each stream
+:h:7:rainnc, T2,RTHCUTEN
+:h:7:PSFC
-:h:7:psfc
+:h:0:REFD_COM
-:h:0:W,U
+:i:0:SST

+:h:8:U10
"""
AUXILIARY = {
    "iofields_filename": "more.txt", "ignore_iofields_warning": True, "auxhist7_interval": 10,
    "io_form_auxhist7": 2, "frames_per_auxhist7": 6, "auxhist7_outname": "rain_d<domain>_<date>",
}  # fmt: skip


def taken(folder, text, known=("RAINNC", "T2", "PSFC", "REFD_COM", "W", "U", "U10"), **keys):
    (folder / "more.txt").write_text(text)
    wrf = namelist(time_control=AUXILIARY | keys)
    translation = translate(wrf, SCHEMA)
    iofields.take(translation, wrf, folder, known)
    return translation


def test_lists_of_fields_become_streams_with_these(tmp_path):
    translation = taken(tmp_path, IOFIELDS)
    file = run_file(translation, SCHEMA, tmp_path / "namelist.input", tmp_path / "a.toml")
    streams = tomllib.loads(file)["output"]
    assert streams["auxhist7"] == {
        "interval": "10 min", "path": "rain_d01_%Y-%m-%d_%H:%M:%S", "frames_per_file": 6,
        "fields": ["RAINNC", "T2"],
    }  # fmt: skip
    assert streams["history"]["fields"] == ["default", "REFD_COM", "-W", "-U"]
    assert "auxhist8" not in streams
    assert not {"iofields_filename", "auxhist7_interval"} & set(translation.unknown.get("time_control", []))
    told = report(translation)
    assert "auxhist7: there is no field RTHCUTEN" in told
    assert "auxhist8: it is never written; set auxhist8_interval and io_form_auxhist8" in told
    assert "input files are always read completely" in told


def test_fields_of_diagnostics_stay_where_a_list_adds_to_the_history(tmp_path):
    translation = taken(tmp_path, "+:h:0:U10\n", nwp_diagnostics=1)
    fields = translation.settings()["output.history.fields"][0]
    assert fields[0] == "default"
    assert {"UP_HELI_MAX", "U10"} <= set(fields)


@pytest.mark.parametrize("line", ["RAINC", "+:h:7:", "+:x:7:T2", "+:h:99:T2", "*:h:7:T2"])
def test_a_line_that_is_not_wrfs_is_named(tmp_path, line):
    with pytest.raises(UserError, match=r"more.txt:2: .* is not in WRF's format"):
        taken(tmp_path, f"+:h:7:T2\n{line}\n")


def test_a_list_that_is_not_there_is_told_as_wrf_does(squall, tmp_path):
    namelist = (
        "&time_control\n run_hours = 6, history_interval = 60, iofields_filename = 'more.txt' {} /\n"
        "&domains\n time_step = 60, dx = 12000, dy = 12000 /\n"
    )
    (tmp_path / "namelist.input").write_text(namelist.format(", ignore_iofields_warning = .false."))
    said = squall("import", "namelist.input", "-o", "a.toml")
    assert said.returncode == 2
    assert "there is no file more.txt, and ignore_iofields_warning = .false." in said.stderr
    (tmp_path / "namelist.input").write_text(namelist.format(""))
    said = squall("import", "namelist.input", "-o", "without.toml")
    assert said.returncode == 0, said.stderr
    assert "there is no such file beside the namelist; WRF goes on without it" in said.stdout
    (tmp_path / "more.txt").write_text("+:h:0:cape,rainnc,nothing\n")
    said = squall("import", "namelist.input", "-o", "a.toml")
    assert said.returncode == 0, said.stderr
    assert "there is no field nothing" in said.stdout
    made = tomllib.loads((tmp_path / "a.toml").read_text())
    assert made["output"]["history"]["fields"] == ["default", "cape", "RAINNC"]
