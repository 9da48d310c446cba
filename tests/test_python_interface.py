"""The package as scripts use it: `import squall`, fields with coordinates and maps, `dataset.squall`."""

import importlib
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure

import squall
from squall.diagnose import Surface
from squall.errors import UserError
from squall.locate import CHECKOUT

ON_MAP = {"west_east", "south_north"}

# ---- import squall


def imported(code):
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)


def test_importing_squall_loads_none_of_what_is_slow():
    imported("import squall, sys; assert not {'xarray', 'numpy', 'matplotlib', 'netCDF4'} & set(sys.modules)")


def test_what_draws_nothing_starts_without_matplotlib():
    imported("import squall.about.info, squall.about.difference, sys; assert 'matplotlib' not in sys.modules")


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
def test_datasets_have_the_accessor_however_they_were_made(code, wrfinput):
    imported(code.replace("PATH", repr(str(wrfinput))))


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
        ("850", 'has layers 0 to 26. A height or pressure needs a unit: "850 m", "850 hPa"'),
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


def test_the_accessor_alone_tells_what_there_is_to_do(history):
    told = repr(history.squall)
    assert f"{len(history.squall.fields)} fields" in told
    assert "section, sounding, station" in told


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


def test_all_of_it_is_documented():
    from squall import accessor

    for name in ("field", "plot", "section", "sounding", "station", "crs", "cartopy_crs"):
        assert getattr(accessor.Accessor, name).__doc__
    for name in squall.__all__:
        if name not in ("__version__",):
            assert getattr(squall, name).__doc__ or importlib.import_module(f"squall.{name}").__doc__
