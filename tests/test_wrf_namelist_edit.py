"""Keys of a namelist are changed where they stand, and nothing else is."""

import pytest

from squall.errors import UserError
from squall.wrf import namelist
from squall.wrf.namelist_edit import edited

TEXT = """ &time_control   ! of the spring run
 start_year = 2005, start_month = 7, HISTORY_INTERVAL = 60,
   30, ! of d02
 history_outname = '/a/b_d<domain>', ! a slash
 io_form_history = 2
 frames_per_outfile(1) = 3, frames_per_outfile(2) = 4
 /
 &domains
 max_dom = 2 /
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "namelist.input"
    path.write_text(TEXT)
    return path


def test_without_changes_it_is_the_same(path):
    assert edited(path, {}) == TEXT


def test_values_change_where_they_stand_with_all_that_is_around_them(path):
    changes = {"time_control.history_interval": "5, 5", "time_control.io_form_history": "11"}
    expected = TEXT.replace("HISTORY_INTERVAL = 60,\n   30,", "history_interval = 5, 5,")
    assert edited(path, changes) == expected.replace("io_form_history = 2", "io_form_history = 11,")


def test_elements_that_are_given_one_by_one_become_one_assignment(path):
    text = edited(path, {"time_control.frames_per_outfile": "2*1"})
    assert " frames_per_outfile = 2*1, \n" in text
    path.write_text(text)
    assert namelist.read(path).columns("time_control.frames_per_outfile") == [1, 1]


def test_a_key_goes_and_a_new_one_is_added_to_its_group(path):
    changes = {"time_control.history_outname": None, "time_control.use_netcdf_classic": ".true."}
    path.write_text(edited(path, changes))
    found = namelist.read(path)
    assert "time_control.history_outname" not in found.names
    assert found.column("time_control.use_netcdf_classic") is True
    assert found.column("time_control.start_year") == 2005
    assert path.read_text().startswith(
        " &time_control\n use_netcdf_classic = .true.,   ! of the spring run\n"
    )


def test_what_is_absent_goes_without_a_word_and_a_group_that_is_absent_is_told(path):
    assert edited(path, {"namelist_quilt.nio_groups": None, "domains.e_we": None}) == TEXT
    with pytest.raises(UserError, match="has no group &physics, to which radt = 5 belongs"):
        edited(path, {"physics.radt": "5"})
