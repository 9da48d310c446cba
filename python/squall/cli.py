"""The command `squall`."""

import enum
import os
import sys
from typing import Annotated, Literal

import typer
from rich.console import Console

from squall import mpi
from squall.commands import (
    complete,
    files,
    forecast,
    inspection,
    panels,
    preparation,
    run_options,
    transport,
    wrf,
)
from squall.commands import plan as plan_command
from squall.commands import plot as plotting
from squall.commands import run_files as run_file_commands
from squall.commands.complaints import complaining, flush_output
from squall.errors import UserError
from squall.watch import command as watching

app = typer.Typer(
    help="Squall, a limited-area weather model: prepare, run, plot, watch and check forecasts.",
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_COMPLETE = "_SQUALL_COMPLETE"  # set by the shell when it asks for completions


class Shell(enum.StrEnum):
    """Shells that completion scripts exist for."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


_RUN_HELP = """Run a case: a run file (TOML), or the name of one that comes with Squall.

With --submit, the run becomes a Slurm or PBS job, which stops before its time limit and resubmits itself
until the run is done.

[bold]Examples[/bold]

    squall run baroclinic-wave
    squall run my-case.toml -n 4 --threads 2
    squall run density-current --set domain.dx="100 m" --set run.name=coarse
    squall run my-case.toml --plan
    squall run my-case.toml --tuned
    squall run my-case.toml -n 4 --profile
    squall run my-case.toml --continue --keep-restarts 2
    squall run my-case.toml -n 128 --submit --nodes 4 --walltime 6:00:00
"""

_CASES_HELP = """List the run files that come with Squall, with their titles and sources.

[bold]Examples[/bold]

    squall cases
    squall cases && squall run density-current
"""

_HELP_HELP = """Show a page of the documentation in the terminal, or list all pages. Needs no network.

[bold]Examples[/bold]

    squall help
    squall help restart
    squall help run-file | less
"""

_COMPLETION_HELP = """Print the shell script that completes commands, options, cases, runs and fields.

[bold]Examples[/bold]

    squall completion bash >> ~/.bashrc
    squall completion zsh >> ~/.zshrc
    squall completion fish > ~/.config/fish/completions/squall.fish
"""

_DOCTOR_HELP = """List what this machine has for building and running Squall, and what is missing.

Exits with 1 if something that Squall requires is missing.

[bold]Examples[/bold]

    squall doctor
"""


@app.callback(invoke_without_command=True)
def squall(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", "-V", help="Print the version and exit.")] = False,
) -> None:
    if version:
        from squall import versions

        print(versions.line())
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
        raise typer.Exit(2)


@app.command(help=panels.explained(_RUN_HELP), rich_help_panel=panels.RUN)
def run(
    case: Annotated[
        str,
        typer.Argument(
            help="Run file, or the name of a case (`squall cases`).", autocompletion=complete.run_files
        ),
    ],
    ranks: run_options.Ranks = 1,
    threads: run_options.Threads = None,
    device: Annotated[
        Literal["cpu", "gpu"] | None,
        typer.Option(
            help="Where the kernels run: on processors or on a graphics processor for each rank. "
            "Default: the run file's.",
            show_default=False,
        ),
    ] = None,
    settings: run_options.Settings = None,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan",
            help="Check the run file and show what would be run and written here, without running it. "
            "`squall plan` predicts for another machine.",
        ),
    ] = False,
    tuned: Annotated[
        bool,
        typer.Option("--tuned", help="Use the ranks, threads and settings that `squall lab tune` found."),
    ] = False,
    profile: Annotated[
        bool,
        typer.Option("--profile", help="Print and plot where the time goes, by routine, rank and message."),
    ] = False,
    overwrite: run_options.Overwrite = False,
    go_on: run_options.GoOn = False,
    keep: run_options.Keep = None,
    launcher: run_options.Launcher = None,
    submit: Annotated[
        bool, typer.Option("--submit", help="Write a job script and submit it to Slurm or PBS.")
    ] = False,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes of the job. Default: 1.")] = None,
    walltime: Annotated[
        str | None, typer.Option(metavar="H:MM:SS", help="Time limit of the job. Default: 1:00:00.")
    ] = None,
    modules: Annotated[
        list[str] | None,
        typer.Option(
            "--module", help="Module to load in the job; may be repeated. Default: those loaded now."
        ),
    ] = None,
    queue: Annotated[str | None, typer.Option(help="Slurm partition or PBS queue of the job.")] = None,
    account: Annotated[str | None, typer.Option(help="Account that the job is charged to.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --submit: write the job script without submitting it.")
    ] = False,
) -> None:
    from squall.runs import jobs, running

    settings = [*(settings or []), *([f'parallel.device="{device}"'] if device else [])]
    wishes = running.Wishes(case, ranks, threads, settings, plan, overwrite, go_on, keep, launcher, tuned)
    of_job = jobs.Options(nodes, walltime, modules, queue, account, dry_run)
    if submit:
        if profile:
            raise UserError(
                "--profile cannot be combined with --submit: put it into a job script of your own."
            )
        jobs.submit(wishes, of_job)
        return
    jobs.refuse_without_submit(of_job)
    if profile:
        from squall.profile import profiling

        raise typer.Exit(profiling.run(wishes, Console()))
    raise typer.Exit(running.run(wishes))


@app.command(help=panels.explained(_CASES_HELP), rich_help_panel=panels.RUN)
def cases() -> None:
    from squall.run_files import cases as known

    Console().print(known.table(known.load()))


@app.command(help=panels.explained(_DOCTOR_HELP), rich_help_panel=panels.HELP)
def doctor() -> None:
    from squall import doctor as examination

    findings = examination.examine()
    Console().print(examination.table(findings))
    for line in examination.advice(findings):
        print(line)
    if any(finding.state == "missing" for finding in findings):
        raise typer.Exit(1)


@app.command("help", help=panels.explained(_HELP_HELP), rich_help_panel=panels.HELP)
def help_page(
    page: Annotated[
        str | None,
        typer.Argument(help="Name of the page. Default: list all pages.", autocompletion=complete.pages),
    ] = None,
) -> None:
    from squall import manual

    manual.show(page)


@app.command(help=panels.explained(_COMPLETION_HELP), rich_help_panel=panels.HELP)
def completion(
    ctx: typer.Context,
    shell: Annotated[Shell, typer.Argument(metavar="bash|zsh|fish", help="Shell to write the script for.")],
) -> None:
    from typer.completion import show_callback

    show_callback(ctx, ctx.command.params[0], shell.value)


app.add_typer(plotting.app)
app.add_typer(forecast.app)
app.add_typer(plan_command.app)
app.add_typer(inspection.app)
app.add_typer(files.app)
app.add_typer(preparation.app)
app.add_typer(run_file_commands.app)
app.add_typer(watching.app)
app.add_typer(wrf.app, name="wrf", rich_help_panel=panels.OUTPUT)
app.add_typer(transport.app, name="transport", rich_help_panel=panels.RUN)


def _completing(words: list[str]) -> list[str]:
    """The words of the command line that the shell asks to complete; otherwise this command's own."""
    if _COMPLETE not in os.environ:
        return words
    from typer.completion import get_completion_inspect_parameters

    get_completion_inspect_parameters()  # it sets up Typer's words to and from shells
    return os.environ.get("COMP_WORDS", os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()[1:]


def name_lab() -> None:
    """Lists `squall lab` without importing it: it is for developers, and slow to import."""
    app.add_typer(typer.Typer(help=panels.LAB_HELP), name="lab", rich_help_panel=panels.LAB)


def mount_lab() -> None:
    """All of `squall lab`, with what other packages add to it."""
    from squall.lab import app as lab
    from squall.lab import further

    further.add(lab)
    app.add_typer(lab, name="lab", rich_help_panel=panels.LAB)


def main() -> None:
    """Runs the command line."""
    if _completing(sys.argv[1:])[:1] == ["lab"]:
        mount_lab()
    else:
        name_lab()
    with complaining():
        mpi.choose()
        try:
            app(prog_name="squall")
        finally:
            flush_output()
