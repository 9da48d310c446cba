"""Draws what was chosen and saves it."""

from pathlib import Path

from squall.dataset import open_run
from squall.errors import UserError
from squall.plot import pictures
from squall.plot.choice import Choice


def draw(run: Path, chosen: Choice, output: Path | None = None) -> Path:
    """Draws a run directory or history file; returns the picture's file, by default beside the history."""
    history = open_run(run)
    if chosen.field:
        figure = pictures.of_field(history, chosen, chosen.field)
    elif chosen.level or chosen.section:
        raise UserError("--level and --section need --field.")
    else:
        figure = pictures.of_case(history, chosen)
    if output is None:
        folder = run if run.is_dir() else run.parent
        output = folder / f"{chosen.field or history.attrs.get('CASE', 'picture')}.png"
    output.parent.mkdir(parents=True, exist_ok=True)
    try:
        figure.savefig(output)
    except (OSError, ValueError) as error:
        raise UserError(f"{output} cannot be written: {error}", exit_code=1) from error
    return output
