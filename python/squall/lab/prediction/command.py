"""The command `squall lab calibrate`."""

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


def names(text: str) -> list[str]:
    """What commas part."""
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
        measured = calibrate.measure(Workspace(directory.resolve()), repeats, names(engines))
    cluster = machine_file.Cluster(nodes, network, latency, storage)
    machine_file.write(measured, cluster, name or machine.processor(), output)
    print(f"Written: {output}. Next: squall plan --machine {output} -n {measured.several.cores} supercell")
