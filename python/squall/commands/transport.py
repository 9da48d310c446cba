"""The commands for squall-transport, which carries tracers around the globe."""

import typer

from squall.commands import transport_winds

app = typer.Typer(
    help="Carry tracers around the globe: prepare winds from analyses.",
    no_args_is_help=True,
)
app.add_typer(transport_winds.app)
