"""`squall fetch` and `squall prepare --wants`: what is asked of which service, and what of the answer."""

import json
import sys
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from squall.errors import UserError
from squall.fetch import carry_out, plan
from squall.fetch.sources import Request
from squall.prepare import wants

pytestmark = pytest.mark.regression

RECORDED = Path(__file__).parent / "data" / "fetch"

RUN_FILE = """
[run]
start = "2024-01-31T18:00:00"
duration = "12 h"
time_step = "120 s"
[domain]
nx = 100
ny = 80
dx = "15 km"
[prepare]
analysis = ["data/*.grib2"]
center_latitude = "48 degrees"
center_longitude = "10 degrees"
top = "100 hPa"
[initial]
file = "wrfinput_d01"
"""
EUROPE = wants.Wants(datetime(2024, 1, 31, 18), datetime(2024, 2, 1, 6), (57, -5, 39, 25), 1e4)
PLAINS = wants.Wants(datetime(2024, 5, 20, 19), datetime(2024, 5, 20, 21), (43, -105, 31, -92), 5e3)


def test_a_run_file_says_when_where_and_how_high(tmp_path):
    (tmp_path / "run.toml").write_text(RUN_FILE)
    found = wants.read(tmp_path / "run.toml")
    assert (found.start, found.end, found.top) == (EUROPE.start, EUROPE.end, 1e4)
    north, west, south, east = found.area
    assert (north, south) == (57, 39)
    assert (west, east) == (-5, 25)
    assert found.times(timedelta(hours=5))[-1] == datetime(2024, 2, 1, 9)  # at or after the end


def test_wants_are_told_before_there_is_any_file(squall, tmp_path):
    (tmp_path / "run.toml").write_text(RUN_FILE)
    said = squall("prepare", "--wants", "run.toml")
    assert said.returncode == 0, said.stderr
    assert "times:   2024-01-31 18:00 to 2024-02-01 06:00 UTC" in said.stdout
    assert "area:    39°N to 57°N, 5°W to 25°E" in said.stdout
    assert "from 1000 hPa to 100 hPa" in said.stdout


@pytest.mark.parametrize(
    ("line", "message"),
    [("start", "run.start is missing"), ("dx", "nx, ny and dx"), ("center_latitude", "center_latitude and")],
)
def test_a_run_file_that_leaves_it_open_is_refused(squall, tmp_path, line, message):
    (tmp_path / "run.toml").write_text("\n".join(x for x in RUN_FILE.splitlines() if not x.startswith(line)))
    said = squall("prepare", "--wants", "run.toml")
    assert said.returncode == 2
    assert message in said.stderr


def test_levels_reach_the_top_and_one_above_it():
    known = (10, 50, 70, 100, 500, 1000)
    assert EUROPE.levels(known) == [1000, 500, 100]
    assert wants.Wants(EUROPE.start, EUROPE.end, EUROPE.area, 6e3).levels(known) == [1000, 500, 100, 70, 50]


@pytest.mark.parametrize(
    ("source", "wanted", "hours"),
    [("era5", EUROPE, 6), ("gfs", EUROPE, 6), ("hrrr", PLAINS, 1), ("ecmwf", EUROPE, 6)],
)
def test_requests_are_those_recorded(source, wanted, hours):
    asked = [vars(request) for request in plan(source, wanted, timedelta(hours=hours))]
    recorded = RECORDED / f"{source}.json"
    assert json.loads(json.dumps(asked)) == json.loads(recorded.read_text())


def test_requests_are_shown_word_for_word_without_a_network(squall, tmp_path):
    (tmp_path / "run.toml").write_text(RUN_FILE)
    said = squall("fetch", "era5", "run.toml", "--dry-run", "--every", "6 h")
    assert said.returncode == 0, said.stderr
    assert "cdsapi: reanalysis-era5-pressure-levels -> era5_pl_202401.grib" in said.stdout
    assert '"variable": [' in said.stdout
    assert "https://cds.climate.copernicus.eu/how-to-api" in said.stdout
    assert not list(tmp_path.glob("era5*"))


@pytest.mark.parametrize(
    ("source", "wanted", "every", "message"),
    [
        ("narr", EUROPE, 3, "The sources are era5, gfs, hrrr, ecmwf"),
        ("hrrr", EUROPE, 1, "HRRR covers the contiguous United States"),
        ("ecmwf", EUROPE, 1, "every 3 hours"),
        ("gfs", EUROPE, 0.5, "whole number of hours"),
        (
            "hrrr",
            replace(PLAINS, end=datetime(2024, 5, 21, 19)),
            3,
            "HRRR of 19 UTC ends 18 h after its start",
        ),
        (
            "gfs",
            replace(EUROPE, end=datetime(2024, 2, 6)),
            1,
            "GFS is available only every 3 h beyond 120 h, so not at 121 h",
        ),
        ("ecmwf", replace(EUROPE, start=datetime(2024, 1, 31, 19)), 3, "available at 00, 03, 06"),
        ("ecmwf", replace(EUROPE, end=datetime(2024, 2, 7)), 3, "every 6 h beyond 144 h, so not at 147 h"),
    ],
)
def test_what_a_source_cannot_is_refused(source, wanted, every, message):
    with pytest.raises(UserError, match=message):
        plan(source, wanted, timedelta(hours=every))


INDEX = (RECORDED / "gfs.idx").read_text()


def test_only_wanted_records_are_asked_for_and_neighbours_at_once():
    found = list(
        carry_out.ranges_of(INDEX, ["TMP:500 mb", "RH:500 mb", "PRMSL:mean sea level", "PRES:surface"])
    )
    assert found == [(0, 998), (3000, 4999), (7000, None)]


def test_sums_over_time_and_parts_of_a_message_are_told_from_what_is_wanted():
    # u and v share a message; the mean of the pressure does not count.
    found = list(carry_out.ranges_of(INDEX, ["UGRD:10 m above ground", "PRES:surface"]))
    assert found == [(5000, 5999), (7000, None)]


def record(n):
    """A GRIB message of 1000 bytes with a letter of its own."""
    return b"GRIB\0\0\0\2" + (1000).to_bytes(8, "big") + bytes([65 + n]) * 980 + b"7777"


@pytest.fixture(autouse=True)
def quickly_again(monkeypatch):
    monkeypatch.setattr(carry_out, "_PAUSE", 0.01)


@pytest.fixture
def server():
    """A service that has one GRIB file with an index, and notes what is asked."""
    content = b"".join(record(n) for n in range(8))
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, self.headers.get("Range")))
            if self.path == "/file.idx":
                body = INDEX.encode()
            elif self.path == "/file":
                first, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
                body = content[int(first) : int(last) + 1 if last else None]
            else:
                self.send_error(404)
                return
            self.send_response(206)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}", asked
        running.shutdown()
        thread.join()


def test_records_arrive_whole_and_are_not_asked_for_twice(server, tmp_path):
    address, asked = server
    request = Request("https", f"{address}/file", {"fields": ["TMP:500 mb", "PRES:surface"]}, "a.grib2")
    (file,) = carry_out.fetch([request], tmp_path, lambda line: None)
    assert file.read_bytes() == record(3) + record(7)
    assert asked == [("/file.idx", None), ("/file", "bytes=3000-3999"), ("/file", "bytes=7000-")]
    carry_out.fetch([request], tmp_path, lambda line: None)
    assert len(asked) == 3


def test_what_a_service_does_not_have_leaves_nothing_behind(server, tmp_path):
    address, _ = server
    for name, fields, message in (
        ("nofile", ["TMP:500 mb"], "answered 404"),
        ("file", ["X:1 mb"], "none of the"),
    ):
        with pytest.raises(UserError, match=message):
            carry_out.fetch([Request("https", f"{address}/{name}", {"fields": fields}, "a")], tmp_path, print)
    with pytest.raises(UserError, match="cannot be reached"):
        carry_out.fetch([Request("https", "http://127.0.0.1:9/a", {"fields": ["X"]}, "a")], tmp_path, print)
    assert not list(tmp_path.iterdir())


CLIENT = """
import json, os, pathlib
class Client:
    def __init__(self, **how):
        self.how, self.url = how, os.environ["SERVICE"]
    def retrieve(self, *what, **more):
        target = what[-1] if what else more["target"]
        pathlib.Path(target).write_text(json.dumps([self.how, what, more]))
"""


@pytest.fixture
def clients(tmp_path, monkeypatch):
    """Clients of services that write down what they are asked."""
    (tmp_path / "ecmwf").mkdir()
    (tmp_path / "cdsapi.py").write_text(CLIENT)
    (tmp_path / "ecmwf" / "opendata.py").write_text(CLIENT)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("cdsapi", "ecmwf", "ecmwf.opendata"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_the_clients_of_services_are_asked_as_they_want_to_be(tmp_path, clients, server, monkeypatch):
    monkeypatch.setenv("SERVICE", server[0])  # which answers 501 to HEAD: it is there
    requests = plan("era5", EUROPE, timedelta(hours=6))[:1] + plan("ecmwf", EUROPE, timedelta(hours=6))[:1]
    era5, ecmwf = carry_out.fetch(requests, tmp_path / "out", lambda line: None)
    _, (dataset, body, _), _ = json.loads(era5.read_text())
    assert (dataset, body["area"]) == ("reanalysis-era5-pressure-levels", [57, -5, 39, 25])
    how, _, more = json.loads(ecmwf.read_text())
    assert how == {"source": "ecmwf"}
    assert more["levtype"] == "pl"
    assert more["step"] == [6, 12, 18]


@pytest.mark.parametrize("source", ["era5", "ecmwf"])
def test_a_client_that_would_try_again_for_hours_is_not_started_without_a_network(
    tmp_path, clients, monkeypatch, source
):
    monkeypatch.setenv("SERVICE", "http://127.0.0.1:9/api")
    with pytest.raises(UserError, match=r"127\.0\.0\.1:9/api cannot be reached"):
        carry_out.fetch(plan(source, EUROPE, timedelta(hours=6)), tmp_path / "out", print)
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize(("longitude", "west", "east"), [(262, -116, -80), (178, 160, 196), (-178, 164, 200)])
def test_an_area_is_one_that_services_take(tmp_path, longitude, west, east):
    """Longitudes from 0 to 360 put HRRR out of the United States; across the date line is 160 to 196 east."""
    (tmp_path / "run.toml").write_text(RUN_FILE.replace('"10 degrees"', f'"{longitude} degrees"'))
    _, found_west, _, found_east = wants.read(tmp_path / "run.toml").area
    assert (found_west, found_east) == pytest.approx((west, east), abs=3)
    assert -180 <= found_west < found_east <= 360


def test_a_client_that_is_not_there_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cdsapi", None)
    with pytest.raises(UserError, match="pip install cdsapi"):
        carry_out.fetch(plan("era5", EUROPE, timedelta(hours=6)), tmp_path, print)
