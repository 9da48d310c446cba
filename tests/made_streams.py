"""A small supercell with streams of everything that may be made of fields, for the tests of these."""

import os
import subprocess

import netCDF4
import numpy as np
import xarray as xr

from squall import locate
from squall.runs import launch

STATIONS = """name,i,j  # cells from 0
corner,0,0
on a cell,7,5
between,11.25,8.5
far,22,18.75
"""

#: One flies up over the cells in a minute, the other has left a third of the way.
AIRCRAFT = """name,time,i,j,altitude
climber,0,2.5,3.25,100
climber,60,17.5,15.25,9000
gone,2000-01-01T00:00:06,20,3,1500
gone,18,18.5,4.5,1500
"""

SHIPS = """name,time,x,y
ship,-30,3000,5000
ship,90,39000,29000
"""

STREAMS = """
[output.flights]
interval = "12 s"
frames_per_file = 100
fields = ["T", "U", "QVAPOR"]
trajectories = "aircraft.csv"

[output.ships]
interval = "12 s"
frames_per_file = 100
fields = ["PSFC", "T", "W"]
trajectories = "ships.csv"

[output.under_way]
interval = "30 s"
frames_per_file = 100
fields = ["T", "QVAPOR"]
trajectories = "ships.csv"

[output.decks]
interval = "30 s"
fields = ["PSFC", "RAINNC"]
trajectories = "ships.csv"

[output.soundings]
interval = "30 s"
frames_per_file = 100
fields = ["height", "theta", "QVAPOR"]
trajectories = "ships.csv"

[output.steps]
interval = "6 s"
frames_per_file = 100
fields = ["PSFC", "RAINNC", "T"]

[output.stations]
interval = "12 s"
frames_per_file = 100
fields = ["U", "V", "W", "T", "QVAPOR", "PSFC"]
stations = "stations.csv"

[output.at_cells]
interval = "30 s"
fields = ["T", "PSFC"]
stations = "stations.csv"
interpolation = "nearest"

[output.upper_air]
interval = "30 s"
fields = ["T", "U", "W", "PSFC"]
pressure_levels = ["900 hPa", "500 hPa"]

[output.heights]
interval = "30 s"
fields = ["T", "W"]
height_levels = ["1 km", "5 km", "100 km"]

[output.nearest_levels]
interval = "30 s"
fields = ["T"]
ground_levels = ["10 m", "3 km", "100 km"]
outside_levels = "nearest"

[output.beyond_levels]
interval = "30 s"
fields = ["T"]
ground_levels = ["10 m", "3 km", "25 km"]
outside_levels = "extrapolate"

[output.below_ground]
interval = "30 s"
fields = ["T"]
pressure_levels = ["1090 hPa", "500 hPa"]
outside_levels = "extrapolate"

[output.isentropes]
interval = "30 s"
fields = ["QVAPOR", "T", "PSFC"]
theta_levels = ["310 K", "325 K", "5000 K"]

[output.statistics]
interval = "30 s"
frames_per_file = 100
fields = ["PSFC", "RAINNC", "T"]
[output.statistics.over_time]
PSFC = "mean min max variance standard_deviation"
RAINNC = "accumulation rate"
T = "max sum last"

[output.rain]
interval = "30 s"
frames_per_file = 100
fields = ["RAINNC"]
average = "domain"
statistic = "sum"
weight = "area"
over_time = {{ RAINNC = "rate" }}

[output.zonal]
interval = "30 s"
fields = ["T", "U", "PSFC"]
average = "zonal"
weight = "area"

[output.meridional]
interval = "30 s"
fields = ["T", "V", "PSFC"]
average = "meridional"

[output.coarse]
interval = "30 s"
fields = ["T", "W", "PSFC", "wind_east"]
coarsen = 5
weight = "area"

[output.integrals]
interval = "30 s"
fields = ["RAINNC", "QVAPOR"]
average = "domain"
statistic = "sum"
weight = "area"

[output.spread]
interval = "30 s"
fields = ["U", "W"]
average = "domain"
statistic = "variance"

[output.columns]
interval = "30 s"
fields = ["QVAPOR", "W", "PSFC"]
average = "column"
weight = "mass"

[output.water]
interval = "30 s"
fields = ["QVAPOR"]
average = "volume"
weight = "mass"
statistic = "sum"

[output.volume]
interval = "30 s"
fields = ["T", "W", "PSFC"]
average = "volume"
weight = "mass"
over_time = {{ W = "max" }}

[output.peaks]
interval = "30 s"
fields = ["W"]
coarsen = 5
statistic = "max"

[output.quantiles]
interval = "30 s"
fields = ["W", "T", "PSFC"]
average = "domain"
quantiles = {{ W = "0.5 0.995 of 4000 bins from -2 to 2", T = "0.9 of 1000 bins from -100 to 900" }}

[output.medians]
interval = "30 s"
fields = ["W"]
coarsen = 5
quantiles = {{ W = "0.5 of 4000 bins from -2 to 2" }}

[output.masses]
interval = "30 s"
fields = ["T", "W"]
average = "volume"
weight = "mass"
quantiles = {{ W = "0.5 0.995 of 4000 bins from -2 to 2", T = "0.1 0.9 of 1000 bins from -100 to 900" }}

[output.areas]
interval = "30 s"
fields = ["W"]
coarsen = 5
weight = "area"
quantiles = {{ W = "0.5 of 1000 bins from -0.5 to 0.5" }}

[output.corner]
interval = "30 s"
fields = ["T", "PSFC"]
average = "zonal"
region = [2, 9, 3, 12]

[output.basin]
interval = "30 s"
fields = ["T", "PSFC"]
average = "domain"
weight = "area"
mask = "basin = 3 in basins.nc"

[output.wet]
interval = "30 s"
fields = ["PSFC"]
coarsen = 5
mask = "basin in basins.nc"

[output.tower]
interval = "30 s"
fields = ["T"]
stations = "{stations}"
pressure_levels = ["850 hPa"]
over_time = {{ T = "max" }}
sample = "6 s"

[output.restart]
interval = "24 s"
"""


#: Numbers of basins, 0 where there is none, -1 where nobody knows.
BASINS = np.where(np.hypot(*np.ogrid[-9:11, -7:17]) < 7, 3, np.arange(24) % 3 - 1)


def write_basins(path):
    with netCDF4.Dataset(path, "w") as file:
        for name, size in (("row", 20), ("column", 24), ("half", 12)):
            file.createDimension(name, size)
        file.createVariable("basin", "i4", ("row", "column"), fill_value=-1)[:] = BASINS
        file.createVariable("short", "f4", ("row", "half"))[:] = 1


def runner(top):
    """Runs that supercell below a directory; returns the finished process and the run directory."""
    (top / "stations.csv").write_text(STATIONS)
    (top / "aircraft.csv").write_text(AIRCRAFT)
    (top / "ships.csv").write_text(SHIPS)
    write_basins(top / "basins.nc")
    case = locate.run_file("supercell").read_text().split("[output.history]")[0]

    def run(name, ranks=1, streams=STREAMS, plan=False, threads=1, **settings):
        file = top / f"{name}.toml"
        file.write_text(
            case + '[output.history]\ninterval = "30 s"\n' + streams.format(stations=top / "stations.csv")
        )
        keys = {
            "domain.nx": "24",
            "domain.ny": "20",
            "domain.nz": "16",
            "run.duration": "60 s",
            "run.time_step": "6 s",
        }
        keys["run.directory"] = str(top / name)
        arguments = [str(file), "--overwrite", "--threads", str(threads), *(["--plan"] if plan else [])]
        for key, value in (keys | settings).items():
            arguments += ["--set", f"{key}={value}"]
        start = launch.prepare(locate.model_binary(), arguments, ranks, threads)
        said = subprocess.run(
            start.command,
            env=os.environ | start.environment,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        return said, top / name

    return run


def only(directory, stream):
    """The files of a stream, in their order, as one dataset without decoded times."""
    files = sorted(directory.glob(f"{stream}_*.nc"))
    sets = [xr.open_dataset(f, decode_times=False).load() for f in files]
    return (
        xr.concat(sets, "Time", data_vars="minimal", coords="minimal", compat="override")
        if len(sets) > 1
        else sets[0]
    )


def bilinear(values, j, i):
    """Of an array whose last dimensions are rows and columns."""
    j0, i0 = min(int(j), values.shape[-2] - 2), min(int(i), values.shape[-1] - 2)
    b, a = j - j0, i - i0
    v = values.astype(np.float64)
    south = (1 - a) * v[..., j0, i0] + a * v[..., j0, i0 + 1]
    north = (1 - a) * v[..., j0 + 1, i0] + a * v[..., j0 + 1, i0 + 1]
    return (1 - b) * south + b * north


def columns(coordinate, values, wanted, log):
    """Linear interpolation of whole columns, missing beyond their ends."""
    out = np.full((len(wanted), *values.shape[1:]), np.nan)
    f = np.log if log else (lambda x: x)
    for j, i in np.ndindex(values.shape[1:]):
        x, y = f(coordinate[:, j, i].astype(np.float64)), values[:, j, i].astype(np.float64)
        order = np.argsort(x)
        out[:, j, i] = np.interp(f(np.asarray(wanted)), x[order], y[order], left=np.nan, right=np.nan)
    return out
