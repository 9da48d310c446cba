"""What every lab command ends with: a table on the terminal, the same as JSON, a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from squall.plot import style


def show_table(console: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print(table)


def write_json(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n")


@contextmanager
def picture(path: Path, width: float = 9, height: float = 4) -> Iterator[Figure]:
    """A figure (inches), saved to `path` when the block ends well."""
    figure = style.figure(width, height)
    yield figure
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def number(value: float | None) -> str:
    """Four significant digits, or nothing."""
    return "" if value is None else f"{value:.4g}"
