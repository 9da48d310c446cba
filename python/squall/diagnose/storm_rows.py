"""The table of derived fields, second part: water of columns, radar, storms."""

from squall.diagnose import parcel, radar, storms, water
from squall.diagnose.derived import Derived

_HEIGHT, _WIND = ("PH", "PHB"), ("U", "V")
_TEMPERATURE = ("T", "P", "PB")
_MASS = ("MU", "MUB", "DNW")
_CLOUDY = (*_TEMPERATURE, "QVAPOR", "QCLOUD")
_ECHOES = (("REFL_10CM",), (*_TEMPERATURE, "QRAIN"))
_PARCEL = ((*_TEMPERATURE, "QVAPOR", *_HEIGHT),)
_ECHO_NAME = "equivalent_reflectivity_factor"
_DISTRIBUTIONS = (
    "REFL_10CM, or the sixth moment of the size distributions of kessler (Marshall and Palmer 1948), lin "
    "(Lin et al. 1983), wsm6 (Hong and Lim 2006), wdm6 (Lim and Hong 2010), thompson (Thompson et al. 2008) "
    "or morrison (Morrison et al. 2009), ice by Smith (1984), wet above 0 °C"
)
_BUOYANCY = "pseudoadiabatic, buoyancy of virtual temperature (Doswell and Rasmussen 1994)"
_WAYS: tuple[tuple[parcel.Start, str, str, str], ...] = (
    ("surface", "", "of the lowest layer", ""),
    ("mixed_layer", "_mixed_layer", "of mixed air", "; the lowest 100 hPa, mixed"),
    (
        "most_unstable", "_most_unstable", "of the most unstable air",
        "; the layer of highest theta_e (Bolton 1980, equation 39) in the lowest 300 hPa",
    ),
)  # fmt: skip

_WATER = (
    Derived(
        "precipitable_water", "kg m-2", "precipitable water", "atmosphere_mass_content_of_water_vapor",
        "sum of QVAPOR times the dry mass of layers, -DNW (C1H (MU + MUB) + C2H) / g",
        ((*_MASS, "QVAPOR"),), water.precipitable_water,
    ),
    Derived(
        "cloud_water_path", "kg m-2", "cloud water path",
        "atmosphere_mass_content_of_cloud_liquid_water", "the same for QCLOUD", ((*_MASS, "QCLOUD"),),
        water.cloud_water_path,
    ),
    Derived(
        "cloud_ice_path", "kg m-2", "cloud ice path", "atmosphere_mass_content_of_cloud_ice",
        "the same for QICE", ((*_MASS, "QICE"),), water.cloud_ice_path,
    ),
    Derived(
        "CLDFRA", "1", "cloud fraction", "cloud_area_fraction_in_atmosphere_layer",
        "CLDFRA, or Xu and Randall (1996), equation 1, of cloud water and ice", (("CLDFRA",), _CLOUDY),
        water.cloud_fraction,
    ),
    Derived(
        "cloud_cover", "1", "cloud cover", "cloud_area_fraction",
        "of CLDFRA with maximum-random overlap (Geleyn and Hollingsworth 1979)",
        (("CLDFRA",), _CLOUDY), water.cloud_cover,
    ),
    Derived(
        "FZLEV", "m", "freezing level", "freezing_level_altitude",
        "height of 0 °C; the highest if there are several", ((*_TEMPERATURE, *_HEIGHT),),
        water.freezing_level,
    ),
)  # fmt: skip

_RADAR = (
    Derived(
        "REFL_10CM", "dBZ", "radar reflectivity", _ECHO_NAME, _DISTRIBUTIONS, _ECHOES,
        radar.reflectivity,
    ),
    Derived(
        "REFD_COM", "dBZ", "highest radar reflectivity of the column", _ECHO_NAME,
        "maximum of REFL_10CM", _ECHOES, radar.composite,
    ),
    Derived(
        "reflectivity_1km", "dBZ", "radar reflectivity 1 km above the ground", _ECHO_NAME,
        "REFL_10CM, linear between layers", tuple((*enough, *_HEIGHT) for enough in _ECHOES), radar.at_1_km,
    ),
    Derived(
        "reflectivity_minus10", "dBZ", "radar reflectivity at −10 °C", _ECHO_NAME,
        "REFL_10CM, linear between layers, at the highest such level",
        (("REFL_10CM", *_TEMPERATURE), _ECHOES[1]), radar.at_minus_10,
    ),
    Derived(
        "ECHOTOP", "m", "echo top", "", "height of 18 dBZ; the highest if there are several",
        tuple((*enough, *_HEIGHT) for enough in _ECHOES), radar.echo_top,
    ),
)  # fmt: skip

_LAPSE = (
    Derived(
        "lapse_rate_3km", "K km-1", "lapse rate to 3 km", "air_temperature_lapse_rate",
        "temperature difference between the lowest layer and 3 km above the ground, divided by the height "
        "difference",
        ((*_TEMPERATURE, *_HEIGHT),), storms.lapse_rate_to(3000.0),
    ),
    Derived(
        "lapse_rate_700_500", "K km-1", "lapse rate between 700 and 500 hPa", "air_temperature_lapse_rate",
        "temperature difference between 700 and 500 hPa, divided by the height "
        "difference", ((*_TEMPERATURE, *_HEIGHT),),
        storms.lapse_rate_between(700e2, 500e2),
    ),
)  # fmt: skip

_TURNING = (
    Derived(
        "UH", "m2 s-2", "updraught helicity, 2 to 5 km above the ground", "",
        "integral of vorticity times w where w is upward, Kain et al. (2008), equation 1",
        ((*_WIND, "W", *_HEIGHT),), storms.updraft_helicity,
    ),
    *(
        Derived(
            f"bulk_shear_{depth}km", "m s-1", f"wind shear to {depth} km", "",
            f"wind {depth} km above the ground minus that of the lowest layer", ((*_WIND, *_HEIGHT),),
            storms.bulk_shear(1000.0 * depth),
        )
        for depth in (1, 6)
    ),
    *(
        Derived(
            f"helicity_{depth}km", "m2 s-2", f"storm-relative helicity to {depth} km", "",
            "Davies-Jones, Burgess and Foster (1990), storm motion by Bunkers et al. (2000), to the right, "
            "where F is negative to the left", ((*_WIND, *_HEIGHT, "P", "PB"),),
            storms.storm_relative_helicity(1000.0 * depth),
        )
        for depth in (1, 3)
    ),
)  # fmt: skip


def _standard(name: str, start: parcel.Start) -> str:
    """CF has a name for the air at the surface, and one for any other: the most unstable has it."""
    return {"surface": f"{name}_wrt_surface", "most_unstable": name}.get(start, "")


def _of_parcels(start: parcel.Start, suffix: str, whose: str, air: str) -> tuple[Derived, ...]:
    return (
        Derived(
            f"cape{suffix}", "J kg-1", f"CAPE {whose}",
            _standard("atmosphere_convective_available_potential_energy", start),
            f"integral of positive buoyancy above the level of free convection; "
            f"{_BUOYANCY}{air}", _PARCEL, parcel.cape(start),
        ),
        Derived(
            f"cin{suffix}", "J kg-1", f"CIN {whose}", _standard("atmosphere_convective_inhibition", start),
            f"integral of negative buoyancy below the level of free convection, as a positive number; "
            f"{_BUOYANCY}{air}", _PARCEL,
            parcel.cin(start),
        ),
        Derived(
            f"lcl{suffix}", "m", f"condensation level {whose}",
            _standard("atmosphere_lifting_condensation_level", start), f"Bolton (1980), equation 15{air}",
            _PARCEL, parcel.condensation_level(start),
        ),
        Derived(
            f"lfc{suffix}", "m", f"level of free convection {whose}",
            _standard("atmosphere_level_of_free_convection", start),
            f"the lowest level above condensation from which buoyancy is positive; {_BUOYANCY}{air}", _PARCEL,
            parcel.free_convection_level(start),
        ),
    )  # fmt: skip


STORMS = (*_WATER, *_RADAR, *_LAPSE, *_TURNING, *(row for way in _WAYS for row in _of_parcels(*way)))
