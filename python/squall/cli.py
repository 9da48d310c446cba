"""The command `squall`."""

import enum
import os
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from squall import complete, files, run_file_commands
from squall.errors import UserError
from squall.prepare import cli as preparation

app = typer.Typer(
    help="Squall, a limited-area weather model: runs it, draws what it did, looks after it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_COMPLETE = "_SQUALL_COMPLETE"  # the shell sets it to ask for completions


class Shell(enum.StrEnum):
    """Shells that complete."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


_RUN_HELP = """Run a case: a run file (TOML), or the name of one that comes with Squall.

[bold]Examples[/bold]

    squall run baroclinic-wave
    squall run my-case.toml -n 4 --threads 2
    squall run density-current --set domain.dx='"100 m"' --set run.directory=runs/coarse
    squall run my-case.toml --plan
"""

_PLOT_HELP = """Draw a run: the picture that suits its case, or the field you name.

[bold]Examples[/bold]

    squall plot runs/baroclinic-wave
    squall plot runs/baroclinic-wave --field wind_speed --level "5 km" --time "4 d"
    squall plot runs/density-current --field theta_pert --time "600 s" -o front.png
    squall plot runs/baroclinic-wave --field U --section "y=4000 km" --time last
    squall plot runs/january-storm --animate
"""

_CASES_HELP = """List the run files that come with Squall, with their titles and sources.

[bold]Examples[/bold]

    squall cases
    squall cases && squall run density-current
"""

_HELP_HELP = """Show a page of the documentation here, without a network; or list the pages.

[bold]Examples[/bold]

    squall help
    squall help restart
    squall help run-file | less
"""

_COMPLETION_HELP = """Print what makes a shell complete commands, options, cases, runs and fields.

[bold]Examples[/bold]

    squall completion bash >> ~/.bashrc
    squall completion zsh >> ~/.zshrc
    squall completion fish > ~/.config/fish/completions/squall.fish
"""

_DOCTOR_HELP = """Tell what this machine has for building and running Squall, and what is missing.

Exits with 1 when something is missing without which Squall does not work.

[bold]Examples[/bold]

    squall doctor
"""


@app.command(help=_RUN_HELP)
def run(
    case: Annotated[
        str,
        typer.Argument(
            help="Run file, or the name of a case (`squall cases`).", autocompletion=complete.run_files
        ),
    ],
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks.")] = 1,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads per rank. Default: the run file's.", show_default=False)
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="TABLE.KEY=VALUE", help="Overrides a key of the run file."),
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Tell what would be run and written; run nothing.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier run's output.")] = False,
) -> None:
    from squall import launch, locate

    arguments = [str(locate.run_file(case))]
    for setting in settings or []:
        arguments += ["--set", setting]
    if threads:
        arguments += ["--threads", str(threads)]
    if plan:
        arguments.append("--plan")
    if overwrite:
        arguments.append("--overwrite")
    start = launch.prepare(locate.model_binary(), arguments, ranks, threads)
    for warning in start.warnings:
        _complain(f"[yellow]Warning:[/yellow] {warning}")
    code, asked = launch.execute_model(start)
    if code == launch.STOPPED and asked == signal.SIGINT:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)  # a loop of the shell that runs this ends too
    ended_by = launch.ended_by_signal(code)
    if ended_by:
        _complain(f"[red]The model was ended by {ended_by}.[/red] Frames already written are whole.")
    raise typer.Exit(code)


@app.command(help=_CASES_HELP)
def cases() -> None:
    from squall import cases as known

    Console().print(known.table())


@app.command(help=_DOCTOR_HELP)
def doctor() -> None:
    from squall import doctor as examination

    findings = examination.examine()
    Console().print(examination.table(findings))
    for line in examination.advice(findings):
        print(line)
    if any(finding.state == "missing" for finding in findings):
        raise typer.Exit(1)


@app.command("help", help=_HELP_HELP)
def help_page(
    page: Annotated[
        str | None, typer.Argument(help="Its name. Default: list all.", autocompletion=complete.pages)
    ] = None,
) -> None:
    from squall import manual

    manual.show(page)


@app.command(help=_COMPLETION_HELP)
def completion(shell: Annotated[Shell, typer.Argument(metavar="bash|zsh|fish", help="The shell.")]) -> None:
    from typer._completion_shared import get_completion_script

    print(get_completion_script(prog_name="squall", complete_var=_COMPLETE, shell=shell.value))


@app.command(help=_PLOT_HELP)
def plot(
    run: Annotated[
        Path, typer.Argument(help="Run directory, or a history file.", autocompletion=complete.runs)
    ],
    field: Annotated[
        str | None,
        typer.Option(help="Field; an unknown one lists what there is.", autocompletion=complete.fields),
    ] = None,
    level: Annotated[
        str | None, typer.Option(help='Level: index, "5 km" or "500 hPa". Default: lowest.')
    ] = None,
    time: Annotated[str | None, typer.Option(help='Time: "last", frame index, or "36 h".')] = None,
    section: Annotated[
        str | None, typer.Option(metavar="x|y=WHERE", help='Vertical section at an index or a "distance".')
    ] = None,
    animated: Annotated[
        bool, typer.Option("--animate", help="All frames as a GIF: of --field, or of a forecast's weather.")
    ] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The picture's file.")] = None,
) -> None:
    from squall.plot import Choice, animate, draw

    picture = (animate if animated else draw)(run, Choice(field, level, time, section), output)
    print(f"Picture: {picture}")


app.add_typer(files.app)
app.add_typer(preparation.app)
app.add_typer(run_file_commands.app)


def _complain(message: str) -> None:
    Console(stderr=True, highlight=False, soft_wrap=True).print(message)


def _completing(words: list[str]) -> list[str]:
    """The words of the command line that the shell wants to have completed, or those of this one."""
    if _COMPLETE not in os.environ:
        return words
    from typer._completion_classes import completion_init

    completion_init()
    return os.environ.get("COMP_WORDS", os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()[1:]


def mount_lab() -> None:
    """`squall lab` is for those who change the model, and slow to import."""
    from squall.lab import app as lab

    app.add_typer(lab, name="lab")


def main() -> None:
    """Runs the command line; errors of the user's become one message and an exit code."""
    if _completing(sys.argv[1:])[:1] in ([], ["-h"], ["--help"], ["lab"]):
        mount_lab()
    try:
        app()
    except UserError as error:
        from squall import manual

        print(f"squall: {error}{manual.pointer(error.__traceback__)}", file=sys.stderr)
        sys.exit(error.exit_code)
