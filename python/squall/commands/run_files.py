"""The commands that write run files: new, import."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import complete, panels

app = typer.Typer()

_NEW_HELP = """Write a run file to start from, with every other key it can have as a comment.

The run file is complete and can be run at once. An existing file is never replaced.

[bold]Examples[/bold]

    squall new bubble.toml
    squall new storm.toml --case supercell
    squall new forecast.toml --from-wrfinput wrfinput_d01
"""

_IMPORT_HELP = """Translate a WRF namelist into a run file, and list the settings without a counterpart.

Translates the first domain and its nests. Expects the initial and boundary files beside the namelist.

[bold]Examples[/bold]

    squall import namelist.input
    squall import wrf/run/namelist.input -o january.toml
"""


@app.command(help=panels.explained(_NEW_HELP), rich_help_panel=panels.PREPARE)
def new(
    path: Annotated[Path, typer.Argument(metavar="RUNFILE", help="Run file to write.")],
    case: Annotated[
        str | None,
        typer.Option(
            help="Case to start from (`squall cases`). Default: warm-bubble.",
            autocompletion=complete.cases,
            show_default=False,
        ),
    ] = None,
    wrfinput: Annotated[
        Path | None,
        typer.Option(
            "--from-wrfinput", metavar="FILE", help="WRF initial file to start from, instead of a case."
        ),
    ] = None,
) -> None:
    from squall import new as run_files
    from squall.errors import UserError
    from squall.run_files import schema
    from squall.run_files.run_file import write_new

    if case and wrfinput:
        raise UserError("--case and --from-wrfinput exclude each other; leave one out.")
    if wrfinput:
        text = run_files.from_wrfinput(wrfinput, path, schema.load())
    else:
        text = run_files.from_case(case or "warm-bubble", path, schema.load())
    if not path.parent.exists():
        path.parent.mkdir(parents=True)
    beside = [] if wrfinput or path.exists() else run_files.put_beside(case or "warm-bubble", path)
    write_new(path, text)
    following = f"squall prepare {path}" if "\n[prepare]" in text else f"squall run {path} --plan"
    print(f"Written: {', '.join(map(str, [path, *beside]))}. Next: {following}")


@app.command("import", help=panels.explained(_IMPORT_HELP), rich_help_panel=panels.PREPARE)
def import_namelist(
    namelist: Annotated[Path, typer.Argument(help="WRF namelist (namelist.input).")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Run file to write. Default: named after the namelist's folder."),
    ] = None,
) -> None:
    from squall.run_files import schema
    from squall.run_files.run_file import write_new
    from squall.wrf import fuels, input_files, iofields, wind_farms, write
    from squall.wrf.namelist import read
    from squall.wrf.translate import translate

    output = output or Path(f"{namelist.resolve().parent.name}.toml")
    wrf = read(namelist)
    known = schema.load()
    translation = translate(wrf, known)
    translation.differing = input_files.differences(wrf, namelist.parent)
    fields = [
        *iofields.names_of_the_model(),
        *iofields.names_of_initial_file(namelist.parent / str(translation.settings()["initial.file"][0])),
    ]
    fuels.take(translation, namelist.parent, known)
    iofields.take(translation, wrf, namelist.parent, fields)
    stations = write.take_time_series(translation, namelist.parent / "tslist", output)
    turbines = wind_farms.take(translation, namelist.parent, output)
    write_new(output, write.run_file(translation, known, namelist, output))
    print(write.report(translation))
    if stations:
        print(f"Written: {stations}, the stations of {namelist.parent / 'tslist'}")
    if turbines:
        print(f"Written: {', '.join(map(str, turbines))}, the wind turbines of {namelist.parent}")
    print(f"Written: {output}. Next: squall run {output} --plan")
