"""Columns of an analysis whose fields are known functions of place, and how near the truth they are to be."""

import numpy as np

import analytic
from analytic import (
    LEVELS,
    START,
    height,
    surface_pressure,
)
from squall.geo.domain import Domain, Projection
from squall.prepare.make_columns import ColumnMaker
from squall.prepare.regrid import Regridder
from squall.prepare.report import Report
from squall.prepare.sources import open_analysis

EUROPE = Domain(Projection("lambert", 35, 55, 10), 24, 20, 100e3, 100e3, 45, 5)


LON, LAT = np.arange(-35.0, 45.1, 1.0), np.arange(65.0, 24.9, -1.0)


def columns_of(paths, domain=EUROPE, time=START):
    """Columns of a time, and the report."""
    report = Report()
    regridder = Regridder(open_analysis(paths), domain, report)
    made = ColumnMaker(regridder, np.ones((domain.ny, domain.nx), np.float32)).make(time)
    return made, report


def assert_true(columns, domain=EUROPE, tolerance=1.0):
    """Errors of 1-degree cubic interpolation of these fields, times `tolerance`."""
    lon, lat = domain.mass.longitude, domain.mass.latitude
    p = columns.pressure
    np.testing.assert_allclose(p, LEVELS, rtol=1e-6)
    for n, level in enumerate(p):
        truth = {
            "temperature": (analytic.temperature(level, lon, lat), 0.02),
            "height": (height(level, lon, lat), 0.15),
        }
        for name, (values, error) in truth.items():
            np.testing.assert_allclose(getattr(columns, name)[n], values, atol=error * tolerance, rtol=0)
        q = analytic.specific_humidity(level, lon, lat)
        np.testing.assert_allclose(columns.mixing_ratio[n], q / (1 - q), atol=1e-5 * tolerance, rtol=0)
        for name, k in (("u", 0), ("v", 1)):
            points = domain.points(name)
            east, north = analytic.winds(level, points.longitude, points.latitude)
            along = (
                east * points.cos_alpha + north * points.sin_alpha,
                north * points.cos_alpha - east * points.sin_alpha,
            )
            # At a pole these winds are of no direction, and what is there is made of the rows beside it.
            of_one = np.abs(points.latitude) < 87
            np.testing.assert_allclose(
                getattr(columns, name)[n][of_one], along[k][of_one], atol=0.03 * tolerance, rtol=0
            )
    # Bilinear, for the pressure to go with its ground.
    np.testing.assert_allclose(columns.surface_pressure, surface_pressure(lon, lat), atol=10 * tolerance)
    np.testing.assert_allclose(columns.terrain, analytic.ground(lon, lat), atol=0.8 * tolerance)
    sea_level = analytic.SURFACE["prmsl"](lon, lat)
    np.testing.assert_allclose(columns.sea_level_pressure, sea_level, atol=2 * tolerance)


def projected_keys(kind, proj, x, y, **more):
    lon, lat = proj(x[0], y[0], inverse=True)
    return {
        "gridType": kind, "shapeOfTheEarth": 6, "Nx": len(x), "Ny": len(y),
        "latitudeOfFirstGridPointInDegrees": lat, "longitudeOfFirstGridPointInDegrees": lon % 360,
        "DxInMetres": x[1] - x[0], "DyInMetres": y[1] - y[0], "jScansPositively": 1,
        "resolutionAndComponentFlags": 0x38, **more,
    }  # fmt: skip
