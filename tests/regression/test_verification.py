"""The model agrees with WRF and with published cases: the checks of `squall lab verify`."""

import pytest
from rich.console import Console

from squall.lab.verify import CASES, bit_for_bit, verify_cases
from squall.lab.verify.check import COLUMNS
from squall.results import show_table

#: What these take on one idle core; the others take less.
SECONDS = {
    "nested-supercell": 90, "nested-wave": 80, "rce": 80, "nested-storm": 60, "supercell-thompson": 60,
    "supercell-wrf": 40, "supercell-wsm6": 50, "density-current": 50, "nested-winter": 45,
    "baroclinic-wave-wrf": 40, "nest-rims": 35, "mountain-schaer": 35, "full-physics-winter": 35,
    "full-physics-summer": 30, "wangara-night": 20, "conus_2008-02-05-wrf": 20, "interop": 20,
    "mountain-hydrostatic": 20, "total-water": 20, "wangara": 15,
}  # fmt: skip

LONGEST = 42  # seconds of a case that every change is tested by


def parameters():
    for case in CASES:
        if case != bit_for_bit.NAME:
            seconds = SECONDS.get(case, 5)
            tier = pytest.mark.long if seconds > LONGEST else pytest.mark.regression
            yield pytest.param(case, marks=(tier, pytest.mark.seconds(seconds)))


@pytest.mark.spread
@pytest.mark.parametrize("case", list(parameters()))
def test_case_agrees_with_its_reference(case, workspace):
    (outcome,) = verify_cases([case], workspace, 1)
    if outcome.skipped:
        pytest.skip(outcome.skipped)
    show_table(Console(width=160), case, COLUMNS, [check.row() for check in outcome.checks])
    assert not outcome.error
    assert not [check for check in outcome.checks if not check.passed]
    assert workspace.picture(case).is_file()
