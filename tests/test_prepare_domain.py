"""The grid of a domain on the Earth: as WRF's, true to scale, and nests on their parents' points."""

import os
from pathlib import Path

import numpy as np
import pytest
from netCDF4 import Dataset

from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare.fit import Wishes, fit
from squall.prepare.sources.grids import lat_lon

DATA = Path(os.environ.get("SQUALL_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))

LAMBERT = Domain(Projection("lambert", 30, 60, -95), 60, 50, 30e3, 30e3, 42, -90)
SOUTH = Domain(Projection("lambert", -20, -50, 140), 60, 50, 30e3, 30e3, -35, 150)
POLAR = Domain(Projection("polar-stereographic", 60, 60, 10), 60, 50, 30e3, 30e3, 75, 20)
SOUTH_POLAR = Domain(Projection("polar-stereographic", -71, -71, 0), 60, 50, 30e3, 30e3, -75, 100)
MERCATOR = Domain(Projection("mercator", 10, 10, 100), 60, 50, 30e3, 30e3, 5, 178)
LAT_LON = Domain(Projection("lat-lon", 0, 0, 10), 60, 50, 30e3, 20e3, 50, 10)
# Far from the meridian that the map is drawn about: the domains lie across its cut.
MERCATOR_CUT = Domain(Projection("mercator", 10, 10, 0), 60, 50, 30e3, 30e3, 5, 179)
LAT_LON_CUT = Domain(Projection("lat-lon", 0, 0, 0), 60, 50, 30e3, 30e3, -50, 180)
# A pole is a mass point, or lies between cells.
POLE = Domain(Projection("polar-stereographic", 60, 60, 10), 61, 51, 30e3, 30e3, 90, 20)
SOUTH_POLE = Domain(Projection("polar-stereographic", -71, -71, 0), 60, 50, 30e3, 30e3, -89, 100)
ALL = {
    "lambert": LAMBERT, "south": SOUTH, "polar": POLAR, "south-polar": SOUTH_POLAR, "mercator": MERCATOR,
    "lat-lon": LAT_LON, "mercator-cut": MERCATOR_CUT, "lat-lon-cut": LAT_LON_CUT, "pole": POLE,
    "south-pole": SOUTH_POLE,
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        "conus_2008-02-05/wrfinput_d01",
        "conus_2005-07-16/wrfinput_d01",
        "analysis/met_em.d01.2005-08-28_12_00_00.nc",
    ],
)
def test_points_map_factors_and_coriolis_are_those_of_wrf(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"needs the reference data {path}")
    with Dataset(path) as file:
        number = {a: file.getncattr(a) for a in file.ncattrs()}
        domain = Domain(
            Projection("lambert", *(float(number[a]) for a in ("TRUELAT1", "TRUELAT2", "STAND_LON"))),
            int(number["WEST-EAST_GRID_DIMENSION"]) - 1,
            int(number["SOUTH-NORTH_GRID_DIMENSION"]) - 1,
            *(float(number[a]) for a in ("DX", "DY", "CEN_LAT", "CEN_LON")),
        )
        mass = "_M" if "met_em" in name else ""
        ours = {
            f"XLAT{mass}": (domain.mass.latitude, 3e-5), f"XLONG{mass}": (domain.mass.longitude, 4e-5),
            "XLAT_U": (domain.u.latitude, 3e-5), "XLONG_V": (domain.v.longitude, 4e-5),
            "MAPFAC_M": (domain.mass.map_factor_x, 1e-6), "MAPFAC_UX": (domain.u.map_factor_x, 1e-6),
            "MAPFAC_VY": (domain.v.map_factor_y, 1e-6), "F": (domain.mass.coriolis[0], 3e-9),
            "E": (domain.mass.coriolis[1], 3e-9),
            # WRF takes these from differences of its rounded longitudes.
            "SINALPHA": (domain.mass.sin_alpha, 3e-4 if domain.dx > 1e3 else 0.01),
            "COSALPHA": (domain.mass.cos_alpha, 2e-4),
        }  # fmt: skip
        for variable, (values, tolerance) in ours.items():
            np.testing.assert_allclose(values, file[variable][0], atol=tolerance, rtol=0, err_msg=variable)
        written = domain.wrf_attributes()
        for attribute in ("MAP_PROJ", "TRUELAT1", "STAND_LON", "CEN_LAT", "POLE_LAT", "DX"):
            assert written[attribute] == pytest.approx(float(number[attribute]), rel=1e-6)


@pytest.mark.parametrize("name", ALL)
def test_map_factors_and_rotation_are_those_of_the_distances_between_points(name):
    domain = ALL[name]
    points = domain.mass
    lon, lat = np.radians(points.longitude), np.radians(points.latitude)
    place = 6370e3 * np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    along_x = place[:, :, 2:] - place[:, :, :-2]
    along_y = place[:, 2:] - place[:, :-2]
    distance_x, distance_y = np.linalg.norm(along_x, axis=0), np.linalg.norm(along_y, axis=0)
    np.testing.assert_allclose(2 * domain.dx / distance_x, points.map_factor_x[:, 1:-1], rtol=1e-4)
    np.testing.assert_allclose(2 * domain.dy / distance_y, points.map_factor_y[1:-1], rtol=1e-4)
    # A wind of 1 along x blows cos(alpha) towards east and sin(alpha) towards north.
    east = np.stack([-np.sin(lon), np.cos(lon), 0 * lon])
    north = np.stack([-np.sin(lat) * np.cos(lon), -np.sin(lat) * np.sin(lon), np.cos(lat)])
    for unit, expected in ((east, points.cos_alpha), (north, points.sin_alpha)):
        component = (along_x * unit[:, :, 1:-1]).sum(axis=0) / distance_x
        np.testing.assert_allclose(component, expected[:, 1:-1], atol=1e-4)


@pytest.mark.parametrize("name", ALL)
def test_indices_undo_places(name):
    domain = ALL[name]
    i, j = domain.indices(domain.v.longitude, domain.v.latitude)
    np.testing.assert_allclose(i, np.broadcast_to(np.arange(domain.nx), i.shape), atol=1e-6)
    np.testing.assert_allclose(
        j, np.broadcast_to(np.arange(domain.ny + 1)[:, None] - 0.5, j.shape), atol=1e-6
    )


@pytest.mark.parametrize("name", ALL)
def test_places_map_factors_and_rotation_are_those_of_proj(name):
    """PROJ's own, from derivatives of its maps: they share nothing with the formulas of WRF's terms here."""
    domain, points = ALL[name], ALL[name].u
    at = (np.abs(points.latitude) < 89.9) & (np.abs(points.longitude) < 179.9)  # its derivatives end there
    lon, lat = points.longitude[at], points.latitude[at]
    factors = domain.projection.proj.get_factors(lon, lat)
    # Meridians turn clockwise by this angle: WRF's alpha is the other way round.
    alpha = -np.radians(factors.meridian_convergence)
    np.testing.assert_allclose(points.sin_alpha[at], np.sin(alpha), atol=1e-6)
    np.testing.assert_allclose(points.cos_alpha[at], np.cos(alpha), atol=1e-6)
    np.testing.assert_allclose(points.map_factor_x[at], factors.parallel_scale, rtol=1e-6)
    np.testing.assert_allclose(points.map_factor_y[at], factors.meridional_scale, rtol=1e-6)
    x, y = domain.projection.proj(lon, lat)
    turn = domain.projection.turn or np.inf
    rows, columns = np.nonzero(at)
    east = np.diff(x) - np.diff(columns) * domain.dx
    north = np.diff(y) - np.diff(rows) * domain.dy
    np.testing.assert_allclose(east - (np.round(east / turn) * turn if turn < np.inf else 0), 0, atol=0.1)
    np.testing.assert_allclose(north, 0, atol=0.1)


@pytest.mark.parametrize(
    ("projection", "latitude", "longitude", "nx", "message"),
    [
        (Projection("lat-lon", 0, 0, 0), 88, 10, 60, "reaches to 94.7. degrees of latitude on a lat-lon map"),
        (Projection("lat-lon", 0, 0, 0), -86, 10, 60, "no width; the limit is 89.9"),
        (Projection("lat-lon", 0, 0, 0), 0, 10, 1400, "wraps around the lat-lon map"),
        (Projection("mercator", 0, 0, 0), 0, 10, 1400, "wraps around the mercator map"),
        (Projection("lambert", 30, 60, -95), 89, -95, 60, "crosses the edge of its lambert map"),
        (Projection("lambert", 30, 60, -95), 60, 85, 60, "cut opposite to its standard_longitude, -95"),
    ],
)
def test_a_domain_beyond_the_end_of_its_map_is_refused(projection, latitude, longitude, nx, message):
    grid = lat_lon(np.arange(0, 360, 2.5), np.arange(90, -90.1, -2.5))
    wishes = Wishes(
        nx, 50, 30e3, 30e3, float(latitude), float(longitude), projection.name, projection.true_latitude_1,
        projection.true_latitude_2, projection.standard_longitude,
    )  # fmt: skip
    with pytest.raises(UserError, match=message):
        fit(grid, wishes)


def test_an_odd_nest_has_its_parents_points():
    nest = LAMBERT.child(3, i_start=10, j_start=5, nx=60, ny=45)
    assert nest.dx == 10e3
    for axis in ("latitude", "longitude"):
        own, parents = getattr(nest.mass, axis)[1::3, 1::3], getattr(LAMBERT.mass, axis)[5:20, 10:30]
        np.testing.assert_allclose(own, parents, atol=1e-9)
    attributes = nest.wrf_attributes()
    assert (attributes["I_PARENT_START"], attributes["J_PARENT_START"]) == (11, 6)
    assert attributes["MOAD_CEN_LAT"] == 42
    assert attributes["CEN_LAT"] == nest.center_latitude != 42
    # And a nest of the nest.
    inner = nest.child(5, 2, 2, 50, 50, grid_id=3)
    np.testing.assert_allclose(inner.mass.latitude[2::5, 2::5], nest.mass.latitude[2:12, 2:12], atol=1e-9)
    assert inner.wrf_attributes()["MOAD_CEN_LAT"] == 42


def test_a_nest_that_does_not_fit_is_refused():
    with pytest.raises(UserError, match="does not end on its parent's cells"):
        LAMBERT.child(3, 10, 5, 61, 45)
    with pytest.raises(UserError, match="must lie inside the parent's outermost row"):
        LAMBERT.child(3, 50, 5, 60, 45)


def test_a_fitted_domain_lies_well_inside_a_regional_analysis():
    grid = lat_lon(np.arange(-20, 40.1, 0.5), np.arange(60, 29.9, -0.5))
    domain = fit(grid, Wishes())
    assert domain.projection.name == "lambert"
    assert (domain.center_latitude, domain.center_longitude) == (45, 10)
    corners = domain.points("corner")
    assert grid.inside(corners.longitude, corners.latitude, margin=2.5).all()
    # Not needlessly small: across the southern and northern sides, at least two thirds of the width.
    assert domain.nx * domain.dx > 0.66 * 60 * 111e3 * np.cos(np.radians(60))
    assert domain.dx == 20e3  # a third of 55.6 km, in round numbers


def test_wishes_go_before_what_fits():
    grid = lat_lon(np.arange(-20, 40.1, 0.5), np.arange(30, 60.1, 0.5))
    domain = fit(grid, Wishes(nx=40, ny=30, dx=12e3, center_latitude=50.0, center_longitude=0.0))
    assert (domain.nx, domain.ny, domain.dx, domain.center_longitude) == (40, 30, 12e3, 0)
    assert (domain.projection.true_latitude_1, domain.projection.true_latitude_2) == (40, 60)


def test_a_global_analysis_asks_where():
    grid = lat_lon(np.arange(0, 360, 2.5), np.arange(90, -90.1, -2.5))
    with pytest.raises(UserError, match="specify where the domain is"):
        fit(grid, Wishes())
    with pytest.raises(UserError, match="specify how large the domain is"):
        fit(grid, Wishes(center_latitude=40.0, center_longitude=-95.0))
