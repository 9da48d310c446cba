"""Rules for the dynamics and the physics."""

from collections.abc import Mapping

from squall.wrf import noah_mp_rules
from squall.wrf.analysis_rules import DIGITAL_FILTER, NUDGING, SEA, SEA_ICE, SEA_SKIN
from squall.wrf.fire_rules import FIRE_RULES
from squall.wrf.microphysics_rules import MICROPHYSICS_RULES
from squall.wrf.mynn_rules import MYNN, mynn_lost, mynn_settings
from squall.wrf.namelist import Value
from squall.wrf.noah_mp_rules import NOAH_MP
from squall.wrf.option_rules import LIMITERS, OPTIONS
from squall.wrf.radiation_rules import RADIATION_RULES
from squall.wrf.rules import Outcome, Rule, Setting, Values, absent, choice, flag, number, off, whole
from squall.wrf.schemes import FLUXES, SUITE, has_fluxes, number_of
from squall.wrf.surface_rules import HEAT_FLUXES, OCEAN, TERRAIN_WIND, only_momentum

_ADVECTION = "WENO advection is not supported: the usual orders are used"
# By the number of the scheme; others stand in for what is not here.
_SURFACE_LAYERS = {1: "revised-mm5", 2: "eta", 5: "mynn", 91: "mm5"}
#: What isftcflx makes of the sea under revised MM5 (1).
_SEAS = {0: "", 1: "-donelan", 2: "-garratt"}
_BOUNDARY_LAYERS = {1: "ysu", 2: "myj", 5: "mynn-edmf", 6: "mynn"}
_LANDS = {1: "slab", 2: "noah", NOAH_MP: "noah-mp"}


def boundary_layer_scheme(number: int, on_surface: bool) -> str:
    """What `physics.boundary_layer` is for WRF's `bl_pbl_physics`, on a surface layer or without."""
    if number == 0:
        return "resolved" if on_surface else "none"
    return _BOUNDARY_LAYERS.get(number, "ysu")


def _boundary_layer(v: Values) -> Outcome:
    mixing, surface = number_of(v, "bl_pbl"), number_of(v, "sf_sfclay")
    if not has_fluxes(v):
        lost = (
            "without a boundary layer scheme or diff_opt = 2 the surface has no fluxes" if surface > 0 else ""
        )
        settings: dict[str, Setting] = {"physics.surface_layer": "none", "physics.boundary_layer": "none"}
        return Outcome(settings, lost)
    others = []
    sea = _SEAS.get(v.whole("isftcflx"), "") if surface == 1 else ""
    if v.whole("isftcflx") != 0 and not sea:
        others.append("drag and exchange over the sea are those of isftcflx = 0")
    if surface not in _SURFACE_LAYERS:
        others.append(f"surface layer {surface} is replaced by revised MM5 (1)")
    if mixing == 6:
        others.append(
            "MYNN is the 2009 version, level 2.5 for 3, without the mass flux and length scales that WRF has "
            "added"
        )
    elif mixing not in (0, *_BOUNDARY_LAYERS):
        others.append(f"boundary layer {mixing} is replaced by YSU (1)")
    settings = {
        "physics.surface_layer": _SURFACE_LAYERS.get(surface, "revised-mm5") + sea,
        "physics.boundary_layer": boundary_layer_scheme(mixing, on_surface=True),
    }
    if mixing == 5:
        settings |= mynn_settings(v)
        others += mynn_lost(v)
    return Outcome(settings, "; ".join(others) + ": near-surface fields will differ" if others else "")


def _land(v: Values) -> Outcome:
    scheme = number_of(v, "sf_surface")
    if scheme == 0 or number_of(v, "sf_sfclay") == 0 or only_momentum(v):  # WRF does not call the land either
        return Outcome({"physics.land": "none"})
    dark = number_of(v, "ra_lw") == 0 and number_of(v, "ra_sw") == 0
    if not has_fluxes(v) or (dark and scheme != 1):
        return Outcome(
            lost="the land surface model needs radiation and surface fluxes, so it is off: the ground "
            "keeps its temperature"
        )
    if scheme in _LANDS:
        return Outcome({"physics.land": _LANDS[scheme]})
    return Outcome(
        {"physics.land": "noah"},
        f"land surface model {scheme} is replaced by Noah (2): soil, vegetation and snow will differ",
    )


def _noah_mp(v: Values) -> Outcome:
    is_on = _land(v).settings.get("physics.land") == _LANDS[NOAH_MP]
    return noah_mp_rules.options(v) if is_on else Outcome()


#: What the land surface hangs on.
_LAND: dict[str, Value] = {
    "physics.sf_surface_physics": -1, "physics.ra_lw_physics": -1, "physics.ra_sw_physics": -1,
    "physics.isfflx": 1, **FLUXES,
}  # fmt: skip


#: WRF's numbers that are not Kain-Fritsch's: Grell and Freitas's (3), and Tiedtke's, old (6) and new (16).
_CUMULUS: Mapping[int, str] = {3: "grell-freitas", 6: "tiedtke-1989", 16: "tiedtke"}


def cumulus_scheme(number: int, shallow: bool) -> str:
    """What `physics.cumulus` is for WRF's `cu_physics`, with `ishallow` or without."""
    name = _CUMULUS.get(number, "kain-fritsch") if number else "none"
    return f"{name}-shallow" if shallow and name == "grell-freitas" else name


def cumulus_lost(number: int) -> str:
    """What that means where it is another scheme than WRF's; empty: it is none."""
    if number in (0, 1, *_CUMULUS):
        return ""
    return f"cumulus scheme {number} is replaced by Kain-Fritsch (1): rain will differ"


def _cumulus(v: Values) -> Outcome:
    scheme = number_of(v, "cu")
    if scheme == 0:
        return Outcome({"physics.cumulus": "none"})
    if number_of(v, "mp") == 0:
        return Outcome(lost="cumulus convection produces cloud water, which needs microphysics: it is off")
    settings: dict[str, Setting] = {"physics.cumulus": cumulus_scheme(scheme, v.whole("ishallow") == 1)}
    if v.number("cudt") > 0:
        settings["physics.cumulus_interval"] = f"{v.number('cudt'):.10g} min"
    return Outcome(settings, cumulus_lost(scheme))


def gravity_wave_drag(number: int) -> str:
    """What `physics.gravity_wave_drag` is for WRF's `gwd_opt`."""
    return "kim-arakawa" if number == 1 else "none"


def gravity_wave_drag_lost(number: int) -> str:
    """What that means where it is another scheme than WRF's; empty: it is none."""
    if number in (0, 1):
        return ""
    return (
        f"gravity-wave drag is off: gwd_opt = {number} needs other orography statistics (VARLS, VARSS, "
        f"...) than gwd_opt = 1"
    )


_SCHEMES = {1: "constant", 2: "tke", 3: "smagorinsky-3d", 4: "smagorinsky-2d"}
_SURFACES = {1: "coordinate", 2: "physical"}


def _vertical(v: Values) -> float:
    """The constant vertical viscosity, which a boundary layer scheme turns off."""
    return v.number("kvdif") if number_of(v, "bl_pbl") == 0 else 0.0


def _coefficients(v: Values, scheme: str, surfaces: int) -> dict[str, Setting]:
    settings: dict[str, Setting] = {}
    if scheme == "constant":
        settings["diffusion.horizontal"] = f"{v.number('khdif'):.10g} m2/s"
    elif scheme == "tke":
        settings["diffusion.c_k"] = v.number("c_k")
    else:
        settings["diffusion.c_s"] = v.number("c_s")
    if scheme == "constant" or (surfaces == 1 and _vertical(v) > 0):
        settings["diffusion.vertical"] = f"{_vertical(v):.10g} m2/s"
    return settings


#: What `diffusion` reads, with WRF's defaults.
DIFFUSION: Mapping[str, Value | list[float]] = {
    "dynamics.diff_opt": -1, "dynamics.km_opt": -1, "dynamics.khdif": 0.0, "dynamics.kvdif": 0.0,
    "dynamics.c_s": 0.25, "dynamics.c_k": 0.15, "dynamics.mix_full_fields": False,
    "dynamics.mix_isotropic": 0, "physics.bl_pbl_physics": -1, **SUITE,
}  # fmt: skip


def diffusion(v: Values) -> Outcome:
    """The table of a domain's mixing."""
    surfaces, scheme = v.whole("diff_opt"), v.whole("km_opt")
    if surfaces == 0 or (scheme == 1 and v.number("khdif") == _vertical(v) == 0):
        return Outcome({"diffusion.scheme": "none"})
    if surfaces not in _SURFACES or scheme not in _SCHEMES or (surfaces == 1 and scheme == 3):
        return Outcome(
            {}, f"diff_opt = {surfaces} with km_opt = {scheme} is not supported: there is no diffusion"
        )
    name, lost = _SCHEMES[scheme], ""
    settings: dict[str, Setting] = {
        "diffusion.scheme": name,
        "diffusion.surfaces": _SURFACES[surfaces],
        "diffusion.prandtl": 1 / 3,
    }
    settings |= _coefficients(v, name, surfaces)
    if surfaces == 2:
        settings["diffusion.mix_full_fields"] = v.flag("mix_full_fields")
    if surfaces == 2 and scheme in (2, 3) and v.whole("mix_isotropic") == 1:
        lost = "horizontal and vertical mixing lengths differ"
    return Outcome(settings, lost)


_SIXTH_ORDER = {1: "plain", 2: "monotonic"}


def _sixth_order(v: Values) -> Outcome:
    kind, factor = _SIXTH_ORDER.get(v.whole("diff_6th_opt")), v.number("diff_6th_factor")
    if kind is None or factor == 0:
        return Outcome({"diffusion.sixth_order": "none"})
    return Outcome({"diffusion.sixth_order": kind, "diffusion.sixth_order_factor": factor})


def _coriolis(v: Values) -> Outcome:
    kind = "file-departure" if v.flag("pert_coriolis") else "file"
    return Outcome({"dynamics.coriolis": kind if v.flag("do_coriolis") else "none"})


def _prescribed(key: str, meaning: str, *isfflx: int) -> Rule:
    """Of what the surface gives off under the values `isfflx`. WRF reads it only where it mixes vertically in
    physical space."""

    def apply(v: Values) -> Outcome:
        read = v.whole("isfflx") in isfflx and v.whole("diff_opt") == 2 and number_of(v, "bl_pbl") <= 0
        return Outcome(lost=meaning if read and v.number(key) != 0 else "")

    reads: dict[str, Value | list[float]] = {
        f"dynamics.{key}": 0.0, "physics.isfflx": 1, "dynamics.diff_opt": -1, "physics.bl_pbl_physics": -1,
        **SUITE,
    }  # fmt: skip
    others = "no effect but with diff_opt = 2, without a boundary layer scheme, and isfflx = "
    return Rule(reads, "none", apply, f"{meaning}; {others}{' or '.join(map(str, isfflx))}")


_DAMPING = {1: "diffusion", 2: "rayleigh", 3: "implicit-w"}


def _damping(v: Values) -> Outcome:
    scheme, depth, coefficient = v.whole("damp_opt"), v.number("zdamp"), v.number("dampcoef")
    if scheme not in _DAMPING or depth == 0 or coefficient == 0:
        return Outcome({"damping.scheme": "none"})
    return Outcome(
        {
            "damping.scheme": _DAMPING[scheme],
            "damping.depth": f"{depth:.10g} m",
            **(
                {"damping.diffusion_number": coefficient}
                if scheme == 1
                else {"damping.coefficient": f"{coefficient:.10g} s-1"}
            ),
        }
    )


DYNAMICS_RULES = [
    whole("dynamics.h_mom_adv_order", 5, "dynamics.momentum_order_horizontal"),
    whole("dynamics.v_mom_adv_order", 3, "dynamics.momentum_order_vertical"),
    whole("dynamics.h_sca_adv_order", 5, "dynamics.scalar_order_horizontal"),
    whole("dynamics.v_sca_adv_order", 3, "dynamics.scalar_order_vertical"),
    number("dynamics.smdiv", 0.1, "dynamics.divergence_damping"),
    number("dynamics.emdiv", 0.01, "dynamics.external_mode_filter"),
    number("dynamics.epssm", 0.1, "dynamics.off_centring"),
    flag("dynamics.top_lid", False, "dynamics.top_lid"),
    flag("dynamics.w_damping", 0, "dynamics.w_damping"),
    flag("dynamics.use_theta_m", 1, "dynamics.moist_theta"),
    Rule(
        {"domains.hypsometric_opt": 2, "bdy_control.specified": False},
        "`dynamics.hypsometric`: 1 for real cases",
        lambda v: Outcome({"dynamics.hypsometric": 1})
        if v.whole("hypsometric_opt") == 1 and v.flag("specified")
        else Outcome(),
        "otherwise taken from PHB of the initial file; WRF always runs idealised cases with 1",
    ),
    Rule(
        {"dynamics.use_input_w": False},
        '`initial.vertical_wind`: true: `"file"`',
        lambda v: Outcome({"initial.vertical_wind": "file"}) if v.flag("use_input_w") else Outcome(),
    ),
    Rule(
        {"dynamics.do_coriolis": True, "dynamics.pert_coriolis": False},
        '`dynamics.coriolis`: true: `"file"`, with pert_coriolis `"file-departure"`, false: `"none"`',
        _coriolis,
    ),
    choice(
        "dynamics.moist_adv_opt", 1, "dynamics.limiter",
        {0: "none", 1: "positive-definite", 2: "monotonic"}, ("positive-definite", _ADVECTION),
    ),
    LIMITERS,
    Rule(
        DIFFUSION,
        '`diffusion.surfaces`: diff_opt 1: `"coordinate"`, 2: `"physical"`; `diffusion.scheme`: km_opt '
        '1: `"constant"`, 2: `"tke"`, 3: `"smagorinsky-3d"`, 4: `"smagorinsky-2d"`; `horizontal`, '
        "`vertical` without a boundary layer scheme, `c_s`, `c_k`, `mix_full_fields`; `prandtl` is 1/3",
        diffusion, "diff_opt 0: none; others, and km_opt 3 with diff_opt 1, have no counterpart",
    ),
    Rule(
        {"dynamics.damp_opt": 3, "dynamics.zdamp": 5000.0, "dynamics.dampcoef": 0.2},
        '`damping.scheme`: 0: `"none"`, 1: `"diffusion"`, 2: `"rayleigh"`, 3: `"implicit-w"`; `depth`, '
        "`coefficient`, of 1 `diffusion_number`",
        _damping,
    ),
    Rule(
        {"dynamics.diff_6th_opt": 0, "dynamics.diff_6th_factor": 0.12},
        '`diffusion.sixth_order`: 0: `"none"`, 1: `"plain"`, 2: `"monotonic"`; `sixth_order_factor`',
        _sixth_order,
    ),
    off("dynamics.diff_6th_slopeopt", 0, "the sixth-order filter is not reduced over slopes"),
    absent({"dynamics.do_curvature": True}, lambda v: v.flag("do_curvature"), "curvature terms are always "
    "included"),
    absent({"dynamics.non_hydrostatic": True}, lambda v: v.flag("non_hydrostatic"),
           "the equations are nonhydrostatic"),
    absent({"dynamics.rk_ord": 3}, lambda v: v.whole("rk_ord") == 3, "the Runge-Kutta scheme is of third "
    "order"),
    absent({"dynamics.phi_adv_z": 1}, lambda v: v.whole("phi_adv_z") == 1,
           "geopotential is advected as with phi_adv_z = 1"),
    absent({"dynamics.momentum_adv_opt": 1}, lambda v: v.whole("momentum_adv_opt") == 1,
           _ADVECTION),
    off("dynamics.zadvect_implicit", 0, "vertical advection is explicit: a shorter time step may be needed"),
    Rule(
        {"dynamics.gwd_opt": 0},
        '`physics.gravity_wave_drag`: 0: `"none"`, 1: `"kim-arakawa"`',
        lambda v: Outcome(
            {"physics.gravity_wave_drag": gravity_wave_drag(v.whole("gwd_opt"))},
            gravity_wave_drag_lost(v.whole("gwd_opt")),
        ),
        "3 has no counterpart: it uses other orography statistics",
    ),
    _prescribed("tke_heat_flux", "a prescribed heat flux is not supported", 0, 2),
    _prescribed("tke_drag_coefficient", "a prescribed drag is not supported", 0),
]  # fmt: skip

PHYSICS_RULES = [
    *MICROPHYSICS_RULES,
    Rule(
        {**FLUXES, "physics.isftcflx": 0, **MYNN},
        '`physics.surface_layer`: 1: `"revised-mm5"`, with isftcflx 1 `"revised-mm5-donelan"`, 2 '
        '`"revised-mm5-garratt"`, 2: `"eta"`, 5: `"mynn"`, 91: `"mm5"`; `physics.boundary_layer`: 0: '
        '`"none"`, with diff_opt 2 on a surface layer `"resolved"`, 1: `"ysu"`, 2: `"myj"`, 5: '
        '`"mynn-edmf"`, with bl_mynn_mixlength 2 `"mynn-edmf-blended"`, with bl_mynn_tkeadvect '
        '`"mynn-edmf-advected"`, 6: `"mynn"` as published; `eddy_variance`: bl_mynn_closure 2.5, 2.6; '
        '`plume_turbulence`: bl_mynn_edmf_tke',
        _boundary_layer,
        "all others are replaced by these, and other bl_mynn options by WRF's defaults",
    ),
    *RADIATION_RULES,
    Rule(
        {
            "physics.cu_physics": -1, "physics.ishallow": 0, "physics.cudt": 0.0, "physics.mp_physics": -1,
            **SUITE,
        },
        '`physics.cumulus`: 0: `"none"`, 1: `"kain-fritsch"`, 3: `"grell-freitas"`, with ishallow '
        '`"grell-freitas-shallow"`, 6: `"tiedtke-1989"`, 16: `"tiedtke"`; `cumulus_interval`: cudt',
        _cumulus, "all others are replaced by `kain-fritsch`",
    ),
    off("physics.shcu_physics", 0, "shallow cumulus schemes are not supported"),
    off("physics.clos_choice", 0, "Grell and Freitas's scheme has the mean of all closures"),
    Rule(
        _LAND,
        '`physics.land`: 0: `"none"`, 1: `"slab"`, 2: `"noah"`, 4: `"noah-mp"`',
        _land, "all others are replaced by `noah`; needs surface fluxes and, but for 1, radiation",
    ),
    Rule(
        {**noah_mp_rules.KEYS, **_LAND},
        noah_mp_rules.HERE, _noah_mp,
        "of the other options of Noah-MP (4) there is WRF's default; what differs is told",
    ),
    off("physics.sf_urban_physics", 0, "there is no urban scheme"),
    off("physics.sf_lake_physics", 0, "there is no lake model"),
    OCEAN,
    TERRAIN_WIND,
    HEAT_FLUXES,
    SEA_ICE,
    SEA,
    SEA_SKIN,
    off("physics.no_mp_heating", 0, "latent heat of microphysics is always included"),
    NUDGING,
    off("fdda.obs_nudge_opt", 0, "observation nudging is not supported"),
    DIGITAL_FILTER,
    off("stoch.skebs", 0, "stochastic perturbations are not supported"),
    off("stoch.sppt", 0, "stochastic perturbations are not supported"),
    *FIRE_RULES,
    *OPTIONS,
]  # fmt: skip
