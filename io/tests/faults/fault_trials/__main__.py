"""The command `tools/faults`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

import fault_trials
from fault_trials.trial import Patience
from squall.commands import panels
from squall.errors import UserError

NAME = "tools/faults"

_HELP = """Put the output runtime under fire and check what it promises.

Writes frames with engines, placements, ranks and servers drawn at random, while disks fill up, writes,
fsyncs and renames fail, messages are late or lost, and processes stop or are killed. Then: what is
published must be whole, what was reported lost must not be visible, nothing may be lost silently or
hang, messages must name the cause, and a following run must go on. Prints a table, and for each broken
promise the command that does it again; exits with 1 if there is one. Needs a build with tests, and
Open MPI.

[bold]Examples[/bold]

    tools/faults
    tools/faults --seed 7 --runs 1000 -j 4
    tools/faults --engine zarr --fault 'kill -9,SIGSTOP'
    tools/faults --seed 7 --from 123 --runs 1
"""

app = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command(help=panels.explained(_HELP))
def command(
    seed: Annotated[int, typer.Option(help="The same seed draws the same schedules.")] = 1,
    runs: Annotated[int, typer.Option(min=1, help="Schedules to carry out.")] = 100,
    first: Annotated[int, typer.Option("--from", min=0, help="Number of the first of them.")] = 0,
    engines: Annotated[str, typer.Option("--engine", metavar="A,B", help="Default: all of this build.")] = "",
    placements: Annotated[
        str, typer.Option("--placement", metavar="A,B", help="Default: inline,thread,servers.")
    ] = "",
    faults: Annotated[str, typer.Option("--fault", metavar="A,B", help="Default: all.")] = "",
    deadline: Annotated[
        float,
        typer.Option(
            min=0.5, help="Seconds that a session waits before it gives up; longer on a busy machine."
        ),
    ] = 4.0,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=1, help="Schedules at a time.")] = 2,
    directory: Annotated[Path, typer.Option("--dir", help="Where the runs write.")] = Path("runs/faults"),
    json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write the table there.", show_default=False),
    ] = None,
) -> None:
    choice = fault_trials.Choice(*(text.split(",") if text else [] for text in (engines, placements, faults)))
    kept = fault_trials.run(
        seed, range(first, first + runs), choice, directory.resolve(), Patience(deadline), jobs, json
    )
    if not kept:
        raise typer.Exit(1)


def main() -> None:
    """Runs the command line; errors of the user's become one message and an exit code."""
    try:
        app(prog_name=NAME)
    except UserError as error:
        print(f"{NAME}: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
