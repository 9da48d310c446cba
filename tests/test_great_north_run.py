"""The case `great-north-run`: the published layout, and its small edition from analysis to picture."""

import re
from functools import partial

import numpy as np
import pytest
import xarray as xr
from matplotlib.patches import Rectangle

import commands
import squall.plot
from pictures import assert_drawn
from squall import locate
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.plot import nests, panels
from squall.prepare.nests import place
from squall.prepare.run_file import read_plan
from squall.prepare.sources import jet
from squall.reader.dataset import open_run

pytestmark = [pytest.mark.regression, pytest.mark.seconds(60)]

GFS = (locate.CHECKOUT / "../shared/data/analysis/gfs.t12z.pgrbf120.2p5deg.grib2").resolve()
CASES = locate.CHECKOUT / "run-files"
OUTERMOST = Domain(Projection("lambert", 50, 60, -4), 355, 195, 9e3, 9e3, 54.5, -4)
NEWCASTLE = (-1.61, 54.97)


def domains_of(case, outermost):
    plan = read_plan(CASES / f"{case}.toml", look=False)
    return place(outermost, plan.nests, 5)


def test_the_layout_is_the_published_one():
    domains = domains_of("great-north-run", OUTERMOST)
    points = [(domain.nx + 1, domain.ny + 1) for domain in domains]
    assert points == [(356, 196), (319, 322), (391, 328)]
    assert [domain.dx for domain in domains] == [9000, 3000, 1000]
    assert [domain.parent_id for domain in domains] == [0, 1, 2]
    i, j = domains[-1].indices(*map(np.array, NEWCASTLE))
    assert 0.3 < i / 390 < 0.7
    assert 0.3 < j / 327 < 0.7


def test_the_small_edition_has_a_sixth_of_the_points_of_every_side():
    small = Domain(OUTERMOST.projection, 60, 33, 54e3, 54e3, 54.5, -4)
    for fine, coarse in zip(
        domains_of("great-north-run", OUTERMOST), domains_of("great-north-run-small", small), strict=True
    ):
        assert coarse.dx == 6 * fine.dx
        assert coarse.nx == pytest.approx(fine.nx / 6, abs=1.1)
        assert coarse.ny == pytest.approx(fine.ny / 6, abs=1.1)
        i, j = fine.indices(np.array(coarse.center_longitude), np.array(coarse.center_latitude))
        assert np.hypot(i - (fine.nx - 1) / 2, j - (fine.ny - 1) / 2) * fine.dx < 2 * coarse.dx


def test_the_jet_is_in_gradient_balance():
    """u (f + u tan(phi) / a) = -dPhi/dy on pressure levels; and hydrostatic between them."""
    latitude = np.arange(-89.0, 89.5, 1.0)
    temperature, height = jet._atmosphere(latitude)
    wind = jet._wind(latitude, height)
    phi = np.radians(latitude)
    left = wind * (2 * 7.2921e-5 * np.sin(phi) + wind * np.tan(phi) / 6.37e6)
    right = -9.81 * np.gradient(height, phi, axis=-1) / 6.37e6
    balanced = np.abs(latitude) > 25
    np.testing.assert_allclose(left[:, balanced], right[:, balanced], atol=1e-6)
    assert 40 < wind.max() < 70
    mean = 0.5 * (temperature[1:] + temperature[:-1])
    thickness = 287.0 * mean / 9.81 * np.log(jet._LEVELS[:-1] / jet._LEVELS[1:])[:, None]
    np.testing.assert_allclose(np.diff(height, axis=0), thickness, rtol=8e-3)  # the tropopause is a kink


def hills(path):
    """Two ridges across Britain, the rest of the Earth's surface under water."""
    lon, lat = np.arange(-40, 35.01, 0.1), np.arange(38, 68.01, 0.1)
    east, north = np.meshgrid(lon, lat)
    island = np.exp(-(((east + 3) / 2.5) ** 2) - ((north - 54) / 3.5) ** 2)
    ridges = np.exp(-(((east + 4.5) / 0.6) ** 2)) + np.exp(-(((east + 2.2) / 0.5) ** 2))
    heights = 200 * island - 40 + 500 * ridges * island
    xr.Dataset(
        {"relief": (("Y", "X"), heights.astype(np.float32), {"units": "meters"})},
        coords={"X": ("X", lon, {"units": "degrees_east"}), "Y": ("Y", lat, {"units": "degrees_north"})},
    ).to_netcdf(path)


def command(folder, *arguments, drawn=True):
    done = commands.squall(arguments, folder, timeout=400, drawn=drawn)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def quarter_of_an_hour(text):
    return text.replace('duration = "4 h"', 'duration = "15 min"').replace('"30 min"', '"15 min"')


@pytest.mark.long
def test_the_small_edition_runs_from_the_jet_to_a_picture(tmp_path):
    try:
        locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    hills(tmp_path / "terrain.nc")
    text = (CASES / "great-north-run-small.toml").read_text()
    (tmp_path / "run.toml").write_text(quarter_of_an_hour(text))
    run_squall = partial(command, tmp_path)
    said = run_squall("prepare", "run.toml", drawn=False)
    assert "Nest d03" in said
    assert "Warning" not in said
    run_squall("run", "run.toml")
    outer, inner = (open_run(tmp_path / "runs/run", domain=number).isel(Time=-1) for number in (1, 3))
    # Ridges of 30 km are there at 6 km and hardly at 54 km.
    assert float(inner["HGT"].max()) > 1.3 * float(outer["HGT"].max())
    assert float(inner["LANDMASK"].mean()) > 0.2
    for frame in (outer, inner):
        assert float(np.abs(frame["W"]).max()) < 2
        assert 30 < float(frame["U"].max()) < 80
    run_squall("plot", "runs/run", "-o", "britain.png")
    assert_drawn(tmp_path / "britain.png")
    for number in (1, 2):
        runs = [open_run(tmp_path / "runs/run", domain=n) for n in (number, number + 1)]
        the_nest_is_drawn_where_its_own_cells_lie(*runs)


def the_nest_is_drawn_where_its_own_cells_lie(parent, nest):
    """The middle one of the nest's first nine cells is the parent's cell that it is said to begin at."""
    around, within = (run.isel(Time=-1) for run in (parent, nest))
    (place,) = nests.inside(around)
    assert (place.width, place.height) == (nest.sizes["west_east"] / 3, nest.sizes["south_north"] / 3)
    for name in ("XLAT", "XLONG"):
        here = float(around[name][place.j - 1, place.i - 1])
        assert float(within[name][1, 1]) == pytest.approx(here, abs=1e-3)
    drawn = squall.plot.figure(parent, field="HGT")
    (framed,) = [patch for ax in drawn.axes for patch in ax.patches if isinstance(patch, Rectangle)]
    plan = panels.plan(around)
    spacing = plan.x[1] - plan.x[0]
    assert framed.get_width() == pytest.approx(place.width * spacing, rel=1e-4)
    assert framed.get_height() == pytest.approx(place.height * spacing, rel=1e-4)
    assert framed.get_x() == pytest.approx(plan.x[place.i - 1] - spacing / 2, abs=0.01 * spacing)
    assert framed.get_y() == pytest.approx(plan.y[place.j - 1] - spacing / 2, abs=0.01 * spacing)


def test_the_small_edition_runs_from_a_real_analysis(tmp_path):
    """Of the GFS, on 2.5 degrees: all three domains are made of it, and steps stay quiet: real weather over
    ridges, in balance on every domain's own ground."""
    try:
        locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    if not GFS.exists():
        pytest.skip(f"{GFS.name} is not there")
    hills(tmp_path / "terrain.nc")
    text = (CASES / "great-north-run-small.toml").read_text()
    text = re.sub("(?m)^start = .*\n", "", text).replace('"westerly-jet"', f'"{GFS}"')
    (tmp_path / "run.toml").write_text(quarter_of_an_hour(text))
    said = command(tmp_path, "prepare", "run.toml", drawn=False)
    leftover = [float(found) for found in re.findall(r"largest \|dw/dt\| (\S+) m/s2", said)]
    assert len(leftover) == 3
    assert max(leftover) < 1e-4
    command(tmp_path, "run", "run.toml")
    for number in (1, 2, 3):
        frames = open_run(tmp_path / "runs/run", domain=number)
        first, last = frames.isel(Time=0), frames.isel(Time=-1)
        assert float(np.abs(last["W"]).max()) < 2
        assert 15 < float(last["U"].max()) < 90
        # Surface pressure tells of what is not in balance: by less than 3 hPa in a quarter of an hour.
        drift = np.abs((last["MU"] + last["MUB"]) - (first["MU"] + first["MUB"]))
        assert float(drift.max()) < 300
        assert float(last["HGT"].max()) > 300
