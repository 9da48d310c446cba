"""Commands of `squall lab` that other packages bring, by entry points of the group `squall.lab`."""

from collections.abc import Callable
from importlib import metadata

import typer

from squall import extras
from squall.errors import UserError

GROUP = "squall.lab"

#: Those of squall-studies.
OF_STUDIES = (
    "diagnostics",
    "pipeline",
    "predict",
    "profile-overhead",
    "reproduce",
    "scheme-costs",
    "simulate",
)
_ANY = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def add(app: typer.Typer) -> None:
    """All that are installed, in the order of their names; others of squall-studies tell what brings them."""
    points = {point.name: point for point in metadata.entry_points(group=GROUP)}
    for name in sorted(points):
        app.add_typer(points[name].load())
    for name in OF_STUDIES:
        if name not in points:
            app.command(name, hidden=True, context_settings=_ANY)(_missing(name))


def _missing(name: str) -> Callable[[], None]:
    def tell() -> None:
        raise UserError(f"`squall lab {name}` comes with squall-studies. {extras.how('studies')}")

    return tell
