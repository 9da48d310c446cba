"""Names of the fields in netCDF files: CF standard names, and variable names in common layouts: ERA5 (CDS,
old and new), NCEP's through wgrib2, GrADS servers and NCL, Unidata's servers, and those of NOAA's Physical
Sciences Laboratory (reanalyses, NARR)."""

import re

# Names are matched whole, without regard to case. First match wins.
_ON_LEVELS = {
    "temperature": r"t|ta|air|temp|temperature|air_temperature|tmp(prs|_isobaric)?|temperature_isobaric",
    "u": r"u|ua|uwnd|ugrd(prs)?|u[-_]component_of_wind(_isobaric)?|u_wind",
    "v": r"v|va|vwnd|vgrd(prs)?|v[-_]component_of_wind(_isobaric)?|v_wind",
    "height": r"z|zg|gh|hgt(prs)?|geopotential(_height)?(_isobaric)?|height",
    "pressure": r"pres|pressure|p|pfull",
    "specific_humidity": r"q|hus|shum|spfh(prs)?|specific_humidity(_isobaric)?|qv",
    "relative_humidity": r"r|hur|rhum|rh(prs)?|relative_humidity(_isobaric)?",
    "dew_point": r"dpt|dew_?point(_temperature)?(_isobaric)?",
    "mixing_ratio": r"mixr|mixing_ratio",
    "cloud_water": r"clwc|clw|clwmr(prs)?|cloud_mixing_ratio_isobaric|specific_cloud_liquid_water_content",
    "cloud_ice": r"ciwc|cli|icmr(prs)?|ice_water_mixing_ratio_isobaric|specific_cloud_ice_water_content",
    "rain": r"crwc|rwmr(prs)?|rain_mixing_ratio_isobaric|specific_rain_water_content",
    "snow": r"cswc|snmr(prs)?|snow_mixing_ratio_isobaric|specific_snow_water_content",
}
_OF_SURFACE = {
    "surface_pressure": r"sp|ps|aps|psfc|pres(sfc|_surface)?|pressure_surface|surface_pressure|lnsp",
    "sea_level_pressure": r"msl|psl|slp|mslp|mslet(msl)?|prmsl(msl|_meansealevel|_msl)?|mslet_meansealevel"
    r"|pressure_reduced_to_msl(_msl)?|mslp_eta_model_reduction_msl|mean_sea_level_pressure",
    "terrain": r"z|orog|hgt(sfc|_surface)?|geopotential_height_surface|phis|terrain|topo|geopotential",
    "land_mask": r"lsm|land(sfc|_surface)?|land_?mask|land_sea_mask|sftlf|land_cover_0__sea_1__land_surface",
    "skin_temperature": r"skt|ts|tmp(sfc|_surface)|temperature_surface|skin_temperature",
    "sea_surface_temperature": r"sst|tos|sea_surface_temperature|water_temperature_surface"
    r"|wtmp(sfc|_surface)",
    "sea_ice": r"siconc|ci|sic|icec(sfc|_surface)?|ice_cover_surface|sea_ice_(cover|area_fraction)",
    "snow_water": r"sd|weasd(sfc|_surface)?|snw|swe|water_equivalent_of_accumulated_snow_depth_surface",
    "snow_depth": r"sde|snod(sfc|_surface)?|snd|snow_depth_surface",
    "temperature_2m": r"t2m?|2t|tas|tmp2m|tmp_2maboveground|air|air_?2m|temperature_height_above_ground"
    r"|2m_temperature",
    "dew_point_2m": r"d2m?|2d|dpt2m|dpt_2maboveground|dew_?point_temperature_height_above_ground"
    r"|2m_dewpoint_temperature",
    "specific_humidity_2m": r"q2m?|sh2|2sh|huss|spfh2m|spfh_2maboveground|shum"
    r"|specific_humidity_height_above_ground",
    "relative_humidity_2m": r"r2|2r|hurs|rh2m|rh_2maboveground|rhum|relative_humidity_height_above_ground",
    "u_10m": r"u10m?|10u|uas|ugrd10m|ugrd_10maboveground|uwnd|u-component_of_wind_height_above_ground"
    r"|10m_u_component_of_wind",
    "v_10m": r"v10m?|10v|vas|vgrd10m|vgrd_10maboveground|vwnd|v-component_of_wind_height_above_ground"
    r"|10m_v_component_of_wind",
}
_IN_SOIL = {
    "soil_temperature": r"tsl|tsoil|soil_?temp(erature)?(_depth_below_surface_layer)?",
    "soil_moisture": r"mrsol?|soilw|volumetric_soil_moisture(_content)?_depth_below_surface_layer",
}

# NCL names what it converts TMP_P0_L100_GLL0: level type 100 is pressure, 103 a height, 106 soil.
_NCL = {
    "TMP": {"100": "temperature", "1": "skin_temperature", "103": "temperature_2m"},
    "UGRD": {"100": "u", "103": "u_10m"}, "VGRD": {"100": "v", "103": "v_10m"},
    "HGT": {"100": "height", "1": "terrain"},
    "RH": {"100": "relative_humidity", "103": "relative_humidity_2m"},
    "SPFH": {"100": "specific_humidity", "103": "specific_humidity_2m"},
    "DPT": {"100": "dew_point", "103": "dew_point_2m"},
    "PRES": {"1": "surface_pressure"}, "PRMSL": {"101": "sea_level_pressure"},
    "LAND": {"1": "land_mask"}, "ICEC": {"1": "sea_ice"}, "WEASD": {"1": "snow_water"},
    "TSOIL": {"106": "soil_temperature"}, "SOILW": {"106": "soil_moisture"},
}  # fmt: skip

_STANDARD = {
    "levels": {
        "air_temperature": "temperature", "eastward_wind": "u", "northward_wind": "v", "x_wind": "u",
        "y_wind": "v", "geopotential_height": "height", "geopotential": "height", "air_pressure": "pressure",
        "specific_humidity": "specific_humidity", "relative_humidity": "relative_humidity",
        "dew_point_temperature": "dew_point", "humidity_mixing_ratio": "mixing_ratio",
        "mass_fraction_of_cloud_liquid_water_in_air": "cloud_water",
        "mass_fraction_of_cloud_ice_in_air": "cloud_ice",
    },
    "surface": {
        "surface_air_pressure": "surface_pressure", "air_pressure_at_sea_level": "sea_level_pressure",
        "air_pressure_at_mean_sea_level": "sea_level_pressure", "surface_altitude": "terrain",
        "surface_geopotential": "terrain", "land_binary_mask": "land_mask",
        "land_area_fraction": "land_mask", "surface_temperature": "skin_temperature",
        "sea_surface_temperature": "sea_surface_temperature", "sea_ice_area_fraction": "sea_ice",
        "surface_snow_amount": "snow_water", "lwe_thickness_of_surface_snow_amount": "snow_water",
        "surface_snow_thickness": "snow_depth", "air_temperature": "temperature_2m",
        "dew_point_temperature": "dew_point_2m", "specific_humidity": "specific_humidity_2m",
        "relative_humidity": "relative_humidity_2m", "eastward_wind": "u_10m",
        "northward_wind": "v_10m", "x_wind": "u_10m", "y_wind": "v_10m",
    },
    "soil": {
        "soil_temperature": "soil_temperature",
        "volume_fraction_of_condensed_water_in_soil": "soil_moisture",
        "volume_fraction_of_moisture_content_of_soil_layer": "soil_moisture",
    },
}  # fmt: skip

_PATTERNS = {
    kind: {field: re.compile(pattern, re.IGNORECASE) for field, pattern in table.items()}
    for kind, table in (("levels", _ON_LEVELS), ("surface", _OF_SURFACE), ("soil", _IN_SOIL))
}
# Of the weather that acts on tracers.
_OF_WEATHER = {
    "boundary_layer_height": r"blh|hpbl(sfc|_surface)?|planetary_boundary_layer_height(_surface)?"
    r"|boundary_layer_height",
    "friction_velocity": r"zust|fricv(sfc|_surface)?|friction_velocity",
    "sensible_heat_flux": r"ishf|sshf|msshf|avg_ishf|hfss|shtfl(sfc|_surface)?|surface_sensible_heat_flux",
    "latent_heat_flux": r"slhf|mslhf|avg_slhtf|hfls|lhtfl(sfc|_surface)?|surface_latent_heat_flux",
    "rain_rate": r"tp|mtpr|avg_tprate|pr|prate(sfc|_surface)?|total_precipitation",
    "convective_rain_rate": r"cp|mcpr|avg_cpr|prc|cprat(sfc|_surface)?|convective_precipitation",
    "updraught": r"mumf|avg_mumf|mcu",
    "downdraught": r"mdmf|avg_mdmf|mcd",
}
_ECMWF_DOWNWARDS = re.compile(
    r"ishf|m?s[sl]hf|avg_(ishf|slhtf)|surface_(sensible|latent)_heat_flux|(avg_)?mdmf"
)
_WEATHER_PATTERNS = {field: re.compile(pattern, re.IGNORECASE) for field, pattern in _OF_WEATHER.items()}

_ONE_LEVEL = re.compile(r"(TMP|HGT|RH|SPFH|UGRD|VGRD)_(\d+)mb", re.IGNORECASE)
_ONE_LEVEL_FIELDS = {
    "TMP": "temperature", "HGT": "height", "RH": "relative_humidity", "SPFH": "specific_humidity",
    "UGRD": "u", "VGRD": "v",
}  # fmt: skip
_NCL_NAME = re.compile(r"([A-Z]+)_P\d+_L(\d+)_\w+")

# Heights at which fields of the surface stand, m.
HEIGHTS = {
    "temperature_2m": 2.0, "dew_point_2m": 2.0, "specific_humidity_2m": 2.0, "relative_humidity_2m": 2.0,
    "u_10m": 10.0, "v_10m": 10.0,
}  # fmt: skip


def field_of(name: str, standard_name: str, kind: str) -> str | None:
    """The field that a variable holds; kind: "levels", "surface" or "soil", from its dimensions."""
    ncl = _NCL_NAME.fullmatch(name)
    if ncl:
        return _NCL.get(ncl[1], {}).get(ncl[2])
    for field, pattern in _PATTERNS[kind].items():
        if pattern.fullmatch(name):
            return field
    return _STANDARD[kind].get(standard_name)


def weather_of(name: str) -> tuple[str, float] | None:
    """The field of the weather that a variable holds, and the factor by which its flux is upwards: ECMWF
    counts downwards."""
    for field, pattern in _WEATHER_PATTERNS.items():
        if pattern.fullmatch(name):
            return field, -1.0 if _ECMWF_DOWNWARDS.fullmatch(name.lower()) else 1.0
    return None


def one_level(name: str) -> tuple[str, float] | None:
    """Field and pressure in Pa of a variable that holds one level, as wgrib2 makes them: TMP_500mb."""
    found = _ONE_LEVEL.fullmatch(name)
    return (_ONE_LEVEL_FIELDS[found[1].upper()], 100 * float(found[2])) if found else None
