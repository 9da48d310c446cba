"""Curves at the scale of a study, simulated on a machine file of its machine.

A machine file has one number that was set so that one point of the curve comes out; everything else that is
drawn is predicted. A study's findings are shapes: whether each comes out is worked out of the simulated
points, and where one does not, its text says why. Published points (published/) are series, x and seconds.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from matplotlib.figure import Figure

from squall import locate
from squall.errors import UserError
from squall.plot import style
from squall_studies import planning
from squall_studies.reproduce import charts
from squall_studies.reproduce.great_north_run import nested_run_file
from squall_studies.reproduce.item import Context, Found, Item, Published, Table, published_best, published_of


@dataclass(frozen=True)
class Run:
    """A point: a run of a supercell of so many cells. engine, codec, placement, servers, groups and
    assignment as in a run file; the others as in a planning.Question."""

    machine: str
    cells: tuple[int, int, int]
    ranks: int
    engine: str = "zarr"
    codec: str = "none"
    placement: str = "inline"
    servers: int = 0
    way: str | None = None
    local: bool = False
    method: str | None = None
    threads: int = 1
    groups: int = 1
    assignment: str = "consecutive"
    servers_last: bool = False
    aggregators: int | None = None
    storage: Mapping[str, float] = field(default_factory=dict)
    patches_x: int = 0  # from west to east; 0: the model's choice
    frames: bool = True  # False: steps alone, which are sooner simulated

    def question(self) -> planning.Question:
        values: dict[str, Any] = {f"domain.n{axis}": n for axis, n in zip("xyz", self.cells, strict=True)}
        for key in ("engine", "codec", "placement"):
            values[f"output.history.{key}"] = f'"{getattr(self, key)}"'
        if not self.frames:
            values["output.history.interval"] = '"0 s"'
        if self.patches_x:
            values["parallel.ranks_x"] = self.patches_x
            values["parallel.ranks_y"] = self.ranks // self.patches_x
        if self.servers:
            values |= {"output.servers": self.servers, "output.groups": self.groups}
            values["output.assignment"] = f'"{self.assignment}"'
        return planning.Question(
            locate.run_file("supercell"), planning.machine_file(self.machine), self.ranks, self.threads,
            settings=[f"{key}={value}" for key, value in values.items()],
            local=self.local, way=self.way, method=self.method, aggregators=self.aggregators,
            servers_last=self.servers_last, storage=self.storage,
        )  # fmt: skip


#: Of an answer, what is drawn.
def perceived(answer: planning.Answer) -> float:
    return float(answer["streams"][0]["perceived"])


def drain(answer: planning.Answer) -> float:
    return float(answer["streams"][0]["drain"])


def step(answer: planning.Answer) -> float:
    return float(answer["step"]["seconds"])


def steps_an_hour(answer: planning.Answer) -> float:
    return 3600 / step(answer)


def busiest(answer: planning.Answer) -> str:
    """The part of the machine that is longest busy with a frame."""
    busy: dict[str, float] = answer["streams"][0]["busy"]
    return max(busy, key=busy.__getitem__)


#: Of series, which may lie on each other.
_LINES = ("o-", "s--", "^:", "d-.", "v--")

#: The table of both, by its title.
AGAINST = "Published and simulated (s)"

#: Seconds by x, by series.
Points = dict[str, dict[float, float]]


@dataclass(frozen=True)
class Shape:
    """A finding of a study: whether points have it; why not, where they do not."""

    text: str
    holds: Callable[[Points], bool]
    otherwise: str = ""


@dataclass(frozen=True)
class Curve:
    """Series of runs by x; quick: those x of which a look takes. seconds: what a value is, if seconds, or
    whatever `value` makes of an answer, in a unit. calibrated: on what, in words; at: on which published
    point, if on one, as series and x. nested: the runs are of the Great North Run's three domains.
    frames_of_a_run: steps of what the study timed beside a frame, with a frame after each; 0: nothing."""

    name: str  # of its item
    study: str
    x: Sequence[int]
    quick: Sequence[int]
    label: str
    seconds: str
    series: dict[str, Callable[[int], Run]]
    value: Callable[[planning.Answer], float]
    calibrated: str
    shapes: Sequence[Shape]
    at: tuple[str, float] | None = None
    unit: str = "s"  # empty: a value's name says it
    nested: bool = False
    frames_of_a_run: int = 0

    def ask(self, run: Run, context: Context) -> planning.Answer:
        question = run.question()
        if self.nested:
            question = replace(question, run_file=nested_run_file(context.workspace), settings=[])
        return planning.ask(question)

    def measure(self, context: Context) -> Found:
        points, machines = [], []
        for x in self.quick if context.quick else self.x:
            for name, run in self.series.items():
                with context.status(f"{name}, {x} {self.label} ..."):
                    answer = self.ask(run(x), context)
                points.append({"series": name, "x": x, "seconds": self.value(answer), "step": step(answer)})
                machines.append(answer["machine"])
        known = published_of(self.study, self.name)
        return {
            "points": points,
            "machine": "; ".join(dict.fromkeys(machines)),
            "kernels": answer["calibrated"],
            "method": answer["method"],
            "known": known.rows if known else [],
        }

    def tables(self, found: Found) -> list[Table]:
        points = points_of(found)
        at = sorted({row["x"] for row in found["points"]})
        rows = [[str(x), *(f"{points[name][x]:.3g}" for name in points)] for x in at]
        tables = [Table(f"{found['machine']}: {self.seconds}", [self.label, *points], rows)]
        if self.frames_of_a_run:
            tables.append(self._whole_runs(found))
        known = [row for row in found["known"] if row[1] in points[row[0]]]
        against = [self._against(points, known, found["method"])] if known else []
        return [*tables, *against, self._findings(points, found)]

    def _whole_runs(self, found: Found) -> Table:
        frames, rows = self.frames_of_a_run, []
        for x in sorted({row["x"] for row in found["points"]}):
            of = {row["series"]: row for row in found["points"] if row["x"] == x}
            rows.append(
                [str(x), *(f"{frames * (of[s]['step'] + of[s]['seconds']):.0f}" for s in self.series)]
            )
        title = f"{frames} steps with a frame after each, all of three runs alike (s)"
        return Table(title, [self.label, *self.series], rows)

    def _against(self, points: Points, known: Sequence[tuple[str, float, float]], method: str) -> Table:
        """Machines are calibrated with SimGrid: closed forms predict that point as well."""
        rows, off = [], []
        for series, x, seconds in known:
            simulated = points[series][x]
            error = simulated / seconds - 1
            calibrated = method == "simgrid" and (series, x) == self.at
            off += [] if calibrated else [abs(error)]
            what = "calibrated on" if calibrated else f"{100 * error:+.0f} %"
            rows.append([f"{series}, {x:g} {self.label}", f"{seconds:g}", f"{simulated:.3g}", what])
        if off:
            rows.append(["mean error of what was predicted", "", "", f"{100 * sum(off) / len(off):.0f} %"])
        return Table(AGAINST, ["point", "published", "simulated", "off by"], rows)

    def _findings(self, points: Points, found: Found) -> Table:
        rows = [[s.text, *(("yes", "") if _holds(s, points) else ("no", s.otherwise))] for s in self.shapes]
        rows.append(["calibrated on", "", self.calibrated])
        rows.append(["times of cores from", "", found["kernels"].partition(". ")[0]])
        rows.append(["simulated by", "", "SimGrid" if found["method"] == "simgrid" else "closed forms"])
        return Table("Findings of the study", ["finding", "comes out", ""], rows)

    def draw(self, found: Found, published: Published | None) -> Figure:
        figure, _, right = charts.beside(None)
        for (name, by_x), line in zip(points_of(found).items(), itertools.cycle(_LINES), strict=False):
            right.plot(list(by_x), list(by_x.values()), line, label=name)
        for series, x, seconds in found["known"]:
            right.plot(x, seconds, "k*" if (series, x) == self.at else "kx")
        unit = f" ({self.unit})" if self.unit else ""
        right.set(xscale="log", xlabel=self.label, ylabel=self.seconds + unit)
        charts.seconds_axis(right)
        right.set_xticks(list(self.x), [str(x) for x in self.x])
        right.minorticks_off()
        right.legend(fontsize=7)
        return figure

    def item(self, figure: str, measures: str) -> Item:
        drawn = " Crosses: published; a star: calibrated on." if published_of(self.study, self.name) else ""
        return Item(
            self.name, self.study, figure, measures + drawn, 1, self.measure, self.tables, self.draw,
            simulated=True,
        )  # fmt: skip


def points_of(found: Found) -> Points:
    points: Points = {}
    for row in found["points"]:
        points.setdefault(row["series"], {})[row["x"]] = row["seconds"]
    return points


def _holds(shape: Shape, points: Points) -> bool:
    """A look that lacks a point has no shape."""
    try:
        return shape.holds(points)
    except KeyError:
        return False


#: The published best of a whole forecast over its steps alone.
BEST_FORECAST = published_best("adios2", "adios2-simulated-forecast")

#: Engine, codec and placement: every one of Squall's own ways to write files.
_OURS = tuple(
    (engine, codec, placement)
    for engine, codec in (
        ("netcdf", "none"), ("netcdf-split", "none"), ("pnetcdf", "none"), ("netcdf-parallel", "none"),
        ("adios", "none"), ("zarr", "none"), ("zarr", "zstd"),
    )
    for placement in ("inline", "thread", "servers")
)  # fmt: skip


def measure_ours(run: Run, servers: int, context: Context) -> Found:
    """What a frame costs with each engine and placement, and an hour with a frame every ten minutes."""
    rows, missing = [], {}
    for engine, codec, placement in _OURS[-2:] if context.quick else _OURS:
        name = f"{engine}, {codec}, {placement}"
        serve = servers if placement == "servers" else 0
        q = replace(run, engine=engine, codec=codec, placement=placement, servers=serve).question()
        with context.status(f"{name} ..."):
            try:
                answer = planning.ask(with_an_hour(q))
            except UserError as error:
                missing[name] = str(error)
                continue
        rows.append(
            {
                "name": name,
                "perceived": perceived(answer),
                "drain": drain(answer),
                "cost": answer["run"]["cost"],
                "busiest": busiest(answer),
            }
        )
    return {"rows": rows, "missing": missing, "machine": answer["machine"], "ranks": run.ranks}


def with_an_hour(q: planning.Question) -> planning.Question:
    q.settings.extend(['run.duration="1 h"', 'output.history.interval="10 min"'])
    return q


def _our_tables(best: float | None, found: Found) -> list[Table]:
    rows = [
        [
            *(row["name"], f"{row['perceived']:.3g}", f"{row['drain']:.3g}", f"{row['cost']:.3f}"),
            *(row["busiest"], _verdict(row, best)),
        ]
        for row in found["rows"]
    ]
    rows += [[name, "", "", "", why, ""] for name, why in found["missing"].items()]
    columns = [
        "engine, codec, placement",
        "ranks lose, s",
        "stored after, s",
        "run / steps",
        "busiest",
        f"less than {'' if best is None else f'{best:g} s, and '}{BEST_FORECAST:g} of the steps",
    ]
    return [Table(f"{found['machine']}, {found['ranks']} ranks: a frame", columns, rows)]


def _verdict(row: Found, best: float | None) -> str:
    why = []
    if best is not None and row["perceived"] >= best:
        why.append("ranks lose more")
    if row["cost"] >= BEST_FORECAST:
        inline = row["perceived"] >= row["drain"]
        why.append("they wait while they write" if inline else "a frame is not stored when the next comes")
    return f"no: {', '.join(why)}" if why else "yes"


def _draw_ours(best: float | None, found: Found, published: Published | None) -> Figure:
    figure = style.figure(7, 1.4 + 0.2 * len(found["rows"]))
    axes = figure.subplots()
    style.plain(axes)
    names = [row["name"] for row in found["rows"]]
    axes.barh(names, [row["drain"] for row in found["rows"]], 0.8, color="0.8", label="stored after")
    axes.barh(names, [row["perceived"] for row in found["rows"]], 0.5, label="ranks lose")
    if best is not None:
        axes.axvline(best, color="k", ls=":", label="published best")
    axes.set(xscale="log", xlabel="a frame (s)")
    figure.legend(loc="outside upper center", ncols=3, fontsize=7)
    return figure


def ours(run: Run, servers: int, name: str, study: str, minutes: int = 4) -> Item:
    """Squall on a study's machine, beside the study's best time of a frame, where that was within reach."""
    nx, ny, nz = run.cells
    best = published_best(study, name) if published_of(study, name) else None  # s
    return Item(
        name, study, "Squall on the study's machine: time of a frame by engine and placement",
        f"A frame of {nx} x {ny} x {nz} cells of {run.ranks} ranks, with Squall's engines, codecs and "
        "placements, and what an hour with a frame every ten minutes takes over its steps alone.",
        minutes, partial(measure_ours, run, servers), partial(_our_tables, best), partial(_draw_ours, best),
        simulated=True,
    )  # fmt: skip
