"""The times, area, levels and fields that a run file needs from a source, before any file exists."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from squall import quantity
from squall.errors import UserError
from squall.geo.domain import Domain
from squall.prepare.command import DURATION
from squall.prepare.fit import choose_projection
from squall.prepare.run_file import Plan, read_plan

MARGIN = 3.0  # degrees beyond the domain, and at least this many cells of a coarse analysis
EVERY = timedelta(hours=3)

# What is needed, and what is made up without.
NEEDED = (
    "temperature, wind and humidity on levels",
    "surface pressure and terrain height, or heights of the levels",
)
USEFUL = (
    "temperature, humidity at 2 m and wind at 10 m",
    "temperature of land and sea surface, sea ice, land mask",
    "temperature and moisture of the soil, snow",
)


@dataclass(frozen=True)
class Wants:
    """What a run file needs. area: northern, western, southern and eastern limit in whole degrees; top:
    [Pa]."""

    start: datetime
    end: datetime
    area: tuple[int, int, int, int]
    top: float

    def times(self, every: timedelta = EVERY) -> list[datetime]:
        """Times from the start to the first one at or after the end, `every` apart."""
        count = -(-(self.end - self.start) // every)
        return [self.start + n * every for n in range(max(count, 1) + 1)]

    def levels(self, known: tuple[int, ...]) -> list[int]:
        """The required levels of a source [hPa], from the ground up to the top and one above it."""
        below = [level for level in sorted(known, reverse=True) if 100 * level >= self.top]
        above = [level for level in sorted(known, reverse=True) if 100 * level < self.top]
        return below + above[: 0 if below and 100 * below[-1] == self.top else 1]

    def lines(self) -> list[str]:
        """The needs in words."""
        north, west, south, east = self.area
        corners = (quantity.latitude(south, 0), quantity.latitude(north, 0))
        sides = (quantity.longitude(west, 0), quantity.longitude(east, 0))
        return [
            f"times:   {self.start:%Y-%m-%d %H:%M} to {self.end:%Y-%m-%d %H:%M} UTC, at equal intervals "
            f"of 1 to 6 h",
            f"area:    {corners[0]} to {corners[1]}, {sides[0]} to {sides[1]}, or larger",
            f"levels:  pressure or model levels, 15 or more, from 1000 hPa to {self.top / 100:g} hPa",
            *(f"needed:  {line}" for line in NEEDED),
            *(f"useful:  {line}" for line in USEFUL),
            "format:  GRIB or netCDF, latitude-longitude or any of the projections of docs/how-to/prepare.md",
        ]


def read(path: Path) -> Wants:
    """The needs of a run file. Raises UserError if it does not set times and area."""
    plan = read_plan(path, look=False)
    if plan.start is None:
        raise UserError(f"{path}: run.start is missing; it sets the time to fetch.")
    return Wants(
        plan.start, plan.start + (plan.duration or DURATION), _area(plan, path), plan.top or plan.settings.top
    )


def _area(plan: Plan, path: Path) -> tuple[int, int, int, int]:
    w = plan.wishes
    if w.nx is None or w.ny is None or w.dx is None:
        raise UserError(f"{path}: nx, ny and dx of [domain] are missing; they set the area to fetch.")
    if w.center_latitude is None or w.center_longitude is None:
        raise UserError(
            f"{path}: center_latitude and center_longitude of [prepare] are missing; they set the area to "
            f"fetch."
        )
    projection = choose_projection(w.center_latitude, w.center_longitude, w)
    return area_of(Domain(projection, w.nx, w.ny, w.dx, w.dy or w.dx, w.center_latitude, w.center_longitude))


def area_of(domain: Domain) -> tuple[int, int, int, int]:
    """What a domain needs of the Earth: northern, western, southern and eastern limit in whole degrees."""
    domain.refuse_ends_of_map()
    corners = domain.points("corner")
    latitude = corners.latitude
    relative = (corners.longitude - domain.center_longitude + 180) % 360 - 180
    north = min(90, int(np.ceil(latitude.max() + MARGIN)))
    south = max(-90, int(np.floor(latitude.min() - MARGIN)))
    if np.ptp(relative) > 300:  # around a pole
        return north, -180, south, 180
    center = (domain.center_longitude + 180) % 360 - 180
    west = int(np.floor(center + relative.min() - MARGIN))
    east = int(np.ceil(center + relative.max() + MARGIN))
    if west < -180:  # across the date line: from 0 to 360, which services take too
        west, east = west + 360, east + 360
    return north, west, south, east
