"""Whether the run that `squall import` makes is the namelist's: the line that says it, what is proposed."""

import pytest

from namelists import SCHEMA, namelist
from squall.wrf.translate import translate
from squall.wrf.write import verdict

pytestmark = pytest.mark.regression


def told_by_verdict(**groups):
    return verdict(translate(namelist(**groups), SCHEMA))


def test_a_missing_time_step_is_proposed_and_told():
    result = translate(namelist(domains={"time_step": 0}), SCHEMA)
    step, entry = result.settings()["run.time_step"]
    assert step == "72 s"
    assert "the namelist has none: 72 s is proposed" in entry.lost
    assert verdict(result).startswith("Does not run as it says: time_step")


def test_a_line_tells_whether_the_run_is_the_namelists():
    plain = {"physics": {"mp_physics": 6, "sf_sfclay_physics": 1, "bl_pbl_physics": 1}}
    assert told_by_verdict(**plain) == "Runs as it says."
    assert told_by_verdict(physics={"mp_physics": 18}).startswith("Does not run as it says: mp_physics = 18")
    output = told_by_verdict(**plain, time_control={"output_diagnostics": 1})
    assert output.startswith("Runs as it says, but is not written so: output_diagnostics = 1")


def test_the_report_ends_with_this_line(squall, tmp_path):
    (tmp_path / "namelist.input").write_text(
        "&time_control\n run_hours = 6 /\n&domains\n time_step = 60, dx = 12000, dy = 12000 /\n"
    )
    said = squall("import", "namelist.input", "-o", "a.toml")
    assert said.stdout.splitlines()[-2].startswith(("Runs as it says", "Does not run as it says"))
