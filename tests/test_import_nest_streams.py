"""`squall import`: what nests write, in columns of their own."""

import subprocess
import tomllib

import pytest

from namelists import NESTED, SCHEMA, lost, namelist
from squall import locate
from squall.lab.verify import storm_with_nests
from squall.wrf import iofields
from squall.wrf.translate import translate
from squall.wrf.write import run_file

pytestmark = pytest.mark.regression


PRESSURE = {
    "auxhist23_interval": [180, 30, 0], "io_form_auxhist23": 2, "frames_per_auxhist23": [4, 1, 1],
    "auxhist23_begin": [0, 60, 0],
}  # fmt: skip


LEVELS = {"p_lev_diags": 1, "num_press_levels": 2, "press_levels": [85000, 50000]}


def nests_streams(**time_control):
    """Settings of streams of nests that differ from those of the outermost domain, by stream and key."""
    told = translate(namelist(domains=NESTED, time_control=time_control), SCHEMA).settings()
    return {
        key.removeprefix("output."): value
        for key, (value, _) in told.items()
        if key.startswith("output.") and "_d0" in key.split(".")[1]
    }


def test_a_nests_history_has_the_interval_and_the_files_of_its_own_column():
    assert nests_streams(history_interval=[180, 30, 30], frames_per_outfile=[1000, 1, 1]) == {
        "history_d02.interval": "30 min", "history_d02.frames_per_file": 1,
        "history_d03.interval": "30 min", "history_d03.frames_per_file": 1,
    }  # fmt: skip
    assert nests_streams(history_interval=0, history_interval_h=[3, 0, 1], history_interval_m=[0, 30, 0]) == {
        "history_d02.interval": "30 min",
        "history_d03.interval": "1 h",
    }
    assert nests_streams(history_interval=180, frames_per_outfile=1000) == {}


def test_a_nest_with_the_columns_of_the_outermost_domain_in_a_nest_with_others_says_so():
    assert nests_streams(history_interval=[180, 30, 180]) == {
        "history_d02.interval": "30 min",
        "history_d03.interval": "3 h",
    }


def test_a_history_that_only_a_nest_writes_has_its_files():
    assert nests_streams(history_interval=[0, 30, 0]) == {
        "history_d02.interval": "30 min", "history_d02.path": "wrfout_d02_%Y-%m-%d_%H:%M:%S",
        "history_d02.frames_per_file": 10, "history_d02.engine": "netcdf", "history_d03.interval": "0 s",
    }  # fmt: skip


def test_when_a_nests_streams_begin_and_end_is_told_as_lost():
    told = lost(domains=NESTED, time_control={"history_begin": [0, 60, 0], "history_end_h": [0, 0, 6]})
    late = [line for line in told if "is written from the start" in line]
    assert late == [
        "d02: history_begin = 60: history is written from the start to the end",
        "d03: history_end_h = 6: history is written from the start to the end",
    ]
    (line,) = [line for line in lost(time_control={"history_begin_d": 1}) if "history" in line]
    assert line.endswith("history is written from the start to the end")


def test_auxiliary_histories_of_nests_have_their_own_columns(tmp_path):
    wrf = namelist(
        domains=NESTED, diags=LEVELS,
        time_control=PRESSURE | {
            "iofields_filename": "more.txt", "auxhist7_interval": [0, 10, 10], "io_form_auxhist7": 2,
            "frames_per_auxhist7": 6, "auxhist7_end": [0, 0, 60],
        },
    )  # fmt: skip
    (tmp_path / "more.txt").write_text("+:h:7:RAINNC,T2\n")
    made = translate(wrf, SCHEMA)
    iofields.take(made, wrf, tmp_path, ["RAINNC", "T2"])
    text = run_file(made, SCHEMA, tmp_path / "namelist.input", tmp_path / "a.toml")
    streams = tomllib.loads(text)["output"]
    assert streams["pressure"]["interval"] == "3 h"
    assert streams["pressure_d02"] == {"interval": "30 min", "frames_per_file": 1}
    assert streams["pressure_d03"] == {"interval": "0 s"}
    assert "auxhist7" not in streams
    assert streams["auxhist7_d02"] == {
        "interval": "10 min", "path": "auxhist7_d02_%Y-%m-%d_%H:%M:%S", "frames_per_file": 6,
        "fields": ["RAINNC", "T2"],
    }  # fmt: skip
    assert streams["auxhist7_d03"]["path"] == "auxhist7_d03_%Y-%m-%d_%H:%M:%S"
    told = [f"{entry.wrf}: {entry.lost}" for entry in made.lost]
    assert any("d02" in line and "auxhist23 is written from the start to the end" in line for line in told)
    assert any("d03" in line and "auxhist7 is written from the start to the end" in line for line in told)
    assert not made.unknown


@pytest.mark.parametrize(
    "time_control",
    [
        {"history_interval": [180, 30, 60], "frames_per_outfile": [1000, 1, 4], **PRESSURE},
        {"history_interval": [0, 30, 0], **PRESSURE, "auxhist23_interval": [0, 30, 0]},
    ],
)
def test_the_model_takes_the_streams_of_nests_that_are_written(tmp_path, time_control):
    """With the nests, on an idealised storm, which needs no files of WRF."""
    made = translate(namelist(domains=NESTED, diags=LEVELS, time_control=time_control), SCHEMA)
    text = run_file(made, SCHEMA, tmp_path / "namelist.input", tmp_path / "a.toml")
    storm = storm_with_nests.storm(41, 41, duration="6 h")
    (tmp_path / "a.toml").write_text(storm + text[text.index("[output.") :])
    scale = ["--set", "domain.dx=12 km", "--set", "run.time_step=60 s"]  # of the namelist
    plan = [locate.model_binary(), "--plan", tmp_path / "a.toml", *scale]
    done = subprocess.run(plan, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
