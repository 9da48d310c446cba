"""CDO opens the files of squall-transport as they are, and computes the same means from them."""

import shutil
import subprocess

import numpy as np
import pytest
import xarray as xr

from test_transport import history, start

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("cdo") is None, reason="CDO is not installed (Debian: cdo)"),
]

HYBRID = """
[output.zonal]
interval = "1 d"
average = "zonal"
frames_per_file = 100
fields = ["ozone", "one"]
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cdo")
    keys = ('vertical.coordinate="hybrid"', 'grid.kind="gaussian"')
    done = start(folder, HYBRID, arguments=[word for key in keys for word in ("--set", key)])
    assert done.returncode == 0, done.stderr
    return folder / "run"


def cdo(*words):
    """What it says; it may warn of nothing."""
    done = subprocess.run(["cdo", "-s", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr.strip(), done.stderr
    return done.stdout


def numbers(text):
    return np.array(text.split(), dtype=float)


def file_of(run, stream):
    (file,) = run.glob(f"{stream}_*.nc")
    return file


def test_it_knows_grid_levels_and_times(run):
    grid = cdo("griddes", "-selname,ozone", file_of(run, "history"))
    assert "gridtype  = gaussian" in grid or "gridtype  = lonlat" in grid
    assert "xsize     = 32" in grid
    assert "ysize     = 16" in grid
    assert cdo("nlevel", "-selname,ozone", file_of(run, "history")).split() == ["5"]
    assert cdo("showtimestamp", file_of(run, "history")).split() == [
        "2000-01-01T00:00:00", "2000-01-02T00:00:00", "2000-01-03T00:00:00",
    ]  # fmt: skip


def test_its_means_are_those_of_the_model(run):
    name = "ozone"
    theirs = numbers(cdo("outputf,%.9g,1", "-zonmean", f"-selname,{name}", file_of(run, "history")))
    ours = history(run, "zonal")[name].values
    np.testing.assert_allclose(theirs, ours.ravel(), rtol=1e-5, atol=1e-12)


def test_it_weighs_cells_by_their_areas(run):
    """Between great circles, as it takes the edges of cells: at 11 degrees not quite ours."""
    theirs = numbers(cdo("outputf,%.9g,1", "-fldmean", "-selname,ozone_column", file_of(run, "history")))
    with xr.open_dataset(file_of(run, "history")) as data:
        bounds = np.sin(np.deg2rad(data["lat_bnds"].values))
        weights = bounds[:, 1] - bounds[:, 0]
        column = data["ozone_column"].values.mean(axis=-1)
    ours = column @ weights / weights.sum()
    np.testing.assert_allclose(theirs, ours, rtol=2e-3)
    assert np.abs(column.mean(axis=-1) / ours - 1).min() > 1e-2  # without their areas
