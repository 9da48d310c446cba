"""The fields read from an analysis: units, valid ranges, and interpolation methods."""

from dataclasses import dataclass
from typing import Literal

# Of a field between the points of its grid; see squall.prepare.horizontal.
Method = Literal["cubic", "limited", "linear", "land", "sea", "land and sea"]


@dataclass(frozen=True)
class Field:
    """The properties of a field, independent of the file format."""

    label: str
    units: str
    low: float  # possible values, in `units`
    high: float
    method: Method
    vertical: bool = False  # on levels


# What a forecast cannot do without, and of which it takes one.
ESSENTIAL = ("temperature", "u", "v")
HUMIDITIES = ("mixing_ratio", "specific_humidity", "dew_point", "relative_humidity")  # the first is taken

FIELDS = {
    "temperature": Field("temperature", "K", 130, 350, "cubic", True),
    "u": Field("wind along x", "m s-1", -250, 250, "cubic", True),
    "v": Field("wind along y", "m s-1", -250, 250, "cubic", True),
    "w": Field("vertical wind", "m s-1", -150, 150, "cubic", True),  # on interfaces of layers,
    "interface_height": Field("height of the interfaces", "m", -3000, 90000, "cubic", True),
    "height": Field("geopotential height", "m", -3000, 90000, "cubic", True),
    "pressure": Field("pressure", "Pa", 0, 110000, "cubic", True),
    "specific_humidity": Field("specific humidity", "kg kg-1", -1e-3, 0.07, "limited", True),
    "mixing_ratio": Field("mixing ratio", "kg kg-1", -1e-3, 0.08, "limited", True),
    "relative_humidity": Field("relative humidity", "%", -10, 220, "limited", True),
    "dew_point": Field("dew point", "K", 100, 320, "limited", True),
    "cloud_water": Field("cloud water", "kg kg-1", -1e-3, 0.05, "limited", True),
    "cloud_ice": Field("cloud ice", "kg kg-1", -1e-3, 0.05, "limited", True),
    "rain": Field("rain water", "kg kg-1", -1e-3, 0.05, "limited", True),
    "snow": Field("snow mixing ratio", "kg kg-1", -1e-3, 0.05, "limited", True),
    "graupel": Field("graupel", "kg kg-1", -1e-3, 0.05, "limited", True),
    "surface_pressure": Field("surface pressure", "Pa", 30000, 110000, "linear"),
    "sea_level_pressure": Field("sea-level pressure", "Pa", 80000, 110000, "cubic"),
    "terrain": Field("terrain height", "m", -1000, 9500, "linear"),
    "land_mask": Field("land mask", "1", -0.01, 1.01, "linear"),
    "temperature_2m": Field("temperature at 2 m", "K", 170, 350, "limited"),
    "specific_humidity_2m": Field("specific humidity at 2 m", "kg kg-1", -1e-3, 0.07, "limited"),
    "relative_humidity_2m": Field("relative humidity at 2 m", "%", -10, 220, "limited"),
    "dew_point_2m": Field("dew point at 2 m", "K", 150, 320, "limited"),
    "u_10m": Field("wind along x at 10 m", "m s-1", -150, 150, "cubic"),
    "v_10m": Field("wind along y at 10 m", "m s-1", -150, 150, "cubic"),
    "skin_temperature": Field("skin temperature", "K", 170, 360, "land and sea"),
    "sea_surface_temperature": Field("sea-surface temperature", "K", 265, 315, "sea"),
    "sea_ice": Field("sea ice", "1", -0.01, 1.01, "sea"),
    "snow_water": Field("snow water equivalent", "kg m-2", -1, 5e4, "land"),
    "snow_depth": Field("snow depth", "m", -0.01, 200, "land"),
    "soil_temperature": Field("soil temperature", "K", 200, 350, "land"),
    "soil_moisture": Field("soil moisture", "m3 m-3", -0.01, 1.01, "land"),
    "soil_liquid": Field("liquid soil moisture", "m3 m-3", -0.01, 1.01, "land"),
    "canopy_water": Field("canopy water", "kg m-2", -0.01, 100, "land"),
    # Of the weather that acts on tracers; fluxes upwards, rates and what is a mean over a period.
    "boundary_layer_height": Field("boundary-layer height", "m", -1, 15000, "linear"),
    "friction_velocity": Field("friction velocity", "m s-1", -0.01, 20, "linear"),
    "sensible_heat_flux": Field("sensible heat flux", "W m-2", -3000, 3000, "linear"),
    "latent_heat_flux": Field("latent heat flux", "W m-2", -3000, 3000, "linear"),
    "rain_rate": Field("precipitation", "kg m-2 s-1", -1e-3, 0.2, "linear"),
    "convective_rain_rate": Field("convective precipitation", "kg m-2 s-1", -1e-3, 0.2, "linear"),
    "updraught": Field("convective mass flux upwards", "kg m-2 s-1", -10, 10, "linear", True),
    "downdraught": Field("convective mass flux downwards", "kg m-2 s-1", -10, 10, "linear", True),
}
