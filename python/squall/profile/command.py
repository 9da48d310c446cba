"""`squall lab messages`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels

app = typer.Typer()

_MESSAGES_HELP = """Count the messages of an MPI program: number, bytes and time of its calls, by size.

Runs the words after -- with a library that stands between the program and MPI in each rank, in C, C++ and
Fortran alike. The program must be linked dynamically with the MPI that Squall was built with; nothing else
is asked of it. Under another launcher than mpirun see that LD_PRELOAD and SQUALL_MESSAGES reach the ranks.

[bold]Examples[/bold]

    squall lab messages -- mpiexec -n 4 ./wrf.exe
    squall lab messages --json counts.json -- srun -n 64 ./my-model
    squall lab messages counts.json
"""


@app.command("messages", help=panels.explained(_MESSAGES_HELP))
def messages_command(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE | -- WORDS...",
            help="What --json wrote; or a program with its launcher, run to its end.",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="For the picture.")] = Path("runs/messages"),
    json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write the counts there.", show_default=False),
    ] = None,
) -> None:
    from rich.console import Console

    from squall.profile import messages

    raise typer.Exit(messages.run(words, output, json, Console()))
