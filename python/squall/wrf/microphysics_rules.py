"""Rules for microphysics, and for the aerosols that it carries."""

from squall.wrf.rules import Outcome, Rule, Values
from squall.wrf.schemes import SUITE, number_of

_SCHEMES = {
    0: "vapour", 1: "kessler", 2: "lin", 3: "wsm3", 4: "wsm5", 6: "wsm6", 8: "thompson", 10: "morrison",
    14: "wdm5", 16: "wdm6", 28: "thompson-aerosol",
}  # fmt: skip


def _scheme(v: Values) -> Outcome:
    scheme = number_of(v, "mp")
    if scheme in (14, 16):
        return Outcome(
            {
                "physics.microphysics": _SCHEMES[scheme],
                "physics.condensation_nuclei": v.number("ccn_conc"),
            }
        )
    if scheme == 10 and v.whole("morr_rimed_ice") == 0:
        return Outcome({"physics.microphysics": "morrison-graupel"})
    if scheme in _SCHEMES:
        return Outcome({"physics.microphysics": _SCHEMES[scheme]})
    return Outcome(
        {"physics.microphysics": "wsm6"},
        f"scheme {scheme} is replaced by WSM6 (6): clouds and rain will differ",
    )


def _aerosol_source(v: Values) -> Outcome:
    if number_of(v, "mp") != 28:
        return Outcome()
    if v.whole("wif_input_opt") == 2:
        return Outcome(lost="there is no black carbon among the aerosols")
    if v.flag("use_aero_icbc"):
        return Outcome(lost="the ground gives the usual amount of aerosol, not QNWFA2D of the initial file")
    return Outcome()


def _sizes(v: Values) -> Outcome:
    if number_of(v, "mp") == 28 and v.whole("use_mp_re") == 0:
        return Outcome(lost="radiation takes the sizes of particles from the microphysics")
    return Outcome()


MICROPHYSICS_RULES = [
    Rule(
        {"physics.mp_physics": -1, "physics.morr_rimed_ice": 1, "physics.ccn_conc": 1e8, **SUITE},
        '`physics.microphysics`: 0: `"vapour"`, 1: `"kessler"`, 2: `"lin"`, 3: `"wsm3"`, '
        '4: `"wsm5"`, 6: `"wsm6"`, 8: `"thompson"`, '
        '10: `"morrison"`, with morr_rimed_ice 0 `"morrison-graupel"`, 14: `"wdm5"`, 16: `"wdm6"`, both '
        'with `condensation_nuclei`: ccn_conc, 28: `"thompson-aerosol"`',
        _scheme, "all others are replaced by `wsm6`",
    ),
    Rule(
        {"physics.use_aero_icbc": False, "domains.wif_input_opt": 0, "physics.mp_physics": -1, **SUITE},
        "none: aerosols of the initial and boundary files are used where they have them",
        _aerosol_source, "black carbon (wif_input_opt 2) and the source at the ground, QNWFA2D, have none",
    ),
    Rule(
        {"physics.use_mp_re": 1, "physics.mp_physics": -1, **SUITE},
        "none: with mp_physics 28 radiation takes the sizes of particles from the microphysics",
        _sizes, "0 has no counterpart",
    ),
]  # fmt: skip
