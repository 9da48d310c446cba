"""The command `squall`."""

import enum
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from squall import extras
from squall.commands import complete, files, panels, preparation
from squall.commands import plan as plan_command
from squall.commands import run_files as run_file_commands
from squall.errors import UserError
from squall.watch import command as watching

app = typer.Typer(
    help="Squall, a limited-area weather model: runs it, draws what it did, looks after it.",
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

With --submit the run becomes a job of Slurm or PBS, which stops before its time limit and submits itself
again until the run is done.

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

_PLOT_HELP = """Draw a run: the picture that suits its case, or the field you name.

[bold]Examples[/bold]

    squall plot runs/baroclinic-wave
    squall plot runs/baroclinic-wave --field W --level "5 km" --time "4 d"
    squall plot runs/density-current --field theta_pert -o front.png
    squall plot runs/baroclinic-wave --field U --section "y=4000 km"
    squall plot runs/january-storm --field temperature --level 850mb \\
        --time 18:00 --contours height --barbs
    squall plot runs/january-storm --field wind_speed --range 0,70,5 \\
        --section "25,-105 to 40,-85"
    squall plot runs/january-storm --field REFD_COM \\
        --contours sea_level_pressure
    squall plot runs/january-storm --animate
    squall plot runs/mesonet --stream stations
    squall plot runs/mesonet --stream profiles --field W --station left
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
    tuned: Annotated[
        bool, typer.Option("--tuned", help="With ranks, threads and settings of `squall lab tune`.")
    ] = False,
    profile: Annotated[
        bool,
        typer.Option("--profile", help="Tell and draw where the time went: routines, ranks, messages."),
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier run's output.")] = False,
    go_on: Annotated[
        bool,
        typer.Option("--continue", help="Go on from the newest restart frame of the run, if there is one."),
    ] = False,
    keep: Annotated[
        int | None,
        typer.Option("--keep-restarts", min=1, help="Remove all but so many of the newest restart files."),
    ] = None,
    launcher: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help='Starts the ranks in place of mpirun: "srun --cpu-bind=cores".'),
    ] = None,
    submit: Annotated[
        bool, typer.Option("--submit", help="Write a job script and submit it to Slurm or PBS.")
    ] = False,
    nodes: Annotated[int | None, typer.Option(min=1, help="Of the job. Default: 1.")] = None,
    walltime: Annotated[
        str | None, typer.Option(metavar="H:MM:SS", help="Of the job. Default: 1:00:00.")
    ] = None,
    modules: Annotated[
        list[str] | None,
        typer.Option("--module", help="Loaded in the job. Default: those that are loaded now."),
    ] = None,
    queue: Annotated[str | None, typer.Option(help="Partition of Slurm, queue of PBS.")] = None,
    account: Annotated[str | None, typer.Option(help="That pays for the job.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --submit: write the script, submit nothing.")
    ] = False,
) -> None:
    from squall.runs import jobs, running

    wishes = running.Wishes(
        case, ranks, threads, settings or [], plan, overwrite, go_on, keep, launcher, tuned
    )
    of_job = jobs.Options(nodes, walltime, modules, queue, account, dry_run)
    if submit:
        if profile:
            raise UserError("--profile is of a run that begins now: put it into a job script.")
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

    Console().print(known.table())


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
        str | None, typer.Argument(help="Its name. Default: list all.", autocompletion=complete.pages)
    ] = None,
) -> None:
    from squall import manual

    manual.show(page)


@app.command(help=panels.explained(_COMPLETION_HELP), rich_help_panel=panels.HELP)
def completion(
    ctx: typer.Context,
    shell: Annotated[Shell, typer.Argument(metavar="bash|zsh|fish", help="The shell.")],
) -> None:
    from typer.completion import show_callback

    show_callback(ctx, ctx.command.params[0], shell.value)


@app.command(help=panels.explained(_PLOT_HELP), rich_help_panel=panels.LOOK)
def plot(
    run: Annotated[
        Path, typer.Argument(help="Run directory, or a history file.", autocompletion=complete.runs)
    ],
    field: Annotated[
        str | None,
        typer.Option(
            help="Field of the files, or derived; an unknown one lists what there is.",
            autocompletion=complete.fields,
        ),
    ] = None,
    level: Annotated[
        str | None, typer.Option(help='Level: index, "5 km", "500 hPa" or "320 K". Default: lowest.')
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(help='Time: "last", frame index, "36 h", "06:00" or "2007-01-24 18:00". Default: last.'),
    ] = None,
    section: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE",
            help='Vertical section: "x=300 km", "y=12", "lat=30", "lon=-97" or "LAT,LON to LAT,LON".',
        ),
    ] = None,
    limits: Annotated[
        str | None, typer.Option("--range", metavar="LOW,HIGH[,STEP]", help="Of the colours.")
    ] = None,
    colours: Annotated[
        str | None, typer.Option("--colours", "--colors", help="A colour map of Matplotlib.")
    ] = None,
    contours: Annotated[
        str | None, typer.Option(help="A second field, as lines.", autocompletion=complete.fields)
    ] = None,
    barbs: Annotated[bool, typer.Option("--barbs", help="The wind at the same level.")] = False,
    stream: Annotated[
        str,
        typer.Option(help="Which stream of the run directory.", autocompletion=complete.streams),
    ] = "history",
    station: Annotated[
        str | None, typer.Option(metavar="NAME[,NAME]", help="Of a stream with stations. Default: all.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="In place of the picture's own.")] = None,
    animated: Annotated[
        bool, typer.Option("--animate", help="All frames as a GIF: of --field, or of a forecast's weather.")
    ] = False,
    dots: Annotated[int | None, typer.Option("--dpi", min=10, help="Dots an inch. Default: 160.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The picture's file.")] = None,
) -> None:
    from squall.plot import Choice, PictureFile

    chosen = Choice(field, level, time, section, limits, colours, title, contours, barbs, station)
    picture = PictureFile(run, chosen, output, dots, stream)
    print(f"Picture: {picture.animate() if animated else picture.draw()}")


app.add_typer(plan_command.app)
app.add_typer(files.app)
app.add_typer(preparation.app)
app.add_typer(run_file_commands.app)
app.add_typer(watching.app)


def _completing(words: list[str]) -> list[str]:
    """The words of the command line that the shell wants to have completed, or those of this one."""
    if _COMPLETE not in os.environ:
        return words
    from typer.completion import get_completion_inspect_parameters

    get_completion_inspect_parameters()  # it sets up Typer's words to and from shells
    return os.environ.get("COMP_WORDS", os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()[1:]


def name_lab() -> None:
    """A line for `squall lab`, which is for those who change the model, and slow to import."""
    app.add_typer(typer.Typer(help=panels.LAB_HELP), name="lab", rich_help_panel=panels.LAB)


def mount_lab() -> None:
    """All of `squall lab`, with what other packages add to it."""
    from squall.lab import app as lab
    from squall.lab import further

    further.add(lab)
    app.add_typer(lab, name="lab", rich_help_panel=panels.LAB)


def main() -> None:
    """Runs the command line; errors of the user's become one message and an exit code."""
    if _completing(sys.argv[1:])[:1] == ["lab"]:
        mount_lab()
    else:
        name_lab()
    try:
        app(prog_name="squall")
    except UserError as error:
        from squall import manual

        print(f"squall: {error}{manual.pointer(error.__traceback__)}", file=sys.stderr)
        sys.exit(error.exit_code)
    except ModuleNotFoundError as error:
        needs = extras.message(error)
        if needs is None:
            raise
        print(f"squall: {needs}", file=sys.stderr)
        sys.exit(2)
