"""`squall lab`: the model against what is known, and against the machine.

Every command prints a table, draws a picture, and writes what it found to `--json FILE`.
"""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Verify the model and measure its speed.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

Json = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the table there.", show_default=False)
]

_VERIFY_HELP = """Compare the model with WRF's fields, with published cases, and with itself.

Prints one table, leaves runs and pictures in a directory, and exits with 1 when a check fails.

[bold]Examples[/bold]

    squall lab verify
    squall lab verify density-current mountain-schaer -o /tmp/verify
    squall lab verify --json verify.json
"""

_SPEED_HELP = """Measure the model's speed against the machine's memory bandwidth.

Steps the baroclinic wave on a domain that fits the caches, on the one that WRF's speed is known
for, and on one far beyond the caches; on one core and on all. Needs an otherwise idle machine.

[bold]Examples[/bold]

    squall lab speed
    squall lab speed --repeats 5 --json speed.json
"""


@app.command("verify", help=_VERIFY_HELP)
def verify_command(
    cases: Annotated[
        list[str] | None, typer.Argument(help="Default: all. An unknown one lists them.", show_default=False)
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="For runs and pictures.")] = Path(
        "runs/verify"
    ),
    jobs: Annotated[
        int | None,
        typer.Option(
            "-j", "--jobs", min=1, help="Cases at a time. Default: one per core.", show_default=False
        ),
    ] = None,
    json: Json = None,
) -> None:
    from squall import machine
    from squall.lab import verify
    from squall.lab.workspace import Workspace

    if not verify.run(cases or [], Workspace(output.resolve()), jobs or machine.cores(), json):
        raise typer.Exit(1)


@app.command("speed", help=_SPEED_HELP)
def speed_command(
    repeats: Annotated[int, typer.Option(min=1, help="Runs of each domain; the median counts.")] = 3,
    output: Annotated[Path, typer.Option("-o", "--output", help="For the picture.")] = Path("runs/speed"),
    json: Json = None,
) -> None:
    from squall.lab import speed

    speed.run(output, repeats, json)
