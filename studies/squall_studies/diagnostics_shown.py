"""What `squall lab diagnostics` shows of what it has found: tables, verdicts, a picture."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
from rich.console import Console

from squall.plot import style
from squall.results import picture, show_table, write_json
from squall_studies.diagnostics_found import (
    COUNTED_FIELDS,
    COUNTED_SIZE,
    GOAL,
    PUBLISHED,
    Cost,
    Count,
    Found,
    Setup,
    SumCost,
    medians,
)
from squall_studies.diagnostics_steps import STATIONS, STEPS


def show(console: Console, found: Found, output: Path, json: Path | None) -> None:
    costs = medians(found.runs)
    show_costs(console, found.setup, costs)
    show_threads(console, costs)
    reading = {step: show_limit(console, step, costs, found) for step in found.values}
    show_counts(console, found.counts)
    show_sums(console, found.sums)
    for cost in costs:
        if cost.way == "in place":
            show_verdict(console, cost)
    draw(output / "diagnostics.png", costs, reading)
    console.print(f"Picture: {output / 'diagnostics.png'}")
    if json:
        write_json(json, asdict(found) | {"costs": [asdict(cost) for cost in costs]})


def show_costs(console: Console, setup: Setup, costs: list[Cost]) -> None:
    rows = [
        [
            *(c.step, str(c.ranks), c.what, c.way, f"{c.normal * 1e3:.1f}", f"{c.writing * 1e3:.1f}"),
            *(f"{c.more:.1%}", f"{c.more_processor:.1%}", f"{c.memory / 1e6:.0f}"),
        ]
        for c in costs
    ]
    nx, ny, nz = setup.size
    title = f"A step of {nx} x {ny} x {nz} cells"
    columns = ["of a", "ranks", "what", "made", "normal, ms", "writing, ms", "a frame costs", "processor"]
    columns.append("memory of a rank, MB")
    show_table(console, title, columns, rows)
    for name in dict.fromkeys(c.step for c in costs):
        console.print(f"{name}: {STEPS[name].about}", highlight=False)


def show_threads(console: Console, costs: list[Cost]) -> None:
    """Of what is made in place."""
    rows = [
        [
            *(cost.step, cost.what, str(cost.ranks), str(rank)),
            *(f"{share:.2%}" for share in (stepping, writing, stepping + writing)),
        ]
        for cost in costs
        if cost.way == "in place"
        for rank, (stepping, writing) in enumerate(cost.threads)
    ]
    if not rows:
        return
    columns = ["of a", "what", "ranks", "rank", "thread that steps", "threads that write", "both"]
    show_table(console, "A frame made in place, by the processor's time, of a step", columns, rows)


def show_verdict(console: Console, cost: Cost) -> None:
    worst = max((sum(rank) for rank in cost.threads), default=cost.more_processor)
    verdict = "[green]reached[/]" if worst <= GOAL else "[bold red]missed[/]"
    console.print(
        f"Goal of {GOAL:.0%} {verdict}: {cost.what} in place cost {worst:.1%} of a {cost.step}'s step on "
        f"{number_of_ranks(cost.ranks)} by the processor's time of the rank that loses most, {cost.more:.1%} "
        "by the clock.",
        highlight=False,
    )


def show_limit(console: Console, step: str, costs: list[Cost], found: Found) -> float:
    """What a zonal mean of all fields costs at least, on one rank: reading its values, as a share of a
    step, which is returned."""
    values, sums = found.values[step], found.sums[0]
    normal = next(c.normal for c in costs if (c.step, c.ranks) == (step, 1))
    read, summed = (values * each * 1e-9 for each in (sums.read, sums.reproducible))
    console.print(
        f"Zonal means are of {values / 1e6:.1f} million values in a {step}'s step: reading them takes "
        f"{read * 1e3:.1f} ms, {read / normal:.1%} of it, and their sums {summed * 1e3:.1f} ms, "
        f"{summed / normal:.1%}.",
        highlight=False,
    )
    return read / normal


def show_sums(console: Console, sums: list[SumCost]) -> None:
    rows = [[str(s.row), *(f"{x:.2f}" for x in (s.reproducible, s.in_order, s.read))] for s in sums]
    columns = ["terms a sum", "any order", "in order", "reading"]
    show_table(console, "Sums of single precision, ns a term", columns, rows)


def show_counts(console: Console, counts: list[Count]) -> None:
    rows = []
    for c in counts:
        gathered, in_place = PUBLISHED[c.what][c.ranks]
        rows.append(
            [
                *(str(c.ranks), c.what, str(c.messages), f"{c.bytes / 1e6:.2f}", f"{c.heard / 1e6:.3f}"),
                *(f"{c.gathered / 1e6:.0f}", f"{gathered:.2f}", f"{in_place:.2f}"),
            ]
        )
    nx, ny, nz = COUNTED_SIZE
    columns = ["ranks", "what", "messages", "MB", "MB a rank", "MB gathered", "gathered, s*", "in place, s*"]
    title = f"Sent for a frame of {COUNTED_FIELDS} fields of {nx} x {ny} x {nz} (counted)"
    show_table(console, title, columns, rows)
    console.print("* published, of a transport model's writing step.", highlight=False)


def draw(path: Path, costs: list[Cost], reading: dict[str, float]) -> None:
    """What frames cost as bars, by ranks, of each kind of step; and what reading the values of zonal means
    alone does on one."""
    groups = list(dict.fromkeys((c.step, c.ranks) for c in costs))
    made = list(dict.fromkeys((c.what, c.way) for c in costs))
    shares = {(c.step, c.ranks, c.what, c.way): 100 * c.more for c in costs}
    with picture(path, 8, 3.6) as figure:
        axes = figure.subplots()
        width = 0.8 / len(made)
        for index, (what, way) in enumerate(made):
            at = np.arange(len(groups)) + (index - (len(made) - 1) / 2) * width
            axes.bar(at, [shares[(*group, what, way)] for group in groups], width, label=f"{what}, {way}")
        for n, (step, ranks) in enumerate(groups):
            if ranks == 1 and step in reading:
                label = None if axes.lines else "reading alone, zonal means, 1 rank"
                axes.plot(
                    (n - 0.45, n + 0.45), [100 * reading[step]] * 2, color="0.3", linewidth=1, label=label
                )
        style.plain(axes)
        axes.set_xticks(range(len(groups)), [f"{step}, {number_of_ranks(ranks)}" for step, ranks in groups])
        axes.set(
            ylabel="% of a step",
            title=f"What a frame of all fields costs, {STATIONS} stations or zonal means",
        )
        figure.legend(loc="outside lower center", ncols=3, fontsize=8)


def number_of_ranks(number: int) -> str:
    return f"{number} rank{'' if number == 1 else 's'}"
