"""Writes run files for new runs, from a case that comes with Squall or for a WRF initial file."""

import filecmp
import os
import shutil
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from squall import locate
from squall.errors import UserError
from squall.run_files import cases
from squall.run_files.run_file import Line, render, toml
from squall.run_files.schema import STREAM, Key, Schema

_HEADING = [
    "",
    "Lines that begin with # show the defaults and the alternatives: remove the # and change the value",
    "to set one. A quantity is a text with its unit. `squall-model --keys` lists all keys.",
]

# Tables that most runs leave alone, shown only if the case uses them.
_SELDOM = {"parallel", "output", "boundary", "prepare", "fire"}

# Keys that name a file beside a case's run file.
_BESIDE = ("stations", "trajectories", "sounding", "surface", "geostrophic")

# Keys that name what a case is prepared from.
_DATA = ("analysis", "terrain", "sea_surface_temperature")

Settings = Mapping[str, Mapping[str, Any]]


def from_case(name: str, path: Path, schema: Schema) -> str:
    """The text of the run file `path` with the settings of a case that comes with Squall. Raises UserError
    for an unknown case."""
    source = locate.run_file(name)
    settings = tables_of(tomllib.loads(source.read_text()))
    about = cases.read(source).title
    heading = [f"{path.stem}, from the case {source.stem}: {about}.", *_HEADING]
    initial = dict(schema.tables["initial"].keys)
    if "case" in settings["initial"]:
        initial |= schema.cases[str(settings["initial"]["case"])].keys
    return _render(heading, settings, schema, initial)


def put_beside(name: str, path: Path) -> list[Path]:
    """Puts the files that a case's run file names into the folder of `path`: copies of tables beside the
    case, links to the data that it is prepared from. Data that are not here are left out; `squall prepare`
    will ask for them. Raises UserError, and puts nothing there, if a different file of the same name exists
    there."""
    source = locate.run_file(name)
    files = {word: source.parent / word for word in _named(source, _BESIDE)}
    data = {word: file for word in _named(source, _DATA) if (file := locate.data_file(word))}
    for word, file in (files | data).items():
        to = path.parent / word
        if to.exists() and not filecmp.cmp(to, file, shallow=False):
            raise UserError(f"{to} exists and differs from the file of the case {name}; move it away.")
    for word, file in files.items():
        shutil.copyfile(file, path.parent / word)
    for word, file in data.items():
        (path.parent / word).unlink(missing_ok=True)
        (path.parent / word).symlink_to(file)
    return [path.parent / word for word in files | data]


def _named(source: Path, keys: Collection[str]) -> list[str]:
    """The files that these keys of a run file name."""
    tables = tables_of(tomllib.loads(source.read_text()))
    values = [table[key] for table in tables.values() for key in keys if key in table]
    return [str(file) for value in values for file in (value if isinstance(value, list) else [value])]


def from_wrfinput(file: Path, path: Path, schema: Schema) -> str:
    """The text of the run file `path` for an initial file and the boundary file beside it. Raises UserError
    if `file` is not an initial file."""
    from squall.wrf import initial_file  # with netCDF, which is slow to import

    settings, start = initial_file.settings(file, schema)
    for table in ("initial", "boundary"):
        if table in settings:
            name = str(settings[table]["file"])
            settings[table]["file"] = os.path.relpath(name, path.parent) if not os.path.isabs(name) else name
    heading = [f"{path.stem}: from {file.name}, starting at {start}.", *_HEADING]
    return _render(heading, settings, schema, schema.tables["initial"].keys)


def tables_of(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """A run file's tables by full name: {"run": {...}, "output.history": {"interval": "1 h"}}."""
    tables: dict[str, dict[str, Any]] = {}
    for name, keys in document.items():
        if name not in ("output", "tracer", "ignition", "nest"):
            tables[name] = keys
            continue
        own = {key: value for key, value in keys.items() if not isinstance(value, dict)}
        if own:
            tables[name] = own
        tables |= {f"{name}.{inner}": value for inner, value in keys.items() if isinstance(value, dict)}
    return tables


def _render(heading: list[str], settings: Settings, schema: Schema, initial: Mapping[str, Key]) -> str:
    from_file = "file" in settings["initial"]
    tables: dict[str, list[Line]] = {}
    for name, table in schema.tables.items():
        seldom = name in _SELDOM or name.endswith(">") or (name == "vertical" and from_file)
        if name in settings or not seldom:
            keys = initial if name == "initial" else table.keys
            tables[name] = _lines(keys, settings.get(name, {}), hide=name == "domain" and from_file)
    stream = schema.tables[STREAM].keys
    tables["output.history"] = _lines(stream, settings.get("output.history", {}), hide=False)
    few = {name: stream[name] for name in ("interval", "engine")}
    tables["output.restart"] = _lines(few, settings.get("output.restart", {}), hide=False)
    for name in settings:  # streams and tracers of the case's own
        if name not in tables:
            tables[name] = _lines(schema.table(name).keys, settings[name], hide=True)
    return render(heading, tables)


def _lines(keys: Mapping[str, Key], settings: Mapping[str, Any], *, hide: bool) -> list[Line]:
    """A line for each key; with `hide`, only for keys that are set."""
    lines = []
    for key in keys.values():
        if key.name in settings:
            lines.append(Line(key.name, toml(settings[key.name]), _meaning(key)))
        elif not hide:
            lines.append(Line(key.name, _example(key), _meaning(key), active=False))
    return lines


def _meaning(key: Key) -> str:
    choices = key.takes.replace('"', "") if key.takes.startswith('"') else ""
    if all(choice in key.meaning for choice in choices.split(", ")):
        choices = ""  # told already
    unset = f" (default: {key.default_text})" if key.default_text else ""
    return f"{key.meaning}{f': {choices}' if choices else ''}{unset}".replace("`", "")


def _example(key: Key) -> str:
    """The default, or else an example of what the key takes."""
    if key.default is not None:
        return key.default
    if key.choices:
        return toml(key.choices[0])
    example = key.takes.partition("such as ")[2].replace("`", "").partition(" or ")[0]
    if key.takes.startswith(("a list", "a table")):
        return example or "[]"
    return example.split(",")[0] or ('""' if key.takes == "a string" else "0")
