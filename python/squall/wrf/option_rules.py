"""Rules for options of WRF that Squall has not, and for limiters, which matter where what they limit is."""

from squall.wrf.rules import Outcome, Rule, Values, off
from squall.wrf.schemes import SUITE, number_of

_NAMES = {"scalar": "numbers of particles", "tke": "TKE"}
#: Schemes of microphysics that carry water alone.
_WATER_ALONE = {0, 1, 2, 3, 4, 6, 7, 13, 24}


def _limiters(v: Values) -> Outcome:
    carried = {
        "scalar": number_of(v, "mp") not in _WATER_ALONE,
        "tke": v.whole("km_opt") == 2 and number_of(v, "bl_pbl") == 0,
    }
    other = [
        name
        for kind, name in _NAMES.items()
        if carried[kind] and v.whole(f"{kind}_adv_opt") != v.whole("moist_adv_opt")
    ]
    return Outcome(lost=f"{' and '.join(other)} have the limiter of moist_adv_opt" if other else "")


LIMITERS = Rule(
    {
        **{f"dynamics.{kind}_adv_opt": 1 for kind in ("moist", "scalar", "tke")},
        "dynamics.tracer_adv_opt": 1, "dynamics.km_opt": -1, "physics.mp_physics": -1,
        "physics.bl_pbl_physics": -1, **SUITE,
    },
    "none", _limiters, "water, numbers of particles and TKE share one limiter: that of moist_adv_opt",
)  # fmt: skip


OPTIONS = [
    off("physics.mp_zero_out", 0, "small amounts of water are not set to zero"),
    off("physics.windfarm_opt", 0, "there are no wind farms"),
    off("dynamics.tracer_opt", 0, "WRF's test tracers are left out: name tracers in [tracer.<name>]"),
    off("fire.ifire", 0, "there is no fire model"),
    off("chem.chem_opt", 0, "there is no chemistry"),
    off("scm.scm_force", 0, "the forcing of a single column is not read"),
]  # fmt: skip
