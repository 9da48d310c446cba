"""An analysis reaches the ground and has at each time what it has at others: a broken download, or half an
analysis, is told by time and level."""

from datetime import datetime, timedelta

import numpy as np
import pytest

from squall.errors import UserError
from squall.geo.domain import Domain, Projection
from squall.prepare.make_columns import ColumnMaker
from squall.prepare.regrid import Regridder
from squall.prepare.report import Report
from squall.prepare.same_at_all_times import compare
from squall.prepare.sources import open_analysis
from squall.prepare.sources.analysis import Analysis
from squall.prepare.sources.grids import lat_lon
from squall.prepare.sources.piece import Piece

TIMES = [datetime(2020, 1, 1) + n * timedelta(hours=6) for n in range(3)]
LEVELS = 100.0 * np.array([1000, 925, 850, 700, 600, 500, 400, 300, 250, 200, 100, 50])
GRID = lat_lon(np.arange(0.0, 21), np.arange(40.0, 57))
DOMAIN = Domain(Projection("lambert", 40, 55, 10), 8, 6, 50e3, 50e3, 48, 10)
UNITS = {"temperature": "K", "u": "m s-1", "v": "m s-1", "specific_humidity": "kg kg-1", "height": "m"}
SURFACE = {
    "surface_pressure": (101000.0, "Pa"), "terrain": (0.0, "m"), "temperature_2m": (288.0, "K"),
    "specific_humidity_2m": (0.008, "kg kg-1"), "u_10m": (3.0, "m s-1"), "v_10m": (0.0, "m s-1"),
}  # fmt: skip
SOIL = ((0.0, 0.07), (0.07, 0.28), (0.28, 1.0), (1.0, 2.89))


def atmosphere(name, level):
    share = level / 1e5
    return {
        "temperature": max(288 * share**0.19, 215.0), "specific_humidity": 0.008 * share**3,
        "height": 8000 * np.log(101000 / level),
    }.get(name, 5.0)  # fmt: skip


EMPTY = np.full((len(GRID.y), len(GRID.x)), np.nan)


def piece(name, time, kind, level, units, value, top=0.0):
    shape = len(GRID.y), len(GRID.x)
    return Piece(
        name, time, kind, (level,), GRID, units, f"{name} at {time}",
        lambda window: window.of(np.broadcast_to(value, shape))[None], tops=(top,) if kind == "soil" else (),
    )  # fmt: skip


def analysis(without=lambda name, time, level: False, levels=LEVELS, soil=SOIL, change=None, kind="pressure"):
    """Three times of a quiet atmosphere. without: what is left out; change: new value or plane."""
    change = change or (lambda name, time, level, value: value)
    pieces = []
    for time in TIMES:
        for name, units in UNITS.items():
            for level in levels:
                value = change(name, time, level, atmosphere(name, level))
                pieces.append(piece(name, time, kind, level, units, value))
        pieces += [
            piece(name, time, "surface", 0.0, units, value) for name, (value, units) in SURFACE.items()
        ]
        for n, (top, bottom) in enumerate(soil):
            pieces.append(piece("soil_temperature", time, "soil", bottom, "K", 280.0 + n, top))
            pieces.append(piece("soil_moisture", time, "soil", bottom, "m3 m-3", 0.2 + 0.05 * n, top))
    return Analysis([p for p in pieces if not without(p.field, p.time, p.levels[0])], ["made.grib"])


def columns(of, time=TIMES[0]):
    report = Report()
    maker = ColumnMaker(Regridder(of, DOMAIN, report), np.ones((DOMAIN.ny, DOMAIN.nx), np.float32))
    return maker.make(time), report


def refused(of, top=5000.0, sea=False):
    with pytest.raises(UserError) as error:
        compare(of, of.times, top, sea)
    return str(error.value)


def test_a_whole_analysis_is_not_warned_of():
    of = analysis()
    assert compare(of, of.times, 5000.0, sea=False) == []
    assert not columns(of)[1].warnings


@pytest.mark.parametrize("name", ["temperature", "u", "v", "specific_humidity"])
def test_a_level_that_one_time_lacks_is_refused_by_field_level_and_time(name):
    said = refused(analysis(lambda field, time, level: (field, time, level) == (name, TIMES[1], 1e5)))
    assert "2020-01-01 06:00 UTC lacks" in said
    assert "at 1000 hPa" in said


def test_a_level_that_one_time_lacks_of_all_fields_is_refused():
    said = refused(analysis(lambda field, time, level: time == TIMES[2] and level == 5e4))
    assert (
        "2020-01-01 12:00 UTC lacks temperature, wind along x, wind along y and specific humidity at 500 hPa"
        in said
    )


def test_the_first_time_is_held_to_the_others():
    said = refused(analysis(lambda field, time, level: time == TIMES[0] and level == 5e4))
    assert "2020-01-01 00:00 UTC lacks" in said


def test_humidity_that_one_time_lacks_at_many_levels_is_refused():
    said = refused(
        analysis(
            lambda field, time, level: field[:8] == "specific" and time == TIMES[1] and 5e3 < level < 9e4
        )
    )
    assert "specific humidity at 8 levels from 850 hPa to 200 hPa" in said


def test_levels_above_the_top_and_times_that_are_not_used_may_differ():
    of = analysis(lambda field, time, level: time == TIMES[1] and level == 5e3)
    assert "at 50 hPa" in refused(of)
    assert compare(of, of.times, 10000.0, sea=False) == []
    of = analysis(lambda field, time, level: time == TIMES[2] and level == 5e4)
    assert compare(of, of.times[:2], 5000.0, sea=False) == []


def test_humidity_of_the_stratosphere_may_come_and_go():
    of = analysis(
        lambda field, time, level: field == "specific_humidity" and time == TIMES[1] and level < 2e4
    )
    assert compare(of, of.times, 5000.0, sea=False) == []


def test_what_can_be_made_up_is_warned_of_by_time():
    of = analysis(lambda field, time, level: field == "temperature_2m" and time != TIMES[0])
    (said,) = compare(of, of.times, 5000.0, sea=False)
    assert "2020-01-01 06:00, 2020-01-01 12:00 UTC lacks temperature at 2 m" in said


def test_soil_that_the_first_time_lacks_is_warned_of_and_of_later_times_it_is_not():
    of = analysis(lambda field, time, level: field.startswith("soil") and time == TIMES[0])
    assert len(compare(of, of.times, 5000.0, sea=False)) == 2
    of = analysis(lambda field, time, level: field.startswith("soil") and time != TIMES[0])
    assert compare(of, of.times, 5000.0, sea=False) == []


def test_heights_that_one_time_lacks_are_warned_of_and_made_up_by_balance():
    of = analysis(lambda field, time, level: field == "height" and time == TIMES[1] and level > 3e4)
    assert (
        "geopotential height at 7 levels from 1000 hPa to 400 hPa"
        in compare(of, of.times, 5000.0, sea=False)[0]
    )
    # No error of a field: heights of dry air would be 20 m lower.
    made, whole = columns(of, TIMES[1])[0].height, columns(analysis(), TIMES[1])[0]
    virtual = whole.temperature * (1 + 0.61 * whole.mixing_ratio)
    exact = whole.height[7] - 287 / 9.80665 * np.sum(
        0.5 * (virtual[:7] + virtual[1:8]) * np.log(LEVELS[:7] / LEVELS[1:8])[:, None, None], axis=0
    )
    np.testing.assert_allclose(made[0], exact, atol=1)


def test_the_sea_needs_its_ice_at_all_times():
    whole = analysis()
    ice = [piece("sea_ice", time, "surface", 0.0, "1", 0.5) for time in (TIMES[0], TIMES[2])]
    of = Analysis(
        [*(p for fields in whole._of.values() for of in fields.values() for p in of), *ice], ["made.grib"]
    )
    assert "06:00 UTC lacks sea ice" in refused(of, sea=True)
    assert compare(of, of.times, 5000.0, sea=False) == []


@pytest.mark.parametrize(
    ("lowest", "outcome"), [(1e5, None), (9.25e4, "warned"), (7e4, "refused"), (3.5e4, "refused")]
)
def test_levels_that_end_above_the_ground_are_warned_of_and_refused(lowest, outcome):
    of = analysis(levels=np.array([lowest, *(level for level in LEVELS if level < lowest)]))
    if outcome == "refused":
        with pytest.raises(UserError, match=rf"its lowest level {lowest / 100:g} hPa, which lies"):
            columns(of)
        return
    warned = list(columns(of)[1].warnings)
    assert len(warned) == (outcome == "warned")
    assert all("85 hPa above its ground" in said for said in warned)


@pytest.mark.parametrize("hour", [None, 6])
def test_humidity_that_ends_high_above_the_ground_is_refused(hour):
    """At all times, or where a level is there but holds nothing."""
    if hour is None:
        of = analysis(lambda field, time, level: field == "specific_humidity" and level > 6e4)
    else:

        def change(field, time, level, value):
            gone = field == "specific_humidity" and level > 6e4 and time.hour == hour
            return value * EMPTY if gone else value

        of = analysis(change=change)
    with pytest.raises(
        UserError, match=r"06:00 UTC does not reach the ground: its humidity lacks the level 700 hPa"
    ):
        columns(of, TIMES[1])


@pytest.mark.parametrize("field", ["temperature", "specific_humidity", "u", "v"])
def test_a_hole_in_one_place_is_no_ground(field):
    hole = (np.abs(GRID.x - 10) < 2) & (np.abs(GRID.y - 48) < 2)[:, None]

    def change(name, time, level, value):
        return np.where(hole & (level == 5e4), np.nan, value) if name == field else value

    with pytest.raises(
        UserError, match=r"lacks the level 500 hPa, which lies 510 hPa above its ground at row"
    ):
        columns(analysis(change=change))


def test_levels_below_high_ground_may_be_empty():
    def change(name, time, level, value):
        return value * EMPTY if level > 6.5e4 else value

    high = analysis(lambda field, time, level: field in ("surface_pressure", "terrain"), change=change)
    ground = [piece("surface_pressure", time, "surface", 0.0, "Pa", 6.2e4) for time in TIMES]
    ground += [piece("terrain", time, "surface", 0.0, "m", 4000.0) for time in TIMES]
    pieces = [p for fields in high._of.values() for of in fields.values() for p in of]
    assert not columns(Analysis([*pieces, *ground], ["made.grib"]))[1].warnings


def test_humidity_at_low_levels_alone_is_refused():
    of = analysis(lambda field, time, level: field == "specific_humidity" and level < 7e4)
    with pytest.raises(UserError, match="has no humidity above 700 hPa"):
        columns(of)


def test_humidity_that_holds_no_number_is_refused():
    of = analysis(
        change=lambda name, time, level, value: value * EMPTY if name == "specific_humidity" else value
    )
    with pytest.raises(UserError, match="specific humidity has no valid value over the domain"):
        columns(of)


def test_a_layer_of_soil_that_lacks_is_made_from_those_around_it_and_warned_of():
    of = analysis(lambda field, time, level: field.startswith("soil") and level == 0.28)
    made, report = columns(of)
    assert made.ground.soil_depths == (0.07, 0.28, 1.0, 2.89)
    assert len(report.warnings) == 2
    assert any("lacks the temperature of the soil from 0.07 to 0.28 m" in said for said in report.warnings)
    share = (0.175 - 0.035) / (0.64 - 0.035)  # between the middles of the layers
    np.testing.assert_allclose(
        made.ground.soil_temperature[:, 0, 0], [280, 280 + 2 * share, 282, 283], atol=1e-4
    )
    np.testing.assert_allclose(made.ground.soil_moisture[1], 0.2 + 0.1 * share, atol=1e-6)


def test_a_layer_that_one_field_alone_lacks_is_made_too():
    of = analysis(lambda field, time, level: field == "soil_moisture" and level == 1.0)
    made, report = columns(of)
    assert made.ground.soil_depths == (0.07, 0.28, 1.0, 2.89)
    np.testing.assert_allclose(made.ground.soil_temperature[2], 282, rtol=1e-6)
    assert [said[said.index("lacks") :][:55] for said in report.warnings] == [
        "lacks the moisture of the soil from 0.28 to 1 m: it is "
    ]


def test_the_uppermost_layer_alone_does_not_stand_for_deep_soil():
    of = analysis(soil=SOIL[:1])
    made, report = columns(of)
    assert made.ground.soil_depths == (0.07, 0.4, 1.0, 2.0)
    assert np.isnan(made.ground.soil_temperature[1:]).all()  # goes over to the year's mean
    np.testing.assert_allclose(made.ground.soil_moisture, 0.2, rtol=1e-6)
    assert any("from 0.07 to 2 m: it tends to the annual mean" in said for said in report.warnings)


def test_the_layer_at_the_surface_that_lacks_is_that_below_it():
    made, report = columns(analysis(soil=SOIL[1:]))
    assert made.ground.soil_depths == (0.07, 0.28, 1.0, 2.89)
    np.testing.assert_allclose(made.ground.soil_temperature[:2], 280, rtol=1e-6)
    assert any("from 0 to 0.07 m: the layer below is used" in said for said in report.warnings)


def test_layers_in_one_variable_are_all_read():
    of = analysis(soil=())
    for name, units, first in (("soil_temperature", "K", 280.0), ("soil_moisture", "m3 m-3", 0.2)):
        of._of[TIMES[0]][name] = [
            Piece(name, TIMES[0], "soil", tuple(b for _, b in SOIL), GRID, units, name,
                  lambda window, first=first: first + 0.1 * np.arange(4, dtype=np.float32)[:, None, None]
                  + window.of(np.zeros((len(GRID.y), len(GRID.x)))), tops=tuple(t for t, _ in SOIL))
        ]  # fmt: skip
    made, report = columns(of)
    assert made.ground.soil_depths == (0.07, 0.28, 1.0, 2.89)
    np.testing.assert_allclose(made.ground.soil_temperature[:, 0, 0], [280, 280.1, 280.2, 280.3], atol=1e-4)
    assert not report.warnings


@pytest.mark.parametrize(
    ("folder", "file", "said"),
    [
        ("09-no-lower-air", "upper.grib2", "lowest level 350 hPa, which lies 660 hPa"),
        ("15-levels-that-lack", "humidity.grib2", "06:00 UTC lacks relative humidity at 1000 hPa, 925"),
        ("15-levels-that-lack", "level.grib2", "wind along y and relative humidity at 500 hPa"),
    ],
)  # fmt: skip
def test_made_up_air_is_refused_by_the_command(squall, trial, folder, file, said):
    done = squall(
        "prepare", str(trial(folder, file)), "-o", "o", "--center", "48,10", "--size", "20x20",
        "--spacing", "60 km",
    )  # fmt: skip
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert open_analysis([trial(folder, file)]).times
