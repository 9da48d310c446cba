"""Asks what a plan says, and leaves each answer in a file, whole or not at all."""

import importlib
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from squall.errors import UserError
from squall.fetch.sources import Request

_TIMEOUT = 120  # s

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


def _unreachable(address: str, error: OSError) -> UserError:
    return UserError(
        f"{address} cannot be reached: {getattr(error, 'reason', error)}. `squall fetch --dry-run` shows "
        f"the requests.",
        1,
    )


def _https(request: Request, target: Path) -> None:
    """The wanted records of a GRIB file, by the ranges of bytes that the index beside it gives."""
    fields = request.body["fields"]
    assert isinstance(fields, list)
    index = _get(f"{request.what}.idx").decode()
    ranges = list(ranges_of(index, [str(field) for field in fields]))
    if not ranges:
        raise UserError(f"{request.what}.idx lists none of the required fields.", 1)
    with target.open("wb") as file:
        for first, last in ranges:
            file.write(_get(request.what, f"bytes={first}-{'' if last is None else last}"))


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


def _get(address: str, range_of_bytes: str = "") -> bytes:
    headers = {"Range": range_of_bytes} if range_of_bytes else {}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(address, headers=headers), timeout=_TIMEOUT
        ) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        raise UserError(
            f"{address} answered {error.code} {error.reason}: check that the service has this time.", 1
        ) from None
    except (OSError, urllib.error.URLError) as error:
        raise _unreachable(address, error) from None
