"""Pictures of a single column."""

import numpy as np
import pytest

from squall import plot
from squall.errors import UserError
from synthetic import write_history

TIMES = (0, 3600, 7200, 10800)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Ten layers up to 1 km, which warm from above by a degree an hour."""
    return write_history(
        tmp_path_factory.mktemp("column") / "run", "column", nx=1, ny=1, nz=10, dx=3e3, top=1000,
        times=TIMES, theta_pert=lambda seconds, x, y, z: seconds / 3600 * z / 1000,
    )  # fmt: skip


def test_a_column_is_drawn_as_profiles_at_four_times(run):
    wind, theta = plot.figure(run).axes[:2]
    assert len(wind.lines) == len(theta.lines) == 4
    warm = [line.get_xdata() for line in theta.lines]
    height = theta.lines[0].get_ydata()
    np.testing.assert_allclose(height, np.arange(50, 1000, 100), rtol=0.02)
    np.testing.assert_allclose(warm[3] - warm[0], 3 * height / 1000, atol=0.05)
    assert [text.get_text() for text in wind.get_legend().get_texts()] == ["0 h", "1 h", "2 h", "3 h"]


def test_one_time_of_a_column_is_one_profile(run):
    assert len(plot.figure(run, time="1 h").axes[0].lines) == 1


def test_a_field_of_a_column_is_drawn_by_height_and_time(run):
    figure = plot.figure(run, "theta_pert")
    assert figure.axes[0].get_xlabel() == "time (h)"
    assert figure.axes[0].get_xlim() == (0, 3)
    with pytest.raises(UserError, match="nonsense"):
        plot.figure(run, "nonsense")
