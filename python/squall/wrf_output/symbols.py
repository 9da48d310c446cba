"""Which symbols object files, archives and programs need and define, as nm tells."""

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from squall.errors import UserError

_LINE = re.compile(r"(?P<where>.+): (?P<name>\S+) (?P<kind>[A-Za-z])\b")
_WEAK = "vw"  # may be missing


@dataclass
class Symbols:
    """`needed`: undefined symbols, with the first file (and member) that has them so."""

    needed: dict[str, str] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)


def of_objects(files: Sequence[Path]) -> Symbols:
    """Of object files and archives together. A symbol that one needs and another defines is in both."""
    found = Symbols()
    for where, name, kind in _listed(["-A"], files):
        if kind == "U":
            found.needed.setdefault(name, _short(where))
        elif kind not in _WEAK:
            found.defined.add(name)
    return found


def of_linked(file: Path) -> Symbols:
    """Of a shared library or a program: what it offers to others, and what it takes from them."""
    found = Symbols()
    for _, name, kind in _listed(["-A", "-D"], [file]):
        bare = name.partition("@")[0]
        if kind == "U":
            found.needed.setdefault(bare, file.name)
        elif kind not in _WEAK:
            found.defined.add(bare)
    return found


def _listed(how: list[str], files: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    if not files:
        return
    if shutil.which("nm") is None:
        raise UserError("`nm` is not in PATH; it is part of the GNU binutils, beside the compiler.")
    done = subprocess.run(
        ["nm", "-P", *how, "--", *map(str, files)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UserError(f"nm cannot read what WRF is linked from:\n{done.stderr.rstrip()}")
    for line in done.stdout.splitlines():
        found = _LINE.match(line)
        if found:
            yield found["where"], found["name"], found["kind"]


def _short(where: str) -> str:
    """libwrflib.a(module_io.o)"""
    name, _, member = where.partition("[")
    return f"{Path(name).name}({member.rstrip(']')})" if member else Path(name).name
