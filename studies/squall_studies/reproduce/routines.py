"""WRF on HECToR and Monte Rosa: where the time of a step goes, by routine, and as a node fills."""

from dataclasses import dataclass, replace
from pathlib import Path

from matplotlib.figure import Figure

from squall import machine
from squall.lab.workspace import Layout
from squall.limits import triad
from squall.profile import hardware
from squall.profile.ranks import totals
from squall_studies.reproduce import charts, stepping, watched
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

_SHOWN = 12
_KINDS = ("computing", "exchanging", "waiting")


def _numbers() -> list[int]:
    """Of ranks: 1, 2, 4, ... and all cores."""
    return sorted(
        {2**n for n in range(machine.cores().bit_length()) if 2**n <= machine.cores()} | {machine.cores()}
    )


def measure_profile(context: Context) -> Found:
    """The same domain on more and more ranks of one thread."""
    domain = stepping.Domain(60, 40, 20, 6) if context.quick else stepping.Domain(160, 100, 40, 8)
    run_file = stepping.without_output(context)
    found = []
    for ranks in _numbers():
        with context.status(f"{ranks} ranks ..."):
            seen = watched.run(context, run_file, Layout(ranks, 1), domain.settings())
        times: dict[str, float] = {}
        for total in totals(seen.ranks):  # a routine may have several loops
            times[total.routine.name] = times.get(total.routine.name, 0.0) + total.mean / seen.steps
        found.append({"ranks": ranks, "seconds": seen.seconds, "routines": times})
    return {"domain": str(domain), "runs": found}


@dataclass(frozen=True)
class _Row:
    name: str
    seconds: list[float]  # of a step, run by run

    def efficiency(self, ranks: list[int]) -> float:
        """Of the most ranks against the fewest: 1 where time falls as ranks grow."""
        least, most = self.seconds[0], self.seconds[-1]
        return least * ranks[0] / (most * ranks[-1]) if most > 0 else 1.0


def _rows(found: Found) -> list[_Row]:
    runs = found["runs"]
    names = sorted(
        runs[0]["routines"] | runs[-1]["routines"], key=lambda n: -runs[-1]["routines"].get(n, 0.0)
    )
    return [_Row(name, [run["routines"].get(name, 0.0) for run in runs]) for name in names[:_SHOWN]]


def profile_tables(found: Found) -> list[Table]:
    ranks = [run["ranks"] for run in found["runs"]]
    rows = [
        [
            row.name,
            *(f"{1e3 * s:.2f}" for s in row.seconds),
            f"{row.efficiency(ranks):.2f}" if row.seconds[0] else "",
        ]
        for row in [*_rows(found), _Row("a step", [run["seconds"] for run in found["runs"]])]
    ]
    columns = ["routine", *(f"{n} rank{'s' * (n > 1)}, ms" for n in ranks), "scales"]
    return [Table(f"A step of {found['domain']} cells on a rank", columns, rows)]


def draw_profile(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    rows = _rows(found)
    at = range(len(rows))
    for index, run in enumerate(found["runs"]):
        heights = [1e3 * row.seconds[index] for row in rows]
        label = f"{run['ranks']} rank{'s' * (run['ranks'] > 1)}"
        right.barh(
            [y + 0.8 * index / len(found["runs"]) for y in at], heights, 0.8 / len(found["runs"]), label=label
        )
    right.set_yticks([y + 0.4 for y in at], [row.name for row in rows], fontsize=6)
    right.invert_yaxis()
    right.set_xlabel("time of a step (ms)")
    right.legend()
    return figure


def measure_population(context: Context) -> Found:
    """More and more ranks on the node, each with as many cells."""
    side, steps = (30, 6) if context.quick else (80, 10)
    run_file = stepping.without_output(context)
    uncounted = hardware.why_not()
    found = []
    for ranks in _numbers():
        domain = stepping.Domain(side, side * ranks, 40, steps)
        with context.status(f"{ranks} ranks ..."):
            seen = watched.run(context, run_file, Layout(ranks, 1), domain.settings())
            bandwidth = triad(ranks) / ranks
            fills = {} if uncounted else _fills(context, run_file, Layout(ranks, 1), domain)
        times = {kind: seen.kind(kind) for kind in _KINDS}
        found.append(
            {"ranks": ranks, "seconds": seen.seconds, "bandwidth": bandwidth, "fills": fills} | times
        )
    return {"patch": f"{side} x {side} x 40", "uncounted": uncounted, "runs": found}


def _fills(context: Context, run_file: Path, layout: Layout, domain: stepping.Domain) -> Found:
    """Cache lines that a step fills for each cell, by where from. What a run counts beside its steps goes
    with the difference of a run of twice as many."""
    counts = []
    for steps in (domain.steps, 2 * domain.steps):
        with hardware.counting() as counted:
            context.workspace.run("counted", run_file, replace(domain, steps=steps).settings(), layout)
        counts.append(counted)
    cell_steps = domain.nx * domain.ny * domain.nz * domain.steps
    return {name: (counts[1][name] - counts[0][name]) / cell_steps for name in hardware.FILLS}


def population_tables(found: Found) -> list[Table]:
    rows = [
        [
            *(
                str(run["ranks"]),
                f"{1e3 * run['seconds']:.1f}",
                *(f"{1e3 * run[kind]:.2f}" for kind in _KINDS),
            ),
            *(f"{run['bandwidth'] / 1e9:.2f}", f"{found['runs'][0]['seconds'] / run['seconds']:.2f}"),
        ]
        for run in found["runs"]
    ]
    columns = [
        "cores used",
        "step, ms",
        *(f"{kind}, ms" for kind in _KINDS),
        "triad, GB/s a core",
        "of the speed alone",
    ]
    return [Table(f"A rank with {found['patch']} cells on each core", columns, rows), _fill_table(found)]


def _fill_table(found: Found) -> Table:
    title = "Cache lines that a cell-step fills, by the processor's counters"
    if found["uncounted"]:
        return Table(title, ["not counted"], [[found["uncounted"]]])
    rows = [
        [str(run["ranks"]), *(f"{run['fills'][name]:.2f}" for name in hardware.FILLS)]
        for run in found["runs"]
    ]
    return Table(title, ["cores used", *hardware.FILLS], rows)


def draw_population(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    cores = [run["ranks"] for run in found["runs"]]
    first = found["runs"][0]
    series = {
        "steps a second": [first["seconds"] / run["seconds"] for run in found["runs"]],
        "bandwidth of memory": [run["bandwidth"] / first["bandwidth"] for run in found["runs"]],
    }
    for name, amount in first["fills"].items():
        series[name] = [run["fills"][name] / amount for run in found["runs"]]
    charts.lines(right, cores, series)
    right.set(xlabel="cores of the node that are used", ylabel="of a core, over that of one alone")
    return figure


ITEMS = (
    Item(
        "hector-profile", "hector", "The profile by routine and its scaling",
        "Time of a step of the supercell by routine, as a rank's own, on one rank to one for each core.",
        2, measure_profile, profile_tables, draw_profile,
    ),
    Item(
        "hector-population", "hector", "Cores used per node against bandwidth",
        "Steps of the supercell with as many cells on each core, on more and more cores: computing, "
        "exchanging and waiting, the bandwidth that each core has then, and the cache lines that a cell-step "
        "fills, where the machine lets the processor count them.",
        3, measure_population, population_tables, draw_population,
    ),
)  # fmt: skip
