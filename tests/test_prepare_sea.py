"""The sea's and the deep soil's temperature where an analysis has neither."""

from datetime import datetime

import numpy as np
import pytest
import xarray as xr

from squall.errors import UserError
from squall.prepare.ground_fields import annual_mean
from squall.prepare.sources import climatology
from squall.prepare.sources.piece import window_around

LON, LAT = np.arange(1.0, 360, 2), np.arange(-89.0, 90, 2)


def months(path, name="SST", units="Deg C", count=12):
    """As the climatology of COADS: months of no year, the land missing; n degrees in the n-th month."""
    values = np.broadcast_to(np.arange(1.0, count + 1)[:, None, None], (count, 90, 180)).copy()
    values[:, :, :20] = np.nan
    axes = {
        "COADSX": ("COADSX", LON, {"units": "degrees_east"}),
        "COADSY": ("COADSY", LAT, {"units": "degrees_north"}),
        "TIME": ("TIME", 366 + 730.5 * np.arange(count), {"units": "hour since 0000-01-01 00:00:00"}),
    }
    data = {name: (("TIME", "COADSY", "COADSX"), values, {"units": units})}
    xr.Dataset(data, axes).to_netcdf(path)
    return path


def at(path, time):
    piece = climatology.sea_surface_temperature(path, time)
    return piece.read(window_around(piece.grid, np.array([100.0, 110.0]), np.array([30.0, 40.0])))


def test_the_sea_of_a_season_lies_between_the_middles_of_months(tmp_path):
    file = months(tmp_path / "sea.nc")
    assert at(file, datetime(2007, 4, 16)) == pytest.approx(273.15 + 4, abs=0.02)
    assert at(file, datetime(2007, 5, 1)) == pytest.approx(273.15 + 4.5, abs=0.02)
    # From December to January.
    assert at(file, datetime(2007, 1, 1)) == pytest.approx(273.15 + (12 + 1) / 2, abs=0.02)
    assert climatology.months_around(datetime(2007, 12, 24, 12)) == pytest.approx((11, 0, 0.258), abs=1e-3)


def test_a_file_that_is_no_climatology_is_refused_by_name(tmp_path):
    for file, said in (
        (months(tmp_path / "a.nc", count=4), "a.nc: no sea-surface temperature with twelve months"),
        (months(tmp_path / "b.nc", name="AIRT"), "b.nc: no sea-surface temperature with twelve months"),
        (tmp_path / "c.nc", "prepare.sea_surface_temperature names it"),
    ):
        with pytest.raises(UserError, match=said):
            at(file, datetime(2007, 1, 1))


def test_deep_soil_is_as_warm_as_the_year_by_latitude_and_height():
    latitude, height = np.array([[0.0, 35.0, 35.0, 70.0]]), np.array([[0, 0, 1000, 0]], np.float32)
    celsius = annual_mean(latitude, height)[0] - 273.15
    assert celsius == pytest.approx([28.97, 15.2, 8.7, -8.1], abs=0.1)
