"""Starts and ends the server."""

import contextlib
import html
import os
import resource
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn

from squall import locate
from squall.errors import UserError
from squall.watch.app import application
from squall.watch.guard import Door, Guard
from squall.watch.patience import Patient
from squall.watch.run import Run

_WAITING = 1024  # connections that have not been taken yet
_FILES = 4096  # open at the same time, where the system allows it


def listen(host: str, port: int) -> socket.socket:
    """A socket at an address; port 0: any that is free. Raises UserError where it cannot be had."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_WAITING)  # who comes before the server is ready waits
    except OSError as error:
        raise UserError(
            f"Cannot listen on {host}, port {port}: {error.strerror}. `--port 0` uses any free port."
        ) from None
    return listening


def address(door: Door, host: str, port: int) -> str:
    """What to open in a browser."""
    name = socket.getfqdn() if host in ("0.0.0.0", "::") else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/?token={door.token}"


def serve(paths: list[Path], host: str, port: int, say: Callable[[str, int], None], browser: bool) -> None:
    """Serves until it is interrupted. `say` is told the address to open, and the port."""
    with contextlib.suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = _FILES if most == resource.RLIM_INFINITY else min(_FILES, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    with contextlib.suppress(OSError):
        os.nice(5)  # the model goes first
    door = Door.at(host)
    listening = listen(host, port)
    port = listening.getsockname()[1]
    app = application([Run(path) for path in paths], lambda: server.should_exit)
    server = uvicorn.Server(
        uvicorn.Config(
            Guard(app, door), http=Patient, ws="none", log_level="warning", access_log=False, lifespan="on",
            server_header=False, h11_max_incomplete_event_size=16384, timeout_keep_alive=30,
            timeout_graceful_shutdown=3, backlog=_WAITING,
        )
    )  # fmt: skip
    at = address(door, host, port)
    say(at, port)
    with contextlib.ExitStack() as until_the_end:
        if browser and (sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ)):
            # elsewhere it would start one that has no pictures, in this terminal
            webbrowser.open(until_the_end.enter_context(way_in(at)).as_uri())
        with contextlib.suppress(KeyboardInterrupt):
            server.run([listening])


@contextlib.contextmanager
def way_in(at: str) -> Iterator[Path]:
    """A file that only this user can read and that leads to the address. All users see the arguments of
    processes, and the address holds the token."""
    folder = locate.cache("watch")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.NamedTemporaryFile("w", suffix=".html", dir=folder) as file:  # made with mode 0600
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={html.escape(at)}">\n')
        file.flush()
        yield Path(file.name)
