"""`squall forecast`: from a place to charts, against a server that has GFS as NOAA's bucket has it."""

import re
from datetime import datetime, timedelta

import netCDF4
import pytest
import typer
from PIL import Image

from gfs_bucket import FILE, serving
from squall import locate
from squall.commands import forecast
from squall.errors import UserError
from squall.fetch import carry_out, plan, tables
from squall.forecast import latest, places
from squall.forecast.choose import Asked, choose
from squall.lab.verify import data
from squall.prepare.wants import Wants

NOON = datetime(2026, 1, 24, 12)
EUROPE = Wants(NOON, NOON + timedelta(hours=6), (57, -5, 39, 25), 5e3)
PICTURES = (
    "weather.png", "precipitation.png", "temperature.png", "gusts.png", "series.png", "weather.gif",
)  # fmt: skip
LONG = ("Innsbruck", "--start", "2026-01-24T12:00")
STORM = 2e-7  # s for a cell in a step of the supercell: two usual cores


@pytest.mark.parametrize(
    ("text", "name", "latitude", "longitude"),
    [
        ("35.3,-97.5", "35.3,-97.5", 35.3, -97.5),
        (" -33.9 18.4", "-33.9,18.4", -33.9, 18.4),
        ("48, 350", "48,-10", 48, -10),
        ("35.3N,97.5W", "35.3,-97.5", 35.3, -97.5),
        ("33.9°S 18.4°E", "-33.9,18.4", -33.9, 18.4),
        ("norman", "Norman, OK, US", 35.22, -97.44),
        ("London", "London, GB", 51.51, -0.13),
        ("London, CA", "London, CA", 42.98, -81.23),
        ("new york", "New York City, NY, US", 40.71, -74.01),
        ("Köln", "Köln, DE", 50.93, 6.95),
        ("koln", "Köln, DE", 50.93, 6.95),
    ],
)
def test_a_place_is_found_by_name_or_by_degrees(text, name, latitude, longitude):
    found = places.find(text)
    assert (found.name, found.latitude, found.longitude) == (name, latitude, longitude)


@pytest.mark.parametrize(
    "words",
    [
        ("-33.9,18.4", "--dry-run"),
        ("--dry-run", "-33.9", "18.4"),
        ("--hours", "6", "-33.9, 18.4", "--dry-run"),
    ],
)
def test_a_place_south_of_the_equator_is_no_option(words):
    context = typer.main.get_command(forecast.app).make_context("forecast", list(words))
    assert places.find(context.params["place"]).latitude == -33.9
    assert context.params["dry_run"]


def test_of_places_of_one_name_the_largest_is_taken_and_the_others_are_told():
    found = places.find("Springfield")
    assert found.others
    assert all("Springfield" in other for other in found.others)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Bosten", "Did you mean .*Boston"),
        ("Atlantis", "latitude and longitude, such as"),
        ("91,0", "degrees north and east"),
        ("-89.5,0", "within 85 degrees of the equator"),
        ("Norman, TX", "not known"),
    ],
)
def test_a_place_that_is_none_is_refused_with_a_hint(text, message):
    with pytest.raises(UserError, match=message):
        places.find(text)


def test_the_domain_is_the_largest_that_takes_a_quarter_of_an_hour():
    place = places.find("Innsbruck")
    slow, fast = (choose(place, Asked(timedelta(hours=24)), 9000, STORM * x) for x in (4, 1))
    assert slow.domain.nx < fast.domain.nx
    for found in (slow, fast):
        assert found.takes <= timedelta(minutes=15)
        assert 5e-3 * found.domain.dx >= found.step
    wide = choose(place, Asked(timedelta(hours=24), size=(240, 200)), 9000, STORM)
    assert (wide.domain.nx, wide.domain.ny) == (240, 200)
    assert wide.takes > fast.takes


def test_a_nest_costs_three_times_its_parent():
    place = places.find("Innsbruck")
    alone, with_nest = (
        choose(place, Asked(timedelta(hours=24), size=(120, 96), nested=n), 9000, STORM)
        for n in (False, True)
    )
    assert with_nest.takes / alone.takes == pytest.approx(4, rel=0.2)


@pytest.mark.parametrize(
    ("source", "hours", "first"),
    [
        ("gfs", 24, ["2026-01-24 06", "2026-01-24 00", "2026-01-23 18"]),
        ("hrrr", 12, ["2026-01-24 11", "2026-01-24 10", "2026-01-24 09"]),
        ("hrrr", 24, ["2026-01-24 06", "2026-01-24 00", "2026-01-23 18"]),
        ("ecmwf", 24, ["2026-01-24 00", "2026-01-23 12"]),
        ("era5", 24, ["2026-01-18 00"]),
    ],
)
def test_starts_are_those_that_a_source_may_have_by_now(source, hours, first):
    found = list(latest.starts(source, NOON + timedelta(minutes=40), timedelta(hours=hours)))
    assert [f"{start:%Y-%m-%d %H}" for start in found][: len(first)] == first


@pytest.fixture(scope="module")
def bucket():
    try:
        file = data.folder("analysis") / FILE
    except data.Skipped as error:
        pytest.skip(str(error))
    with serving(file) as running:
        yield running


@pytest.fixture(autouse=True)
def quickly_again(monkeypatch):
    monkeypatch.setattr(carry_out, "_PAUSE", 0.01)


@pytest.fixture
def from_bucket(bucket, monkeypatch):
    bucket.asked.clear(), bucket.missing.clear(), bucket.faults.clear()
    monkeypatch.setenv("SQUALL_GFS", bucket.address)
    return bucket


def test_a_start_that_is_not_whole_yet_is_passed_over(from_bucket):
    now = NOON + timedelta(hours=4)
    from_bucket.missing.add(NOON)
    assert latest.find("gfs", EUROPE, timedelta(hours=3), now) == NOON - timedelta(hours=6)
    for start in latest.starts("gfs", now, timedelta(hours=6)):
        from_bucket.missing.add(start)
    with pytest.raises(UserError, match=r"no whole forecast yet of the starts .*--start"):
        latest.find("gfs", EUROPE, timedelta(hours=3), now)


def requests():
    return plan("gfs", EUROPE, timedelta(hours=6))


def test_what_is_busy_cut_off_or_moved_arrives_whole(from_bucket, tmp_path):
    first, second = (request.what.removeprefix(from_bucket.address) for request in requests())
    from_bucket.faults |= {first: ["cut", "busy", "cut"], f"{first}.idx": ["busy"], second: ["moved", "cut"]}
    there = carry_out.fetch(requests(), tmp_path / "faults", lambda line: None)
    from_bucket.faults.clear()
    wanted = carry_out.fetch(requests(), tmp_path / "whole", lambda line: None)
    assert [file.read_bytes() for file in there] == [file.read_bytes() for file in wanted]
    assert not list(tmp_path.rglob("*.part*"))


def test_a_download_that_was_ended_goes_on_where_it_was(from_bucket, tmp_path):
    (request, *_) = requests()
    path = request.what.removeprefix(from_bucket.address)
    from_bucket.faults[path] = [None, None, *["cut"] * 9]
    with pytest.raises(UserError, match="cannot be reached"):
        carry_out.fetch([request], tmp_path, print)
    (part,) = tmp_path.glob("*.part")
    begun = part.stat().st_size
    assert begun > 0
    part.write_bytes(part.read_bytes() + b"of a record that did not arrive")
    from_bucket.faults.clear(), from_bucket.asked.clear()
    (file,) = carry_out.fetch([request], tmp_path, print)
    ranges = [asked for _, _, asked in from_bucket.asked if asked]
    (whole,) = carry_out.fetch([request], tmp_path / "anew", print)
    assert file.read_bytes() == whole.read_bytes()
    assert len(ranges) == len([asked for _, _, asked in from_bucket.asked if asked]) // 2 - 1
    assert not list(tmp_path.glob("*.part*"))


def test_an_index_that_is_not_of_its_file_is_told(from_bucket, tmp_path, monkeypatch):
    whole = from_bucket.answer

    def shifted(path):
        found = whole(path)
        if not path.endswith(".idx"):
            return found
        return re.sub(rb"(?m)^([\d.]+:)(\d+)", lambda line: line[1] + b"%d" % (int(line[2]) + 7), found)

    monkeypatch.setattr(from_bucket, "answer", shifted)
    with pytest.raises(UserError, match=r"no whole GRIB records at bytes \d+ to"):
        carry_out.fetch(requests()[:1], tmp_path, print)


@pytest.mark.regression
def test_one_command_leads_from_a_place_to_charts(from_bucket, squall, tmp_path):
    if tables.missing(tables.cache()):
        pytest.skip("the radiation's tables are not here (squall fetch radiation)")
    said = squall(
        "forecast", "Innsbruck", "--hours", "3", "--start", "2026-01-24T12:00", "--spacing", "50 km",
        "--size", "36x30", "--levels", "20", "-o", "alps", SQUALL_GFS=from_bucket.address, PIP_NO_INDEX="1",
    )  # fmt: skip
    assert said.returncode == 0, said.stdout + said.stderr
    assert "Innsbruck, AT, 47.26°N 11.39°E" in said.stdout
    assert "This takes about" in said.stdout
    assert "Without land cover all land is grass." in said.stdout
    for command in ("fetch gfs", "prepare", "run", "plot"):
        assert f"\n$ squall {command} " in said.stdout
    folder = tmp_path / "alps"
    with netCDF4.Dataset(folder / "history_2026-01-24_15:00:00.nc") as frame:
        assert frame.dimensions["west_east"].size == 36
        assert pytest.approx((47.26, 11.39), abs=0.01) == (frame.CEN_LAT, frame.CEN_LON)
        assert 220 < frame["T2"][:].min() < frame["T2"][:].max() < 310
    with netCDF4.Dataset(folder / "place.nc") as series:
        assert series["T2"].shape == (16, 1)
    for name in (
        "weather.png",
        "precipitation.png",
        "temperature.png",
        "gusts.png",
        "series.png",
        "weather.gif",
    ):
        with Image.open(folder / name) as picture:
            assert picture.size[0] > 400
        assert str(folder.relative_to(tmp_path) / name) in said.stdout
    other = squall("forecast", "Innsbruck", "--start", "2026-01-24T12:00", "-o", "alps", "--size", "36x30")
    assert other.returncode == 2
    assert "is of another forecast, or was changed" in other.stderr


@pytest.mark.regression
@pytest.mark.long
def test_a_forecast_whose_download_was_ended_goes_on_when_asked_again(from_bucket, squall, tmp_path):
    words = (
        "forecast", "34.5,262.5", "--hours", "1", "--start", "2026-01-24T12:00", "--spacing", "60 km",
        "--size", "36x30", "--levels", "20", "--nest",
    )  # fmt: skip
    if tables.missing(tables.cache()):
        pytest.skip("the radiation's tables are not here (squall fetch radiation)")
    path = "/gfs.20260124/12/atmos/gfs.t12z.pgrb2.0p25.f003"
    from_bucket.faults[path] = [None, *["cut"] * 9]
    settings = {"SQUALL_GFS": from_bucket.address, "PIP_NO_INDEX": "1"}
    said = squall(*words, **settings)
    assert said.returncode == 1
    assert "It would have fetched 2 files" in said.stderr
    from_bucket.faults.clear()
    said = squall(*words, **settings)
    assert said.returncode == 0, said.stdout + said.stderr
    folder = tmp_path / "runs" / "34.5N97.5W-2026012412"
    assert "f000.grib2: exists already" in said.stdout
    with netCDF4.Dataset(folder / "history_d02_2026-01-24_13:00:00.nc") as nest:
        assert pytest.approx(20_000.0) == nest.DX
    again = squall(*words, **settings)
    assert again.returncode == 2
    assert "has this forecast already" in again.stderr


@pytest.mark.regression
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("Innsbruck", "--source", "narr"), "neither a file nor one of era5, gfs, hrrr, ecmwf"),
        (("Innsbruck", "--source", "no/such.grib2"), "there is no file no/such.grib2"),
        (("Innsbruck", "--size", "120"), "write it like 120x96"),
        (("Innsbruck", "--size", "20x20"), "at least 30 cells"),
        (("Innsbruck", "--spacing", "9"), "--spacing: .*a length in m or km"),
        (("Innsbruck", "--start", "tomorrow"), "write a date in UTC"),
        (
            ("Innsbruck", "--source", "hrrr", "--start", "2026-01-24T12:00"),
            "HRRR covers the contiguous",
        ),
        (
            ("Innsbruck", "--start", "2026-01-24T12:00", "--spacing", "500 m", "--size", "400x400"),
            "begin it with --yes",
        ),
    ],
)
def test_what_is_impossible_is_refused_before_anything_is_written(squall, tmp_path, words, message):
    said = squall("forecast", *words, SQUALL_GFS="http://127.0.0.1:9")
    assert said.returncode == 2
    assert re.search(message, said.stderr), said.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.regression
def test_without_a_network_it_tells_what_it_would_fetch_and_what_can_be_done(squall, tmp_path):
    said = squall("forecast", "Innsbruck", "--hours", "6", SQUALL_GFS="http://127.0.0.1:9")
    assert said.returncode == 1
    assert "127.0.0.1:9" in said.stderr
    assert "It would have fetched 3 files, gfs_" in said.stderr
    assert "squall forecast 47.26,11.39 --source FILE" in said.stderr
    there = locate.data_file("analysis.grb2") is not None
    assert ("is here already" in said.stderr and "--case january-storm" in said.stderr) == there
    dry = squall("forecast", "Innsbruck", "--hours", "6", "--dry-run", SQUALL_GFS="http://127.0.0.1:9")
    assert dry.returncode == 0, dry.stderr
    assert "Fetches 3 files, gfs_" in dry.stdout
    assert not list(tmp_path.iterdir())
