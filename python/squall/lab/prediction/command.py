"""The command `squall lab calibrate`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels

app = typer.Typer()

_CALIBRATE_HELP = """Make a machine file for `squall plan` from measurements on one node.

Measures for some minutes, on an idle machine. Uses the fastest of repeated steps and the median of repeated
frames, and refuses measurements that do not repeat within 10 %. Instead of measuring, it can use results of
`squall lab speed` and `squall lab io`; the latter must include placement inline with codec none. Properties
of the cluster that one node cannot measure are options; what was not measured is assumed, and the file says
so.

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
    output: Annotated[Path, typer.Option("-o", "--output", help="Machine file to write.")],
    speed: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Results of `squall lab speed --results`, instead of measuring."),
    ] = None,
    io: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Results of `squall lab io --results`, instead of measuring."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="Name of the machine. Default: the processor's name.", show_default=False),
    ] = None,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the cluster.")] = 1,
    network: Annotated[float, typer.Option(min=1, help="Network bandwidth of a node [B/s].")] = 12.5e9,
    latency: Annotated[float, typer.Option(min=0, help="Network latency [s].")] = 2e-6,
    storage: Annotated[
        float | None,
        typer.Option(
            min=1, help="Bandwidth of the shared file system [B/s]. Default: as measured.", show_default=False
        ),
    ] = None,
    directory: Annotated[
        Path, typer.Option("--dir", help="Directory to write to, on the disk to measure.")
    ] = Path("runs/calibrate"),
    repeats: Annotated[int, typer.Option(min=2, help="Repeats of each measurement.")] = 3,
    engines: Annotated[
        str,
        typer.Option(
            metavar="A,B", help="Engines to measure. Default: all that write files.", show_default=False
        ),
    ] = "",
) -> None:
    from squall import machine
    from squall.errors import UserError
    from squall.lab.prediction import calibrate, machine_file
    from squall.lab.workspace import Workspace

    if (speed is None) != (io is None):
        raise UserError("--speed and --io must be given together; without both, calibrate measures now.")
    if output.exists():
        raise UserError(f"{output} exists already; choose another name, or move it away.")
    if speed and io:
        measured = calibrate.read(speed, io)
    else:
        measured = calibrate.measure(Workspace(directory.resolve()), repeats, names(engines))
    cluster = machine_file.Cluster(nodes, network, latency, storage)
    machine_file.write(measured, cluster, name or machine.processor(), output)
    print(f"Written: {output}. Next: squall plan --machine {output} -n {measured.several.cores} supercell")
