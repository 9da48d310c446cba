"""Options of Noah-MP: those that [land] has, and those of which Squall has WRF's default alone."""

from collections.abc import Mapping

from squall.wrf.namelist import Value
from squall.wrf.rules import Outcome, Setting, Values

#: WRF's number of Noah-MP among land surface models.
NOAH_MP = 4
#: What dveg is of the area of leaves and of the ground that they cover; predicted leaves are not there.
_LEAVES = {
    1: ("table", "season"), 3: ("table", "leaf-area"), 4: ("table", "most"),
    7: ("file", "season"), 8: ("file", "leaf-area"), 9: ("file", "most"),
}  # fmt: skip
#: Option: its key in [land] with what the numbers are, of which the first is WRF 4.7.1's default.
_CHOICES: Mapping[str, tuple[str, Mapping[int, str], str]] = {
    "opt_btr": (
        "water_stress", {1: "moisture", 2: "potential", 3: "ssib"},
        "plants lack water by Noah's limits of soil moisture",
    ),
    "opt_run": (
        "runoff", {3: "free-drainage", 1: "groundwater"},
        "runoff is Noah's, with free drainage and no groundwater",
    ),
    "opt_inf": (
        "frozen_soil", {1: "niu-yang", 2: "koren"},
        "frozen soil lets water through as in Niu and Yang (2006)",
    ),
    "opt_snf": (
        "snowfall", {1: "jordan", 2: "bats", 3: "freezing"},
        "rain turns into snow by the temperature of the air, Jordan (1991)",
    ),
}  # fmt: skip
#: Option: WRF 4.7.1's default, and what the run has where a namelist asks for another.
_OPTIONS: Mapping[str, tuple[Value, str]] = {
    "opt_crs": (1, "stomata open as in Ball and Berry"),
    "opt_sfc": (1, "drag is that of Monin-Obukhov similarity"),
    "opt_frz": (1, "liquid water in frozen soil is that of Niu and Yang (2006)"),
    "opt_rad": (3, "sunlight passes between leaves where the vegetation fraction leaves gaps"),
    "opt_alb": (2, "snow ages as in CLASS"),
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
#: The keys of the rule, with WRF's defaults.
KEYS: Mapping[str, Value] = {
    "noah_mp.dveg": 4,
    **{f"noah_mp.{key}": next(iter(numbers)) for key, (_, numbers, _) in _CHOICES.items()},
    **{f"noah_mp.{key}": default for key, (default, _) in _OPTIONS.items()},
}
HERE = (
    "`[land]`: `leaf_area`, `leaf_cover`: dveg 1, 3, 4, 7, 8, 9; `water_stress`: opt_btr 1, 2, 3; `runoff`: "
    "opt_run 1, 3; `frozen_soil`: opt_inf 1, 2; `snowfall`: opt_snf 1, 2, 3"
)


def options(v: Values) -> Outcome:
    """Of a run with Noah-MP."""
    settings: dict[str, Setting] = {}
    lost = []
    if v["dveg"] in _LEAVES:
        settings["land.leaf_area"], settings["land.leaf_cover"] = _LEAVES[v.whole("dveg")]
    else:
        lost.append(
            f"dveg = {v['dveg']}: leaf areas are those of the table, under the year's greatest vegetation "
            "fraction"
        )
    for key, (name, numbers, usual) in _CHOICES.items():
        if v[key] in numbers:
            settings[f"land.{name}"] = numbers[v.whole(key)]
        else:
            lost.append(f"{key} = {v[key]}: {usual}")
    lost += [f"{key} = {v[key]}: {has}" for key, (default, has) in _OPTIONS.items() if v[key] != default]
    return Outcome(settings, "; ".join(lost))
