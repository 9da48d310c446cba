"""What other packages make of the datasets that Squall opens and of the fields that it diagnoses: PROJ,
Cartopy, MetPy, xwrf, salem, hvPlot, wrf-python, xarray's own plots and Dask."""

import sys

import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure

import squall
from flows_on_maps import DOMAINS
from squall.errors import UserError


@pytest.mark.parametrize("name", DOMAINS)
def test_the_map_is_prosjs_on_every_projection(name):
    """By the global attributes of WRF's files alone: points on a grid lie on straight lines of the map."""
    domain = DOMAINS[name]
    attrs, points = wrf_attributes(domain), domain.mass
    data = xr.Dataset(
        {"A": (("south_north", "west_east"), points.latitude)},
        {"XLAT": (("south_north", "west_east"), points.latitude),
         "XLONG": (("south_north", "west_east"), points.longitude)},
        attrs=attrs,
    )  # fmt: skip
    crs = data.squall.crs
    if domain.projection.name == "lat-lon":
        assert crs.is_geographic
        return
    from pyproj import Proj

    x, y = Proj(crs)(points.longitude, points.latitude)
    np.testing.assert_allclose(np.diff(x, axis=1), domain.dx, rtol=2e-4)
    np.testing.assert_allclose(np.diff(y, axis=0), domain.dy, rtol=2e-4)


def wrf_attributes(domain):
    from squall.geo.projection import WRF_PROJECTIONS

    of = domain.projection
    return {
        "MAP_PROJ": WRF_PROJECTIONS[of.name][0], "STAND_LON": of.standard_longitude,
        "TRUELAT1": of.true_latitude_1, "TRUELAT2": of.true_latitude_2,
        "CEN_LAT": domain.center_latitude, "CEN_LON": domain.center_longitude,
        "MOAD_CEN_LAT": domain.center_latitude, "DX": domain.dx, "DY": domain.dy,
    }  # fmt: skip


def test_a_dataset_without_a_map_has_no_crs():
    with pytest.raises(UserError, match="no map"):
        xr.Dataset().squall.crs  # noqa: B018


def test_cartopy_draws_it(history):
    pytest.importorskip("cartopy", reason="Cartopy is not installed: pip install cartopy")
    crs = history.squall.cartopy_crs
    from cartopy.crs import PlateCarree

    longitude, latitude = (history[name].values[0] for name in ("XLONG", "XLAT"))
    there = crs.transform_points(PlateCarree(globe=crs.globe), longitude, latitude)
    from pyproj import Proj

    x, y = Proj(history.squall.crs)(longitude, latitude)
    np.testing.assert_allclose(there[..., :2], np.stack([x, y], -1), atol=1.0)
    axes = Figure().add_subplot(projection=crs)
    history.squall.field("T2").isel(Time=-1).plot(ax=axes, transform=crs)
    axes.get_figure().draw_without_rendering()
    with pytest.raises(UserError, match="axes of Cartopy"):
        squall.plot.figure(history, "T2", ax=axes)


def test_without_cartopy_the_message_says_what_to_do(history, monkeypatch):
    monkeypatch.setitem(sys.modules, "cartopy", None)
    with pytest.raises(UserError, match="pip install cartopy"):
        history.squall.cartopy_crs  # noqa: B018


def test_metpy_knows_the_map_the_units_and_the_axes(history):
    pytest.importorskip("metpy", reason="MetPy is not installed: pip install metpy")
    import metpy.calc

    data = xr.Dataset(
        {name: history.squall.field(name, ["700 hPa", "500 hPa"]) for name in ("temperature", "U", "V")}
    )
    parsed = data.metpy.parse_cf()
    assert parsed["temperature"].metpy.pyproj_crs.to_cf()["grid_mapping_name"] == "lambert_conformal_conic"
    assert parsed["temperature"].metpy.vertical.name == "pressure_level"
    theta = metpy.calc.potential_temperature(parsed["pressure_level"], parsed["temperature"])
    expected = history.squall.field("theta", ["700 hPa", "500 hPa"])
    theirs = theta.metpy.dequantify().transpose(*expected.dims)
    np.testing.assert_allclose(theirs, expected, rtol=2e-3)
    column = history.squall.sounding(i=5, j=4).isel(Time=0).metpy.quantify()
    cape, _ = metpy.calc.surface_based_cape_cin(
        column["pressure"], column["temperature"], column["dew_point"]
    )
    assert cape.check("[energy]/[mass]")


def test_xwrf_takes_what_squall_opens(wrfinput):
    pytest.importorskip("xwrf", reason="xwrf is not installed: pip install xwrf")
    theirs = squall.open_run(wrfinput).xwrf.postprocess()
    ours = squall.open_run(wrfinput).squall.field("theta")
    np.testing.assert_allclose(theirs["air_potential_temperature"], ours, rtol=1e-6)


def test_salem_knows_the_grid_of_what_squall_opens(wrfinput, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))  # it makes a cache there
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib", None)  # with it, it downloads pictures as it is imported
        pytest.importorskip("salem", reason="salem is not installed: pip install salem")
    data = squall.open_run(wrfinput)
    longitude, latitude = data.salem.grid.ll_coordinates
    np.testing.assert_allclose(longitude, data["XLONG"][0], atol=1e-4)
    np.testing.assert_allclose(latitude, data["XLAT"][0], atol=1e-4)


def test_hvplot_draws_a_field(history):
    pytest.importorskip("hvplot", reason="hvPlot is not installed: pip install hvplot")
    import holoviews
    import hvplot.xarray  # noqa: F401

    field = history.squall.field("temperature", "500 hPa")
    picture = field.isel(Time=-1).hvplot.quadmesh(x="XLONG", y="XLAT", colorbar=True)
    (drawn,) = holoviews.render(picture).renderers
    np.testing.assert_allclose(
        np.sort(drawn.data_source.data["temperature"]), np.sort(field.values[-1], axis=None)
    )


def test_wrf_python_says_the_same_of_a_file(wrfinput):
    wrf = pytest.importorskip("wrf", reason="wrf-python is not installed: its build needs a Fortran compiler")
    import netCDF4

    with netCDF4.Dataset(wrfinput) as file:
        theirs = wrf.getvar(file, "tk")
    ours = squall.open_run(wrfinput).squall.field("temperature").isel(Time=0)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4)


def test_xarray_plots_groups_and_selects(history):
    field = history.squall.field("temperature", ["700 hPa", "500 hPa"])
    figure = Figure()
    field.isel(Time=0, pressure_level=0).plot(ax=figure.subplots(), x="XLONG", y="XLAT")
    assert field.sel(pressure_level=69e3, method="nearest").resample(Time="1h").mean().sizes["Time"] == 1
    near = field.sel(west_east=0, south_north=0, method="nearest")
    assert near.dims == ("Time", "pressure_level")


def test_dask_waits_for_coordinates_too(history):
    dask = pytest.importorskip("dask", reason="Dask is not installed: pip install dask")

    def refuse(graph, keys, **how):
        raise AssertionError("Dask's arrays were computed")

    lazy = history.chunk({"Time": 1})
    with dask.config.set(scheduler=refuse):
        found = lazy.squall.field("wind_speed", ["700 hPa", "500 hPa"])
    for array in (found, lazy.squall.section("theta", "y=3")):
        assert array.chunks is not None
        array.compute(scheduler="synchronous")
