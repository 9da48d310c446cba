"""Pictures of histories that lack what Squall's own have: attributes, levels, values."""

import netCDF4
import numpy as np
import pyproj
import pytest
import xarray as xr

import squall
from squall.errors import UserError
from squall.watch import index
from squall.watch.reading import Store
from squall.watch.run import Run

pytestmark = pytest.mark.regression


def _texts(figure):
    return [ax.get_title(loc="left") for ax in figure.axes]


def _edited(path, edit):
    with netCDF4.Dataset(path, "a") as data:
        edit(data)
    return path


def test_of_layers_that_do_not_reach_500_hpa_the_other_charts_are_drawn(wrfout, tmp_path):
    figure = squall.plot.figure(wrfout(tmp_path / "wrf.nc", top=60000.0))
    assert "No 500 hPa: the layers lie between 980 and 600 hPa." in _texts(figure)
    assert any(text.startswith("Temperature at 2 m") for text in _texts(figure))


def test_of_a_single_layer_the_other_charts_are_drawn(wrfout, tmp_path):
    assert "No 500 hPa: this history has only one layer." in _texts(
        squall.plot.figure(wrfout(tmp_path / "wrf.nc", nz=1))
    )


@pytest.mark.parametrize("field", [None, "T2", "wind_speed"])
def test_without_global_attributes_there_is_a_picture_without_a_map(wrfout, tmp_path, field):
    file = wrfout(tmp_path / "wrf.nc", attrs=False)
    figure = squall.plot.figure(file, field)
    assert "x (km)" in {ax.get_xlabel() for ax in figure.axes}
    if field:
        # Points are 30 km apart on the projection, which is smaller than the Earth there.
        projection = pyproj.Proj("+proj=lcc +lat_1=30 +lat_2=60 +lat_0=40 +lon_0=-95 +R=6370000")
        scale = projection.get_factors(-95, 40).meridional_scale
        assert scale < 0.98
        assert figure.axes[0].get_xlim()[1] == pytest.approx(11.5 * 30 / scale, rel=2e-3)
    index.index([Run(file)], Store())


def test_what_needs_an_attribute_that_lacks_names_it(wrfout, tmp_path):
    file = _edited(wrfout(tmp_path / "wrf.nc"), lambda data: (data.delncattr("DX"), data.delncattr("DY")))
    with pytest.raises(UserError, match="no attribute DX with the grid spacing"):
        squall.plot.figure(file, "vorticity")
    squall.plot.figure(file, "T2")
    assert any("no attribute DX" in text for text in _texts(squall.plot.figure(file)))


@pytest.mark.parametrize(
    "attributes",
    [
        {"STAND_LON": None}, {"TRUELAT1": None}, {"MAP_PROJ": "Lambert"}, {"DX": "30 km"},
        {"DX": np.array([30e3, 30e3])}, {"MAP_PROJ": 77}, {"MAP_PROJ": None}, {"MP_PHYSICS": "Thompson"},
        {"DX": np.nan}, {"POLE_LAT": "90"},
    ],
    ids=str,
)  # fmt: skip
def test_attributes_that_lack_or_are_no_numbers_are_no_traceback(wrfout, tmp_path, attributes):
    def edit(data):
        for name, value in attributes.items():
            data.delncattr(name) if value is None else data.setncattr(name, value)

    file = _edited(wrfout(tmp_path / "wrf.nc"), edit)
    squall.plot.figure(file, "T2")
    squall.plot.figure(file)
    index.index([Run(file)], Store())


def test_values_that_are_missing_everywhere_leave_the_other_charts(wrfout, tmp_path):
    def edit(data):
        data["T2"][:] = np.nan
        data["PSFC"][:] = 0

    figure = squall.plot.figure(_edited(wrfout(tmp_path / "wrf.nc"), edit))
    assert "The temperature has no values at this time." in _texts(figure)
    assert any(text.startswith("500 hPa") for text in _texts(figure))


def test_a_surface_pressure_of_nothing_is_that_of_the_column_where_it_is_known(wrfout, tmp_path):
    with xr.open_dataset(wrfout(tmp_path / "wrf.nc")) as data:
        column = data["PSFC"] * 0
        made = data.assign(PSFC=column, MU=column + 100.0, MUB=column + 94900.0, P_TOP=5000.0).load()
    assert np.all(squall.diagnose.field(made, "surface_pressure") == 100000.0)


def test_a_row_or_column_of_cells_is_drawn_as_a_section(wrfout, tmp_path):
    with xr.open_dataset(wrfout(tmp_path / "wrf.nc"), decode_cf=False) as data:
        column = data.isel(west_east=slice(3, 4), west_east_stag=slice(3, 5)).drop_encoding()
        column.to_netcdf(tmp_path / "column.nc")
    squall.plot.figure(tmp_path / "column.nc")
    with pytest.raises(UserError, match="a domain one cell wide can only be drawn as a section"):
        squall.plot.figure(tmp_path / "column.nc", "T2")


def test_without_a_date_a_picture_says_so(wrfout, tmp_path):
    file = wrfout(tmp_path / "wrf.nc", drop=("Times",), attrs=False)
    _edited(file, lambda data: data["XTIME"].setncattr("units", "minutes"))
    figure = squall.plot.figure(file, "T2", time="3 h")
    assert "3 h" in figure.axes[0].get_title() or "10800 s" in figure.axes[0].get_title()
    with pytest.raises(UserError, match=r"neither Times nor the units of XTIME give the dates"):
        squall.plot.figure(file, "T2", time="2005-08-28 03:00")
