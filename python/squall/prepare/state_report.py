"""Reports the quality of a state: its balance, and corrections."""

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import G
from squall.errors import UserError
from squall.prepare.balance import BaseBlock, pressure_from_state, vertical_acceleration
from squall.prepare.state import State, StateReport

ROWS = 16


def examine(state: State, report: StateReport) -> None:
    """Fills in what can be seen from the stored fields. Raises UserError for what the model cannot
    integrate: a layer without thickness or a column without mass."""
    report.points = state.theta.size
    difference = state.terrain - state.columns.terrain
    report.raised, report.lowered = max(0.0, float(difference.max())), max(0.0, float(-difference.min()))
    report.thinnest = np.inf
    for first in range(0, state.mu.shape[0], ROWS):
        _examine_rows(state, slice(first, first + ROWS), report)


def _examine_rows(state: State, rows: slice, report: StateReport) -> None:
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
    icy = (base.pb + p > 100e2) & (base.pb + p < 500e2)
    report.thickest = max(report.thickest, float(thickness.max(where=icy, initial=0)))
    report.unstable += int((np.diff(theta, axis=0) < -0.5).sum())


def _impossible(state: State, rows: slice, fine: NDArray[np.bool_], what: str) -> UserError:
    row, column = np.unravel_index(int(np.argmin(fine)), fine.shape)
    return UserError(
        f"The state of {state.time:%Y-%m-%d %H:%M} UTC cannot be used: {what} at row {rows.start + row}, "
        f"column {column} (counted from 0), where the terrain is at "
        f"{state.terrain[rows.start + row, column]:.0f} m. Are temperature and pressure of the analysis "
        "in K and Pa, and is the terrain in m?"
    )
