"""Results of commands that measure: a table on the terminal, the same as JSON, and a picture."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NUMBER = re.compile(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?\*?")


def show_table(console: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints a table. Cells of the first column are never broken, others only between words; a table that is
    too wide extends beyond the right edge."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column, cells in zip(columns, zip(*rows, strict=True), strict=True):
        first = not table.columns
        words = cells if first else [word for cell in (column, *cells) for word in cell.split()]
        table.add_column(
            column,
            justify="right" if all(_NUMBER.fullmatch(cell) for cell in cells if cell) else "left",
            min_width=max((len(word) for word in words), default=0),
        )
    for row in rows:
        table.add_row(*row)
    console.print(f"[bold]{title}[/]", highlight=False)
    least = console.measure(table).minimum
    console.print(table, width=max(console.width, least), crop=False, no_wrap=True)


def write_json(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n")


@contextmanager
def picture(path: Path, width: float = 9, height: float = 4) -> Iterator[Figure]:
    """A figure of a width and height [inches], saved to `path` if the block ends without an error."""
    from squall.plot import image, style  # slow to import, so not for tables or --help

    with style.applied():
        figure = style.figure(width, height)
        yield figure
        path.parent.mkdir(parents=True, exist_ok=True)
        image.write(figure, path)


def number(value: float | None) -> str:
    """A number with four significant digits; empty for None."""
    return "" if value is None else f"{value:.4g}"
