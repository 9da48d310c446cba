"""A run that begins from a real analysis, small, with physics of its own and a nest."""

import gzip
from pathlib import Path

import pytest

RUN_FILE = """
[run]
duration = "1 h"
time_step = "300 s"
[domain]
boundary_west = "open"
boundary_east = "open"
boundary_south = "open"
boundary_north = "open"
[nest.inner]
i_parent_start = 5
j_parent_start = 4
nx = 12
ny = 12
[dynamics]
coriolis = "file"
hypsometric = 1
[physics]
microphysics = "wsm6"
surface_layer = "revised-mm5"
boundary_layer = "ysu"
land = "slab"
radiation = "broadband"
radiation_interval = "30 min"
[initial]
file = "wrfinput_d01"
[output.history]
interval = "1 h"
"""


@pytest.fixture
def real(tmp_path):
    """12 x 10 x 27 cells of a summer day (data/wrfinput_summer.gz), with a nest."""
    packed = Path(__file__).parent / "data" / "wrfinput_summer.gz"
    (tmp_path / "wrfinput_d01").write_bytes(gzip.decompress(packed.read_bytes()))
    path = tmp_path / "real.toml"
    path.write_text(RUN_FILE)
    return path
