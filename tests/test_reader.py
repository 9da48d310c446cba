"""Opening runs by xarray, whatever wrote them, while they are written and after."""

import json
import pickle
import shutil
from concurrent.futures import ThreadPoolExecutor

import cf_xarray  # noqa: F401  (its accessor)
import dask
import numpy as np
import pytest
import xarray as xr

from growing_run import ENGINES, GrowingRun, needs, temperature
from squall.errors import UserError
from squall.reader.backend import SquallBackend
from squall.reader.dataset import open_run
from squall.reader.stored_pieces import grown, shards

pytestmark = pytest.mark.regression


@pytest.mark.parametrize("per_file", [1, 50])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_that_is_opened_again_has_the_frames_that_came_meanwhile(tmp_path, engine, per_file):
    needs(engine)
    if per_file > 1 and engine != "zarr":
        per_file = 2  # others show a file when it is full
    with GrowingRun(tmp_path / "run", engine, per_file) as run:
        seen = []
        for _ in range(4):
            run.add()
            if list(run.directory.glob("history_*[0-9]")):
                history = open_run(run.directory)
                seen.append(history.sizes["Time"])
                np.testing.assert_array_equal(history["T"][-1], temperature(seen[-1] - 1))
                np.testing.assert_array_equal(history["T"][0], temperature(0))
    assert seen == ([1, 2, 3, 4] if per_file != 2 else [2, 2, 4])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_that_is_made_again_is_read_anew(tmp_path, engine):
    needs(engine)
    for frames in (3, 2):
        with GrowingRun(tmp_path / "run", engine, 50 if engine == "zarr" else 1) as run:
            for _ in range(frames):
                run.add()
        assert open_run(run.directory).sizes["Time"] == frames
        open_run(run.directory)["T"].load()
        shutil.rmtree(run.directory)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run of every engine of this build, with the same three frames."""
    made = {}
    for engine in ENGINES:
        needs(engine)
        with GrowingRun(tmp_path_factory.mktemp(engine) / "run", engine, 2) as run:
            for _ in range(3):
                run.add()
        made[engine] = run.directory
    return made


@pytest.mark.parametrize("engine", ENGINES)
def test_xarray_opens_a_run_as_the_same_dataset_whatever_wrote_it(runs, engine):
    expected = open_run(runs["netcdf"]).load()
    with dask.config.set(scheduler="threads"):
        found = xr.open_dataset(runs[engine], engine="squall", chunks={})
        xr.testing.assert_identical(found.load(), expected)
        one = xr.open_dataset(next(iter(sorted(runs[engine].glob("history_*")))), engine="squall")
        xr.testing.assert_identical(one.load(), expected.isel(Time=slice(2)))
    assert found.indexes["Time"].is_unique
    np.testing.assert_array_equal(found["T"].sel(Time="2000-01-01T00:01").squeeze(), temperature(1))


@pytest.mark.parametrize("engine", ENGINES)
def test_xarray_finds_by_itself_who_opens_a_run_but_not_files_that_others_open(runs, engine, tmp_path):
    assert xr.open_dataset(runs[engine]).sizes["Time"] == 3
    backend = SquallBackend()
    file = next(iter(sorted(runs[engine].glob("history_*"))))
    assert backend.guess_can_open(file) == (engine != "netcdf")
    if engine == "zarr":  # which others know by its ending
        shutil.copytree(file, tmp_path / "run" / "history.zarr")
        (tmp_path / "run" / "history.manifest.jsonl").touch()
        assert not backend.guess_can_open(tmp_path / "run" / "history.zarr")


def test_nothing_of_somebody_else_is_claimed(tmp_path):
    backend = SquallBackend()
    (tmp_path / "a.zarr").mkdir()
    (tmp_path / "a.zarr" / "zarr.json").write_text("{}")
    (tmp_path / "b.bp").mkdir()
    (tmp_path / "b.bp" / "md.idx").write_text("")
    (tmp_path / "c.nc").write_bytes(b"CDF\x01")
    for other in (tmp_path, tmp_path / "a.zarr", tmp_path / "b.bp", tmp_path / "c.nc", "https://x/y", b"CDF"):
        assert not backend.guess_can_open(other)


def test_options_of_xarray_are_heeded(runs):
    raw = xr.open_dataset(runs["netcdf"], engine="squall", decode_times=False, drop_variables=["T"])
    assert raw["XTIME"].values.tolist() == [0, 1, 2]
    assert "T" not in raw
    assert xr.open_dataset(runs["netcdf"], engine="squall", decode_cf=False)["XTIME"].attrs["units"]
    with pytest.raises(UserError, match="no winds files"):
        xr.open_dataset(runs["netcdf"], engine="squall", stream="winds")


def test_chunks_follow_the_shards_of_a_store_and_the_frames_of_files(tmp_path):
    array = {"node_type": "array", "dimension_names": ["Time", "bottom_top", "south_north", "west_east"],
             "chunk_grid": {"configuration": {"chunk_shape": [16, 60, 250, 2000]}}}  # fmt: skip
    document = {"consolidated_metadata": {"metadata": {"T": array}}}
    (tmp_path / "zarr.json").write_text(json.dumps(document))
    assert shards(tmp_path) == {"T": (1, 60, 250, 2000)}
    dims, f4 = ("Time", "bottom_top", "south_north", "west_east"), np.dtype("f4")
    assert grown(dims, (9, 50, 100, 100), f4, None) == (1, 50, 100, 100)
    assert grown(dims, (9, 60, 2000, 2000), f4, None) == (1, 2, 2000, 2000)  # 32 MB
    assert grown(dims, (9, 60, 2000, 2000), f4, (1, 1, 500, 500)) == (1, 2, 2000, 2000)
    assert grown((), (), f4, None) == ()


def test_a_lazy_dataset_travels_to_other_processes(runs):
    lazy = xr.open_dataset(runs["zarr"], engine="squall")
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(lazy))["T"][2], temperature(2))


def test_many_threads_may_read_one_run(runs):
    for directory in runs.values():
        history = open_run(directory)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda n, h=history: h["T"].isel(Time=n % 3).values, range(60)))
        for n, values in enumerate(found):
            np.testing.assert_array_equal(values, temperature(n % 3))


def test_cf_xarray_knows_time_and_fields_by_their_names(runs):
    history = xr.open_dataset(runs["zarr"], engine="squall")
    assert history.cf.axes["T"] == ["Time"] or "Time" in history.cf.axes["T"]
    assert "Time" in history.cf.standard_names["time"]
