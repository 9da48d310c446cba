"""The commands for squall-transport, which carries tracers around the globe."""

import typer

app = typer.Typer(
    help="Carry tracers around the globe: prepare winds from analyses.",
    no_args_is_help=True,
)
