"""Maps of any shape and place: words within the map, labels that do not touch, both poles, and fields that
are the same everywhere or nowhere."""

import matplotlib
import numpy as np
import pytest
import xarray as xr
from matplotlib.text import Text

from squall import plot
from squall.diagnose.surface import surface_pressure
from squall.errors import UserError
from squall.geo import coasts, maps
from squall.geo.domain import Domain, Projection
from squall.plot import extremes, layout, style

PLACES = {
    "square": Domain(Projection("lambert", 30, 60, -95), 40, 40, 3e4, 3e4, 40, -95),
    "tall": Domain(Projection("lambert", 30, 60, 10), 12, 60, 3e4, 3e4, 50, 10),
    "wide": Domain(Projection("mercator", 10, 10, 120), 80, 12, 3e4, 3e4, 5, 120),
    "Fiji": Domain(Projection("mercator", -18, -18, 180), 30, 30, 3e4, 3e4, -18, 179.5),
    "Tibet": Domain(Projection("lambert", 25, 40, 88), 50, 40, 3e4, 3e4, 33, 88),
    "North Pole": Domain(Projection("polar-stereographic", 70, 70, 0), 60, 60, 5e4, 5e4, 90, 0),
    "South Pole": Domain(Projection("polar-stereographic", -70, -70, 0), 60, 60, 5e4, 5e4, -90, 0),
    "near a pole": Domain(Projection("polar-stereographic", 70, 70, 40), 40, 30, 5e4, 5e4, 80, 60),
    "at a pole": Domain(Projection("polar-stereographic", -70, -70, 10), 30, 30, 4e3, 4e3, -89.8, 30),
    "Antarctic coast": Domain(Projection("polar-stereographic", -70, -70, 0), 40, 40, 3e4, 3e4, -68, 0),
    "city": Domain(Projection("lambert", 40, 55, 10), 30, 30, 1e3, 1e3, 48, 11),
}  # fmt: skip
EVERYWHERE = pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)


def history(domain, values=None, name="T2"):
    """Two frames that hold one field on a domain's points."""
    shape = domain.mass.latitude.shape
    if values is None:
        values = 280 + 5 * np.sin(np.arange(shape[1]) / 7) + np.arange(shape[0])[:, None] / 9
    plane = ("Time", "south_north", "west_east")
    both = {
        "XLAT": domain.mass.latitude,
        "XLONG": domain.mass.longitude,
        name: np.broadcast_to(values, shape),
    }
    made = xr.Dataset({key: (plane, np.stack([field, field]).astype("f4")) for key, field in both.items()})
    made["Times"] = ("Time", np.array(["2005-08-28_00:00:00", "2005-08-28_03:00:00"], "S19"))
    made["XTIME"] = ("Time", np.array([0.0, 180.0]), {"units": "minutes since 2005-08-28 00:00:00"})
    made[name].attrs = {"units": "K", "description": "temperature at 2 m"}
    made.attrs = domain.wrf_attributes() | {
        "TITLE": " OUTPUT FROM WRF V4.0 MODEL",
        "START_DATE": "2005-08-28_00:00:00",
    }
    return made


def boxes_of(texts):
    return [text.get_window_extent() for text in texts if text.get_text() and text.get_visible()]


@EVERYWHERE
def test_the_headline_stays_over_the_map_and_labels_do_not_touch(place):
    figure = plot.figure(history(place), "T2")
    ax = figure.axes[0]
    box = ax.get_window_extent()
    (title,) = (t for t in ax.get_children() if isinstance(t, Text) and t.get_text() == ax.get_title() != "")
    assert "28 Aug 2005 03:00" in title.get_text().replace("\n", " ")
    extent = title.get_window_extent()
    assert box.x0 - 2 <= extent.x0
    assert extent.x1 <= box.x1 + 2
    assert extent.y1 <= figure.bbox.y1
    labels = boxes_of([*ax.get_xticklabels(), *ax.get_yticklabels()])
    assert labels
    for n, one in enumerate(labels):
        assert not any(one.overlaps(other) for other in labels[:n])
    bar = boxes_of(figure.axes[1].get_yticklabels())
    assert not any(one.overlaps(other) for n, one in enumerate(bar) for other in bar[:n])


@EVERYWHERE
def test_some_ten_meridians_and_parallels_at_most_and_one_at_least_of_each(place):
    plan = maps.Map.of(history(place).isel(Time=0))
    lines = list(plan.graticule())
    for axis in "xy":
        names = [name for along, name, _, _ in lines if along == axis]
        assert 1 <= len(names) <= 10
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("pole", ["North Pole", "South Pole"])
def test_parallels_go_around_a_pole_with_their_names(pole):
    plan = maps.Map.of(history(PLACES[pole]).isel(Time=0))
    around = [
        name
        for axis, name, x, y in plan.graticule()
        if axis == "y" and x.min() > 0 and x.max() < 3000 and y.min() > 0 and y.max() < 3000
    ]
    assert [name[:-1] for name in around] == (["80°", "85°"] if pole == "North Pole" else ["85°", "80°"])
    ax = style.figure(5, 5).subplots()
    plan.dress(ax)
    assert set(around) <= {text.get_text() for text in ax.texts}
    across = [name for axis, name, _, _ in plan.graticule() if axis == "x"]
    assert sorted(across) == sorted(["0°", "45°E", "90°E", "135°E", "180°", "135°W", "90°W", "45°W"])


@pytest.mark.parametrize("detail", ["l", "i"])
def test_antarctica_has_a_coast_and_no_seam_at_its_pole(detail):
    lines = [line for line in coasts.lines("gshhs", detail) if line[:, 1].min() < -65]
    points = np.concatenate(lines)
    for longitude, latitude in ((0.0, -70.0), (90.0, -66.5), (-60.0, -63.5), (180.0, -77.9)):
        off = np.abs((points[:, 0] - longitude + 180) % 360 - 180) * np.cos(np.radians(latitude))
        assert np.hypot(off, points[:, 1] - latitude).min() < 1.0
    assert points[:, 1].min() > -86  # the ice reaches the sea no nearer to the pole
    longest = max(np.abs(np.diff(line[:, 1])).max() for line in lines)
    assert longest < 2


@pytest.mark.parametrize("place", ["South Pole", "Antarctic coast"])
def test_the_coast_of_antarctica_is_on_the_map(place):
    plan = maps.Map.of(history(PLACES[place]).isel(Time=0))
    inside = list(plan.inside(coasts.lines("gshhs", "l", 100.0)))
    assert sum(len(line) for line in inside) > 30


@pytest.mark.parametrize("value", [0.0, 285.0, 1e-7, -3.0])
def test_a_field_that_is_the_same_everywhere_has_one_colour_with_plain_limits(value):
    levels = style.scale("T2", np.full((5, 5), value)).levels
    assert len(levels) == 2
    assert levels[0] < value < levels[1]
    assert levels[1] - levels[0] >= (2 if value == 0 else 0.02 * abs(value))
    assert len(style.contour_levels(np.full((5, 5), value))) == 0
    figure = plot.figure(history(PLACES["square"], value), "T2", contours="T2")
    assert "lines: temperature at 2 m is uniform" in figure.axes[0].get_title().replace("\n", " ")


def test_a_field_that_is_nowhere_is_no_traceback():
    nothing = np.full((5, 5), np.nan)
    assert len(style.contour_levels(nothing)) == 0
    assert len(style.celsius(nothing).levels) >= 2
    assert extremes.find(nothing, 4.0, 3) == []
    for contours in (None, "T2"):
        with pytest.raises(UserError, match="all its values are missing"):
            plot.figure(history(PLACES["square"], np.nan), "T2", contours=contours)


def test_a_surface_pressure_of_zero_is_none():
    given = history(PLACES["square"], 0.0, "PSFC")
    given["MU"], given["MUB"] = given["PSFC"] + 500, given["PSFC"] + 95000
    given["P_TOP"] = ("Time", np.array([5000.0, 5000.0]))
    np.testing.assert_allclose(surface_pressure(given), 100500)
    given["PSFC"] = given["PSFC"] + 98000
    np.testing.assert_allclose(surface_pressure(given), 98000)


def test_words_are_wrapped_within_axes_whoever_set_them():
    with matplotlib.rc_context():
        figure = style.figure(6, 3)
        left, right = figure.subplots(1, 2)
        left.set_title(
            "Sea-level pressure (hPa), wind at 10 m (a barb: 5 m s$^{-1}$), and more", loc="left", fontsize=9
        )
        right.set_title("first line\nand a second one, which is much too long for such axes", loc="left")
        right.set_ylabel("absolute vorticity of the air at 500 hPa, cyclonic (10$^{-5}$ s$^{-1}$)")
        figure.suptitle("a headline that is far longer than the whole figure is wide, " * 3)
        layout.settle(figure)
        for ax in (left, right):
            for text in ax.get_children():
                if isinstance(text, Text) and text.get_text() == ax.get_title(loc="left"):
                    assert text.get_window_extent().width <= ax.get_window_extent().width + 2
        assert right.get_title(loc="left").startswith("first line\n")
        assert right.yaxis.label.get_window_extent().height <= right.get_window_extent().height + 2
        assert all(text.get_window_extent().width <= figure.bbox.width for text in figure.texts)
        assert figure.get_suptitle().count("\n") >= 2
