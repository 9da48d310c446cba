"""When the frames of a history are, whoever wrote it: restarted runs, files that were cut or written again,
and those of which one of WRF's two times is missing or of no use."""

import netCDF4
import numpy as np
import pytest
import xarray as xr

import squall
from squall.errors import UserError
from squall.plot import times
from squall.prepare.sources import history as of_prepare
from squall.reader.dataset import as_history, open_run
from squall.watch.run import Run

pytestmark = pytest.mark.regression


def _valid(history):
    return [times.valid(history, float(seconds)) for seconds in history["elapsed"]]


SATURDAY = ["Sun 28 Aug 2005 00:00 UTC", "Sun 28 Aug 2005 03:00 UTC"]


def test_a_restarted_run_is_dated_by_what_xtime_counts_from_and_not_by_start_date(trial, squall):
    file = trial("04-valid-time-of-restarted-wrf", "wrfout_restarted.nc")
    history = open_run(file)
    assert history["elapsed"].values.tolist() == [43200.0, 54000.0]
    assert times.headline(history.isel(Time=1)) == (
        "Valid Sun 28 Aug 2005 15:00 UTC (+15 h from Sun 28 Aug 2005 00:00 UTC)"
    )
    said = squall("plot", file, "--field", "T2", "--time", "2005-08-28 18:00")
    assert said.returncode == 2
    assert "the frames range from Sun 28 Aug 2005 12:00 UTC to Sun 28 Aug 2005 15:00 UTC" in said.stderr
    source = Run(file).source("history", 1)
    assert source.valid(source.elapsed[1]) == np.datetime64("2005-08-28T15:00").astype("M8[s]").astype(float)


def test_a_dataset_that_xarray_opened_has_the_same_dates(trial):
    with xr.open_dataset(trial("04-valid-time-of-restarted-wrf", "wrfout_restarted.nc")) as data:
        history = as_history(data.load())
    assert times.headline(history.isel(Time=1)) == (
        "Valid Sun 28 Aug 2005 15:00 UTC (+15 h from Sun 28 Aug 2005 00:00 UTC)"
    )


def test_a_history_without_xtime_is_dated_by_times(trial, squall, tmp_path):
    file = trial("11-history-without-xtime", "wrfout_no_xtime.nc")
    with xr.open_dataset(file, engine="squall") as data:
        dates = data["XTIME"].values.astype("datetime64[s]")
        assert dates.tolist() == [np.datetime64(t).item() for t in ("2005-08-28T00", "2005-08-28T03")]
        assert data["elapsed"].values.tolist() == [0.0, 10800.0]
    said = squall("plot", file, "--field", "T2", "-o", tmp_path / "t2.png")
    assert said.returncode == 0, said.stderr
    assert Run(file).source("history", 1).elapsed.tolist() == [0.0, 10800.0]
    assert of_prepare.is_history(file)


def _char(times):
    return netCDF4.stringtochar(np.array(times, f"S{max(map(len, times))}"))


def _times_as(path, kind, texts):
    """Writes Times anew, as others write it."""
    with xr.open_dataset(path, decode_cf=False) as data:
        rest = data.drop_vars("Times").load()
    if kind == "string":
        rest["Times"] = ("Time", np.array(texts, object))
    elif kind == "bytes":
        rest["Times"] = ("Time", np.array(texts, "S"))
    else:
        rest["Times"] = (("Time", "letters"), _char(texts))
    path.unlink()
    rest.to_netcdf(path)


@pytest.mark.parametrize("kind", ["string", "bytes", "letters"])
@pytest.mark.parametrize(
    "texts",
    [
        ("2005-08-28_00:00:00", "2005-08-28_03:00:00"),
        ("2005-08-28 00:00:00", "2005-08-28 03:00:00"),
        ("2005-08-28T00:00:00Z", "2005-08-28T03:00:00Z"),
        ("2005-08-28_00:00:00.0000", "2005-08-28_03:00:00.0000"),
        ("2005-08-28_00:00:00    ", "2005-08-28_03:00:00"),
        ("2005-08-28_00:00", "2005-08-28_03:00"),
    ],
)
def test_times_are_read_however_they_are_written(wrfout, tmp_path, kind, texts):
    file = wrfout(tmp_path / "wrfout.nc", drop=("XTIME",))
    _times_as(file, kind, texts)
    assert _valid(open_run(file)) == SATURDAY
    assert open_run(file)["T2"].shape == (2, 10, 12)


@pytest.mark.parametrize(
    ("units", "values"),
    [
        ("hours since 2005-08-28 00:00:00", (0, 3)),
        ("hours since 2005-08-28", (0, 3)),
        ("seconds since 2005-08-27T12:00:00", (43200, 54000)),
        ("minutes since 2005-08-28_00:00:00", (0, 180)),
        ("days since 2005-08-27 18:00", (0.25, 0.375)),
        ("min since 2005-08-28 00:00:00", (0, 180)),
        ("minutes since simulation start", (0, 180)),
        ("minutes", (0, 180)),
        ("", (0, 180)),
        ("fortnights since 2005-08-28 00:00:00", (0, 1)),
        ("minutes since 0000-00-00 00:00:00", (0, 180)),
        ("minutes since 2001-01-01 00:00:00", (0, 180)),  # a moment that is none of this run's
        ("minutes since 2005-08-28 00:00:00", (0, 0)),  # as input files that were joined
    ],
)
@pytest.mark.parametrize("dtype", ["f4", "i8"])
def test_dates_come_right_whatever_xtime_is(wrfout, tmp_path, units, values, dtype):
    if dtype == "i8" and any(value % 1 for value in values):
        pytest.skip("no whole numbers")
    file = wrfout(tmp_path / "wrfout.nc")
    with xr.open_dataset(file, decode_cf=False) as data:
        changed = data.load()
    file.unlink()
    changed["XTIME"] = ("Time", np.array(values, dtype), {"units": units})
    changed.to_netcdf(file)
    history = open_run(file)
    assert _valid(history) == SATURDAY
    if history["XTIME"].dtype.kind == "M":
        assert str(history["XTIME"].values[1])[:16] == "2005-08-28T03:00"


@pytest.mark.parametrize("start", ["", "0000-00-00_00:00:00", "2005-08-28_12:00:00"])
def test_start_date_dates_no_frame(wrfout, tmp_path, start):
    file = wrfout(tmp_path / "wrfout.nc", start=start, simulation_start=start or " ")
    assert _valid(open_run(file)) == SATURDAY


def test_without_xtime_the_start_is_that_of_the_simulation(wrfout, tmp_path):
    file = wrfout(
        tmp_path / "wrfout.nc", drop=("XTIME",), start="2005-08-28_12:00:00", xtime=(0, 1),
        simulation_start="2005-08-28_00:00:00", times=("2005-08-28_12:00:00", "2005-08-28_15:00:00"),
    )  # fmt: skip
    history = open_run(file)
    assert history["elapsed"].values.tolist() == [43200.0, 54000.0]
    assert _valid(history)[1] == "Sun 28 Aug 2005 15:00 UTC"


def test_a_frame_that_was_begun_and_not_written_is_left_out(wrfout, tmp_path):
    history = open_run(wrfout(tmp_path / "wrfout.nc", xtime_values=(0.0, 9.96921e36)))
    assert _valid(history) == SATURDAY[:1]


def test_one_time_without_the_dimension_time(wrfout, tmp_path):
    """As xarray's isel(Time=0) and ncwa leave a file."""
    with xr.open_dataset(wrfout(tmp_path / "all.nc"), decode_cf=False) as data:
        data.isel(Time=1).drop_encoding().to_netcdf(tmp_path / "one.nc")
    history = open_run(tmp_path / "one.nc")
    assert history["T2"].dims == ("Time", "south_north", "west_east")
    assert _valid(history) == SATURDAY[1:]
    with xr.open_dataset(tmp_path / "all.nc", decode_cf=False) as data:
        np.testing.assert_array_equal(history["T2"][0], data["T2"][1])
        np.testing.assert_array_equal(history["U"][0, 2:4, :, 5], data["U"][1, 2:4, :, 5])


@pytest.mark.parametrize("name", ["time", "XTIME"])
def test_the_dimension_of_time_may_have_another_name(wrfout, tmp_path, name):
    """As salem's and CDO's."""
    with xr.open_dataset(wrfout(tmp_path / "wrf.nc")) as data:
        other = data.drop_vars("Times").drop_encoding()
        other = other.rename(XTIME="time", Time="time") if name == "time" else other.swap_dims(Time="XTIME")
        other.to_netcdf(tmp_path / "other.nc")
    history = open_run(tmp_path / "other.nc")
    assert history["T2"].dims == ("Time", "south_north", "west_east")
    assert _valid(history) == SATURDAY


def test_the_dimension_of_time_may_stand_anywhere(wrfout, tmp_path):
    with xr.open_dataset(wrfout(tmp_path / "wrf.nc"), decode_cf=False) as data:
        data.transpose(..., "Time").assign(Times=data["Times"]).to_netcdf(tmp_path / "last.nc")
        history = open_run(tmp_path / "last.nc")
        assert history["U"].dims == data["U"].dims
        np.testing.assert_array_equal(history["U"].isel(Time=1, bottom_top=2), data["U"][1, 2])
        np.testing.assert_array_equal(history["T2"], data["T2"])


@pytest.mark.parametrize(
    ("calendar", "last", "valid"),
    [
        ("noleap", 59 * 1440, "Tue 1 Mar 2004 00:00 UTC"),
        ("360_day", 59 * 1440, "30 Feb 2004 00:00 UTC"),
        ("gregorian", 59 * 1440, "Sun 29 Feb 2004 00:00 UTC"),
    ],
)
def test_dates_are_of_the_calendar_of_the_run(wrfout, tmp_path, calendar, last, valid):
    file = wrfout(
        tmp_path / "wrf.nc", drop=("Times",), xtime=(0, last), since="2004-01-01 00:00:00", start="", times=()
    )
    with netCDF4.Dataset(file, "a") as data:
        data["XTIME"].calendar = calendar
    assert _valid(open_run(file))[1].endswith(valid[4:] if calendar == "noleap" else valid)
    squall.plot.figure(file, "T2", time=1)


def test_a_long_run_is_dated_to_the_second_though_xtime_has_seven_digits(wrfout, tmp_path):
    minutes = (21_000_000.1, 21_000_030.1)  # 40 years; a float knows them to two minutes
    texts = ("2044-12-05_00:00:06", "2044-12-05_00:30:06")
    file = wrfout(tmp_path / "wrf.nc", xtime=minutes, since="2005-01-01 00:00:00", times=texts)
    dates = open_run(file)
    assert [str(clock) for clock in np.diff(dates["elapsed"])] == ["1800.0"]
    assert _valid(dates)[0] == "Mon 5 Dec 2044 00:00 UTC"


def test_files_that_count_from_different_moments_are_put_in_order(wrfout, tmp_path):
    """As restarts of which each has a START_DATE and units of its own."""
    run = tmp_path / "run"
    run.mkdir()
    wrfout(run / "wrfout_d01_2005-08-28_00:00:00")
    wrfout(
        run / "wrfout_d01_2005-08-28_06:00:00", start="2005-08-28_06:00:00", since="2005-08-28 06:00:00",
        times=("2005-08-28_06:00:00", "2005-08-28_09:00:00"),
    )  # fmt: skip
    history = open_run(run)
    assert (history["elapsed"] / 3600).values.tolist() == [0, 3, 6, 9]
    assert [str(t)[11:13] for t in history["XTIME"].values] == ["00", "03", "06", "09"]


def test_what_tells_no_time_at_all_is_refused_by_what_it_lacks(wrfout, tmp_path):
    file = wrfout(tmp_path / "wrf.nc", drop=("Times", "XTIME"), attrs=False)
    with pytest.raises(
        UserError, match=r"the times of its frames are unknown: it has neither XTIME nor Times"
    ):
        open_run(file)
    file = wrfout(tmp_path / "odd.nc", drop=("Times",), attrs=False)
    with netCDF4.Dataset(file, "a") as data:
        data["XTIME"].units = "fortnights"
    with pytest.raises(UserError, match="fortnights"):
        open_run(file)


def test_times_without_the_dimension_time_are_those_of_one_frame(trial, squall):
    file = trial("17-plot-tracebacks", "f_times_without_time.nc")
    assert times.valid(open_run(file), 0) == SATURDAY[0]
    said = squall("plot", file, "--field", "T2")
    assert said.returncode == 2
    assert "no field T2" in said.stderr


def test_what_was_opened_and_written_again_has_the_same_dates(wrfout, tmp_path):
    open_run(wrfout(tmp_path / "wrf.nc")).drop_encoding().to_netcdf(tmp_path / "again.nc")
    assert _valid(open_run(tmp_path / "again.nc")) == SATURDAY
    with xr.open_dataset(tmp_path / "again.nc", decode_timedelta=False) as data:
        assert _valid(as_history(data)) == SATURDAY


def test_a_history_without_xtime_is_followed(trial):
    file = trial("11-history-without-xtime", "wrfout_no_xtime.nc")
    frames = list(squall.follow(file, start="2005-08-28T01:00"))
    assert [str(frame["XTIME"].values)[:16] for frame in frames] == ["2005-08-28T03:00"]
    assert float(frames[0]["elapsed"]) == 10800.0
