"""The table of derived fields, used by `squall plot`, the reference page and `squall.diagnose.field`."""

from squall.diagnose import air, precipitation, surface, vorticity, wind
from squall.diagnose.derived import Derived, OfWind, of_wind
from squall.diagnose.storm_rows import STORMS

_PRESSURE, _HEIGHT, _WIND, _TO_EARTH = ("P", "PB"), ("PH", "PHB"), ("U", "V"), ("SINALPHA", "COSALPHA")
_TEMPERATURE = ("T", *_PRESSURE)
_MOIST = (*_TEMPERATURE, "QVAPOR")
_LOWEST = (*_MOIST, *_HEIGHT, "PSFC", "TSK")
_LOG_PROFILE = "by the neutral logarithmic profile, roughness 0.1 m over land, 0.2 mm over water"

_AIR = (
    Derived(
        "theta", "K", "potential temperature", "air_potential_temperature", "T + 300 K", (("T",),), air.theta
    ),
    Derived(
        "theta_pert", "K", "potential temperature perturbation", "",
        "theta minus the initial profile (T_BASE on Z_BASE) at its height, or minus the mean of its layer",
        (("T", *_HEIGHT),), air.theta_pert,
    ),
    Derived(
        "temperature", "K", "temperature", "air_temperature", "theta (p / 1000 hPa)^(R / cp)",
        (_TEMPERATURE,), air.temperature,
    ),
    Derived("pressure", "Pa", "pressure", "air_pressure", "P + PB", (_PRESSURE,), air.pressure),
    Derived(
        "height", "m", "height", "altitude",
        "of the layer midpoints, (PH + PHB) / g; on pressure levels, heights are at the layers' mean "
        "pressure", (_HEIGHT,), air.height, on_pressure=air.layer_height,
    ),
    Derived(
        "relative_humidity", "%", "relative humidity", "relative_humidity",
        "vapour pressure divided by the saturation vapour pressure over water, Bolton (1980), equation "
        "10", (_MOIST,),
        air.relative_humidity,
    ),
    Derived(
        "dew_point", "K", "dew point", "dew_point_temperature",
        "temperature at which the vapour pressure is the saturation vapour pressure over water, Bolton "
        "(1980), equation 10",
        ((*_PRESSURE, "QVAPOR"),), air.dew_point,
    ),
)  # fmt: skip

_SURFACE = (
    Derived(
        "surface_pressure", "Pa", "surface pressure", "surface_air_pressure",
        "PSFC, or the weight of the dry column, MU + MUB + P_TOP", (("PSFC",), ("MU", "MUB")),
        surface.surface_pressure,
    ),
    Derived(
        "sea_level_pressure", "Pa", "sea-level pressure", "air_pressure_at_mean_sea_level",
        "Trenberth, Berry and Buja (1993), NCAR/TN-396+STR, section 4: below the ground 6.5 K/km, "
        "adjusted where it is warmer than 290.5 K or colder than 255 K; from the lowest layer with 12 hPa "
        "of air "
        "below it", ((*_TEMPERATURE, *_HEIGHT, "PSFC"),), surface.sea_level_pressure,
    ),
    Derived(
        "T2", "K", "temperature at 2 m", "air_temperature",
        f"T2, or potential temperature between TSK and the lowest layer {_LOG_PROFILE}",
        (("T2",), _LOWEST), surface.temperature_2m,
    ),
    Derived(
        "Q2", "kg kg-1", "vapour mixing ratio at 2 m", "humidity_mixing_ratio",
        "Q2, or over water between saturation at TSK and the lowest layer by the profile of T2, over land "
        "that of the lowest layer", (("Q2",), _LOWEST), surface.mixing_ratio_2m,
    ),
    Derived(
        "U10", "m s-1", "wind along x at 10 m", "x_wind",
        f"U10, or the wind of the lowest layer {_LOG_PROFILE}",
        (("U10", "V10"), (*_WIND, *_HEIGHT)), lambda history: surface.wind_10m(history)[0],
    ),
    Derived(
        "V10", "m s-1", "wind along y at 10 m", "y_wind", "as U10",
        (("U10", "V10"), (*_WIND, *_HEIGHT)), lambda history: surface.wind_10m(history)[1],
    ),
    Derived(
        "wind_speed_10m", "m s-1", "wind speed at 10 m", "wind_speed", "of U10 and V10",
        (("U10", "V10"), (*_WIND, *_HEIGHT)),
        lambda history: wind.speed(history, *surface.wind_10m(history)),
    ),
    Derived(
        "wind_gust", "m s-1", "wind gusts at 10 m", "wind_speed_of_gust",
        "wind_speed_10m and the largest excess of the wind above, of which all comes down from the ground, "
        "half from 1 km and more, as far up as virtual potential temperature is within 0.5 K of the lowest "
        "layer's; Benjamin et al. (2002), RUC20",
        ((*_WIND, *_TEMPERATURE, *_HEIGHT),), surface.wind_gust,
    ),
    Derived(
        "wind_direction_10m", "degree", "wind direction at 10 m", "wind_from_direction",
        "of U10 and V10, direction from which the wind blows, clockwise from true north",
        (("U10", "V10", *_TO_EARTH), (*_WIND, *_HEIGHT, *_TO_EARTH)),
        lambda history: wind.direction(history, *surface.wind_10m(history)),
    ),
    Derived(
        "precipitation", "mm", "accumulated precipitation", "lwe_thickness_of_precipitation_amount",
        "RAINNC + RAINC",
        (("RAINNC",),), precipitation.precipitation,
    ),
    Derived(
        "rain", "mm", "accumulated rain", "thickness_of_rainfall_amount",
        "precipitation minus snow and graupel",
        (("RAINNC", "SNOWNC", "GRAUPELNC"),), precipitation.rain,
    ),
    Derived(
        "snow", "mm", "accumulated snow and ice", "lwe_thickness_of_snowfall_amount", "SNOWNC",
        (("SNOWNC",),),
        precipitation.snow,
    ),
    Derived(
        "graupel", "mm", "accumulated graupel and hail", "", "GRAUPELNC + HAILNC",
        (("GRAUPELNC",),), precipitation.graupel,
    ),
    Derived(
        "precipitation_rate", "mm h-1", "precipitation rate", "lwe_precipitation_rate",
        "precipitation since the previous frame, divided by the time between them", (("RAINNC",),),
        precipitation.rate, over_time=True,
    ),
)  # fmt: skip


def _row_of_wind(
    name: str,
    units: str,
    long_name: str,
    standard_name: str,
    source: str,
    of: OfWind,
    *needs: tuple[str, ...],
) -> Derived:
    return Derived(name, units, long_name, standard_name, source, needs, of_wind(of), of_wind=of)


_WITH_F = ((*_WIND, "F"), (*_WIND, "XLAT"))

_FLOW = (
    _row_of_wind(
        "wind_speed", "m s-1", "wind speed", "wind_speed", "of U and V on mass points", wind.speed, _WIND
    ),
    _row_of_wind(
        "wind_direction", "degree", "wind direction", "wind_from_direction",
        "direction from which the wind blows, clockwise from true "
        "north", wind.direction, (*_WIND, *_TO_EARTH),
    ),
    _row_of_wind(
        "wind_east", "m s-1", "wind towards the east", "eastward_wind", "u COSALPHA - v SINALPHA",
        wind.eastward, (*_WIND, *_TO_EARTH),
    ),
    _row_of_wind(
        "wind_north", "m s-1", "wind towards the north", "northward_wind", "v COSALPHA + u SINALPHA",
        wind.northward, (*_WIND, *_TO_EARTH),
    ),
    _row_of_wind(
        "vorticity", "s-1", "relative vorticity", "atmosphere_upward_relative_vorticity",
        "mx my (d(v/my)/dx - d(u/mx)/dy), Haltiner and Williams (1980), section 1-9; mx, my the map factors",
        vorticity.relative, _WIND,
    ),
    _row_of_wind(
        "absolute_vorticity", "s-1", "absolute vorticity", "atmosphere_upward_absolute_vorticity",
        "relative vorticity + F, or 2 Omega sin(XLAT)", vorticity.absolute, *_WITH_F,
    ),
    _row_of_wind(
        "divergence", "s-1", "divergence of the wind", "divergence_of_wind",
        "mx my (d(u/my)/dx + d(v/mx)/dy), Haltiner and Williams (1980), section 1-9",
        vorticity.divergence, _WIND,
    ),
    Derived(
        "potential_vorticity", "K m2 kg-1 s-1", "Ertel's potential vorticity", "ertel_potential_vorticity",
        "-g (dp/ds)^-1 [(f + zeta) dtheta/ds - dv/ds dtheta/dx + du/ds dtheta/dy] along layers s, Hoskins, "
        "McIntyre and Robertson (1985), section 2a", tuple((*enough, *_TEMPERATURE) for enough in _WITH_F),
        vorticity.potential,
    ),
)  # fmt: skip

TABLE = {row.name: row for row in (*_AIR, *_SURFACE, *_FLOW, *STORMS)}
