"""A run that starts from a digital filter: forward, or backward first."""

import numpy as np
import pytest

from analysed_runs import ROWS, assert_same_bits, run, write_inputs
from squall.reader.dataset import open_run

pytestmark = pytest.mark.regression


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("analysed"))


HISTORY = '[output.quick]\ninterval = "5 min"\nframes_per_file = 100\n'


@pytest.fixture(scope="module")
def raw(files, tmp_path_factory):
    """A run that starts without a filter."""
    folder = tmp_path_factory.mktemp("raw")
    run(files, folder, more=HISTORY)
    return open_run(folder / "runs/run", stream="quick")


def noise(of):
    """Mean magnitude of the surface pressure's tendency from frame to frame [hPa/h]."""
    pressure = of["PSFC"].values[:, ROWS:-ROWS, ROWS:-ROWS].astype(float)
    rate = np.abs(np.diff(pressure, axis=0)) / np.diff(of["elapsed"].values)[:, None, None]
    return [float(r.mean()) * 36 for r in rate]


def filter_table(scheme, span="40 min", cutoff="1 h", weights="dolph"):
    keys = {"scheme": scheme, "span": span, "cutoff": cutoff, "weights": weights}
    return "[digital_filter]\n" + "".join(f'{key} = "{value}"\n' for key, value in keys.items())


@pytest.mark.parametrize("weights", ["dolph", "lanczos"])
def test_a_launched_start_rings_less(files, raw, tmp_path, weights):
    """Of made-up weather, whose winds are not those of its pressure."""
    run(files, tmp_path / "filtered", more=HISTORY + filter_table("launch", weights=weights))
    calm = open_run(tmp_path / "filtered/runs/run", stream="quick")
    assert calm["elapsed"].values[0] == 1200  # the middle of the span
    of_the_same_times = noise(raw)[4:]
    assert np.mean(noise(calm)) < 0.25 * np.mean(of_the_same_times), (noise(calm), noise(raw))


@pytest.mark.parametrize("scheme", ["diabatic", "twice"])
def test_a_start_from_behind_rings_less_from_run_start_on(files, raw, tmp_path, scheme):
    run(files, tmp_path / "filtered", more=HISTORY + filter_table(scheme))
    calm = open_run(tmp_path / "filtered/runs/run", stream="quick")
    assert list(calm["elapsed"].values) == list(raw["elapsed"].values)  # from the first moment
    assert np.mean(noise(calm)) < 0.08 * np.mean(noise(raw)), (noise(calm), noise(raw))
    # The weather is the same still: 1.9 to 2 K at the start and 0.45 K after an hour, what a launch changes.
    inside = np.s_[:, ROWS:-ROWS, ROWS:-ROWS]
    for frame, most in ((0, 2.5), (-1, 0.6)):
        change = calm["T"].values[frame][inside] - raw["T"].values[frame][inside]
        assert np.sqrt(np.mean(change**2)) < most, frame
    assert np.all(calm["RAINNC"].values[0] == 0)


@pytest.mark.parametrize("scheme", ["launch", "diabatic", "twice"])
def test_a_filtered_start_has_the_same_bits_on_any_ranks(files, tmp_path, scheme):
    whole = assert_same_bits(files, tmp_path, more=filter_table(scheme, "20 min", "30 min"))
    # Frames of before the middle are none.
    assert list(whole["elapsed"].values) == [0, 1200, 2400, 3600][scheme == "launch" :]
