"""Sixteen layers under 50 hPa over a tropical sea: cirrus in the second from the top, of the tropopause."""

import pytest
import xarray as xr

from squall import locate

pytestmark = pytest.mark.regression

GFS = (locate.CHECKOUT / "../shared/data/analysis/gfs.t12z.pgrbf120.2p5deg.grib2").resolve()


@pytest.fixture
def sea(squall, tmp_path):
    """Runs the prepared sea for three hours; its last frame."""
    if not GFS.exists():
        pytest.skip(f"{GFS} is not there")
    where = ["--center", "1,150", "--size", "14x12", "--spacing", "135 km", "--levels", "16"]
    made = squall("prepare", GFS, "-o", "sea", *where, "--duration", "3 h")
    assert made.returncode == 0, made.stdout + made.stderr

    def run(compatibility):
        settings = {"run.name": compatibility, "run.compatibility": compatibility}
        words = [f"{key}={value}" for key, value in ({"physics.radiation": "broadband"} | settings).items()]
        done = squall("run", "sea/forecast.toml", *(part for word in words for part in ("--set", word)))
        assert done.returncode == 0, done.stdout + done.stderr
        return xr.load_dataset(max((tmp_path / "runs" / compatibility).glob("history_*.nc"))).isel(Time=0)

    return run


def cirrus(frame):
    """Of the layer, without the specified row, where nothing falls [kg/kg]."""
    return float((frame.QICE + frame.QSNOW)[-2, 1:-1, 1:-1].mean())


def test_ice_of_the_tropopause_is_kept_and_as_wrf_it_is_lost(sea):
    kept, lost = sea("none"), sea("wrf")
    assert cirrus(kept) > 2e-6
    assert cirrus(lost) < 0.02 * cirrus(kept)
    for frame in (kept, lost):
        assert float(frame.QICE.min()) >= 0
    assert float(lost.OLR.mean() - kept.OLR.mean()) > 5
