"""How people say when and where: times, levels and sections of `squall plot`; quantities."""

import numpy as np
import pytest
import xarray as xr

from squall import quantity
from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.plot import choice, style, times, track

HOURS = np.arange(0, 37, 3) * 3600.0
DOMAIN = Domain(Projection("lambert", 30, 60, -97), 60, 50, 3e4, 3e4, 40, -97)
PLANE = ("south_north", "west_east")


@pytest.fixture
def run():
    """Thirteen frames from 18 UTC on."""
    return xr.Dataset(coords={"elapsed": ("Time", HOURS)}, attrs={"START_DATE": "2007-01-24_18:00:00"})


@pytest.fixture(scope="module")
def frame():
    """A frame whose values are its latitudes and longitudes."""
    planes = {"XLAT": (PLANE, DOMAIN.mass.latitude), "XLONG": (PLANE, DOMAIN.mass.longitude)}
    return xr.Dataset(planes, attrs=DOMAIN.wrf_attributes())


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        (None, 36), ("last", 36), ("2", 6), ("-2", 33), ("7 h", 6), ("1 d", 24), ("90 min", 0),
        ("06:00", 12), ("18:00", 0), ("20:40", 3), ("2007-01-25 12:00", 18), ("2007-01-25T13:00:00", 18),
        ("2007-01-26", 30), ("2007-01-26_06:00:00", 36),
    ],
)  # fmt: skip
def test_a_frame_is_found_by_index_model_time_clock_or_date(run, text, hours):
    assert HOURS[choice.time_index(run, text)] == 3600 * hours


@pytest.mark.parametrize("text", ["40 h", "2007-01-24 12:00", "2008-01-01"])
def test_a_time_outside_the_run_is_refused_with_when_it_is(run, text):
    with pytest.raises(
        UserError, match=r"from Wed 24 Jan 2007 18:00 UTC to Fri 26 Jan 2007 06:00 UTC, 0 s to 36 h"
    ):
        choice.time_index(run, text)


def test_what_is_no_time_is_refused_with_what_would_be(run):
    with pytest.raises(UserError, match=r'"36 h", a time of day such as "06:00"'):
        choice.time_index(run, "tomorrow")
    with pytest.raises(UserError, match=r'A model time needs a unit: "36 h"'):
        choice.time_index(run, "36")


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [("500mb", 5e4, "pressure"), ("500 hPa", 5e4, "pressure"), ("850 mbar", 8.5e4, "pressure"),
     ("5km", 5e3, "length"), ("1.2e3 m", 1200, "length")],
)  # fmt: skip
def test_levels_are_read_as_people_write_them(text, value, kind):
    asked = quantity.parse(text, "length", "pressure")
    assert (asked.value, asked.kind) == (pytest.approx(value), kind)


def test_run_files_take_only_the_units_of_the_model():
    with pytest.raises(ValueError, match='"500 mb" is not a pressure in Pa or hPa'):
        quantity.quantity("500 mb", "pressure")


def test_places_are_told_with_their_hemisphere():
    assert [quantity.latitude(at) for at in (34.5, -12.25)] == ["34.50°N", "12.25°S"]
    assert [quantity.longitude(at, 1) for at in (-97, 263, 10)] == ["97.0°W", "97.0°W", "10.0°E"]


@pytest.mark.parametrize("text", ["lat=40", "lat=40N", "lon=-97", "lon=97W"])
def test_a_section_follows_a_parallel_or_meridian_across_the_domain(frame, text):
    along = track.parse(frame, text)
    axis, fixed = ("XLAT", 40) if text.startswith("lat") else ("XLONG", -97)
    np.testing.assert_allclose(along.sample(frame[axis].values), fixed, atol=0.01)
    assert 0.95 < along.distance[-1] / (59 * 30 if axis == "XLAT" else 49 * 30) < 1.1
    assert (np.diff(along.distance) < 30.5).all()


def test_a_section_goes_from_one_point_to_another_on_the_great_circle(frame):
    along = track.parse(frame, "36,-102 to 43N,92W")
    latitude, longitude = (along.sample(frame[name].values) for name in ("XLAT", "XLONG"))
    np.testing.assert_allclose([latitude[0], longitude[0]], [36, -102], atol=0.01)
    np.testing.assert_allclose([latitude[-1], longitude[-1]], [43, -92], atol=0.01)
    a, b = np.radians(36), np.radians(43)
    arc = np.arccos(np.sin(a) * np.sin(b) + np.cos(a) * np.cos(b) * np.cos(np.radians(10)))
    assert along.distance[-1] == pytest.approx(6370 * arc, rel=1e-3)
    assert along.end_names == ("A  36.0°N 102.0°W", "B  43.0°N 92.0°W")


def test_a_row_is_taken_as_it_is_missing_values_beside_it_or_not(frame):
    values = frame["XLAT"].values.copy()
    values[13:] = np.nan
    np.testing.assert_array_equal(track.parse(frame, "y=12").sample(values), frame["XLAT"].values[12])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lat=60", r"does not cross the domain, which extends from 3\d\.\d°N to 4\d\.\d°N and from"),
        ("30,-97 to 60,-97", "leaves the domain"),
        ("lat=north", '"north" is not a latitude or longitude such as 30'),
        ("30 to 40", '"30" is not a point such as 30,-97'),
        ("z=3", '"lat=30" or "lon=-97", or two points'),
        ("x=99", r'0 to 59\. A distance needs a unit: "x=99 km"'),
    ],
)
def test_a_section_that_cannot_be_is_refused_with_what_could(frame, text, message):
    with pytest.raises(UserError, match=message):
        track.parse(frame, text)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (900, "900 s"), (3600, "1 h"), (129600, "36 h"), (388800, "4 d 12 h")]
)
def test_model_times_are_told_as_people_say_them(seconds, words):
    assert times.in_words(seconds) == words


@pytest.mark.parametrize(
    "limits", ["200,310,0.25", "0,1,3e-8", "0,300,1", "0,inf", "1,0", "0,1,2", "a,b", "0,1e308,1e300"]
)
def test_a_range_that_cannot_be_drawn_is_refused_in_words(limits):
    with pytest.raises(UserError, match=f"--range {limits}: (more than 200 bands|expected LOW,HIGH)"):
        style.asked(style.Scale("viridis", np.arange(3.0)), limits, None)


@pytest.mark.parametrize("limits", ["200,310,0.55", "0,75,1", "0,100", "1013,1013.0001", "-1e-12,1e-12"])
@pytest.mark.parametrize("scale", [style.PRECIPITATION, style.ECHO, style.Scale("viridis", np.arange(3.0))])
def test_a_range_that_can_be_drawn_has_a_colour_for_each_band(scale, limits):
    """Also on maps of as many colours as a weather chart has levels."""
    used = style.asked(scale, limits, None)
    assert (np.diff(used.levels) > 0).all()
    assert (
        len({int(used.norm(v)) for v in 0.5 * (used.levels[1:] + used.levels[:-1])}) == len(used.levels) - 1
    )


def test_a_map_of_few_colours_is_stretched():
    used = style.asked(style.Scale("viridis", np.arange(17.0)), None, "tab10")
    assert used.norm(16.5) >= 16
