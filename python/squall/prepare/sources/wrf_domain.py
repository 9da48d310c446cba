"""The domain that WRF's global attributes describe, and its points as the grid of a source."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from squall.geo.domain import Domain
from squall.geo.projection import WRF_PROJECTIONS, Projection
from squall.prepare.columns import LandClimate, LandUse
from squall.prepare.sources.grids import SourceGrid
from squall.prepare.sources.piece import Array, fail

Float = NDArray[np.float64]


@dataclass(frozen=True)
class OwnDomain:
    """The domain that files are made for, with its ground, (ny, nx)."""

    domain: Domain
    height: Array  # m
    land: Array  # 1 on land
    land_use: LandUse | None  # None: not in the file
    whose: str  # the ground's origin, in words
    land_climate: LandClimate = field(default_factory=LandClimate)
    orography: dict[str, Array] = field(default_factory=dict)  # see prepare.orography; empty: not in the file


def domain_of(attributes: Mapping[str, Any], nx: int, ny: int, where: str) -> Domain:
    """The domain of a file by its attributes (MAP_PROJ, DX, CEN_LAT, ...); nx, ny: cells.

    Raises UserError, naming `where`, for a projection that Squall lacks.
    """
    number = int(attributes["MAP_PROJ"]) if "MAP_PROJ" in attributes else 0
    name = next((n for n, (code, _) in WRF_PROJECTIONS.items() if code == number), None)
    if name is None:
        raise fail(
            where,
            f"MAP_PROJ = {number} is not supported; use Lambert (1), polar stereographic (2), Mercator "
            f"(3) or latitude-longitude (6)",
        )
    pole = float(attributes.get("POLE_LAT", 90.0))
    if name == "lat-lon" and abs(pole) != 90.0:
        raise fail(
            where,
            f"a rotated latitude-longitude map (MAP_PROJ = 6 with POLE_LAT = {pole:g}) is not supported "
            f"as an analysis; interpolate the run to another projection, or use the analysis that it was "
            f"made from",
        )
    return Domain(
        Projection(name, *(float(attributes[key]) for key in ("TRUELAT1", "TRUELAT2", "STAND_LON"))),
        nx=nx,
        ny=ny,
        dx=float(attributes["DX"]),
        dy=float(attributes["DY"]),
        center_latitude=float(attributes["CEN_LAT"]),
        center_longitude=float(attributes["CEN_LON"]),
    )


def grid_of(domain: Domain, kind: str) -> SourceGrid:
    """The mass points of a domain; kind: of files, which tells one source's grids from another's."""

    def forward(lon: Float, lat: Float) -> tuple[Float, Float]:
        i, j = domain.indices(lon, lat)
        return i * domain.dx, j * domain.dy

    def inverse(x: Float, y: Float) -> tuple[Float, Float]:
        return domain.locate(x / domain.dx, y / domain.dy)

    sides = ((domain.nx, domain.dx), (domain.ny, domain.dy))
    x, y = (np.arange(n, dtype=np.float64) * step for n, step in sides)
    return SourceGrid(domain.projection.name, x, y, forward, inverse, False, (kind, domain))
