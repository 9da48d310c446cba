"""The run files that come with Squall, described by their opening comments.

A case's file begins with a comment: its first sentence is the title, and the paragraph that
begins with "Source:" cites where the case comes from.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from squall import locate


@dataclass(frozen=True)
class CaseFile:
    """A run file's title and source, from its opening comment."""

    path: Path
    title: str
    source: str


def read(path: Path) -> CaseFile:
    """Reads the opening comment of a run file."""
    lines = []
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("#").strip())
    comment = "\n".join(lines)
    about, _, source = comment.partition("Source:")
    title = re.split(r"(?<=[a-z)])\.(?:\s|$)|\n\n", about.strip(), maxsplit=1)[0]
    source = re.split(r"\n\n", source.strip(), maxsplit=1)[0]
    return CaseFile(path, " ".join(title.split()), " ".join(source.split()))


def load() -> dict[str, CaseFile]:
    """All run files that come with Squall, by name."""
    return _described(locate.case_files())


def load_transport() -> dict[str, CaseFile]:
    """Those of squall-transport."""
    return _described(locate.transport_files())


def _described(files: dict[str, Path]) -> dict[str, CaseFile]:
    return {name: read(path) for name, path in files.items()}


def table(cases: dict[str, CaseFile]) -> Table:
    """Run files that come with Squall, as a table."""
    title = f"Cases in {next(iter(cases.values())).path.parent}"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("Name", style="bold", no_wrap=True)
    table.add_column("Description")
    table.add_column("Source", style="dim")
    for name, case in cases.items():
        table.add_row(name, case.title, case.source)
    return table
