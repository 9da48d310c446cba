"""The model agrees with WRF and with published cases: the checks of `squall lab verify`."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from squall.lab.verify import (
    CASES,
    baroclinic_wave,
    bit_for_bit,
    full_physics,
    imported,
    interop,
    real_weather,
    supercell,
    verify_cases,
    water,
)
from squall.lab.verify.check import COLUMNS
from squall.results import show_table

#: What these take on one idle core; the others take less.
SECONDS = {
    "nested-supercell": 90, "nested-wave": 80, "rce": 80, "nested-storm": 60, "supercell-thompson": 60,
    "plains-modern": 60, "plains-conus": 60, "tropics-modern": 60,
    "supercell-wrf": 40, "supercell-lin": 55, "supercell-morrison": 60, "supercell-wsm3": 50,
    "supercell-wsm5": 50, "supercell-wsm6": 50, "density-current": 50, "nested-winter": 45,
    "baroclinic-wave-wrf": 40, "nest-rims": 35, "mountain-schaer": 35, "full-physics-winter": 35,
    "full-physics-summer": 30, "wangara-night": 20, "conus_2008-02-05-wrf": 20, "interop": 20,
    "globe-dcmip-1-1": 15, "mountain-hydrostatic": 20, "total-water": 30, "wangara": 15,
}  # fmt: skip

LONGEST = 42  # seconds of a case that every change is tested by

#: Which others, that every change is tested by, run the same code against numbers of the same kind.
COVERED = {
    "full-physics-winter": "full-physics-summer, and the slab land by columns-wrf",
    "tropics-modern": "plains-modern, and its schemes by columns-wrf",
    "plains-conus": "plains-modern, and its schemes by columns-wrf and supercell-thompson",
    "conus_2005-07-16-wrf": "conus_2008-02-05-wrf; full-physics-summer starts from the same files",
    "conus_2005-07-16-prepared": "conus_2008-02-05-prepared",
    "mountain-schaer": "mountain-hydrostatic, and its ground by resting-atmosphere",
    "squall-line": "moist-bubble, supercell-wrf",
    "wangara": "gabls2 by night and day, gabls1",
    "wangara-night": "gabls2 by night and day",
}

#: Cases whose runs tests of their own make, one by one.
APART = {"nest-rims": ("test_nest_rims", "test_nest_levels", "test_moving_nests")}

#: What every change is tested by of cases that take long: the same runs up to an earlier time at which they
#: are compared, all steps of which are those of the whole.
BEGINNINGS = {
    "baroclinic-wave-wrf": partial(baroclinic_wave.verify, days=(1, 3)),
    "supercell-wrf": replace(supercell.WARM_RAIN, duration="1 h").verify,  # the second hour is drawn
    "conus_2008-02-05-wrf": replace(real_weather.WINTER, hours=(3, 12)).verify,
    "full-physics-summer": replace(full_physics.SUMMER, hours=(6, 12)).verify,
    "plains-modern": replace(imported.MODERN, hours=(3,), file="columns").verify,
    "interop": partial(interop.verify, hours=(1, 3)),
    "total-water": partial(  # by then it has rained for 20; wdm6 has what wdm5 has
        water.verify,
        duration="40 min",
        storms=[storm for storm in water.STORMS if storm.microphysics != "wdm5"],
    ),
}


def parameters():
    for case in CASES:
        if case != bit_for_bit.NAME:
            seconds = SECONDS.get(case, 5)
            long = seconds > LONGEST or case in {*COVERED, *APART, *BEGINNINGS}
            tier = pytest.mark.long if long else pytest.mark.regression
            yield pytest.param(case, marks=(tier, pytest.mark.seconds(seconds)))


def test_cases_that_seldom_run_are_covered_by_others_that_always_do():
    always = {case.values[0] for case in parameters() if case.marks[0].name == "regression"} | set(BEGINNINGS)
    for case, others in COVERED.items():
        assert case in CASES
        assert always & set(re.split(r"[;, ]+", others)), case
    for case, files in APART.items():
        assert case in CASES
        assert all("nest_rims" in (Path(__file__).parents[1] / f"{name}.py").read_text() for name in files)


@pytest.mark.spread
@pytest.mark.parametrize("case", list(parameters()))
def test_case_agrees_with_its_reference(case, workspace):
    assert_agrees(case, workspace)


@pytest.mark.regression
@pytest.mark.spread
@pytest.mark.seconds(20)
@pytest.mark.parametrize("case", BEGINNINGS)
def test_the_beginning_of_a_long_case_agrees_with_its_reference(case, workspace, monkeypatch):
    monkeypatch.setitem(CASES, case, BEGINNINGS[case])
    assert_agrees(case, workspace)


def assert_agrees(case, workspace):
    (outcome,) = verify_cases([case], workspace, 1)
    if outcome.skipped:
        pytest.skip(outcome.skipped)
    show_table(Console(width=160), case, COLUMNS, [check.row() for check in outcome.checks])
    assert not outcome.error
    assert not [check for check in outcome.checks if not check.passed]
    assert workspace.picture(case).is_file()
