"""Rules for wind farms, options of WRF that Squall has not, and limiters, which matter where what they limit
is."""

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

#: The setting that names the turbines: in the rule's result WRF's file, which becomes a table.
TURBINES = "wind_farm.turbines"


def _farm(v: Values) -> Outcome:
    option = v.whole("windfarm_opt")
    if option == 0:
        return Outcome()
    if option != 1:
        return Outcome(lost="there are no wind farms: only those of windfarm_opt = 1 are there")
    if number_of(v, "bl_pbl") != 5:
        return Outcome(lost="there are no wind farms: they need the turbulence of bl_pbl_physics = 5")
    file = "windturbines-ij.txt" if v.whole("windfarm_ij") == 1 else "windturbines.txt"
    return Outcome({TURBINES: file, "wind_farm.tke_factor": v.number("windfarm_tke_factor")})


WIND_FARM = Rule(
    {
        "physics.windfarm_opt": 0, "physics.windfarm_ij": 0, "physics.windfarm_tke_factor": 0.25,
        "physics.bl_pbl_physics": -1, **SUITE,
    },
    "`[wind_farm]`: 1, with the turbines of `windturbines.txt`, or with windfarm_ij 1 of "
    "`windturbines-ij.txt`, and their `wind-turbine-N.tbl`; `tke_factor`: windfarm_tke_factor",
    _farm, "2 has no counterpart; all domains have the turbines that stand in them",
)  # fmt: skip

OPTIONS = [
    WIND_FARM,
    off("physics.mp_zero_out", 0, "small amounts of water are not set to zero"),
    off("chem.chem_opt", 0, "there is no chemistry"),
    off("scm.scm_force", 0, "the forcing of a single column is not read"),
]  # fmt: skip
