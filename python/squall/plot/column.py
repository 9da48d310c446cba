"""Pictures of a single column: profiles, or a field by height and time."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from squall import diagnose
from squall.diagnose.constants import THETA0, G
from squall.diagnose.staggering import to_centres
from squall.errors import UserError
from squall.geo.projection import Float
from squall.plot import choice, field, style
from squall.plot.choice import Choice

HOUR = 3600.0
PARTS = (0.0, 1 / 3, 2 / 3, 1.0)  # of the run, whose profiles are drawn

# Of the surface, where the history has them: name, label.
SURFACE = (
    ("UST", "friction velocity (m s$^{-1}$)"),
    ("HFX", "sensible heat (W m$^{-2}$)"),
    ("PBLH", "boundary layer (m)"),
)


def is_column(history: xr.Dataset) -> bool:
    """Whether a history is a single column."""
    sizes = history.sizes
    return sizes.get("south_north") == sizes.get("west_east") == 1 and "PH" in history and "PHB" in history


def heights(history: xr.Dataset) -> Float:
    """Heights of the layers' midpoints [m], (Time, bottom_top)."""
    interfaces = (history["PH"] + history["PHB"]).values.astype(float)[:, :, 0, 0] / G
    return to_centres(interfaces - interfaces[:, :1], axis=1)


def profiles(history: xr.Dataset) -> tuple[Float, Float]:
    """Wind speed [m s-1] and potential temperature [K], (Time, bottom_top)."""
    u = to_centres(history["U"].values.astype(float), axis=-1)[:, :, 0, 0]
    v = to_centres(history["V"].values.astype(float), axis=-2)[:, :, 0, 0]
    return np.hypot(u, v), history["T"].values.astype(float)[:, :, 0, 0] + THETA0


def picture(history: xr.Dataset, chosen: Choice, ax: Axes | None = None) -> Figure:
    """Profiles of wind and potential temperature over the run, and surface fields; for a chosen field, a
    height-time picture, in the caller's axes if there are such."""
    if chosen.field:
        return _by_time(history, chosen, ax)
    frames = _frames(history, chosen)
    z, (speed, theta) = heights(history), profiles(history)
    series = [(name, label) for name, label in SURFACE if name in history and len(history["elapsed"]) > 1]
    figure = style.figure(9 if series else 6, 4)
    grid = figure.add_gridspec(max(len(series), 1), 3 if series else 2)
    axes = [figure.add_subplot(grid[:, n]) for n in (0, 1)]
    hours = history["elapsed"].values.astype(float) / HOUR
    for frame in frames:
        for ax, values in zip(axes, (speed, theta), strict=True):
            ax.plot(values[frame], z[frame], label=f"{hours[frame]:g} h")
    for ax, label in zip(axes, ("wind speed (m s$^{-1}$)", "potential temperature (K)"), strict=True):
        ax.set(xlabel=label, ylim=(0, float(z.max())))
        style.plain(ax, "both")
    axes[0].set_ylabel("height above the ground (m)")
    axes[0].legend()
    for row, (name, label) in enumerate(series):
        beside = figure.add_subplot(grid[row, 2])
        _series(beside, hours[1:], history[name].values.astype(float)[1:, 0, 0], label)
    if series:
        beside.set_xlabel("time (h)")
    figure.suptitle(chosen.title or "Single column", fontsize=11)
    return figure


def _series(ax: Axes, hours: Float, values: Float, label: str) -> None:
    ax.plot(hours, values)
    ax.set_title(label, loc="left")
    style.plain(ax)


def _frames(history: xr.Dataset, chosen: Choice) -> list[int]:
    if chosen.time is not None:
        return [choice.time_index(history, chosen.time)]
    last = len(history["elapsed"]) - 1
    return sorted({round(part * last) for part in PARTS})


def _by_time(history: xr.Dataset, chosen: Choice, ax: Axes | None) -> Figure:
    array = diagnose.field(history, str(chosen.field))
    unit, factor = style.shown(str(array.attrs.get("units", "")))
    hours = history["elapsed"].values.astype(float) / HOUR
    values = array.squeeze(drop=True).transpose("Time", ...).values.astype(float) * factor
    label = str(array.attrs.get("long_name", array.name))
    figure, ax = style.canvas(ax, 6, 3.5)
    if values.ndim == 1:
        _series(ax, hours, values, f"{label} ({unit})" if unit else label)
        ax.set_xlabel("time (h)")
        return figure
    z = heights(history)
    if values.shape[1] == z.shape[1] + 1:
        values = to_centres(values, axis=1)
    if values.shape != z.shape or len(hours) < 2:
        raise UserError(
            f"--field {chosen.field}: a height-time picture needs a field with layers and at least two times."
        )
    used = style.asked(style.scale(str(array.name), values), chosen.limits, chosen.colours)
    filled = ax.contourf(
        np.broadcast_to(hours[:, None], z.shape), z, used.within(values), used.levels,
        cmap=used.cmap, norm=used.norm, extend=used.extend,
    )  # fmt: skip
    ax.set(xlabel="time (h)", ylabel="height above the ground (m)", title=chosen.title or label)
    field.colour_bar(figure, filled, [ax], unit, used)
    return figure
