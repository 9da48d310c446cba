"""`squall lab messages`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels

app = typer.Typer()

_MESSAGES_HELP = """Count the messages of an MPI program: number, bytes and time of its calls, by size.

Runs the command after -- with a library that intercepts the MPI calls of each rank, from C, C++ or Fortran.
The program must be linked dynamically with the MPI that Squall was built with. With a launcher other than
mpirun, make sure that LD_PRELOAD and SQUALL_MESSAGES reach the ranks.

[bold]Examples[/bold]

    squall lab messages -- mpiexec -n 4 ./wrf.exe
    squall lab messages --results counts.json -- srun -n 64 ./my-model
    squall lab messages counts.json
"""


@app.command("messages", help=panels.explained(_MESSAGES_HELP))
def messages_command(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE | -- WORDS...",
            help="Counts that --results wrote; or a program with its launcher to run.",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for the picture.")] = Path(
        "runs/messages"
    ),
    json: Annotated[
        Path | None,
        typer.Option(
            "--results", metavar="FILE", help="File to write the counts to, as JSON.", show_default=False
        ),
    ] = None,
) -> None:
    from rich.console import Console

    from squall.profile import messages

    raise typer.Exit(messages.run(words, output, json, Console()))
