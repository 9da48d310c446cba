"""The command `squall lab tune`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import complete, panels

app = typer.Typer()

_HELP = """Find the settings with which a case runs fastest on this machine, and keep them for `squall run
--tuned`.

Compares short runs of the case with different ranks and threads, process grids, tiles, engines, placements,
servers, codecs and chunk shapes, and drops those that are clearly slower. Tries only lossless codecs. At the
end the best and the default settings run in turn, and the default wins unless it is slower. The result
applies to this machine, this build, and cases that differ only in times, names and initial state. Needs an
otherwise idle machine.

[bold]Examples[/bold]

    squall lab tune supercell
    squall lab tune my-case.toml --time 30min
    squall lab tune my-case.toml --only layout,tiles
    squall lab tune my-case.toml --engines zarr,netcdf
    squall run my-case.toml --tuned
"""


@app.command("tune", help=panels.explained(_HELP))
def tune_command(
    case: Annotated[
        str,
        typer.Argument(
            help="Run file, or the name of a case (`squall cases`).", autocompletion=complete.run_files
        ),
    ],
    time: Annotated[
        str, typer.Option(metavar="TIME", help='Time for the search, such as "10min" or "1 h".')
    ] = "10min",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="TABLE.KEY=VALUE", help="Override a key of the run file. May be repeated."
        ),
    ] = None,
    only: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="Choices to search: layout, tiles, placement, groups, codec, shapes. Default: all.",
        ),
    ] = "",
    engines: Annotated[
        str, typer.Option(metavar="A,B", help="Engines to try. Default: all in this build.")
    ] = "",
    exhaustive: Annotated[
        int,
        typer.Option(
            metavar="RUNS", min=0, help="Afterwards run every combination this many times, for comparison."
        ),
    ] = 0,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Directory for runs and the picture.")
    ] = Path("runs/tune"),
    json: Annotated[
        Path | None,
        typer.Option(
            "--results", metavar="FILE", help="File to write all trials to, as JSON.", show_default=False
        ),
    ] = None,
) -> None:
    from squall.lab.tune import tuning

    limits = tuning.Limits(_words(only), _words(engines), exhaustive)
    tuning.tune(case, settings or [], time, limits, output.resolve(), json)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
