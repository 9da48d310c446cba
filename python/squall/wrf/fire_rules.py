"""Rules for a fire on the ground, ifire = 2, and for the tracers of tracer_opt."""

from collections.abc import Iterator

from squall.wrf.namelist import Value
from squall.wrf.rules import Outcome, Rule, Setting, Values
from squall.wrf.schemes import FLUXES, has_fluxes

#: WRF knows so many ignitions.
_LINES = range(1, 6)
_UPWINDING = {
    1: "upwind", 2: "godunov", 3: "eno", 5: "central", 6: "weno3", 7: "weno5", 8: "weno3-front",
    9: "weno5-front",
}  # fmt: skip
_REINITIALISATION = {1: "weno3", 2: "weno5", 3: "weno3-front"}
_FUEL = {0: "category", 1: "altitude", -1: "file", 2: "file"}
#: Roughness of ground without land use in WRF [m].
_BARE = 0.1


def _lines(v: Values) -> Iterator[tuple[int, dict[str, Setting]]]:
    """The ignitions by number, those that have a radius; WRF takes a coordinate or time of 0 at a line's end
    for that of its start."""
    plane = bool(v.number("fire_ignition_start_x1") or v.number("fire_ignition_start_y1"))
    keys, unit = (("x", "y"), "m") if plane else (("lat", "lon"), "degrees")
    for n in _LINES:
        if n > v.whole("fire_num_ignitions") or v.number(f"fire_ignition_radius{n}") <= 0:
            continue
        start = [_at(v, f"start_{key}", n) for key in keys]
        end = [_at(v, f"end_{key}", n) or begin for key, begin in zip(keys, start, strict=True)]
        begins = _at(v, "start_time", n)
        settings: dict[str, Setting] = {
            "start": [f"{x:.10g} {unit}" for x in start],
            "radius": f"{v.number(f'fire_ignition_radius{n}'):.10g} m",
            "rate": f"{v.number(f'fire_ignition_ros{n}'):.10g} m/s",
        }
        if end != start:
            settings["end"] = [f"{x:.10g} {unit}" for x in end]
        if begins > 0:
            settings["start_time"] = f"{begins:.10g} s"
        if (ends := _at(v, "end_time", n) or begins) != begins:
            settings["end_time"] = f"{ends:.10g} s"
        yield n, settings


#: Names that WRF 3.2 had for keys of its own, which some namelists still have.
_OLD = {"start_lon": "start_long", "end_lon": "end_long", "start_time": "time"}


def _at(v: Values, key: str, line: int) -> float:
    told = v.number(f"fire_ignition_{key}{line}")
    return told or (v.number(f"fire_ignition_{_OLD[key]}{line}") if key in _OLD else 0.0)


def _ignitions(v: Values) -> Outcome:
    if v.whole("ifire") != 2:
        return Outcome()
    settings: dict[str, Setting] = {}
    lost = []
    for n, line in _lines(v):
        start = line["start"]
        if isinstance(start, list) and any(str(x).startswith("0 ") for x in start):
            lost.append(f"ignition {n} has no place: fire_ignition_start_* of {n} is missing")
            continue
        settings |= {f"ignition.line{n}.{key}": value for key, value in line.items()}
    return Outcome(settings, "; ".join(lost))


def _moisture(v: Values) -> tuple[dict[str, Setting], str]:
    read = v.whole("fire_fmc_read")
    runs, interpolates = v.flag("fmoist_run"), v.flag("fmoist_interp")
    if runs and interpolates and read == 0:
        steps = v.whole("fmoist_freq")
        step = v.number("time_step") + v.number("time_step_fract_num") / v.number("time_step_fract_den")
        interval = steps * step if steps > 0 else v.number("fmoist_dt")
        return {"fire.moisture": "model", "fire.moisture_interval": f"{interval:.10g} s"}, ""
    lost = ""
    if interpolates:
        lost = "the fuel has the moisture FMC_G of the initial file, not its classes FMC_GC"
    if read in (0, 2):
        return {"fire.moisture": "file"}, lost
    return {}, lost


#: What has no counterpart where it is not so.
_ONLY: dict[str, tuple[Value, str]] = {
    "fire_sfc_flx": (0, "heat goes into the air exponentially with height"),
    "fire_lsm_zcoupling": (False, "the fire's wind is interpolated to fire_wind_height"),
    "fire_upwind_split": (0, "the front moves by one rate, not by advection beside it"),
    "fire_is_real_perim": (False, "no observed perimeter is read: name ignitions"),
    "fire_fuel_left_method": (1, "fuel burns as with fire_fuel_left_method = 1"),
    "fs_firebrand_gen_lim": (0, "there are no firebrands"),
    "fmoist_only": (False, "the fire burns all the same"),
    "fire_test_steps": (0, "the run does not end after the first call"),
}


def _fire(v: Values) -> Outcome:
    if v.whole("ifire") == 0:
        return Outcome()
    if v.whole("ifire") != 2:
        return Outcome(lost="the only fire model is that of ifire = 2")
    if v.whole("sr_x") <= 0 or v.whole("sr_y") <= 0:
        return Outcome(lost="sr_x and sr_y are not set: there is no grid for the fire")
    settings: dict[str, Setting] = {
        "fire.refinement_x": v.whole("sr_x"),
        "fire.fuel": _FUEL.get(v.whole("fire_fuel_read"), "file"),
        "fire.wind_height": f"{v.number('fire_wind_height'):.10g} m",
        "fire.wind_projection": "rate" if v.whole("fire_advection") else "wind",
        "fire.slope_factor": v.number("fire_slope_factor"),
        "fire.upwinding": _UPWINDING.get(v.whole("fire_upwinding"), "godunov"),
        "fire.reinitialisation": _REINITIALISATION.get(v.whole("fire_upwinding_reinit"), "weno5-front"),
        "fire.reinitialisation_steps": v.whole("fire_lsm_reinit_iter") if v.flag("fire_lsm_reinit") else 0,
        "fire.front_cells": v.whole("fire_lsm_band_ngp"),
        "fire.viscosity": v.number("fire_viscosity"),
        "fire.front_viscosity": v.number("fire_viscosity_bg"),
        "fire.front_viscosity_cells": v.whole("fire_viscosity_ngp"),
        "fire.viscosity_transition": v.number("fire_viscosity_band"),
        "fire.edge_bias": v.number("fire_lfn_ext_up"),
        "fire.extinction_depth": f"{v.number('fire_ext_grnd'):.10g} m",
        "fire.feedback": v.number("fire_atm_feedback"),
        "fire.boundary_guard": max(v.whole("fire_boundary_guard"), 0),
    }
    if v.whole("sr_y") != v.whole("sr_x"):
        settings["fire.refinement_y"] = v.whole("sr_y")
    if settings["fire.fuel"] == "category":
        settings["fire.fuel_category"] = v.whole("fire_fuel_cat")
    if not has_fluxes(v) or not (v.flag("specified") or v.flag("sfc_full_init")):
        settings["fire.roughness"] = f"{_BARE} m"
    moisture, *lost = _moisture(v)
    lost += [meaning for key, (harmless, meaning) in _ONLY.items() if v[key] != harmless]
    if v.whole("fire_upwinding") not in _UPWINDING:
        lost.append("the slope of the level set is Godunov's")
    if v.number("fire_const_time") > 0:
        lost.append("the fire is not held at fire_const_time")
    return Outcome(settings | moisture, "; ".join(filter(None, lost)))


def _tracers(v: Values) -> Outcome:
    option = v.whole("tracer_opt")
    if option in (1, 2):  # what WRF without chemistry does with them: it carries them
        return Outcome({f"tracer.tr17_{n}.convective_mixing": False for n in range(1, 9)})
    if option == 3 and v.whole("ifire") == 2:
        lost = "smoke goes into the lowest layer" if v.whole("fire_smk_scheme") else ""
        return Outcome({"tracer.fire_smoke.smoke": v.number("fire_tracer_smoke")}, lost)
    if option == 3:
        return Outcome({"tracer.fire_smoke.convective_mixing": False})
    return Outcome(lost=f"the tracers of option {option} are left out" if option else "")


_FIRE: dict[str, Value] = {
    "domains.sr_x": 0, "domains.sr_y": 0, "fire.fire_fuel_read": -1, "fire.fire_fuel_cat": 1,
    "fire.fire_fmc_read": 1, "fire.fmoist_run": False, "fire.fmoist_interp": False, "fire.fmoist_only": False,
    "fire.fmoist_freq": 0, "fire.fmoist_dt": 600.0, "fire.fire_wind_height": 6.096, "fire.fire_advection": 1,
    "fire.fire_slope_factor": 1.0, "fire.fire_upwinding": 9, "fire.fire_upwind_split": 0,
    "fire.fire_viscosity": 0.4, "fire.fire_viscosity_bg": 0.4, "fire.fire_viscosity_ngp": 2,
    "fire.fire_viscosity_band": 0.5, "fire.fire_lsm_reinit": True, "fire.fire_lsm_reinit_iter": 1,
    "fire.fire_upwinding_reinit": 4, "fire.fire_lsm_band_ngp": 4, "fire.fire_lsm_zcoupling": False,
    "fire.fire_lfn_ext_up": 1.0, "fire.fire_ext_grnd": 50.0, "fire.fire_atm_feedback": 1.0,
    "fire.fire_boundary_guard": 8, "fire.fire_sfc_flx": 0, "fire.fire_is_real_perim": False,
    "fire.fire_const_time": -1.0, "fire.fire_test_steps": 0, "fire.fire_fuel_left_method": 1,
    "fire.fs_firebrand_gen_lim": 0, "fire.sfc_full_init": False, "bdy_control.specified": False,
}  # fmt: skip
_STEP: dict[str, Value] = {
    "domains.time_step": -1, "domains.time_step_fract_num": 0, "domains.time_step_fract_den": 1,
}  # fmt: skip


def _line_keys() -> dict[str, Value]:
    keys: dict[str, Value] = {}
    for n in _LINES:
        for end in ("start", "end"):
            for key in ("x", "y", "lon", "lat", "long"):
                keys[f"fire.fire_ignition_{end}_{key}{n}"] = 0.0
            keys[f"fire.fire_ignition_{end}_time{n}"] = 0.0
        keys |= {
            f"fire.fire_ignition_time{n}": 0.0,
            f"fire.fire_ignition_radius{n}": 0.0,
            f"fire.fire_ignition_ros{n}": 0.01,
        }
    return keys


FIRE = Rule(
    {"fire.ifire": 0, **_FIRE, **_STEP, **FLUXES},
    "`[fire]`: 2; `nest`: the domain; `refinement_x`, `refinement_y`: sr_x, sr_y; `fuel`, `fuel_category`; "
    "`moisture`, `moisture_interval`; `wind_height`, `wind_projection`, `slope_factor`; `upwinding` and what "
    "else the level set takes; `extinction_depth`, `feedback`, `boundary_guard`",
    _fire,
    "one domain burns, the innermost that is to and does not move; of `namelist.fire` the moisture of the "
    "ground is `fuel_moisture`, and other fuels than Anderson's are told; 1 is not supported",
)
#: Of the columns of the domain that burns.
FIRE_RULES = [
    FIRE,
    Rule(
        {"fire.ifire": 0, "fire.fire_num_ignitions": 0, **_line_keys()},
        "`[ignition.line1]` to `line5`",
        _ignitions,
        "names of WRF 3.2, such as fire_ignition_start_long2, count where those of WRF 4 are missing",
    ),
    Rule(
        {
            "fire.fire_print_msg": 0, "fire.fire_print_file": 0, "fire.fire_ign_time": 0.0,
            "fire.fire_shape": 0, "fire.fire_sprd_mdl": 1, "fire.fire_crwn_hgt": 15.0,
            "fire.fire_ext_crwn": 50.0, "fire.fire_fuel_left_irl": 2, "fire.fire_fuel_left_jrl": 2,
            "fire.fire_grows_only": 1, "fire.fire_const_grnhfx": 0.0, "fire.fire_const_grnqfx": 0.0,
        },
        "none",
        lambda v: Outcome(),
        "messages, what WRF 4.7.1 does not use, and what can have no other value; without fire_const_time "
        "the constant fluxes are not used either",
    ),
    Rule(
        {
            "dynamics.tracer_opt": 0, "fire.ifire": 0, "fire.fire_tracer_smoke": 0.02,
            "fire.fire_smk_scheme": 0,
        },
        "`[tracer.tr17_1]` to `tr17_8`: 1 and 2, from the initial file; `[tracer.fire_smoke]`, `smoke`: 3",
        _tracers,
        "in kg/kg, where WRF has g/kg; WRF 4.7.1 gives off smoke in the first column of each patch alone",
    ),
]  # fmt: skip
