"""The model agrees with WRF and with published cases: the checks of `squall lab verify`."""

import pytest
from rich.console import Console

from squall.lab.report import show_table
from squall.lab.verify import CASES, bit_for_bit
from squall.lab.verify.check import COLUMNS, Skipped


@pytest.mark.parametrize("case", [case for case in CASES if case != bit_for_bit.NAME])
def test_case_agrees_with_its_reference(case, workspace):
    try:
        checks = CASES[case](workspace)
    except Skipped as reason:
        pytest.skip(str(reason))
    show_table(Console(width=160), case, COLUMNS, [check.row() for check in checks])
    assert not [check for check in checks if not check.passed]
    assert workspace.picture(case).is_file()
