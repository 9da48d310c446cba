"""What a reproduced table or figure is."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from squall.lab.workspace import Workspace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What an item has measured: JSON can hold it. The runner adds machine, version and time.
Found = dict[str, Any]

#: Of items that stand for themselves.
NO_STUDY = "today"

_PUBLISHED = Path(__file__).parent / "published"


@dataclass(frozen=True)
class Table:
    """Cells as text, the first column names."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Published:
    """Numbers of a study and where they stand; rows in the order of columns."""

    source: str
    columns: list[str]
    rows: list[list[Any]]
    note: str = ""

    def column(self, name: str) -> list[Any]:
        """Raises ValueError for one that is not there."""
        return [row[self.columns.index(name)] for row in self.rows]

    def table(self) -> Table:
        return Table("Published", self.columns, [[str(cell) for cell in row] for row in self.rows])


@dataclass(frozen=True)
class Study:
    """A published study, cited."""

    name: str
    title: str
    citation: str


@dataclass(frozen=True)
class Context:
    """What `measure` gets: a directory of its own for runs, whether a look is enough (small domains, few
    steps), how many times to measure what is scattered (the best or the median counts, as the study had it),
    what tells the user what goes on, and whether what is cut short else is to be as long as in the study."""

    workspace: Workspace
    quick: bool
    repeats: int
    status: Callable[[str], AbstractContextManager[Any]]
    full: bool = False


@dataclass(frozen=True)
class Item:
    """A table or a figure of a study.

    measure: raises UserError where the machine or the build lacks what it needs.
    tables, draw: of what `measure` returned, and of nothing else; published is None where the study's numbers
    were not found. draw is called within Squall's style.
    """

    name: str  # of the command line: STUDY-WHAT
    study: str  # a Study's name
    figure: str  # what it is in the study
    measures: str  # a sentence
    minutes: float  # that it takes on two cores, about
    measure: Callable[[Context], Found]
    tables: Callable[[Found], list[Table]]
    draw: Callable[[Found, Published | None], Figure]
    simulated: bool = False  # at the published scale, instead of measured here

    def published(self) -> Published | None:
        return published_of(self.study, self.name)

    def missing(self) -> str:
        """That the study's numbers were not found; empty where they were, and where there is no study."""
        if self.study == NO_STUDY or self.published():
            return ""
        return "The study's numbers of this, if it has any, were not within reach."

    def finding(self) -> str:
        """What the study found, in words and with where that stands; empty where that was not found."""
        found = _file(self.study).get("findings", {}).get(self.name)
        return f"The study: {found['says']} ({found['source']})" if found else ""

    def told(self) -> str:
        """All there is of the study beside its numbers."""
        return f"{self.missing()} {self.finding()}".strip()


def published_of(study: str, item: str) -> Published | None:
    """None where the study's numbers were not found."""
    found = _file(study).get(item)
    return Published(**found) if found else None


def published_best(study: str, item: str) -> float:
    """The number in the last row and column of what a study published. Raises LookupError where it was not
    found."""
    found = published_of(study, item)
    if found is None:
        raise LookupError(f"published/{study}.toml has no {item}")
    return float(found.rows[-1][-1])


def study(name: str) -> Study:
    """Raises KeyError for one without a file in published/."""
    return Study(name, **_file(name)["study"])


@cache
def _file(name: str) -> dict[str, Any]:
    path = _PUBLISHED / f"{name}.toml"
    return tomllib.loads(path.read_text()) if path.is_file() else {}
