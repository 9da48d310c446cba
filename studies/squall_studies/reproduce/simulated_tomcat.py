"""TOMCAT at high resolution on ranks of the study's machine: kinds of steps, stations, zonal means."""

from dataclasses import replace
from typing import Any

from matplotlib.figure import Figure

from squall.lab.speed_domains import STORM
from squall.plot import style
from squall_studies import planning
from squall_studies.diagnostics_steps import STATIONS
from squall_studies.reproduce import charts, curves, kinds_of_step
from squall_studies.reproduce.item import Context, Found, Published, Table, published_best, published_of

STUDY = "tomcat"
_STEPS, _DIAGNOSED = "tomcat-simulated-steps", "tomcat-simulated-diagnostics"
_FIELDS = curves.table(_DIAGNOSED)["fields"]
_GOAL = published_best(STUDY, _DIAGNOSED)  # s: of revised stations, on 400 ranks

#: What is asked of the planner.
_DIAGNOSTICS: dict[str, dict[str, Any]] = {"stations": {"stations": STATIONS}, "zonal means": {"zonal": True}}


def measure_steps(context: Context) -> Found:
    """Every way to put 80, 160 and 400 ranks with 1, 2 and 4 threads each on the machine."""
    due = [f"{key}={value}" for key, value in kinds_of_step.intervals(STORM.time_step).items()]
    rows, asked = [], curves.table(_STEPS)
    for ranks in asked["ranks"][:1] if context.quick else asked["ranks"]:
        for threads in asked["threads"]:
            question = curves.run(_STEPS, ranks=ranks).question()
            question.settings.extend(due)
            with context.status(f"{ranks} ranks x {threads} threads ..."):
                answer = planning.ask(replace(question, threads=threads))
            rows.append({"ranks": ranks, "threads": threads, "nodes": answer["nodes"]} | _kinds(answer))
    return {
        "machine": answer["machine"],
        "method": answer["method"],
        "cells": asked["run"]["cells"],
        "rows": rows,
    }


def _kinds(answer: planning.Answer) -> dict[str, float]:
    """Seconds of each kind of step. A run begins with a frame of each stream but for restart, and ends when
    all is stored."""
    step = answer["step"]["seconds"]
    lost, stored = (
        {stream["name"]: stream[key] for stream in answer["streams"]} for key in ("perceived", "drain")
    )
    kinds = {kind: step + sum(lost[name] for name in due) for kind, due in kinds_of_step.DUE.items()}
    final = step + sum(stored[name] for name in kinds_of_step.DUE["12 h"])
    return {"initial": kinds["6 h"], **kinds, "final": final}


def step_tables(found: Found) -> list[Table]:
    rows = [
        [
            *(str(row[key]) for key in ("ranks", "threads", "nodes")),
            *(f"{1e3 * row[kind]:.1f}" for kind in kinds_of_step.KINDS),
        ]
        for row in found["rows"]
    ]
    nx, ny, nz = found["cells"]
    title = f"{found['machine']}: a step of {nx} x {ny} x {nz} cells, frames by zarr"
    kinds = (f"{kind}, ms" for kind in kinds_of_step.KINDS)
    return [Table(title, ["ranks", "threads", "nodes", *kinds], rows)]


def draw_steps(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    charts.steps(figure, right, found["rows"], kinds_of_step.KINDS, rotation=30)
    return figure


def measure_diagnostics(context: Context) -> Found:
    """What a frame of stations or zonal means adds to a step, made in place and of whole fields."""
    rows, of = [], curves.table(_DIAGNOSED)
    for ranks in of["ranks"][-1:] if context.quick else of["ranks"]:
        for what, asked in _DIAGNOSTICS.items():
            with context.status(f"{what}, {ranks} ranks ..."):
                question = curves.run(_DIAGNOSED, ranks=ranks).question()
                answer = planning.ask(replace(question, fields=_FIELDS, **asked))
            for way, found in answer["diagnostics"].items():
                rows.append(
                    {"ranks": ranks, "what": what, "way": way, "step": answer["step"]["seconds"]} | found
                )
    published = {
        what: known.rows
        for what in _DIAGNOSTICS
        if (known := published_of(STUDY, f"tomcat-{what.replace(' ', '-')}"))
    }
    return {
        "machine": answer["machine"],
        "method": answer["method"],
        "cells": of["run"]["cells"],
        "fields": _FIELDS,
        "rows": rows,
        "published": published,
    }


def turns(rows: list[list[float]]) -> Found:
    """The study's gathering as one that turns to each rank after the other: seconds of a turn by its
    fewest ranks, with its revised step for the rest, and what that makes of its most ranks. rows: ranks,
    gathered, in place."""
    fewest, most = min(rows), max(rows)
    turn = (fewest[1] - fewest[2]) / fewest[0]
    predicted = most[2] + turn * most[0]
    return {"turn": turn, "ranks": most[0], "predicted": predicted, "published": most[1]}


def diagnostic_tables(found: Found) -> list[Table]:
    rows = [
        [
            *(str(row["ranks"]), row["what"], row["way"], f"{1e3 * row['step']:.1f}"),
            *(f"{1e3 * row['made']:.3f}", f"{1e3 * row['seconds']:.2f}"),
            *(str(row["messages"]), f"{row['bytes'] / 1e6:.2f}", f"{row['held'] / 1e6:.3f}"),
        ]
        for row in found["rows"]
    ]
    nx, ny, nz = found["cells"]
    columns = [
        "ranks",
        "what",
        "made",
        "step, ms",
        "a rank makes, ms",
        "until rank 0 has all, ms",
        "messages",
        "MB",
        "MB that a rank holds, at most",
    ]
    fields = f"{found['fields']} fields of {nx} x {ny} x {nz}"
    against = []
    for what, known in found["published"].items():
        of = turns(known)
        error = 100 * (of["predicted"] / of["published"] - 1)
        cells = [
            f"{1e3 * of['turn']:.0f}",
            f"{of['predicted']:.2f}",
            f"{of['published']:.2f}",
            f"{error:+.0f} %",
        ]
        against.append([what, *cells])
    tables = [
        Table(
            f"{found['machine']}: a frame of {STATIONS} stations, or zonal means, of {fields}", columns, rows
        )
    ]
    if against:
        tables.append(
            Table(
                "The study's gathering as a turn to each rank: calibrated on 80 ranks, predicted on 400",
                ["what", "a turn, ms", "step on 400, s", "published, s", "off by"],
                against,
            )
        )
    return [*tables, _beaten(found)]


def _beaten(found: Found) -> Table:
    """The step after goes on meanwhile; all of it is counted, nevertheless."""
    rows = [
        [
            f"{row['what']}, {row['ranks']} ranks",
            f"{row['seconds']:.4f}",
            "yes" if row["seconds"] < _GOAL else "no",
        ]
        for row in found["rows"]
        if row["way"] == "in place"
    ]
    return Table("Over a step, in place", ["what", "s, all of it counted", f"less than {_GOAL:g} s"], rows)


def draw_diagnostics(found: Found, published: Published | None) -> Figure:
    figure, ranks = style.figure(9, 3.4), curves.table(_DIAGNOSED)["ranks"]
    for axes, what in zip(figure.subplots(1, 2, sharey=True), _DIAGNOSTICS, strict=True):
        style.plain(axes)
        for way in ("in place", "gathered"):
            of = [row for row in found["rows"] if (row["what"], row["way"]) == (what, way)]
            axes.plot(
                [row["ranks"] for row in of], [row["seconds"] for row in of], "o-", label=f"{way}, simulated"
            )
        for column, way, mark in ((2, "in place", "k+"), (1, "gathered", "kx")):
            rows = found["published"].get(what, [])
            axes.plot(
                [row[0] for row in rows], [row[column] for row in rows], mark, label=f"{way}, published step"
            )
        if what == "stations":
            axes.axhline(_GOAL, color="k", ls=":", label="published overhead, in place")
        axes.set(yscale="log", xlabel="ranks", title=what)
        axes.set_xticks(ranks, [str(n) for n in ranks])
    figure.axes[0].set_ylabel("over a step (s)")
    figure.legend(
        *figure.axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize=7
    )
    return figure


ITEMS = (
    curves.item(_STEPS, measure_steps, step_tables, draw_steps, kinds_of_step.WHAT),
    curves.item(_DIAGNOSED, measure_diagnostics, diagnostic_tables, draw_diagnostics),
)
