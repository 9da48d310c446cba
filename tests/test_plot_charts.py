"""What weather charts mark and how they are coloured: highs and lows, classes that can be told apart."""

from itertools import pairwise

import numpy as np
import pytest
import xarray as xr

from squall.plot import about, extremes, style

Y, X = np.meshgrid(np.arange(60.0), np.arange(80.0), indexing="ij")


def bump(j, i, depth, width):
    return depth * np.exp(-((Y - j) ** 2 + (X - i) ** 2) / (2 * width**2))


def letters(values, smallest=20, doubtful=None):
    return {(found.letter, found.j, found.i) for found in extremes.find(values, 4.0, smallest, doubtful)}


def test_highs_and_lows_are_where_a_contour_closes():
    values = 1013 + bump(20, 20, -15, 6) + bump(40, 60, 15, 6)
    assert letters(values) == {("L", 20, 20), ("H", 40, 60)}
    found = extremes.find(values, 4.0, 20)
    assert {round(one.value) for one in found} == {998, 1028}


def test_a_dent_that_no_contour_closes_has_no_letter():
    assert letters(1013.9 + 0.05 * X + bump(30, 40, -1.0, 3)) == set()


def test_what_a_contour_closes_but_is_small_has_no_letter():
    noise = bump(30, 40, -6, 1.0)
    assert letters(1013 + noise, smallest=1) == {("L", 30, 40)}
    assert letters(1013 + noise) == set()


def test_a_low_at_the_edge_is_not_closed():
    assert letters(1013 + bump(30, 0, -15, 6)) == set()


def test_of_two_centres_in_one_contour_the_shallower_needs_one_of_its_own():
    one_trough = 1013 + bump(30, 30, -15, 5) + bump(30, 40, -11, 4)
    ((letter, _, i),) = letters(one_trough)
    assert letter == "L"
    assert i == pytest.approx(30, abs=1)
    assert len(letters(1013 + bump(30, 20, -15, 5) + bump(30, 50, -11, 5))) == 2


def test_over_high_ground_where_the_reduction_is_doubtful_there_is_no_letter():
    """The L of 1026 beside an H of 1030 over the Rockies."""
    rockies = np.zeros(X.shape, bool)
    rockies[:, :30] = True
    values = 1025 + bump(20, 15, -6, 4) + bump(30, 24, 8, 4) + bump(40, 60, -15, 6)
    assert letters(values, doubtful=rockies) == {("L", 40, 60)}


def test_a_cut_off_at_500_hpa_is_found_with_values_missing_below_ground():
    values = 560 + 0.5 * Y + bump(20, 40, -20, 6)
    values[50:, :10] = np.nan
    assert ("L", 19, 40) in letters(values) or ("L", 20, 40) in letters(values)


def lab(rgb):
    """CIE L*a*b* of sRGB, D65."""
    linear = np.where(
        np.array(rgb) <= 0.04045, np.array(rgb) / 12.92, ((np.array(rgb) + 0.055) / 1.055) ** 2.4
    )
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    f = np.cbrt(xyz / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def differences(scale):
    colours = [lab(scale.colour(band)) for band in range(len(scale.levels) - 1)]
    return [float(np.linalg.norm(b - a)) for a, b in pairwise(colours)]


@pytest.mark.parametrize("span", [(-9, 12), (-18, 24), (-35, 30), (-48, 45), (3, 17)])
def test_classes_of_temperature_can_be_told_apart_above_all_about_zero(span):
    scale = style.celsius(np.array(span, float))
    assert scale.levels[0] <= span[0] <= span[1] <= scale.levels[-1]
    assert len(scale.levels) <= 21
    apart = differences(scale)
    assert min(apart) > 4
    if span[0] < 0:
        assert apart[list(scale.levels).index(0.0) - 1] > 15


def test_different_quantities_of_a_chart_have_different_colours():
    scales = {"wind": style.WIND, "vorticity": style.VORTICITY, "precipitation": style.PRECIPITATION}
    strong = [lab(scale.colour(len(scale.levels) - 2)) for scale in scales.values()]
    assert min(np.linalg.norm(a - b) for n, a in enumerate(strong) for b in strong[:n]) > 25
    assert np.allclose(style.WIND.colour(7), style.JET.colour(7))  # of one quantity they are the same


@pytest.mark.parametrize(
    "name", ["precipitation", "precipitation_rate", "snow", "REFD_COM", "relative_humidity"]
)
def test_every_band_of_a_field_s_scale_has_a_colour(name):
    scale = style.scale(name, np.array([0.0, 60.0]))
    assert len({scale.colour(band) for band in range(len(scale.levels) - 1)}) == len(scale.levels) - 1


def test_units_are_shown_as_they_are_written():
    assert style.shown("J kg-1") == ("J kg$^{-1}$", 1.0)
    assert style.shown("m2 s-2") == ("m$^{2}$ s$^{-2}$", 1.0)
    assert style.shown("K m2 kg-1 s-1") == ("PVU", 1e6)
    assert style.shown("Pa") == ("hPa", 0.01)


def frame(**attrs):
    data = {"T": (("bottom_top", "south_north", "west_east"), np.zeros((3, 4, 5)))}
    return xr.Dataset(data, attrs={"DX": 3e4} | attrs)


def test_a_chart_says_what_made_it():
    mine = frame(
        TITLE=" OUTPUT FROM SQUALL V0.1.0 MODEL", PHYSICS="microphysics wsm6", ANALYSIS="NAM of NCEP"
    )
    assert about.line(mine) == "Squall 0.1.0, 5 × 4 × 3 cells of 30 km; microphysics wsm6; from NAM of NCEP"
    wrf = frame(TITLE=" OUTPUT FROM WRF V4.3.1 MODEL", MP_PHYSICS=8, BL_PBL_PHYSICS=1, CU_PHYSICS=99)
    assert about.line(wrf) == (
        "WRF 4.3.1, 5 × 4 × 3 cells of 30 km; microphysics Thompson, boundary layer YSU, cumulus scheme 99"
    )
