"""Columns, the result of horizontal interpolation: one analysis time on the domain's horizontal grid, still
on the levels of the analysis.

Every source ends here, metgrid files included; all that follows works on this alone.
"""

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


# Statistics of the mountains within cells, by WRF's names: see prepare.orography.
DIRECTIONS = (1, 2, 3, 4)  # that wind comes from: west, south, south-west, north-west
OROGRAPHY = ("VAR", "CON", *(f"{kind}{n}" for kind in ("OA", "OL") for n in DIRECTIONS))


@dataclass(frozen=True)
class LandUse:
    """Classes of the land, on mass points (ny, nx), and WRF's attributes that say whose they are."""

    land_use: NDArray[np.int32]
    attributes: dict[str, str | int]  # MMINLU, NUM_LAND_CAT, ISWATER, ISLAKE, ISICE, ISURBAN, ISOILWATER
    soil: NDArray[np.int32] | None = None


@dataclass(frozen=True)
class LandClimate:
    """The annual cycle of the land surface on mass points (ny, nx); months begin with January. Values are
    valid on land only; NaN there means unknown.
    """

    greenness: Array | None = None  # (12, ny, nx), part of the ground that green plants cover
    albedo: Array | None = None  # (12, ny, nx), without snow
    snow_albedo: Array | None = None  # greatest, under deep snow
    deep_temperature: Array | None = None  # K, the year's mean in deep soil, reduced to sea level


@dataclass
class Ground:
    """Fields of the surface and below it, on mass points (ny, nx); soil (layers, ny, nx).

    What the analysis lacks is None. `soil_depths` are the lower edges of the layers in m, and the
    first layer is the uppermost.
    """

    skin_temperature: Array | None = None  # K
    sea_surface_temperature: Array | None = None  # K
    sea_ice: Array | None = None  # fraction
    snow_water: Array | None = None  # kg m-2
    snow_depth: Array | None = None  # m
    canopy_water: Array | None = None  # on leaves, kg m-2
    soil_temperature: Array | None = None  # K
    soil_moisture: Array | None = None  # m3 m-3
    soil_liquid: Array | None = None  # of it, m3 m-3
    soil_depths: tuple[float, ...] = ()
    land_use: LandUse | None = None
    land_climate: LandClimate = field(default_factory=LandClimate)
    orography: dict[str, Array] = field(default_factory=dict)  # see prepare.orography; empty: not known


@dataclass
class Columns:
    """One time of an analysis on the domain's mass, U and V points.

    Levels go from the ground upwards: pressure falls with the index. Winds are along the
    domain's grid, not east and north. A level that lies below the ground in the analysis holds
    the analysis's own extrapolation.
    """

    time: datetime  # UTC, without a time zone
    pressure: Array  # (levels,) of a pressure-level analysis, or (levels, ny, nx), Pa
    temperature: Array  # (levels, ny, nx), K
    mixing_ratio: Array  # (levels, ny, nx), kg of vapour per kg of dry air
    u: Array  # (levels, ny, nx + 1), m s-1
    v: Array  # (levels, ny + 1, nx), m s-1
    height: Array  # (levels, ny, nx), geopotential metres above sea level
    surface_pressure: Array  # (ny, nx), Pa, at the height `terrain`
    terrain: Array  # (ny, nx), m: the analysis's own ground, not the domain's
    sea_level_pressure: Array | None = None  # (ny, nx), Pa
    temperature_2m: Array | None = None  # (ny, nx), K
    mixing_ratio_2m: Array | None = None  # (ny, nx), kg kg-1
    u_10m: Array | None = None  # (ny, nx + 1), m s-1
    v_10m: Array | None = None  # (ny + 1, nx), m s-1
    water: dict[str, Array] = field(default_factory=dict)  # QCLOUD, QRAIN, ... kg kg-1, as temperature
    w: Array | None = None  # on interfaces of the analysis's own layers, (layers + 1, ny, nx), m s-1
    interface_height: Array | None = None  # theirs, as height
    ground: Ground = field(default_factory=Ground)
