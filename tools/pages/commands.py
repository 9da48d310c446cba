"""The reference page of the commands, made from their help."""

import re
import textwrap
from collections.abc import Iterator
from typing import Any

import typer

from squall import cli

_HEADING = """\
# Commands

Made from the commands' own help: `squall COMMAND --help` shows the same.

Exit codes: 0 done; 1 it failed, or what was checked is not in order; 2 the command line or a run file is
wrong; 3 a run was [asked to stop](../how-to/restart.md#stop-a-run) and has written a restart frame;
128 + N ended by signal N. Messages go to standard error, and end with the page that explains them.

"""

_PROGRAMS = """\
## squall-model

    squall-model CASE.toml [--set TABLE.KEY=VALUE]... [--plan] [--threads T] [--overwrite]

The model itself, under any MPI launcher or alone. `--cases` lists the built-in cases, `--keys` prints
[the reference of run files](run-file.md), `--schema` the same as JSON, `--version` the version.
It heeds signals as `squall run` does.

## squall-transport

    squall-transport CASE.toml [--set TABLE.KEY=VALUE]... [--check] [--threads T] [--overwrite]

[Carries tracers around the globe](../how-to/transport.md), under any MPI launcher or alone. `--keys` prints
[the reference of its run files](transport-run-file.md), `--version` the version. It heeds signals as
`squall run` does.

## squall-io

    mpirun -n 4 squall-io convert|stitch|verify|recover ...
    squall-io engines [--json]

The program behind these commands, for use under any MPI launcher. Exit codes: 0 done, 1 something is wrong
with the files, 2 it could not be done.

## make

`make help` lists what the checkout's Makefile does.
"""


def page() -> str:
    """The page as Markdown."""
    cli.mount_lab()
    root = typer.main.get_command(cli.app)
    sections = [_section(path, command) for path, command in _commands(root, "squall")]
    return _HEADING + "\n".join([*sections, _PROGRAMS])


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
        return
    for name in inner:
        yield from _commands(inner[name], f"{path} {name}")


def _section(path: str, command: Any) -> str:
    about, _, examples = (command.help or "").partition("[bold]Examples[/bold]")
    about = re.sub(r"\n{3,}", "\n\n", about.strip())
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and one.name != "help"]
    usage = " ".join([path, *(_argument(one) for one in arguments), *(["[OPTIONS]"] if options else [])])
    rows = "".join(_row(_name(one), one) for one in (*arguments, *options))
    table = f"| | |\n| --- | --- |\n{rows}\n" if rows else ""
    return f"## {path}\n\n    {usage}\n\n{about}\n\n{table}Examples:\n\n{_code(examples)}\n"


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return _metavar(parameter)
    flags = ", ".join(f"`{flag}`" for flag in parameter.opts)
    return flags if parameter.is_flag else f"{flags} `{_metavar(parameter)}`"


def _argument(parameter: Any) -> str:
    name = _metavar(parameter)
    dots = "..." if parameter.nargs == -1 and not name.endswith("...") else ""
    return f"{name}{dots}" if parameter.required else f"[{name}{dots}]"


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper().strip("_"))


def _row(name: str, parameter: Any) -> str:
    help_text = re.sub(r"\s+", " ", str(parameter.help or "")).replace("|", "\\|").strip()
    default = parameter.default
    plain = isinstance(default, str | int | float) and not isinstance(default, bool) and default != ""
    shown = f" Default: {default}." if plain and parameter.show_default and "Default" not in help_text else ""
    cell = name.replace("|", "\\|")
    return f"| {cell} | {help_text}{shown} |\n"


def _code(examples: str) -> str:
    return textwrap.indent(textwrap.dedent(examples).strip() + "\n", "    ")


if __name__ == "__main__":
    print(page(), end="")
