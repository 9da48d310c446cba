"""`squall new`: run files to begin from, for every case and for initial files."""

import re
import shutil
import tomllib

import netCDF4
import pytest

from squall import locate, new
from squall.errors import UserError
from squall.lab.verify.data import Skipped, folder
from squall.run_files import run_file, schema
from squall.wrf import initial_file

pytestmark = pytest.mark.regression

try:
    SCHEMA = schema.load()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)


@pytest.mark.parametrize("case", locate.case_files())
def test_a_new_file_says_what_its_case_says(case, tmp_path):
    made = tomllib.loads(new.from_case(case, tmp_path / "a.toml", SCHEMA))
    assert made == tomllib.loads(locate.case_files()[case].read_text())


def test_every_commented_key_is_one_of_the_model_with_its_default(tmp_path):
    text = new.from_case("supercell", tmp_path / "a.toml", SCHEMA)
    table, seen = "", 0
    for line in text.splitlines():
        if found := re.match(r"#?\[([a-z_.]+)\]", line):
            table = found[1]
        elif found := re.match(r"#(\w+) = (\S.*?)(  +#|$)", line):
            keys = SCHEMA.table(table).keys | (SCHEMA.cases["supercell"].keys if table == "initial" else {})
            default = keys[found[1]].default
            assert default is None or found[2] == default, line
            value = tomllib.loads(f"x = {found[2]}")["x"]
            assert isinstance(value, str) or not keys[found[1]].takes.startswith("a string"), line
            seen += 1
    assert seen > 60
    assert set(re.findall(r"^#?\[([a-z]+)\]", text, re.M)) >= {"run", "dynamics", "physics", "damping"}


def test_a_new_file_runs_and_is_not_replaced(squall, tmp_path):
    assert squall("new", "storm.toml", "--case", "supercell").returncode == 0
    plan = squall("run", "storm.toml", "--plan")
    assert plan.returncode == 0, plan.stderr
    assert "41 x 41 x 40" in plan.stdout
    before = (tmp_path / "storm.toml").read_text()
    again = squall("new", "storm.toml")
    assert again.returncode == 2
    assert "exists already" in again.stderr
    assert (tmp_path / "storm.toml").read_text() == before


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--case", "superzell"), "supercell"),
        (("--case", "supercell", "--from-wrfinput", "x"), "exclude each other"),
        (("--from-wrfinput", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_is_refused(arguments, expected, squall, tmp_path):
    said = squall("new", "a.toml", *arguments)
    assert said.returncode == 2
    assert expected in said.stderr
    assert not (tmp_path / "a.toml").exists()


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("conus_2008-02-05", "120 steps of 720 s, 1 d in all"),  # 6 s for each km, the boundary file's length
        ("conus_2005-07-16", "2005-07-16 00:00:00 to 2005-07-17 00:00:00"),
        ("baroclinic_wave", "40 x 80 x 64"),
        ("supercell", "41 x 41 x 40"),
    ],
)
def test_an_initial_file_gives_a_run_file_that_runs(case, expected, squall):
    try:
        data = folder(case)
    except Skipped as reason:
        pytest.skip(str(reason))
    assert squall("new", "a.toml", "--from-wrfinput", data / "wrfinput_d01").returncode == 0
    real = case.startswith("conus")
    without_tables = ["--set", "physics.radiation=broadband"] if real else []
    plan = squall("run", "a.toml", "--plan", *without_tables)
    assert plan.returncode == 0, plan.stderr
    assert expected in plan.stdout
    assert ("suite regional" in plan.stdout) == real


@pytest.mark.parametrize(
    ("spacing", "expected"),
    [
        (135e3, {"suite": "regional"}),
        (3e3, {"suite": "convection"}),
        (200.0, {"suite": "convection", "boundary_layer": "resolved"}),
    ],
)
def test_an_initial_file_of_weather_gives_schemes_for_its_spacing(spacing, expected, tmp_path):
    """Radiation and land among them, though the attributes name neither; the slab without moist soil."""
    try:
        shutil.copyfile(folder("conus_2005-07-16") / "wrfinput_d01", tmp_path / "wrfinput_d01")
    except Skipped as reason:
        pytest.skip(str(reason))
    file = tmp_path / "wrfinput_d01"
    with netCDF4.Dataset(file, "a") as data:
        data.DX = data.DY = spacing
    found, _ = initial_file.settings(file, SCHEMA)
    assert found["physics"] == expected
    assert found["diffusion"]["scheme"] == ("tke" if spacing < 500 else "smagorinsky-2d")
    with netCDF4.Dataset(file, "a") as data:
        data["SMOIS"][:] = 0
    found, _ = initial_file.settings(file, SCHEMA)
    assert found["physics"] == expected | {"land": "slab"}
    with netCDF4.Dataset(file, "a") as data:
        data.renameVariable("TSLB", "OTHER")
    found, _ = initial_file.settings(file, SCHEMA)
    assert "suite" not in found["physics"]


def test_long_comments_stand_above_their_key_and_lines_stay_short():
    text = run_file.render(["Title."], {"run": [run_file.Line("key", "1", "word " * 40)]})
    lines = text.splitlines()
    assert lines[0] == "# Title."
    assert lines[-1] == "key = 1"
    assert len(lines) == 6
    assert max(map(len, lines)) <= 110


def test_a_new_file_has_the_data_that_its_case_is_prepared_from_beside_it(squall, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(locate, "_DATA", dict.fromkeys(locate._DATA, "none/of/these"))
    assert locate.data_file("terrain.nc") is None
    brought = tmp_path / "cache" / "squall" / "demo" / "none" / "of" / "these"
    brought.parent.mkdir(parents=True)
    brought.write_text("heights")
    assert locate.data_file("wrfinput_d01") is None
    (tmp_path / "mine").mkdir()
    put = new.put_beside("january-storm", tmp_path / "mine" / "a.toml")
    assert {file.name for file in put} == {"analysis.grb2", "terrain.nc", "sea.nc"}
    assert {file.resolve() for file in put} == {brought}
    (tmp_path / "mine" / "sea.nc").unlink()
    (tmp_path / "mine" / "sea.nc").write_text("mine")
    with pytest.raises(UserError, match=r"sea\.nc exists and differs"):
        new.put_beside("january-storm", tmp_path / "mine" / "a.toml")


def test_a_case_that_is_prepared_first_says_how(squall, tmp_path):
    said = squall("run", "january-storm")
    assert said.returncode == 2
    for line in ("squall new january-storm.toml --case january-storm", "squall prepare january-storm.toml"):
        assert f"  {line}\n" in said.stderr
    made = squall("new", "january-storm.toml", "--case", "january-storm")
    assert made.stdout.endswith("Next: squall prepare january-storm.toml\n")


def test_a_new_file_s_folder_is_made(squall, tmp_path):
    said = squall("new", tmp_path / "of" / "mine" / "storm.toml", "--case", "supercell")
    assert said.returncode == 0, said.stderr
    assert (tmp_path / "of" / "mine" / "storm.toml").is_file()
