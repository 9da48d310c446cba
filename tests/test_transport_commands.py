"""`squall transport`: runs, run files to start from, and what it refuses."""

import tomllib

import pytest

from squall import locate
from test_transport import CASE


@pytest.fixture
def case(tmp_path):
    (tmp_path / "case.toml").write_text(CASE.format(days=2, directory="runs/case") + _RESTART)
    return tmp_path


_RESTART = '\n[output.restart]\ninterval = "1 d"\n'


def test_a_run_goes_on_where_it_was_stopped(squall, case):
    begun = squall("transport", "run", "case.toml", "--set", "run.duration=1 d", "-n", 2)
    assert begun.returncode == 0, begun.stderr
    done = squall("transport", "run", "case.toml", "--continue", "--threads", 1, "--keep-restarts", 1)
    assert done.returncode == 0, done.stderr
    assert "Continuing from runs/case/restart_2000-01-02_00:00:00.nc" in done.stdout
    assert "100 %" in done.stdout
    kept = [path.name for path in (case / "runs" / "case").glob("restart_2*")]
    assert kept == ["restart_2000-01-03_00:00:00.nc"]
    told = squall("status", "runs/case").stdout
    assert "100 % of 2 d" in told
    assert "Courant" in told
    assert "|w|" not in told  # it has no wind of its own


def test_check_says_what_would_run_and_runs_nothing(squall, case):
    done = squall("transport", "run", "case.toml", "--check", "--set", "grid.nlon=64")
    assert done.returncode == 0, done.stderr
    assert "64 x 16 x 5 cells, 2 tracer(s)" in done.stdout
    assert not (case / "runs").exists()


def test_a_run_is_not_written_over_unasked(squall, case):
    arguments = ("transport", "run", "case.toml", "--set", "run.duration=2 h")
    assert squall(*arguments).returncode == 0
    again = squall(*arguments)
    assert again.returncode == 1
    assert "--overwrite" in again.stderr
    assert squall(*arguments, "--overwrite").returncode == 0


@pytest.mark.parametrize("name", ["radon", "eruption", "solid-body", "moving-vortices", "tomcat-t106"])
def test_a_new_run_file_is_that_of_its_case_and_can_be_run(squall, tmp_path, name):
    made = squall("transport", "new", "inner/mine.toml", "--case", name)
    assert made.returncode == 0, made.stderr
    source = locate.transport_files()[name]
    assert tomllib.loads((tmp_path / "inner/mine.toml").read_text()) == tomllib.loads(source.read_text())
    checked = squall("transport", "run", "inner/mine.toml", "--check")
    assert checked.returncode == 0, checked.stderr
    again = squall("transport", "new", "inner/mine.toml")
    assert again.returncode == 2
    assert "exists" in again.stderr


def test_radon_is_a_day_on_a_grid_of_two_and_a_half_degrees(squall):
    done = squall("transport", "run", "radon", "--check")
    assert "regular grid of 144 x 72 x 60 cells" in done.stdout
    assert "144 steps of 600 s" in done.stdout


def test_an_unknown_case_is_told_the_nearest(squall):
    done = squall("transport", "run", "erupton")
    assert done.returncode == 2
    assert "Did you mean eruption? `squall transport cases` lists" in done.stderr


def test_cases_are_listed_with_their_sources(squall):
    listed = " ".join(squall("transport", "cases").stdout.split())
    assert "eruption" in listed
    assert "Guo et al. (2004)" in listed
    assert all(name in listed for name in locate.transport_files())
