"""Translates a namelist by the rules, and sorts the results."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from squall.run_files.run_file import toml
from squall.run_files.schema import Schema
from squall.wrf import nest_fire
from squall.wrf.checks import check
from squall.wrf.fire_rules import FIRE, FIRE_RULES
from squall.wrf.fortran_values import spelled
from squall.wrf.namelist import Namelist, Value
from squall.wrf.nest_rules import nests
from squall.wrf.nest_streams import nest_streams, of_domain
from squall.wrf.rules import Rule, Setting, Values
from squall.wrf.run_rules import RUN_RULES
from squall.wrf.stream_rules import STREAM_RULES
from squall.wrf.weather_rules import DYNAMICS_RULES, PHYSICS_RULES

RULES = [*RUN_RULES, *STREAM_RULES, *DYNAMICS_RULES, *PHYSICS_RULES]

# Keys that list numbers rather than have a column for each domain.
LISTS = ("diags.press_levels", "diags.z_levels")

# What other programs read, what the initial file has brought about already, and what is about nests.
BROUGHT = {
    "domains": ["e_we", "e_sn", "e_vert", "s_we", "s_sn", "s_vert", "eta_levels", "p_top_requested", "ztop",
                "num_metgrid_levels", "num_metgrid_soil_levels", "auto_levels_opt", "interp_type",
                "lagrange_order", "grid_id", "parent_id", "i_parent_start", "j_parent_start",
                "parent_grid_ratio", "parent_time_step_ratio", "feedback", "smooth_option", "max_dom",
                "sfcp_to_sfcp", "smooth_cg_topo", "use_surface", "rh2qv_wrt_liquid", "max_dz", "dzbot",
                "dzstretch_s", "dzstretch_u", "extrap_type", "lowest_lev_from_sfc", "zap_close_levels",
                "num_moves", "move_id", "move_interval", "move_cd_x", "move_cd_y", "vortex_interval",
                "max_vortex_speed", "corral_dist", "track_level", "time_to_move", "vert_refine_method",
                "vert_refine_fact", "interp_method_type", "blend_width"],
    "dynamics": ["hybrid_opt", "etac", "base_temp", "base_pres", "base_lapse", "iso_temp", "base_pres_strat",
                 "base_lapse_strat", "use_baseparam_fr_nml"],
    "time_control": ["interval_seconds", "input_from_file", "fine_input_stream", "io_form_input",
                     "io_form_boundary", "julyr", "julday", "gmt", "force_use_old_data",
                     "auxinput4_interval", "io_form_auxinput4"],
    "physics": ["num_land_cat", "num_soil_layers", "num_soil_cat", "surface_input_source"],
    "fdda": ["gfdda_interval_m", "io_form_gfdda"],
    "bdy_control": ["spec_bdy_width", "nested", "real_data_init_type"],
    "fire": ["fire_mountain_type", "fire_mountain_height", "fire_mountain_start_x", "fire_mountain_start_y",
             "fire_mountain_end_x", "fire_mountain_end_y", "fire_topo_from_atm", "fire_lat_init",
             "fire_lon_init", "stretch_grd", "stretch_hyp", "z_grd_scale", "delt_perturbation",
             "xrad_perturbation", "yrad_perturbation", "zrad_perturbation", "hght_perturbation",
             "sfc_lu_index", "sfc_tsk", "sfc_tmn", "sfc_vegfra", "sfc_canwat", "sfc_ivgtyp",
             "sfc_isltyp", "fire_read_lu", "fire_read_tsk", "fire_read_tmn", "fire_read_atm_ht",
             "fire_read_fire_ht", "fire_read_atm_grad", "fire_read_fire_grad"],
}  # fmt: skip


# A date has twelve keys: its year tells.
DATE_PARTS = ("_month", "_day", "_hour", "_minute", "_second")


#: What a loss changes, by the group of its first key: the forecast everywhere, how it is computed, or what is
#: written of it.
HARM = {"time_control.restart": 0, "time_control": 2, "diags": 2, "namelist_quilt": 2, "domains": 1}


@dataclass(frozen=True)
class Entry:
    """The result of a rule: its keys as in the namelist ("epssm = 0.5"), the resulting settings, and what has
    no counterpart. `absent`: the namelist has none of the keys, so WRF's defaults apply."""

    wrf: str
    settings: Mapping[str, Setting]
    lost: str
    absent: bool
    harm: int = 0  #: of what is lost, by HARM: the worst is 0
    note: str = ""  #: as Outcome has it
    key: str = ""  #: the first of its rule, "bl_pbl_physics"; "": of a nest


@dataclass
class Translation:
    """The translated, unchanged and lost settings, those contained in the initial file, and unknown keys."""

    translated: list[Entry] = field(default_factory=list)
    same: list[Entry] = field(default_factory=list)
    lost: list[Entry] = field(default_factory=list)
    brought: list[str] = field(default_factory=list)
    unknown: dict[str, list[str]] = field(default_factory=dict)  # keys by group
    differing: list[str] = field(default_factory=list)  # what input files say otherwise
    unread: list[str] = field(default_factory=list)  # text that counts for nothing, as in WRF

    def settings(self) -> dict[str, tuple[Setting, Entry]]:
        """Every setting that differs from Squall's default, with its origin."""
        entries = (*self.translated, *self.lost)
        return {key: (value, entry) for entry in entries for key, value in entry.settings.items()}


def translate(namelist: Namelist, schema: Schema) -> Translation:
    """Translates the first domain and its nests. Raises UserError if there is nothing to run, and for values
    that WRF would reject."""
    check(namelist, {key: default for rule in RULES for key, default in rule.keys.items()})
    result = Translation(unread=namelist.unread)
    known: set[str] = {f"{group}.{key}" for group, keys in BROUGHT.items() for key in keys}
    result.brought = [name for name in namelist.names if name in known]
    burning = nest_fire.burning(namelist)
    for rule in RULES:
        known.update(rule.keys)
        _sort(result, namelist, rule, schema, burning if rule in FIRE_RULES else 1)
    outermost = {key: value for key, (value, _) in result.settings().items()}
    for nest in nests(namelist, outermost):
        entry = Entry(nest.wrf, nest.settings, nest.lost, absent=False)
        (result.lost if nest.lost else result.translated).append(entry)
    for own in nest_streams(namelist):
        entry = Entry(own.wrf, own.settings, own.lost, absent=False, harm=HARM["time_control"])
        (result.lost if own.lost else result.translated).append(entry)
    result.lost.sort(key=lambda entry: (entry.harm, bool(entry.settings)))
    for name in namelist.names:
        if name not in known:
            group, key = name.split(".")
            result.unknown.setdefault(group, []).append(key)
    return result


def _sort(result: Translation, namelist: Namelist, rule: Rule, schema: Schema, domain: int) -> None:
    """`domain`: whose columns count, of a fire's rules."""

    def value(name: str) -> Value | list[float] | None:
        if name in LISTS:
            return namelist.numbers(name)
        return namelist.column(name) if domain == 1 else nest_fire.value(namelist, name, domain)

    values = {name: value(name) for name in rule.keys}
    given = {name: value for name, value in values.items() if value is not None}
    outcome = rule.apply(Values({name.split(".")[1]: given.get(name, rule.keys[name]) for name in rule.keys}))
    if domain > 1 and rule is FIRE:
        outcome = nest_fire.on_nest(namelist, outcome, domain)
    settings = {key: of_domain(value, 1) for key, value in outcome.settings.items()}
    telling = {key: value for key, value in settings.items() if not is_default(key, value, schema)}
    first = next(iter(rule.keys))
    harm = HARM.get(first, HARM.get(first.split(".")[0], 0))
    entry = Entry(
        _told(given, rule), telling, outcome.lost, absent=not given, harm=harm,
        note=outcome.note, key=first.split(".")[1],
    )  # fmt: skip
    if outcome.lost:
        result.lost.append(entry)
    elif telling:
        result.translated.append(entry)
    elif given:
        result.same.append(entry)


def is_default(path: str, value: Setting, schema: Schema) -> bool:
    """Whether a setting equals the model's default."""
    table, key = path.rsplit(".", 1)
    if table.startswith("tracer."):  # whose table is there to have the tracer
        return False
    default = schema.table(table).keys[key].default
    if default is None:
        return False
    if isinstance(value, bool | str):
        return toml(value) == default
    return not isinstance(value, list | dict) and float(value) == float(default)


def _told(given: Mapping[str, Value | list[float]], rule: Rule) -> str:
    """The keys that differ from WRF's defaults; all keys if none does."""
    values = {name: value for name, value in given.items() if value != rule.keys[name]} or given or rule.keys
    values = {name: value for name, value in values.items() if not name.endswith(DATE_PARTS)}
    return ", ".join(f"{name.split('.')[1]} = {spelled(value)}" for name, value in values.items())
