"""Physics schemes and coefficients of a nest: its own, and those that it always shares with its parent."""

from collections.abc import Mapping

from squall.wrf.namelist import Namelist, Value
from squall.wrf.rules import Outcome, Setting, Values
from squall.wrf.schemes import scheme_number
from squall.wrf.weather_rules import (
    DIFFUSION,
    DYNAMICS_RULES,
    PHYSICS_RULES,
    boundary_layer_scheme,
    cumulus_lost,
    cumulus_scheme,
    diffusion,
    gravity_wave_drag,
    gravity_wave_drag_lost,
)

_PARENTS = (
    "physics.mp_physics",
    "physics.ra_lw_physics",
    "physics.ra_sw_physics",
    "physics.sf_sfclay_physics",
    "physics.sf_surface_physics",
    "physics.topo_wind",
    "physics.windfarm_opt",
    "dynamics.tracer_opt",
    "dynamics.smdiv",
    "dynamics.emdiv",
    "dynamics.moist_adv_opt",
    "dynamics.scalar_adv_opt",
    "dynamics.h_mom_adv_order",
    "dynamics.v_mom_adv_order",
    "dynamics.h_sca_adv_order",
    "dynamics.v_sca_adv_order",
)
#: Numbers that a nest may have of its own: its key, how the number is told, and the setting of the outermost
#: domain, with how its value begins, without which it does nothing.
_OWN: Mapping[str, tuple[str, str, tuple[str, str] | None]] = {
    "physics.radt": ("radiation_interval", "{:.10g} min", ("physics.radiation", "")),
    "physics.cudt": ("cumulus_interval", "{:.10g} min", ("physics.cumulus", "")),
    "dynamics.zdamp": ("damping_depth", "{:.10g} m", ("damping.scheme", "")),
    "dynamics.dampcoef": ("damping_coefficient", "{:.10g} s-1", ("damping.scheme", "")),
    "dynamics.epssm": ("off_centring", "", None),
}
_DEFAULTS: Mapping[str, Value] = {
    key: default
    for rule in (*DYNAMICS_RULES, *PHYSICS_RULES)
    for key, default in rule.keys.items()
    if not isinstance(default, list)
}
_SIXTH_ORDER = {1: "plain", 2: "monotonic"}
#: What of [diffusion] a nest may have of its own, by its keys.
_DIFFUSION = {
    "scheme": "diffusion",
    "surfaces": "diffusion_surfaces",
    "mix_full_fields": "mix_full_fields",
    "horizontal": "horizontal_viscosity",
    "vertical": "vertical_viscosity",
    "c_s": "c_s",
    "c_k": "c_k",
}


def own_schemes(namelist: Namelist, domain: int, outermost: Mapping[str, Setting]) -> dict[str, Setting]:
    """What a nest, from 2, has otherwise than its parent, by its keys of the run file."""
    own = _cumulus(namelist, domain, outermost) | _gravity_wave_drag(namelist, domain)
    own |= _boundary_layer(namelist, domain, outermost) | _diffusion(namelist, domain)
    for key, (name, told, needed) in _OWN.items():
        value = _other_than_parents(namelist, key, domain)
        if value is None or not _is_on(needed, outermost, own):
            continue
        if key == "physics.cudt" and _number(namelist, "physics.cu_physics", domain) == 0:
            continue  # the nest's own: none
        if key == "physics.radt" and value <= 0:
            continue  # by the spacing of the outermost domain
        if key == "dynamics.dampcoef" and str(outermost.get("damping.scheme")).startswith("diffusion"):
            name, told = "damping_diffusion_number", ""
        own[name] = told.format(value) if told else value
    return own | _sixth_order(namelist, domain)


def parent_of(namelist: Namelist, domain: int) -> int:
    return int(namelist.column("domains.parent_id", domain) or 1)


def inherited(namelist: Namelist, key: str, domain: int) -> Value | None:
    """A column, which where it is not there is that of the domain around it."""
    value = namelist.column(key, domain)
    return (
        value if value is not None or domain == 1 else inherited(namelist, key, parent_of(namelist, domain))
    )


def _number(namelist: Namelist, key: str, domain: int) -> Value | None:
    """A column, for which -1 is what physics_suite names where it is of a scheme; None: absent."""
    return _scheme(namelist, key, namelist.column(key, domain))


def _scheme(namelist: Namelist, key: str, value: Value | None) -> Value | None:
    group, _, name = key.partition(".")
    if value is None or group != "physics" or not name.endswith("_physics"):
        return value
    suite = namelist.column("physics.physics_suite") or "none"
    return scheme_number(int(value), suite, name.removesuffix("_physics"))


def _other_than_parents(namelist: Namelist, key: str, domain: int) -> float | None:
    own, theirs = _own_and_parents(namelist, key, domain)
    return None if own is None or theirs is None or own == theirs else float(own)


def _is_on(
    needed: tuple[str, str] | None, outermost: Mapping[str, Setting], own: Mapping[str, Setting]
) -> bool:
    if needed is None:
        return True
    setting, begins = needed
    told = own.get(setting.split(".")[1], outermost.get(setting))
    return told is not None and str(told).startswith(begins)


def _cumulus(namelist: Namelist, domain: int, outermost: Mapping[str, Setting]) -> dict[str, Setting]:
    """Nothing where the air is dry, which has no cumulus anywhere."""
    own, theirs = _own_and_parents(namelist, "physics.cu_physics", domain)
    dry = outermost.get("physics.microphysics", "none") in ("none", "vapour")
    if dry or own is None or theirs is None:
        return {}
    shallow = int(namelist.column("physics.ishallow", 1) or 0) == 1
    here, there = (cumulus_scheme(int(number), shallow) for number in (own, theirs))
    return {} if here == there else {"cumulus": here}


def _gravity_wave_drag(namelist: Namelist, domain: int) -> dict[str, Setting]:
    own, theirs = _own_and_parents(namelist, "dynamics.gwd_opt", domain)
    if own is None or theirs is None or gravity_wave_drag(int(own)) == gravity_wave_drag(int(theirs)):
        return {}
    return {"gravity_wave_drag": gravity_wave_drag(int(own))}


def _on_surface(outermost: Mapping[str, Setting]) -> bool:
    return outermost.get("physics.surface_layer", "none") != "none"


def _boundary_layer(namelist: Namelist, domain: int, outermost: Mapping[str, Setting]) -> dict[str, Setting]:
    """The surface layer that fluxes come from is that of all domains: without one there is no scheme."""
    numbers = _own_and_parents(namelist, "physics.bl_pbl_physics", domain)
    if None in numbers or not _on_surface(outermost):
        return {}
    own, theirs = (boundary_layer_scheme(int(n), on_surface=True) for n in numbers if n is not None)
    return {} if own == theirs else {"boundary_layer": own}


def _boundary_layer_lost(namelist: Namelist, domain: int, outermost: Mapping[str, Setting]) -> str:
    own, theirs = _own_and_parents(namelist, "physics.bl_pbl_physics", domain)
    if own is None or own == theirs or own == 0:
        return ""
    if not _on_surface(outermost):
        return f"bl_pbl_physics = {own} is not used: the outermost domain has no surface layer scheme"
    return (
        "" if own in (1, 5) else f"it has {boundary_layer_scheme(int(own), True)} for bl_pbl_physics = {own}"
    )


def _mixing(namelist: Namelist, domain: int) -> Outcome:
    """The table [diffusion] of a domain as if it were one of its own; columns that are not there are those
    of the domain around it."""
    values = Values()
    for key, default in DIFFUSION.items():
        told = inherited(namelist, key, domain)
        values[key.split(".")[1]] = default if told is None else told
    return diffusion(values)


def _diffusion(namelist: Namelist, domain: int) -> dict[str, Setting]:
    own, theirs = (_mixing(namelist, n).settings for n in (domain, parent_of(namelist, domain)))
    if own.get("diffusion.scheme", "none") == "none":
        return {} if theirs.get("diffusion.scheme", "none") == "none" else {"diffusion": "none"}
    settings = {
        name: own[f"diffusion.{key}"]
        for key, name in _DIFFUSION.items()
        if own.get(f"diffusion.{key}", False) != theirs.get(f"diffusion.{key}", False)
        and f"diffusion.{key}" in own
    }
    if "diffusion.vertical" in theirs and "diffusion.vertical" not in own:
        settings["vertical_viscosity"] = "0 m2/s"
    if settings.get("mix_full_fields") is False:
        del settings["mix_full_fields"]
    return settings


def _diffusion_lost(namelist: Namelist, domain: int) -> str:
    own, theirs = (_mixing(namelist, n) for n in (domain, parent_of(namelist, domain)))
    if own.lost and own.lost != theirs.lost:
        return own.lost
    full = (of.settings.get("diffusion.mix_full_fields") for of in (own, theirs))
    return "it mixes full fields, as its parent does" if tuple(full) == (False, True) else ""


def _own_and_parents(namelist: Namelist, key: str, domain: int) -> tuple[Value | None, Value | None]:
    """None: the nest's own column is absent; the first domain has WRF's default where it has no other."""
    theirs = inherited(namelist, key, parent_of(namelist, domain))
    return _number(namelist, key, domain), _scheme(
        namelist, key, _DEFAULTS[key] if theirs is None else theirs
    )


def _sixth_order(namelist: Namelist, domain: int) -> dict[str, Setting]:
    """The filter of a domain where it is not its parent's; one that takes nothing is none."""

    def of(number: int) -> tuple[str, float]:
        kind = _SIXTH_ORDER.get(int(namelist.column("dynamics.diff_6th_opt", number) or 0), "none")
        told = namelist.column("dynamics.diff_6th_factor", number)
        factor = 0.12 if told is None else float(told)
        return (kind, factor) if kind != "none" and factor > 0 else ("none", factor)

    parent = parent_of(namelist, domain)
    if namelist.column("dynamics.diff_6th_opt", domain) is None:
        return {}
    (kind, factor), (theirs, their_factor) = of(domain), of(parent)
    settings: dict[str, Setting] = {}
    if kind != theirs:
        settings["sixth_order"] = kind
    if kind != "none" and (factor != their_factor or theirs == "none"):
        settings["sixth_order_factor"] = factor
    return settings


def parents_schemes(namelist: Namelist, domain: int, outermost: Mapping[str, Setting]) -> list[str]:
    """What of a domain, from 2, is its parent's instead, in words."""
    lost = []
    for key in _PARENTS:
        own, theirs = _own_and_parents(namelist, key, domain)
        if own is not None and theirs is not None and own != theirs:
            lost.append(f"it uses its parent's {key.split('.')[1]} = {theirs}, not {own}")
    for told in (_boundary_layer_lost(namelist, domain, outermost), _diffusion_lost(namelist, domain)):
        lost += [told] if told else []
    own, theirs = _own_and_parents(namelist, "physics.cu_physics", domain)
    if own is not None and own != theirs and (told := cumulus_lost(int(own))):
        lost.append(told)
    own, theirs = _own_and_parents(namelist, "dynamics.gwd_opt", domain)
    if own is not None and own != theirs and (told := gravity_wave_drag_lost(int(own))):
        lost.append(told)
    if nudged := int(namelist.column("fdda.grid_fdda", domain) or 0):
        lost.append(f"it follows its parent and is not nudged (grid_fdda = {nudged})")
    fire = int(namelist.column("fire.ifire", domain) or 0)
    if fire and outermost.get("fire.nest") != f"d{domain:02d}":
        lost.append(
            f"its fire (ifire = {fire}) is left out: a run has one, of ifire = 2, on a domain that does not "
            "move"
        )
    radt, theirs = _own_and_parents(namelist, "physics.radt", domain)
    if radt is not None and theirs is not None and float(radt) <= 0 < float(theirs):
        lost.append(f"it uses its parent's radt = {theirs}, not a value from its grid spacing")
    return lost
