"""Draws what was chosen: as a figure, or into a file."""

from collections.abc import Callable
from pathlib import Path

import xarray as xr
from matplotlib.figure import Figure

from squall import diagnose
from squall.dataset import as_history, open_run
from squall.errors import UserError
from squall.geo import maps
from squall.plot import animation, field, image, pictures, series, style
from squall.plot.choice import Choice


def figure(
    run: xr.Dataset | str | Path,
    field: str | None = None,
    *,
    level: str | float | None = None,
    time: str | int | None = None,
    section: str | None = None,
    limits: str | None = None,
    colours: str | None = None,
    title: str | None = None,
    contours: str | None = None,
    barbs: bool = False,
    station: str | None = None,
    stream: str = "history",
) -> Figure:
    """A picture of a run, as a Figure of Matplotlib that belongs to the caller; Matplotlib's settings,
    backend and list of figures stay as they are.

    run: a run directory, a history file, or any dataset in WRF's layout, whatever opened it. field: a
    variable, a derived field or a CF standard name; None: the picture that suits the run. stream: of a run
    directory, which of its streams. The other
    arguments are those of `squall plot`, see `squall.plot.Choice`. Raises UserError for what cannot be drawn.

        >>> squall.plot.figure("runs/january-storm", "temperature", level="850 hPa").savefig("t850.pdf")
    """
    history = as_history(run) if isinstance(run, xr.Dataset) else open_run(run, stream=stream)
    text = {"level": level, "time": time}
    given = {name: None if value is None else str(value) for name, value in text.items()}
    return of_history(history, Choice(field, given["level"], given["time"], section, limits, colours, title,
                                      contours, barbs, station))  # fmt: skip


def of_history(history: xr.Dataset, chosen: Choice) -> Figure:
    """The picture of a history as `open_run` gives it."""
    with style.applied():
        if series.is_series(history):
            return _settled(series.picture(history, chosen))
        if chosen.station is not None:
            raise UserError(
                f"--station {chosen.station}: this is no stream of stations; choose one by --stream."
            )
        if chosen.field:
            return _settled(field.picture(history, chosen))
        _refuse_without_field(history, chosen)
        return _settled(pictures.of_case(history, chosen))


def _settled(figure: Figure) -> Figure:
    """Laid out while the style still holds: Matplotlib makes ticks when they are first drawn."""
    figure.draw_without_rendering()
    return figure


def _refuse_without_field(history: xr.Dataset, chosen: Choice) -> None:
    if not {"PH", "PHB", "T", "U", "V"} <= set(history.variables):
        names = ", ".join(diagnose.available(history))
        raise UserError(
            f"There is no picture of a stream without all of the air: choose with --field: {names}."
        )
    given = chosen.needs_field()
    if chosen.section and not maps.is_on_earth(history):
        given.append("--section")
    if given:
        raise UserError(f"{' and '.join(given)} need{'s' if len(given) == 1 else ''} --field.")


def draw(
    run: Path,
    chosen: Choice,
    output: Path | None = None,
    dots: int | None = None,
    stream: str = "history",
) -> Path:
    """Draws a stream of a run directory, or a file; returns the picture's file, by default beside it.

    dots: an inch, of a picture in pixels.
    """
    history = open_run(run, stream=stream)
    drawn = of_history(history, chosen)
    name = (
        chosen.field or history.attrs.get("CASE") or ("forecast" if maps.is_on_earth(history) else "picture")
    )
    if series.is_series(history):
        of = stream if run.is_dir() else run.stem
        name = f"{of}-{chosen.field}" if chosen.field else of
    return save(drawn, output or _folder(run) / f"{name}.png", dots)


def save(figure: Figure, output: Path, dots: int | None = None) -> Path:
    """Writes a figure in the format of the file's ending; PNG in few colours. Raises UserError where the
    file cannot be written."""

    def write(file: Path) -> None:
        with style.applied():
            if file.suffix == ".png":
                image.palette(image.drawn(figure, dots)).save(file, optimize=True)
            else:
                figure.savefig(file, dpi=dots or "figure")

    return _save(output, write)


def animate(
    run: Path,
    chosen: Choice,
    output: Path | None = None,
    dots: int | None = None,
    stream: str = "history",
) -> Path:
    """Draws all frames of a stream of a run directory, or of a file, as a GIF; returns its file."""
    output = output or _folder(run) / f"{chosen.field or 'animation'}.gif"
    if output.suffix != ".gif":
        raise UserError(f"{output}: an animation is a GIF file, named .gif.")
    if chosen.time is not None:
        raise UserError("--animate shows all times: leave out --time.")
    given = chosen.needs_field() + (["--section"] if chosen.section else [])
    if not chosen.field and given:
        raise UserError(f"{' and '.join(given)} need{'s' if len(given) == 1 else ''} --field.")
    history = open_run(run, stream=stream)
    if series.is_series(history):
        raise UserError("--animate: this stream has no map; without it the picture shows all times.")

    def write(file: Path) -> None:
        with style.applied():
            animation.save(history, chosen, file, dots)

    return _save(output, write)


def _folder(run: Path) -> Path:
    return run if run.is_dir() else run.parent


def _save(output: Path, write: Callable[[Path], None]) -> Path:
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        write(output)
    except (OSError, ValueError) as error:
        raise UserError(f"{output} cannot be written: {error}", exit_code=1) from error
    return output
