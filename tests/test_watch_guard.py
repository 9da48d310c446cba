"""The server of `squall watch`: who gets in, and what others cannot do to it."""

import asyncio
import resource
import socket
import stat
import threading
import urllib.request
from urllib.parse import urlsplit

import pytest

from watched import SECONDS, serving, write_earth

pytest.importorskip("starlette", reason="the page needs the extra watch")
from starlette.testclient import TestClient

from squall.watch import app as app_module
from squall.watch.app import application
from squall.watch.guard import Door, Guard
from squall.watch.reading import Busy, Reader
from squall.watch.run import Run
from squall.watch.serve import way_in

HOST = "http://127.0.0.1"


@pytest.fixture(scope="module")
def earth(tmp_path_factory):
    return write_earth(tmp_path_factory.mktemp("watch") / "earth", [0, 3600, 7200])


@pytest.fixture(scope="module")
def door():
    return Door()


@pytest.fixture(scope="module")
def stranger(earth, door):
    """A client without the token."""
    with TestClient(
        Guard(application([Run(earth)]), door), HOST + door.folder, follow_redirects=False
    ) as client:
        yield client


@pytest.fixture(scope="module")
def client(earth, door):
    with TestClient(Guard(application([Run(earth)]), door), HOST + door.folder) as client:
        assert client.get(f"/?token={door.token}").status_code == 200
        yield client


@pytest.mark.parametrize("path", ["/", "/api/index", "/static/page.js", "/nowhere"])
def test_nothing_is_told_without_the_token(stranger, path):
    assert stranger.get(path).status_code == 401
    assert stranger.get(path, params={"token": "wrong"}).status_code == 401
    assert stranger.get(path, params={"token": ""}).status_code == 401
    assert stranger.get(path, headers={"cookie": "squall_0=wrong"}).status_code == 401


def test_the_token_becomes_a_cookie_that_scripts_cannot_read(stranger, door):
    answer = stranger.get("/", params={"token": door.token, "a": "1"})
    stranger.cookies.clear()
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{door.folder}?a=1"
    assert door.token not in answer.headers["set-cookie"]
    assert f"Path={door.folder};" in answer.headers["set-cookie"]
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=lax" in answer.headers["set-cookie"]
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_the_way_in_leads_nowhere_else(stranger, door):
    answer = stranger.get(f"{HOST}//elsewhere.example/?token={door.token}")
    stranger.cookies.clear()
    assert answer.headers["location"] == door.folder


def test_the_cookie_opens_the_folder_alone(client, door):
    """Neither is the token a cookie, nor the cookie a token."""
    for address, cookie in (("/", door.key), ("/api/index", door.key), (door.folder, door.token)):
        headers = {"cookie": f"{door.cookie}={cookie}"}
        other = TestClient(client.app, HOST)  # without a life of its own, which would end the server's
        assert other.get(address, headers=headers).status_code == 401
        assert other.get("/", params={"token": door.key}).status_code == 401


@pytest.mark.parametrize("host", ["elsewhere.example", "127.0.0.1.elsewhere.example", "192.168.1.1", ""])
def test_a_name_that_was_made_to_point_here_gets_no_answer(client, host):
    assert client.get("/api/index", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:9", "[::1]:80"])
def test_a_tunnel_may_have_another_port(client, host):
    assert client.get("/static/icon.svg", headers={"host": host}).status_code in (200, 401)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "http://127.0.0.1:81"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
    ],
)
def test_pages_of_other_sites_get_nothing(client, headers):
    assert client.get("/api/index", headers=headers).status_code == 403


def test_a_link_from_another_site_can_be_followed(client):
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert client.get("/", headers=headers).status_code == 200
    assert client.get("/api/index", headers={"origin": HOST}).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_nothing_can_be_written(client, method):
    assert client.request(method, "/api/index").status_code == 405


def test_requests_that_are_too_large_are_refused(client):
    assert client.request("GET", "/", content=b"x" * 100000).status_code == 413
    assert client.get("/api/index?" + "x" * 3000).status_code == 414
    assert client.get("/api/tile", params={"field": "T", "level": "1" * 90, "t": 0}).status_code == 400


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/%2e%2e/app.py",
        "/static/..%2fapp.py", "/static/%2e%2e%2f%2e%2e%2frun.toml",
        "/run.toml", "//etc/passwd", "/static//etc/passwd", "/static/....//app.py", "/static/page.js%00.txt",
    ],
)  # fmt: skip
def test_no_file_can_be_reached_but_those_of_the_page(client, door, path):
    raw = client.build_request("GET", "/")
    raw.url = raw.url.copy_with(raw_path=door.folder.rstrip("/").encode() + path.encode())
    assert client.send(raw).status_code == 404


@pytest.mark.parametrize("stream", ["../other", "/etc", "history/../x", "nowhere"])
def test_streams_that_the_run_does_not_have_are_refused(client, stream):
    answer = client.get("/api/tile", params={"stream": stream, "field": "T", "t": 0})
    assert answer.status_code == 400
    assert "no stream" in answer.json()["error"]


def test_the_page_may_load_nothing_from_elsewhere(client):
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


@pytest.fixture(scope="module")
def address(earth):
    with serving(earth) as address:
        yield urlsplit(address)


def test_a_thousand_connections_that_say_nothing_keep_nobody_out(address):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 1200:
        pytest.skip(f"this shell allows {hard} open files, fewer than the test needs")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1200), hard))
    silent = []
    try:
        for _ in range(1000):
            silent.append(socket.create_connection((address.hostname, address.port), timeout=SECONDS))
        with urllib.request.urlopen(address.geturl(), timeout=SECONDS) as page:
            refused = page.status
    except urllib.error.HTTPError as error:
        refused = error.code  # this client keeps no cookies: it gets as far as the door
    finally:
        for connection in silent:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert refused == 401


def test_a_head_that_never_ends_is_cut_off(address):
    with socket.create_connection((address.hostname, address.port), timeout=SECONDS) as asking:
        asking.sendall(b"GET / HTTP/1.1\r\nx: " + b"y" * 60000)
        assert asking.recv(100).startswith(b"HTTP/1.1 400")


def test_more_viewers_than_can_be_told_are_turned_away_in_words(client, monkeypatch):
    monkeypatch.setattr(app_module, "_LISTENING", 0)
    answer = client.get("/api/events")
    assert answer.status_code == 503
    assert "try again" in answer.json()["error"]


def test_reads_that_wait_are_capped():
    async def crowd():
        reader = Reader(most=3)
        opened = threading.Event()
        waiting = [asyncio.create_task(reader.do(opened.wait, SECONDS)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await reader.do(int)
        opened.set()
        assert await asyncio.gather(*waiting) == [True] * 3
        assert await reader.do(int) == 0  # there is room again
        reader.close()

    asyncio.run(crowd())


def test_the_browser_is_opened_by_a_file_of_the_users_own(tmp_path, monkeypatch):
    """All users see the arguments of processes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with way_in("http://127.0.0.1:1/?token=secret&a=b") as file:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert 'url=http://127.0.0.1:1/?token=secret&amp;a=b"' in file.read_text()
        assert "secret" not in file.as_uri()
    assert not file.exists()
