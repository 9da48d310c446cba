"""Pictures of storms: updraughts, rain and cold pool in plan view, and a section through a squall line."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.quiver import Quiver

from squall import diagnose
from squall.diagnose import air, centred
from squall.geo.projection import Float
from squall.plot import nests, panels, style, track

_RAIN = "#08519c"


def from_above(history: xr.Dataset, frames: list[xr.Dataset]) -> Figure:
    """As the storm went: w at 5 km with the rain below it, and the cold pool with the wind in it."""
    plan = panels.plan(history)
    width = 3.1
    height = width * panels.aspect(plan)
    figure = style.figure(width * len(frames) + 1.3, 2 * height + 0.6)
    axes = figure.subplots(2, len(frames), sharex=True, sharey=True, squeeze=False)
    aloft = [_w_at(frame, 5000.0) for frame in frames]
    cold = [air.theta_pert(frame).isel(bottom_top=0).values for frame in frames]
    scales = style.scale_for_most(np.array(aloft), 1.0), style.scale("theta_pert", *cold)
    for column, frame in enumerate(frames):
        upper, lower = axes[:, column]
        filled_aloft = panels.fill_plan(upper, plan, aloft[column], scales[0])
        _rain_below(upper, plan, frame)
        nests.outline_all(upper, plan, frame)
        upper.set_title(loc="left", label=f"{_minutes(frame)}, max. w {aloft[column].max():.0f} m s$^{{-1}}$")
        filled_cold = panels.fill_plan(lower, plan, cold[column], scales[1])
        arrows = _wind_below(lower, plan, frame)
        nests.outline_all(lower, plan, frame)
        lower.set_title(loc="left", label=f"lowest $\\theta'$ ${cold[column].min():.1f}$ K")
    axes[1, -1].quiverkey(arrows, 0.93, 1.05, 10, "10 m s$^{-1}$", labelpos="W", fontproperties={"size": 7})
    figure.colorbar(
        filled_aloft,
        ax=axes[0],
        ticks=scales[0].ticks,
        label="w at 5 km (m s$^{-1}$); line: rain 1 g kg$^{-1}$",
    )
    figure.colorbar(
        filled_cold,
        ax=axes[1],
        ticks=scales[1].ticks,
        label="$\\theta'$ and wind of the lowest layer (K)",
    )
    return figure


def _minutes(frame: xr.Dataset) -> str:
    return f"{float(frame['elapsed']) / 60:g} min"


def _w_at(frame: xr.Dataset, height: float) -> Float:
    return diagnose.field(frame, "W", diagnose.Surface("height", height)).values


def _rain_below(ax: Axes, plan: panels.Plan, frame: xr.Dataset) -> None:
    rain = centred(frame["QRAIN"]).isel(bottom_top=0).values * 1000
    if rain.max() > 1.0:
        ax.contour(plan.x, plan.y, rain, [1.0], colors=style.INK, linewidths=1.0)


def _wind_below(ax: Axes, plan: panels.Plan, frame: xr.Dataset) -> Quiver:
    u, v = (centred(frame[name].isel(bottom_top=0)).values for name in ("U", "V"))
    skip = max(1, round(max(len(plan.x), len(plan.y)) / 16))
    few = (slice(skip // 2, None, skip), slice(skip // 2, None, skip))
    return ax.quiver(plan.x[few[1]], plan.y[few[0]], u[few], v[few], color=style.INK, scale=220, width=0.004)


def slice_through(history: xr.Dataset, frames: list[xr.Dataset]) -> Figure:
    """The row of a two-dimensional domain as the storms went: theta', cloud and rain."""
    row = {"south_north": history.sizes["south_north"] // 2}
    pert = [air.theta_pert(frame).isel(row).values for frame in frames]
    scale = style.scale_for_most(np.array(pert), 0.995)
    figure = style.figure(9.0, 2.3 * len(frames) + 0.6)
    axes = figure.subplots(len(frames), 1, sharex=True, squeeze=False)[:, 0]
    for ax, frame, values in zip(axes, frames, pert, strict=True):
        section = panels.Section.of(frame, track.straight(frame, "south_north", row["south_north"]))
        filled = panels.fill_section(ax, section, panels.with_surface(values), scale)
        for name, level, colour in (("QCLOUD", 0.1, style.INK), ("QRAIN", 1.0, _RAIN)):
            water = centred(frame[name]).isel(row).values * 1000
            panels.line_section(ax, section, panels.with_surface(water), [level], colour, 1.1)
        w = centred(frame["W"]).isel(row).values
        ax.set_title(f"{_minutes(frame)}, max. w {w.max():.0f} m s$^{{-1}}$", loc="left")
        ax.set(ylim=(0, min(16.0, section.z.max())), xlabel="")
    axes[-1].set_xlabel(panels.axis_label("west_east"))
    figure.colorbar(
        filled, ax=axes, label="potential temperature perturbation (K)", aspect=40, ticks=scale.ticks
    )
    figure.suptitle(
        "$\\theta'$ in colour; cloud 0.1 g kg$^{-1}$ (black), rain 1 g kg$^{-1}$ (blue)", fontsize=11
    )
    return figure
