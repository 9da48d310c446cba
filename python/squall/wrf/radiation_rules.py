"""Rules for radiation: schemes, aerosol, slopes and shadows."""

from squall.wrf.namelist import Value
from squall.wrf.rules import Outcome, Rule, Setting, Values
from squall.wrf.schemes import SUITE, number_of

_RRTMG = {4, 14, 24}
_INSTEAD_OF_RRTM = (
    "RRTMGP stands for RRTM: within 0.2 K/day and 1.5 W/m2 of WRF's columns with Dudhia's shortwave"
)
#: Of those without a form here.
_NAMES = {2: "Goddard's", 3: "CAM's", 5: "Goddard's", 7: "that of Fu, Liou and Gu", 99: "GFDL's"}
#: By how much more sunlight reaches the ground with a shortwave scheme than with RRTMG, without clouds, of
#: 916 W m-2 at a summer's noon (docs/explanation/radiation.md) [W m-2].
_MORE_SUN = {2: 29, 5: 10}


def _instead(kind: str, number: int) -> str:
    """Of a scheme that RRTMGP stands in for, by WRF's number."""
    called = f"{kind} {number}"
    if number == 0:
        return f"{called} is replaced by RRTMGP: a run has both kinds of radiation or none"
    name = _NAMES.get(number)
    instead = f"{called}{f' ({name})' if name else ''} is replaced by RRTMGP"
    if kind == "shortwave" and number in _MORE_SUN:
        return f"{instead}: with RRTMG, which is near it, the ground gets {_MORE_SUN[number]} W/m2 less sun"
    return f"{instead}, which was not compared with it"


def _radiation(v: Values) -> Outcome:
    longwave, shortwave = number_of(v, "ra_lw"), number_of(v, "ra_sw")
    if longwave == 0 and shortwave == 0:
        return Outcome({"physics.radiation": "none"})
    settings: dict[str, Setting] = {"physics.radiation": "rrtmgp-dudhia" if shortwave == 1 else "rrtmgp"}
    if v.number("radt") > 0:
        settings["physics.radiation_interval"] = f"{v.number('radt'):.10g} min"
    lost, note = [], ""
    if longwave == shortwave == 1:
        note = _INSTEAD_OF_RRTM
        if number_of(v, "mp") == 3:
            settings["physics.longwave_ice"] = False  # RRTM takes WSM3's crystals to be none at all
    elif longwave == 1:
        lost.append("longwave 1 (RRTM) is replaced by RRTMGP, whose clouds differ")
    elif longwave not in _RRTMG:
        lost.append(_instead("longwave", longwave))
    elif shortwave == 1:
        lost.append("longwave clouds are grey, as RRTM's (1)")
    if shortwave not in {1, *_RRTMG}:
        lost.append(_instead("shortwave", shortwave))
    if shortwave == 1 and v.number("swrad_scat") != 1:
        lost.append("clear air scatters as with swrad_scat = 1")
    if v.whole("icloud") == 0:
        settings["physics.cloud_radiation"] = False
    elif v.whole("icloud") != 1:
        lost.append("clouds act on radiation as with icloud = 1")
    return Outcome(settings, "; ".join(lost), note)


def _shading(v: Values) -> Outcome:
    if not v.flag("topo_shading"):
        return Outcome({"physics.topographic_shading": False})
    if number_of(v, "ra_lw") == number_of(v, "ra_sw") == 0:
        return Outcome(lost="terrain shadows need radiation")
    return Outcome(
        {
            "physics.topographic_shading": True,
            "physics.shadow_length": f"{v.number('shadlen') / 1000:.10g} km",
        }
    )


def _newtonian(v: Values) -> Outcome:
    if not v.flag("rad_nudge"):
        return Outcome()
    if number_of(v, "ra_lw") > 0 or number_of(v, "ra_sw") > 0:
        return Outcome(lost="radiation is computed: temperature is not drawn to its base profile too")
    return Outcome({"physics.newtonian_cooling": True})


def _slopes(v: Values) -> Outcome:
    if v.flag("slope_rad") and number_of(v, "ra_lw") == number_of(v, "ra_sw") == 0:
        return Outcome(lost="sunlight on slopes needs radiation")
    return Outcome({"physics.slope_radiation": v.flag("slope_rad")})


_AEROSOLS = {1: "rural", 2: "urban", 3: "maritime"}
#: What each of WRF's aer_<word>_opt and aer_<word>_val is here.
_AEROSOL_OPTICS = {"angexp": "angstrom_exponent", "ssa": "single_scattering_albedo", "asy": "asymmetry"}


def _aerosol(v: Values) -> Outcome:
    scheme = v.whole("aer_opt")
    longwave, shortwave = number_of(v, "ra_lw"), number_of(v, "ra_sw")
    if scheme == 0 or longwave == shortwave == 0 or shortwave == 1:
        return Outcome()  # where shortwave is 1 WRF has none either
    if scheme == 3:  # of numbers that no other scheme carries
        carried = number_of(v, "mp") == 28
        return Outcome({"physics.aerosol_type": "carried"}) if carried else Outcome()
    if scheme != 2:
        return Outcome(lost="there is no aerosol climatology: shortwave radiation sees no aerosol")
    of_file, file, depth = (
        v.whole("aer_aod550_opt") != 1,
        str(v["auxinput15_inname"]),
        v.number("aer_aod550_val"),
    )
    if of_file and "<date>" in file:
        return Outcome(
            lost="AOD5502D is read from a file, but auxinput15_inname names none: no aerosol is used"
        )
    if not of_file and depth <= 0:
        return Outcome()
    settings: dict[str, Setting] = {
        **({"physics.aerosol_file": file} if of_file else {"physics.aerosol_optical_depth": depth}),
        "physics.aerosol_type": _AEROSOLS.get(v.whole("aer_type"), "rural"),
    }
    of_file_too = []
    for word, key in _AEROSOL_OPTICS.items():
        if v.whole(f"aer_{word}_opt") == 1:
            settings[f"physics.aerosol_{key}"] = v.number(f"aer_{word}_val")
        elif v.whole(f"aer_{word}_opt") == 2:
            of_file_too.append(f"aer_{word}_opt")
    if all(f"physics.aerosol_{key}" in settings for key in _AEROSOL_OPTICS.values()):
        del settings["physics.aerosol_type"]  # nothing is left of it
    if not of_file_too:
        return Outcome(settings)
    return Outcome(settings, f"{', '.join(of_file_too)}: the value of aer_type is used, not that of a file")


_SCHEMES: dict[str, Value] = {"physics.ra_lw_physics": -1, "physics.ra_sw_physics": -1, **SUITE}
_AER: dict[str, Value] = {
    "physics.aer_opt": 0, "physics.aer_type": 1, "physics.aer_aod550_opt": 1, "physics.aer_aod550_val": 0.12,
    "physics.aer_angexp_opt": 1, "physics.aer_angexp_val": 1.3, "physics.aer_ssa_opt": 1,
    "physics.aer_ssa_val": 0.85, "physics.aer_asy_opt": 1, "physics.aer_asy_val": 0.9,
    "time_control.auxinput15_inname": "auxinput15_d<domain>_<date>",
}  # fmt: skip

RADIATION_RULES = [
    Rule(
        {
            "physics.ra_lw_physics": -1, "physics.ra_sw_physics": -1, "physics.radt": 0.0,
            "physics.icloud": 1, "physics.swrad_scat": 1.0, "physics.mp_physics": -1, **SUITE,
        },
        '`physics.radiation`: both 0: `"none"`, shortwave 1: `"rrtmgp-dudhia"`, shortwave 4: `"rrtmgp"`; '
        "`radiation_interval`: radt, or a minute for each km of dx, at most 30, where it is 0; "
        "`cloud_radiation`: icloud 0: false; `longwave_ice`: both 1 with mp_physics 3: false",
        _radiation,
        "both 1: RRTMGP with grey clouds stands for RRTM; all others are replaced by RRTMGP, which was "
        "compared with RRTMG (4); with Goddard's shortwave (2, 5) the ground gets 29 and 10 W/m2 more "
        "sunlight than with RRTMG; CAM's (3) and others were not compared",
    ),
    Rule(
        {"dynamics.rad_nudge": 0, **_SCHEMES},
        "`physics.newtonian_cooling`", _newtonian, "without radiation",
    ),
    Rule(
        {"physics.slope_rad": 0, **_SCHEMES},
        "`physics.slope_radiation`", _slopes,
        "fluxes per unit of map area; with `run.compatibility`, per unit of slope area, as in WRF",
    ),
    Rule(
        {"physics.topo_shading": 0, "physics.shadlen": 25000.0, **_SCHEMES},
        "`physics.topographic_shading`, `shadow_length`", _shading,
    ),
    Rule(
        {**_AER, "physics.mp_physics": -1, **_SCHEMES},
        "`physics.aerosol_optical_depth` or `aerosol_file`, `aerosol_type`, `aerosol_angstrom_exponent`, "
        "`aerosol_single_scattering_albedo`, `aerosol_asymmetry`: aer_opt 2; `aerosol_type`: 3 with "
        "mp_physics 28: `\"carried\"`",
        _aerosol,
        "1 has no counterpart, nor has option 2 (a file) of aer_angexp_opt, aer_ssa_opt and "
        "aer_asy_opt",
    ),
]  # fmt: skip
