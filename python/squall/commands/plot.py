"""The command `squall plot`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import complete, panels

app = typer.Typer()

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
    squall plot runs/eruption --projection north-pole
    squall plot runs/radon --field radon --section zonal
    squall plot runs/eruption --hovmoeller lat=15
"""


@app.command(help=panels.explained(_PLOT_HELP), rich_help_panel=panels.LOOK)
def plot(
    run: Annotated[
        Path, typer.Argument(help="Run directory, or a history file.", autocompletion=complete.runs)
    ],
    field: Annotated[
        str | None,
        typer.Option(
            help="Field to draw, stored or derived; an unknown name lists all. Default: what suits the run.",
            autocompletion=complete.fields,
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            help='Level: index, "5 km", "500 hPa" or "320 K" (potential temperature). Default: lowest.'
        ),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(help='Time: "last", frame index, "36 h", "06:00" or "2007-01-24 18:00". Default: last.'),
    ] = None,
    section: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE",
            help='Vertical section: "x=300 km", "y=12", "lat=30", "lon=-97" or "LAT,LON to LAT,LON"; '
            'of a run on the globe "zonal", a mean, "lat=30" or "lon=-97".',
        ),
    ] = None,
    limits: Annotated[
        str | None,
        typer.Option(
            "--range",
            metavar="LOW,HIGH[,STEP]",
            help="Limits of the colour scale, in the field's units. Default: from the data.",
        ),
    ] = None,
    colours: Annotated[
        str | None,
        typer.Option("--colours", "--colors", help="Matplotlib colour map. Default: what suits the field."),
    ] = None,
    contours: Annotated[
        str | None, typer.Option(help="Second field, drawn as contour lines.", autocompletion=complete.fields)
    ] = None,
    barbs: Annotated[bool, typer.Option("--barbs", help="Draw wind barbs at the same level.")] = False,
    stream: Annotated[
        str,
        typer.Option(help="Stream of the run to draw.", autocompletion=complete.streams),
    ] = "history",
    station: Annotated[
        str | None,
        typer.Option(metavar="NAME[,NAME]", help="Stations to draw, for a stream of stations. Default: all."),
    ] = None,
    projection: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Map of a run on the globe: plate-carree (the default), robinson, north-pole or south-pole.",
        ),
    ] = None,
    hovmoeller: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE", help='All times of a run on the globe, along "lat=30", "lon=-97" or "zonal".'
        ),
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="Title of the picture. Default: made from the field and the time.")
    ] = None,
    animated: Annotated[
        bool,
        typer.Option(
            "--animate", help="Draw all frames as an animated GIF: of --field, or of a forecast's weather."
        ),
    ] = False,
    dots: Annotated[
        int | None, typer.Option("--dpi", min=10, help="Resolution in dots per inch. Default: 160.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="File of the picture; its ending sets the format. Default: beside the run."
        ),
    ] = None,
) -> None:
    from squall.plot import Choice, PictureFile

    chosen = Choice(field, level, time, section, limits, colours, title, contours, barbs, station, projection,
                    hovmoeller)  # fmt: skip
    picture = PictureFile(run, chosen, output, dots, stream)
    print(f"Picture: {picture.animate() if animated else picture.draw()}")
