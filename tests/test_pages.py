"""What the pages show is valid: commands have these options, run files these keys, Python these names."""

import json
import re
import subprocess
import tomllib

import pytest
import typer

from page_blocks import PAGES, calls, fenced, quoted, typed
from pages import gallery
from squall import cli, locate
from squall.errors import UserError
from squall.wrf_output import settings as wrf_output_settings

pytestmark = pytest.mark.regression

DOCS = locate.CHECKOUT / "docs"

cli.mount_lab()
ROOT = typer.main.get_command(cli.app)


def code(text):
    """All code of a page that may be typed in a shell, line by line."""
    yield from typed(text)
    yield from quoted(text)


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


@pytest.mark.parametrize("page", [page for page in PAGES if any(calls(code(PAGES[page])))])
def test_commands_on_the_pages_exist_with_the_options_they_show(page):
    assert [reason for words in calls(code(PAGES[page])) if (reason := refusal(words))] == []


def test_a_command_that_does_not_exist_would_be_found():
    assert refusal(["plott", "runs/x"]) == "squall has no command plott"
    assert "No such option" in refusal(["plot", "runs/x", "--feild", "W"])
    page = "1. Then\n\n        SQUALL_X=1 squall run a.toml --plan  # checks\n\n   and `squall\n   info a`.\n"
    assert list(calls(code(page))) == [["run", "a.toml", "--plan"], ["info", "a"]]


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


#: Pages of run files of another program: squall-transport's tables, as its reference page has them.
OF_TRANSPORT = {"docs/how-to/transport.md", "docs/tutorials/eruption.md"}


def transport_tables():
    """As `tables`, of what `squall-transport --keys` printed."""
    found, keys = {}, {}
    for line in PAGES["docs/reference/transport-run-file.md"].splitlines():
        if heading := re.match(r"## `\[(.+)\]`", line):
            keys = found.setdefault(re.sub(r"<\w+>", "[^.]+", heading[1]), {})
        elif row := re.match(r"\| `(\w+)` \| (.*?) \|", line):
            keys[row[1]] = {"choices": re.findall(r'"([\w-]+)"(?=,| \|)', row[2] + " |")}
    return found


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
            wrong += unknown(document, transport_tables() if page in OF_TRANSPORT else tables)
    assert wrong == []


def test_a_key_that_does_not_exist_would_be_found(tables):
    """In a block that is indented, as many are, and one of the other program."""
    (block,) = fenced("As here:\n\n    [run]\n    tyme_step = 1\n", "toml")
    assert list(unknown(tomllib.loads(block), tables)) == ["run.tyme_step"]
    wind = {"wind": {"flow": "solid-bodies", "phase": 1, "read": "rows"}}
    assert list(unknown(wind, transport_tables())) == ["wind.flow = solid-bodies", "wind.phase"]


@pytest.mark.parametrize("page", [page for page in PAGES if fenced(PAGES[page], "python")])
def test_python_on_the_pages_compiles_and_names_what_squall_has(page):
    import squall

    for block in fenced(PAGES[page], "python"):
        compile(block, page, "exec")
        for name in re.findall(r"(?<![\w.])squall((?:\.[a-z]\w*)+)", block):
            value = squall
            for part in name.split(".")[1:]:
                value = getattr(value, part)
