"""Draws a choice as a figure."""

from pathlib import Path

import xarray as xr
from matplotlib.figure import Figure

from squall import diagnose
from squall.errors import UserError
from squall.geo import maps
from squall.plot import column, field, layout, pictures, series, style
from squall.plot.choice import Choice
from squall.reader.dataset import as_history, open_run


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
    """A picture of a run, as a Matplotlib Figure owned by the caller. Matplotlib's settings, backend and list
    of figures are not changed.

    run: a run directory, a history file, or any dataset in WRF's layout. field: a variable, a derived field
    or a CF standard name; None: the picture that suits the run. stream: the stream of the run directory. The
    other arguments are the options of `squall plot`; see `squall.plot.Choice`. Raises UserError if the choice
    cannot be drawn.

        >>> squall.plot.figure("runs/january-storm", "temperature", level="850 hPa").savefig("t850.pdf")
    """
    history = as_history(run) if isinstance(run, xr.Dataset) else open_run(run, stream=stream)
    text = {"level": level, "time": time}
    given = {name: None if value is None else str(value) for name, value in text.items()}
    return of_history(history, Choice(field, given["level"], given["time"], section, limits, colours, title,
                                      contours, barbs, station))  # fmt: skip


def of_history(history: xr.Dataset, chosen: Choice) -> Figure:
    """The picture of a history from `open_run`."""
    with style.applied():
        if series.is_series(history):
            return _settled(series.picture(history, chosen))
        if chosen.station is not None:
            raise UserError(
                f"--station {chosen.station}: this stream has no stations; choose another with --stream."
            )
        if column.is_column(history):
            return _settled(column.picture(history, chosen))
        if chosen.field:
            return _settled(field.picture(history, chosen))
        _refuse_without_field(history, chosen)
        return _settled(pictures.of_case(history, chosen))


def _settled(figure: Figure) -> Figure:
    layout.settle(figure)
    return figure


def _refuse_without_field(history: xr.Dataset, chosen: Choice) -> None:
    if not {"PH", "PHB", "T", "U", "V"} <= set(history.variables):
        names = ", ".join(diagnose.available(history))
        raise UserError(
            f"This stream does not contain the fields of the default picture; choose one with --field: "
            f"{names}."
        )
    given = chosen.needs_field()
    if chosen.section and not maps.is_on_earth(history):
        given.append("--section")
    if given:
        raise UserError(f"{' and '.join(given)} need{'s' if len(given) == 1 else ''} --field.")
