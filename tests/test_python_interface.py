"""The package as scripts use it: `import squall`, fields with their coordinates and maps, `dataset.squall`,
and what other packages make of them."""

import gzip
import importlib
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure

import squall
from flows_on_maps import DOMAINS
from squall.diagnose import Surface
from squall.errors import UserError
from squall.locate import CHECKOUT

ON_MAP = {"west_east", "south_north"}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A file in WRF's layout with 12 x 10 x 27 cells over North America, whose maker knows no CF."""
    path = tmp_path_factory.mktemp("wrf") / "wrfout_d01_2005-07-16_00:00:00"
    path.write_bytes(gzip.decompress((Path(__file__).parent / "data" / "wrfinput_summer.gz").read_bytes()))
    return path


@pytest.fixture(scope="module")
def history(path):
    """Two frames, half an hour apart, with dates and with x and y as Squall's own files have them."""
    first = squall.open_run(path).load()
    later = first["XTIME"].values + np.timedelta64(30, "m")
    second = first.assign_coords(
        XTIME=("Time", later), Time=("Time", later), elapsed=("Time", first["elapsed"].values + 1800)
    )
    both = xr.concat([first, second], "Time", data_vars="minimal", coords="minimal", compat="override")
    x, y = (
        ((np.arange(n) - (n - 1) / 2) * 1e5) for n in (both.sizes["west_east"], both.sizes["south_north"])
    )
    return both.assign_coords(west_east=x, south_north=y)


# ---- import squall


def imported(code):
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_importing_squall_loads_none_of_what_is_slow():
    imported("import squall, sys; assert not {'xarray', 'numpy', 'matplotlib', 'netCDF4'} & set(sys.modules)")


def test_its_parts_are_there_without_imports_of_their_own():
    imported(
        "import squall; squall.plot.figure; squall.diagnose.field; squall.open_run; squall.follow\n"
        "assert squall.__version__[0].isdigit() and 'plot' in dir(squall)"
    )


@pytest.mark.parametrize(
    "code",
    [
        "import squall, xarray as xr; xr.Dataset().squall",
        "import xarray as xr, squall; xr.Dataset().squall",
        "import squall; squall.open_run(PATH).squall",
        "import xarray as xr; xr.open_dataset(PATH, engine='squall').squall",
    ],
)
def test_datasets_have_the_accessor_however_they_were_made(code, path):
    imported(code.replace("PATH", repr(str(path))))


def test_an_unknown_part_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nothing"):
        squall.nothing  # noqa: B018


def test_the_documentation_imports_squall_in_one_way():
    """`import squall` reaches all that the pages use."""
    for page in [*(CHECKOUT / "docs").rglob("*.md"), CHECKOUT / "README.md"]:
        for line in page.read_text().splitlines():
            if line.startswith(("import squall.", "from squall")):
                assert line == "from squall import io", f"{page.name}: {line}"


# ---- fields and where they lie


def test_a_field_keeps_times_and_places(history):
    found = squall.diagnose.field(history, "temperature")
    assert {"Time", "XTIME", "elapsed", "XLAT", "XLONG", "west_east", "south_north"} <= set(found.coords)
    one = found.sel(Time="2005-07-16T00:30")
    assert float(one["elapsed"]) == 1800
    np.testing.assert_array_equal(one["XLAT"], history["XLAT"].values[1])


def test_places_that_are_no_coordinates_come_under_their_own_names(history):
    data = history.reset_coords(["XLAT", "XLONG"]).assign(RAINNC=history["T2"].variable * 0)
    found = data.squall.field("T2")
    np.testing.assert_array_equal(found["latitude"], history["XLAT"])
    data.assign(warm=found).squall.plot("precipitation_rate")


def test_a_field_can_be_put_back_into_its_dataset(history, tmp_path):
    """Also where the description of the map is a variable, as in Squall's own files, and not a coordinate."""
    _, mapping = squall.diagnose.grid_mapping(history)
    data = history.assign(projection=mapping).assign(RAINNC=history["T2"] * 0)
    data = data.assign(t500=data.squall.field("temperature", "500 hPa"), warm=data.squall.field("T2"))
    data.squall.plot("precipitation_rate")  # made of two frames, and put into the second
    data[["T2", "t500", "warm"]].to_netcdf(tmp_path / "a.nc")
    difference = data.squall.field("theta", "500 hPa") - data.squall.field("theta", "850 hPa")
    assert {"XLAT", "XLONG", "crs"} <= set(difference.coords)


def test_a_staggered_field_lies_on_mass_points(history):
    found = squall.diagnose.field(history, "U")
    assert found.sizes["west_east"] == history.sizes["west_east"]
    assert not [name for name in found.coords if str(name).endswith(("_stag", "_U", "_V"))]


def test_a_saved_field_has_longitude_latitude_and_cfs_map(history, tmp_path):
    squall.diagnose.field(history, "T2").to_netcdf(tmp_path / "a.nc")
    with xr.open_dataset(tmp_path / "a.nc", decode_coords="all", engine="netcdf4") as data:
        saved = data["T2"]
        assert data[saved.encoding["grid_mapping"]].grid_mapping_name == "lambert_conformal_conic"
        assert {saved[n].standard_name for n in ("XLAT", "XLONG")} == {"latitude", "longitude"}
        assert saved.sel(Time="2005-07-16T00:30").shape == (10, 12)


@pytest.mark.parametrize(
    ("level", "surface", "axis"),
    [
        ("500 hPa", Surface("pressure", 5e4), "pressure_level"),
        ("500mb", Surface("pressure", 5e4), "pressure_level"),
        ("5 km", Surface("height", 5e3), "height_level"),
        ("300 m above ground", Surface("height_above_ground", 300.0), "ground_level"),
        ("320 K", Surface("theta", 320.0), "theta_level"),
    ],
)
def test_a_level_is_named_as_people_say_it(history, level, surface, axis):
    found = squall.diagnose.field(history, "wind_speed", level)
    xr.testing.assert_identical(found, squall.diagnose.field(history, "wind_speed", surface))
    assert found.dims == ("Time", "south_north", "west_east")
    assert float(found[axis]) == surface.value
    assert found[axis].attrs["units"]


@pytest.mark.parametrize("name", ["temperature", "height", "vorticity", "pressure"])
def test_several_levels_are_a_dimension(history, name):
    both = squall.diagnose.field(history, name, ["700 hPa", "500 hPa"])
    assert both.dims == ("Time", "pressure_level", "south_north", "west_east")
    one = squall.diagnose.field(history, name, "500 hPa")
    np.testing.assert_array_equal(both.sel(pressure_level=5e4), one)
    assert both["pressure_level"].attrs["positive"] == "down"


def test_a_layer_is_a_number(history):
    whole = squall.diagnose.field(history, "theta")
    for level in (0, "0", -1):
        found = squall.diagnose.field(history, "theta", level)
        np.testing.assert_array_equal(found, whole.isel(bottom_top=int(level)))


def test_what_lies_on_levels_already_is_chosen_from_them(history):
    on_levels = squall.diagnose.field(history, "temperature", ["700 hPa", "500 hPa"]).to_dataset()
    found = squall.diagnose.field(on_levels, "temperature", "500 hPa")
    np.testing.assert_array_equal(found, on_levels["temperature"].sel(pressure_level=5e4))
    with pytest.raises(UserError, match=r"on pressure 70000, 50000 Pa alone"):
        squall.diagnose.field(on_levels, "temperature", "300 hPa")


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("850", "has layers 0 to 26"),
        ("850 foo", 'level "850 foo": expected a pressure such as "850 hPa"'),
        (["850 hPa", "2 km"], "must be all of one kind"),
        ([], "expected a pressure"),
        (1.5, "expected a pressure"),
        ("850 hPa above ground", "expected a pressure"),
    ],
)
def test_a_level_that_is_none_is_refused(history, level, message):
    with pytest.raises(UserError, match=message):
        squall.diagnose.field(history, "theta", level)


# ---- dataset.squall


def test_the_accessor_makes_what_the_functions_make(history):
    xr.testing.assert_identical(
        history.squall.field("theta", "2 km"), squall.diagnose.field(history, "theta", "2 km")
    )
    assert history.squall.fields == squall.diagnose.available(history)
    assert isinstance(history.squall.plot("T2"), Figure)


def test_a_section_is_exact_on_rows_and_linear_between_points(history):
    theta = squall.diagnose.field(history, "theta")
    row = history.squall.section("theta", "y=3")
    np.testing.assert_allclose(row, theta.isel(south_north=3))
    np.testing.assert_allclose(row["height"], squall.diagnose.field(history, "height").isel(south_north=3))
    assert row["distance"].attrs["units"] == "m"
    across = history.squall.section("theta", "lat=40")
    np.testing.assert_allclose(across["XLAT"], 40, atol=0.02)
    with pytest.raises(UserError, match="T2 has no layers"):
        history.squall.section("T2", "y=3")


def test_a_sounding_is_the_column_of_the_nearest_point(history):
    at = {"latitude": float(history["XLAT"][0, 4, 5]) + 0.1, "longitude": float(history["XLONG"][0, 4, 5])}
    found = history.squall.sounding(**at)
    assert {"pressure", "height", "temperature", "dew_point", "QVAPOR", "wind_east"} <= set(found)
    xr.testing.assert_identical(found, history.squall.sounding(i=5, j=4))
    assert (found["pressure"].diff("bottom_top") < 0).all()
    assert {"XLAT", "XLONG"} <= set(found.coords)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ({"latitude": 0, "longitude": 0}, "lies outside the domain"),
        ({"i": 12, "j": 0}, "the grid has 12 x 10 points"),
        ({"latitude": 40}, "latitude and longitude, or by i and j"),
    ],
)
def test_a_place_that_is_none_is_refused(history, place, message):
    with pytest.raises(UserError, match=message):
        history.squall.sounding(**place)


def test_a_station_is_all_of_a_place(history):
    found = history.squall.station(latitude=40, longitude=-98)
    assert found["T2"].dims == ("Time",)
    with pytest.raises(UserError, match="has no stations"):
        history.squall.station("Torshavn")
    stream = xr.Dataset(
        {"PSFC": (("Time", "station"), [[1e5, 9e4]])}, {"station_name": ("station", [b"left\0\0", b"right"])}
    )
    assert float(stream.squall.station("right")["PSFC"][0]) == 9e4
    with pytest.raises(UserError, match="There are: left, right"):
        stream.squall.station("top")


# ---- into the caller's axes


def test_a_picture_is_drawn_into_the_callers_axes(history):
    figure = Figure()
    left, right = figure.subplots(1, 2)
    with matplotlib.rc_context({"axes.titlesize": 23}):
        assert squall.plot.figure(history, "T2", ax=left, contours="sea_level_pressure", barbs=True) is figure
    assert left.get_title().startswith("temperature at 2 m")
    assert left.title.get_size() == 23  # the caller's style
    assert not right.has_data()
    assert history.squall.plot("theta", section="y=3", ax=right) is figure
    assert right.get_xlabel() == "x (km)"


def test_only_pictures_of_one_field_fit_into_axes(history):
    with pytest.raises(UserError, match="choose a field"):
        squall.plot.figure(history, ax=Figure().subplots())


# ---- with others


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


def test_xwrf_takes_what_squall_opens(path):
    pytest.importorskip("xwrf", reason="xwrf is not installed: pip install xwrf")
    theirs = squall.open_run(path).xwrf.postprocess()
    ours = squall.open_run(path).squall.field("theta")
    np.testing.assert_allclose(theirs["air_potential_temperature"], ours, rtol=1e-6)


def test_salem_knows_the_grid_of_what_squall_opens(path, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))  # it makes a cache there
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib", None)  # with it, it downloads pictures as it is imported
        pytest.importorskip("salem", reason="salem is not installed: pip install salem")
    data = squall.open_run(path)
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


def test_wrf_python_says_the_same_of_a_file(path):
    wrf = pytest.importorskip("wrf", reason="wrf-python is not installed: its build needs a Fortran compiler")
    import netCDF4

    with netCDF4.Dataset(path) as file:
        theirs = wrf.getvar(file, "tk")
    ours = squall.open_run(path).squall.field("temperature").isel(Time=0)
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


def test_all_of_it_is_documented():
    from squall import accessor

    for name in ("field", "plot", "section", "sounding", "station", "crs", "cartopy_crs"):
        assert getattr(accessor.Accessor, name).__doc__
    for name in squall.__all__:
        if name not in ("__version__",):
            assert getattr(squall, name).__doc__ or importlib.import_module(f"squall.{name}").__doc__
