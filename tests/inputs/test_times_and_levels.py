"""Times of every calendar; levels and times that are not read are named where they are missed."""

import eccodes as ec
import numpy as np
import pytest
import xarray as xr

import analytic
from analysed_columns import LAT, LON, assert_true, columns_of
from analytic import START, date_keys, era5, every, lat_lon_keys
from squall.errors import UserError
from squall.prepare.sources import open_analysis

CALENDARS = ("noleap", "365_day", "all_leap", "360_day")


@pytest.mark.parametrize("name", ["noleap.nc", "360_day.nc"])
def test_a_date_of_a_models_calendar_is_a_date(trial, name):
    analysis = open_analysis([trial("19-prepare-tracebacks", name)])
    assert [f"{time:%Y-%m-%d %H:%M}" for time in analysis.times] == ["2020-02-28 00:00"]
    assert any(f"its calendar is {name[:-3]}" in note for note in analysis.notes)


def files(folder, values, **attributes):
    """ERA5's files of so many times, written as numbers."""
    upper, surface = era5(LON, LAT, every(6, len(values)), new=False)
    for name, made in (("pl", upper), ("sfc", surface)):
        made = made.assign_coords(time=("time", np.asarray(values), attributes))
        made.to_netcdf(folder / f"{name}.nc")
    return [folder / "pl.nc", folder / "sfc.nc"]


@pytest.mark.parametrize("calendar", CALENDARS)
def test_hours_of_every_calendar(tmp_path, calendar):
    paths = files(tmp_path, [0.0, 6.0], units="hours since 2024-01-15 00:00:00", calendar=calendar)
    assert open_analysis(paths).times == every(6, 2)
    assert_true(columns_of(paths, time=every(6, 2)[1])[0])


def test_a_calendar_whose_dates_are_other_days_is_refused_by_name(tmp_path):
    paths = files(tmp_path, [0.0], units="hours since 2024-01-15", calendar="julian")
    with pytest.raises(UserError, match=r"its calendar is 'julian'.*cdo setcalendar"):
        open_analysis(paths)


def test_days_that_we_do_not_have_are_left_out(tmp_path):
    paths = files(tmp_path, [0.0, 24.0, 48.0], units="hours since 2023-02-28", calendar="360_day")
    assert [time.day for time in open_analysis(paths).times] == [28]


def test_a_gap_that_the_calendar_made_is_told_so(tmp_path):
    paths = files(tmp_path, [0.0, 12.0, 24.0], units="hours since 2024-02-28", calendar="noleap")
    with pytest.raises(UserError, match=r"lacks the time 2024-02-29 00:00.* calendar is noleap"):
        open_analysis(paths)


def test_absolute_times_of_cdo_are_read(tmp_path):
    paths = files(tmp_path, [20240115.0, 20240115.25], units="day as %Y%m%d.%f", standard_name="time")
    assert open_analysis(paths).times == every(6, 2)


@pytest.mark.parametrize("about", [{"units": "1"}, {}, {"units": "hours"}])
def test_times_that_are_no_dates_are_told_so(tmp_path, about):
    with pytest.raises(UserError, match=r"pl.nc: t: has no readable time: .*hours since"):
        open_analysis(files(tmp_path, [0.0], **about))


def test_a_file_without_any_time_is_told_so(tmp_path):
    upper, _ = era5(LON, LAT)
    upper.isel(valid_time=0, drop=True).to_netcdf(tmp_path / "pl.nc")
    with pytest.raises(UserError, match="has no readable time"):
        open_analysis([tmp_path / "pl.nc"])


def test_units_of_times_that_cannot_be_counted_are_refused(tmp_path):
    with pytest.raises(UserError, match=r"pl.nc: cannot be opened: .*fortnights"):
        open_analysis(files(tmp_path, [0.0], units="fortnights since 2024-01-15"))


def on_levels(path, **keys):
    """Temperature and wind as an analysis has them, on levels of a kind."""
    across = np.meshgrid(LON, LAT)
    with path.open("wb") as file:
        for name in ("t", "u", "v", "q"):
            for level in range(1, 6):
                about = {**lat_lon_keys(LON, LAT), **date_keys(START), "shortName": name, **keys}
                values = analytic.UPPER[name](10000.0 * level, *across)
                file.write(analytic.message(values, {**about, "level": level}))
    return path


@pytest.mark.parametrize("kind", ["sigma", "theta", "hybridHeight", "generalVerticalLayer", "heightAboveSea"])
def test_levels_of_a_kind_that_is_not_read_are_named(tmp_path, kind):
    path = on_levels(tmp_path / "a.grib", typeOfLevel=kind)
    with pytest.raises(UserError, match=rf"There is temperature on levels of the kind {kind} .*not read"):
        open_analysis([path])


def test_the_file_of_the_surface_alone_tells_what_was_found(tmp_path):
    _, surface = era5(LON, LAT)
    surface.to_netcdf(tmp_path / "sfc.nc")
    with pytest.raises(UserError, match=r"surface fields\? Found: .*surface pressure, temperature at 2 m"):
        open_analysis([tmp_path / "sfc.nc"])
    (surface["sp"] * 0).rename("river_runoff").drop_attrs().to_netcdf(tmp_path / "other.nc")
    with pytest.raises(UserError, match="Found: no known field"):
        open_analysis([tmp_path / "other.nc"])


def test_wind_that_is_missed_is_named_where_it_is(tmp_path):
    path = analytic.regular_grib(
        tmp_path / "a.grib", LON, LAT, upper={name: analytic.UPPER[name] for name in ("t", "gh", "q")}
    )
    winds = on_levels(tmp_path / "b.grib", typeOfLevel="sigma")
    analysis = open_analysis([path, winds])
    with pytest.raises(
        UserError, match=r"lacks wind along x on levels.*wind along x on levels of the kind sigma"
    ):
        analysis.levels(START)


@pytest.mark.parametrize(
    ("about", "named"),
    [
        ({"standard_name": "height", "units": "m"}, "at heights above the ground"),
        ({"standard_name": "atmosphere_sigma_coordinate", "units": "1"}, "atmosphere_sigma_coordinate"),
        ({"units": "K", "long_name": "potential temperature"}, "potential temperature, K"),
        ({"units": "m"}, r"level \(9 values, m\)"),
    ],
)
def test_levels_of_netcdf_that_are_not_read_are_named(tmp_path, about, named):
    """`level` in m is no pressure, whatever its name."""
    upper, surface = era5(LON, LAT, new=False)
    upper["level"].attrs = about
    upper.to_netcdf(tmp_path / "pl.nc")
    surface.to_netcdf(tmp_path / "sfc.nc")
    with pytest.raises(UserError, match=f"There is temperature .*{named}.*not read"):
        open_analysis([tmp_path / "pl.nc", tmp_path / "sfc.nc"])


def test_points_that_are_no_rows_and_columns_are_named(tmp_path):
    upper, _ = era5(LON, LAT)
    upper.stack(ncells=("latitude", "longitude")).reset_index("ncells").to_netcdf(tmp_path / "a.nc")
    with pytest.raises(UserError, match=r"temperature over .*ncells, which are not rows and columns"):
        open_analysis([tmp_path / "a.nc"])


def test_means_over_time_are_no_moment(tmp_path):
    path = on_levels(
        tmp_path / "a.grib", productDefinitionTemplateNumber=8, typeOfStatisticalProcessing=0,
        typeOfLevel="isobaricInhPa",
    )  # fmt: skip
    with pytest.raises(UserError, match=r"temperature as a value over a period \(avg\)"):
        open_analysis([path])


def test_a_date_that_is_none_is_named(tmp_path):
    path = analytic.regular_grib(tmp_path / "a.grib", LON, LAT)
    made = b""
    with path.open("rb") as file:
        while (handle := ec.codes_grib_new_from_file(file)) is not None:
            ec.codes_set(handle, "month", 0)
            made += ec.codes_get_message(handle)
            ec.codes_release(handle)
    path.write_bytes(made)
    with pytest.raises(UserError, match=r"a.grib: t .*is not a date"):
        open_analysis([path])


def test_final_values_come_before_preliminary_ones(tmp_path):
    """Whatever their order along expver: 1 is final, 5 preliminary."""
    upper, surface = era5(LON, LAT, new=False)
    wrong = upper + 7
    made = xr.concat([wrong.assign_coords(expver=5), upper.assign_coords(expver=1)], "expver")
    for name in upper:
        made[name].attrs = upper[name].attrs
    made.to_netcdf(tmp_path / "pl.nc")
    surface.to_netcdf(tmp_path / "sfc.nc")
    assert_true(columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"])[0])
