"""The commands that make run files of squall-transport and run them: run, new, cases."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import complete, panels, run_options

app = typer.Typer()

_RUN_HELP = """Run a case on the globe: a run file (TOML), or the name of one that comes with Squall.

[bold]Examples[/bold]

    squall transport run solid-body
    squall transport run my-case.toml -n 4 --threads 2
    squall transport run radon --set grid.nlon=288 --set grid.nlat=144
    squall transport run my-case.toml --check
    squall transport run my-case.toml --continue --keep-restarts 2
"""

_NEW_HELP = """Write a run file of the globe to start from.

It is that of a case, with its comments, and can be run at once. An existing file is never replaced.

[bold]Examples[/bold]

    squall transport new plume.toml --case eruption
    squall transport new tracers.toml --case tomcat-t106
"""

_CASES_HELP = """List the run files of the globe that come with Squall, with their titles and sources.

[bold]Examples[/bold]

    squall transport cases
    squall transport cases && squall transport run radon
"""


@app.command(help=panels.explained(_RUN_HELP))
def run(
    case: Annotated[
        str,
        typer.Argument(
            help="Run file, or the name of a case (`squall transport cases`).",
            autocompletion=complete.transport_files,
        ),
    ],
    ranks: run_options.Ranks = 1,
    threads: run_options.Threads = None,
    settings: run_options.Settings = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check the run file and say what would run, without running it.")
    ] = False,
    overwrite: run_options.Overwrite = False,
    go_on: run_options.GoOn = False,
    keep: run_options.Keep = None,
    launcher: run_options.Launcher = None,
) -> None:
    from squall.runs import running

    raise typer.Exit(
        running.run(
            running.Wishes(
                case, ranks, threads, settings or [], check, overwrite, go_on, keep, launcher,
                program=running.TRANSPORT,
            )
        )
    )  # fmt: skip


@app.command(help=panels.explained(_NEW_HELP))
def new(
    path: Annotated[Path, typer.Argument(metavar="RUNFILE", help="Run file to write.")],
    case: Annotated[
        str,
        typer.Option(
            help="Case to start from (`squall transport cases`).", autocompletion=complete.transport_cases
        ),
    ] = "solid-body",
) -> None:
    from squall import locate
    from squall.run_files.run_file import write_new

    text = locate.transport_file(case).read_text()
    path.parent.mkdir(parents=True, exist_ok=True)
    heading = f"# From the case {Path(case).stem}. `squall help transport-run-file` lists all keys.\n#\n"
    write_new(path, heading + text)
    print(f"Written: {path}. Next: squall transport run {path} --check")


@app.command(help=panels.explained(_CASES_HELP))
def cases() -> None:
    from rich.console import Console

    from squall.run_files import cases as known

    Console().print(known.table(known.load_transport()))
