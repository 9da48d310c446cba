"""What crosses the rim of a nest: rest, uniform flow, a vortex and a sound pulse, all of known answer."""

import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.verify import nest_rims
from squall.lab.workspace import Workspace

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)


@pytest.mark.parametrize(("u", "feedback"), [(0, "true"), (20, "true"), (20, "false")])
def test_rest_stays_rest_and_uniform_flow_uniform_to_the_last_bit(tmp_path, u, feedback):
    """Beside the rim advection is of lower order: a face has the same value by all of its formulas."""
    text = nest_rims.NEUTRAL.format(seconds=240, every=240, u=u)
    text = text.replace("[nest.inner]", f"[nest.inner]\nfeedback = {feedback}")
    for history in nest_rims.both(Workspace(tmp_path), "flow", text):
        assert nest_rims.stirred(history, u) == 0
        assert (history.field("T").max(axis=(1, 2)) == history.field("T").min(axis=(1, 2))).all()


def test_a_vortex_leaves_a_nest_and_next_to_nothing_comes_back(tmp_path):
    left = nest_rims.vortex_leaves(Workspace(tmp_path))
    print(f"left within: {left.share:.4f} of the vortex's wind; outside it has {left.outside:.3f} m/s")
    assert left.crossed > 0.8 * nest_rims.Vortex.strength
    assert left.outside > nest_rims.OUTSIDE, "it went out whole"
    assert left.share < nest_rims.BACK


def test_a_sound_pulse_leaves_a_nest_and_next_to_nothing_comes_back(tmp_path):
    left = nest_rims.pulse_leaves(Workspace(tmp_path))
    assert left.crossed > 0.2 * nest_rims.Pulse.strength
    print(f"differs: {left.share:.4f} of the {left.crossed:.1f} Pa at the rim")
    assert left.share < nest_rims.BACK


def test_air_at_rest_over_mountains_stays_at_rest_in_a_nest(tmp_path):
    for history in nest_rims.both(Workspace(tmp_path), "rest", nest_rims.REST):
        assert history.field("HGT").max() > 300
        assert nest_rims.stirred(history) < nest_rims.AT_REST
