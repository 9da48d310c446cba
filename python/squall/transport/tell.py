"""Prints the summary of `squall transport prepare`."""

from itertools import pairwise

from rich.console import Console
from rich.table import Table

from squall.prepare.sources.fields import FIELDS
from squall.transport.prepare import PreparedWinds

_NOT_WRITTEN = {
    "height",
    "terrain",
    "sea_level_pressure",
    "cloud_water",
    "cloud_ice",
    "rain",
    "snow",
    "graupel",
}


def tell(console: Console, made: PreparedWinds) -> None:
    """The analysis, the grid, the fields, what stands in for others, mass, and the file."""
    console.print(_summary(made))
    console.print(_fields(made))
    _list(console, "Stands in, because the analysis lacks it", made.report.substitutions(len(made.times)))
    notes = [*made.report.notes]
    if not made.convective:
        notes.append("convective mass fluxes: none in the analysis; a run with convection finds its own")
    _list(console, "Notes", notes)
    _list(console, "Mass", _mass(made))
    _list(console, "Written", [f"{made.file} ({made.file.stat().st_size / 1e6:.1f} MB)"])


def _summary(made: PreparedWinds) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    analysis, times, globe, levels = made.analysis, made.times, made.globe, made.levels
    table.add_row("Analysis", f"{analysis.origin}; {len(analysis.grid.x)} x {len(analysis.grid.y)} points")
    steps = sorted({(after - before).total_seconds() / 3600 for before, after in pairwise(times)})
    apart = " to ".join(f"{hours:g}" for hours in dict.fromkeys((steps[0], steps[-1])))
    table.add_row(
        "Times",
        f"{len(times)}, {times[0]:%Y-%m-%d %H:%M} to {times[-1]:%Y-%m-%d %H:%M} UTC, {apart} h apart",
    )
    table.add_row("Grid", f"{globe.nlon} x {globe.nlat} cells: means in cells and along their sides")
    table.add_row(
        "Levels",
        f"{levels.nz} layers up to {levels.top / 100:g} hPa, linear in the logarithm of pressure; the "
        "surface pressure is the mean in each cell, over the analysis's own ground",
    )
    return table


def _fields(made: PreparedWinds) -> Table:
    table = Table(title="Fields", title_justify="left", box=None, pad_edge=False)
    for heading in ("field", "from"):
        table.add_column(heading, no_wrap=True, overflow="ellipsis")
    for name, where in made.report.used.items():
        if name not in _NOT_WRITTEN:
            table.add_row(f"{FIELDS[name].label} [dim]{FIELDS[name].units}[/dim]", where)
    return table


def _mass(made: PreparedWinds) -> list[str]:
    most = max(made.differences, key=abs)
    return [
        f"global-mean surface pressure: up to {most:+.3g} Pa from the first time's, removed",
        f"convergence of columns: corrected by up to {3.6e3 * made.largest_correction:.3g} Pa an hour, so "
        "that the air follows the surface pressure",
    ]


def _list(console: Console, title: str, lines: list[str]) -> None:
    if lines:
        console.print(f"\n[bold]{title}[/bold]")
        for line in lines:
            console.print(f"  {line}", soft_wrap=True, markup=False)
