"""What `make demo` would do, without doing it, and where its data come from."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = {
    "analysis.grb2": "usr/share/ncarg/data/grb/fh.0012_tl.press_gr.awp211.grb2",
    "terrain.nc": "usr/share/ferret-vis/data/etopo5.cdf",
    "sea.nc": "usr/share/ferret-vis/data/coads_climatology.cdf",
}


def run(*command, **environment):
    return subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def commands(case):
    told = run("tools/demo", case, "--dry-run")
    assert told.returncode == 0, told.stderr
    return [
        line.removeprefix("$ ") for line in told.stdout.splitlines() if line.startswith("$ ")
    ], told.stdout


def test_the_demo_fetches_prepares_runs_and_draws_a_forecast():
    steps, told = commands("january-storm")
    assert steps == [
        "tools/demo-data runs/january-storm",
        "squall fetch radiation",
        "squall fetch land",
        "cp run-files/january-storm.toml runs/january-storm/january-storm.toml",
        "squall prepare runs/january-storm/january-storm.toml",
        "squall run runs/january-storm/january-storm.toml --overwrite",
        "squall plot runs/january-storm -o runs/january-storm/january-storm.png",
        "squall plot runs/january-storm --animate -o runs/january-storm/january-storm.gif",
    ]
    assert "Animation:  runs/january-storm/january-storm.gif" in told


def test_the_demo_goes_on_without_land_cover_that_cannot_be_fetched(tmp_path):
    """With a stand-in for the command that has no network."""
    for name in ("tools/demo", "tools/demo-data", "run-files/january-storm.toml", ".venv/bin/squall"):
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).suffix == ".toml" or name == "tools/demo":
            shutil.copy(ROOT / name, copy)
            continue
        copy.write_text(
            '#!/bin/sh\nmkdir -p runs/january-storm\necho "ran $0 $*"\n[ "$*" != "fetch land" ]\n'
        )
        copy.chmod(0o755)
    told = run(tmp_path / "tools/demo", "january-storm")
    assert told.returncode == 0, told.stderr
    assert "Continuing without it: all land is grass." in told.stderr
    assert "squall prepare runs/january-storm/january-storm.toml" in told.stdout


def test_a_case_for_larger_machines_is_shown_by_its_small_edition():
    steps, told = commands("great-north-run")
    assert steps[:3] == [
        "tools/demo-data runs/great-north-run terrain.nc",
        "cp run-files/great-north-run-small.toml runs/great-north-run/great-north-run.toml",
        "squall prepare runs/great-north-run/great-north-run.toml",
    ]
    assert "Run file:   runs/great-north-run/great-north-run.toml" in told


@pytest.mark.parametrize("case", ["supercell", "baroclinic-wave", "squall-line"])
def test_a_built_in_case_needs_no_data(case):
    steps, told = commands(case)
    assert steps == [
        f"squall run run-files/{case}.toml --overwrite",
        f"squall plot runs/{case} -o runs/{case}/{case}.png",
    ]
    assert "Animation" not in told


def test_the_demo_says_how_to_watch_it_and_does_so_while_it_runs_if_asked():
    assert "Page:       squall watch runs/supercell" in commands("supercell")[1]
    told = run("tools/demo", "supercell", "--dry-run", WATCH="1").stdout.splitlines()
    assert "$ squall watch runs/supercell --browser" in told
    assert told.index("$ mkdir -p runs/supercell") < told.index(
        "$ squall run run-files/supercell.toml --overwrite"
    )


def test_every_page_that_the_demo_names_is_there():
    for case in ("january-storm", "supercell"):
        page = commands(case)[1].split("Next:")[1].strip()
        assert (ROOT / page).is_file()


def test_an_unknown_case_lists_those_there_are():
    told = run("tools/demo", "winter")
    assert told.returncode == 2
    assert "There is no case winter" in told.stderr
    assert "make demo CASE=supercell" in told.stderr
    assert "make demo CASE=january-storm" in told.stderr


def test_data_of_an_earlier_time_are_used_again(tmp_path):
    for file in FILES.values():
        copy = tmp_path / "cache" / "squall" / "demo" / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(file)
    folder = tmp_path / "runs" / "case"
    told = run("tools/demo-data", folder, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert (told.returncode, told.stdout) == (0, "")
    for name, file in FILES.items():
        assert (folder / name).resolve() in (tmp_path / "cache" / "squall" / "demo" / file, Path("/", file))


@pytest.mark.skipif(Path("/", FILES["analysis.grb2"]).exists(), reason="the package is installed here")
def test_without_packages_or_network_the_demo_says_what_to_do(tmp_path):
    apt = tmp_path / "bin" / "apt-get"
    apt.parent.mkdir()
    apt.write_text("#!/bin/sh\nexit 100\n")
    apt.chmod(0o755)
    told = run(
        "tools/demo-data",
        tmp_path / "folder",
        XDG_CACHE_HOME=str(tmp_path / "cache"),
        PATH=f"{apt.parent}:{os.environ['PATH']}",
    )
    assert told.returncode == 1
    assert "sudo apt-get install --no-install-recommends libncarg-data" in told.stderr
    assert str(tmp_path / "cache" / "squall" / "demo" / FILES["analysis.grb2"]) in told.stderr
    assert "make demo CASE=supercell" in told.stderr
    assert not list((tmp_path / "cache" / "squall" / "demo").glob("new.*"))
