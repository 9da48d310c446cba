"""Every command tells what it does, with examples; and the shell completes what can be completed."""

import os
import re
import subprocess
import sys

import pytest
import typer
from typer import rich_utils
from typer.testing import CliRunner

from squall import cli
from squall.commands import complete

cli.mount_lab()
ROOT = typer.main.get_command(cli.app)


def commands(command, path=("squall",)):
    """Every command of the tree that does something, with its words."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(path), command
    else:
        for name in inner:
            yield from commands(inner[name], (*path, name))


COMMANDS = dict(commands(ROOT))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_describes_and_gives_examples(name):
    text = COMMANDS[name].help or ""
    description, _, examples = text.partition("[bold]Example")
    assert len(description.split()) >= 5, f"{name} has no description"
    assert re.search(rf"^ *{name}\b", examples, re.M), f"{name} --help has no example that calls it"


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_stand_indented_on_lines_that_80_columns_hold(name, monkeypatch):
    monkeypatch.setattr(rich_utils, "MAX_WIDTH", 80)
    shown = CliRunner().invoke(cli.app, [*name.split()[1:], "--help"], prog_name="squall").output
    written = [line.rstrip() for line in COMMANDS[name].help.partition("[/bold]")[2].splitlines() if line]
    below = shown.partition("Examples")[2].partition("\n")[2]
    assert written
    assert [line[1:].rstrip() for line in below.splitlines() if line.strip()][: len(written)] == written
    assert all(line.startswith("    ") for line in written)


def test_an_option_means_the_same_in_all_commands():
    """--json prints, files are written to by --output or --results; what is repeated is by --repeats."""
    options = {}
    for command, known in COMMANDS.items():
        for parameter in known.params:
            for option in parameter.opts:
                options.setdefault(option, {})[command] = parameter
    assert all(json.is_flag for json in options["--json"].values())
    assert all("-o" in output.opts for output in options["--output"].values())
    assert all(results.metavar == "FILE" and not results.is_flag for results in options["--results"].values())
    assert not any(several.is_flag or several.required for several in options["--engines"].values())
    assert not {"--repeat", "--rounds", "--pairs", "--repetitions", "--format", "--out"} & set(options)
    assert options["-n"].keys() <= options["--ranks"].keys()


def test_the_two_plans_are_told_apart():
    run = next(parameter for parameter in COMMANDS["squall run"].params if "--plan" in parameter.opts)
    assert "`squall plan` predicts for another machine" in run.help
    assert "`squall run --plan` checks a run file" in COMMANDS["squall plan"].help


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_and_argument_says_what_it_is(name):
    silent = [
        parameter.name
        for parameter in COMMANDS[name].params
        if not getattr(parameter, "help", None) and parameter.name != "help"
    ]
    assert not silent


def test_the_tree_has_the_commands_that_the_docs_speak_of():
    assert {"squall run", "squall new", "squall import", "squall plot", "squall doctor"} <= set(COMMANDS)
    assert any(name.startswith("squall lab ") for name in COMMANDS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script(squall, shell):
    said = squall("completion", shell)
    assert said.returncode == 0, said.stderr
    assert "_SQUALL_COMPLETE" in said.stdout


def offered(tmp_path, *words):
    """What bash would be offered for the last of the words."""
    line = " ".join(words)
    said = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv[0] = 'squall'; from squall.cli import main; main()"],
        env=os.environ
        | {"_SQUALL_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": f"{len(words) - 1}"},
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    return said.stdout.split()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "runs" / "storm").mkdir(parents=True)
    (tmp_path / "runs" / "storm" / "run.toml").touch()
    (tmp_path / "runs" / "else").mkdir()
    (tmp_path / "mine.toml").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("squall", "ru"), ["run"]),
        (("squall", "run", "dens"), ["density-current"]),
        (("squall", "run", "mi"), ["mine.toml"]),
        (("squall", "new", "a.toml", "--case", "super"), ["supercell"]),
        (("squall", "plot", "runs/"), ["runs/storm"]),
        (("squall", "report", "runs/s"), ["runs/storm"]),
    ],
)
def test_words_are_completed(words, expected, folder):
    assert offered(folder, *words) == expected


def test_fields_are_those_of_the_run(density_current):
    class Context:
        params = {"run": density_current}  # noqa: RUF012

    assert "W" in complete.fields(Context(), "W")
    assert complete.fields(Context(), "vort") == ["vorticity"]
    assert complete.fields(Context(), "cape") == []  # it needs vapour
    assert complete.fields(Context(), "Zz") == []


def test_without_a_run_no_field_is_offered(tmp_path):
    class Context:
        params = {"run": tmp_path}  # noqa: RUF012

    assert complete.fields(Context(), "") == []


_TELLS_WHAT_IT_IMPORTED = """
import atexit, sys
atexit.register(lambda: print(*sorted(sys.modules.keys() & {"matplotlib", "netCDF4", "scipy", "xarray"})))
from squall.cli import main
main()
"""


@pytest.mark.parametrize("words", [["--help"], ["lab", "--help"]])
def test_help_waits_for_no_library_of_data_or_pictures(words):
    done = subprocess.run(
        [sys.executable, "-c", _TELLS_WHAT_IT_IMPORTED, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "lab" in done.stdout
    assert done.stdout.splitlines()[-1] == ""
