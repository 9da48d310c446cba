"""The commands `squall lab calibrate` and `squall lab predict`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels

app = typer.Typer()

_CALIBRATE_HELP = """Make the machine file of `squall plan` from what is measured on one of its nodes.

Measures for some minutes, on an idle machine: of steps the fastest of the repeats counts, of frames the
median, and they are refused where it is not met again within 10 %. Or takes what `squall lab speed --json`
and `squall lab io --json` wrote, the latter with placement inline and codec none among others. What one node
cannot tell of a cluster are options; the file says what is assumed.

[bold]Examples[/bold]

    squall lab calibrate -o node.toml
    squall lab calibrate -o node.toml --engines netcdf,zarr --repeats 5
    squall lab calibrate -o cluster.toml --nodes 200 --network 25e9
    squall lab calibrate --speed speed.json --io io.json -o node.toml
"""

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


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


@app.command("calibrate", help=panels.explained(_CALIBRATE_HELP))
def calibrate_command(
    output: Annotated[Path, typer.Option("-o", "--output", help="The machine file to write.")],
    speed: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What `squall lab speed --json` wrote.")
    ] = None,
    io: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What `squall lab io --json` wrote.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Default: the processor's.", show_default=False)] = None,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the cluster.")] = 1,
    network: Annotated[float, typer.Option(min=1, help="Bandwidth of a node's network [B/s].")] = 12.5e9,
    latency: Annotated[float, typer.Option(min=0, help="Of the network [s].")] = 2e-6,
    storage: Annotated[
        float | None,
        typer.Option(min=1, help="Of the file system [B/s]. Default: as measured.", show_default=False),
    ] = None,
    directory: Annotated[Path, typer.Option("--dir", help="Directory whose disk is measured.")] = Path(
        "runs/calibrate"
    ),
    repeats: Annotated[int, typer.Option(min=2, help="Runs of each, and pairs of frames.")] = 3,
    engines: Annotated[
        str,
        typer.Option(metavar="A,B", help="Whose frames. Default: all that make files.", show_default=False),
    ] = "",
) -> None:
    from squall import machine
    from squall.errors import UserError
    from squall.lab.prediction import calibrate, machine_file
    from squall.lab.workspace import Workspace

    if (speed is None) != (io is None):
        raise UserError("--speed and --io belong together: give both, or neither to measure now.")
    if output.exists():
        raise UserError(f"{output} is there already; choose another name, or move it away.")
    if speed and io:
        measured = calibrate.read(speed, io)
    else:
        measured = calibrate.measure(Workspace(directory.resolve()), repeats, _names(engines))
    cluster = machine_file.Cluster(nodes, network, latency, storage)
    machine_file.write(measured, cluster, name or machine.processor(), output)
    print(f"Written: {output}. Next: squall plan --machine {output} -n {measured.several.cores} supercell")


@app.command("predict", help=panels.explained(_PREDICT_HELP))
def predict_command(
    file: Annotated[Path, typer.Argument(metavar="MACHINE", help="The machine file of this machine.")],
    size: Annotated[tuple[int, int, int], typer.Option(help="Cells in x, y and z.")] = (120, 120, 40),
    ranks: Annotated[str, typer.Option(metavar="A,B", help="Numbers of ranks.")] = "1,2,4",
    engines: Annotated[str, typer.Option(metavar="A,B", help="Whose frames.")] = "netcdf,zarr",
    rounds: Annotated[int, typer.Option(min=1, help="At least, of which the median counts.")] = 3,
    method: Annotated[
        str | None,
        typer.Option(metavar="simgrid|closed-form", help="Default: simgrid where built.", show_default=False),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="For runs and the picture.")] = Path(
        "runs/predict"
    ),
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the table there.", show_default=False)
    ] = None,
) -> None:
    from squall import planning
    from squall.errors import UserError
    from squall.lab.prediction import check

    try:
        numbers = [int(number) for number in ranks.split(",")]
    except ValueError:
        raise UserError(f"--ranks {ranks}: whole numbers with commas between.") from None
    setup = check.Setup(size, numbers, _names(engines), rounds, method)
    if not check.run(planning.machine_file(str(file)), setup, output, json):
        raise typer.Exit(1)
