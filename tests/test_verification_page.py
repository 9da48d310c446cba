"""The page on verification lists options of WRF 4 with the tests that have them on: those tests are there."""

import re

import pytest

from squall import locate
from squall.lab.verify import CASES

PAGE = locate.CHECKOUT / "docs" / "explanation" / "verification.md"
HEADING = "### Options that most of WRF's runs here leave off"
#: Of each of these there must be a row.
KEYS = (
    "hybrid_opt", "use_theta_m", "hypsometric_opt", "gwd_opt", "diff_6th_opt", "km_opt", "damp_opt",
    "w_damping", "use_adaptive_time_step", "sst_update", "fractional_seaice",
    "topo_wind", "sf_ocean_physics", "isfflx", "icloud", "rad_nudge",
)  # fmt: skip


def rows():
    """The cells of each option: its name, keys of the namelist, tests, what they hold it to."""
    table = PAGE.read_text().partition(HEADING)[2].partition("\n\n| option")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_every_option_is_listed_with_a_test_and_what_that_compares_with():
    for key in KEYS:
        assert any(f"`{key} = " in keys for _, keys, _, _ in rows()), key
    for option, _, tests, held_to in rows():
        assert "`" in tests, option
        assert held_to, option


def named():
    """Each file with the name of a test in it, and each case of verification with no file."""
    for _, _, tests, _ in rows():
        file = ""
        for name in re.findall(r"`([^`]+)`", tests):
            if name.startswith("squall lab verify "):
                yield "", name.removeprefix("squall lab verify ")
            elif "/" in name:
                file = name
            else:
                yield file, name


@pytest.mark.parametrize(("file", "name"), sorted(set(named())))
def test_each_test_of_the_list_is_there(file, name):
    if not file:
        assert name in CASES
        return
    text = (locate.CHECKOUT / file).read_text()
    if file.endswith(".py"):
        assert f"\ndef {name}(" in text
    else:
        suite, _, case = name.partition(".")
        assert re.search(rf"\bTEST(_F|_P)?\({suite}, {case}\)", text)
