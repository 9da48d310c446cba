"""WRF by the HPC Advisory Council: steps of a domain as large as the 12 km case of the United States."""

from dataclasses import dataclass

from matplotlib.figure import Figure

from squall import machine
from squall_studies.reproduce import charts, stepping
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

#: Cells of WRF's benchmark at 12 km over the contiguous United States, its time step and its forecast [s].
CELLS = (425, 300, 35)
_STEP = 72
_FORECAST = 48 * 3600


@dataclass(frozen=True)
class _Conus(stepping.Domain):
    """A storm's air on the benchmark's grid."""

    def settings(self) -> dict[str, str]:
        of_the_grid = {
            "domain.dx": "12 km",
            "run.time_step": f"{_STEP} s",
            "run.duration": f"{_STEP * self.steps} s",
        }
        return super().settings() | of_the_grid


def measure(context: Context) -> Found:
    """A node is all of the cores here: every way to divide 1, 2, 4, ... of them."""
    domain = _Conus(80, 60, 20, 6) if context.quick else _Conus(*CELLS, 8)
    run_file = stepping.without_output(context)
    rows = []
    for layout in stepping.layouts():
        with context.status(f"{layout.ranks} ranks x {layout.threads} threads ..."):
            seconds = stepping.seconds_a_step(context, run_file, layout, domain.settings())
        rows.append({"ranks": layout.ranks, "threads": layout.threads, "seconds": seconds})
    return {"domain": str(domain), "cores": machine.cores(), "rows": rows}


def tables(found: Found) -> list[Table]:
    alone = found["rows"][0]["seconds"]
    rows = [
        [
            *(str(row["ranks"] * row["threads"]), str(row["ranks"]), str(row["threads"])),
            *(f"{row['seconds']:.3f}", f"{3600 / row['seconds']:.0f}", f"{alone / row['seconds']:.2f}"),
            f"{86400 / (row['seconds'] * _FORECAST / _STEP):.2f}",
        ]
        for row in found["rows"]
    ]
    columns = ["cores", "ranks", "threads", "a step, s", "steps/h", "times as fast as one core", "48 h a day"]
    title = f"{found['domain']} cells at 12 km on one node, of which this machine has {found['cores']} cores"
    return [Table(title, columns, rows)]


def draw(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    groups = [f"{row['ranks']} x {row['threads']}" for row in found["rows"]]
    charts.bars(right, groups, {"steps/h": [3600 / row["seconds"] for row in found["rows"]]})
    right.set(xlabel="ranks x threads", ylabel="steps an hour")
    return figure


ITEMS = (
    Item(
        "council-conus", "council", "12 km CONUS-sized case on one node, by ranks and threads",
        "Steps of 425 x 300 x 35 cells of 12 km, the size of WRF's benchmark over the contiguous United "
        "States, with the supercell's air and physics, on 1, 2, 4, ... cores: one of the nodes of which "
        "council-simulated-networks has 1 to 24.",
        3, measure, tables, draw,
    ),
)  # fmt: skip
