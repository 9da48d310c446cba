"""Reading a run's history."""

import os
import shutil

import numpy as np
import pytest
import xarray as xr

from squall import diagnose, locate
from squall.errors import UserError
from squall.reader import frames, history_file, lazy_variable
from squall.reader.dataset import history_files, open_run

pytestmark = pytest.mark.regression


def test_frames_of_all_files_follow_each_other_in_time(channel):
    history = open_run(channel)
    assert history.sizes["Time"] == 6
    assert history["elapsed"].values.tolist() == [86400.0 * day for day in range(6)]
    assert history["XTIME"].values[-1] == np.datetime64("2000-01-06T00:00:00")
    assert history.attrs["CASE"] == "baroclinic-wave"


@pytest.mark.parametrize(
    "index",
    [
        {"Time": -1, "bottom_top": 2},
        {"Time": slice(1, 4), "south_north": 7},
        {"Time": [0, 3, 5], "west_east": [1, 19]},
        {"Time": slice(None, None, -1), "bottom_top": slice(0, 8, 3)},
    ],
)
def test_what_is_indexed_is_what_the_files_hold(channel, index):
    parts = [xr.open_dataset(file)["T"] for file in history_files(channel)]
    whole = xr.concat(parts, "Time")
    np.testing.assert_array_equal(open_run(channel)["T"].isel(index).values, whole.isel(index).values)


def test_values_are_read_only_when_asked_for(channel, monkeypatch):
    history = open_run(channel)
    read = []
    monkeypatch.setattr(
        lazy_variable._Frames, "_frame", lambda self, frame, rest: read.append(frame) or np.zeros(())
    )
    history["T"].isel(Time=3, bottom_top=0, south_north=0, west_east=0).load()
    assert [frame.file.name for frame in read] == ["history_d01_2000-01-04_00-00-00.nc"]


def test_opened_again_only_what_is_new_or_was_changed_is_asked_for_its_times(channel, tmp_path, monkeypatch):
    run = tmp_path / "run"
    shutil.copytree(channel, run)
    files = history_files(run)
    for file in files:
        os.utime(file, (file.stat().st_atime, file.stat().st_mtime - 60))
    opened = []
    plain = frames.open_file
    monkeypatch.setattr(frames, "open_file", lambda file: opened.append(file) or plain(file))
    open_run(run)
    assert opened == [*files, files[0]]  # the first for what it holds
    opened.clear()
    shutil.copyfile(files[2], files[1])  # a restart has written it again, with another time
    history = open_run(run)
    assert opened == [files[1], files[0]]
    assert history["elapsed"].values.tolist() == [86400.0 * day for day in (0, 2, 3, 4, 5)]


def test_a_directory_without_history_says_what_was_looked_for(tmp_path):
    with pytest.raises(UserError, match=r"no history files of domain 1 \(history_\[0-9\]\*, history_d01_\*"):
        open_run(tmp_path)


def test_a_broken_file_is_named(tmp_path):
    (tmp_path / "history_d01_2000-01-01_00-00-00.nc").write_text("not netCDF")
    with pytest.raises(UserError, match=r"history_d01_2000-01-01_00-00-00\.nc cannot be read as a history"):
        open_run(tmp_path)


def test_a_file_that_breaks_after_it_was_opened_is_named(channel, tmp_path):
    run = shutil.copytree(channel, tmp_path / "run")
    history = open_run(run)
    history_files(run)[3].write_text("not netCDF")
    with pytest.raises(UserError, match=r"2000-01-04_00-00-00\.nc cannot be read as a history"):
        history["T"].isel(Time=3).load()


def test_a_damaged_field_of_an_engine_is_a_message_that_names_its_file(channel, tmp_path, squall):
    try:
        locate.io_binary()
        locate.io_library()
    except UserError:
        pytest.skip("the output runtime is not built (make build)")
    store = tmp_path / "history.zarr"
    if squall("convert", history_files(channel)[0], store).returncode != 0:
        pytest.skip("this build has no engine zarr")
    [shard] = [file for file in (store / "T").rglob("*") if file.is_file() and file.name != "zarr.json"]
    shard.write_bytes(b"\0" * shard.stat().st_size)
    told = squall("plot", store, "--field", "theta")
    assert told.returncode == 2
    assert told.stderr.startswith(f"squall: {store} cannot be read as a history: ")


def test_centring_a_staggered_field_is_the_mean_of_neighbours():
    u = xr.DataArray(np.arange(12.0).reshape(3, 4), dims=("south_north", "west_east_stag"))
    assert diagnose.centred(u).dims == ("south_north", "west_east")
    np.testing.assert_allclose(diagnose.centred(u).values[1], [4.5, 5.5, 6.5])


def test_derived_fields_have_the_values_of_their_definitions(channel):
    frame = open_run(channel).isel(Time=2)
    theta = diagnose.field(frame, "theta")
    np.testing.assert_allclose(diagnose.field(frame, "wind_speed").values, 5.0, rtol=1e-6)
    exner = 1 - 9.81 * 1000 / (1004.5 * 300)  # the lowest of 8 layers of 2000 m, isentropic
    np.testing.assert_allclose(
        diagnose.field(frame, "air_temperature").values[0], theta.values[0] * exner, rtol=1e-5
    )
    np.testing.assert_allclose(
        diagnose.field(frame, "height").values[:, 3, 3], 1000 + 2000 * np.arange(8), rtol=1e-6
    )


def test_a_field_is_interpolated_to_a_height(channel):
    frame = open_run(channel).isel(Time=0)
    at = diagnose.on_height(frame, diagnose.field(frame, "height"), 4321.0)
    np.testing.assert_allclose(at.values, 4321.0, rtol=1e-6)
    above = diagnose.on_height(frame, diagnose.field(frame, "theta"), 19000.0)
    assert np.isnan(above.values).all()


def test_an_unknown_field_names_the_nearest_and_lists_all(channel):
    with pytest.raises(
        UserError, match=r"no field wind_sped. Did you mean wind_speed\? Its fields are theta, .*MU"
    ):
        diagnose.field(open_run(channel).isel(Time=0), "wind_sped")


def test_without_the_output_runtime_a_zarr_store_is_read_by_the_package_zarr(channel, tmp_path, monkeypatch):
    """As in an installation for analysis only."""
    pytest.importorskip("zarr", minversion="3")
    from squall.reader import history_file

    with xr.open_dataset(sorted(channel.glob("history*"))[2], decode_cf=False) as data:
        kept = data.drop_encoding().drop_vars("Times")
        kept.to_zarr(tmp_path / "history.zarr", zarr_format=3, consolidated=False)
        monkeypatch.setenv("SQUALL_IO_LIBRARY", "/nowhere/libsquall_io.so")
        history_file._has_runtime.cache_clear()
        try:
            history = open_run(tmp_path / "history.zarr")
            assert history["elapsed"].values.tolist() == [2 * 86400.0]
            np.testing.assert_array_equal(history["T"].isel(Time=0, bottom_top=3), data["T"][0, 3])
        finally:
            history_file._has_runtime.cache_clear()


def test_files_are_opened_once_for_a_piece_of_work_and_then_let_go(channel, monkeypatch):
    opened, files = [], history_files(channel)
    plain = history_file._open
    monkeypatch.setattr(history_file, "_open", lambda path: opened.append(plain(path)) or opened[-1])
    history = open_run(channel)
    opened.clear()
    with history_file.kept_open():
        kept = history[["T", "U", "W"]].isel(south_north=3).load()
    assert len(opened) == len(files)
    assert not any(data.isopen() for data in opened)
    opened.clear()
    again = open_run(channel)[["T", "U", "W"]].isel(south_north=3)
    opened.clear()
    xr.testing.assert_identical(again.load(), kept)
    assert len(opened) == 3 * len(files)
