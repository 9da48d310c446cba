"""Options of Noah-MP: those that WRF has by default are Squall's."""

from collections.abc import Mapping

from squall.wrf.namelist import Value
from squall.wrf.rules import Outcome, Rule, Values
from squall.wrf.schemes import FLUXES, number_of

#: WRF's number of Noah-MP among land surface models.
NOAH_MP = 4
#: Option: WRF 4.7.1's default, and what the run has where a namelist asks for another.
_OPTIONS: Mapping[str, tuple[Value, str]] = {
    "dveg": (4, "leaf areas are those of the table, under the year's greatest vegetation fraction"),
    "opt_crs": (1, "stomata open as in Ball and Berry"),
    "opt_btr": (1, "plants lack water by Noah's limits of soil moisture"),
    "opt_run": (3, "runoff is Noah's, with free drainage and no groundwater"),
    "opt_sfc": (1, "drag is that of Monin-Obukhov similarity"),
    "opt_frz": (1, "liquid water in frozen soil is that of Niu and Yang (2006)"),
    "opt_inf": (1, "frozen soil lets water through as in Niu and Yang (2006)"),
    "opt_rad": (3, "sunlight passes between leaves where the vegetation fraction leaves gaps"),
    "opt_alb": (2, "snow ages as in CLASS"),
    "opt_snf": (1, "rain turns into snow by the temperature of the air, Jordan (1991)"),
    "opt_tbot": (2, "heat comes from a deep ground of TMN at 8 m"),
    "opt_stc": (1, "the temperature of the ground is semi-implicit"),
    "opt_gla": (1, "ice of glaciers melts and freezes"),
    "opt_rsf": (1, "vapour leaves the soil as in Sakaguchi and Zeng (2009)"),
    "opt_soil": (1, "all layers are soil of ISLTYP"),
    "opt_crop": (0, "crops are leaves of the table"),
    "opt_irr": (0, "there is no irrigation"),
    "opt_tdrn": (0, "there is no tile drainage"),
    "soiltstep": (0.0, "soil is advanced in each step"),
}


def _options(v: Values) -> Outcome:
    if number_of(v, "sf_surface") != NOAH_MP:
        return Outcome()
    other = [f"{key} = {v[key]}: {has}" for key, (default, has) in _OPTIONS.items() if v[key] != default]
    return Outcome(lost="; ".join(other))


NOAH_MP_OPTIONS = Rule(
    {
        **{f"noah_mp.{key}": default for key, (default, _) in _OPTIONS.items()},
        "physics.sf_surface_physics": -1, **FLUXES,
    },
    "none", _options, "Noah-MP (4) has WRF's defaults, and others are told with what the run has instead",
)  # fmt: skip
