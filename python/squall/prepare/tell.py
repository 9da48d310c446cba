"""What `squall prepare` says when it is done."""

from rich.console import Console
from rich.table import Table

from squall.prepare.command import Prepared
from squall.prepare.domain import Domain
from squall.prepare.projection import WRF_PROJECTIONS


def tell(console: Console, made: Prepared) -> None:
    """Domain, fields, what was made up, the state, warnings and where the files are."""
    console.print(_summary(made))
    console.print(made.report.fields_table())
    _list(console, "Made up, because the analysis lacks it", made.report.substitutions(len(made.times)))
    _list(console, "Made up in the initial file, for WRF alone", made.filled)
    _list(console, "Notes", [*made.terrain.notes, *made.report.notes])
    _list(console, "First state", made.state_lines)
    for warning in made.warnings:
        console.print(f"\n[yellow]Warning:[/yellow] {warning}")
    _list(console, "Written", [str(path) for path in made.files])


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
        f"{domain.nx} x {domain.ny} cells of {spacing} around {domain.center_latitude:.2f} N "
        f"{domain.center_longitude:.2f} E, {projection}"
    )


def _list(console: Console, title: str, lines: list[str]) -> None:
    if lines:
        console.print(f"\n[bold]{title}[/bold]")
        for line in lines:
            console.print(f"  {line}", soft_wrap=True, markup=False)
