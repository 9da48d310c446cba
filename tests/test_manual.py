"""The documentation: pages that messages point to, pages made from the code, programs that pages quote."""

import re
import subprocess
import textwrap

import pytest

from pages import commands as commands_page
from pages import derived_fields as derived_fields_page
from pages import engines as engines_page
from squall import cli, locate, manual
from squall.errors import UserError
from squall.runs import jobs, running

pytestmark = pytest.mark.regression

DOCS = locate.CHECKOUT / "docs"
PAGES = manual.pages()


def test_pages_have_names_of_their_own_and_titles():
    files = list(DOCS.glob("*/*.md"))
    assert len(files) > 25
    assert len(PAGES) == len(files)
    assert all(manual.title(path) for path in PAGES.values())


def test_every_page_that_the_model_points_to_exists():
    sources = [path.read_text() for path in (locate.CHECKOUT / "model" / "src").rglob("*.cpp")]
    named = {name for text in sources for name in re.findall(r'see\([^;]*?"([a-z-]+)"\)', text)}
    assert {"restart", "run-file", "stopped-run", "output"} <= named
    assert named <= set(PAGES)


def test_every_page_that_the_command_points_to_exists():
    assert set(manual.EXPLAINED.values()) <= set(PAGES)


@pytest.mark.parametrize(
    ("arguments", "page"),
    [
        (("plot", "nowhere"), "plot"),
        (("import", "nowhere"), "wrf-namelist"),
        (("new", "a.toml", "--from-wrfinput", "nowhere"), "wrfinput"),
        (("run", "nowhere"), "run-file"),
    ],
)
def test_a_message_ends_with_the_page_that_explains_it(arguments, page, squall):
    said = squall(*arguments)
    assert said.returncode == 2
    assert said.stderr.splitlines()[-1] == f"See: squall help {page}"
    shown = squall("help", page)
    assert shown.returncode == 0
    assert shown.stdout == PAGES[page].read_text()


def test_the_models_messages_end_with_a_page_too(squall):
    try:
        locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    said = squall("run", "density-current", "--set", "run.tyme_step=1 s")
    assert said.stderr.splitlines()[-1] == "See: squall help run-file"


def test_help_lists_pages_and_knows_the_nearest(squall):
    said = squall("help")
    assert said.returncode == 0
    assert "Continue a run" in said.stdout
    said = squall("help", "restrat")
    assert said.returncode == 2
    assert "Did you mean restart?" in said.stderr


def test_the_page_of_commands_is_made_from_their_help():
    assert (DOCS / "reference" / "commands.md").read_text() == commands_page.page(), (
        "run .venv/bin/python tools/pages/commands.py > docs/reference/commands.md"
    )
    assert cli.app is not None


def test_the_page_of_engines_is_made_from_what_they_say():
    try:
        page = engines_page.page()
    except UserError:
        pytest.skip("squall-io is not built")
    shown = (DOCS / "reference" / "engines.md").read_text()
    sections = page.split("\n## ")[1:]
    assert sections
    for section in sections:  # a build may lack some
        assert section.strip() in shown, (
            "run .venv/bin/python tools/pages/engines.py > docs/reference/engines.md"
        )


def test_the_page_of_derived_fields_is_made_from_their_table():
    assert (DOCS / "reference" / "derived-fields.md").read_text() == derived_fields_page.page(), (
        "run .venv/bin/python tools/pages/derived_fields.py > docs/reference/derived-fields.md"
    )


def test_the_page_of_fields_is_the_models_own_list():
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    said = subprocess.run([model, "--fields"], capture_output=True, text=True, check=True)
    assert said.stdout.count("\n| `") > 50
    assert (DOCS / "reference" / "fields.md").read_text() == said.stdout, (
        "run squall-model --fields > docs/reference/fields.md"
    )


def blocks(page, language):
    """The fenced blocks of a language in a page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGES[page].read_text(), re.S | re.M)


@pytest.mark.parametrize(("language", "suffix"), [("cpp", "cpp"), ("fortran", "f90"), ("python", "py")])
def test_the_tutorial_quotes_the_example_as_it_is(language, suffix):
    source = (locate.CHECKOUT / "example-programs" / "heat" / f"heat.{suffix}").read_text()
    lines = [line.strip() for line in source.splitlines()]
    quoted = [block for block in blocks("tutorial-own-model", language) if "xarray" not in block]
    assert len(quoted) == 3
    for block in quoted:
        wanted = [line.strip() for line in textwrap.dedent(block).splitlines()]
        assert any(lines[n : n + len(wanted)] == wanted for n in range(len(lines))), block


def test_job_scripts_are_read_by_bash():
    for kind in ("slurm", "pbs"):
        subprocess.run(
            ["bash", "-n", locate.CHECKOUT / "example-programs" / "cluster" / f"forecast.{kind}"], check=True
        )


def test_the_tutorial_quotes_the_job_script_that_is_submitted(tmp_path):
    wishes = running.Wishes("forecast.toml", ranks=128, threads=2)
    options = jobs.Options(nodes=4, walltime="6:00:00")
    (tmp_path / "forecast.toml").touch()
    script = jobs.text("Slurm", tmp_path / "forecast.slurm", tmp_path / "forecast.toml", wishes, options, {})
    script = script.replace(f"{tmp_path}/", "").replace(" $first", " --continue")
    quoted = [line for block in blocks("tutorial-cluster", "bash") for line in block.splitlines()]
    assert len(quoted) > 5
    written = {line.partition("  #")[0].rstrip() for line in script.splitlines()}
    assert [line for line in quoted if line and line.partition("  #")[0].rstrip() not in written] == []


def test_the_site_names_no_host():
    configuration = (locate.CHECKOUT / "mkdocs.yml").read_text()
    assert "://" not in configuration
