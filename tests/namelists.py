"""WRF namelists for tests, and what becomes of them; without squall-model, what imports this is skipped."""

import pytest

from squall.errors import UserError
from squall.run_files import schema
from squall.wrf.namelist import Namelist, columns_of
from squall.wrf.translate import translate

try:
    SCHEMA = schema.load()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

MINIMAL = {
    "time_control": {"run_hours": 6, "history_interval": 60},
    "domains": {"time_step": 60, "dx": 12000, "dy": 12000},
    "dynamics": {"diff_opt": 1, "km_opt": 4, "damp_opt": 0},
    "physics": {"mp_physics": 6},
    "bdy_control": {"specified": True},
}

# Parts that several tests put together.
STARTED = {"start_year": 2020, "start_month": 2, "start_day": 28, "start_hour": 12}
# An hour back from there, and half an hour forward.
FILTERED = {
    f"dfi_{which}_{part}": number
    for which, clock in (("bckstop", (11, 0)), ("fwdstop", (12, 30)))
    for part, number in zip(("year", "month", "day", "hour", "minute"), (2020, 2, 28, *clock), strict=True)
}
NOAH = {"sf_surface_physics": 2}
NUDGED = {"grid_fdda": 1, "guv": 3e-4, "gt": 3e-4, "gq": 3e-4}
FULL_PHYSICS = {"bl_pbl_physics": 1, "sf_sfclay_physics": 1, "ra_lw_physics": 4, "ra_sw_physics": 4}

#: Domains of a namelist with a nest in a nest.
NESTED = {
    "max_dom": 3,
    "parent_id": [0, 1, 2],
    "i_parent_start": [1, 13, 15],
    "j_parent_start": [1, 14, 16],
    "e_we": [42, 49, 61],
    "e_sn": [42, 46, 61],
    "parent_grid_ratio": [1, 3, 5],
    "parent_time_step_ratio": [1, 3, 4],
    "feedback": 1,
    "smooth_option": 0,
}


def namelist(**groups):
    """MINIMAL with groups extended."""
    merged = {name: MINIMAL.get(name, {}) | groups.get(name, {}) for name in MINIMAL | groups}
    return Namelist({name: columns_of(keys) for name, keys in merged.items()})


def settings(**groups):
    return {key: value for key, (value, _) in translate(namelist(**groups), SCHEMA).settings().items()}


def lost(**groups):
    return [f"{entry.wrf}: {entry.lost}" for entry in translate(namelist(**groups), SCHEMA).lost]
