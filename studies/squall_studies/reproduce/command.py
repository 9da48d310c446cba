"""The command `squall lab reproduce`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels

app = typer.Typer()

_HELP = """Measure tables and figures of published studies again, on this machine.

Each item prints a table, draws the figure beside the published one where its numbers are known, and leaves
both with machine and settings in a directory. A study's name stands for all of its items. With --report, one
self-contained HTML page shows everything that lies in the directory, also of earlier commands.

[bold]Examples[/bold]

    squall lab reproduce --list
    squall lab reproduce hector-tiles tomcat --quick
    squall lab reproduce --all --report lab-report
    squall lab reproduce --report lab-report
"""


@app.command("reproduce", help=panels.explained(_HELP))
def reproduce_command(
    items: Annotated[
        list[str] | None, typer.Argument(metavar="[ITEM]...", help="Items or studies.", show_default=False)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All items.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the items and measure nothing.")] = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Results go there, and a page of all of them.", show_default=False),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A look: smaller, fewer, shorter.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Run as long as the study did, even for hours.")
    ] = False,
    repeats: Annotated[int, typer.Option(min=1, help="Repeats of measurements that scatter.")] = 3,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Directory for results, without --report.")
    ] = Path("runs/reproduce"),
) -> None:
    from squall_studies.reproduce import catalogue, document, runner

    if listing:
        runner.show_list(catalogue.ITEMS)
        return
    chosen = list(catalogue.ITEMS) if everything else catalogue.chosen(items or [])
    if not chosen and report is None:
        runner.nothing_chosen()
    directory = (report or output).resolve()
    failed = runner.run(chosen, directory, quick, repeats, full)
    if report:
        print(f"Report: {document.write(directory, catalogue.ITEMS)}")
    if failed:
        raise typer.Exit(1)
