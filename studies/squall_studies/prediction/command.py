"""The command `squall lab predict`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels
from squall.lab.prediction.command import names

app = typer.Typer()

_PREDICT_HELP = """Compare what `squall plan` predicts for this machine with what is measured on it.

Steps a supercell on 1, 2 and 4 ranks and writes its frames, inline. Prints predicted and measured times, and
exits with 1 unless all are within 15 %. In each round what the file was calibrated with is measured
again, before and after: how much slower the machine is than it was, and how long a step waits beside that, is
taken off what is measured, and the median of the rounds counts. Where the middle half of the rounds lies more
than 15 % apart, up to three times as many are made; where it still does, a prediction near its ends "cannot
be told" from this machine. So a machine that has other work will do, if
that is the same for a minute; an idle one tells more.

[bold]Examples[/bold]

    squall lab predict node.toml
    squall lab predict node.toml --ranks 1,2 --engines zarr
"""


@app.command("predict", help=panels.explained(_PREDICT_HELP))
def predict_command(
    file: Annotated[Path, typer.Argument(metavar="MACHINE", help="The machine file of this machine.")],
    size: Annotated[tuple[int, int, int], typer.Option(help="Cells in x, y and z.")] = (120, 120, 40),
    ranks: Annotated[str, typer.Option(metavar="A,B", help="Numbers of ranks.")] = "1,2,4",
    engines: Annotated[
        str, typer.Option(metavar="A,B", help="Engines that write the frames.")
    ] = "netcdf,zarr",
    rounds: Annotated[
        int, typer.Option("--repeats", min=1, help="Rounds at least, of which the median counts.")
    ] = 3,
    method: Annotated[
        str | None,
        typer.Option(metavar="simgrid|closed-form", help="Default: simgrid where built.", show_default=False),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for runs and picture.")] = Path(
        "runs/predict"
    ),
    json: Annotated[
        Path | None,
        typer.Option("--results", metavar="FILE", help="Write the table there.", show_default=False),
    ] = None,
) -> None:
    from squall import planning
    from squall.errors import UserError
    from squall_studies.prediction import check

    try:
        numbers = [int(number) for number in ranks.split(",")]
    except ValueError:
        raise UserError(f"--ranks {ranks}: whole numbers with commas between.") from None
    setup = check.Setup(size, numbers, names(engines), rounds, method)
    if not check.run(planning.machine_file(str(file)), setup, output, json):
        raise typer.Exit(1)
