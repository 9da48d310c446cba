"""Nothing that stands in a namelist goes lost, or into another group, without a word."""

import pytest

pytestmark = pytest.mark.regression

FOLDER = "07-namelist-swallowed"


def test_of_a_group_that_is_there_twice_the_first_counts_and_that_is_told(trial, commands):
    run, said = commands.imported(trial(FOLDER, "n12_group_twice.input"))
    assert run["diffusion"]["scheme"] == "smagorinsky-2d"
    assert run["dynamics"]["moist_theta"] is False
    assert "damping" not in run
    assert "off_centring" not in run["dynamics"]
    assert "&dynamics occurs again: the first one, on line 19, is used, not epssm" in said


def test_the_run_file_has_the_notes_too(trial, squall, tmp_path):
    said = squall("import", trial(FOLDER, "n12_group_twice.input"), "-o", "x.toml")
    assert said.returncode == 0, said.stderr
    assert "#\n# Notes on the text of the namelist:\n# - line 22: &dyn" in (tmp_path / "x.toml").read_text()


def test_a_group_without_an_end_before_another_is_refused(trial, squall, tmp_path):
    said = squall("import", trial(FOLDER, "no_slash.input"), "-o", "x.toml")
    assert said.returncode == 2
    assert "no_slash.input:15: &domains, of line 9, has no closing /: &physics follows" in said.stderr
    assert not (tmp_path / "x.toml").exists()


def test_a_comment_of_another_language_is_refused(trial, commands):
    told = commands.refused(trial(FOLDER, "n09_hash_comment.input"))
    assert "n09_hash_comment.input:10: time_step: # is not a number" in told
    assert "comments begin with !" in told


def test_text_outside_of_groups_is_told(trial, commands):
    _, said = commands.imported(trial(FOLDER, "n08_text_after_slash.input"))
    assert "line 9 is in no group and is ignored: iofields_filename = " in said
    assert "line 10 is in no group and is ignored: auxhist2_interval = 15" in said


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("", "&namelist_quilt has no closing /"),
        ("/\n", ""),
        ("&end\n", ""),
        ("$END", ""),
        ("/ text\n", "is in no group and is ignored: text"),
        ("/\n! text\n", ""),
        ("/\n&others\n key = no value /\n", "&others is not a group of WRF and cannot be read"),
        ("/\n&others\n key = 1 /\n", "&others key: no effect"),
        ("nio_groups = 3 /\n", "nio_groups is given again, after line 26 (1): the last value is used"),
    ],
)
def test_how_the_last_group_ends_is_told_where_it_is_odd(end, told, trial, commands, tmp_path):
    text = trial("06-namelist-index", "base.input").read_text().rstrip().removesuffix("/")
    (tmp_path / "namelist.input").write_text(text + end)
    _, said = commands.imported(tmp_path / "namelist.input")
    assert told in said
    assert ("Notes on the text" in said) == (bool(told) and "no effect" not in told)
