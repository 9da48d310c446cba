"""The model agrees with WRF and with published cases: the checks of `squall lab verify`."""

import pytest
from rich.console import Console

from squall import machine
from squall.lab.verify import CASES, bit_for_bit, verify_cases
from squall.lab.verify.check import COLUMNS
from squall.results import show_table


@pytest.fixture(scope="module")
def outcomes(request, workspace):
    """What became of every case that is to be tested: a case per core at a time."""
    tests = [item for item in request.session.items if item.module is request.module]
    cases = [test.callspec.params["case"] for test in tests]
    return {outcome.case: outcome for outcome in verify_cases(cases, workspace, machine.cores())}


@pytest.mark.parametrize("case", [case for case in CASES if case != bit_for_bit.NAME])
def test_case_agrees_with_its_reference(case, outcomes, workspace):
    outcome = outcomes[case]
    if outcome.skipped:
        pytest.skip(outcome.skipped)
    show_table(Console(width=160), case, COLUMNS, [check.row() for check in outcome.checks])
    assert not outcome.error
    assert not [check for check in outcome.checks if not check.passed]
    assert workspace.picture(case).is_file()
