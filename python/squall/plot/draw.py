"""Draws what was chosen and saves it."""

from collections.abc import Callable
from pathlib import Path

import xarray as xr
from matplotlib.figure import Figure

from squall.dataset import open_run
from squall.errors import UserError
from squall.plot import animation, image, maps, pictures
from squall.plot.choice import Choice


def draw(run: Path, chosen: Choice, output: Path | None = None) -> Path:
    """Draws a run directory or history file; returns the picture's file, by default beside the history."""
    history = open_run(run)
    charts = maps.is_on_earth(history)
    if not chosen.field and (chosen.level or (chosen.section and not charts)):
        raise UserError("--level and --section need --field.")
    if chosen.field:
        figure = pictures.of_field(history, chosen, chosen.field)
    else:
        figure = pictures.of_case(history, chosen)
    name = chosen.field or history.attrs.get("CASE") or ("forecast" if charts else "picture")
    return _save(output or _folder(run) / f"{name}.png", lambda file: _write(figure, file))


def animate(run: Path, chosen: Choice, output: Path | None = None) -> Path:
    """Draws all frames of a run directory or history file as a GIF; returns its file."""
    output = output or _folder(run) / f"{chosen.field or 'animation'}.gif"
    if output.suffix != ".gif":
        raise UserError(f"{output}: an animation is a GIF file, named .gif.")
    if chosen.time is not None:
        raise UserError("--animate shows all times: leave out --time.")
    if not chosen.field and (chosen.level or chosen.section):
        raise UserError("--level and --section need --field.")
    history: xr.Dataset = open_run(run)
    return _save(output, lambda file: animation.save(history, chosen, file))


def _write(figure: Figure, file: Path) -> None:
    if file.suffix == ".png":
        image.palette(image.drawn(figure)).save(file, optimize=True)
    else:
        figure.savefig(file)


def _folder(run: Path) -> Path:
    return run if run.is_dir() else run.parent


def _save(output: Path, write: Callable[[Path], None]) -> Path:
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        write(output)
    except (OSError, ValueError) as error:
        raise UserError(f"{output} cannot be written: {error}", exit_code=1) from error
    return output
