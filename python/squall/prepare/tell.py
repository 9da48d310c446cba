"""Prints the summary of `squall prepare`."""

from rich.console import Console
from rich.table import Table

from squall import quantity
from squall.geo.domain import Domain
from squall.geo.projection import WRF_PROJECTIONS
from squall.prepare.command import Prepared


def tell(console: Console, domains: list[Prepared]) -> None:
    """Domain, fields, what was made up, the state, nests, warnings and where the files are."""
    made = domains[0]
    console.print(_summary(made))
    console.print(made.report.fields_table())
    _list(console, "Substituted, because the analysis lacks it", made.report.substitutions(len(made.times)))
    _list(console, "Substituted in the initial file, for land, sea and radiation", made.filled)
    _list(console, "Notes", [*made.terrain.notes, *made.report.notes])
    _list(console, "Initial state", made.state_lines)
    for nest in domains[1:]:
        _list(console, f"Nest d{nest.domain.grid_id:02d}", _nest(nest, made))
    for warning in dict.fromkeys(
        line for each in domains for line in (*each.warnings, *each.report.warnings)
    ):
        console.print(f"\n[yellow]Warning:[/yellow] {warning}")
    _list(console, "Written", [str(path) for each in domains for path in each.files])


def _nest(made: Prepared, outermost: Prepared) -> list[str]:
    """A nest's position, and its differences from the outermost domain."""
    own, times = made.domain, len(made.times)
    last_i = own.i_parent_start + own.nx // own.parent_ratio - 1
    last_j = own.j_parent_start + own.ny // own.parent_ratio - 1
    place = (
        f"cells {own.i_parent_start} to {last_i} and {own.j_parent_start} to {last_j} of d{own.parent_id:02d}"
    )
    told = [*outermost.report.notes, *outermost.terrain.notes, *outermost.filled]
    told += outermost.report.substitutions(times)
    found = [*made.report.substitutions(times), *made.filled, *made.terrain.notes, *made.report.notes]
    new = [line for line in found if line not in told]
    return [f"{_in_words(own)}: {place}", *new, *made.state_lines]


def _summary(made: Prepared) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    analysis, domain, times = made.analysis, made.domain, made.times
    levels = analysis.levels(times[0])
    ends = f"{analysis.name_level(levels[0])} to {analysis.name_level(levels[-1])}"
    files = f"{len(analysis.files)} files" if len(analysis.files) > 1 else analysis.files[0]
    table.add_row("Analysis", f"{files}; {analysis.grid.kind} grid, {len(levels)} levels, {ends}")
    span = f"{times[0]:%Y-%m-%d %H:%M} UTC"
    if len(times) > 1:
        step = (times[1] - times[0]).total_seconds() / 3600
        span = f"{len(times)} times, {span} to {times[-1]:%Y-%m-%d %H:%M} UTC, {step:g} h apart"
    table.add_row("Times", span)
    table.add_row("Domain", _in_words(domain))
    table.add_row("Levels", f"{made.settings.vertical_grid().nz}, top at {made.settings.top / 100:g} hPa")
    return table


def _in_words(domain: Domain) -> str:
    _, projection = WRF_PROJECTIONS[domain.projection.name]
    spacing = f"{domain.dx / 1e3:g} km"
    if domain.dy != domain.dx:
        spacing += f" x {domain.dy / 1e3:g} km"
    return (
        f"{domain.nx} x {domain.ny} cells of {spacing} around {quantity.latitude(domain.center_latitude)} "
        f"{quantity.longitude(domain.center_longitude)}, {projection}"
    )


def _list(console: Console, title: str, lines: list[str]) -> None:
    if lines:
        console.print(f"\n[bold]{title}[/bold]")
        for line in lines:
            console.print(f"  {line}", soft_wrap=True, markup=False)
