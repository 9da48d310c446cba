"""Pictures of runs on the globe: what is drawn, where, and what cannot be."""

import numpy as np
import pytest
from PIL import Image
from pyproj import Proj

import made_globe
from made_globe import LAT, LON, NLON, PRESSURE, q
from pictures import assert_drawn
from squall.errors import UserError
from squall.geo import globe, whole
from squall.plot import Choice, figure, style
from squall.plot.globe import fields
from squall.plot.globe.views import view
from squall.reader.dataset import open_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return made_globe.write(tmp_path_factory.mktemp("globe") / "run")


@pytest.fixture(scope="module")
def history(run):
    return globe.prepared(open_run(run))


def test_columns_are_in_order_from_the_date_line_on_and_layers_have_pressures(history):
    np.testing.assert_allclose(history["lon"], -180 + 10 * (np.arange(NLON) + 0.5))
    np.testing.assert_allclose(history["pressure_level"], PRESSURE)
    expected = q(history["lon"].values, LAT[:, None], PRESSURE[2], 3)
    np.testing.assert_allclose(history["q"].isel(Time=3, pressure_level=2), expected, rtol=1e-6)


def test_a_map_is_closed_over_the_date_line_and_the_poles(history):
    plan = whole.WholeMap("plate-carree")
    values = history["q"].isel(Time=0, pressure_level=0).values
    x, y, closed = plan.mesh(history["lon"].values, history["lat"].values, values)
    assert (x[0, 0], x[0, -1], y[0, 0], y[-1, 0]) == (-180, 180, -90, 90)
    np.testing.assert_array_equal(closed[:, 0], closed[:, -1])
    np.testing.assert_allclose(closed[1:-1, 0], 0.5 * (values[:, 0] + values[:, -1]))
    np.testing.assert_allclose(closed[-1], values[-1].mean(), rtol=1e-6)


def test_a_seam_between_columns_at_any_place_is_weighted_by_the_distance():
    lon, values = whole.closed(np.array([-180.0, -90, 0, 90]), np.array([1.0, 2, 3, 4]))
    np.testing.assert_array_equal(lon[[0, -1]], [-180, 180])
    np.testing.assert_array_equal(values[[0, -1]], [1, 1])
    lon, values = whole.closed(np.array([-170.0, -80, 10, 100]), np.array([1.0, 2, 3, 4]))
    assert values[0] == pytest.approx(4 - 3 * 80 / 90)


def test_a_part_of_the_globe_is_not_closed():
    lon, values = whole.closed(np.array([10.0, 20, 30]), np.array([1.0, 2, 3]))
    assert len(lon) == len(values) == 3


def test_the_robinson_map_has_the_table_of_its_author():
    """Robinson (1974), as Snyder (1990), J. Geophys. 27, 1: lengths of parallels and their distances from the
    equator, of which the latter are scaled by 0.5072."""
    x, y = whole.WholeMap("robinson").forward(np.array([180.0, 180, 180]), np.array([0.0, 45, 75]))
    np.testing.assert_allclose(x / x[0], [1, 0.8962, 0.6732], atol=2e-4)
    np.testing.assert_allclose(y / (0.5072 * x[0]), [0, 0.5571, 0.8936], atol=2e-4)


@pytest.mark.parametrize(("name", "pole"), [("north-pole", 90), ("south-pole", -90)])
def test_maps_of_a_pole_have_true_areas(name, pole):
    plan = whole.WholeMap(name)
    x, y = plan.forward(np.array([0.0, 0, 90]), np.array([pole, pole / 3, pole / 3]))
    assert (x[0], y[0]) == pytest.approx((0, 0), abs=1e-12)
    # a cap of latitude 30 has half of the area of a hemisphere: 2 pi
    np.testing.assert_allclose(np.hypot(x, y)[1:] ** 2, 1, rtol=1e-9)
    assert abs(x[1]) < 1e-9
    assert abs(x[2]) == pytest.approx(1)


def test_a_map_of_a_pole_has_its_hemisphere_alone(history):
    plan = whole.WholeMap("north-pole")
    x, y, _ = plan.mesh(
        history["lon"].values, history["lat"].values, history["q"].isel(Time=0, pressure_level=0).values
    )
    _, latitude = Proj({"proj": "laea", "lat_0": 90, "R": 1})(x, y, inverse=True)
    assert latitude.min() == pytest.approx(-5)
    assert latitude.max() == pytest.approx(90)


def shown(history, field, **chosen):
    array = fields.field(history, field)
    return array, view(history, array, Choice(**chosen))


def test_sections_are_of_the_nearest_row_or_column_or_the_zonal_mean(history):
    array, cut = shown(history, "q", section="lat=17N")
    assert cut.words == "at 15°N"
    np.testing.assert_allclose(
        cut.values(array, 2), q(history["lon"].values, 15.0, PRESSURE[:, None], 2), rtol=1e-6
    )
    array, cut = shown(history, "q", section="lon=-178")
    assert cut.words == "at 175°W"
    np.testing.assert_allclose(cut.values(array, 0), q(-175, LAT, PRESSURE[:, None], 0), rtol=1e-6)
    array, cut = shown(history, "q", section="zonal")
    expected = q(LON, LAT[:, None], PRESSURE[:, None, None], 4).mean(-1)
    np.testing.assert_allclose(cut.values(array, 4), expected, rtol=1e-5)


def test_zonal_means_of_a_stream_are_those_of_the_history(run, history):
    zonal = globe.prepared(open_run(run, stream="zonal"))
    array, cut = shown(zonal, None)
    np.testing.assert_allclose(
        cut.values(array, 1), shown(history, "q", section="zonal")[1].values(history["q"], 1), rtol=1e-5
    )


def test_a_hovmoeller_diagram_has_all_times(history):
    array, cut = shown(history, "q_column", hovmoeller="lat=5")
    values = cut.values(array, 0)
    assert values.shape == (5, NLON)
    eastward = history["lon"].values[values.argmax(1)] % 360
    np.testing.assert_allclose(np.diff(eastward), 10)  # a day
    array, cut = shown(history, "q", hovmoeller="zonal", level="400 hPa")
    assert cut.words == "at 400 hPa, zonal mean"
    assert cut.values(array, 0).shape == (5, len(LAT))


def test_a_level_is_the_nearest_to_a_pressure(history):
    assert fields.on_level(history["q"], "380 hPa")[1] == "at 400 hPa"
    assert fields.on_level(history["q"], "-1")[1] == "at 10 hPa"
    assert fields.on_level(history["q"], None)[1] == "at 950 hPa"


def test_next_to_nothing_is_white_and_a_field_of_both_signs_has_two_colours():
    plume = style.amounts("q", np.array([0.0, 1e-6]))
    assert plume.colour(0) == (1, 1, 1)
    assert plume.levels[0] == 0
    assert style.amounts("q", np.array([-1.0, 1.0])).cmap == "RdBu_r"
    assert style.amounts("q", np.array([2.0, 3.0])).cmap == "viridis"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"projection": "robinson"},
        {"projection": "north-pole", "field": "q", "level": "100 hPa", "time": "last"},
        {"projection": "south-pole", "field": "q_column", "contours": "q", "time": "2 d"},
        {"field": "q", "section": "zonal", "contours": "q"},
        {"field": "q", "section": "lat=0"},
        {"hovmoeller": "lat=15"},
        {"hovmoeller": "zonal", "field": "q"},
        {"stream": "zonal"},
        {"stream": "zonal", "field": "q", "hovmoeller": "zonal", "level": "0"},
        {"stream": "places"},
        {"stream": "places", "field": "q", "station": "Pinatubo"},
    ],
    ids=lambda options: "-".join(options.values()) or "default",
)
def test_pictures_are_drawn(run, tmp_path, options):
    figure(run, **options).savefig(tmp_path / "a.png", dpi=60)
    assert_drawn(tmp_path / "a.png", 0.02 if options.get("stream") != "places" else 0.002)


@pytest.mark.parametrize("name", whole.NAMES)
def test_nothing_is_left_out_at_the_date_line(run, tmp_path, name):
    """A field that is everywhere: no white cut runs through a map."""
    picture = figure(run, "q_column", projection=name, limits="0,1e-5", colours="magma", time="0")
    picture.savefig(tmp_path / "a.png", dpi=80)
    (ax, _) = picture.axes
    box = ax.get_window_extent().transformed(picture.transFigure.inverted())
    with Image.open(tmp_path / "a.png") as image:
        dots = np.asarray(image.convert("RGB")).astype(int)
    height, width = dots.shape[:2]
    row = dots[int((1 - 0.45 * box.y0 - 0.55 * box.y1) * height)]
    inner = row[int((0.9 * box.x0 + 0.1 * box.x1) * width) : int((0.1 * box.x0 + 0.9 * box.x1) * width)]
    assert len(inner) > 200
    assert not (inner > 250).all(axis=1).any()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"field": "r"}, "There is no field r"),
        ({"projection": "mercator"}, "There is no map mercator.*robinson"),
        ({"field": "q", "section": "x=3"}, '"zonal", "lat=30" or "lon=-97"'),
        ({"field": "q_column", "section": "zonal"}, "q_column has no levels"),
        ({"field": "q_column", "level": "3"}, "q_column has no levels"),
        ({"field": "q", "level": "1 hPa"}, "the layers lie between 10 and 950 hPa"),
        ({"field": "q", "hovmoeller": "lat=0", "time": "1 d"}, "--time does not go with --hovmoeller"),
        ({"field": "q", "section": "zonal", "projection": "robinson"}, "--projection does not go with"),
        ({"stream": "zonal", "field": "q", "section": "lat=3"}, "choose --section zonal"),
        ({"field": "q", "barbs": True}, "no wind"),
        ({"field": "q", "station": "Pinatubo"}, "no stations"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused_in_words(run, options, said):
    with pytest.raises(UserError, match=said):
        figure(run, **options)


def test_the_command_names_pictures_after_their_field(run, squall):
    drawn = squall("plot", run, "--projection", "robinson", "--time", "1 d")
    assert drawn.returncode == 0, drawn.stderr
    assert_drawn(run / "q_column.png")
    moved = squall("plot", run, "--field", "q", "--animate", "-o", "q.gif", "--dpi", 40)
    assert moved.returncode == 0, moved.stderr


def test_maps_of_the_globe_are_of_runs_on_the_globe(density_current, squall):
    for option, value in (("--projection", "robinson"), ("--hovmoeller", "zonal")):
        drawn = squall("plot", density_current, "--field", "theta_pert", option, value)
        assert drawn.returncode == 2
        assert f"{option} needs a run on the globe" in drawn.stderr
