"""What `squall import` makes of schemes of microphysics that count droplets."""

import pytest

from namelists import lost, settings

pytestmark = pytest.mark.regression


@pytest.mark.parametrize(("number", "scheme"), [(14, "wdm5"), (16, "wdm6")])
def test_schemes_that_count_droplets_have_the_nuclei_of_the_namelist(number, scheme):
    told = settings(physics={"mp_physics": number, "ccn_conc": 3e8})
    assert told["physics.microphysics"] == scheme
    assert told["physics.condensation_nuclei"] == 3e8
    assert lost(physics={"mp_physics": number}) == lost()


def test_nuclei_do_nothing_to_other_schemes():
    assert "physics.condensation_nuclei" not in settings(physics={"mp_physics": 6, "ccn_conc": 3e8})
