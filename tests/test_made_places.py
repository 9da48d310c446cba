"""Streams at places that the grid does not know: stations, ships, aircraft."""

import numpy as np
import pytest
import xarray as xr

from made_streams import bilinear, only

pytestmark = pytest.mark.regression


def test_stations_are_between_the_cells_around_them(made):
    history, stations = only(made, "history"), only(made, "stations")
    assert list(stations.station_name.values) == ["corner", "on a cell", "between", "far"]
    assert stations["T"].dims == ("Time", "station", "bottom_top")
    assert stations["W"].dims == ("Time", "station", "bottom_top_stag")
    assert stations.sizes["Time"] == 6
    for n, (j, i) in enumerate([(0, 0), (5, 7), (8.5, 11.25), (18.75, 22)]):
        for name, by_j, by_i in (("T", 0, 0), ("W", 0, 0), ("U", 0, 0.5), ("V", 0.5, 0), ("PSFC", 0, 0)):
            wanted = bilinear(history[name].values[-1], j + by_j, i + by_i)
            np.testing.assert_allclose(stations[name].values[-1, n], wanted, rtol=2e-6, atol=2e-6)


def test_stations_may_be_the_nearest_cells(made):
    history, nearest = only(made, "history"), only(made, "at_cells")
    for n, (j, i) in enumerate([(0, 0), (5, 7), (9, 11), (19, 22)]):
        for name in ("T", "PSFC"):
            np.testing.assert_array_equal(nearest[name].values[-1, n], history[name].values[-1][..., j, i])


def test_stations_have_their_own_altitude_beside_the_models_ground(made_model, tmp_path):
    table, stream = (
        tmp_path / "high.csv",
        '\n[output.high]\ninterval = "30 s"\nfields = ["PSFC"]\nstations = "{}"\n',
    )
    table.write_text("name,i,j,altitude\nvalley,3,4,-12.5\npeak,5,7,2962\n")
    said, directory = made_model("high", streams=stream.format(table))
    assert said.returncode == 0, said.stderr
    stations = only(directory, "high")
    assert stations["station_altitude"].values.tolist() == [-12.5, 2962]
    assert stations["station_altitude"].attrs["standard_name"] == "altitude"
    assert stations["altitude"].values.tolist() == [0, 0]
    assert stations["altitude"].attrs["standard_name"] == "surface_altitude"
    table.write_text("name,i,j,altitude\nvalley,3,4,low\n")
    said, _ = made_model("low", streams=stream.format(table))
    assert 'high.csv:2: "low" is not a number' in said.stderr


def test_derived_fields_at_stations_are_those_of_everywhere(made_model, tmp_path):
    """They are made of the cells around the stations alone."""
    stream = '\n[output.{}]\ninterval = "30 s"\nfields = ["derived", "T"]\n{}frames_per_file = 3\n'
    at = 'stations = "stations.csv"\ninterpolation = "nearest"\n'
    streams = stream.format("everywhere", "") + stream.format("at", at)
    said, directory = made_model("derived", ranks=2, streams=streams)
    assert said.returncode == 0, said.stderr
    everywhere, stations = only(directory, "everywhere"), only(directory, "at")
    compared = 0
    for name, there in everywhere.data_vars.items():
        if name in stations and there.dims[-2:] == ("south_north", "west_east") and there.dims[0] == "Time":
            wanted = [there.values[..., j, i] for j, i in [(0, 0), (5, 7), (9, 11), (19, 22)]]
            np.testing.assert_array_equal(stations[name].values, np.stack(wanted, axis=1), err_msg=name)
            compared += 1
    assert compared > 30, compared


def test_ships_have_the_columns_above_them_wherever_they_are(made):
    history, ships, columns = (only(made, name) for name in ("history", "ships", "under_way"))
    dx = history.attrs["DX"]
    assert columns["bottom_top"].attrs["standard_name"] == "model_level_number"
    np.testing.assert_array_equal(columns["bottom_top"].values, np.arange(1, 17))
    np.testing.assert_array_equal(ships["bottom_top_stag"].values, np.arange(17) + 0.5)
    np.testing.assert_array_equal(columns["T"].values[-1], ships["T"].values[-1])
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


def test_platforms_that_leave_the_domain_are_named_or_missing(made_model, tmp_path):
    table = tmp_path / "far.csv"
    table.write_text("name,time,x,y\nballoon,0,3000,5000\nballoon,30,1e9,0\nlate,1e6,3000,5000\n")
    stream = f'\n[output.more]\ninterval = "30 s"\nfields = ["PSFC"]\ntrajectories = "{table}"\n'
    said, _ = made_model("far", streams=stream)
    assert said.returncode != 0
    assert "no times of late during the run" in said.stderr.replace("\n", " "), said.stderr
    table.write_text("name,time,x,y\nballoon,0,3000,5000\nballoon,30,1e9,0\n")
    said, _ = made_model("far", streams=stream)
    assert said.returncode != 0
    assert "outermost cells: balloon at " in said.stderr.replace("\n", " "), said.stderr
    said, directory = made_model("far", streams=stream + 'places_outside = "leave-out"\n')
    assert said.returncode == 0, said.stderr
    there = np.isfinite(only(directory, "more")["PSFC"].values[:, 0])
    assert there.tolist() == [True, False, False]


def test_places_outside_are_named_or_left_out(made_model, tmp_path):
    table = tmp_path / "far.csv"
    table.write_text("name,x,y\nhere,3000,5000\nnowhere,1e9,0\n")
    stream = f'\n[output.more]\ninterval = "30 s"\nfields = ["PSFC"]\nstations = "{table}"\n'
    said, _ = made_model("outside", streams=stream)
    assert said.returncode != 0
    assert "outermost cells: nowhere; remove them" in said.stderr.replace("\n", " "), said.stderr
    said, directory = made_model("outside", streams=stream + 'places_outside = "leave-out"\n')
    assert said.returncode == 0, said.stderr
    assert list(only(directory, "more").station_name.values) == ["here"]


def test_tens_of_thousands_of_stations_are_written_every_step(made_model, made, tmp_path):
    rng = np.random.default_rng(1)
    i, j = rng.uniform(0, 23, 30000), rng.uniform(0, 19, 30000)
    table = tmp_path / "many.csv"
    rows = (f"s{n},{x:.6f},{y:.6f}" for n, (x, y) in enumerate(zip(i, j, strict=True)))
    table.write_text("\n".join(["name,i,j", *rows]))
    stream = (
        f'\n[output.more]\ninterval = "6 s"\nframes_per_file = 11\nfields = ["PSFC"]\nstations = "{table}"\n'
    )
    said, directory = made_model("many", ranks=2, streams=stream)
    assert said.returncode == 0, said.stderr
    found = only(directory, "more")["PSFC"].values
    assert found.shape == (11, 30000)
    pressure = only(made, "history")["PSFC"].values[-1]
    wanted = [bilinear(pressure, b, a) for a, b in zip(i[::100], j[::100], strict=True)]
    np.testing.assert_allclose(found[-1, ::100], wanted, rtol=2e-6)


def test_names_of_stations_in_zarr_are_texts_to_any_reader(made_model, tmp_path):
    table = tmp_path / "places.csv"
    table.write_text("name,x,y\nhere,3000,5000\nKarup Å,4000,5000\n")
    stream = f'\n[output.more]\ninterval = "30 s"\nfields = ["PSFC"]\nstations = "{table}"\nengine = "zarr"\n'
    said, directory = made_model("texts", streams=stream)
    assert said.returncode == 0, said.stderr
    *_, store = directory.glob("more*.zarr")
    with xr.open_zarr(store, consolidated=False) as opened:
        assert list(opened.station_name.values) == ["here", "Karup Å"]
