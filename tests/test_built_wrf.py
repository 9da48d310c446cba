"""A WRF that somebody built, as `squall lab verify interop --wrf` runs it: what it is given, and what is said
where it is none or fails."""

import pytest
from netCDF4 import Dataset

import made_up_columns as made_up
from squall.errors import UserError
from squall.lab.verify import built_wrf, interop_maps
from squall.lab.verify.built_wrf import BuiltWrf
from squall.lab.verify.check import Skipped
from squall.lab.workspace import Workspace
from squall.prepare.make_state import build_state
from squall.prepare.state import Settings
from squall.prepare.wrfinput import write_wrfinput
from squall.wrf import fortran
from test_prepare_files import GRID, HILL, LAND

#: Stands for WRF: it needs its table, and writes a history.
WRITES = """#!/bin/sh
test -f TABLE.TBL && cp wrfinput_d01 wrfout_d01_2020-03-01_12:00:00 && echo ' wrf: SUCCESS COMPLETE WRF'
"""
FAILS = "#!/bin/sh\necho 'FATAL CALLED FROM FILE: input_wrf'\n"


@pytest.fixture
def wrf(tmp_path):
    def make(script):
        folder = tmp_path / "WRF"
        (folder / "main").mkdir(parents=True)
        (folder / "run").mkdir()
        (folder / "run" / "TABLE.TBL").write_text("")
        (folder / "run" / "namelist.input").write_text("of another run")
        program = folder / "main" / "wrf.exe"
        program.write_text(script)
        program.chmod(0o755)
        return BuiltWrf(folder)

    return make


@pytest.fixture
def inputs(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    state = build_state(made_up.weather(GRID, HILL), GRID, HILL, LAND, Settings(levels=30))
    write_wrfinput(folder / "wrfinput_d01", state, GRID)
    return folder


def test_it_gets_a_namelist_of_the_files_and_its_tables(wrf, inputs):
    history = wrf(WRITES).run(inputs, hours=2, step=120)
    assert history.name == "wrfout_d01_2020-03-01_12:00:00"
    groups = fortran.read((inputs / "namelist.input").read_text(), ()).groups
    given = {name: {key: values[0] for key, values in group.values.items()} for name, group in groups.items()}
    with Dataset(inputs / "wrfinput_d01") as file:
        domains, dynamics = given["domains"], given["dynamics"]
        assert (domains["e_we"], domains["e_sn"], domains["e_vert"]) == (GRID.nx + 1, GRID.ny + 1, 31)
        assert (domains["dx"], domains["time_step"]) == (file.DX, 120)
        assert (dynamics["hybrid_opt"], dynamics["use_theta_m"]) == (2, 1)
    times = given["time_control"]
    assert (times["start_hour"], times["end_hour"], times["end_day"]) == (12, 14, 1)


def test_what_it_says_is_told_where_it_fails(wrf, inputs):
    with pytest.raises(UserError, match="FATAL CALLED FROM FILE"):
        wrf(FAILS).run(inputs, hours=1, step=120)


def test_a_folder_without_a_built_wrf_is_refused_by_what_it_lacks(squall, tmp_path):
    (tmp_path / "run").mkdir()
    done = squall("lab", "verify", "interop", "--wrf", tmp_path)
    assert done.returncode == 2
    assert "is no built WRF: it has no main/wrf.exe" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_without_a_wrf_the_whole_way_is_skipped_and_says_how_to_get_it(tmp_path):
    with pytest.raises(Skipped, match="--wrf"):
        interop_maps.verify(Workspace(tmp_path))


def test_every_kind_of_map_is_gone_on_both_hemispheres():
    places = {(place.projection, place.latitude > 0) for place in interop_maps.MAPS}
    assert {(kind, north) for kind in ("lambert", "polar-stereographic") for north in (True, False)} < places
    assert {"mercator", "lat-lon"} < {kind for kind, _ in places}
    assert built_wrf.INPUTS == ("wrfinput_d01", "wrfbdy_d01")
