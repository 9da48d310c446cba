"""What `squall lab diagnostics` says of steps that it has measured."""

import pytest

from squall.lab.diagnostics import EVERY, what_a_frame_costs


def test_a_frame_costs_what_its_step_and_the_next_take_more_than_two_others():
    steps = [1.0, 1.0, 1.0, 1.25] + [1.125, 1.0, 1.0, 1.25] * 4
    steps[5] = 40  # something else had the machine
    assert EVERY == 4
    normal, writing, more = what_a_frame_costs(steps)
    assert (normal, writing) == (1.0, 1.25)
    assert more == pytest.approx(0.375)
