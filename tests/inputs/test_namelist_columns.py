"""Elements of a namelist that are given by an index belong to the domain with that number."""

import pytest

from squall.wrf.namelist import read

pytestmark = pytest.mark.regression


def base(trial, *changes):
    text = trial("06-namelist-index", "base.input").read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


@pytest.mark.parametrize(
    ("name", "key", "expected"),
    [
        ("radt_idx", "physics.radt", [None, 10]),
        ("cu_idx2", "physics.cu_physics", [None, 0]),
        ("only_idx2", "time_control.history_interval", [None, 10]),
        ("n01_index_both", "time_control.history_interval", [60, 10]),
        ("n01_index_both", "domains.i_parent_start", [None, 15]),
    ],
)
def test_an_element_is_that_of_its_index(name, key, expected, trial):
    assert read(trial("06-namelist-index", f"{name}.input")).columns(key) == expected


def test_radiations_interval_of_a_nest_is_not_the_first_domains(trial, commands):
    run, _ = commands.imported(trial("06-namelist-index", "radt_idx.input"))
    assert "radiation_interval" not in run["physics"]
    assert run["nest"]["d02"]["radiation_interval"] == "10 min"


def test_a_nest_without_cumulus_leaves_the_first_domain_that_of_its_suite(trial, commands):
    run, _ = commands.imported(trial("06-namelist-index", "cu_idx2.input"))
    assert run["physics"]["cumulus"] == "tiedtke-1989"
    assert run["nest"]["d02"]["cumulus"] == "none"


def test_a_history_of_the_nest_alone_is_none_of_the_first_domain(trial, commands):
    run, _ = commands.imported(trial("06-namelist-index", "only_idx2.input"))
    assert run["output"]["history"]["interval"] == "0 s"
    assert run["output"]["history_d02"]["interval"] == "10 min"


def test_a_nest_whose_place_is_given_by_index_is_run(trial, commands):
    run, said = commands.imported(trial("06-namelist-index", "n01_index_both.input"))
    nest = run["nest"]["d02"]
    assert (nest["i_parent_start"], nest["j_parent_start"]) == (15, 9)
    assert run["output"]["history"]["interval"] == "1 h"
    assert run["output"]["history_d02"]["interval"] == "10 min"
    assert "not run" not in said


@pytest.mark.parametrize(
    "given",
    [
        "radt(1:2) = 30, 10", "radt(2) = 10, radt(1) = 30", "radt = 2*30, radt(2) = 10",
        "radt = 30,\n radt(2:) = 10", "radt(2:1:-1) = 10, 30",
        "RADT( 2 )=10 radt(:1)=30", "radt = 30.0d0, 1d1", "radt = 30\t10",
    ],
)  # fmt: skip
def test_all_ways_of_giving_two_columns_are_alike(given, trial, commands, tmp_path):
    (tmp_path / "namelist.input").write_text(base(trial, ("radt = 30, 10", given)))
    run, _ = commands.imported(tmp_path / "namelist.input")
    assert run["physics"]["radiation_interval"] == "30 min"
    assert run["nest"]["d02"]["radiation_interval"] == "10 min"


def test_columns_of_domains_beyond_max_dom_do_nothing(trial, commands, tmp_path):
    changes = (("max_dom = 2", "max_dom = 1"), ("parent_id = 0, 1", "parent_id = 0, 7"))
    (tmp_path / "namelist.input").write_text(base(trial, *changes))
    run, _ = commands.imported(tmp_path / "namelist.input")
    assert "nest" not in run


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        (("parent_id = 0, 1,", "parent_id = 0,"), "does not give its position (parent_id)"),
        (("parent_grid_ratio = 1, 3,", "parent_grid_ratio = 1,"), "position (parent_grid_ratio)"),
        (("i_parent_start = 1, 15,", "i_parent_start = 1,,"), "position (i_parent_start)"),
    ],
)
def test_a_nest_of_which_a_column_lacks_is_told_to_lack_it(missing, told, trial, commands, tmp_path):
    (tmp_path / "namelist.input").write_text(base(trial, missing))
    run, said = commands.imported(tmp_path / "namelist.input")
    assert told in said
    assert "nest" not in run
    assert "history_d02" not in run["output"]


def test_a_list_of_levels_with_a_gap_is_refused(trial, commands, tmp_path):
    levels = "&diags p_lev_diags = 1, num_press_levels = 2, press_levels(2) = 85000 /\n"
    (tmp_path / "namelist.input").write_text(base(trial) + levels)
    assert "&diags press_levels has no value 1" in commands.refused(tmp_path / "namelist.input")
