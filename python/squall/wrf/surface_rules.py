"""Rules for what is below the air: hills within cells, an ocean, fluxes of heat."""

from squall.wrf.namelist import Value
from squall.wrf.rules import Outcome, Rule, Setting, Values
from squall.wrf.schemes import FLUXES, SUITE, has_fluxes, number_of

_HILLS = {1: "jimenez-dudhia", 2: "mass-ovens"}
#: Boundary layers that read what topo_wind finds: YSU's, and Shin and Hong's, for which YSU's stands in.
_OVER_HILLS = (1, 11)
_RADIATION: dict[str, Value] = {"physics.ra_lw_physics": -1, "physics.ra_sw_physics": -1, **SUITE}


def _terrain_wind(v: Values) -> Outcome:
    option = v.whole("topo_wind")
    if option == 0 or number_of(v, "bl_pbl") not in _OVER_HILLS or number_of(v, "sf_sfclay") == 0:
        return Outcome()  # nor in WRF
    if option not in _HILLS:
        return Outcome(lost="the wind near the ground does not feel subgrid terrain")
    return Outcome({"physics.terrain_wind": _HILLS[option]})


def _ocean(v: Values) -> Outcome:
    if not v.flag("sf_ocean_physics") and v.whole("sf_ocean_physics") != 2:
        return Outcome()
    if not has_fluxes(v) or number_of(v, "ra_lw") == number_of(v, "ra_sw") == 0:
        return Outcome(
            lost="the ocean needs surface fluxes and radiation, which are off: it keeps its temperature"
        )
    if v.flag("sst_update"):
        return Outcome(lost="the sea has the temperature of sst_update: there is no mixed layer in it")
    if v.flag("sst_skin"):
        return Outcome(lost="the sea has the skin of sst_skin: there is no mixed layer in it")
    settings: dict[str, Setting] = {
        "physics.ocean": "mixed-layer",
        "physics.ocean_lapse_rate": f"{v.number('oml_gamma'):.10g} K/m",
    }
    lost = []
    if v.whole("sf_ocean_physics") == 2:
        lost.append("the ocean is a mixed layer (1), without currents between its columns")
    if v.number("oml_hml0") > 0:
        settings["physics.ocean_layer_depth"] = f"{v.number('oml_hml0'):.10g} m"
    else:
        lost.append("the mixed layer is 50 m deep at the start, not as H0ML of the initial file has it")
    if v.number("oml_relaxation_time") > 0:
        settings["physics.ocean_relaxation_time"] = f"{v.number('oml_relaxation_time'):.10g} s"
    return Outcome(settings, "; ".join(lost))


def only_momentum(v: Values) -> bool:
    """Whether the surface gives off neither heat nor vapour: of WRF's surface layers those of MM5 know it."""
    return (
        v.whole("isfflx") == 0
        and has_fluxes(v)
        and number_of(v, "bl_pbl") > 0
        and number_of(v, "sf_sfclay") in (1, 91)
    )


def _heat_fluxes(v: Values) -> Outcome:
    if only_momentum(v):
        return Outcome({"physics.heat_fluxes": False})
    known = v.whole("isfflx") == 1 or not has_fluxes(v)
    return Outcome(lost="" if known else "fluxes of heat and vapour are always on, and computed")


HEAT_FLUXES = Rule(
    {"physics.isfflx": 1, **FLUXES},
    "`physics.heat_fluxes`: 0 with sf_sfclay_physics 1 or 91 and a boundary layer scheme: false, and no land",
    _heat_fluxes, "else fluxes of heat and vapour are always on, and computed",
)  # fmt: skip
TERRAIN_WIND = Rule(
    {"physics.topo_wind": 0, **FLUXES},
    '`physics.terrain_wind`: 1: `"jimenez-dudhia"`, 2: `"mass-ovens"`', _terrain_wind,
    "with bl_pbl_physics 1 and 11; others do not read it",
)  # fmt: skip
OCEAN = Rule(
    {
        "physics.sf_ocean_physics": 0, "physics.oml_hml0": 50.0, "physics.oml_gamma": 0.14,
        "physics.oml_relaxation_time": 0.0, "physics.sst_update": 0, "physics.sst_skin": 0,
        **_RADIATION, **FLUXES,
    },
    '`physics.ocean`: 1: `"mixed-layer"`; `ocean_layer_depth`: oml_hml0; `ocean_lapse_rate`: oml_gamma; '
    "`ocean_relaxation_time`",
    _ocean,
    "2 is replaced by 1; needs surface fluxes and radiation, and a sea that neither sst_update nor sst_skin "
    "changes",
)  # fmt: skip
