"""Pictures of a run beside a reference run, usually WRF's, with the same colours, and of their difference."""

from dataclasses import dataclass

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure, SubFigure

from squall.lab.linear.atmosphere import Array
from squall.lab.verify.wrf_reference import Reference
from squall.plot import panels, style
from squall.reader.dataset import as_history

_BESIDE = 2.5  # inches of a row for two colour bars and the ticks of y: maps then fill their columns
_ABOVE = 0.55  # and of titles and the ticks of x
_MOST = 0.998  # of the values lie within the colours; what lies beyond has the outermost one


@dataclass(frozen=True)
class Field:
    """One field of both (south_north, west_east), and its name and unit."""

    label: str
    unit: str
    ours: Array
    theirs: Array
    scale: style.Scale | None = None  # None: one that fits both


def plan(wrf: Reference) -> panels.Plan:
    """Where the points of a case lie: a map where its input has a projection."""
    with xr.open_dataset(wrf.file("wrfinput_d01")) as data:
        return panels.plan(as_history(data).isel(Time=0))


def size(plan: panels.Plan, fields: int) -> tuple[float, float]:
    """Width and height of a picture of so many fields, inches."""
    aspect = panels.aspect(plan)
    width = 3.3 if aspect < 1 else 3.3 / aspect**0.5
    return 3 * width + _BESIDE, fields * (width * aspect + _ABOVE) + 0.5


def draw(
    figure: Figure | SubFigure,
    plan: panels.Plan,
    fields: list[Field],
    names: tuple[str, str] = ("Squall", "WRF"),
    most: float = _MOST,
) -> None:
    """A row for each field: ours, theirs, and the difference in colours of its own, within which so many of
    its values lie (most). names: whose they are."""
    axes = figure.subplots(len(fields), 3, squeeze=False)
    for row, field in zip(axes, fields, strict=True):
        scale = field.scale or _scale(field)
        ours, theirs = np.asarray(field.ours, float), np.asarray(field.theirs, float)
        for ax, whose, values in zip(row[:2], names, (ours, theirs), strict=True):
            filled = panels.fill_plan(ax, plan, values, scale)
            ax.set_title(f"{whose}: {field.label}", loc="left", fontsize=8)
        _bar(figure, filled, row[:2], f"{field.label} ({field.unit})", scale)
        apart = ours - theirs
        scale = style.scale_for_most(apart, most, bins=10)
        filled = panels.fill_plan(row[2], plan, apart, scale)
        rms, largest = _one_digit(np.sqrt(np.mean(apart**2))), _one_digit(np.abs(apart).max())
        title = f"{' − '.join(names)}: rms {rms},\nat most {largest} {field.unit}"
        row[2].set_title(title, loc="left", fontsize=8)
        _bar(figure, filled, row[2:], f"difference ({field.unit})", scale)


def _one_digit(value: float) -> str:
    """20, not 2e+01."""
    return f"{float(f'{value:.1g}'):g}"


def _scale(field: Field) -> style.Scale:
    """For most values of both: a few that are extreme would leave the rest in one colour."""
    both = np.concatenate([field.ours.ravel(), field.theirs.ravel()])
    low, high = (float(value) for value in np.quantile(both, [1 - _MOST, _MOST]))
    fitted = style.scale(field.label, np.clip(both, low, high))
    return style.Scale(fitted.cmap, fitted.levels, "both")


def _bar(
    figure: Figure | SubFigure,
    filled: QuadContourSet,
    axes: list[Axes],
    label: str,
    scale: style.Scale,
) -> None:
    bar = figure.colorbar(filled, ax=list(axes), ticks=scale.ticks, aspect=25, pad=0.015)
    bar.set_label(label, fontsize=8)
    bar.ax.tick_params(labelsize=7, length=2)
    bar.outline.set_linewidth(0.6)
