"""`squall lab speed`: the runs that it times are possible, and its sums are right."""

import io
import json
import re
import subprocess
from dataclasses import replace

import pytest
from rich.console import Console

from pictures import assert_drawn
from squall import locate
from squall.errors import UserError
from squall.lab import speed, speed_builds, speed_forecasts, speed_wrf
from squall.lab.speed_domains import CHANGES, NESTED, SIZES, TRACERS, with_tracers
from squall.lab.verify.built_wrf import BuiltWrf
from squall.lab.verify.check import Skipped
from squall.lab.workspace import Layout, Workspace
from squall.results import show_table

pytestmark = pytest.mark.regression


@pytest.mark.parametrize("size", [*SIZES, NESTED, with_tracers(3)], ids=lambda size: size.label)
def test_the_model_plans_each_run(size, tmp_path):
    run_file = Workspace(tmp_path).variant("timed", size.case.name, CHANGES)
    settings = [f"--set={key}={value}" for key, value in size.run_settings().items()]
    done = subprocess.run(
        [locate.model_binary(), run_file, "--plan", *settings], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{size.nx} x {size.ny} x {size.nz}" in done.stdout


def test_the_picture_of_the_page_shows_what_the_table_beside_it_says(tmp_path):
    """Both are of docs/img/speed.json: `squall lab speed docs/img/speed.json -o docs/img` draws it."""
    page = (locate.CHECKOUT / "docs" / "explanation" / "step-performance.md").read_text()
    rows = re.findall(r"^\| (\d+ x .*?) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", page, re.M)
    file = locate.CHECKOUT / "docs" / "img" / "speed.json"
    found = speed.read(file)
    assert [row[0] for row in rows] == [size.label for size in SIZES]
    for domain, *told in rows:
        (one,) = (m for m in found if m.domain == domain and m.cores == 1)
        up = max(speed._speed_up(m, found) for m in found if m.domain == domain and m.cores == 2)
        assert told == [f"{one.per_core / 1e6:.2f}", f"{one.bytes / 1e3:.2f}", f"{up:.2f}"]
    speed.draw_again(file, tmp_path)
    assert_drawn(tmp_path / "speed.png")


def test_another_file_is_not_drawn(tmp_path):
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(UserError, match=r"was not written by `squall lab speed --results`"):
        speed.draw_again(tmp_path / "other.json", tmp_path)


def test_domains_have_names_of_their_own():
    assert len({size.label for size in SIZES}) == len(SIZES)


def test_no_time_of_another_machine_is_compared_with_what_is_measured_here():
    """Times on two machines, brought to each other by their bandwidths, make no ratio that holds. WRF's cost
    of nests is of its own steps alone."""
    console = Console(width=200, record=True, file=io.StringIO())
    measured = [speed.Measurement(size.label, 1, "1 core", 1e7, 1.5e10, {}) for size in SIZES]
    day = speed_forecasts.Forecast("summer", 0.02, 0.03)
    speed._show(console, measured)
    speed._judge_all(console, measured)
    speed._judge_forecast(console, day)
    said = console.export_text()
    assert "26.0 ms per step, mean over a day of summer" in said
    assert "WRF" not in said.replace(", as WRF", "")
    told = speed._to_json(measured, speed.TracerCost(1.0, 1.0, 1.0), [], [day])
    page = (locate.CHECKOUT / "docs" / "explanation" / "step-performance.md").read_text()
    for found in (told, json.loads((locate.CHECKOUT / "docs" / "img" / "speed.json").read_text())):
        assert "wrf" not in {key.lower() for key in found}
        assert set(found["goal"]) == {"speed_up", "nesting"}
    assert "WRF" not in "".join(line for line in page.splitlines() if line[:1] == "|").replace(", as WRF", "")


def test_no_name_of_a_domain_is_broken_in_80_columns():
    def measured(size, cores):
        return speed.Measurement(size.label, cores, f"{cores} threads", 1.234e7, 1.5e10, {})

    rows = speed.rows_of([measured(size, cores) for cores in (1, 16) for size in SIZES])
    console = Console(width=80, record=True, file=io.StringIO())
    show_table(console, "Speed", speed.COLUMNS, rows)
    lines = [line.rstrip() for line in console.export_text().splitlines()]
    assert all(len(line) <= 80 for line in lines)
    for size in SIZES:
        assert sum(size.label in line for line in lines) == 1


def test_a_tracer_costs_what_ten_more_add(tmp_path, monkeypatch):
    few, many = (with_tracers(number).name for number in TRACERS)
    seconds = {few: 2.0, many: 3.0}
    monkeypatch.setattr(speed, "triad", lambda cores: 1e10)
    monkeypatch.setattr(speed, "_time", lambda workspace, size, layout: {"seconds": seconds[size.name]})
    cost = speed.measure_tracers(Workspace(tmp_path), 3, speed.Console(quiet=True))
    assert cost.seconds == pytest.approx(0.1 / (40 * 80 * 64 * 30))
    assert cost.share == pytest.approx(0.05)
    assert cost.bytes == pytest.approx(cost.seconds * 1e10)


def test_speeds_are_medians_per_core(tmp_path, monkeypatch):
    times = iter([4.0, 1.0, 2.0])
    monkeypatch.setattr(speed, "triad", lambda cores: 6e9)
    monkeypatch.setattr(
        speed,
        "_time",
        lambda workspace, size, layout: {"seconds": next(times), "cells": 1000, "steps": 4, "stages": {}},
    )
    found = speed.measure_one(Workspace(tmp_path), SIZES[0], "2 threads", Layout(1, 2), 3)
    assert found.cell_steps == 2000
    assert found.per_core == 1000
    assert found.bytes == 3e6


def test_a_run_tells_what_its_domains_cost_and_what_they_spend_on_each_other(tmp_path):
    workspace = Workspace(tmp_path)
    timing = tmp_path / "timing.json"
    settings = NESTED.run_settings() | {"run.duration": "24 s"}
    workspace.run(
        "timed", workspace.variant("timed", NESTED.case.name, CHANGES), settings, Layout(2, 1), timing
    )
    told = json.loads(timing.read_text())
    outer, inner = told["domains"]
    assert (outer["name"], outer["steps"], inner["name"], inner["steps"]) == ("", 2, "inner", 6)
    spent = sum(domain[part] for domain in (outer, inner) for part in ("own", "nesting"))
    assert 0.5 * told["seconds"] < spent < 1.5 * told["seconds"], "on the mean of both ranks"
    assert min(outer["nesting"], inner["nesting"]) > 0
    assert speed.nesting_ratio(told["domains"]) > 1


def test_what_nesting_costs_is_measured_against_the_domains_own_steps():
    parts = [{"own": 1.0, "nesting": 0.1}, {"own": 3.0, "nesting": 0.1}]
    assert speed.nesting_ratio(parts) == pytest.approx(1.05)


def test_a_forecast_is_measured_by_its_steps_with_and_without_radiation():
    """Steps of 20 ms, of which each fifth calls the radiation for 30 more; the first sets up as well."""
    seconds = [0.2] + ([0.02] * 4 + [0.05]) * 3 + [0.02] * 4
    found = speed_forecasts.judged("summer", [seconds] * 3)
    assert (found.step, found.radiation) == (pytest.approx(0.02), pytest.approx(0.03))
    assert found.seconds == pytest.approx(0.026)
    assert found.share_of_radiation(5) == pytest.approx(0.03 / 0.13)
    assert found.share_of_radiation(10) == pytest.approx(0.03 / 0.23)


def test_without_the_reference_data_no_forecast_is_timed(tmp_path, monkeypatch):
    monkeypatch.setenv("SQUALL_DATA", str(tmp_path))
    assert speed_forecasts.measure(Workspace(tmp_path), 1, Console()) == []


def test_the_goal_of_nesting_is_judged_by_the_median_of_repeats(tmp_path, monkeypatch):
    spent = iter(
        [0.9, 0.04, 0.05, 0.06, 0.01, 0.07]
    )  # of a nest with 1 s of its own: an outlier in the first
    layouts = {"1 core": Layout(1, 1), "2 ranks": Layout(2, 1)}
    monkeypatch.setattr(speed, "_layouts", lambda: layouts)
    monkeypatch.setattr(
        speed,
        "_time",
        lambda workspace, size, layout: {"domains": [{"own": 1.0, "nesting": next(spent)}]},
    )
    found = speed.measure_nesting(Workspace(tmp_path), 3, speed.Console(quiet=True))
    assert [(cost.layout, round(cost.ratio, 6), cost.reached) for cost in found] == [
        ("1 core", 1.05, True),
        ("2 ranks", 1.06, False),
    ]
    console = Console(width=80, record=True, file=io.StringIO())
    show_table(console, "Nesting", speed.NESTING_COLUMNS, speed.nesting_rows(found))
    one, two = (line for line in console.export_text().splitlines() if "1.05 1.10" in " ".join(line.split()))
    assert one.split() == ["1", "core", "1.050", "1.05", "1.10", "reached"]
    assert two.split() == ["2", "ranks", "1.060", "1.05", "1.10", "missed"]


#: Stands for WRF: steps of 40 ms, but 5 s for the first, and one more line for a file that is written.
TIMED = """#!/bin/sh
test -f wrfinput_d01 || exit 1
echo 'Timing for main: time 0001-01-01_00:10:00 on domain   1:    5.00000 elapsed seconds'
for step in $(seq 2 %d); do
  echo "Timing for main: time 0001-01-01_00:$step:00 on domain   1:    0.04000 elapsed seconds"
done
echo 'Timing for Writing wrfout_d01_0001-01-01_00:00:00 for domain        1:    7.00000 elapsed seconds'
echo ' wrf: SUCCESS COMPLETE WRF'
"""


@pytest.fixture
def wrf(tmp_path):
    for folder in ("main", "run"):
        (tmp_path / "WRF" / folder).mkdir(parents=True)
    program = tmp_path / "WRF" / "main" / "wrf.exe"
    program.write_text(TIMED % 60)
    program.chmod(0o755)
    return program.parents[1]


@pytest.mark.parametrize(
    ("case_of", "of_wrf", "of_squall"),
    [
        (speed_wrf._wave, "time_step = 600", "case baroclinic-wave"),
        (speed_wrf._suite, "bl_pbl_physics = 2, cu_physics = 6", 'boundary_layer = "myj"'),
    ],
    ids=["wave", "suite-conus"],
)
def test_wrf_and_squall_are_timed_in_turn_on_the_same_steps(case_of, of_wrf, of_squall, wrf, tmp_path):
    try:
        case = case_of()
        case.inputs()
    except Skipped as missing:
        pytest.skip(str(missing))
    theirs = speed_wrf.run_wrf(BuiltWrf(wrf), Workspace(tmp_path), case)
    assert (len(theirs), theirs[0], theirs[-1]) == (60, 5.0, 0.04)
    given = (tmp_path / f"{case.run_name}-wrf" / "namelist.input").read_text()
    assert of_wrf in given
    tables = tmp_path / f"{case.run_name}-wrf" / "qr_acr_qsV2.dat"
    tables.write_text("computed by WRF for minutes")
    assert speed_wrf.run_wrf(BuiltWrf(wrf), Workspace(tmp_path), case) == theirs
    assert tables.exists()
    ours = speed_wrf.run_squall(Workspace(tmp_path), replace(case, steps=3))
    assert len(ours) == 3
    assert min(ours) > 0
    assert of_squall in (tmp_path / f"{case.run_name}.toml").read_text()


def test_a_ratio_is_of_the_medians_of_the_repeats_without_the_first_step():
    assert speed_wrf.per_step([[9, 1, 2], [5, 1, 4], [7, 3, 3]]) == pytest.approx((1 + 3) / 2)
    ratio = speed_wrf.Ratio("supercell", 0.033, 0.011)
    console = Console(width=100, record=True, file=io.StringIO())
    speed_wrf.show(console, [ratio])
    said = console.export_text()
    assert "33.0        11.0   3.00" in said
    assert "0 of 1 goals reached" in said
    (told,) = speed_wrf.to_json([ratio])
    assert told == {
        "name": "supercell",
        "wrf": 0.033,
        "squall": 0.011,
        "goal": 5.0,
        "times": pytest.approx(3),
    }
    speed_wrf.show(console, [replace(ratio, goal=speed_wrf.GOAL_OF_SUITE)])
    assert "1 of 1 goals reached" in console.export_text()


def test_without_reference_data_or_a_built_wrf_none_is_timed(squall, wrf, tmp_path):
    said = squall("lab", "speed", "--wrf", wrf, SQUALL_DATA=str(tmp_path))
    assert said.returncode == 2
    assert "--wrf needs the reference data" in " ".join(said.stderr.split())
    said = squall("lab", "speed", "--wrf", tmp_path)
    assert said.returncode == 2
    assert "is no built WRF" in " ".join(said.stderr.split())


def test_two_builds_are_timed_in_turn_and_the_ratio_is_of_medians(tmp_path, monkeypatch):
    size = replace(SIZES[0], steps=4)
    monkeypatch.setattr(speed_builds, "SIZES", (size,))
    other = tmp_path / "twice"
    took = """import json, pathlib, sys
path = pathlib.Path(sys.argv[1])
told = json.loads(path.read_text())
told["each_step_processor"] = [9, *(2 * s for s in told["each_step_processor"][1:])]
path.write_text(json.dumps(told))"""
    program = locate.model_binary()
    other.write_text(
        f'#!/bin/sh\n{program} "$@" || exit 1\nwhile [ "$1" != --timing ]; do shift; done\n'
        f"python3 -c '{took}' \"$2\"\n"
    )
    other.chmod(0o755)
    results = tmp_path / "beside.json"
    speed_builds.run(other, tmp_path, 3, results)
    (pair,) = json.loads(results.read_text())["beside"]
    assert pair["domain"] == size.label
    assert 1.2 < pair["ratio"] < 3.3
    assert pair["ratio"] == pytest.approx(pair["other"] / pair["here"])


def test_a_build_to_time_beside_must_be_there(squall, tmp_path):
    said = squall("lab", "speed", "--beside", tmp_path / "none")
    assert said.returncode == 2
    assert "which is not a program" in " ".join(said.stderr.split())
    assert speed_builds.Pair("storm", 0.5, 0.475).ratio == pytest.approx(0.95)
