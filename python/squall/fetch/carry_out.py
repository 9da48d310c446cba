"""Asks what a plan says, and leaves each answer in a file, whole or not at all.

A file of an HTTPS server is downloaded record by record, into FILE.part. A record that does not arrive whole
is asked for again, and a download that was ended goes on with the first record that is missing.
"""

import http.client
import importlib
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

from squall.errors import UserError
from squall.fetch.sources import Request

_TIMEOUT = 120  # s
_TRIES = 4
_PAUSE = 2.0  # before the second try [s], doubled before each further one
_BUSY = (408, 429, 500, 502, 503, 504)  # answers that may differ in a moment

Tell = Callable[[str], None]


def fetch(requests: list[Request], folder: Path, tell: Tell) -> list[Path]:
    """The files of all requests; those that are there already are not asked for again. Raises UserError
    where a client is missing, or a service does not answer, with what was asked."""
    folder.mkdir(parents=True, exist_ok=True)
    clients = {name: _client(name) for name in {request.client for request in requests}}
    files = []
    for request in requests:
        target = folder / request.target
        files.append(target)
        if target.exists():
            tell(f"{target}: exists already")
            continue
        part = target.with_name(target.name + ".part")
        try:
            clients[request.client](request, part)
        except UserError:
            raise
        except Exception as error:
            # Clients of services raise what they like; what was asked tells more than their traces.
            part.unlink(missing_ok=True)
            _progress_of(part).unlink(missing_ok=True)
            raise UserError(
                f"{request.client} failed: {error}\nThe request was {request.text()}", 1
            ) from error
        part.rename(target)
        tell(f"{target}: {target.stat().st_size / 1e6:.1f} MB")
    return files


def _client(name: str) -> Callable[[Request, Path], None]:
    return {"cdsapi": _cds, "ecmwf-opendata": _ecmwf, "https": _https}[name]


def _module(name: str, package: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise UserError(
            f"The Python package {package} is not installed: pip install {package}. `squall fetch "
            f"--dry-run` shows the requests."
        ) from None


def _cds(request: Request, target: Path) -> None:
    client = _module("cdsapi", "cdsapi").Client()
    _reach(client.url)
    client.retrieve(request.what, request.body, str(target))


def _ecmwf(request: Request, target: Path) -> None:
    client = _module("ecmwf.opendata", "ecmwf-opendata").Client(source=request.what)
    _reach(client.url)
    client.retrieve(**request.body, target=str(target))


def _reach(address: str) -> None:
    """Raises UserError where a service does not answer at all: its client would try again for hours."""
    try:
        urllib.request.urlopen(urllib.request.Request(address, method="HEAD"), timeout=_TIMEOUT).close()
    except urllib.error.HTTPError:
        return
    except (OSError, urllib.error.URLError) as error:
        raise _unreachable(address, error) from None


def _unreachable(address: str, error: Exception) -> UserError:
    return UserError(
        f"{address} cannot be reached: {getattr(error, 'reason', error)}. `squall fetch --dry-run` shows "
        f"the requests.",
        1,
    )


def _https(request: Request, target: Path) -> None:
    """The wanted records of a GRIB file, by the ranges of bytes that the index beside it gives."""
    fields = request.body["fields"]
    assert isinstance(fields, list)
    index = get(f"{request.what}.idx").decode(errors="replace")
    ranges = list(ranges_of(index, [str(field) for field in fields]))
    if not ranges:
        raise UserError(f"{request.what}.idx lists none of the required fields.", 1)
    progress = _progress_of(target)
    asked = {"address": request.what, "ranges": [list(each) for each in ranges]}
    done, size = _earlier(target, progress, asked)
    with target.open("r+b" if size else "wb") as file:
        file.truncate(size)
        file.seek(size)
        for number, each in enumerate(ranges[done:], start=done + 1):
            file.write(_records(request.what, *each))
            file.flush()
            progress.write_text(json.dumps(asked | {"done": number, "size": file.tell()}))
    progress.unlink(missing_ok=True)


def _progress_of(part: Path) -> Path:
    """What a download has so far, beside its part file."""
    return part.with_name(part.name + ".json")


def _earlier(part: Path, progress: Path, asked: Mapping[str, object]) -> tuple[int, int]:
    """How many ranges an earlier download of the same has, and their bytes."""
    try:
        told = json.loads(progress.read_text())
        done, size = int(told.pop("done")), int(told.pop("size"))
        return (done, size) if told == asked and part.stat().st_size >= size else (0, 0)
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return 0, 0


def _records(address: str, first: int, last: int | None) -> bytes:
    """Whole GRIB messages."""
    found = get(address, f"bytes={first}-{'' if last is None else last}")
    if not _whole(found):
        raise UserError(
            f"{address} has no whole GRIB records at bytes {first} to {'its end' if last is None else last}, "
            f"where its index says so: the file may still be growing. Try again in some minutes.",
            1,
        )
    return found


def _whole(records: bytes) -> bool:
    """Whether bytes are GRIB messages, of edition 1 or 2, from the first to the last."""
    at = 0
    while at < len(records):
        head = records[at : at + 16]
        if len(head) < 16 or head[:4] != b"GRIB":
            return False
        length = int.from_bytes(head[8:16] if head[7] == 2 else head[4:7], "big")
        at += length
        if length < 16 or records[at - 4 : at] != b"7777":
            return False
    return at == len(records) > 0


def ranges_of(index: str, fields: list[str]) -> Iterator[tuple[int, int | None]]:
    """First and last byte of the wanted records of an index, those that follow each other in one; None:
    to the end. A line is NUMBER:FIRST BYTE:d=CYCLE:NAME:LEVEL:LEAD:...; records of sums and means over
    time are passed over."""
    wanted = set(fields)
    rows = [line.split(":") for line in index.splitlines() if line.count(":") >= 5]
    begins = [int(row[1]) for row in rows]
    open_range: tuple[int, int | None] | None = None
    for n, row in enumerate(rows):
        later = [begin for begin in begins[n + 1 :] if begin > begins[n]]
        last = later[0] - 1 if later else None
        if f"{row[3]}:{row[4]}" not in wanted or re.search(r"\b(ave|acc|max|min)\b", row[5]):
            continue
        if open_range and open_range[1] is not None and begins[n] <= open_range[1] + 1:
            open_range = (open_range[0], last)
            continue
        if open_range:
            yield open_range
        open_range = (begins[n], last)
    if open_range:
        yield open_range


def get(address: str, range_of_bytes: str = "") -> bytes:
    """What an address has, or a range of its bytes; tries again where an answer does not come or is cut off.
    Raises UserError."""
    for wait in (*(_PAUSE * 2**n for n in range(_TRIES - 1)), None):
        try:
            return _get_once(address, range_of_bytes)
        except urllib.error.HTTPError as error:
            if wait is None or error.code not in _BUSY:
                raise UserError(
                    f"{address} answered {error.code} {error.reason}: check that the service has this time.",
                    1,
                ) from None
        except (OSError, http.client.HTTPException) as error:
            if wait is None:
                raise _unreachable(address, error) from None
        time.sleep(wait)
    raise AssertionError


def _get_once(address: str, range_of_bytes: str) -> bytes:
    headers = {"Range": range_of_bytes} if range_of_bytes else {}
    request = urllib.request.Request(address, headers=headers)
    with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
        if range_of_bytes and answer.status != 206:
            raise UserError(
                f"{address}: the server sends whole files only, which are hundreds of megabytes. Download "
                f"the file with a tool of its own, and name it in prepare.analysis.",
                1,
            )
        return bytes(answer.read())
