"""The command `squall watch`."""

import socket
from pathlib import Path
from typing import Annotated

import typer

from squall.commands import complete, panels
from squall.errors import UserError

app = typer.Typer()

_WATCH_HELP = """Show runs as a web page, during the run or afterwards: maps, sections, soundings, health.

Prints an address that contains a token; the page opens only with it. Unless --host says otherwise, the page
can be reached only from this machine or through an SSH tunnel. Needs no network. Ctrl-C ends the page, not
the run.

[bold]Examples[/bold]

    squall watch runs/january-storm
    squall watch runs/january-storm runs/other-physics
    squall watch runs/january-storm --browser
    squall watch runs/january-storm --port 8765
    squall watch runs/january-storm --host 0.0.0.0
"""


@app.command(help=panels.explained(_WATCH_HELP), rich_help_panel=panels.LOOK)
def watch(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...", help="Run directories or history files; several are compared.",
            autocompletion=complete.runs,
        ),
    ],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on. 0: any free port.")] = 0,
    host: Annotated[
        str, typer.Option(help="Address to listen on. With another address than the default, the page can "
        "be reached over the network, with the token.")
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--browser", help="Open the page in this machine's browser.")
    ] = False,
) -> None:  # fmt: skip
    from squall.reader.frames import index
    from squall.watch.serve import serve

    for run in runs:
        if not run.exists():
            raise UserError(f"There is no run directory or history file {run}.")
        if run.is_file():
            index([run])  # that it can be read
    if len(runs) > 9:
        raise UserError(f"{len(runs)} runs are too many for one page: give at most nine.")

    def say(address: str, port: int) -> None:
        print(f"Watching {', '.join(str(run) for run in runs)}\n\n  {address}\n", flush=True)
        if host == "127.0.0.1":
            print(
                f"From another machine: ssh -L {port}:127.0.0.1:{port} {socket.gethostname()}, then open "
                f"the address there."
            )
        print("Ctrl-C ends the page, not the run.", flush=True)

    serve(runs, host, port, say, browser)
