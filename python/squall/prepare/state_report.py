"""What a state is like: its balance, and what had to be put right."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from squall.errors import UserError
from squall.prepare.balance import BaseBlock, pressure_from_state, vertical_acceleration
from squall.prepare.constants import G
from squall.prepare.mass_balance import MassBalance

if TYPE_CHECKING:
    from squall.prepare.state import State

ROWS = 16


@dataclass
class StateReport:
    """Numbers of one state; `points` are those of the volume."""

    points: int = 0
    acceleration: float = 0.0  # greatest |dw/dt| at the start, m s-2, of the fields as they are stored
    negative_vapour: int = 0  # points where the analysis's interpolated vapour was below 0
    supersaturated: int = 0  # points brought down to saturation over water
    unstable: int = 0  # points whose moist theta is above that of the point over them by 0.5 K
    thinnest: float = 0.0  # m, of all layers
    raised: float = 0.0  # m: the domain's ground over the analysis's, the most
    lowered: float = 0.0  # m: below
    surface_pressure_bias: float = 0.0  # Pa, less the analysis's where the grounds differ by < 10 m
    surface_pressure_rms: float = 0.0
    mass: MassBalance | None = None  # None: the wind was left alone

    def lines(self) -> list[str]:
        """For the user, one fact each."""
        share = 100 / max(self.points, 1)
        made = [
            f"balance: greatest |dw/dt| {self.acceleration:.1e} m/s2; thinnest layer {self.thinnest:.0f} m",
            f"ground: up to {self.raised:.0f} m above that of the analysis, {self.lowered:.0f} m below",
        ]
        if self.mass:
            hour = 36.0  # hPa h-1 in a Pa s-1
            made.append(
                f"column divergence: mean |dp/dt| {self.mass.before * hour:.2f} hPa/h taken down to "
                f"{self.mass.after * hour:.2f}, by {self.mass.wind_rms:.2f} m/s of wind (rms; greatest "
                f"{self.mass.wind_greatest:.1f}); net inflow was {self.mass.inflow * hour:.2f} hPa/h"
            )
        for count, what in (
            (self.negative_vapour, "negative water vapour set to 0"),
            (self.supersaturated, "water vapour brought down to saturation"),
            (self.unstable, "statically unstable by more than 0.5 K, left as they are"),
        ):
            if count:
                made.append(f"{what}: {count} points ({count * share:.2g} %)")
        return made


def examine(state: "State", report: StateReport) -> None:
    """Fills in what can be seen from the stored fields. Raises UserError for what the model cannot
    integrate: a layer without thickness or a column without mass."""
    report.points = state.theta.size
    difference = state.terrain - state.columns.terrain
    report.raised, report.lowered = max(0.0, float(difference.max())), max(0.0, float(-difference.min()))
    same = np.abs(difference) < 10
    if same.any():
        departure = (state.surface_pressure - state.columns.surface_pressure)[same]
        report.surface_pressure_bias = float(departure.mean())
        report.surface_pressure_rms = float(np.sqrt((departure**2).mean()))
    report.thinnest = np.inf
    for first in range(0, state.mu.shape[0], ROWS):
        _examine_rows(state, slice(first, first + ROWS), report)


def _examine_rows(state: "State", rows: slice, report: StateReport) -> None:
    base = BaseBlock.of(state.base, rows)
    mu, ph = state.mu[rows].astype(np.float64), state.ph[:, rows].astype(np.float64)
    if not (base.mub + mu > 0).all():
        raise _impossible(state, rows, base.mub + mu > 0, "a column has no mass")
    thickness = np.diff(base.phb + ph, axis=0) / G
    thinnest = thickness.min(axis=0)
    if not (thinnest > 0).all():
        raise _impossible(state, rows, thinnest > 0, "a layer has no thickness")
    theta = state.full_moist_theta(rows)
    p = pressure_from_state(state.vertical, base, mu, ph, theta, state.settings.hypsometric)
    water = state.vapour[:, rows].astype(np.float64)
    for name in state.water:
        water = water + state.water[name][:, rows]
    acceleration = vertical_acceleration(state.vertical, base, mu, p, water)
    report.acceleration = max(report.acceleration, float(np.abs(acceleration).max()))
    report.thinnest = min(report.thinnest, float(thinnest.min()))
    report.unstable += int((np.diff(theta, axis=0) < -0.5).sum())


def _impossible(state: "State", rows: slice, fine: NDArray[np.bool_], what: str) -> UserError:
    row, column = np.unravel_index(int(np.argmin(fine)), fine.shape)
    return UserError(
        f"The state of {state.time:%Y-%m-%d %H:%M} UTC cannot be used: {what} at row {rows.start + row}, "
        f"column {column} (counted from 0), where the terrain is at "
        f"{state.terrain[rows.start + row, column]:.0f} m. Are temperature and pressure of the analysis "
        "in K and Pa, and is the terrain in m?"
    )
