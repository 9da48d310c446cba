"""The commands for squall-transport, which carries tracers around the globe."""

import typer

from squall.commands import transport_runs, transport_winds

app = typer.Typer(
    help="Carry tracers around the globe: run cases, prepare winds from analyses.",
    no_args_is_help=True,
)
app.add_typer(transport_runs.app)
app.add_typer(transport_winds.app)
