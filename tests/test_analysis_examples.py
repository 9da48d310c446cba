"""The scripts of example-programs/analysis do what the page that shows them says."""

import re
import subprocess
import sys

import netCDF4
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import squall
from pictures import assert_drawn
from squall import locate
from squall.errors import UserError
from synthetic import write_history

pytestmark = pytest.mark.regression

EXAMPLES = locate.CHECKOUT / "example-programs" / "analysis"
PAGE = locate.CHECKOUT / "docs" / "how-to" / "analyse.md"


def said_by(script, *arguments):
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{script}.py", *map(str, arguments)],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_shows_the_scripts_as_they_are():
    shown = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.S | re.M)
    assert sorted(shown) == sorted(script.read_text() for script in EXAMPLES.glob("*.py"))


@pytest.fixture(scope="module")
def stations(tmp_path_factory):
    """A run of the model with stations, ten minutes of a storm."""
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    folder = tmp_path_factory.mktemp("stations")
    settings = {
        "run.duration": "10 min", "run.directory": folder / "run", "domain.nx": 24, "domain.ny": 24,
        "domain.nz": 20, "output.stations.stations": folder / "stations.csv",
        "output.profiles.interval": "0 s", "output.flights.interval": "0 s",
    }  # fmt: skip
    (folder / "stations.csv").write_text("name,x,y\nhere,20000,20000\nthere,31000,12000\n")
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    subprocess.run([model, locate.run_file("mesonet"), *words], check=True, capture_output=True, timeout=300)
    return folder / "run"


def test_a_run_is_followed_frame_by_frame(stations):
    lines = said_by("follow_live", stations).splitlines()
    history = squall.open_run(stations)
    assert len(lines) == history.sizes["Time"] == 2
    for n, line in enumerate(lines):
        w = history["W"].isel(Time=n).values
        k, j, i = np.unravel_index(w.argmax(), w.shape)
        wanted = f"{10.0 * n:.1f} min: {w.max():.2f} m/s in column {i}, {j}, below layer {k}"
        assert line.split() == wanted.split()


def test_stations_are_verified_against_what_was_observed(stations, tmp_path):
    forecast = squall.open_run(stations, stream="stations")
    times = pd.DatetimeIndex(forecast["XTIME"].values)
    rows = []
    for n, name in enumerate(("here", "there")):
        series = forecast["PSFC"].isel(station=n).values.astype(float)
        # between two frames, off by 100 Pa at one station and by -50 Pa at the other
        half = 0.5 * (series[2] + series[3]) - (100 if n == 0 else -50)
        rows.append({"time": times[2] + (times[3] - times[2]) / 2, "station": name, "PSFC": half})
    rows.append({"time": times[5], "station": "here", "wind_speed_10m": 1e3})
    rows.append({"time": times[5], "station": "elsewhere", "PSFC": 0.0})
    rows.append({"time": times[-1] + pd.Timedelta("1h"), "station": "here", "PSFC": 0.0})
    pd.DataFrame(rows).to_csv(tmp_path / "observed.csv", index=False)
    said = {line.split()[0]: line.split()[1:] for line in
            said_by("verify_stations", stations, tmp_path / "observed.csv").splitlines()[1:]}  # fmt: skip
    number, bias, rmse, unit = said["PSFC"]
    assert (number, unit) == ("2", "Pa")
    assert float(bias) == pytest.approx(25, abs=2e-3)
    assert float(rmse) == pytest.approx(np.sqrt((100**2 + 50**2) / 2), abs=2e-3)
    wind = float(forecast["wind_speed_10m"].isel(station=0, Time=5))
    assert said["wind_speed_10m"] == ["1", f"{wind - 1e3:.3f}", f"{1e3 - wind:.3f}", "m", "s-1"]


def test_zonal_means_are_drawn_and_the_jet_is_found(channel, tmp_path):
    for path in sorted(channel.glob("*.nc"))[-1:]:
        with netCDF4.Dataset(path) as data:
            before = data["U"][:]
    copy = write_history(
        tmp_path / "jet", "baroclinic-wave", nx=20, ny=40, nz=8, dx=2e5, top=16000, times=[0],
        theta_pert=lambda seconds, x, y, z: 0.004 * z + 0 * x + 0 * y,
    )  # fmt: skip
    (file,) = copy.glob("*.nc")
    with netCDF4.Dataset(file, "a") as data:
        wind = np.array(before)
        wind[0, 5, 17, :] = np.linspace(0, 60, wind.shape[3])  # 30 m/s in the mean of the cells
        data["U"][:] = wind
    said = said_by("zonal_means", copy, tmp_path / "zonal.png")
    assert said.split() == f"The jet: 30.00 m/s at {5.5 * 2:.2f} km, row 17".split()
    assert_drawn(tmp_path / "zonal.png")


def test_the_distance_from_wrf_is_a_share_of_its_variety(tmp_path):
    how = {"nx": 20, "ny": 12, "nz": 6, "dx": 2e5, "top": 12000}

    def wave(seconds, x, y, z):
        return np.sin(2 * np.pi * x / 4e6) * np.ones_like(y) + 0.004 * z

    wrf = write_history(tmp_path / "wrf", "none", times=[3600, 7200], theta_pert=wave, **how)
    wrf_file = tmp_path / "wrfout_d01_2000-01-01_00_00_00.nc"
    with xr.open_mfdataset(sorted(wrf.glob("*.nc")), combine="nested", concat_dim="Time",
                           data_vars="minimal", coords="minimal", compat="override",
                           decode_times=False) as data:  # fmt: skip
        data.to_netcdf(wrf_file, unlimited_dims=["Time"])
    ours = write_history(
        tmp_path / "ours", "none", times=[0, 3600, 7200],
        theta_pert=lambda s, x, y, z: wave(s, x, y, z) + (0.1 if s == 7200 else 0), **how,
    )  # fmt: skip
    heading, *lines = said_by("compare_wrf", ours, wrf_file).splitlines()
    names = heading.split()[1:]
    found = {line.split()[0]: dict(zip(names, line.split()[2:], strict=True)) for line in lines}
    assert list(found) == ["1.00", "2.00"]
    assert set(found["1.00"].values()) <= {"0.0000", "nan"}
    assert float(found["2.00"]["T"]) == pytest.approx(0.1 * np.sqrt(2), abs=2e-3)  # a sine varies by 1/sqrt 2
    assert found["2.00"]["W"] == "0.0000"
