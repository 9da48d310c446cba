"""The command `squall lab tune`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import complete, panels

app = typer.Typer()

_HELP = """Find how a case runs fastest on this machine, and keep that for `squall run --tuned`.

Short runs of the case race over ranks and threads, process grids, tiles, engines, placements, servers, codecs
and shapes of chunks; what is clearly slower drops out. Only lossless codecs are tried. In the end the best
and the default run in turn, and the default stays unless it is slower. The result holds for this machine,
this build and cases that differ in nothing but times, names and initial state. Needs an otherwise idle
machine.

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
        str, typer.Argument(help="Run file, or the name of a case.", autocompletion=complete.run_files)
    ],
    time: Annotated[str, typer.Option(metavar="TIME", help='To search, such as "10min" or "1 h".')] = "10min",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="TABLE.KEY=VALUE", help="Overrides a key of the run file."),
    ] = None,
    only: Annotated[
        str,
        typer.Option(metavar="A,B", help="Of layout, tiles, placement, groups, codec, shapes. Default: all."),
    ] = "",
    engines: Annotated[str, typer.Option(metavar="A,B", help="Default: all of this build.")] = "",
    exhaustive: Annotated[
        int, typer.Option(metavar="RUNS", min=0, help="Then run every combination so often, to compare.")
    ] = 0,
    output: Annotated[Path, typer.Option("-o", "--output", help="For runs and the picture.")] = Path(
        "runs/tune"
    ),
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write what was tried.", show_default=False)
    ] = None,
) -> None:
    from squall.lab.tune import tuning

    limits = tuning.Limits(_words(only), _words(engines), exhaustive)
    tuning.tune(case, settings or [], time, limits, output.resolve(), json)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
