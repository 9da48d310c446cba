"""The server of `squall watch`: what it tells, and that it is what the files say."""

import asyncio
import itertools
import json
import struct
import urllib.request
from types import SimpleNamespace

import numpy as np
import pytest

import made_globe
from squall import diagnose
from squall.diagnose import parcel
from squall.plot import choice
from squall.reader.dataset import open_run
from watched import SECONDS, publish, serving, write_earth, write_nest, write_stations

pytest.importorskip("starlette", reason="the page needs the extra watch")
from starlette.testclient import TestClient

from squall.watch import app as app_module
from squall.watch import tiles
from squall.watch.app import application
from squall.watch.guard import Door, Guard
from squall.watch.run import Run
from squall.watch.source import Source, calmly

HOST = "http://127.0.0.1"


@pytest.fixture(scope="module")
def earth(tmp_path_factory):
    return write_earth(tmp_path_factory.mktemp("watch") / "earth", [0, 3600, 7200])


@pytest.fixture(scope="module")
def door():
    return Door()


@pytest.fixture(scope="module")
def client(earth, door):
    with TestClient(Guard(application([Run(earth)]), door), HOST + door.folder) as client:
        assert client.get(f"/?token={door.token}").status_code == 200
        yield client


def told(client, path, **words):
    answer = client.get(f"/api/{path}", params=words)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_index_has_runs_frames_fields_and_levels(client):
    (stream,) = told(client, "index")["runs"][0]["streams"]
    assert stream["frames"] == [0, 3600, 7200]
    assert (stream["grid"]["nx"], stream["grid"]["ny"], stream["grid"]["earth"]) == (40, 30, True)
    fields = {field["name"]: field for field in stream["fields"]}
    assert fields["temperature"]["level"] == "bottom_top"
    assert fields["surface_pressure"]["level"] == ""
    assert {"T", "cape", "wind_speed_10m"} <= set(fields)
    assert {"500 hPa", "5 km", "0"} <= {level["level"] for level in stream["levels"]["bottom_top"]}


@pytest.mark.parametrize(
    ("field", "level", "factor", "offset"),
    [("T", "2", 1, 0), ("temperature", "", 1, -273.15), ("temperature", "700 hPa", 1, -273.15),
     ("wind_speed", "3 km", 1, 0), ("surface_pressure", "", 0.01, 0), ("W", "1", 1, 0)],
)  # fmt: skip
def test_tiles_have_the_values_of_the_files(client, earth, field, level, factor, offset):
    answer = client.get("/api/tile", params={"field": field, "level": level, "t": 3600})
    found = tiles.decode(answer.content)[1:-1, 1:-1]
    frame = open_run(earth).isel(Time=1)
    wanted, _ = choice.on_level(frame, diagnose.field(frame, field), level or None)
    wanted = wanted.values * factor + offset
    step = (np.nanmax(wanted) - np.nanmin(wanted)) / 65534
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=0.51 * step + 1e-7)
    value = told(client, "value", field=field, level=level, t=3600, i=7, j=11)["value"]
    assert value == pytest.approx(wanted[11, 7], rel=1e-6)


def test_a_difference_is_of_both_fields(client, earth):
    asked = {"field": "temperature", "level": "3", "m_field": "temperature", "m_level": "1", "t": 0}
    found = tiles.decode(client.get("/api/tile", params=asked).content)[1:-1, 1:-1]
    whole = diagnose.field(open_run(earth).isel(Time=0), "temperature")
    np.testing.assert_allclose(found, (whole[3] - whole[1]).values, atol=2e-3)
    scale = told(client, "scale", **asked)
    assert scale["levels"][0] == -scale["levels"][-1]


def test_coarser_resolutions_are_means_of_what_is_there():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(301, 515)).astype(np.float32)
    values[:2, :2] = np.nan
    values[2, 2] = np.nan
    whole, half, quarter = tiles.pyramid(values)
    assert half.shape == (151, 258)
    assert quarter.shape == (76, 129)
    assert np.isnan(half[0, 0])
    assert half[1, 1] == pytest.approx(np.nanmean(values[2:4, 2:4]), rel=1e-6)
    assert half[150, 257] == whole[300, 514]


def test_a_tile_is_packed_and_has_the_points_around_it():
    j, i = np.mgrid[0:600, 0:700]
    values = np.sin(i / 40).astype(np.float32) * np.cos(j / 50).astype(np.float32)
    tile = tiles.cut(values, 1, 1)
    assert tile.shape == (258, 258)
    np.testing.assert_array_equal(tile, values[255:513, 255:513])
    assert tiles.cut(values, 2, 2).shape == (90, 190)
    packed = tiles.encode(tile)
    assert len(packed) < tile.size  # a byte a point, of four
    assert 16 * len(packed) < 2e6  # the largest picture
    np.testing.assert_allclose(tiles.decode(packed), tile, atol=2e-5)
    holes = tile.copy()
    holes[::3] = np.nan
    np.testing.assert_array_equal(np.isnan(tiles.decode(tiles.encode(holes))), np.isnan(holes))


def test_a_series_has_all_frames_at_a_point(client, earth):
    found = told(client, "series", field="temperature", level="850 hPa", i=5, j=9)
    history = open_run(earth)
    wanted = [
        float(choice.on_level(frame, diagnose.field(frame, "temperature"), "850 hPa")[0].values[9, 5])
        - 273.15
        for frame in (history.isel(Time=k) for k in range(3))
    ]
    assert found["t"] == [0, 3600, 7200]
    assert found["values"] == pytest.approx(wanted, rel=1e-4)
    assert found["unit"] == "°C"


def test_a_sounding_is_the_column_of_the_files(client, earth):
    found = told(client, "sounding", t=7200, i=3, j=4)
    frame = open_run(earth).isel(Time=2)
    names = ("pressure", "temperature", "QVAPOR", "height")
    p, t, q, z = (np.asarray(diagnose.field(frame, name).values[:, 4, 3], float) for name in names)
    assert found["p"] == pytest.approx(p / 100, rel=1e-4)
    assert found["t"] == pytest.approx(t - 273.15, rel=1e-4, abs=1e-3)
    cape, *_ = parcel.ascent(p, t, q, z, "mixed_layer")
    assert found["parcels"][1]["cape"] == pytest.approx(float(cape), rel=1e-3, abs=1e-3)
    east = diagnose.field(frame, "wind_east").values[:, 4, 3]
    assert found["u"] == pytest.approx(east, rel=1e-4)
    assert found["place"]["latitude"] == pytest.approx(float(frame["XLAT"].values[4, 3]), rel=1e-6)


def test_a_section_is_cut_through_the_layers(client, earth):
    asked = {"field": "theta", "t": 0, "i0": 2, "j0": 5, "i1": 30, "j1": 5}
    packed = client.get("/api/section", params=asked).content
    (length,) = struct.unpack_from("<I", packed)
    z, values = np.frombuffer(packed, "<f4", offset=4 + length).reshape(2, 7, 29)
    frame = open_run(earth).isel(Time=0)
    np.testing.assert_allclose(values[1:], diagnose.field(frame, "theta").values[:, 5, 2:31], rtol=1e-6)
    np.testing.assert_allclose(z[1:], diagnose.field(frame, "height").values[:, 5, 2:31] / 1000, rtol=1e-5)


def test_the_lattice_leads_back_to_latitude_and_longitude(client, earth):
    ground = told(client, "ground")
    lattice, frame = ground["lattice"], open_run(earth).isel(Time=0)
    east, left, north = (np.reshape(lattice[name], (65, 65)) for name in ("east", "left", "north"))
    latitude, longitude = (
        np.degrees(np.arctan2(north, np.hypot(east, left))),
        np.degrees(np.arctan2(left, east)),
    )
    corner = frame["XLAT"].values[0, 0], frame["XLONG"].values[0, 0]
    assert abs(latitude[0, 0] - corner[0]) < 0.3
    assert abs(longitude[0, 0] - corner[1]) < 0.3
    assert ground["coasts"]
    assert {line["axis"] for line in ground["graticule"]} == {"x", "y"}


@pytest.mark.parametrize(
    ("path", "words"),
    [("tile", {"field": "nothing", "t": 0}), ("tile", {"field": "T", "t": "soon"}),
     ("tile", {"field": "T", "t": 5}),
     ("tile", {"field": "T", "t": 0, "x": 9}), ("tile", {"field": "T", "t": 0, "z": 3}),
     ("tile", {"field": "T", "level": "5 hPa", "t": 0}), ("tile", {"field": "T", "t": "inf"}),
     ("value", {"field": "T", "t": 0, "i": 40, "j": 0}), ("value", {"field": "T", "t": 0, "i": "-1", "j": 0}),
     ("scale", {"field": "T", "limits": "5,1"}), ("scale", {"field": "T", "colours": "__class__"}),
     ("series", {"field": "T", "i": 1, "j": 99}), ("sounding", {"run": 7, "t": 0, "i": 0, "j": 0}),
     ("section", {"field": "T", "t": 0, "i0": 1, "j0": 1, "i1": 1, "j1": 1})],
)  # fmt: skip
def test_what_cannot_be_is_a_message(client, path, words):
    answer = client.get(f"/api/{path}", params=words)
    assert answer.status_code == 400
    assert len(answer.json()["error"]) > 10


def test_a_large_domain_is_read_in_pieces_to_the_same_values(earth, monkeypatch):
    whole = Source(earth, "history", 1)
    monkeypatch.setattr("squall.watch.source._LARGE", 10)
    monkeypatch.setattr("squall.watch.source._PIECE", 16)
    pieces = Source(earth, "history", 1)
    assert pieces.large
    assert not whole.large
    for level in ("2", "700 hPa"):
        both = []
        for one in (whole, pieces):
            frame = one.frame(1)
            with calmly():
                both.append(choice.on_level(frame, diagnose.field(frame, "temperature"), level)[0].values)
        np.testing.assert_allclose(*both, rtol=1e-6)


def test_the_state_and_the_log_are_those_of_the_run(tmp_path, door):
    run = write_earth(tmp_path / "run", [0])
    told_by = {"squall_status": 1, "state": "stopped", "why": "asked by SIGTERM", "beat": 3, "pid": 1,
               "at": 0.0, "seconds": 900.0, "duration": 3600.0, "machine": "elsewhere"}  # fmt: skip
    (run / "status.json").write_text(json.dumps(told_by))
    (run / "run.log").write_text("".join(f"line {k}\n" for k in range(5000)))
    with TestClient(Guard(application([Run(run)]), door), HOST + door.folder) as client:
        client.get(f"/?token={door.token}")
        state, health = told(client, "state"), told(client, "health")
    assert (state["word"], state["why"], state["seconds"]) == ("stopped", "asked by SIGTERM", 900.0)
    assert "machine" not in state  # what is no business of a viewer's
    assert health["log"][-1] == "line 4999"
    assert 100 < len(health["log"]) < 5000


def test_a_nest_lies_in_its_parent(tmp_path, door):
    run = write_earth(tmp_path / "nested", [0])
    write_nest(run, [0])
    with TestClient(Guard(application([Run(run)]), door), HOST + door.folder) as client:
        client.get(f"/?token={door.token}")
        parent, nest = (stream["grid"] for stream in told(client, "index")["runs"][0]["streams"])
    assert (parent["x"], parent["y"]) == (0, 0)
    assert (nest["nx"], nest["dx"]) == (30, 10)
    assert (nest["x"], nest["y"]) == pytest.approx((300, 240), abs=0.05)


def test_stations_are_told_with_their_places_and_series(tmp_path, door):
    run = write_earth(tmp_path / "towns", [0])
    (run / "history.manifest.jsonl").touch()
    write_stations(run, [600 * k for k in range(40)])
    with TestClient(Guard(application([Run(run)]), door), HOST + door.folder) as client:
        client.get(f"/?token={door.token}")
        (towns,) = told(client, "index")["runs"][0]["stations"]
        assert (towns["stream"], towns["frames"]) == ("towns", 40)
        assert list(zip(towns["names"], towns["x"], towns["y"], strict=True)) == [
            ("Nashville", 945, 525), ("Amarillo", 255, 285),
        ]  # fmt: skip
        first = told(client, "station", stream="towns", station=1)
        rest = told(client, "station", stream="towns", station=1, first=len(first["t"]))
        assert (first["more"], rest["more"]) == (True, False)
        assert first["t"] + rest["t"] == [600 * k for k in range(40)]
        pressure, gust = first["fields"]
        assert (pressure["name"], pressure["unit"]) == ("PSFC", "hPa")
        assert pressure["values"][:3] == pytest.approx([990, 989, 988])
        assert gust["values"][:2] == [None, 12.5]
        for wrong in ("station?stream=towns&station=2", "station?stream=history", "station?stream=rivers"):
            assert client.get(f"/api/{wrong}").status_code == 400


def test_a_run_that_is_made_again_is_known_for_another(tmp_path):
    made = write_earth(tmp_path / "made", [0, 3600], nx=12, ny=9, nz=3)
    run = tmp_path / "run"
    run.mkdir()
    watched = Run(run)
    watched.refresh()
    publish(run, made, 0)
    publish(run, made, 3600)
    assert watched.refresh()
    assert not watched.refresh()
    assert watched.generation == 0
    (run / "history.manifest.jsonl").unlink()
    publish(run, made, 0)
    assert watched.refresh()
    assert watched.generation == 1


def test_a_frame_is_told_of_when_it_is_published(tmp_path):
    made = write_earth(tmp_path / "made", [0, 3600], nx=12, ny=9, nz=3)
    run = tmp_path / "run"
    run.mkdir()
    publish(run, made, 0)
    with serving(run) as address:
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        page = opener.open(address, timeout=SECONDS)
        news = opener.open(page.url + "api/events", timeout=SECONDS)

        def told():
            return next(json.loads(line[5:]) for line in news if line.startswith(b"data:"))

        assert told()["runs"][0]["streams"][0]["frames"] == [0]
        publish(run, made, 3600)
        assert told()["runs"][0]["streams"][0]["frames"] == [0, 3600]


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ("0,1,3e-8", "more than 200 bands of colour"), ("0,300,1", "more than 200 bands of colour"),
        ("0,inf", "expected LOW,HIGH"), ("nan,1", "expected LOW,HIGH"), ("-1e308,1e308", "expected LOW,HIGH"),
        ("0,1,0", "expected LOW,HIGH"),
    ],
)  # fmt: skip
def test_limits_that_cannot_be_drawn_are_refused_in_words(client, limits, words):
    answer = client.get("/api/scale", params={"field": "temperature", "level": "0", "limits": limits})
    assert answer.status_code == 400
    assert words in answer.json()["error"]


@pytest.mark.parametrize("limits", ["0,200,1", "200,310,0.6", "0,5e-324", "0,1e-12", "100000,100000.05"])
def test_limits_that_can_be_drawn_are(client, limits):
    levels = told(client, "scale", field="temperature", level="0", limits=limits)["levels"]
    assert 2 <= len(levels) <= 201
    assert levels == sorted(set(levels))


@pytest.mark.parametrize("takes", [0.001, 0.02, 10.0])
def test_a_run_is_looked_at_several_times_a_second_however_slow_its_directory_is(monkeypatch, takes):
    """Beside what the look itself takes. tools/watch-speed measures what comes of it."""
    clock, pauses = itertools.count(step=takes), []

    async def pause(seconds):
        pauses.append(seconds)
        if len(pauses) == 3:
            raise asyncio.CancelledError

    monkeypatch.setattr(app_module, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(app_module.asyncio, "sleep", pause)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(app_module.Desk([], lambda: False).look())
    assert all(0.05 <= seconds <= 0.25 for seconds in pauses)


def test_a_hundred_viewers_hear_of_a_frame_and_it_is_read_for_all_of_them_once(tmp_path, monkeypatch):
    made = write_earth(tmp_path / "made", [0, 3600], nx=12, ny=9, nz=3)
    run = tmp_path / "run"
    run.mkdir()
    publish(run, made, 0)
    read = []
    plain = app_module.indices.index
    monkeypatch.setattr(app_module.indices, "index", lambda *args: read.append(args) or plain(*args))
    told = asyncio.run(_viewers(run, made, 100))
    assert len(told) == 100
    assert {tuple(one) for one in told} == {(0, 3600)}
    assert len(read) == 2  # before the frame, and after it


async def _viewers(run, made, number):
    """The frames that so many viewers hear of first when one is published."""
    desk = app_module.Desk([Run(run)], lambda: False)
    looking = asyncio.create_task(desk.look())
    news = [desk._news() for _ in range(number)]

    async def heard(one):
        async for line in one:
            if "data:" in line:
                (stream,) = json.loads(line.split("data:")[1])["runs"][0]["streams"]
                return stream["frames"]

    first = await asyncio.gather(*(heard(one) for one in news))
    assert {tuple(one) for one in first} == {(0,)}
    publish(run, made, 3600)
    told = await asyncio.gather(*(heard(one) for one in news))
    looking.cancel()
    desk.reader.close()
    return told


def test_a_run_on_the_globe_is_on_a_map_from_the_date_line_on(tmp_path, door):
    run = made_globe.write(tmp_path / "globe")
    with TestClient(Guard(application([Run(run)]), door), HOST + door.folder) as client:
        client.get(f"/?token={door.token}")
        index = told(client, "index")["runs"][0]
        (stream,) = index["streams"]
        grid = stream["grid"]
        assert (grid["nx"], grid["ny"], grid["earth"]) == (made_globe.NLON, made_globe.NLAT, True)
        assert grid["nx"] * grid["dx"] == pytest.approx(2 * np.pi * 6370, rel=1e-6)
        fields = {field["name"]: field for field in stream["fields"]}
        assert fields.keys() == {"q", "q_column"}
        assert fields["q"]["long_name"] == "mixing ratio of q"
        assert [level["name"] for level in stream["levels"]["pressure_level"]][:2] == ["950 hPa", "700 hPa"]
        (places,) = index["stations"]
        assert places["names"] == ["Date line", "Pinatubo"]
        assert places["x"][0] == pytest.approx(grid["nx"] * grid["dx"] * 359 / 360, rel=1e-4)
        answer = client.get("/api/tile", params={"field": "q", "level": "2", "t": 86400, "z": 0})
        values = tiles.decode(answer.content)[1:-1, 1:-1]
        east = -180 + 10 * (np.arange(made_globe.NLON) + 0.5)
        expected = made_globe.q(east, made_globe.LAT[:, None], made_globe.PRESSURE[2], 1)
        np.testing.assert_allclose(values, expected, atol=1e-5 * expected.max())
        ground = told(client, "ground", field="q")
        assert all(len(line["line"]) > 2 and np.isfinite(line["line"]).all() for line in ground["graticule"])
        corners = np.array([line for lines in ground["coasts"] for line in lines])
        assert corners.min() > -0.11 * grid["nx"] * grid["dx"]
        series = told(client, "series", field="q_column", i=0, j=9)
        assert series["unit"] == "kg m⁻²"
        assert len(series["values"]) == made_globe.FRAMES
