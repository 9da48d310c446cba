"""The page of numbers of simulated runs, planner/NUMBERS.md; it takes some minutes."""

import resource
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from squall import machine
from squall.lab.workspace import Workspace
from squall_studies import planning
from squall_studies.reproduce import catalogue, curves, simulated_scale
from squall_studies.reproduce.item import Context, Found, Table, published_best
from squall_studies.reproduce.simulated import AGAINST, Run, drain, step

_HEADING = """\
# Numbers of simulated runs

Made by `python -m squall_studies.numbers`; `studies/tests/test_lab_simulated.py` and
`test_lab_simulated_scale.py` hold messages, times, what is beaten, and what breaks first to what the programs
say.

"""
_SUPERCELL = (41, 41, 40)
_LARGE = (8000, 8000, 50)
_TOGETHER = 10  # nodes of 10,000 ranks
_ENGINES = ("netcdf", "pnetcdf", "zarr", "adios")


def page() -> str:
    parts = [
        _section("Messages of a step of the supercell, as planned", messages()),
        _section("Published and simulated times", published()),
        _section("Published bests, and Squall on the same machines", beaten()),
        _section("What `today` comes to first, of 8000 x 8000 x 50 cells", broken()),
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
        for curve in map(curves.curve, ("hector-simulated-servers", "adios2-simulated-options")):
            rows += points(curve.name, curve.tables(curve.measure(context)))
    return _rows(["item", "point", "published, s", "simulated, s", "off by"], rows)


def points(item: str, tables: Sequence[Table]) -> list[list[str]]:
    """Of an item's tables, what of the page they say."""
    return [[f"`{item}`", *row] for table in tables if table.title == AGAINST for row in table.rows]


def beaten() -> list[str]:
    """What Squall has of each published best on the study's own machine."""
    with tempfile.TemporaryDirectory() as folder:
        context = Context(Workspace(Path(folder)), True, 1, lambda _: nullcontext())
        rows = [row for study in BESTS for row in against_best(study, context)]
    return _rows(["item", "what", "published best", "simulated", "beaten"], rows)


def against_best(name: str, context: Context) -> list[list[str]]:
    """Of an item that has a published best, rows of the page: of a look, which has what that takes."""
    [item] = catalogue.chosen([name])
    tables = item.tables(item.measure(context))
    return [[f"`{name}`", *row] for row in BESTS[name](tables)]


def _of_frames(best: float, tables: Sequence[Table]) -> list[list[str]]:
    return [
        [row[0], f"{best:g} s a frame", f"{row[1]} s, stored after {row[2]} s", row[-1]]
        for row in tables[0].rows
    ]


def _of_diagnostics(best: float, tables: Sequence[Table]) -> list[list[str]]:
    return [[what, f"{best:g} s over a step", f"{seconds} s", yes] for what, seconds, yes in tables[-1].rows]


def _of_forecasts(best: float, tables: Sequence[Table]) -> list[list[str]]:
    """Of a look, which has the study's machine alone."""
    return [
        [
            f"{way}, a frame every {every}",
            f"{best:g} of the steps",
            costs.partition(" ")[0],
            f"no: {why}" if why else "yes",
        ]
        for way, every, costs, _, why in tables[1].rows
    ]


#: What makes rows of an item's tables, by item.
BESTS: Mapping[str, Callable[[Sequence[Table]], list[list[str]]]] = {
    f"{study}-simulated-{what}": partial(rows, published_best(study, f"{study}-simulated-{what}"))
    for study, what, rows in (
        ("hector", "squall", _of_frames), ("adios2", "squall", _of_frames),
        ("tomcat", "diagnostics", _of_diagnostics), ("adios2", "forecast", _of_forecasts),
    )
}  # fmt: skip


def broken() -> list[str]:
    """Of 1,000 to 100,000 ranks, the limit that is used most, and how much of it."""
    with tempfile.TemporaryDirectory() as folder:
        context = Context(Workspace(Path(folder)), False, 1, lambda _: nullcontext())
        found = simulated_scale.measure(context)
    rows = limits(found) + [[row["way"], row["ranks"], row["why"], "", ""] for row in found["refused"]]
    return _rows(["engine, codec, placement", "ranks", "breaks first", "of it is used", "run / steps"], rows)


def limits(found: Found) -> list[list[str]]:
    """Of what `today-simulated-scale` found, rows of the page."""
    return [
        [
            *(run["way"], f"{run['ranks']}", simulated_scale.first(run)),
            *(f"{float(format(max(run['uses'].values()), '.2g')):g}", f"{run['cost']:.3f}"),
        ]
        for run in found["runs"]
    ]


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
