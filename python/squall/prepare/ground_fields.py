"""Surface and soil fields of wrfinput_d01: from the analysis, with substitutes for missing fields.

Land models and radiation begin from it, Squall's as WRF's.
"""

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import LAPSE
from squall.prepare.columns import LandClimate, LandUse
from squall.prepare.soil import SOIL_EDGES
from squall.prepare.sources.climatology import months_around
from squall.prepare.state import State
from squall.prepare.wrf_file import LAND_USE

Array = NDArray[np.float32]

GRASSLAND, LOAM = 10, 6  # of MODIS and of the soil classes
WATER_ALBEDO = 0.08
PERCENT = 100.0
LEAST_ICE, HALF = 0.02, 0.5  # of a cell, that count as ice in a run with fractions of it, and in another
SNOW_DENSITY = 200.0  # kg m-3, where depth or water is unknown


@dataclass
class GroundFields:
    """Values by WRF's names, planes (ny, nx) or soil (layers, ny, nx), and what is made up."""

    values: dict[str, Array] = field(default_factory=dict)
    attributes: dict[str, str | int] = field(default_factory=lambda: dict(LAND_USE))  # of the land use
    filled: list[str] = field(default_factory=list)

    def put(self, name: str, values: Array | None, otherwise: Array, saying: str) -> None:
        """`otherwise` stands in where there is nothing; saying: what it is."""
        if values is None:
            self.filled.append(f"{name}: {saying}")
            values = otherwise
        self.values[name] = values.astype(np.float32)


def ground_fields(state: State, latitude: NDArray[np.float64]) -> GroundFields:
    """Everything about the ground that wrfinput_d01 holds. latitude: (ny, nx), degrees."""
    made = GroundFields()
    land = state.land_mask > 0.5
    _add_masks(made, land)
    _add_classes(made, state.columns.ground.land_use, land)
    _add_climate(made, state.columns.ground.land_climate, land, state.time)
    _add_temperatures(made, state, land)
    _add_snow_and_ice(made, state, land)
    _add_soil(made, state, land, annual_mean(latitude, state.terrain))
    _add_orography(made, state.columns.ground.orography)
    return made


def _add_orography(made: GroundFields, known: dict[str, Array]) -> None:
    """Statistics of the mountains within cells; their variance again for the wind near the ground."""
    made.values |= known
    if known:
        made.values["VAR_SSO"] = known["VAR"] ** 2
        made.values["GOT_VAR_SSO"] = np.ones((), np.float32)


def _add_masks(made: GroundFields, land: NDArray[np.bool_]) -> None:
    made.values["LANDMASK"] = _by_land(land, 1, 0)
    made.values["XLAND"] = _by_land(land, 1, 2)
    made.values["LAKEMASK"] = _by_land(land, 0, 0)


def _add_classes(made: GroundFields, known: LandUse | None, land: NDArray[np.bool_]) -> None:
    """Land use and soil, with the attributes that say which classes they are."""
    soil = None
    if known is not None:
        made.attributes = known.attributes
        soil = None if known.soil is None else known.soil.astype(np.float32)
    use = None if known is None else known.land_use.astype(np.float32)
    grassland = _by_land(land, GRASSLAND, float(made.attributes["ISWATER"]))
    made.put("LU_INDEX", use, grassland, "grassland on all land")
    made.put("IVGTYP", use, grassland, "grassland on all land")
    loam = _by_land(land, LOAM, float(made.attributes["ISOILWATER"]))
    made.put("ISLTYP", soil, loam, "loam under all land")


def _add_climate(made: GroundFields, climate: LandClimate, land: NDArray[np.bool_], time: datetime) -> None:
    """Plants and albedo of the season, linear between the middles of months."""
    green, albedo, snow = climate.greenness, climate.albedo, climate.snow_albedo
    early, late, share = months_around(time)

    def season(months: Array | None) -> Array | None:
        return None if months is None else (1 - share) * months[early] + share * months[late]

    def put(name: str, values: Array | None, unit: float, on_land: float, on_water: float) -> None:
        otherwise = _by_land(land, on_land, on_water)
        if values is not None:
            values = np.where(land & np.isfinite(values), np.float32(unit) * values, otherwise)
        number = f"{on_land:g} %" if unit == PERCENT else f"{on_land:g}"
        water = f", {on_water:g} on water" if on_water else ""
        made.put(name, values, otherwise, f"{number} on all land{water}")

    put("VEGFRA", season(green), PERCENT, 50, 0)
    put("SHDMAX", None if green is None else green.max(axis=0), PERCENT, 80, 0)
    put("SHDMIN", None if green is None else green.min(axis=0), PERCENT, 10, 0)
    put("ALBBCK", season(albedo), 1, 0.2, WATER_ALBEDO)
    put("SNOALB", snow, 1, 0.7, WATER_ALBEDO)


def _by_land(land: NDArray[np.bool_], on_land: float, on_water: float) -> Array:
    return np.where(land, on_land, on_water).astype(np.float32)


def _add_temperatures(made: GroundFields, state: State, land: NDArray[np.bool_]) -> None:
    """Skin temperature follows the domain's ground by 6.5 K/km where that differs; over water it is that
    of the sea, but where the run has ice."""
    columns, ground = state.columns, state.columns.ground
    shift = (LAPSE * (columns.terrain - state.terrain)).astype(np.float32)
    air = columns.temperature_2m
    if air is None:
        air = columns.temperature[0]
        at_air = "lowest level"
    else:
        at_air = "2 m"
    skin, sea = ground.skin_temperature, ground.sea_surface_temperature
    made.put("TSK", skin, air, f"temperature of the air at {at_air}")
    on_land = made.values["TSK"] + shift
    made.put("SST", sea, made.values["TSK"], "skin temperature")
    water = made.values["SST"] if sea is not None else made.values["TSK"]
    if skin is not None and ground.sea_ice is not None:
        least = LEAST_ICE if state.settings.fractional_sea_ice else HALF
        water = np.where(ground.sea_ice >= least, skin, water)
    made.values["TSK"] = np.where(land, on_land, water)


def annual_mean(latitude: NDArray[np.float64], height: Array) -> Array:
    """The year's mean temperature of the air at the ground in K: zonal mean at sea
    level 14.97 - 28.0 P2(sin latitude) degrees Celsius (North 1975, J. Atmos. Sci. 32, 2033), 6.5 K/km colder
    upwards. latitude: degrees; height: m.
    """
    sine = np.sin(np.radians(latitude))
    return np.asarray(273.15 + 14.97 - 28.0 * (1.5 * sine**2 - 0.5) - LAPSE * height, np.float32)


def _add_snow_and_ice(made: GroundFields, state: State, land: NDArray[np.bool_]) -> None:
    """Adds sea ice, snow and canopy water; sea ice is 0 over land, where analyses extend it across the
    coast."""
    ground = state.columns.ground
    none = np.zeros_like(state.terrain)
    made.put("SEAICE", ground.sea_ice, none, "none")
    made.values["SEAICE"] = np.where(land, none, made.values["SEAICE"]).astype(np.float32)
    water, depth = ground.snow_water, ground.snow_depth
    from_depth = none if depth is None else depth * SNOW_DENSITY
    made.put("SNOW", water, from_depth, "none" if depth is None else "from snow depth")
    from_water = made.values["SNOW"] / SNOW_DENSITY
    made.put("SNOWH", depth, from_water, "none" if water is None else "from snow water equivalent")
    leaves = none if ground.canopy_water is None else ground.canopy_water
    made.values["CANWAT"] = np.where(state.land_mask > 0.5, leaves, 0).astype(np.float32)
    made.values["SNOWC"] = (made.values["SNOWH"] > 0.01).astype(np.float32)


def _add_soil(made: GroundFields, state: State, land: NDArray[np.bool_], mean: Array) -> None:
    """mean: of the year, which deep soil has."""
    ground = state.columns.ground
    skin = made.values["TSK"]
    temperature, moisture = ground.soil_temperature, ground.soil_moisture
    known = temperature if temperature is not None else moisture
    edges = ground.soil_depths if known is not None else SOIL_EDGES
    layers = len(edges)
    thickness = np.diff(np.concatenate([[0.0], edges]))
    made.values["DZS"] = thickness.astype(np.float32)
    made.values["ZS"] = (np.asarray(edges) - thickness / 2).astype(np.float32)
    made.put(
        "TMN",
        _deep_temperature(state, land, skin),
        np.where(land, mean, skin),
        "annual mean temperature by latitude and height",
    )
    share = (made.values["ZS"] / edges[-1])[:, None, None]
    if temperature is not None:
        temperature = _down_to(temperature, made.values["ZS"], made.values["TMN"], edges[-1])
    made.put("TSLB", temperature, skin + share * (made.values["TMN"] - skin), "from skin temperature to TMN")
    wet = np.broadcast_to(np.where(land, 0.25, 1.0), (layers, *skin.shape))
    made.put("SMOIS", moisture, wet, "0.25 under all land")
    made.values["SMOIS"] = np.where(land, made.values["SMOIS"], np.float32(1))
    liquid = made.values["SMOIS"] if ground.soil_liquid is None else ground.soil_liquid
    made.values["SH2O"] = np.where(land, np.minimum(liquid, made.values["SMOIS"]), 1).astype(np.float32)


def _down_to(temperature: Array, depth: Array, deep: Array, end: float) -> Array:
    """Layers whose temperature is not a number lie below all that are known: linear in depth from the lowest
    of these to `deep` at the depth `end`."""
    known = int(np.isfinite(temperature).all(axis=(1, 2)).sum())
    if known == len(temperature):
        return temperature
    share = ((depth[known:] - depth[known - 1]) / (end - depth[known - 1])).astype(np.float32)[:, None, None]
    lowest = temperature[known - 1]
    return np.concatenate([temperature[:known], lowest + share * (deep - lowest)])


def _deep_temperature(state: State, land: NDArray[np.bool_], skin: Array) -> Array | None:
    """K: a climate's where it is known, at the domain's height, else that of the analysis's deepest soil."""
    ground = state.columns.ground
    climate = ground.land_climate.deep_temperature
    soil = None if ground.soil_temperature is None else ground.soil_temperature[-1]
    if soil is not None and np.isnan(soil).all():  # the analysis's ends where the season is felt
        soil = None
    if climate is None:
        return soil
    known = land & np.isfinite(climate)
    return np.where(known, climate - np.float32(LAPSE) * state.terrain, skin if soil is None else soil)
