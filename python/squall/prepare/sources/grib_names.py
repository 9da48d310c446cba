"""ecCodes's short names of the fields, by kind of level."""

# On levels of pressure and on hybrid levels.
ON_LEVELS = {
    "t": "temperature", "u": "u", "v": "v", "gh": "height", "z": "height", "pres": "pressure",
    "q": "specific_humidity", "r": "relative_humidity", "dpt": "dew_point", "mixr": "mixing_ratio",
    "clwc": "cloud_water", "ciwc": "cloud_ice", "crwc": "rain", "cswc": "snow",
    "clwmr": "cloud_water", "icmr": "cloud_ice", "rwmr": "rain", "snmr": "snow",
}  # fmt: skip

# Kinds of levels that whole atmospheres are given on and that are not read.
OTHER_LEVELS = frozenset({
    "sigma", "sigmaLayer", "hybridLayer", "hybridHeight", "hybridPressure", "eta", "theta",
    "potentialVorticity", "generalVertical", "generalVerticalLayer", "heightAboveGround", "heightAboveSea",
    "isobaricLayer", "unknown",
})  # fmt: skip

# These are kg per kg of moist air; those of NCEP are per kg of dry air.
OF_MOIST_AIR = frozenset({"clwc", "ciwc", "crwc", "cswc"})

# Of the surface, whatever level they are filed under.
OF_SURFACE = {
    "sp": "surface_pressure", "lnsp": "surface_pressure", "msl": "sea_level_pressure",
    "prmsl": "sea_level_pressure", "mslet": "sea_level_pressure", "orog": "terrain",
    "lsm": "land_mask", "land": "land_mask", "skt": "skin_temperature",
    "sst": "sea_surface_temperature", "wtmp": "sea_surface_temperature",
    "ci": "sea_ice", "siconc": "sea_ice", "icec": "sea_ice", "sdwe": "snow_water", "sd": "snow_water",
    "sde": "snow_depth", "2t": "temperature_2m", "2d": "dew_point_2m", "2sh": "specific_humidity_2m",
    "2r": "relative_humidity_2m", "10u": "u_10m", "10v": "v_10m",
}  # fmt: skip

# At the ground, named by what stands there: (name, kind of level, height in m).
AT_HEIGHT = {
    ("t", "surface", 0): "skin_temperature", ("gh", "surface", 0): "terrain", ("z", "surface", 0): "terrain",
    ("z", "hybrid", 1): "terrain", ("pres", "surface", 0): "surface_pressure",
    ("pres", "meanSea", 0): "sea_level_pressure",
    ("t", "heightAboveGround", 2): "temperature_2m", ("r", "heightAboveGround", 2): "relative_humidity_2m",
    ("q", "heightAboveGround", 2): "specific_humidity_2m", ("dpt", "heightAboveGround", 2): "dew_point_2m",
    ("u", "heightAboveGround", 10): "u_10m", ("v", "heightAboveGround", 10): "v_10m",
}  # fmt: skip

# Of the weather that acts on tracers, at the surface and on levels.
OF_WEATHER = {
    "blh": "boundary_layer_height", "hpbl": "boundary_layer_height", "zust": "friction_velocity",
    "fricv": "friction_velocity", "ishf": "sensible_heat_flux", "sshf": "sensible_heat_flux",
    "msshf": "sensible_heat_flux", "avg_ishf": "sensible_heat_flux", "shtfl": "sensible_heat_flux",
    "slhf": "latent_heat_flux", "mslhf": "latent_heat_flux", "avg_slhtf": "latent_heat_flux",
    "slhtf": "latent_heat_flux", "lhtfl": "latent_heat_flux", "tp": "rain_rate", "prate": "rain_rate",
    "tprate": "rain_rate", "mtpr": "rain_rate", "avg_tprate": "rain_rate", "cp": "convective_rain_rate",
    "acpcp": "convective_rain_rate", "cpr": "convective_rain_rate", "cprat": "convective_rain_rate",
    "mcpr": "convective_rain_rate", "avg_cpr": "convective_rain_rate", "crr": "convective_rain_rate",
    "mumf": "updraught", "avg_mumf": "updraught", "mdmf": "downdraught", "avg_mdmf": "downdraught",
}  # fmt: skip
# ECMWF counts these downwards; its downdraughts are negative.
DOWNWARDS = frozenset({"sensible_heat_flux", "latent_heat_flux", "downdraught"})

# In layers of soil that the message describes.
IN_SOIL = {
    "t": "soil_temperature",
    "st": "soil_temperature",
    "sot": "soil_temperature",
    "soilw": "soil_moisture",
    "vsw": "soil_moisture",
}

# The four layers of ECMWF, m.
ECMWF_LAYERS = ((0.0, 0.07), (0.07, 0.28), (0.28, 1.0), (1.0, 2.89))
ECMWF_SOIL = {
    f"{name}{n + 1}": (field, layer)
    for name, field in (("stl", "soil_temperature"), ("swvl", "soil_moisture"))
    for n, layer in enumerate(ECMWF_LAYERS)
}
