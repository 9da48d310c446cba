"""Where the points of a grid lie: by what its axes mean, never by their names or their order, and in whatever
turn their longitudes are written."""

import warnings

import eccodes as ec
import numpy as np
import pytest
import xarray as xr
from pyproj import Proj

import analytic
from analysed_columns import EUROPE, LAT, LON, assert_true, columns_of, projected_keys
from analytic import START, era5, lat_lon_keys
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare.fit import Wishes, fit
from squall.prepare.sources import open_analysis, open_heights
from squall.prepare.sources.grids import lat_lon, rotated
from squall.prepare.terrain import cell_means

LAMBERT = {
    "grid_mapping_name": "lambert_conformal_conic", "standard_parallel": [58.0, 62.0],
    "latitude_of_projection_origin": 60.0, "longitude_of_central_meridian": 15.0, "earth_radius": 6371000.0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("g_units1.nc", r"x: projection x coordinate, units '1'"),
        ("g_metres.nc", r"x: projection x coordinate, units 'm'"),
        ("g_rlon.nc", r"rlon: grid longitude, units 'degrees'"),
        ("g_none.nc", "dimensions y and x have no coordinates"),
    ],
)
def test_axes_of_a_projection_that_is_not_told_are_refused(trial, name, told):
    with pytest.raises(UserError, match=f"{told}.*needs its projection: .*grid_mapping"):
        open_analysis([trial("03-xy-taken-for-degrees", name)])


def test_axes_of_a_projection_that_is_told_are_placed(trial):
    domain = fit(open_analysis([trial("03-xy-taken-for-degrees", "g_gm.nc")]).grid, Wishes())
    assert (domain.center_latitude, domain.center_longitude) == (
        pytest.approx(60.0, abs=0.1),
        pytest.approx(14.6, abs=0.1),
    )


def changed(tmp_path, trial, change, name="g_gm.nc"):
    dataset = xr.open_dataset(trial("03-xy-taken-for-degrees", name)).load()
    made = change(dataset)
    (dataset if made is None else made).to_netcdf(tmp_path / "a.nc")
    return tmp_path / "a.nc"


def test_a_projection_that_is_not_that_of_the_latitudes_and_longitudes_is_refused(tmp_path, trial):
    def turn(dataset):
        dataset["crs"].attrs["longitude_of_central_meridian"] = -95.0

    with pytest.raises(
        UserError, match=r"lie up to [\d.]+ degrees from the latitudes and longitudes .*wrong"
    ):
        open_analysis([changed(tmp_path, trial, turn)])


@pytest.mark.parametrize("units", ["1", "km", "degrees", "degrees_east"])
def test_units_of_columns_count_before_their_name(tmp_path, trial, units):
    """Metres called kilometres, indices or degrees lie nowhere near what the latitudes and longitudes say."""

    def call(dataset):
        for name in "xy":
            dataset[name].attrs["units"] = units if name == "x" else units.replace("east", "north")

    with pytest.raises(UserError, match=r"needs its projection|lie up to|latitudes range from"):
        open_analysis([changed(tmp_path, trial, call)])


def test_a_datum_of_latitudes_and_longitudes_is_no_grid_of_them(tmp_path, trial):
    """grid_mapping latitude_longitude beside x and y in m says the Earth's shape, not what x and y are."""

    def datum(dataset):
        dataset["crs"].attrs = {"grid_mapping_name": "latitude_longitude", "earth_radius": 6371000.0}

    with pytest.raises(UserError, match="needs its projection"):
        open_analysis([changed(tmp_path, trial, datum)])


def test_a_projection_in_well_known_text_is_read(tmp_path, trial):
    def text(dataset):
        dataset["crs"].attrs = {"crs_wkt": Proj(
            "+proj=lcc +lat_1=58 +lat_2=62 +lat_0=60 +lon_0=15 +R=6371000").crs.to_wkt()}  # fmt: skip

    grid = open_analysis([changed(tmp_path, trial, text)]).grid
    assert not grid.degrees
    assert fit(grid, Wishes()).center_latitude == pytest.approx(60, abs=0.1)


def renamed(tmp_path, **changes):
    """ERA5's files with other axes: their names, attributes or values."""
    upper, surface = era5(LON, LAT)
    for name, made in (("pl", upper), ("sfc", surface)):
        for axis, attributes in changes.items():
            made[axis].attrs = attributes
        made = made.rename({"longitude": "x", "latitude": "y"})
        made.to_netcdf(tmp_path / f"{name}.nc")
    return [tmp_path / "pl.nc", tmp_path / "sfc.nc"]


@pytest.mark.parametrize(
    ("longitude", "latitude"),
    [
        ({"units": "degrees_east"}, {"units": "degrees_north"}),
        ({"units": "degree_E"}, {"units": "degree_N"}),
        ({"standard_name": "longitude"}, {"standard_name": "latitude"}),
        ({"long_name": "Longitude", "units": "degrees"}, {"long_name": "Latitude", "units": "degrees"}),
    ],
)
def test_columns_called_x_that_say_they_are_longitudes_are_that(tmp_path, longitude, latitude):
    assert_true(columns_of(renamed(tmp_path, longitude=longitude, latitude=latitude))[0])


@pytest.mark.parametrize("about", [{}, {"units": "degrees"}, {"units": "1"}, {"units": "m"}])
def test_columns_called_x_that_do_not_say_so_are_refused(tmp_path, about):
    with pytest.raises(UserError, match=r"not longitudes and latitudes .*needs its projection"):
        open_analysis(renamed(tmp_path, longitude=about, latitude=about))


def test_longitudes_in_radians_are_read(tmp_path):
    upper, surface = era5(LON, LAT)
    for name, made in (("pl", upper), ("sfc", surface)):
        turned = {axis: (axis, np.radians(made[axis].values), {"units": "radian", "standard_name": axis})
                  for axis in ("longitude", "latitude")}  # fmt: skip
        made.assign_coords(turned).to_netcdf(tmp_path / f"{name}.nc")
    assert_true(columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"])[0])


@pytest.mark.parametrize("names", [("y", "x"), ("nj", "ni")])
def test_rows_and_columns_by_the_latitudes_and_longitudes_of_their_points(tmp_path, names):
    upper, surface = era5(LON, LAT)
    lon, lat = np.meshgrid(LON, LAT)
    for name, made in (("pl", upper), ("sfc", surface)):
        made = made.rename_dims({"latitude": names[0], "longitude": names[1]}).drop_vars(
            ["latitude", "longitude"]
        )
        made = made.assign_coords(
            lon=(names, lon, {"standard_name": "longitude", "units": "degrees_east"}),
            lat=(names, lat, {"standard_name": "latitude", "units": "degrees_north"}),
        )
        made.to_netcdf(tmp_path / f"{name}.nc")
    assert_true(columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"])[0])


@pytest.mark.parametrize(
    ("east", "north"),
    [
        ({"standard_name": "grid_longitude"}, {"standard_name": "grid_latitude"}),
        ({"units": "degrees_east"}, {"units": "degrees_north"}),
    ],
)
def test_a_rotated_grid_of_netcdf_with_its_pole(tmp_path, east, north):
    """With north_pole_grid_longitude, too; PROJ says where the points are. Some call them degrees east."""
    x, y = np.arange(-25.0, 25.1, 1.0), np.arange(-22.0, 22.1, 1.0)
    proj = Proj("+proj=ob_tran +o_proj=longlat +o_lat_p=40 +o_lon_p=20 +lon_0=10 +R=6371000")
    made = xr.Dataset(coords={
        "time": ("time", np.array([START], "datetime64[ns]")),
        "p": ("p", np.array(analytic.LEVELS), {"units": "Pa", "standard_name": "air_pressure"}),
        "rlon": ("rlon", x + 20, east),
        "rlat": ("rlat", y, north),
    })  # fmt: skip
    grid = rotated(x, y, 40.0, -170.0)
    lon, lat = grid.inverse(*np.meshgrid(x, y))
    back = np.array(proj(lon, lat))
    scale = 1.0 if np.abs(back).max() > 3 else 180 / np.pi  # degrees or radians, as PROJ's version has them
    np.testing.assert_allclose(back[0] * scale, np.meshgrid(x + 20, y)[0], atol=1e-6)
    made["pole"] = ((), 0, {
        "grid_mapping_name": "rotated_latitude_longitude", "grid_north_pole_latitude": 40.0,
        "grid_north_pole_longitude": -170.0, "north_pole_grid_longitude": 20.0,
    })  # fmt: skip
    standard = {"t": ("air_temperature", "K"), "gh": ("geopotential_height", "m"),
                "q": ("specific_humidity", "kg kg-1"), "u": ("eastward_wind", "m s-1"),
                "v": ("northward_wind", "m s-1")}  # fmt: skip
    for name, (about, units) in standard.items():
        values = np.stack([analytic.UPPER[name](p, lon, lat) for p in analytic.LEVELS])[None]
        made[name] = (("time", "p", "rlat", "rlon"), values.astype(np.float32),
                      {"standard_name": about, "units": units, "grid_mapping": "pole"})  # fmt: skip
    for name, about, units in (("sp", "surface_air_pressure", "Pa"), ("orog", "surface_altitude", "m"),
                               ("prmsl", "air_pressure_at_mean_sea_level", "Pa")):  # fmt: skip
        made[name] = (("time", "rlat", "rlon"), analytic.SURFACE[name](lon, lat)[None].astype(np.float32),
                      {"standard_name": about, "units": units, "grid_mapping": "pole"})  # fmt: skip
    made.to_netcdf(tmp_path / "a.nc")
    assert_true(columns_of([tmp_path / "a.nc"])[0])


def test_a_domain_is_fitted_to_a_rotated_grid_of_longitudes_beyond_a_turn(trial):
    path = trial("16-rotated-longitudes-0-360", "rot_grid1.grib")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        domain = fit(open_analysis([path]).grid, Wishes())
    assert domain.center_latitude == pytest.approx(50.75, abs=0.01)
    assert domain.center_longitude == pytest.approx(-27.5, abs=0.01)
    # The grid spans 50 x 40 degrees, of which three cells of 2 degrees stay outside on every side.
    width, height = domain.nx * domain.dx / 111.2e3, domain.ny * domain.dy / 111.2e3
    assert 25 < width < 44
    assert 20 < height < 34


@pytest.mark.parametrize("turn", [-720.0, -360.0, 0.0, 180.0, 360.0, 720.0, 1080.0])
def test_a_grid_is_where_it_is_in_whatever_turn(turn):
    domain = fit(lat_lon(LON + turn, LAT), Wishes())
    there = fit(lat_lon(LON + (180 if turn == 180 else 0), LAT), Wishes())
    assert domain.center_longitude == pytest.approx(there.center_longitude)
    assert (domain.nx, domain.ny) == (there.nx, there.ny)
    rot = rotated(LON - 5 + turn, LAT - 45, 40, -170)
    lon, lat = rot.inverse(*np.meshgrid(rot.x, rot.y))
    assert np.abs(lon).max() <= 180
    i, j = rot.indices(lon, lat)
    np.testing.assert_allclose(i[0], np.arange(len(LON)), atol=1e-6)
    np.testing.assert_allclose(j[:, 0], np.arange(len(LAT)), atol=1e-6)


AROUND = {
    "0 to 359": np.arange(0.0, 360, 1),
    "-180 to 179": np.arange(-180.0, 180, 1),
    "0 to 360, one twice": np.arange(0.0, 361, 1),
    "-180 to 180, one twice": np.arange(-180.0, 181, 1),
    "0 to 180, -179 to -1": np.concatenate([np.arange(0.0, 181), np.arange(-179.0, 0)]),
    "one and a half turns": np.arange(0.0, 540, 1),
    "from east to west": np.arange(359.0, -1, -1),
    "from 720": np.arange(720.0, 1080, 1),
}


@pytest.mark.parametrize("center", [0.0, 5.0, 180.0])
@pytest.mark.parametrize("axis", AROUND)
def test_a_grid_round_the_earth_has_no_seam_whatever_its_longitudes(tmp_path, axis, center):
    upper, surface = era5(AROUND[axis], np.arange(65.0, 24.9, -1.0))
    upper.to_netcdf(tmp_path / "pl.nc")
    surface.to_netcdf(tmp_path / "sfc.nc")
    domain = Domain(Projection("lambert", 35, 55, center), 24, 20, 100e3, 100e3, 45, center)
    assert_true(columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"], domain)[0], domain)


@pytest.mark.parametrize("axis", ["-180 to 179", "0 to 360, one twice", "one and a half turns"])
def test_longitudes_of_grib_round_the_earth(tmp_path, axis):
    lon, lat = AROUND[axis], np.arange(65.0, 24.9, -1.0)
    keys = lat_lon_keys(lon, lat)
    for end, value in (("First", lon[0]), ("Last", lon[-1])):
        keys[f"longitudeOf{end}GridPointInDegrees"] = float(value)
    path = analytic.write_grib(tmp_path / "a.grib", keys, *np.meshgrid(lon, lat))
    domain = Domain(Projection("lambert", 35, 55, 2), 24, 20, 100e3, 100e3, 45, 2)
    assert_true(columns_of([path], domain)[0], domain)


def test_longitudes_that_are_not_even_are_refused(tmp_path):
    upper, _ = era5(np.sort(LON + 0.4 * np.sin(LON)), LAT)
    upper.to_netcdf(tmp_path / "pl.nc")
    with pytest.raises(UserError, match="not evenly spaced"):
        open_analysis([tmp_path / "pl.nc"])


def test_a_southern_latitude_written_as_300_is_60_south(trial):
    domain = Domain(Projection("polar-stereographic", -71, -71, -50), 20, 20, 40e3, 40e3, -76, -50)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both = [
            cell_means(open_heights(trial("21-messages-that-mislead", name)), domain)[0]
            for name in ("terrain.grib2", "terrain_300.grib2")
        ]
    np.testing.assert_array_equal(*both)
    assert 100 <= both[0].min() <= both[0].max() <= 106


def test_latitudes_of_300_of_a_regular_grid_and_none_of_120(tmp_path):
    lon, lat = np.arange(0.0, 30, 1), np.arange(-60.0, -29, 1)
    keys = lat_lon_keys(lon, lat)
    path = analytic.write_grib(tmp_path / "a.grib", keys, *np.meshgrid(lon, lat))
    for first, expected in ((300_000_000, -60.0), (120_000_000, None)):
        made = b""
        with path.open("rb") as file:
            while (handle := ec.codes_grib_new_from_file(file)) is not None:
                ec.codes_set(handle, "latitudeOfFirstGridPoint", first)
                made += ec.codes_get_message(handle)
                ec.codes_release(handle)
        (tmp_path / "b.grib").write_bytes(made)
        if expected is None:
            with pytest.raises(UserError, match="the latitude of its first point is 120 degrees"):
                open_analysis([tmp_path / "b.grib"])
        else:
            assert open_analysis([tmp_path / "b.grib"]).grid.y[0] == expected


def test_a_domain_that_says_its_longitude_in_any_turn():
    wishes = {"nx": 24, "ny": 20, "dx": 100e3, "center_latitude": 45.0}
    for longitude in (5.0, 365.0, -355.0, 725.0):
        domain = fit(lat_lon(LON, LAT), Wishes(center_longitude=longitude, **wishes))
        assert domain.center_longitude == pytest.approx(EUROPE.center_longitude)


def test_a_domain_at_the_other_end_of_a_projection_is_refused_without_warnings(tmp_path):
    proj = Proj(proj="stere", lat_0=-90, lat_ts=-60, lon_0=20, R=6371229)
    x = y = 90e3 * np.arange(-22, 23)
    lon, lat = proj(*np.meshgrid(x, y), inverse=True)
    south = {"LaDInDegrees": -60, "orientationOfTheGridInDegrees": 20, "projectionCentreFlag": 128}
    keys = projected_keys("polar_stereographic", proj, x, y, **south)
    path = analytic.write_grib(tmp_path / "a.grib", keys, lon, lat)
    north = Domain(Projection("polar-stereographic", 60, 60, 10), 20, 20, 60e3, 60e3, 89.9, 30)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        with pytest.raises(UserError, match="extends beyond the analysis"):
            columns_of([path], north)
        with pytest.raises(UserError, match="the terrain heights do not cover the domain"):
            cell_means(open_heights(path), north)


@pytest.mark.parametrize("first", [1.0, 0.5])
def test_of_one_field_on_two_grids_all_levels_are_of_one(tmp_path, first):
    """Parent and nest given together: the grid of the first temperature, whatever the order of the others."""
    grids = {step: (np.arange(-35.0, 45.1, step), np.arange(65.0, 24.9, -step)) for step in (1.0, 0.5)}
    second = 1.5 - first
    parts = []
    for names, order in ((("t", "gh", "q"), (first, second)), (("u", "v"), (second, first))):
        for step in order:
            path = tmp_path / f"{names[0]}{step}.grib"
            upper = {name: analytic.UPPER[name] for name in names}
            surface = analytic.SURFACE if "t" in names else {}
            analytic.regular_grib(path, *grids[step], upper=upper, surface=surface)
            parts.append(path)
    analysis = open_analysis(parts)
    found = {len(piece.grid.x) for name in ("temperature", "u", "v") for piece in analysis.at(START, name)}
    assert found == {len(grids[first][0])}


def test_heights_by_gmt_whose_columns_are_called_x(tmp_path):
    """Of ETOPO1 (gmt4): x and y in degrees, which their long names call longitude and latitude."""
    lon, lat = np.arange(-20.0, 30.1, 0.25), np.arange(30.0, 60.1, 0.25)
    height = 100 + 0 * np.meshgrid(lon, lat)[0]
    axes = {"x": ("x", lon, {"long_name": "Longitude", "units": "degrees"}),
            "y": ("y", lat, {"long_name": "Latitude", "units": "degrees"})}  # fmt: skip
    xr.Dataset({"z": (("y", "x"), height)}, coords=axes).to_netcdf(tmp_path / "etopo.grd")
    np.testing.assert_allclose(cell_means(open_heights(tmp_path / "etopo.grd"), EUROPE)[0], 100)
