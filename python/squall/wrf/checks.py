"""Checks a namelist for values that WRF would reject: texts for numbers, domains without extent, nests inside
themselves. Messages name file, line, key and value."""

import re
from collections.abc import Iterator, Mapping

from squall.errors import UserError
from squall.wrf.fortran_values import spelled
from squall.wrf.namelist import Namelist, Value

#: Kinds of variables, as WRF's Registry has them, of keys that are in no rule. Those of rules are the kinds
#: of their defaults.
_INTEGERS = re.compile(
    r"domains\.(max_dom|e_we|e_sn|e_vert|grid_id|parent_id|[ij]_parent_start|parent_(grid|time_step)_ratio"
    r"|feedback|smooth_option|num_moves|move_id|move_interval|move_cd_[xy]|vortex_interval|max_vortex_speed"
    r"|corral_dist|track_level|vert_refine_method|interp_method_type|blend_width)"
    r"|time_control\.((start|end)_(year|month|day|hour|minute|second)|fine_input_stream"
    r"|\w+_(interval|begin|end)(_[dhms])?|io_form_\w+|frames_per_\w+)"
)
_REALS = re.compile(r"domains\.(eta_levels|time_to_move)|diags\.(press|z)_levels")
_LOGICALS = re.compile(r"time_control\.(input_from_file|ignore_iofields_warning)")
_TEXTS = re.compile(r"time_control\.(\w+_(in|out)name|iofields_filename|(start|end)_date)")
_PATTERNS: tuple[tuple[re.Pattern[str], type], ...] = (
    (_INTEGERS, int), (_REALS, float), (_LOGICALS, bool), (_TEXTS, str),
)  # fmt: skip
_WORDS = {
    int: "a whole number", float: "a number", bool: ".true. or .false.", str: "a text in quotes",
}  # fmt: skip
#: Domains have two digits in the names of files.
_MOST_DOMAINS = 99
#: The least that WRF takes of each domain, and of each nest.
_LEAST = {"e_we": 2, "e_sn": 2, "e_vert": 2}
_LEAST_OF_NEST = {
    "parent_grid_ratio": 1,
    "parent_time_step_ratio": 1,
    "i_parent_start": 1,
    "j_parent_start": 1,
}


def check(namelist: Namelist, defaults: Mapping[str, Value | list[float]]) -> None:
    """Raises UserError for the first thing that is wrong. `defaults`: those of WRF, by "group.key"."""
    for name in namelist.names:
        if (kind := _kind(name, defaults)) is not None:
            _check_kind(namelist, name, kind)
    told = namelist.column("domains.max_dom")
    domains = 1 if told is None else int(told)
    if not 1 <= domains <= _MOST_DOMAINS:
        raise UserError(
            _wrong(
                namelist, "domains.max_dom", domains, f"the number of domains must be 1 to {_MOST_DOMAINS}"
            )
        )
    for name, least, column in _extents(domains):
        value = namelist.column(name, column)
        if value is not None and int(value) < least:
            raise UserError(_wrong(namelist, name, value, f"it must be at least {least}", column))
    _check_spacing(namelist)
    for domain in range(2, domains + 1):
        _check_parents(namelist, domain, domains)


def _kind(name: str, defaults: Mapping[str, Value | list[float]]) -> type | None:
    if name in defaults:
        default = defaults[name]
        return float if isinstance(default, list) else type(default)
    return next((kind for pattern, kind in _PATTERNS if pattern.fullmatch(name)), None)


def _check_kind(namelist: Namelist, name: str, kind: type) -> None:
    for column, value in enumerate(namelist.columns(name), 1):
        if value is not None and not _is(value, kind):
            raise UserError(_wrong(namelist, name, value, f"WRF expects {_WORDS[kind]} here", column))


def _is(value: Value, kind: type) -> bool:
    if kind is int:  # 60. is meant as 60
        return not isinstance(value, bool | str) and value == int(value)
    if kind is float:
        return not isinstance(value, bool | str)
    if kind is bool:
        return isinstance(value, bool) or value in (0, 1)
    return isinstance(value, kind)


def _wrong(namelist: Namelist, name: str, value: Value, why: str, column: int = 1) -> str:
    of = "" if column == 1 else f"({column})"
    return f"{namelist.where(name)}{of} = {spelled(value)}: {why}."


def _extents(domains: int) -> Iterator[tuple[str, int, int]]:
    """Name, least value and column of what must not be less."""
    for domain in range(1, domains + 1):
        for key, least in (_LEAST if domain == 1 else _LEAST | _LEAST_OF_NEST).items():
            yield f"domains.{key}", least, domain
    yield "domains.time_step_fract_num", 0, 1
    yield "domains.time_step_fract_den", 1, 1


def _check_spacing(namelist: Namelist) -> None:
    """Above 0; of nests it is their parents' over the ratio, whatever their columns say."""
    for name in ("domains.dx", "domains.dy"):
        spacing = namelist.column(name)
        if spacing is not None and float(spacing) <= 0:
            raise UserError(_wrong(namelist, name, spacing, "grid spacing must be above 0 m"))
    adaptive = namelist.column("domains.use_adaptive_time_step") in (True, 1)
    step = namelist.column("domains.time_step")
    if step is not None and int(step) < -1 and not adaptive:  # -1: WRF's default, as if it were not given
        raise UserError(_wrong(namelist, "domains.time_step", step, "a time step must be above 0 s"))


def _check_parents(namelist: Namelist, domain: int, domains: int) -> None:
    """That the domains around a nest lead to the first; WRF runs no nest without a parent."""
    name = "domains.parent_id"
    around = [domain]
    while around[-1] > 1:
        parent = namelist.column(name, around[-1])
        if parent is None:
            return  # which is told as lost
        if not 1 <= int(parent) <= domains:
            why = f"domain {around[-1]} has a parent that is not one of the domains 1 to {domains} of max_dom"
            raise UserError(_wrong(namelist, name, parent, why, around[-1]))
        if int(parent) in around:
            path = " in ".join(f"d{number:02d}" for number in [*around, int(parent)])
            raise UserError(
                _wrong(namelist, name, parent, f"{path} does not lead to the outermost domain", around[-1])
            )
        around.append(int(parent))
