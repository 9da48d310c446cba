"""Analyses of every kind become the same columns: on any grid, in any layout, within the error of
interpolation. The truth is known at every point."""

import eccodes as ec
import numpy as np
import pytest
import xarray as xr
from pyproj import Proj

import analytic
from analysed_columns import LAT, LON, assert_true, columns_of, projected_keys
from analytic import (
    G0,
    LEVELS,
    START,
    date_keys,
    era5,
    every,
    lat_lon_keys,
    regular_grib,
    surface_pressure,
)
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare.regrid import Regridder
from squall.prepare.report import Report
from squall.prepare.sources import Analysis, open_analysis
from squall.prepare.sources.grib import read as read_grib
from squall.prepare.sources.grids import lat_lon
from squall.prepare.sources.piece import Piece


@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("northwards", [True, False])
def test_grib_of_both_editions_with_rows_either_way(tmp_path, edition, northwards):
    lat = LAT[::-1] if northwards else LAT
    path = regular_grib(tmp_path / "a.grib", LON, lat, edition=edition)
    assert_true(columns_of([path])[0])


@pytest.mark.parametrize("center", [0.0, 180.0])
def test_a_global_grid_has_no_seam(tmp_path, center):
    path = regular_grib(tmp_path / "a.grib", np.arange(0.0, 360, 1.0), np.arange(90, -90.1, -1.0))
    domain = Domain(Projection("lambert", 35, 55, center), 24, 20, 100e3, 100e3, 45, center)
    assert_true(columns_of([path], domain)[0], domain)


def test_a_domain_over_the_pole(tmp_path):
    path = regular_grib(tmp_path / "a.grib", np.arange(0.0, 360, 1.0), np.arange(90, -90.1, -1.0))
    domain = Domain(Projection("polar-stereographic", 60, 60, 10), 20, 20, 60e3, 60e3, 89, 30)
    assert_true(columns_of([path], domain)[0], domain, tolerance=3)


def along_grid(proj):
    """The winds of `analytic` along the x and y of a projection."""

    def component(k):
        def field(p, lon, lat):
            east, north = analytic.winds(p, lon, lat)
            alpha = -np.radians(proj.get_factors(lon, lat).meridian_convergence)
            return (
                east * np.cos(alpha) + north * np.sin(alpha),
                north * np.cos(alpha) - east * np.sin(alpha),
            )[k]

        return field

    return {**analytic.UPPER, "u": component(0), "v": component(1)}


@pytest.mark.parametrize("kind", ["lambert", "polar_stereographic"])
def test_projected_grids_and_winds_along_them(tmp_path, kind):
    if kind == "lambert":
        proj = Proj(proj="lcc", lat_1=50, lat_2=50, lat_0=50, lon_0=20, R=6371229)
        more = {"LaDInDegrees": 50, "LoVInDegrees": 20, "Latin1InDegrees": 50, "Latin2InDegrees": 50}
    else:
        proj = Proj(proj="stere", lat_0=90, lat_ts=60, lon_0=20, R=6371229)
        more = {"LaDInDegrees": 60, "orientationOfTheGridInDegrees": 20}
    middle = proj(5, 45)
    x, y = middle[0] + 90e3 * np.arange(-22, 23), middle[1] + 90e3 * np.arange(-22, 23)
    lon, lat = proj(*np.meshgrid(x, y), inverse=True)
    keys = projected_keys(kind, proj, x, y, **more)
    path = analytic.write_grib(tmp_path / "a.grib", keys, lon, lat, upper=along_grid(proj))
    # 20 degrees from the meridian of the grid: to take the winds as they are would be wrong by m/s.
    assert_true(columns_of([path])[0])


def test_a_rotated_grid(tmp_path):
    pole, x, y = (40.0, -170.0), np.arange(-22.0, 22.1, 1.0), np.arange(-22.0, 22.1, 1.0)
    from squall.prepare.sources.grids import rotated

    grid = rotated(x, y, *pole)
    lon, lat = grid.inverse(*np.meshgrid(x, y))
    # The middle of the rotated grid lies on the meridian opposite its pole, 50 degrees north.
    assert (lon[22, 22] % 360, lat[22, 22]) == (pytest.approx(10), pytest.approx(50))
    keys = {
        **analytic.lat_lon_keys(x, y), "gridType": "rotated_ll", "latitudeOfSouthernPoleInDegrees": -40.0,
        "longitudeOfSouthernPoleInDegrees": 10.0, "angleOfRotationInDegrees": 0.0,
        "longitudeOfFirstGridPointInDegrees": 338.0, "longitudeOfLastGridPointInDegrees": 22.0,
    }  # fmt: skip
    path = analytic.write_grib(tmp_path / "a.grib", keys, lon, lat)
    assert_true(columns_of([path])[0])


def test_new_era5_files(tmp_path):
    upper, surface = era5(LON, LAT, every(6, 2))
    upper.to_netcdf(tmp_path / "pl.nc")
    surface.to_netcdf(tmp_path / "sfc.nc")
    for time in every(6, 2):
        assert_true(columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"], time=time)[0])


def test_old_era5_files_packed_and_with_two_versions(tmp_path):
    upper, surface = era5(LON, LAT, every(6, 2), levels=LEVELS[::-1], new=False)
    both = []
    for n in range(2):  # each time is there in one version only
        both.append(upper.where(upper.time == upper.time[n]).assign_coords(expver=1 + 4 * n))
    packed = {name: {"dtype": "i2", "_FillValue": -32767, **pack} for name, pack in _packing(upper).items()}
    xr.concat(both, "expver").transpose("time", "expver", ...).to_netcdf(tmp_path / "pl.nc", encoding=packed)
    surface.to_netcdf(tmp_path / "sfc.nc")
    for time in every(6, 2):
        assert_true(columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"], time=time)[0], tolerance=3)


def _packing(dataset):
    made = {}
    for name, values in dataset.items():
        low, high = float(values.min()), float(values.max())
        made[name] = {"scale_factor": (high - low) / 65000, "add_offset": (low + high) / 2}
    return made


def renamed(tmp_path, names, surface_names, units, **attributes):
    """The ERA5 files under other names: variables, coordinates; units of some."""
    upper, surface = era5(LON, LAT, new=False)
    upper["z"] = upper["z"] / G0
    surface["z"] = surface["z"] / G0
    for dataset, table in ((upper, names), (surface, surface_names)):
        dataset["z"].attrs["units"] = "m"
        for old, unit in units.items():
            if old in dataset:
                dataset[old].attrs["units"] = unit
        dataset.attrs = attributes
        dataset.rename({old: new for old, new in table.items() if old in dataset.variables}).to_netcdf(
            tmp_path / f"{len(list(tmp_path.iterdir()))}.nc"
        )
    return sorted(tmp_path.iterdir())


AXES = {"latitude": "lat", "longitude": "lon"}
LAYOUTS = {
    "physical sciences laboratory": (
        {**AXES, "t": "air", "z": "hgt", "u": "uwnd", "v": "vwnd", "q": "shum"},
        {**AXES, "sp": "pres", "z": "hgt", "msl": "slp", "t2m": "air", "lsm": "land"},
        {"t": "degK", "q": "kg/kg", "u": "m/s", "v": "m/s"},
    ),
    "unidata": (
        {
            **AXES, "t": "Temperature_isobaric", "z": "Geopotential_height_isobaric",
            "u": "u-component_of_wind_isobaric", "v": "v-component_of_wind_isobaric",
            "q": "Specific_humidity_isobaric", "level": "isobaric1",
        },
        {
            **AXES, "sp": "Pressure_surface", "z": "Geopotential_height_surface",
            "msl": "Pressure_reduced_to_MSL_msl", "lsm": "Land_cover_0__sea_1__land_surface",
            "skt": "Temperature_surface",
        },
        {"z": "gpm"},
    ),
    "grads": (
        {
            **AXES, "t": "tmpprs", "z": "hgtprs", "u": "ugrdprs", "v": "vgrdprs", "q": "spfhprs",
            "level": "lev",
        },
        {
            **AXES, "sp": "pressfc", "z": "hgtsfc", "msl": "prmslmsl", "skt": "tmpsfc", "lsm": "landsfc",
            "t2m": "tmp2m",
        },
        {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_of_netcdf_that_people_have(tmp_path, layout):
    assert_true(columns_of(renamed(tmp_path, *LAYOUTS[layout]))[0])


def test_a_variable_for_each_level_as_wgrib2_writes_them(tmp_path):
    upper, surface = era5(LON, LAT, new=False)
    single = xr.Dataset()
    for old, new in {"t": "TMP", "z": "HGT", "q": "SPFH", "u": "UGRD", "v": "VGRD"}.items():
        for level in upper.level.values:
            plane = upper[old].sel(level=level, drop=True) / (G0 if old == "z" else 1)
            single[f"{new}_{level:.0f}mb"] = plane.assign_attrs(
                units={"t": "K", "z": "gpm", "q": "kg/kg"}.get(old, "m/s")
            )
    names = {
        "sp": "PRES_surface",
        "z": "HGT_surface",
        "msl": "PRMSL_meansealevel",
        "t2m": "TMP_2maboveground",
    }
    surface["z"] = (surface["z"] / G0).assign_attrs(units="gpm")
    xr.merge([single, surface.rename(names)]).to_netcdf(tmp_path / "a.nc")
    assert_true(columns_of([tmp_path / "a.nc"])[0])


def test_cf_standard_names_on_a_projection(tmp_path):
    proj = Proj(proj="lcc", lat_1=50, lat_2=50, lat_0=50, lon_0=20, R=6371229)
    middle = proj(5, 45)
    x, y = middle[0] + 90e3 * np.arange(-22, 23), middle[1] + 90e3 * np.arange(-22, 23)
    lon, lat = proj(*np.meshgrid(x, y), inverse=True)
    fields = along_grid(proj)
    standard = {"t": "air_temperature", "gh": "geopotential_height", "q": "specific_humidity", "u": "x_wind",
                "v": "y_wind"}  # fmt: skip
    made = xr.Dataset(
        coords={
            "when": ("when", np.array([START], "datetime64[ns]")),
            "p": ("p", np.array(LEVELS), {"units": "Pa", "standard_name": "air_pressure"}),
            "across": ("across", x / 1e3, {"units": "km", "standard_name": "projection_x_coordinate"}),
            "along": ("along", y / 1e3, {"units": "km", "standard_name": "projection_y_coordinate"}),
        }
    )
    made["crs"] = ((), 0, proj.crs.to_cf())
    dims = ("when", "p", "along", "across")
    units = {"t": "K", "gh": "m", "q": "1", "u": "m s-1", "v": "m s-1"}
    for n, (name, standard_name) in enumerate(standard.items()):
        values = np.stack([fields[name](p, lon, lat) for p in LEVELS])[None].astype(np.float32)
        about = {"standard_name": standard_name, "units": units[name], "grid_mapping": "crs"}
        made[f"variable_{n}"] = (dims, values, about)
    more = {
        "surface_air_pressure": (surface_pressure(lon, lat) / 100, "hPa"),
        "surface_altitude": (analytic.ground(lon, lat), "m"),
        "air_pressure_at_mean_sea_level": (analytic.SURFACE["prmsl"](lon, lat) / 100, "hPa"),
    }
    for n, (standard_name, (values, unit)) in enumerate(more.items()):
        about = {"standard_name": standard_name, "units": unit, "grid_mapping": "crs"}
        made[f"surface_{n}"] = (("when", "along", "across"), values[None].astype(np.float32), about)
    made.variables["variable_2"].attrs["units"] = "kg kg-1"
    made.to_netcdf(tmp_path / "a.nc")
    assert_true(columns_of([tmp_path / "a.nc"])[0])


def test_model_levels_get_their_pressure_and_heights(tmp_path):
    """Hydrostatic air at 280 K on 30 levels of a + b times the surface pressure."""
    half_b = np.linspace(0, 1, 31) ** 1.5
    half_a = 5000 * (1 - half_b)
    lon, lat = np.meshgrid(LON, LAT)
    grid = analytic.lat_lon_keys(LON, LAT)
    ps = surface_pressure(lon, lat)
    path = tmp_path / "ml.grib"
    levels = {"typeOfLevel": "hybrid", "PVPresent": 1, "pv": np.concatenate([half_a, half_b])}
    with path.open("wb") as file:
        for level in range(1, 31):
            for name, value in {"t": 280.0, "q": 0.0, "u": 10.0, "v": 0.0}.items():
                keys = {**grid, **analytic.date_keys(START), **levels, "level": level, "shortName": name}
                file.write(analytic.message(np.full(lon.shape, value), keys))
        keys = {**grid, **analytic.date_keys(START), **levels, "level": 1}
        file.write(analytic.message(np.log(ps), {**keys, "shortName": "lnsp"}))
        file.write(analytic.message(G0 * analytic.ground(lon, lat), {**keys, "shortName": "z"}))
    columns, report = columns_of([path])
    surface = columns.surface_pressure
    assert columns.pressure.shape == (30, 20, 24)
    mean_a, mean_b = (0.5 * (half[1:] + half[:-1])[::-1, None, None] for half in (half_a, half_b))
    np.testing.assert_allclose(columns.pressure, mean_a + mean_b * surface, rtol=1e-4)
    expected = columns.terrain + 287 * 280 / G0 * np.log(surface / columns.pressure)
    np.testing.assert_allclose(columns.height, expected, atol=1.0)
    assert any("hydrostatic balance" in line for line in report.substituted)


def test_a_broken_grib_file_is_refused(tmp_path):
    path = regular_grib(tmp_path / "a.grib", LON, LAT)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(UserError, match="broken after"):
        open_analysis([path])


def test_spectral_fields_are_refused_with_what_to_ask_for(tmp_path):
    handle = ec.codes_grib_new_from_samples("sh_pl_grib2")
    (tmp_path / "a.grib").write_bytes(ec.codes_get_message(handle))
    ec.codes_release(handle)
    with pytest.raises(
        UserError, match=r"its grid, 'sh', is not supported; request a latitude-longitude grid"
    ):
        open_analysis([tmp_path / "a.grib"])


def test_other_files_are_refused(tmp_path):
    (tmp_path / "a.txt").write_text("no weather")
    with pytest.raises(UserError, match="text, not GRIB or netCDF"):
        open_analysis([tmp_path / "a.txt"])
    with pytest.raises(UserError, match="There is no file"):
        open_analysis([tmp_path / "b"])


def test_soil_layers_of_open_data_are_numbered_from_the_ground(tmp_path):
    """ECMWF's open data call the layers 1 to 4 of soil sot and vsw, and do not say how deep they are."""
    path = tmp_path / "soil.grib2"
    with path.open("wb") as file:
        for number in (1, 2, 3, 4, 7):
            for name in ("sot", "vsw"):
                keys = (
                    lat_lon_keys(LON, LAT) | date_keys(START) | {"centre": "ecmf", "typeOfLevel": "soilLayer"}
                )
                values = np.full((len(LAT), len(LON)), 280.0 + number)
                file.write(analytic.message(values, {**keys, "shortName": name, "level": number}))
    found = [(piece.field, piece.kind, piece.tops[0], piece.levels[0]) for piece in read_grib(path)]
    layers = [(0, 0.07), (0.07, 0.28), (0.28, 1), (1, 2.89)]
    assert found == [
        (field, "soil", top, bottom)
        for top, bottom in layers
        for field in ("soil_temperature", "soil_moisture")
    ]


def test_pressure_over_mountains_between_points_is_that_of_its_height():
    """Of air of one profile over ridges of 2 km: half-way between points straight lines are 3 hPa off."""

    def pressure(height):
        return 1e5 * (1 - 0.0065 * height / 288) ** 5.2559

    grid = lat_lon(LON, LAT)
    ground = 1000 * (1 + np.cos(np.pi * np.arange(len(LON)))) * np.ones((len(LAT), 1))
    height = ground + np.array([50, 1000, 4000, 9000])[:, None, None]
    levels = (4.0, 3.0, 2.0, 1.0)

    def piece(field, kind, numbers, values, units):
        return Piece(field, START, kind, numbers, grid, units, "made up", lambda w: w.of(values))

    still = np.zeros_like(height)
    pieces = [
        piece("temperature", "hybrid", levels, still + 270, "K"),
        piece("u", "hybrid", levels, still, "m s-1"),
        piece("v", "hybrid", levels, still, "m s-1"),
        piece("mixing_ratio", "hybrid", levels, still, "kg kg-1"),
        piece("pressure", "hybrid", levels, pressure(height), "Pa"),
        piece("height", "hybrid", levels, height, "m"),
        piece("surface_pressure", "surface", (0.0,), pressure(ground)[None], "Pa"),
        piece("terrain", "surface", (0.0,), ground[None], "m"),
    ]
    fine = Domain(Projection("lambert", 35, 55, 10), 40, 30, 20e3, 20e3, 45, 5)
    regridder = Regridder(Analysis(pieces, ["made up"]), fine, Report())
    found, above = regridder.pressure(START, levels), regridder.volume(START, "height", levels)
    bottom, floor = regridder.surface_pressure(START), regridder.plane(START, "terrain")
    assert floor.max() - floor.min() > 1500
    assert np.abs(found - pressure(above)).max() < 30
    assert np.abs(bottom - pressure(floor)).max() < 30
