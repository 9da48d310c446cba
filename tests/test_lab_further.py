"""Commands of `squall lab` that other packages bring where these are installed, else named with them."""

import tomllib
from importlib import metadata

import pytest
import typer

from squall import locate
from squall.errors import UserError
from squall.lab import further

PROJECT = tomllib.loads((locate.CHECKOUT / "studies" / "pyproject.toml").read_text())["project"]


def mounted(monkeypatch, points):
    monkeypatch.setattr(metadata, "entry_points", lambda group: points)
    app = typer.Typer()
    app.command("own")(lambda: None)
    further.add(app)
    return typer.main.get_command(app)


def test_the_names_of_the_studies_commands_are_those_that_they_bring():
    assert set(further.OF_STUDIES) == set(PROJECT["entry-points"][further.GROUP])


@pytest.mark.parametrize("name", further.OF_STUDIES)
def test_a_command_that_is_not_installed_is_named_with_what_brings_it(monkeypatch, name):
    lab = mounted(monkeypatch, [])
    assert lab.commands[name].hidden
    with pytest.raises(UserError, match=rf"`squall lab {name}` comes with squall-studies.*squall\[studies\]"):
        lab.main([name, "--list", "item"], standalone_mode=False)


def test_commands_of_other_packages_are_mounted(monkeypatch):
    theirs = typer.Typer()
    ran = []
    theirs.command("reproduce")(lambda: ran.append("theirs"))
    monkeypatch.setattr(metadata.EntryPoint, "load", lambda point: theirs)
    lab = mounted(monkeypatch, [metadata.EntryPoint("reproduce", "theirs:app", further.GROUP)])
    assert not lab.commands["reproduce"].hidden
    lab.main(["reproduce"], standalone_mode=False)
    assert ran == ["theirs"]
