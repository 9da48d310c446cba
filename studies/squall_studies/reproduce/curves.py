"""Items that are simulated, as curves/STUDY.toml have them: whole curves, and what others simulate.

A curve has x, and series of runs: their keys are those of a `Run`, those of `run` for all series. A text such
as "x", "8 x" or "x / 4" is a number at x. A finding holds where all that its `holds` says of the points does.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from squall_studies.reproduce.item import Context, Found, Item, Published, Table
from squall_studies.reproduce.simulated import (
    Curve,
    Points,
    Run,
    Shape,
    drain,
    ours,
    perceived,
    step,
    steps_an_hour,
)

_FOLDER = Path(__file__).parent / "curves"
_STUDIES = ("hector", "teragrid", "tomcat", "council", "adios2", "today")
_VALUES = {"perceived": perceived, "drain": drain, "step": step, "steps an hour": steps_an_hour}
_OF_X = re.compile(r"(?:(\d+) )?x(?: / (\d+))?")


@cache
def _tables(study: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((_FOLDER / f"{study}.toml").read_text())


def table(name: str) -> dict[str, Any]:
    """What its study's file says of an item. Raises KeyError."""
    return _tables(name.partition("-")[0])[name]


def run(name: str, **keys: Any) -> Run:
    """What all runs of an item are, with other keys. Raises KeyError."""
    return _run({**table(name)["run"], **keys})


def item(
    name: str,
    measure: Callable[[Context], Found],
    tables: Callable[[Found], list[Table]],
    draw: Callable[[Found, Published | None], Figure],
    more: str = "",
) -> Item:
    """One that has functions of its own. more: a sentence for those who read what is measured."""
    t = table(name)
    return Item(
        name, name.partition("-")[0], t["figure"], f"{t['measures']} {more}".rstrip(), t.get("minutes", 1),
        measure, tables, draw, simulated=True,
    )  # fmt: skip


def curve(name: str) -> Curve:
    """Raises KeyError."""
    t = table(name)
    keys = ("x", "quick", "label", "seconds", "calibrated", "unit", "nested", "frames_of_a_run")
    return Curve(
        name=name, study=name.partition("-")[0], value=_VALUES[t["value"]],
        series={series: partial(_run_at, {**t["run"], **own}) for series, own in t["series"].items()},
        shapes=tuple(map(_shape, t.get("findings", []))), at=tuple(t["at"]) if "at" in t else None,
        **{key: t[key] for key in keys if key in t},
    )  # fmt: skip


def _run_at(keys: Mapping[str, Any], x: int) -> Run:
    return _run(_at(keys, x))


def _run(keys: Mapping[str, Any]) -> Run:
    return Run(**{**keys, "cells": tuple(keys["cells"])})


def _at(value: Any, x: int) -> Any:
    """The same at x, tables too."""
    if isinstance(value, Mapping):
        return {key: _at(inner, x) for key, inner in value.items()}
    found = _OF_X.fullmatch(value) if isinstance(value, str) else None
    return x * int(found[1] or 1) // int(found[2] or 1) if found else value


def _shape(finding: Mapping[str, Any]) -> Shape:
    tests = [_TESTS[next(iter(test))](**test) for test in finding["holds"]]
    return Shape(finding["says"], lambda points: all(t(points) for t in tests), finding.get("otherwise", ""))


Test = Callable[[Points], bool]


def _flat(flat: str, within: float, least: float, most: float) -> Test:
    """Nowhere more than so many times as long as elsewhere, and of this size."""

    def holds(points: Points) -> bool:
        seconds = points[flat].values()
        return max(seconds) < within * min(seconds) and least <= min(seconds) < most

    return holds


def _rising(rising: str, times: float) -> Test:
    """From point to point, to so many times as much."""

    def holds(points: Points) -> bool:
        seconds = list(points[rising].values())
        return len(seconds) > 1 and seconds == sorted(seconds) and seconds[-1] > times * seconds[0]

    return holds


def _best(best: str, least: int, most: int) -> Test:
    """Least at an x between these."""

    def holds(points: Points) -> bool:
        by_x = points[best]
        return len(by_x) > 2 and least <= min(by_x, key=by_x.__getitem__) <= most

    return holds


def _larger(larger: tuple[str, int | str], than: tuple[str, int | str], times: float = 1.0) -> Test:
    """A point, as series and x, than so many times another; x "most": the last."""

    def value(points: Points, series: str, x: int | str) -> float:
        by_x = points[series]
        return by_x[max(by_x) if x == "most" else x]  # type: ignore[index]

    return lambda points: value(points, *larger) > times * value(points, *than)


def _levels(levels: str, beside: str, share: float, **ends: int) -> Test:
    """Gains less than a share of what another does from one x to another."""

    def holds(points: Points) -> bool:
        gain = {name: points[name][ends["from"]] / points[name][ends["to"]] for name in (levels, beside)}
        return gain[levels] < 1 + share * (gain[beside] - 1)

    return holds


#: By the first key of what a finding holds to.
_TESTS: Mapping[str, Callable[..., Test]] = {
    "flat": _flat, "rising": _rising, "best": _best, "larger": _larger, "levels": _levels,
}  # fmt: skip


def _items() -> list[Item]:
    """Curves, and Squall on the studies' machines; others have functions of their own."""
    found = []
    for name, t in ((name, t) for study in _STUDIES for name, t in _tables(study).items()):
        if "series" in t:
            found.append(curve(name).item(t["figure"], t["measures"]))
        elif name.endswith("-squall"):
            found.append(ours(run(name), t["servers"], name, name.partition("-")[0], t.get("minutes", 4)))
    return found


ITEMS = tuple(_items())
