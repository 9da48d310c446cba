"""What `squall import` tells of a namelist beside its input files, of losses, and of nests that move."""

import netCDF4
import pytest

from namelists import SCHEMA, lost, namelist
from squall.wrf.input_files import differences
from squall.wrf.translate import translate

START = {"start_year": [2008], "start_month": [2], "start_day": [5], "start_hour": [12], "run_hours": 24}
TWO = {
    "e_we": [45, 49], "e_sn": [30, 40], "e_vert": [41, 41], "dx": 120000, "dy": 120000, "max_dom": 2,
    "parent_id": [0, 1], "parent_grid_ratio": [1, 3], "i_parent_start": [1, 15], "j_parent_start": [1, 9],
}  # fmt: skip


def initial_file(folder, domain=1, **other):
    attributes = {
        "WEST-EAST_GRID_DIMENSION": [45, 49][domain - 1],
        "SOUTH-NORTH_GRID_DIMENSION": [30, 40][domain - 1],
        "BOTTOM-TOP_GRID_DIMENSION": 41,
        "DX": [120000.0, 40000.0][domain - 1],
        "DY": [120000.0, 40000.0][domain - 1],
        "START_DATE": "2008-02-05_12:00:00",
        "I_PARENT_START": [1, 15][domain - 1],
        "J_PARENT_START": [1, 9][domain - 1],
        "PARENT_GRID_RATIO": [1, 3][domain - 1],
    } | other
    with netCDF4.Dataset(folder / f"wrfinput_d{domain:02d}", "w") as file:
        file.setncatts(attributes)


def boundary_file(folder, first, end):
    with netCDF4.Dataset(folder / "wrfbdy_d01", "w") as file:
        file.createDimension("Time", 1)
        file.createDimension("DateStrLen", 19)
        for name, text in (("Times", first), ("md___nextbdytimee_x_t_d_o_m_a_i_n_m_e_t_a_data_", end)):
            file.createVariable(name, "S1", ("Time", "DateStrLen"))[0] = list(text)


def told(folder, **domains):
    return differences(namelist(time_control=START, domains=TWO | domains), folder)


def test_nothing_differs_where_namelist_and_files_are_of_one_run(tmp_path):
    initial_file(tmp_path), initial_file(tmp_path, 2)
    boundary_file(tmp_path, "2008-02-05_12:00:00", "2008-02-06_12:00:00")
    assert told(tmp_path) == []


def test_files_that_are_not_there_differ_in_nothing(tmp_path):
    assert told(tmp_path) == []


@pytest.mark.parametrize(
    ("domain", "attributes", "expected"),
    [
        (1, {"START_DATE": "2008-02-05_18:00:00"}, "wrfinput_d01: its state is valid at 2008-02-05 18:00:00, "
         "but the namelist starts at 2008-02-05 12:00:00"),
        (1, {"WEST-EAST_GRID_DIMENSION": 61}, "wrfinput_d01: it has e_we = 61, the namelist 45"),
        (1, {"BOTTOM-TOP_GRID_DIMENSION": 33}, "wrfinput_d01: it has e_vert = 33, the namelist 41"),
        (1, {"DX": 90000.0}, "wrfinput_d01: its dx is 90000 m, the namelist's 120000 m"),
        (2, {"DY": 24000.0}, "wrfinput_d02: its dy is 24000 m, the namelist's 40000 m"),
        (2, {"I_PARENT_START": 16}, "wrfinput_d02: it has i_parent_start = 16, the namelist 15"),
        (2, {"PARENT_GRID_RATIO": 5}, "wrfinput_d02: it has parent_grid_ratio = 5, the namelist 3"),
    ],
)  # fmt: skip
def test_what_an_initial_file_says_otherwise_is_told(tmp_path, domain, attributes, expected):
    for number in (1, 2):
        initial_file(tmp_path, number, **(attributes if number == domain else {}))
    assert told(tmp_path) == [expected]


@pytest.mark.parametrize(
    ("first", "end", "expected"),
    [
        ("2008-02-05_18:00:00", "2008-02-06_18:00:00", "its records begin at 2008-02-05 18:00:00"),
        ("2008-02-05_12:00:00", "2008-02-06_00:00:00", "its records end at 2008-02-06 00:00:00, the namelist "
         "runs to 2008-02-06 12:00:00"),
    ],
)  # fmt: skip
def test_boundaries_that_do_not_span_the_run_are_told(tmp_path, first, end, expected):
    boundary_file(tmp_path, first, end)
    (one,) = told(tmp_path)
    assert expected in one


def test_the_report_and_the_run_file_begin_with_what_differs(tmp_path, squall):
    (tmp_path / "namelist.input").write_text(
        "&time_control\n start_year = 2008, start_month = 2, start_day = 5, start_hour = 12\n run_hours = 6\n"
        "/\n&domains\n time_step = 600, e_we = 45, e_sn = 30, e_vert = 41, dx = 120000, dy = 120000\n/\n"
        "&bdy_control\n specified = .true.\n/\n"
    )
    initial_file(tmp_path, DX=90000.0)
    said = squall("import", "namelist.input", "-o", "real.toml")
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith(
        "Input files differ from the namelist; their values are used:\n  wrfinput_d01: its dx"
    )
    assert "# - wrfinput_d01: its dx is 90000 m" in (tmp_path / "real.toml").read_text()


def test_losses_begin_with_what_harms_the_forecast_most():
    nested = {"max_dom": 2, "parent_id": [0, 1]}
    lines = lost(
        time_control={"restart": True, "io_form_history": 1},
        domains=nested,
        physics={"mp_physics": 18},
        fdda={"grid_fdda": 1, "guv": 3e-4},
    )
    order = [
        next(n for n, line in enumerate(lines) if what in line)
        for what in ("nest d02", "mp_physics", "io_form_history")
    ]
    assert order == sorted(order), lines
    nudging = next(n for n, line in enumerate(lines) if "grid_fdda" in line)
    assert nudging < order[-1], lines


MOVES = {
    **TWO, "num_moves": 3, "move_id": [2, 3, 2], "move_interval": [60, 90, 120], "move_cd_x": [1, 1, 0],
    "move_cd_y": [0, 1, -1],
}  # fmt: skip


def of_nest(**groups):
    made = translate(namelist(**groups), SCHEMA).settings()
    prefix = "nest.d02."
    return {key.removeprefix(prefix): value for key, (value, _) in made.items() if key.startswith(prefix)}


def test_planned_moves_are_taken_for_each_nest():
    assert of_nest(domains=MOVES)["moves"] == ["60 min, 1, 0", "120 min, 0, -1"]


def test_a_nest_after_a_vortex_has_wrfs_intervals_and_limits():
    keys = {"vortex_interval": [15, 30], "max_vortex_speed": [40, 35], "track_level": 70000}
    nest = of_nest(domains={**TWO, **keys, "track_level": [50000, 70000], "time_to_move": [0, 60]})
    assert nest.items() >= {
        "follow": "vortex", "follow_interval": "30 min", "follow_speed": "35 m/s", "follow_margin": 8,
        "follow_level": "700 hPa", "follow_start": "60 min",
    }.items()  # fmt: skip


def test_a_nest_that_moves_has_no_file_and_that_is_told():
    groups = {"domains": MOVES, "time_control": {"input_from_file": [True, True]}}
    assert "initial_file" not in of_nest(**groups)
    assert any("nest d02" in line and "land surface from its parent" in line for line in lost(**groups))


LEVELS = [1, 0.9, 0.5, 0]
REFINED = {**TWO, "vert_refine_method": [0, 2]}


@pytest.mark.parametrize(
    ("domains", "levels"),
    [
        (TWO | {"e_vert": [41, 61]}, {"nz": 60}),
        (REFINED | {"e_vert": [4, 4], "eta_levels": [*LEVELS, 1, 0.95, 0.5, 0]}, {"eta": [1, 0.95, 0.5, 0]}),
        (REFINED | {"e_vert": [4, 5], "eta_levels": LEVELS}, {"nz": 4}),
    ],
)
def test_a_nest_has_its_own_levels_or_those_of_its_file(domains, levels):
    assert levels.items() <= of_nest(domains=domains).items()
    file = {"domains": domains, "time_control": {"input_from_file": [True, True]}}
    assert of_nest(**file)["initial_file"] == "wrfinput_d02"
    assert not {"nz", "eta"} & of_nest(**file).keys()
    for groups in ({"domains": domains}, file):
        assert not any("levels" in line for line in lost(**groups) if "nest d02" in line)


@pytest.mark.parametrize(
    "domains",
    [
        TWO,
        TWO | {"e_vert": 41},
        REFINED,
        REFINED | {"e_vert": [4, 4], "eta_levels": LEVELS},
        REFINED | {"e_vert": [4, 4], "eta_levels": [*LEVELS, *LEVELS]},
    ],
)
def test_a_nest_on_its_parents_levels_says_nothing_of_them(domains):
    groups = {"domains": domains, "time_control": {"input_from_file": [True, True]}}
    assert of_nest(**groups)["initial_file"] == "wrfinput_d02"
    assert not {"nz", "eta"} & of_nest(domains=domains).keys()


def test_a_nest_that_stays_has_no_key_of_moving():
    assert not {"moves", "follow"} & of_nest(domains=TWO).keys()
