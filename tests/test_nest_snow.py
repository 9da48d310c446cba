"""A nest over snow with Noah-MP: it takes the parent's columns of snow whole, and keeps them as layers.

A winter day over the plains, of which the nest lies where snow of 0.3 to 120 kg/m2 has no layer of its own up
to three of them."""

import numpy as np
import pytest

from real_columns import frames_of, needed
from squall.errors import UserError
from squall.lab.verify import storm_with_nests
from squall.locate import model_binary

pytestmark = pytest.mark.regression

try:
    MODEL = model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

FIRST, CELLS, RATIO = 4, 8, 3  # of the parent, from 1
RUN = """
[run]
duration = "6 min"
time_step = "3 min"
[dynamics]
coriolis = "file"
[physics]
microphysics = "kessler"
surface_layer = "revised-mm5"
boundary_layer = "ysu"
radiation = "rrtmgp"
radiation_interval = "30 min"
land = "noah-mp"
[boundary]
file = "{plains}/wrfbdy_d01"
[initial]
file = "{plains}/wrfinput_d01"
[output.history]
interval = "3 min"
frames_per_file = 10
""" + storm_with_nests.nest(FIRST, 14, RATIO * CELLS, RATIO * CELLS)
LAYERS = ("SNICE", "SNLIQ", "TSNO", "DZSNO")
ON_GROUND = ("ISNOW", "SNOW", "SNOWH")


@pytest.fixture(scope="module")
def domains(tmp_path_factory):
    """Parent and nest."""
    folder = tmp_path_factory.mktemp("snow")
    plains = needed("physics2/plains/wrfinput_d01").parent
    (folder / "run.toml").write_text(RUN.format(plains=plains))
    return frames_of(MODEL, folder, 1, 2)


def test_it_begins_with_the_parents_columns_of_snow(domains):
    parent, nest = (domain.isel(Time=0) for domain in domains)
    cells = {"west_east": slice(FIRST - 1, FIRST - 1 + CELLS), "south_north": slice(13, 13 + CELLS)}
    assert {0, -1, -2, -3} == set(np.unique(nest["ISNOW"].values))
    for name in (*LAYERS, *ON_GROUND):
        of_parent = parent[name].isel(cells).values
        wanted = of_parent.repeat(RATIO, axis=-1).repeat(RATIO, axis=-2)
        np.testing.assert_array_equal(nest[name].values, wanted, err_msg=name)


def test_its_layers_are_the_snow_that_it_has(domains):
    nest = domains[1].isel(Time=-1)
    layered = nest["ISNOW"].values < 0
    mass = (nest["SNICE"] + nest["SNLIQ"]).values
    depth = nest["DZSNO"].values
    np.testing.assert_allclose(mass.sum(0)[layered], nest["SNOW"].values[layered], rtol=1e-5)
    np.testing.assert_allclose(depth.sum(0)[layered], nest["SNOWH"].values[layered], rtol=1e-5)
    counted = (mass > 0).sum(0)
    np.testing.assert_array_equal(counted[layered], -nest["ISNOW"].values[layered])
    cold = nest["TSNO"].values[mass > 0]
    assert cold.min() > 220
    assert cold.max() <= 273.16
    fallen = nest["SNOW"].values - domains[1].isel(Time=0)["SNOW"].values
    assert np.abs(fallen[layered]).max() < 0.1  # kg/m2 in six minutes: it neither snows nor melts in amounts
