"""TOMCAT's case on squall-transport: 30 tracers at T106 in steps of a quarter of an hour, here and on ranks
of the study's machine.

Stations are due every 2 hours, zonal means of all fields every 6, all fields themselves every 12. The first
step comes with all of these, and the last one with them and the wait until all is stored.
"""

import json
import math
import statistics
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from squall import locate
from squall.lab.verify.globe import GlobeLayout
from squall_studies import planning
from squall_studies.diagnostics_steps import STATIONS
from squall_studies.reproduce import charts, curves
from squall_studies.reproduce.item import Context, Found, Item, Published, Table, published_best, published_of
from squall_studies.reproduce.kinds_of_step import KINDS, by_kind

STUDY = "tomcat"
_HERE, _SIMULATED = "tomcat-globe-steps", "tomcat-globe-simulated-steps"
_STEP = 900  # s
_DAY = 96  # steps

#: Streams that are due, by the study's name of such a step.
_DUE: Mapping[str, Sequence[str]] = {
    "interval": (),
    "2 h": ("stations",),
    "6 h": ("stations", "zonal"),
    "12 h": ("stations", "zonal", "history"),
}
_STREAMS = _DUE["12 h"]

#: Steps from one of a kind to the next: as in the study, and of a shorter run with as many kinds.
_STUDY_STEPS = {"2 h": 8, "6 h": 24, "12 h": 48}
_FEWER_STEPS = {"2 h": 2, "6 h": 4, "12 h": 8}
_FEW = 16  # steps of that run
_MOST = 0.01  # of the steps of a day, that stations and zonal means may take


def run_file(folder: Path) -> Path:
    """The case with a table of stations all over the globe."""
    case = locate.transport_file("tomcat-t106").read_text()
    turn = math.pi * (3 - math.sqrt(5))  # from one to the next on a spiral from pole to pole
    rows = []
    for n in range(STATIONS):
        latitude = math.degrees(math.asin(1 - (2 * n + 1) / STATIONS))
        rows.append(f"s{n},{math.degrees(n * turn) % 360 - 180:.3f},{latitude:.3f}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stations.csv").write_text("\n".join(["name,longitude,latitude", *rows]) + "\n")
    path = folder / "globe.toml"
    tracers = ", ".join(f'"{name}"' for name in tomllib.loads(case)["tracer"])
    path.write_text(
        case + f'\n[output.stations]\ninterval = "2 h"\nstations = "stations.csv"\nfields = [{tracers}]\n'
    )
    return path


def _settings(steps_of: Mapping[str, int], steps: int) -> dict[str, str]:
    intervals = zip(_STREAMS, steps_of.values(), strict=True)
    return {
        "run.duration": f"{steps * _STEP} s",
        **{f"output.{name}.interval": f"{every * _STEP} s" for name, every in intervals},
    }


def measure_here(context: Context) -> Found:
    """On one rank and two of a thread each."""
    steps_of, steps = (_STUDY_STEPS, _DAY) if context.full else (_FEWER_STEPS, _FEW)
    settings = _settings(steps_of, steps)
    if context.quick:
        settings |= {"grid.nlon": "48", "grid.nlat": "24", "vertical.nz": "12"}
    case, timing = run_file(context.workspace.directory / "case"), context.workspace.directory / "timing.json"
    runs = []
    for ranks in (1, 2):
        with context.status(f"{ranks} rank{'s' * (ranks > 1)} ..."):
            context.workspace.run(
                "globe", case, settings, GlobeLayout(ranks, 1), timing, model=locate.transport_binary()
            )
        told = json.loads(timing.read_text())
        steps_taken = told["each_step"]
        steps_taken[0] += told["starting"]
        steps_taken[-1] += told["finishing"]
        runs.append(
            {
                "ranks": ranks,
                "starting": told["starting"],
                "tracer_step": _of_a_tracer(told),
                "diagnostics": _shares(by_kind(told["each_step_processor"], steps_of)),
                **by_kind(steps_taken, steps_of),
            }
        )
    return {"cells": told["cells"], "tracers": told["tracers"], "steps": steps, "runs": runs}


def _of_a_tracer(told: Mapping[str, Any]) -> float:
    """Seconds of a core, of a tracer in a cell in a step with nothing due."""
    step = statistics.median(told["each_step_processor"][2::2])
    return float(step * told["ranks"] / (told["cells"] * told["tracers"]))


def _shares(kinds: Mapping[str, float]) -> dict[str, float]:
    """What a frame costs of a step with nothing due."""
    return {
        "stations": (kinds["2 h"] - kinds["interval"]) / kinds["interval"],
        "zonal": (kinds["6 h"] - kinds["2 h"]) / kinds["interval"],
    }


def _of_a_day(shares: Mapping[str, float]) -> float:
    """Of its steps."""
    return shares["stations"] / _STUDY_STEPS["2 h"] + shares["zonal"] / _STUDY_STEPS["6 h"]


def tables_here(found: Found) -> list[Table]:
    title = (
        f"{found['tracers']} tracers in {found['cells'] / 1e6:.2g} million cells, {found['steps']} steps (s)"
    )
    steps = Table(
        title,
        ["ranks", *KINDS, "of it before the first step", "tracer-cell-step, ns"],
        [
            [
                *(str(run["ranks"]), *(f"{run[kind]:.3g}" for kind in KINDS)),
                *(f"{run['starting']:.3g}", f"{1e9 * run['tracer_step']:.1f}"),
            ]
            for run in found["runs"]
        ],
    )
    shares = Table(
        f"What diagnostics take of the processor, {STATIONS} stations and zonal means of all fields",
        [
            "ranks",
            "stations, of a step",
            "means, of a step",
            "both, of a day's steps",
            f"at most {_MOST:.0%}",
        ],
        [
            [
                *(str(run["ranks"]), *(f"{run['diagnostics'][what]:.2%}" for what in ("stations", "zonal"))),
                *(f"{_of_a_day(run['diagnostics']):.2%}", _yes(_of_a_day(run["diagnostics"]) <= _MOST)),
            ]
            for run in found["runs"]
        ],
    )
    return [steps, shares, _beside(found)]


def _beside(found: Found) -> Table:
    """Steps here beside the study's, which had many more ranks."""
    runs = found["runs"]
    rows = [
        [
            what if ranks is None else f"{what}, {ranks} ranks",
            f"{studys:g}",
            *(f"{run[kind]:.3g}" for run in runs),
        ]
        for kind, what, ranks, studys in _published()
    ]
    here = [f"{run['ranks']} rank{'s' * (run['ranks'] > 1)} here, s" for run in runs]
    return Table("Beside the study's best", ["what", "study, s", *here], rows)


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def draw_here(found: Found, published: Published | None) -> Figure:
    figure, _, right = charts.beside(None)
    charts.steps(figure, right, [run | {"threads": 1} for run in found["runs"]], KINDS)
    return figure


def measure_simulated(context: Context) -> Found:
    """On the study's numbers of ranks, a core each."""
    of, rows = curves.table(_SIMULATED), []
    case = run_file(context.workspace.directory / "case")
    settings = [f"{key}={value}" for key, value in _settings(_STUDY_STEPS, _DAY).items()]
    for ranks in of["ranks"][:1] if context.quick else of["ranks"]:
        question = planning.Question(
            case, planning.machine_file(of["machine"]), ranks, settings=settings,
            words=["--tracer-step", str(of["tracer_step"])],
        )  # fmt: skip
        with context.status(f"{ranks} ranks ..."):
            answer = planning.ask(question)
        rows.append(
            {
                "ranks": ranks,
                "messages": answer["step"]["messages"],
                "bytes": answer["step"]["bytes"],
                "computing": answer["step"]["computing"],
                "memory": answer["memory"]["rank"],
                "diagnostics": {
                    name: told["seconds"] / answer["step"]["seconds"]
                    for name, told in answer["diagnostics"].items()
                },
                **kinds_of(answer),
            }
        )
    return {"machine": answer["machine"], "method": answer["method"], "rows": rows}


def kinds_of(answer: planning.Answer) -> dict[str, float]:
    """Seconds of each kind of step; all of a diagnostic counts, though the steps after it go on meanwhile."""
    step, made = float(answer["step"]["seconds"]), answer["diagnostics"]
    streams = {stream["name"]: stream for stream in answer["streams"]}

    def frames(names: Sequence[str], key: str) -> float:
        made_before = sum(float(made[name]["seconds"]) for name in names if name in made)
        return made_before + sum(float(streams[name][key]) for name in names)

    kinds = {kind: step + frames(due, "perceived") for kind, due in _DUE.items()}
    final = step + frames(_STREAMS, "drain")
    return {"initial": kinds["12 h"], **kinds, "final": final}


def tables_simulated(found: Found) -> list[Table]:
    steps = Table(
        f"{found['machine']}: a day at T106, 30 tracers (s)",
        ["ranks", *KINDS, "computing", "messages", "MB sent", "MB of a rank"],
        [
            [
                *(str(row["ranks"]), *(f"{row[kind]:.3g}" for kind in (*KINDS, "computing"))),
                *(str(row["messages"]), f"{row['bytes'] / 1e6:.0f}", f"{row['memory'] / 1e6:.0f}"),
            ]
            for row in found["rows"]
        ],
    )
    return [steps, _beaten(found)]


def _beaten(found: Found) -> Table:
    """Beside the study's steps, and the share of diagnostics."""
    rows = []
    for row in found["rows"]:
        for kind, what, ranks, studys in _published():
            if ranks not in (None, row["ranks"]):
                continue
            rows.append(
                [
                    *(f"{what}, {row['ranks']} ranks", f"{studys:g} s", f"{row[kind]:.3g} s"),
                    _yes(row[kind] < studys),
                ]
            )
        share = _of_a_day(row["diagnostics"])
        rows.append(
            [
                *(f"diagnostics of a day's steps, {row['ranks']} ranks", f"at most {_MOST:.0%}"),
                *(f"{share:.2%}", _yes(share <= _MOST)),
            ]
        )
    return Table("Beside the study", ["what", "study, or goal", "simulated", "reached"], rows)


def _published() -> list[tuple[str, str, int | None, float]]:
    """The study's best times, as kind of step, what it is, on how many ranks where that is known, and
    seconds."""
    known: list[tuple[str, str, int | None, float]] = [
        ("initial", "first step", None, published_best(STUDY, _SIMULATED))
    ]
    for kind, item, what in (
        ("2 h", "tomcat-stations", "step with stations"),
        ("6 h", "tomcat-zonal-means", "step with zonal means"),
    ):
        table = published_of(STUDY, item)
        known += [(kind, what, row[0], float(row[-1])) for row in (table.rows if table else [])]
    return known


def draw_simulated(found: Found, published: Published | None) -> Figure:
    figure, _, right = charts.beside(None)
    charts.steps(figure, right, [row | {"threads": 1} for row in found["rows"]], KINDS, rotation=30)
    return figure


_WHAT = (
    f"The first step comes with frames of all streams, at 2 h {STATIONS} stations are due, at 6 h zonal "
    "means of all fields, too, at 12 h all fields, and the last step ends with all of them stored."
)

ITEMS = (
    Item(
        _HERE, STUDY, "Initial, interval, 2 h, 6 h, 12 h and final steps of a transport model at T106",
        "Steps of squall-transport with 30 tracers, mixed by clouds and the ground, on one rank and two; in "
        f"a day of 96 steps with --full, else in fewer with as many kinds. {_WHAT} It needs 9 GB of memory.",
        25, measure_here, tables_here, draw_here,
    ),
    curves.item(_SIMULATED, measure_simulated, tables_simulated, draw_simulated, _WHAT),
)  # fmt: skip
