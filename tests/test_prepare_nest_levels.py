"""Nests on levels of their own in `squall prepare` and the runs that begin there."""

import re
import subprocess

import numpy as np
import pytest
from netCDF4 import Dataset

import analytic
from squall import locate
from test_prepare_nests import NESTS, RUN, prepare

pytestmark = pytest.mark.regression


def test_levels_that_a_nest_says_are_those_of_its_file_and_of_the_model(tmp_path):
    """d02 says how many, which the model divides alike; d03 inside it says where."""
    eta = [1, 0.98, 0.95, 0.9, 0.82, 0.7, 0.55, 0.4, 0.25, 0.12, 0]
    text = NESTS.replace("nx = 27", "nx = 27\nnz = 30").replace("nx = 20", f"nx = 20\neta = {eta}")
    prepare(tmp_path, nests=text)
    outer, divided, told = (
        np.asarray(Dataset(tmp_path / "made" / f"wrfinput_d0{n}")["ZNW"][0]) for n in (1, 2, 3)
    )
    np.testing.assert_allclose(told, eta, atol=1e-7)
    assert (len(outer), len(divided)) == (21, 31)
    np.testing.assert_allclose(divided[::3], outer[::2], atol=2e-7)  # every third is every second's
    (tmp_path / "made" / "run.toml").write_text(RUN + text.replace("made/", ""))

    def run(*options):
        return subprocess.run(
            [locate.model_binary(), "run.toml", "--threads", "1", *options],
            cwd=tmp_path / "made", capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    # Without its file the model divides the levels itself.
    bare = text.replace('initial_file = "made/wrfinput_d02"\n', "").replace("made/", "")
    (tmp_path / "made" / "run.toml").write_text(RUN + bare)
    frames = tmp_path / "made" / "runs" / "run"
    with Dataset(sorted(frames.glob("history_d02_2*.nc"))[-1]) as file:
        np.testing.assert_array_equal(file["ZNW"][0], divided)
        assert np.abs(file["W"][:]).max() < 3
    done = run("--overwrite")
    assert done.returncode == 0, done.stdout + done.stderr
    with Dataset(sorted(frames.glob("history_d02_2*.nc"))[-1]) as file:
        np.testing.assert_allclose(file["ZNW"][0], divided, atol=2e-7)
    other = text.replace("0.98", "0.97").replace("made/", "")
    (tmp_path / "made" / "run.toml").write_text(RUN + other)
    done = run("--plan")
    assert done.returncode == 2
    assert 'wrfinput_d03" has other levels than nest.core.eta' in " ".join(done.stderr.split())


#: Side by side: one on 13 layers for its parent's 20, which these do not divide, one on its parent's.
ON_LEVELS_OF_BOTH_KINDS = """
[nest.fewer]
i_parent_start = 4
j_parent_start = 7
nx = 24
ny = 24
nz = 13
initial_file = "made/wrfinput_d02"

[nest.same]
i_parent_start = 14
j_parent_start = 7
nx = 24
ny = 24
initial_file = "made/wrfinput_d03"
"""


def test_moist_air_at_rest_over_terrain_is_stirred_no_more_with_nests_than_without(monkeypatch, tmp_path):
    """An analysis that is the same everywhere. Without a nest it moves at 0.06 m/s after ten minutes.
    (Means of a nest's base state in its parent's, lines in it where a nest has other ground inside, and the
    base atmosphere's corner at 165 hPa between levels had left up to 0.65, 1.2 and 2.1 m/s.)"""
    monkeypatch.setattr(analytic, "waves", lambda lon, lat: 0 * lon * lat)
    for name in ("u", "v"):
        monkeypatch.setitem(analytic.UPPER, name, lambda p, lon, lat: 0 * p * lon * lat)
    prepare(tmp_path, nests=ON_LEVELS_OF_BOTH_KINDS)
    with_files = ON_LEVELS_OF_BOTH_KINDS.replace("made/", "")
    without = re.sub("initial_file.*", "", with_files)
    for nests in (with_files, without):
        (tmp_path / "made" / "run.toml").write_text(RUN + nests)
        done = subprocess.run(
            [locate.model_binary(), "run.toml", "--threads", "1", "--overwrite"],
            cwd=tmp_path / "made", capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        for domain in ("history", "history_d02", "history_d03"):
            last = sorted((tmp_path / "made" / "runs" / "run").glob(f"{domain}_2*.nc"))[-1]
            with Dataset(last) as file:
                assert np.ptp(file["HGT"][0]) > 500
                assert file["QVAPOR"][0].max() > 5e-3
                upwards, along = (float(np.abs(file[name][0]).max()) for name in ("W", "U"))
            print(domain, upwards, along)
            assert upwards < 0.02
            assert along < (0.2 if nests == with_files or domain != "history" else 0.1)
