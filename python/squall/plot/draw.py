"""Draws a choice as a figure."""

from pathlib import Path

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from squall import diagnose
from squall.errors import UserError
from squall.geo import globe as geo_globe
from squall.geo import maps
from squall.plot import column, field, globe, layout, pictures, series, style
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
    projection: str | None = None,
    hovmoeller: str | None = None,
    stream: str = "history",
    ax: Axes | None = None,
) -> Figure:
    """A picture of a run, as a Matplotlib Figure owned by the caller. Matplotlib's settings, backend and list
    of figures are not changed.

    Parameters:
        run: a run directory, a history file, or any dataset in WRF's layout.
        field: a variable, a derived field or a CF standard name; None: the picture that suits the run.
        stream: the stream of a run directory.
        ax: axes to draw into, with the caller's settings of Matplotlib; only for pictures of one field. Maps
            are in kilometres from the domain's western and southern edges.
        level, time, section, limits, colours, title, contours, barbs, station, projection, hovmoeller: as the
            options of `squall plot`; see `squall.plot.Choice`.

    Returns:
        The figure; that of `ax` if it is given.

    Raises:
        UserError: the choice cannot be drawn, or `ax` cannot take it.

        >>> squall.plot.figure("runs/january-storm", "temperature", level="850 hPa").savefig("t850.pdf")
    """
    history = as_history(run) if isinstance(run, xr.Dataset) else open_run(run, stream=stream)
    text = {"level": level, "time": time}
    given = {name: None if value is None else str(value) for name, value in text.items()}
    chosen = Choice(field, given["level"], given["time"], section, limits, colours, title, contours, barbs,
                    station, projection, hovmoeller)  # fmt: skip
    return of_history(history, chosen) if ax is None else _into(ax, history, chosen)


def _into(ax: Axes, history: xr.Dataset, chosen: Choice) -> Figure:
    """One field in the caller's axes."""
    if not chosen.field or series.is_series(history):
        raise UserError("ax: only pictures of one field on the grid fit into axes; choose a field.")
    if hasattr(ax, "projection"):
        raise UserError(
            "ax: these are axes of Cartopy, which have a map of their own. Draw into them with "
            "history.squall.field(...).plot(ax=ax, transform=history.squall.cartopy_crs)."
        )
    if geo_globe.is_globe(history):
        raise UserError("ax: pictures of the globe have axes of their own: leave out ax.")
    if column.is_column(history):
        return column.picture(history, chosen, ax)
    return field.picture(history, chosen, ax=ax)


def of_history(history: xr.Dataset, chosen: Choice) -> Figure:
    """The picture of a history from `open_run`."""
    with style.applied():
        if geo_globe.is_globe(history):
            return _settled(_of_globe(geo_globe.prepared(history), chosen))
        for option in ("projection", "hovmoeller"):
            if getattr(chosen, option) is not None:
                raise UserError(f"--{option} needs a run on the globe, of squall-transport.")
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


def _of_globe(history: xr.Dataset, chosen: Choice) -> Figure:
    return series.picture(history, chosen) if series.is_series(history) else globe.picture(history, chosen)


def _settled(figure: Figure) -> Figure:
    layout.settle(figure)
    return figure


def _refuse_without_field(history: xr.Dataset, chosen: Choice) -> None:
    if not {"PH", "PHB", "T", "U", "V"} <= set(history.variables):
        names = ", ".join(diagnose.available(history))
        if not names:
            raise UserError("There are no fields on the grid here, so nothing can be drawn.")
        raise UserError(
            f"This stream does not contain the fields of the default picture; choose one with --field: "
            f"{names}."
        )
    given = chosen.needs_field()
    if chosen.section and not maps.is_on_earth(history):
        given.append("--section")
    if given:
        raise UserError(f"{' and '.join(given)} need{'s' if len(given) == 1 else ''} --field.")
