"""Checks how far down an analysis has values: only a thin layer above ground may be extrapolated."""

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from squall.errors import UserError
from squall.prepare.report import Report
from squall.prepare.sources.analysis import Analysis
from squall.prepare.sources.piece import Array

# Pa between the ground and the lowest value over it. The lowest level of most analyses is 1000 hPa, and
# anticyclones reach 1060 hPa; on a slope that the analysis itself hardly resolves, between points with a
# level below the ground and points without, it lies up to 150 hPa off.
TOLD, MOST = 7500.0, 15000.0


class Reach:
    """The fields of one time, on levels, before anything is filled. pressure: (levels,) or (levels, ny, nx)
    in Pa, falling."""

    def __init__(
        self, analysis: Analysis, time: datetime, levels: tuple[float, ...], pressure: Array
    ) -> None:
        self._analysis, self._time, self._levels = analysis, time, levels
        self._p = pressure[:, None, None] if pressure.ndim == 1 else pressure
        self._gaps: dict[str, NDArray[np.bool_]] = {}

    def see(self, field: str, values: Array, along: int | None = None) -> None:
        """Records where a field (levels, ny, nx) is NaN. along: the axis with one more point than cells."""
        gaps = np.isnan(values)
        if gaps.any():
            self._gaps[field] = gaps if along is None else gaps.take(range(gaps.shape[along] - 1), along)

    def check(self, surface: Array, report: Report) -> None:
        """Warns of what is made up over more than a thin layer, and raises UserError where that is deep.

        surface: pressure in Pa at the analysis's own ground, (ny, nx).
        """
        self._check(surface - self._p[0], self._levels[0], "its lowest level", report)
        for field, gaps in self._gaps.items():
            over = np.where(gaps, surface - self._p, -np.inf)
            level = int(np.unravel_index(int(over.argmax()), over.shape)[0])
            self._check(over[level], self._levels[level], f"its {field} lacks the level", report)

    def _check(self, depth: Array, level: float, what: str, report: Report) -> None:
        row, column = np.unravel_index(
            int(np.nanargmax(np.where(np.isnan(depth), -np.inf, depth))), depth.shape
        )
        most = float(depth[row, column])
        if not most > TOLD:
            return
        said = (
            f"analysis of {self._time:%Y-%m-%d %H:%M} UTC does not reach the ground: {what} "
            f"{self._analysis.name_level(level)}, which lies {most / 100:.0f} hPa above its ground at row "
            f"{row}, column {column} of the domain"
        )
        if most > MOST:
            raise UserError(
                f"The {said}. This is too much air to extrapolate: fetch the levels below too, or that "
                f"time again."
            )
        report.warn(
            f"the {said}. Below, humidity and wind are constant, and temperature increases downwards by "
            f"6.5 K/km."
        )
