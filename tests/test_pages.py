"""What the pages show is valid: commands have these options, run files these keys, Python these names."""

import json
import re
import shlex
import subprocess
import tomllib

import pytest
import typer

from pages import gallery
from squall import cli, locate
from squall.errors import UserError
from squall.wrf_output import settings as wrf_output_settings

pytestmark = pytest.mark.regression

DOCS = locate.CHECKOUT / "docs"
PAGES = {
    str(path.relative_to(locate.CHECKOUT)): path.read_text()
    for path in (locate.CHECKOUT / "README.md", locate.CHECKOUT / "CONTRIBUTING.md", *DOCS.rglob("*.md"))
}

cli.mount_lab()
ROOT = typer.main.get_command(cli.app)


def fenced(text, language):
    """The fenced blocks of a language."""
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.S | re.M)


def code(text):
    """All code of a page, line by line: fenced, indented, or between backticks."""
    without = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.S | re.M)
    for block in fenced(text, "(?:bash|text|)"):
        yield from block.replace("\\\n", " ").splitlines()
    yield from re.findall(r"^    (\S.*)$", without.replace("\\\n", " "), re.M)
    yield from re.findall(r"`([^`\n]+)`", without)


def calls(text):
    """The words of each call of `squall` in a page, of a line such as `A=1 squall run x && squall plot x`."""
    for line in code(text):
        for part in re.split(r"&&|\||;|\bthen\b", line.removeprefix("$ ")):
            command = re.match(r"\s*(?:[A-Z_]+=\S* +)*squall +(\S.*)", part)
            if command:
                yield shlex.split(re.sub(r"\s[<>].*|\.\.\.|…", "", command[1]), comments=True)


def refusal(words):
    """Why the command line would be refused for its commands and options, or None."""
    command, path = ROOT, "squall"
    while (inner := getattr(command, "commands", None)) is not None:
        if not words or words[0].startswith("-") or words[0].isupper():
            return None  # a group, named as such, or a placeholder
        if words[0] not in inner:
            return f"{path} has no command {words[0]}"
        command, path, words = inner[words[0]], f"{path} {words[0]}", words[1:]
    try:
        command.make_parser(command.context_class(command)).parse_args(list(words))
    except Exception as error:  # Typer's own classes of Click's errors
        message = getattr(error, "message", str(error))
        # an option may be named without its value
        return None if "requires an argument" in message else f"{path}: {message}"
    return None


@pytest.mark.parametrize("page", [page for page in PAGES if any(calls(PAGES[page]))])
def test_commands_on_the_pages_exist_with_the_options_they_show(page):
    assert [reason for words in calls(PAGES[page]) if (reason := refusal(words))] == []


def test_a_command_that_does_not_exist_would_be_found():
    assert refusal(["plott", "runs/x"]) == "squall has no command plott"
    assert "No such option" in refusal(["plot", "runs/x", "--feild", "W"])
    assert list(calls("    SQUALL_X=1 squall run a.toml --plan  # checks\n")) == [["run", "a.toml", "--plan"]]


def test_targets_of_make_on_the_pages_exist():
    targets = set(re.findall(r"^([a-z0-9-]+):", (locate.CHECKOUT / "Makefile").read_text(), re.M))
    shown = {
        (page, target)
        for page, text in PAGES.items()
        for line in code(text)
        for target in re.findall(r"^(?:[A-Z]+=\S+ +)*make ([a-z][a-z0-9-]*)", line)
    }
    assert len(shown) > 5
    assert [one for one in sorted(shown) if one[1] not in targets] == []


def test_every_picture_of_the_gallery_has_its_command_below_it():
    text = PAGES["docs/gallery.md"]
    shown = re.findall(r"\(img/gallery/([^)]+)\)", text)
    drawn = dict(gallery.pictures(text))
    assert shown == list(drawn)
    assert len(shown) == 12
    assert sorted(path.name for path in (DOCS / "img" / "gallery").iterdir()) == sorted(shown)


@pytest.fixture(scope="module")
def tables():
    """The tables of run files with their keys, by patterns of the table's name."""
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    said = subprocess.run([model, "--schema"], capture_output=True, text=True, check=True).stdout
    return {
        re.sub(r"<\w+>", "[^.]+", table["name"]): {key["name"]: key for key in table["keys"]}
        for table in json.loads(said)["tables"]
    }


def unknown(document, tables, table=""):
    """The keys and choices of a fragment of a run file that run files do not have. Keys above the first
    table may belong to any."""
    known = {}
    for pattern, keys in tables.items():
        if not table or re.fullmatch(pattern, table):
            known |= keys
    for name, value in document.items():
        where = f"{table}.{name}" if table else name
        if isinstance(value, dict) and name not in known:
            yield from unknown(value, tables, where)
        elif name not in known:
            yield where
        elif known[name]["choices"] and isinstance(value, str) and value not in known[name]["choices"]:
            yield f"{where} = {value}"


@pytest.mark.parametrize("page", [page for page in PAGES if fenced(PAGES[page], "toml")])
def test_run_files_on_the_pages_have_keys_that_exist(page, tables, tmp_path):
    wrong = []
    for block in fenced(PAGES[page], "toml"):
        try:
            document = tomllib.loads(block)
        except tomllib.TOMLDecodeError as error:
            wrong.append(f"{error}: {block}")
            continue
        if page.endswith("wrf-output.md"):
            (tmp_path / "squall_io.toml").write_text(block)
            wrf_output_settings.read(tmp_path / "squall_io.toml")
        elif page.endswith("add-a-scheme.md"):
            assert list(unknown(document, tables)) == ["physics.microphysics = rainout"]  # the one it adds
        else:
            wrong += unknown(document, tables)
    assert wrong == []


@pytest.mark.parametrize("page", [page for page in PAGES if fenced(PAGES[page], "python")])
def test_python_on_the_pages_compiles_and_names_what_squall_has(page):
    import squall

    for block in fenced(PAGES[page], "python"):
        compile(block, page, "exec")
        for name in re.findall(r"(?<![\w.])squall((?:\.[a-z]\w*)+)", block):
            value = squall
            for part in name.split(".")[1:]:
                value = getattr(value, part)
