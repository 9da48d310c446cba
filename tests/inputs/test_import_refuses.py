"""Values that no run can have are refused by name, and those that nothing uses are not looked at."""

import contextlib
import re

import netCDF4
import pytest

from squall.errors import UserError
from squall.wrf.namelist import read
from squall.wrf.translate import RULES, translate
from squall.wrf.write import report, run_file

pytestmark = pytest.mark.regression

FOLDER = "18-import-refuses-or-breaks"
CASES = [
    ("datestr", "&time_control start_month = 'feb': WRF expects a whole number"),
    ("dx_0", "&domains dx = 0: grid spacing must be above 0 m"),
    ("fract0", "&domains time_step_fract_den = 0: it must be at least 1"),
    ("maxdomstr", "&domains max_dom = 'two': WRF expects a whole number"),
    ("mp_str", "&physics mp_physics = 'wsm6': WRF expects a whole number"),
    ("parent2", "&domains parent_id(2) = 2: d02 in d02 does not lead to the outermost domain"),
    (
        "parent5",
        "&domains parent_id(2) = 5: domain 2 has a parent that is not one of the domains 1 to 2 of max_dom",
    ),
    ("quote_open", "history_outname: the quote 'wrfout_d<domain>_<date>,"),
    ("radt_str", "&physics radt = 'a': WRF expects a number"),
    ("ratio0", "&domains parent_grid_ratio(2) = 0: it must be at least 1"),
]


@pytest.mark.parametrize(("name", "expected"), CASES)
def test_what_a_trial_says_wrong_is_named(name, expected, trial, commands):
    assert expected in commands.refused(trial(FOLDER, f"{name}.input"))


def test_a_refusal_is_a_few_lines_and_no_traceback(trial, squall):
    said = squall("import", trial(FOLDER, "quote_open.input"), "-o", "x.toml")
    assert said.returncode == 2
    assert "Traceback" not in said.stderr
    assert len(said.stderr.splitlines()) < 8
    assert said.stdout == ""


@pytest.mark.parametrize("name", ["latin1", "n06_bom"])
def test_bytes_that_are_not_plain_utf8_are_read(name, trial, commands):
    run, said = commands.imported(trial(FOLDER, f"{name}.input"))
    plain, plainly = commands.imported(trial("06-namelist-index", "base.input"))
    assert {key: table for key, table in run.items() if key not in ("initial", "boundary")} == {
        key: table for key, table in plain.items() if key not in ("initial", "boundary")
    }
    assert said == plainly


def test_an_end_that_is_not_used_may_be_no_date(trial, commands):
    run, _ = commands.imported(trial(FOLDER, "end_date.input"))
    assert run["run"]["duration"] == "33 d"
    assert "end" not in run["nest"]["d02"]


def changed(trial, tmp_path, before, after):
    text = trial("06-namelist-index", "base.input").read_text()
    assert before in text
    (tmp_path / "namelist.input").write_text(text.replace(before, after))
    return tmp_path / "namelist.input"


RUN = "run_days = 0, run_hours = 6, run_minutes = 0, run_seconds = 0,"
STEP = "time_step = 360,"
EXTENTS = "e_we = 45, 49, e_sn = 30, 40, e_vert = 41, 41,"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (STEP, "time_step = -360,", "&domains time_step = -360: a time step must be above 0 s"),
        (STEP, "time_step = 7.5,", "&domains time_step = 7.5: WRF expects a whole number"),
        (STEP, "time_step = 1d400,", "1d400 is too large for a real number"),
        (STEP, "time_step = NaN,", "NaN is not a number"),
        (STEP, "time_step = .true.,", "&domains time_step = .true.: WRF expects a whole number"),
        (
            "dx = 120000, 40000",
            "dx = -120000, 40000",
            "&domains dx = -120000: grid spacing must be above 0 m",
        ),
        ("dx = 120000, 40000", "dx = '120 km'", "&domains dx = '120 km': WRF expects a number"),
        (EXTENTS, EXTENTS.replace("49", "1"), "&domains e_we(2) = 1: it must be at least 2"),
        (EXTENTS, EXTENTS.replace("45", "1"), "&domains e_we = 1: it must be at least 2"),
        (EXTENTS, EXTENTS.replace("41, 41", "41, -1"), "&domains e_vert(2) = -1: it must be at least 2"),
        ("max_dom = 2", "max_dom = 0", "&domains max_dom = 0: the number of domains must be 1 to 99"),
        (
            "max_dom = 2",
            "max_dom = 2000000000",
            "max_dom = 2000000000: the number of domains must be 1 to 99",
        ),
        (
            "parent_id = 0, 1",
            "parent_id = 0, 0",
            "parent_id(2) = 0: domain 2 has a parent that is not one of",
        ),
        (
            "parent_id = 0, 1",
            "parent_id = 0, -1",
            "parent_id(2) = -1: domain 2 has a parent that is not one of",
        ),
        ("i_parent_start = 1, 15", "i_parent_start = 1, 0", "i_parent_start(2) = 0: it must be at least 1"),
        (
            "ratio = 1, 3, feed",
            "ratio = 1, -3, feed",
            "parent_time_step_ratio(2) = -3: it must be at least 1",
        ),
        ("specified = .true.", "specified = 'yes'", "specified = 'yes': WRF expects .true. or .false."),
        ("restart = .false.", "restart = 2", "restart = 2: WRF expects .true. or .false."),
        ("restart = .false.", "history_outname = 5", "history_outname = 5: WRF expects a text in quotes"),
        ("start_month = 02, 02", "start_month = 13, 13", "start_year, start_month, ... = [2008, 13, 5"),
        (RUN, "run_days = 99999999999,", "run_days: 99999999999 is too large for an integer"),
        (RUN, "run_hours = -6,", "define a run of no length"),
        (RUN, "run_hours = 1.5,", "run_hours = 1.5: WRF expects a whole number"),
        (RUN, "run_hours = 6, start_date = 'feb', 'feb'", "&time_control start_date = 'feb' is not a date"),
    ],
)
def test_what_no_run_can_have_is_named(before, after, expected, trial, commands, tmp_path):
    file = changed(trial, tmp_path, before, after)
    assert expected in commands.refused(file)


@pytest.mark.parametrize(
    ("parents", "expected"),
    [
        ("0, 3, 2", "parent_id(3) = 2: d02 in d03 in d02 does not lead to the outermost domain"),
        ("0, 3, 1", ""),
        ("1, 1, 2", ""),
        ("0, 1, 4", "parent_id(3) = 4: domain 3 has a parent that is not one of the domains 1 to 3"),
    ],
)
def test_nests_lie_in_one_another_in_the_end_in_the_first(parents, expected, trial, commands, tmp_path):
    text = trial("06-namelist-index", "base.input").read_text()
    for before, after in (
        ("max_dom = 2", "max_dom = 3"), ("parent_id = 0, 1", f"parent_id = {parents}"),
        ("e_we = 45, 49", "e_we = 45, 49, 49"), ("e_sn = 30, 40", "e_sn = 30, 40, 40"),
        ("start = 1, 15", "start = 1, 15, 15"), ("start = 1, 9", "start = 1, 9, 9"),
        ("ratio = 1, 3", "ratio = 1, 3, 3"), ("e_vert = 41, 41", "e_vert = 41, 41, 41"),
    ):  # fmt: skip
        assert before in text
        text = text.replace(before, after)
    (tmp_path / "namelist.input").write_text(text)
    if expected:
        assert expected in commands.refused(tmp_path / "namelist.input")
        return
    nests = commands.imported(tmp_path / "namelist.input")[0]["nest"]
    place = [parents.split(", ")[1], parents.split(", ")[2]]
    assert [nests[name].get("parent", "d01") for name in ("d02", "d03")] == [f"d0{n}" for n in place]


@pytest.mark.parametrize("interval", ["0", "-60"])
def test_a_history_without_an_interval_is_none(interval, trial, commands, tmp_path):
    file = changed(trial, tmp_path, "history_interval = 60, 60", f"history_interval = {interval}, {interval}")
    assert commands.imported(file)[0]["output"]["history"]["interval"] == "0 s"


@pytest.mark.parametrize(("frames", "expected"), [("0, 0", 1), ("-1, -1", 1), ("1, 1", 1), ("24, 24", 24)])
def test_a_file_holds_a_frame_at_least(frames, expected, trial, commands, tmp_path):
    """WRF closes a file once it holds as many as that, after each frame that is."""
    file = changed(trial, tmp_path, "frames_per_outfile = 1, 1", f"frames_per_outfile = {frames}")
    history = commands.imported(file)[0]["output"]["history"]
    assert history.get("frames_per_file", 1) == expected


def test_files_beside_the_namelist_are_those_that_it_names(trial, commands, tmp_path):
    names = "input_inname = 'in_d<domain>', bdy_inname = 'sides', input_from_file = .true., .true.,"
    file = changed(trial, tmp_path, "input_from_file = .true., .false.,", names)
    for name, domain in (("in_d01", 1), ("in_d02", 2)):
        with netCDF4.Dataset(tmp_path / name, "w") as data:
            data.setncatts({"START_DATE": "2008-02-05_18:00:00" if domain == 2 else "0000-00-00_00:00:00"})
    run, said = commands.imported(file)
    assert run["initial"]["file"] == "in_d01"
    assert run["boundary"]["file"] == "sides"
    assert run["nest"]["d02"]["initial_file"] == "in_d02"
    assert "in_d02: its state is valid at 2008-02-05 18:00:00" in said
    assert "in_d01: its start_date, 0000-00-00_00:00:00, is not a date" in said


VALUES = ["0", "-1", "'x'", ".true.", "2000000000", "1e30", "-5, -5", "", "3*", "1, 2, 3, 4", "1e-30", "''"]


@pytest.mark.parametrize("value", VALUES)
def test_no_value_of_any_key_ends_in_a_traceback(value, trial, keys_of_run_files, tmp_path):
    """Each key of a namelist in turn, and each that a rule knows: translated, or refused."""
    text = trial("06-namelist-index", "base.input").read_text()
    file = tmp_path / "namelist.input"
    given = set(re.findall(r"\b(\w+) =", text))
    texts = [
        re.sub(rf"\b{key} = [^=\n]*?,?(?=\s+\w+ =|\n)", f"{key} = {value},", text, count=1) for key in given
    ]
    for name in {name for rule in RULES for name in rule.keys}:
        group, key = name.split(".")
        if key not in given:
            line = f"&{group}\n {key} = {value},\n"
            texts.append(text.replace(f"&{group}\n", line) if f"&{group}\n" in text else f"{text}{line}/\n")
    for changed_text in texts:
        file.write_text(changed_text)
        with contextlib.suppress(UserError):
            translation = translate(read(file), keys_of_run_files)
            run_file(translation, keys_of_run_files, file, tmp_path / "x.toml")
            assert report(translation)
