"""Near a pole all meridians meet: one wind for all longitudes of the row there is no wind, a grid without
such a row still goes on over the pole, and a scalar has one value."""

from datetime import datetime

import numpy as np
import pytest

from squall.geo.domain import Domain, Projection
from squall.prepare.regrid import Regridder
from squall.prepare.report import Report
from squall.prepare.sources import open_analysis
from squall.prepare.sources.analysis import Analysis
from squall.prepare.sources.grids import lat_lon
from squall.prepare.sources.piece import Piece

TIME = datetime(2020, 1, 1)
LEVELS = (1e5, 8.5e4, 5e4, 3e4, 1e4)
EVERY = np.arange(0, 360, 2.5)
WITH_POLES = np.arange(90, -90.1, -2.5)
WITHOUT = WITH_POLES[1:-1]  # the last rows are 2.5 degrees from the poles, as Gaussian ones are about a row
BETWEEN = np.arange(88.75, -89, -2.5)


def domain_at(pole, spacing=50e3):
    projection = Projection("polar-stereographic", np.sign(pole) * 60, np.sign(pole) * 60, 30)
    return Domain(projection, 30, 30, spacing, spacing, pole, 0)


def flow_across(lon, lat):
    """Solid-body flow over both poles, 20 m/s there: towards east and north."""
    lam, phi = np.radians(lon), np.radians(lat)
    r = np.stack([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)], -1)
    w = 20 * np.cross([0.6, 0.8, 0.0], r)
    east = np.stack([-np.sin(lam), np.cos(lam), 0 * lam], -1)
    north = np.stack([-np.sin(phi) * np.cos(lam), -np.sin(phi) * np.sin(lam), np.cos(phi)], -1)
    return (w * east).sum(-1), (w * north).sum(-1)


def scalar(lon, lat):
    """Smooth on the sphere, of all wave numbers to 2 at a pole."""
    lam, phi = np.radians(lon), np.radians(lat)
    x, y, z = np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)
    return 260 + 12 * x - 7 * y + 9 * x * y + 5 * z


def made(fields, lat, lon=EVERY):
    """An analysis of `fields`: name to (rows, columns)."""
    grid = lat_lon(lon, lat)

    def piece(name, values, level):
        near = name.endswith(("m", "mask"))
        units = {"t": "K", "l": "1"}.get(name[0], "m s-1")
        return Piece(
            name, TIME, "surface" if near else "pressure", (0.0 if near else level,), grid, units, name,
            lambda window: window.of(values)[None],
        )  # fmt: skip

    everything = {name: np.zeros((len(lat), len(lon))) for name in ("u", "v")}
    everything |= {"temperature": np.full((len(lat), len(lon)), 260.0)} | fields
    pieces = [piece(name, values, level) for name, values in everything.items() for level in LEVELS]
    return Analysis({(p.field, p.levels): p for p in pieces}.values(), ["made"])


def winds(fields, lat, domain, lon=EVERY, names=("u", "v"), levels=LEVELS):
    report = Report()
    return *Regridder(made(fields, lat, lon), domain, report).winds(TIME, names, levels), report


def worst(u, v, domain):
    """The greatest error of wind on U and V points, m/s."""
    errors = []
    for points, found, k in ((domain.u, u, 0), (domain.v, v, 1)):
        east, north = flow_across(points.longitude, points.latitude)
        along = (
            east * points.cos_alpha + north * points.sin_alpha,
            north * points.cos_alpha - east * points.sin_alpha,
        )
        errors.append(np.abs(found - along[k]).max())
    return max(errors)


def flow_on(lat, lon=EVERY):
    u, v = flow_across(*np.meshgrid(lon, lat))
    return {"u": u, "v": v}


def one_for_all(fields):
    """What archives do: the row at a pole has the components of its first longitude throughout."""
    for values in fields.values():
        values[0], values[-1] = values[0, 0], values[-1, 0]
    return fields


def zero(fields):
    for values in fields.values():
        values[[0, -1]] = 0
    return fields


def none(fields):
    for values in fields.values():
        values[[0, -1]] = np.nan
    return fields


@pytest.mark.parametrize("pole", [90.0, -90.0])
@pytest.mark.parametrize("how", [lambda fields: fields, one_for_all, zero, none])
def test_the_flow_over_a_pole_is_straight_whatever_stands_in_its_row(pole, how):
    domain = domain_at(pole)
    for turn in (slice(None), slice(None, None, -1)):
        fields = {name: values[turn] for name, values in how(flow_on(WITH_POLES)).items()}
        u, v, report = winds(fields, WITH_POLES[turn], domain)
        assert worst(u, v, domain) < 0.05
        told = [note for note in report.notes if "not a single vector in the row at the pole" in note]
        assert len(told) == (how in (one_for_all, zero, none))


def test_the_wind_at_10_m_over_a_pole_is_straight_too():
    domain = domain_at(90.0)
    fields = {f"{name}_10m": values for name, values in one_for_all(flow_on(WITH_POLES)).items()}
    u, v, report = winds(fields, WITH_POLES, domain, names=("u_10m", "v_10m"), levels=(0.0,))
    assert worst(u, v, domain) < 0.05
    assert any(note.startswith("wind at 10 m is not a single vector") for note in report.notes)


@pytest.mark.parametrize("pole", [90.0, -90.0])
@pytest.mark.parametrize("lat", [WITHOUT, BETWEEN, BETWEEN[::-1]])
def test_a_grid_without_a_row_at_the_pole_goes_on_over_it(pole, lat):
    domain = domain_at(pole)
    if len(lat) == len(WITHOUT):  # a row is left out: that is beyond the analysis
        lat = np.concatenate([[89.0], lat, [-89.0]])
    u, v, _ = winds(flow_on(lat), lat, domain)
    assert worst(u, v, domain) < 0.05
    regridder = Regridder(made({"temperature": scalar(*np.meshgrid(EVERY, lat))}, lat), domain, Report())
    found = regridder.volume(TIME, "temperature", LEVELS)
    points = domain.mass
    assert np.abs(found - scalar(points.longitude, points.latitude)).max() < 0.02


def test_a_ring_with_an_odd_number_of_points_goes_over_the_pole_too():
    lon = np.arange(145) * 360 / 145
    domain = domain_at(90.0)
    u, v, _ = winds(one_for_all(flow_on(WITH_POLES, lon)), WITH_POLES, domain, lon)
    assert worst(u, v, domain) < 0.1


def test_real_winds_that_are_one_vector_at_the_pole_are_kept():
    fields = flow_on(WITH_POLES)
    lam = np.radians(EVERY)
    fields["u"][0], fields["v"][0] = -np.sin(lam) * 7 + np.cos(lam) * 3, -np.cos(lam) * 7 - np.sin(lam) * 3
    regridder = Regridder(made(fields, WITH_POLES), domain_at(90.0, 10e3), Report())
    u, v = regridder.winds(TIME, ("u", "v"), LEVELS)
    assert np.hypot(u[0, 15, 15], v[0, 15, 15]) == pytest.approx(np.hypot(3, 7), abs=0.3)
    assert not regridder.report.notes


@pytest.mark.parametrize("wrong", [0.0, np.nan, "along"])
def test_scalars_of_the_row_at_the_pole_are_one(wrong):
    domain, values = domain_at(90.0), scalar(*np.meshgrid(EVERY, WITH_POLES))
    values[0] = values[8] if wrong == "along" else values[0]
    if wrong != "along":
        values[0, ::2] = 200 + wrong
    regridder = Regridder(
        made({"temperature": values, "temperature_2m": values}, WITH_POLES), domain, Report()
    )
    points = domain.mass
    exact = scalar(points.longitude, points.latitude)
    for found in (regridder.volume(TIME, "temperature", LEVELS)[0], regridder.plane(TIME, "temperature_2m")):
        assert np.abs(found - exact).max() < 0.4
    assert any("differs along the row at the pole" in note for note in regridder.report.notes)


def test_a_part_of_the_circle_has_a_right_row_at_its_pole():
    lat, lon = np.arange(90, 50, -2.5), np.arange(-60, 61, 2.5)
    domain = Domain(Projection("polar-stereographic", 60, 60, 0), 16, 16, 50e3, 50e3, 84, 0)
    fields = flow_on(lat, lon)
    for values in fields.values():
        values[0] = values[0, 0]
    u, v, _ = winds(fields, lat, domain, lon)
    assert worst(u, v, domain) < 0.3


def test_means_over_coarse_cells_count_no_point_twice():
    domain = domain_at(90.0, 200e3)
    lat, lon = np.arange(90, 30, -1.0), np.arange(0, 360, 1.0)
    values = scalar(*np.meshgrid(lon, lat))
    found = Regridder(made({"temperature": values}, lat, lon), domain, Report()).volume(
        TIME, "temperature", LEVELS
    )
    points = domain.mass
    near = points.latitude > 75
    assert np.abs(found[0] - scalar(points.longitude, points.latitude))[near].max() < 0.3


def test_the_wind_of_an_archive_with_one_for_all_longitudes(trial):
    """Solid-body flow about the axis through 0 E on the equator, 20 m/s, in trial 14."""
    analysis = open_analysis([trial("14-wind-at-the-pole", "one_wind.grib2")])
    domain = Domain(Projection("polar-stereographic", 60, 60, 0), 40, 40, 50e3, 50e3, 90, 0)
    u, v = Regridder(analysis, domain, Report()).winds(analysis.times[0], ("u", "v"), (5e4,))
    speed = np.hypot(0.5 * (u[..., 1:] + u[..., :-1]), 0.5 * (v[:, 1:] + v[:, :-1]))
    assert np.abs(speed - 20)[0][domain.mass.latitude > 87].max() < 0.1
