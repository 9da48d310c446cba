"""The commands `squall lab calibrate` and `squall lab predict`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels

app = typer.Typer()

_CALIBRATE_HELP = """Make a machine file for `squall plan` from measurements on one node.

Measures for some minutes, on an idle machine. Uses the fastest of repeated steps and the median of repeated
frames, and refuses measurements that do not repeat within 10 %. Instead of measuring, it can use results of
`squall lab speed --json` and `squall lab io --json`; the latter must include placement inline with codec
none. Properties of the cluster that one node cannot measure are options; what was not measured is assumed,
and the file says so.

[bold]Examples[/bold]

    squall lab calibrate -o node.toml
    squall lab calibrate -o node.toml --engines netcdf,zarr --repeats 5
    squall lab calibrate -o cluster.toml --nodes 200 --network 25e9
    squall lab calibrate --speed speed.json --io io.json -o node.toml
"""

_PREDICT_HELP = """Compare the predictions of `squall plan` for this machine with measurements.

Steps a supercell on 1, 2 and 4 ranks and writes its frames with placement inline. Prints predicted and
measured times, and exits with 1 unless all agree within 15 %. Each round repeats the calibration measurements
before and after, and corrects for the machine being slower than when it was calibrated; the median of the
rounds is used. If the middle half of the rounds spreads over more than 15 %, up to three times as many rounds
are made; if it still does, a prediction near its ends is reported as undecided. The machine may therefore
have other work, if it is steady for a minute, but an idle one gives clearer results.

[bold]Examples[/bold]

    squall lab predict node.toml
    squall lab predict node.toml --ranks 1,2 --engines zarr
"""


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


@app.command("calibrate", help=panels.explained(_CALIBRATE_HELP))
def calibrate_command(
    output: Annotated[Path, typer.Option("-o", "--output", help="Machine file to write.")],
    speed: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Results of `squall lab speed --json`, instead of measuring."),
    ] = None,
    io: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Results of `squall lab io --json`, instead of measuring."),
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
        measured = calibrate.measure(Workspace(directory.resolve()), repeats, _names(engines))
    cluster = machine_file.Cluster(nodes, network, latency, storage)
    machine_file.write(measured, cluster, name or machine.processor(), output)
    print(f"Written: {output}. Next: squall plan --machine {output} -n {measured.several.cores} supercell")


@app.command("predict", help=panels.explained(_PREDICT_HELP))
def predict_command(
    file: Annotated[
        Path,
        typer.Argument(metavar="MACHINE", help="Machine file of this machine, from `squall lab calibrate`."),
    ],
    size: Annotated[tuple[int, int, int], typer.Option(help="Grid cells in x, y and z.")] = (120, 120, 40),
    ranks: Annotated[str, typer.Option(metavar="A,B", help="Numbers of ranks to compare.")] = "1,2,4",
    engines: Annotated[
        str, typer.Option(metavar="A,B", help="Engines whose frames to compare.")
    ] = "netcdf,zarr",
    rounds: Annotated[
        int, typer.Option(min=1, help="Minimum number of rounds, of which the median is used.")
    ] = 3,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="simgrid|closed-form",
            help="How to predict. Default: simgrid if built, else closed-form.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Directory for runs and the picture.")
    ] = Path("runs/predict"),
    json: Annotated[
        Path | None,
        typer.Option(
            "--json", metavar="FILE", help="File to write the results to, as JSON.", show_default=False
        ),
    ] = None,
) -> None:
    from squall import planning
    from squall.errors import UserError
    from squall.lab.prediction import check

    try:
        numbers = [int(number) for number in ranks.split(",")]
    except ValueError:
        raise UserError(f"--ranks {ranks}: give whole numbers separated by commas.") from None
    setup = check.Setup(size, numbers, _names(engines), rounds, method)
    if not check.run(planning.machine_file(str(file)), setup, output, json):
        raise typer.Exit(1)
