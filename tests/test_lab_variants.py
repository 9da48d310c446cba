"""Run files of verification are those of the cases that come with Squall, with changes that are told."""

import tomllib

import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.variants import variant
from squall.new import tables_of


def tables(text):
    return tables_of(tomllib.loads(text))


def test_without_changes_it_is_the_case():
    for case in ("supercell", "january-storm", "density-current"):
        assert tables(variant(case, {})) == tables(locate.run_file(case).read_text())


def test_keys_are_changed_added_and_left_out_and_the_rest_stays():
    case = tables(locate.run_file("supercell").read_text())
    text = variant(
        "supercell",
        {
            "domain.nx": 20,
            "run.compatibility": "wrf",
            "output.restart.interval": "1 h",
            "domain.boundary_west": None,
            "damping": None,
        },
    )
    case["domain"]["nx"] = 20
    case["run"]["compatibility"] = "wrf"
    case["output.restart"] = {"interval": "1 h"}
    del case["domain"]["boundary_west"], case["damping"]
    assert tables(text) == case
    assert text.startswith("# The case supercell, with other values of domain.nx, run.compatibility,")


def test_what_is_not_there_is_not_left_out_in_silence():
    with pytest.raises(KeyError):
        variant("supercell", {"dynamics.f": None})
    with pytest.raises(UserError, match="no run file"):
        variant("nowhere", {})
