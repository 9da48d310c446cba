"""`squall lab pipeline`: a forecast and its plots, drawn while it runs against written first, then plotted.

The same run and the same plots of each of its frames, in several ways in turn: output to PnetCDF by the
computing ranks, and plots when the run has ended, as it is done mostly; and plots by a process beside the
model, which gets the frames over the network or from files as soon as they are published. Every round also
has a run without output. What is judged are ratios to that run of the same round, medians over the rounds:
a busy machine makes them rougher, not better. As the published study of WRF with ADIOS2's SST (2023), whose
time from start to last plot was halved, shows it, the picture tells who computed, waited, wrote and plotted.
"""

from pathlib import Path

from rich.console import Console

from squall.lab.workspace import Workspace
from squall.results import write_json
from squall_studies.pipeline import cores, planes, rounds, show
from squall_studies.pipeline.setup import Setup


def draw_again(files: list[Path], output: Path, json: Path | None) -> None:
    """Table and picture of what `json` of `run` wrote, once or in pieces, into the folder `output`."""
    _show(Console(), show.together(files), output, json)


def run(setup: Setup, output: Path, json: Path | None) -> None:
    """Measures, prints the tables, draws the picture into `output`, writes `json`. Raises UserError if a run
    fails."""
    console = Console()
    workspace = Workspace(output.resolve())
    places = cores.chosen()
    setup = rounds.fitted(setup, places, workspace, console)
    made = rounds.measure(setup, places, workspace, console)
    sent = planes.measure(workspace, console) if setup.messages else []
    _show(console, show.to_json(setup, places.words, made, sent), output, json)


def _show(console: Console, found: show.Found, output: Path, json: Path | None) -> None:
    show.table(console, found)
    show.draw(output / "pipeline.png", found)
    console.print(f"Picture: {output / 'pipeline.png'}")
    if json:
        write_json(json, found)
