"""What weather charts show, and maps and animations of runs on the Earth."""

import itertools
import shutil

import netCDF4
import numpy as np
import pytest
import xarray as xr
from PIL import Image, ImageSequence

from pictures import assert_drawn, coloured
from squall import diagnose
from squall.diagnose import surface, vorticity
from squall.errors import UserError
from squall.geo import coasts, maps
from squall.geo.domain import Domain, Projection
from squall.plot import Choice, PictureFile, charts, choice, field, style
from squall.reader.dataset import open_run
from synthetic import write_history

MAPS = 0.02  # of a picture is in colour, where a field is drawn on maps

G, R, KAPPA = 9.81, 287.0, 2 / 7
LAPSE = 0.0065
MASS = ("bottom_top", "south_north", "west_east")


def standard(z):
    """Pressure [Pa] and temperature [K] of the standard atmosphere."""
    t = 288.15 - LAPSE * z
    return 101325.0 * (t / 288.15) ** (G / (R * LAPSE)), t


def column(ground, atmosphere, nz=40, top=16000.0):
    """One frame over points of so many metres of height; atmosphere(z) gives pressure and temperature."""
    ground = np.atleast_2d(np.asarray(ground, float))
    eta = np.linspace(0, 1, nz + 1)[:, None, None] ** 1.4
    faces = ground + eta * (top - ground)
    # Layers have their mean pressure, and the temperature of the height where that is.
    edges = atmosphere(faces)[0]
    p = 0.5 * (edges[1:] + edges[:-1])
    z = np.array([np.interp(-p[:, j, i], -atmosphere(fine)[0], fine) for j, i in np.ndindex(ground.shape)])
    t = atmosphere(z.reshape(*ground.shape, nz).transpose(2, 0, 1))[1]
    return xr.Dataset(
        {
            "T": (MASS, t * (1e5 / p) ** KAPPA - 300),
            "P": (MASS, 0.0 * p),
            "PB": (MASS, p),
            "PH": (("bottom_top_stag", *MASS[1:]), 0.0 * faces),
            "PHB": (("bottom_top_stag", *MASS[1:]), G * faces),
            "PSFC": (MASS[1:], edges[0]),
            "ZNU": ("bottom_top", ((p - edges[-1]) / (edges[0] - edges[-1]))[:, 0, 0]),
            "P_TOP": edges[-1, 0, 0],
        },
        attrs={"DX": 1e4, "DY": 1e4},
    )


fine = np.linspace(0, 17000, 20001)


def test_sea_level_pressure_of_the_standard_atmosphere_is_that_of_sea_level_over_any_terrain():
    frame = column([0, 500, 1500, 3000, 4500], standard)
    np.testing.assert_allclose(surface.sea_level_pressure(frame).values, 101325, atol=15)


def test_below_hot_ground_the_temperature_is_tempered_and_even():
    def hot(z):
        return 101325.0 * np.exp(-G * z / (R * 310.0)), 310.0 + 0 * z

    frame = column([1000.0], hot)
    lowest = 310.0 * (hot(1000.0)[0] / frame["PB"].values[0, 0, 0]) ** (R * LAPSE / G)
    expected = hot(1000.0)[0] * np.exp(G * 1000 / (R * 0.5 * (lowest + 290.5)))
    assert float(surface.sea_level_pressure(frame)[0, 0]) == pytest.approx(expected, abs=30)


def test_height_of_500_hpa_is_that_of_the_standard_atmosphere_to_two_metres():
    frame = column([0.0, 2000.0], standard)
    true = (288.15 / LAPSE) * (1 - (50000 / 101325) ** (R * LAPSE / G))
    found = diagnose.field(frame, "height", diagnose.Surface("pressure", 5e4)).values
    np.testing.assert_allclose(found, true, atol=2.0)
    drawn, _ = choice.on_level(frame, diagnose.field(frame, "height"), "500 hPa")
    np.testing.assert_array_equal(drawn, found)


def test_a_pressure_outside_the_layers_is_missing():
    frame = column([0.0, 3000.0], standard)
    found = diagnose.field(frame, "height", diagnose.Surface("pressure", 85e3)).values[0]
    assert np.isfinite(found[0])
    assert np.isnan(found[1])
    assert np.isnan(diagnose.field(frame, "height", diagnose.Surface("pressure", 100.0)).values).all()


def test_vorticity_of_solid_rotation_is_twice_its_rate_by_the_map_factor():
    y, x = np.meshgrid(np.arange(8) * 1e4, np.arange(9) * 1e4, indexing="ij")
    frame = xr.Dataset(attrs={"DX": 1e4, "DY": 1e4})
    u, v = (xr.DataArray(values, dims=MASS[1:]) for values in (-1e-4 * y, 1e-4 * x))
    np.testing.assert_allclose(vorticity.relative(frame, u, v), 2e-4, rtol=1e-10)
    frame["MAPFAC_M"] = (MASS[1:], np.full(y.shape, 1.1))
    np.testing.assert_allclose(vorticity.relative(frame, u, v), 1.1 * 2e-4, rtol=1e-10)


def test_wind_at_10_m_follows_the_logarithmic_profile_over_land_and_water():
    frame = column([0.0, 0.0], standard)
    height = 0.5 * frame["PHB"].values[1, 0, 0] / G
    frame["U"] = (("bottom_top", "south_north", "west_east_stag"), np.full((40, 1, 3), 8.0))
    frame["V"] = (("bottom_top", "south_north_stag", "west_east"), np.zeros((40, 2, 2)))
    frame["LANDMASK"] = (("south_north", "west_east"), [[1.0, 0.0]])
    u, v = surface.wind_10m(frame)
    expected = [8 * np.log(10 / z0) / np.log(height / z0) for z0 in (0.1, 2e-4)]
    np.testing.assert_allclose(u.values[0], expected, rtol=1e-6)
    np.testing.assert_allclose(v.values, 0)
    frame["U10"] = frame["V10"] = (("south_north", "west_east"), [[1.0, 2.0]])
    np.testing.assert_allclose(surface.wind_10m(frame)[0].values, [[1, 2]])


DOMAINS = [
    Domain(Projection("lambert", 30, 60, -97), 30, 20, 3e4, 3e4, 34.5, -97),
    Domain(Projection("lambert", -30, -60, 178), 30, 20, 3e4, 3e4, -41, 179),
    Domain(Projection("polar-stereographic", 70, 70, 20), 30, 20, 3e4, 3e4, 78, 15),
    Domain(Projection("mercator", 10, 10, 120), 30, 20, 3e4, 3e4, 12, 179.5),
    Domain(Projection("lat-lon", 0, 0, 0), 30, 20, 3e4, 3e4, 5, -179.5),
]


def on(domain):
    """A frame that holds only where a domain's points are."""
    coordinates = {"XLAT": domain.mass.latitude, "XLONG": domain.mass.longitude}
    variables = {name: (MASS[1:], values.astype("f4")) for name, values in coordinates.items()}
    return xr.Dataset(variables, attrs=domain.wrf_attributes())


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.projection.name)
def test_points_lie_where_the_grid_has_them(domain):
    plan = maps.Map.of(on(domain))
    np.testing.assert_allclose(plan.x, (np.arange(30) + 0.5) * 30, atol=0.05)
    np.testing.assert_allclose(plan.y, (np.arange(20) + 0.5) * 30, atol=0.05)
    x, y = plan.locate(domain.mass.longitude[3:5, 7], domain.mass.latitude[3:5, 7])
    np.testing.assert_allclose(np.c_[x, y], [[225, 105], [225, 135]], atol=0.05)
    longitude, latitude = plan.where(np.array([225.0]), np.array([105.0]))
    np.testing.assert_allclose(latitude, domain.mass.latitude[3, 7], atol=1e-3)
    np.testing.assert_allclose((longitude - domain.mass.longitude[3, 7] + 180) % 360, 180, atol=1e-3)


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.projection.name)
def test_meridians_parallels_and_coasts_are_drawn_in_every_projection(domain):
    ax = style.figure(5, 4).subplots()
    maps.Map.of(on(domain)).dress(ax)
    names = [text.get_text() for text in ax.get_xticklabels()]
    assert len(names) >= 2
    assert all(name[-1] in "EW°" for name in names)
    assert any(text.get_text()[-1] in "NS°" for text in ax.get_yticklabels())
    assert len(ax.collections) == 3  # coasts, borders of countries and of states


def test_points_off_the_projection_are_refused():
    frame = on(DOMAINS[0])
    frame.attrs["STAND_LON"] = -60.0
    with pytest.raises(UserError, match=r"cells off the lambert projection .*STAND_LON"):
        maps.Map.of(frame)


def test_coasts_are_where_they_are_and_not_along_the_date_line():
    lines = coasts.lines("gshhs", "i", 100.0)
    points = np.concatenate(lines)
    hatteras = np.hypot(np.radians(points[:, 1] - 35.25), np.radians(points[:, 0] + 75.53) * np.cos(0.615))
    assert hatteras.min() * 6370 < 5
    along = [np.abs(np.abs(line[:, 0]) - 180) < 1e-3 for line in lines]
    assert not any((seam[1:] & seam[:-1]).any() for seam in along)
    assert len(coasts.lines("gshhs", "i", 10000.0)) < len(lines) / 2


@pytest.fixture(scope="module")
def storm(tmp_path_factory):
    """A run directory on the Earth with rain, four frames of an hour and a half."""
    domain = Domain(Projection("lambert", 30, 60, -97), 24, 18, 1e5, 1e5, 36, -95)
    run = write_history(
        tmp_path_factory.mktemp("run") / "storm", "none",
        nx=24, ny=18, nz=12, dx=1e5, top=14000, times=[0, 5400, 10800, 16200],
        theta_pert=lambda seconds, x, y, z: 0.004 * z - 8 * np.tanh((y - 9e5) / 4e5) + 2 * np.sin(x / 6e5),
        terrain=lambda x: 1500 / (1 + ((x + 5e5) / 2e5) ** 2),
    )  # fmt: skip
    (run / "run.toml").write_text('[initial]\nfile = "wrfinput_d01"\n')
    for number, file in enumerate(sorted(run.glob("history*"))):
        with netCDF4.Dataset(file, "a") as data:
            data.setncatts(domain.wrf_attributes())
            surface = data["MUB"][0] + data["P_TOP"][0]
            rain = 3.0 * number * np.exp(-np.hypot(*np.indices((18, 24)) - 9) / 4)
            planes = {"XLAT": domain.mass.latitude, "XLONG": domain.mass.longitude, "PSFC": surface}
            for name, values in (planes | {"RAINNC": rain}).items():
                variable = data.createVariable(name, "f4", ("Time", "south_north", "west_east"))
                variable[0] = values
    return run


def test_a_run_on_the_earth_is_drawn_as_charts_with_its_dates(storm, tmp_path):
    assert_drawn(PictureFile(storm, Choice(), tmp_path / "chart.png").draw(), MAPS)
    figure = charts.forecast(open_run(storm), Choice(time="3 h"))
    assert figure.get_suptitle() == "Valid Sat 1 Jan 2000 03:00 UTC (+3 h from Sat 1 Jan 2000 00:00 UTC)"
    titles = " ".join(ax.get_title(loc="left") for ax in figure.axes)
    for what in ("Sea-level pressure", "500 hPa: height", "Precipitation", "Temperature", "Wind speed"):
        assert what in titles


def test_the_charts_lie_in_the_run_directory_as_forecast_or_beside_a_file_under_its_name(storm, tmp_path):
    """So that pictures of several files in a folder do not replace each other."""
    assert PictureFile(storm, Choice(section="x=5")).draw() == storm / "forecast.png"
    file = tmp_path / "wrfout_d01_2000-01-01_00:00:00"
    shutil.copy(sorted(storm.glob("history_*"))[0], file)
    assert PictureFile(file, Choice(field="T")).draw() == tmp_path / f"{file.name}-T.png"


@pytest.mark.parametrize(
    "chosen",
    [
        Choice(field="precipitation_rate", time="0"),
        Choice(field="precipitation_rate", contours="sea_level_pressure"),
        Choice(field="absolute_vorticity", level="310 K", barbs=True),
        Choice(field="precipitation_rate", time="3 h", colours="magma"),
    ],
)
def test_derived_fields_are_drawn_those_of_two_frames_too(storm, tmp_path, chosen):
    assert_drawn(PictureFile(storm, chosen, tmp_path / "field.png").draw(), MAPS)


def test_a_field_without_any_value_is_refused(storm):
    history = open_run(storm)
    nowhere = history.assign(FZLEV=history["RAINNC"] * np.nan)
    with pytest.raises(UserError, match="FZLEV: all its values are missing"):
        field.picture(nowhere, Choice(field="FZLEV"))


def test_the_rate_is_what_fell_in_the_interval_before_the_frame(storm):
    rate, hours = charts.rate_at(open_run(storm), 2)
    assert hours == 1.5
    assert rate[9, 9] == pytest.approx(3.0 / 1.5)


@pytest.mark.parametrize(
    "chosen", [Choice(), Choice(field="wind_speed", level="5 km"), Choice(field="theta", section="y=4")]
)
def test_an_animation_has_as_many_frames_as_the_history(storm, tmp_path, chosen):
    with Image.open(PictureFile(storm, chosen, tmp_path / "a.gif").animate()) as animation:
        assert animation.n_frames == 4
        assert animation.info["loop"] == 0
        frames = [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(animation)]
    assert min(coloured(Image.fromarray(frame)) for frame in frames) > MAPS
    assert all((one != next_one).any() for one, next_one in itertools.pairwise(frames))


@pytest.mark.parametrize(
    ("chosen", "file", "message"),
    [
        (Choice(time="3 h"), "a.gif", "leave out --time"),
        (Choice(level="5 km"), "a.gif", "needs --field"),
        (Choice(), "a.mp4", r"must end in .gif"),
    ],
)
def test_what_cannot_be_animated_is_told(storm, tmp_path, chosen, file, message):
    with pytest.raises(UserError, match=message):
        PictureFile(storm, chosen, tmp_path / file).animate()


def test_a_run_nowhere_on_the_earth_is_animated_by_field_only(channel, tmp_path):
    with pytest.raises(UserError, match="needs --field"):
        PictureFile(channel, Choice(), tmp_path / "a.gif").animate()
    with Image.open(PictureFile(channel, Choice(field="theta"), tmp_path / "a.gif").animate()) as animation:
        assert animation.n_frames == 6


def test_a_history_without_a_chart_s_variables_is_told_which(storm):
    history = open_run(storm).drop_vars(["RAINNC", "PSFC"])
    with pytest.raises(UserError, match=r"need PSFC, RAINNC, .*--field"):
        charts.forecast(history, Choice())


def test_supercells_are_drawn_from_above_and_lines_of_storms_in_a_slice(tmp_path):
    for case, ny in (("supercell", 20), ("squall-line", 1)):
        run = write_history(
            tmp_path / case, case, nx=24, ny=ny, nz=12, dx=2000, top=12000, times=[0, 600, 1200],
            theta_pert=lambda seconds, x, y, z: -5 * np.exp(-np.hypot(x, z) / 4e3) + 0 * y,
        )  # fmt: skip
        for file in run.glob("history*"):
            with netCDF4.Dataset(file, "a") as data:
                for name in ("QCLOUD", "QRAIN"):
                    water = data.createVariable(name, "f4", ("Time", *MASS))
                    water[0] = 2e-3 * np.exp(-np.abs(np.arange(24) - 12) / 3)
        assert_drawn(PictureFile(run, Choice(), tmp_path / f"{case}.png").draw(), MAPS)
