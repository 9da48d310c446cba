"""The page of numbers of simulated runs, sim/NUMBERS.md; it takes some minutes."""

import resource
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from squall import machine, planning
from squall.lab.reproduce.item import Context, Table
from squall.lab.reproduce.simulated import AGAINST, Run, drain, step
from squall.lab.reproduce.simulated_studies import WITH_POINTS
from squall.lab.workspace import Workspace

_HEADING = """\
# Numbers of simulated runs

Made by `python -m squall.pages.simulated`; `tests/test_lab_simulated.py` holds messages, and published and
simulated times, to what the programs say.

"""
_SUPERCELL = (41, 41, 40)
_LARGE = (8000, 8000, 50)
_TOGETHER = 10  # nodes of 10,000 ranks
_ENGINES = ("netcdf", "pnetcdf", "zarr", "adios")


def page() -> str:
    parts = [
        _section("Messages of a step of the supercell, as planned", messages()),
        _section("Published and simulated times", published()),
        _section(
            f"10,000 ranks of `today`, {_TOGETHER} nodes together instead of each by itself: changed by",
            together(),
        ),
        _section("100,000 ranks of `today`: what simulating a step and a frame took", largest()),
    ]
    return _HEADING + "\n".join(parts)


def _section(title: str, lines: Sequence[str]) -> str:
    return f"## {title}\n\n" + "\n".join(lines) + "\n"


def _rows(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Lines of a table."""
    return [f"| {' | '.join(map(str, row))} |" for row in (columns, ["---"] * len(columns), *rows)]


def messages() -> list[str]:
    rows = []
    for ranks in (2, 4):
        answer = planning.ask(Run("today", _SUPERCELL, ranks).question())["step"]
        rows.append([ranks, answer["messages"], answer["bytes"]])
    return _rows(["ranks", "messages", "bytes"], rows)


def published() -> list[str]:
    """Of all curves with published points."""
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        context = Context(Workspace(Path(folder)), True, 1, lambda _: nullcontext())
        for curve in WITH_POINTS:
            rows += points(curve.name, curve.tables(curve.measure(context)))
    return _rows(["item", "point", "published, s", "simulated, s", "off by"], rows)


def points(item: str, tables: Sequence[Table]) -> list[list[str]]:
    """Of an item's tables, what of the page they say."""
    return [[f"`{item}`", *row] for table in tables if table.title == AGAINST for row in table.rows]


def together() -> list[str]:
    rows = []
    for engine in _ENGINES:
        whole = Run("today", _LARGE, 10_000, engine).question()
        nodes = -(-10_000 // 128)
        one_by_one, some = (planning.ask(replace(whole, apart=n)) for n in (nodes, -(-nodes // _TOGETHER)))
        changes = (f"{100 * (of(some) / of(one_by_one) - 1):+.1f} %" for of in (step, drain))
        rows.append([engine, *changes])
    return _rows(["engine, inline", "step", "frame"], rows)


def largest() -> list[str]:
    answer = planning.ask(Run("today", _LARGE, 100_000).question())
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
    return _rows(["processor", "s", "MB"], [[machine.processor(), f"{answer['wall']:.0f}", f"{most:.0f}"]])


if __name__ == "__main__":
    print(page(), end="")
