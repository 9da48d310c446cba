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


def namelist(**groups):
    """MINIMAL with groups extended."""
    merged = {name: MINIMAL.get(name, {}) | groups.get(name, {}) for name in MINIMAL | groups}
    return Namelist({name: columns_of(keys) for name, keys in merged.items()})


def settings(**groups):
    return {key: value for key, (value, _) in translate(namelist(**groups), SCHEMA).settings().items()}


def lost(**groups):
    return [f"{entry.wrf}: {entry.lost}" for entry in translate(namelist(**groups), SCHEMA).lost]
