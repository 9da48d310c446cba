"""Streams that make something of the fields where these lie: at stations, on levels, over time, averages."""

import os
import subprocess

import numpy as np
import pytest
import xarray as xr

from cf_checker import minded_of
from squall import io, locate
from squall.errors import UserError
from squall.reader.dataset import streams
from squall.runs import launch

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

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

[output.upper_air]
interval = "30 s"
fields = ["T", "U", "W", "PSFC"]
pressure_levels = ["900 hPa", "500 hPa"]

[output.heights]
interval = "30 s"
fields = ["T", "W"]
height_levels = ["1 km", "5 km", "100 km"]

[output.isentropes]
interval = "30 s"
fields = ["QVAPOR", "T", "PSFC"]
theta_levels = ["310 K", "325 K", "5000 K"]

[output.statistics]
interval = "30 s"
frames_per_file = 100
fields = ["PSFC", "RAINNC", "T"]
over_time = {{ PSFC = "mean min max", RAINNC = "accumulation", T = "max" }}

[output.zonal]
interval = "30 s"
fields = ["T", "U", "PSFC"]
average = "zonal"
weight = "area"

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

[output.corner]
interval = "30 s"
fields = ["T", "PSFC"]
average = "zonal"
region = [2, 9, 3, 12]

[output.gathered]
interval = "30 s"
fields = ["T", "U", "PSFC"]
average = "zonal"
weight = "area"
reduce = "gather"

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


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Runs a small supercell with such streams; returns the finished process and the run directory."""
    top = tmp_path_factory.mktemp("made")
    (top / "stations.csv").write_text(STATIONS)
    (top / "aircraft.csv").write_text(AIRCRAFT)
    (top / "ships.csv").write_text(SHIPS)
    case = locate.run_file("supercell").read_text().split("[output.history]")[0]

    def run(name, ranks=1, streams=STREAMS, plan=False, **settings):
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
        arguments = [str(file), "--overwrite", "--threads", "1", *(["--plan"] if plan else [])]
        for key, value in (keys | settings).items():
            arguments += ["--set", f"{key}={value}"]
        start = launch.prepare(locate.model_binary(), arguments, ranks, 1)
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


@pytest.fixture(scope="module")
def made(model):
    said, directory = model("one")
    assert said.returncode == 0, said.stderr
    return directory


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


def assert_same_bits(one, other):
    raw = {"mask_and_scale": False, "decode_times": False}
    with xr.open_dataset(one, **raw) as a, xr.open_dataset(other, **raw) as b:
        assert set(a.variables) == set(b.variables)
        for name in a.variables:
            ours, theirs = a[name].values, b[name].values
            same = (ours == theirs).all() if ours.dtype == object else ours.tobytes() == theirs.tobytes()
            assert same, f"{one.name}: {name}"


def test_a_checker_of_cf_minds_nothing_in_streams_of_any_kind(made):
    """But in one of moving columns beside what has none: CF has one of these features a file."""
    files = {name: next(iter(made.glob(f"{name}_2*.nc"))) for name in streams(made)}
    assert len(files) > 20
    assert minded_of(*(file for name, file in files.items() if name != "ships")) == []


def test_stations_are_between_the_cells_around_them(made):
    history, stations = only(made, "history"), only(made, "stations")
    assert list(stations.station_name.values) == ["corner", "on a cell", "between", "far"]
    assert stations.attrs["featureType"] == "timeSeriesProfile"
    assert stations["T"].dims == ("Time", "station", "bottom_top")
    assert stations["W"].dims == ("Time", "station", "bottom_top_stag")
    assert stations.sizes["Time"] == 6
    for n, (j, i) in enumerate([(0, 0), (5, 7), (8.5, 11.25), (18.75, 22)]):
        for name, by_j, by_i in (("T", 0, 0), ("W", 0, 0), ("U", 0, 0.5), ("V", 0.5, 0), ("PSFC", 0, 0)):
            wanted = bilinear(history[name].values[-1], j + by_j, i + by_i)
            np.testing.assert_allclose(stations[name].values[-1, n], wanted, rtol=2e-6, atol=2e-6)


def test_ships_have_the_columns_above_them_wherever_they_are(made):
    history, ships = only(made, "history"), only(made, "ships")
    dx = history.attrs["DX"]
    assert ships.attrs["featureType"] == "trajectoryProfile"
    assert ships["T"].dims == ("Time", "trajectory", "bottom_top")
    assert list(ships.trajectory_name.values) == ["ship"]
    assert ships.trajectory_name.attrs["cf_role"] == "trajectory_id"
    for second, frame in (
        (0, 0),
        (30, None),
        (60, -1),
    ):  # the history has 0, 30 and 60 s, the ship 0, 12, ...
        if frame is None:
            continue
        along = (second + 30) / 120
        i, j = (3000 + along * 36000) / dx - 0.5, (5000 + along * 24000) / dx - 0.5
        for name in ("PSFC", "T", "W"):
            wanted = bilinear(history[name].values[frame], j, i)
            np.testing.assert_allclose(ships[name].values[frame, 0], wanted, rtol=2e-6, atol=2e-6)


def test_aircraft_are_at_their_altitude_and_missing_when_they_are_not_there(made):
    history, flights = only(made, "history"), only(made, "flights")
    assert flights.attrs["featureType"] == "trajectory"
    assert flights["T"].dims == ("Time", "trajectory")
    assert flights["T"].encoding["coordinates"].split() == [
        "sample_time",
        "longitude",
        "latitude",
        "x",
        "y",
        "altitude",
        "trajectory_name",
    ]
    np.testing.assert_allclose(flights.altitude.values[:, 0], np.linspace(100, 9000, 6))
    np.testing.assert_allclose(flights.x.values[:, 0], history.attrs["DX"] * np.linspace(3, 18, 6))
    z = (history["PH"] + history["PHB"]).values[-1].astype(np.float64) / 9.81
    here = bilinear(z, 15.25, 17.5)
    middle = (here[1:] + here[:-1]) / 2
    for name, by_i in (("T", 0), ("QVAPOR", 0), ("U", 0.5)):
        column = bilinear(history[name].values[-1], 15.25, 17.5 + by_i)
        np.testing.assert_allclose(
            flights[name].values[-1, 0], np.interp(9000, middle, column), rtol=2e-5, atol=2e-6
        )
    there = np.isfinite(flights["T"].values[:, 1])
    assert there.tolist() == [False, True, False, False, False, False]  # from 6 to 18 s
    assert np.isnan(flights.longitude.values[0, 1])
    np.testing.assert_array_equal(flights.sample_time.values[:, 0], flights.Time.values)
    assert np.isfinite(flights.sample_time.values[:, 1]).tolist() == there.tolist()
    assert flights.sample_time.attrs["units"] == flights.Time.attrs["units"]
    assert "axis" not in flights.Time.attrs


def test_levels_are_those_of_each_column(made):
    history, upper, heights = (only(made, name) for name in ("history", "upper_air", "heights"))
    assert upper["T"].dims == ("Time", "pressure_level", "south_north", "west_east")
    assert upper["PSFC"].dims == ("Time", "south_north", "west_east")
    assert upper.pressure_level.attrs["standard_name"] == "air_pressure"
    pressure = (history["P"] + history["PB"]).values[-1]
    wanted = columns(pressure, history["T"].values[-1], upper.pressure_level.values, log=True)
    np.testing.assert_allclose(upper["T"].values[-1], wanted, rtol=1e-4, atol=1e-4)
    z = ((history["PH"] + history["PHB"]) / 9.81).values[-1]
    wanted = columns((z[1:] + z[:-1]) / 2, history["T"].values[-1], [1000, 5000], log=False)
    np.testing.assert_allclose(heights["T"].values[-1, :2], wanted, rtol=1e-4, atol=1e-4)
    wanted = columns(z, history["W"].values[-1], [1000, 5000], log=False)
    np.testing.assert_allclose(heights["W"].values[-1, :2], wanted, rtol=1e-4, atol=1e-5)
    assert np.isnan(heights["T"].values[:, 2]).all()  # above the top


def test_levels_of_potential_temperature_are_those_of_each_column(made):
    history, isentropes = only(made, "history"), only(made, "isentropes")
    assert isentropes["QVAPOR"].dims == ("Time", "theta_level", "south_north", "west_east")
    assert isentropes.theta_level.attrs["standard_name"] == "air_potential_temperature"
    theta = history["T"].values[-1].astype(np.float64) + 300
    rising = (np.diff(theta, axis=0) > 0).all(0)  # elsewhere a level may lie in a column twice
    assert rising.mean() > 0.5
    wanted = columns(theta, history["QVAPOR"].values[-1], isentropes.theta_level.values, log=False)
    found = isentropes["QVAPOR"].values[-1]
    np.testing.assert_allclose(found[:, rising], wanted[:, rising], rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(
        isentropes["T"].values[-1, :2][:, rising] + 300,
        [[310], [325]] * np.ones((2, rising.sum())),
        atol=1e-3,
    )
    assert np.isfinite(found[:2, rising]).all()
    assert np.isnan(found[2]).all()  # above the top


def test_statistics_are_of_every_step_since_the_frame_before(made):
    steps, statistics = only(made, "steps"), only(made, "statistics")
    for frame, (first, last) in enumerate([(0, 0), (1, 5), (6, 10)]):
        p = steps["PSFC"].values[first : last + 1].astype(np.float64)
        np.testing.assert_allclose(statistics["PSFCMEAN"].values[frame], p.mean(0), rtol=1e-7)
        np.testing.assert_array_equal(statistics["PSFCMAX"].values[frame], p.max(0))
        np.testing.assert_array_equal(statistics["PSFCMIN"].values[frame], p.min(0))
        theta = steps["T"].values[first : last + 1]
        np.testing.assert_array_equal(statistics["TMAX"].values[frame], theta.max(0))
    fell = steps["RAINNC"].values[10].astype(np.float64) - steps["RAINNC"].values[5]
    np.testing.assert_allclose(statistics["RAINNCACC"].values[2], fell, atol=1e-7)
    assert np.isnan(statistics["RAINNCACC"].values[0]).all()
    assert statistics["PSFCMEAN"].attrs["cell_methods"] == "Time: mean"


def test_frames_of_what_is_made_over_time_say_from_when_to_when(made):
    statistics, tower, steps = (only(made, name) for name in ("statistics", "tower", "steps"))
    minutes = [[0, 0], [0, 0.5], [0.5, 1]]
    for stream in (statistics, tower):
        assert stream.Time.attrs["bounds"] == "Time_bnds"
        np.testing.assert_array_equal(stream["Time_bnds"].values, minutes)
        np.testing.assert_array_equal(stream["Time_bnds"].values[:, 1], stream.Time.values)
    assert "bounds" not in steps.Time.attrs  # whose frames are moments
    assert "Time_bnds" not in steps


def test_frames_of_every_engine_say_from_when_to_when(model):
    """Those of running fields, too, which are also of the time since the frame before."""
    engines = {"zarr", "netcdf-split", "netcdf-parallel", "pnetcdf", "adios"} & set(io.engines())
    streams = "".join(
        f'\n[output.{kind}-{engine}]\ninterval = "30 s"\nframes_per_file = 9\nengine = "{engine}"\n{fields}\n'
        for engine in engines
        for kind, fields in (
            ("statistics", 'fields = ["PSFC"]\nover_time = {{ PSFC = "mean" }}'),
            ("running", 'fields = ["W_UP_MAX"]'),
        )
    )
    said, directory = model("bounds", streams=streams)
    assert said.returncode == 0, said.stderr
    for path in (p for p in directory.iterdir() if p.suffix in (".nc", ".zarr", ".bp")):
        if path.name.startswith(("statistics", "running")):
            with io.Reader(str(path)) as file:
                assert [file.read("Time_bnds", n).tolist() for n in range(3)] == [[0, 0], [0, 0.5], [0.5, 1]]
                engines.discard(path.name.split("_")[0].removeprefix("running-"))
    assert not engines


def test_averages_and_steps_in_a_row(made):
    history, zonal, tower = (only(made, name) for name in ("history", "zonal", "tower"))
    np.testing.assert_allclose(zonal["T"].values[-1], history["T"].values[-1].mean(-1), rtol=1e-5, atol=1e-5)
    assert zonal["U"].dims == ("Time", "bottom_top", "south_north")
    assert zonal["T"].attrs["cell_methods"] == "x: mean (weighted by area of cells)"
    cell = float(history.attrs["DX"])
    np.testing.assert_allclose(zonal["x_range"].values, [0, 24 * cell])
    np.testing.assert_allclose(only(made, "columns")["eta_range"].values, [1, 0])
    np.testing.assert_allclose(only(made, "corner")["x_range"].values, [2 * cell, 10 * cell])
    np.testing.assert_allclose(only(made, "heights")["west_east"].values, cell * (np.arange(24) + 0.5))
    assert tower["TMAX"].dims == ("Time", "station", "pressure_level")
    steps = only(made, "steps")
    assert (tower["TMAX"].values[-1] <= steps["T"].values.max() + 1e-3).all()
    assert np.isfinite(tower["TMAX"].values[-1]).all()


def test_a_coarser_grid_has_the_means_of_its_cells(made):
    history, coarse = only(made, "history"), only(made, "coarse")
    assert coarse["T"].dims == ("Time", "bottom_top", "south_north_coarse", "west_east_coarse")
    assert coarse["T"].attrs["cell_methods"].startswith("south_north_coarse: west_east_coarse: mean")
    assert coarse["W"].shape == (3, 17, 4, 5)  # 20 x 24 cells: the last column is of four
    for name in ("T", "W", "PSFC"):
        fine = history[name].values[-1].astype(np.float64)
        for j, i in np.ndindex(4, 5):
            wanted = fine[..., 5 * j : 5 * j + 5, 5 * i : 5 * i + 5].mean((-1, -2))
            np.testing.assert_allclose(coarse[name].values[-1][..., j, i], wanted, rtol=1e-6, atol=1e-6)


def test_averages_may_be_other_statistics(made):
    history, integrals, spread, peaks = (only(made, n) for n in ("history", "integrals", "spread", "peaks"))
    cell = history.attrs["DX"] * history.attrs["DY"]
    wanted = history["QVAPOR"].values[-1].astype(np.float64).sum((-1, -2)) * cell
    np.testing.assert_allclose(integrals["QVAPOR"].values[-1], wanted, rtol=1e-6)
    assert integrals["QVAPOR"].attrs["units"] == "kg kg-1 m2"
    assert integrals["RAINNC"].dims == ("Time",)
    for name in ("U", "W"):
        wanted = history[name].values[-1].astype(np.float64).var((-1, -2))
        np.testing.assert_allclose(spread[name].values[-1], wanted, rtol=1e-4, atol=1e-9)
        assert spread[name].attrs["units"] == "m2 s-2"
        assert spread[name].attrs["cell_methods"] == "area: variance"
    corner = history["W"].values[-1][:, :5, :5]
    np.testing.assert_array_equal(peaks["W"].values[-1][:, 0, 0], corner.max((-1, -2)))


def masses(history):
    """Of the dry air in each cell of the last frame [kg], and half of those on either side of interfaces."""
    last = {name: history[name].values[-1].astype(np.float64) for name in ("MU", "MUB")}
    thickness, c1, c2 = (
        np.reshape(history[name].values[..., :], (-1, history.sizes["bottom_top"]))[0].astype(np.float64)
        for name in ("DNW", "C1H", "C2H")
    )
    column = last["MU"] + last["MUB"]
    cells = -thickness[:, None, None] * (c1[:, None, None] * column + c2[:, None, None]) / 9.81
    cells *= float(history.attrs["DX"]) * float(history.attrs["DY"])
    none = np.zeros_like(cells[:1])
    return cells, (np.concatenate([cells, none]) + np.concatenate([none, cells])) / 2


def test_averages_over_layers_count_by_the_mass_of_the_air(made):
    history, columns, water, volume = (only(made, n) for n in ("history", "columns", "water", "volume"))
    cells, between = masses(history)
    vapour, theta, w = (history[n].values[-1].astype(np.float64) for n in ("QVAPOR", "T", "W"))

    assert columns["QVAPOR"].dims == ("Time", "south_north", "west_east")
    wanted = (vapour * cells).sum(0) / cells.sum(0)
    np.testing.assert_allclose(columns["QVAPOR"].values[-1], wanted, rtol=3e-7)
    assert columns["QVAPOR"].attrs["cell_methods"] == (
        "eta: mean (weighted by mass per area of dry air in cells)"
    )
    wanted = (w * between).sum(0) / between.sum(0)
    np.testing.assert_allclose(columns["W"].values[-1], wanted, rtol=1e-5, atol=1e-9)
    np.testing.assert_array_equal(columns["PSFC"].values[-1], history["PSFC"].values[-1])  # it has no layers
    assert "XLAT" in columns.coords or "XLAT" in columns

    assert water["QVAPOR"].dims == ("Time",)
    assert water["QVAPOR"].attrs["units"] == "kg"
    np.testing.assert_allclose(water["QVAPOR"].values[-1], (vapour * cells).sum(), rtol=3e-7)

    assert volume["T"].dims == ("Time",)
    np.testing.assert_allclose(volume["T"].values[-1], (theta * cells).sum() / cells.sum(), rtol=3e-7)
    surface = history["PSFC"].values[-1].astype(np.float64)
    wanted = (surface * cells.sum(0)).sum() / cells.sum()
    np.testing.assert_allclose(volume["PSFC"].values[-1], wanted, rtol=3e-7)
    assert volume["WMAX"].attrs["cell_methods"] == (
        "Time: maximum eta: area: mean (weighted by mass of dry air around interfaces)"
    )
    assert volume["WMAX"].values[-1] >= (w * between).sum() / between.sum()


def test_quantiles_are_those_of_the_cells_to_the_width_of_a_bin(made):
    history, quantiles, medians = (only(made, name) for name in ("history", "quantiles", "medians"))
    w = history["W"].values[-1].astype(np.float64).reshape(17, -1)
    for name, which, width in (("WP50", 0.5, 0.001), ("WP99_5", 0.995, 0.001), ("TP90", 0.9, 1)):
        field = w if name[0] == "W" else history["T"].values[-1].astype(np.float64).reshape(16, -1)
        low, high = (np.quantile(field, which, axis=-1, method=m) for m in ("lower", "higher"))
        found = quantiles[name].values[-1]
        assert ((found > low - 1.01 * width) & (found < high + 1.01 * width)).all(), name
        assert quantiles[name].attrs["quantile"] == which
        assert quantiles[name].attrs["long_name"] == f"quantile {which:g} of {name[0]}"
    assert quantiles["PSFC"].attrs["cell_methods"] == "area: mean"  # of which no quantile is asked for
    assert "W" not in quantiles
    assert medians["WP50"].dims == ("Time", "bottom_top_stag", "south_north_coarse", "west_east_coarse")
    corner = np.median(history["W"].values[-1][:, :5, :5], axis=(-1, -2))
    np.testing.assert_allclose(medians["WP50"].values[-1][:, 0, 0], corner, atol=0.0021)


def test_of_an_average_only_the_region_counts(made):
    history, corner = only(made, "history"), only(made, "corner")
    for name in ("T", "PSFC"):
        part = history[name].values[-1].astype(np.float64)[..., 3:13, 2:10].mean(-1)
        found = corner[name].values[-1]
        np.testing.assert_allclose(found[..., 3:13], part, rtol=1e-6, atol=1e-5)
        assert np.isnan(np.delete(found, np.s_[3:13], axis=-1)).all()


def test_what_rank_0_gathers_comes_to_the_same_bits(made):
    zonal, gathered = only(made, "zonal"), only(made, "gathered")
    for name in ("T", "U", "PSFC"):
        assert zonal[name].values.tobytes() == gathered[name].values.tobytes()


def test_a_plan_says_who_makes_what(model):
    stream = '\n[output.more]\ninterval = "30 s"\nfields = ["T", "PSFC"]\naverage = "zonal"\n'
    said, _ = model("plan", streams=stream + 'reduce = "gather"\n', plan=True)
    assert "2 fields made by rank 0, to which all cells are gathered" in said.stdout, said.stderr
    said, _ = model("plan", streams=stream, plan=True)
    assert "2 fields made by the ranks that hold the cells: only results travel" in said.stdout


@pytest.mark.parametrize(
    ("ranks", "settings"),
    [(2, {}), (4, {"output.stations.placement": "inline"}), (3, {"output.servers": "1"})],
)
def test_files_are_the_same_on_any_number_of_ranks(model, made, ranks, settings):
    said, directory = model(f"ranks{ranks}", ranks, **settings)
    assert said.returncode == 0, said.stderr
    for file in sorted(made.glob("*.nc")):
        if not file.name.startswith("restart"):
            assert_same_bits(file, directory / file.name)


def test_statistics_go_on_through_a_restart(model, made):
    said, directory = model("part", **{"run.restart_from": str(sorted(made.glob("restart_*"))[0])})
    assert said.returncode == 0, said.stderr
    whole, part = only(made, "statistics"), only(directory, "statistics")
    n = part.sizes["Time"]
    for name in ("PSFCMEAN", "PSFCMIN", "PSFCMAX", "TMAX", "RAINNCACC", "Time_bnds"):
        np.testing.assert_array_equal(part[name].values, whole[name].values[-n:])
    np.testing.assert_array_equal(
        only(directory, "tower")["TMAX"].values[-1], only(made, "tower")["TMAX"].values[-1]
    )


@pytest.mark.parametrize(
    ("stream", "says"),
    [
        ('fields = ["T"]\nstations = "nowhere.csv"', "nowhere.csv"),
        ('fields = ["T"]\ntrajectories = "nowhere.csv"', "there is no file"),
        ('fields = ["T"]\ntrajectories = "stations.csv"', "no column `time`"),
        ('fields = ["W"]\ntrajectories = "aircraft.csv"', "W lies between the layers"),
        ('fields = ["PSFC"]\ntrajectories = "aircraft.csv"', "PSFC has no height"),
        ('fields = ["T"]\ntrajectories = "ships.csv"\nstations = "stations.csv"', "exclude each other"),
        ('fields = ["T"]\ntrajectories = "ships.csv"\nover_time = {{ T = "max" }}', "where places move"),
        ('fields = ["T"]\nover_time = {{ T = "maen" }}', 'there is no method "maen"; did you mean "mean"?'),
        (
            'fields = ["T"]\nover_time = {{ T2 = "mean" }}',
            "the stream has no field T2; name it in `fields`, too",
        ),
        ('fields = ["T"]\npressure_levels = ["850 hPa"]\nheight_levels = ["1 km"]', "exclude each other"),
        ('fields = ["T"]\npressure_levels = [850]', "has no unit"),
        ('fields = ["W"]\ntheta_levels = ["320 K"]', "W lies between the layers"),
        ('fields = ["T"]\nover_time = {{ T = "max" }}\nsample = "9 s"', "not a whole number of time steps"),
        ('fields = ["T"]\ncoarsen = 2\nregion = [0, 3, 0, 3]', "cuts the grid"),
        ('fields = ["T"]\nsample = "6 s"', "has no effect without"),
        ('fields = ["T"]\ncoarsen = 4\naverage = "zonal"', "exclude each other"),
        ('fields = ["U"]\ncoarsen = 4', "U lies on faces, not on cells; take wind_east"),
        ('fields = ["T"]\nlonlatbox = [0, 1, 0, 1]', "of an idealised case take region"),
        ('fields = ["T"]\naverage = "zonal"\nreduce = "servers"', "It is one of ranks, gather"),
        ('fields = ["T"]\nweight = "area"', "without output.more.average or output.more.coarsen"),
        ('fields = ["T"]\ncoarsen = 2\nstatistic = "max"\nweight = "area"', "has no meaning for"),
        ('fields = ["T"]\ncoarsen = 2\nquantiles = {{ T = "0.5" }}', "0.5 0.99 of 600 bins from 0 to 60"),
        (
            'fields = ["T"]\ncoarsen = 2\nquantiles = {{ T = "1.5 of 9 bins from 0 to 1" }}',
            "wanted are quantiles from 0 to 1",
        ),
        (
            'fields = ["T"]\ncoarsen = 2\nquantiles = {{ W = "0.5 of 9 bins from 0 to 1" }}',
            "the stream has no field W",
        ),
        (
            'fields = ["T"]\ncoarsen = 2\nweight = "area"\nquantiles = {{ T = "0.5 of 9 bins from 0 to 1" }}',
            "cells count alike in quantiles",
        ),
        ('fields = ["T"]\nquantiles = {{ T = "0.5 of 9 bins from 0 to 1" }}', "has no effect without"),
        ('fields = ["T"]\naverage = "domain"\nmask = "land"', "needs the land of an initial file"),
        ('fields = ["U"]\naverage = "domain"\nregion = [0, 3, 0, 3]', "U lies on faces, not on cells"),
        ('fields = ["T"]\nstations = "stations.csv"\nstations_outside = "leave-out"', "places_outside"),
        ('fields = ["T"]\naverage = "column"\nweight = "area"', "the cells of a column have the same"),
        ('fields = ["T"]\naverage = "column"\nregion = [0, 3, 0, 3]', "is made whole; remove it"),
        ('fields = ["U"]\naverage = "volume"\nweight = "mass"', "U lies on faces, whose mass is not known"),
        (
            'fields = ["T"]\naverage = "volume"\npressure_levels = ["500 hPa"]',
            "is over the model's layers, which output.more.pressure_levels replaces",
        ),
        ('fields = ["T"]\nstatistic = "max"', "without output.more.average or output.more.coarsen"),
    ],
)
def test_what_cannot_be_made_is_refused_before_the_first_step(model, stream, says):
    said, directory = model("refused", streams=f'\n[output.more]\ninterval = "30 s"\n{stream}\n')
    assert said.returncode != 0
    assert says in said.stderr.replace("\n", " "), said.stderr
    assert not list(directory.glob("*.nc"))


def test_platforms_that_leave_the_domain_are_named_or_missing(model, tmp_path):
    table = tmp_path / "far.csv"
    table.write_text("name,time,x,y\nballoon,0,3000,5000\nballoon,30,1e9,0\nlate,1e6,3000,5000\n")
    stream = f'\n[output.more]\ninterval = "30 s"\nfields = ["PSFC"]\ntrajectories = "{table}"\n'
    said, _ = model("far", streams=stream)
    assert said.returncode != 0
    assert "no time of late while the run lasts" in said.stderr.replace("\n", " "), said.stderr
    table.write_text("name,time,x,y\nballoon,0,3000,5000\nballoon,30,1e9,0\n")
    said, _ = model("far", streams=stream)
    assert said.returncode != 0
    assert "lie: balloon at " in said.stderr.replace("\n", " "), said.stderr
    said, directory = model("far", streams=stream + 'places_outside = "leave-out"\n')
    assert said.returncode == 0, said.stderr
    there = np.isfinite(only(directory, "more")["PSFC"].values[:, 0])
    assert there.tolist() == [True, False, False]


def test_places_outside_are_named_or_left_out(model, tmp_path):
    table = tmp_path / "far.csv"
    table.write_text("name,x,y\nhere,3000,5000\nnowhere,1e9,0\n")
    stream = f'\n[output.more]\ninterval = "30 s"\nfields = ["PSFC"]\nstations = "{table}"\n'
    said, _ = model("outside", streams=stream)
    assert said.returncode != 0
    assert "lie: nowhere; remove them" in said.stderr.replace("\n", " "), said.stderr
    said, directory = model("outside", streams=stream + 'places_outside = "leave-out"\n')
    assert said.returncode == 0, said.stderr
    assert list(only(directory, "more").station_name.values) == ["here"]


def test_tens_of_thousands_of_stations_are_written_every_step(model, made, tmp_path):
    rng = np.random.default_rng(1)
    i, j = rng.uniform(0, 23, 30000), rng.uniform(0, 19, 30000)
    table = tmp_path / "many.csv"
    rows = (f"s{n},{x:.6f},{y:.6f}" for n, (x, y) in enumerate(zip(i, j, strict=True)))
    table.write_text("\n".join(["name,i,j", *rows]))
    stream = (
        f'\n[output.more]\ninterval = "6 s"\nframes_per_file = 11\nfields = ["PSFC"]\nstations = "{table}"\n'
    )
    said, directory = model("many", ranks=2, streams=stream)
    assert said.returncode == 0, said.stderr
    found = only(directory, "more")["PSFC"].values
    assert found.shape == (11, 30000)
    pressure = only(made, "history")["PSFC"].values[-1]
    wanted = [bilinear(pressure, b, a) for a, b in zip(i[::100], j[::100], strict=True)]
    np.testing.assert_allclose(found[-1, ::100], wanted, rtol=2e-6)


def test_names_of_stations_in_zarr_are_texts_to_any_reader(model, tmp_path):
    table = tmp_path / "places.csv"
    table.write_text("name,x,y\nhere,3000,5000\nKarup Å,4000,5000\n")
    stream = f'\n[output.more]\ninterval = "30 s"\nfields = ["PSFC"]\nstations = "{table}"\nengine = "zarr"\n'
    said, directory = model("texts", streams=stream)
    assert said.returncode == 0, said.stderr
    *_, store = directory.glob("more*.zarr")
    with xr.open_zarr(store, consolidated=False) as opened:
        assert list(opened.station_name.values) == ["here", "Karup Å"]
