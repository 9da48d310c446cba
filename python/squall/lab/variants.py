"""Run files of the cases that come with Squall, with some keys changed."""

import tomllib
from collections.abc import Mapping

from squall import locate
from squall.new import tables_of
from squall.run_files.run_file import Line, render, toml

#: What a key becomes, by its full name: {"run.time_step": "6 s"}. None: it is left out; so is a whole
#: table, by the table's name.
Changes = Mapping[str, str | int | float | bool | list[str] | None]


def variant(case: str, changes: Changes) -> str:
    """The text of a run file: that of a case with its changes.

    Raises UserError for an unknown case, KeyError where what is to be left out is not there.
    """
    source = locate.run_file(case)
    tables = tables_of(tomllib.loads(source.read_text()))
    for path, value in changes.items():
        if value is None and path in tables:
            del tables[path]
            continue
        table, key = path.rsplit(".", 1)
        if value is None:
            del tables[table][key]
        else:
            tables.setdefault(table, {})[key] = value
    lines = {name: [Line(key, toml(value)) for key, value in keys.items()] for name, keys in tables.items()}
    told = ", ".join(changes) or "nothing"
    return render([f"The case {source.stem}, with other values of {told}."], lines)
