"""Reads squall_io.toml, strictly: what it says and nobody knows is an error, with its line."""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from squall.errors import UserError
from squall.wrf_output.schema import SESSION, SIZE, STREAM, STREAMS, Table, bytes_of

_Path = tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """`streams`: by [streams.NAME], as given. `lines`: where each table and key stands."""

    path: Path
    session: Mapping[str, Any] = field(default_factory=dict)
    streams: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lines: Mapping[_Path, int] = field(default_factory=dict)

    def of(self, stream: str) -> dict[str, Any]:
        """What counts for a stream, with defaults."""
        return {**STREAM.defaults, **self.streams.get("all", {}), **self.streams.get(stream, {})}

    def whole_session(self) -> dict[str, Any]:
        return {**SESSION.defaults, **self.session}

    @property
    def servers(self) -> bool:
        """Whether ranks are set aside to write."""
        told = self.whole_session()
        return bool(told["servers"] or told["servers_per_node"])

    def where(self, *path: str) -> str:
        """File and line of a table or key, for messages."""
        return _where(self.path, self.lines, path)

    def where_of(self, stream: str, key: str) -> str:
        """Of a key of a stream, which may be that of [streams.all]."""
        table = stream if key in self.streams.get(stream, {}) else "all"
        return self.where("streams", table, key)


def read(path: Path) -> Settings:
    """Raises UserError with all that is wrong, a line for each."""
    try:
        text = path.read_text()
        told = tomllib.loads(text)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is not valid TOML: {error}") from None
    lines = _lines(text)
    problems = [
        f"{_where(path, lines, place)}: {problem}"
        for place, problem in sorted(_problems(told), key=lambda found: lines.get(found[0], 0))
    ]
    if problems:
        raise UserError("\n".join(problems))
    streams = told.pop("streams", {})
    return Settings(path, told, streams, lines)


_Problems = Iterable[tuple[_Path, str]]


def _problems(told: dict[str, Any]) -> _Problems:
    yield from _of_table((), {key: v for key, v in told.items() if key != "streams"}, SESSION, ["streams"])
    streams = told.get("streams", {})
    if not isinstance(streams, dict):
        yield ("streams",), "streams holds tables, such as [streams.history]"
        return
    for name, table in streams.items():
        place = ("streams", name)
        if name not in STREAMS:
            yield place, f"WRF has no stream {name}{_near(name, STREAMS)}"
        elif not isinstance(table, dict):
            yield place, f"{name} is a table: [streams.{name}]"
        else:
            yield from _of_table(place, table, STREAM)
            yield from _together(place, table, streams, told)


def _of_table(place: _Path, given: Mapping[str, Any], table: Table, others: Iterable[str] = ()) -> _Problems:
    for name, value in given.items():
        key = table.keys.get(name)
        if key is None:
            yield (*place, name), f"unknown key {name}{_near(name, [*table.keys, *others])}"
        elif not key.kind.fits(value):
            shown = f'"{value}"' if isinstance(value, str) else str(value)
            yield (*place, name), f"{name} = {shown} is not {key.kind.takes}"


def _together(
    place: _Path, table: Mapping[str, Any], streams: Mapping[str, Any], session: Mapping[str, Any]
) -> _Problems:
    """What keys that are right by themselves say together."""
    common = streams.get("all")
    merged = {**(common if isinstance(common, dict) else {}), **table}
    if table.get("when_full") == "spill" and "spill_dir" not in merged:
        yield (*place, "when_full"), 'when_full = "spill" needs spill_dir, a directory on a local disk'
    limits = (table.get("staging_limit"), session.get("staging_limit", SESSION.defaults["staging_limit"]))
    fit = [bytes_of(limit) for limit in limits if limit is not None and SIZE.fits(limit)]
    if len(fit) == 2 and fit[0] > fit[1]:
        yield (*place, "staging_limit"), f"staging_limit is above that of all streams together, {limits[1]}"


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}"


_HEADER = re.compile(r"\s*\[{1,2}([^\]]+)\]")
_KEY = re.compile(r"""\s*([\w\-."' ]+?)\s*=""")


def _lines(text: str) -> dict[_Path, int]:
    """Where tables and keys stand; tomllib does not tell. A line of a long text may count as one."""
    lines: dict[_Path, int] = {}
    table: _Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _names(header[1])
            place = table
        elif key := _KEY.match(line):
            place = (*table, *_names(key[1]))
        else:
            continue
        for depth in range(len(place), 0, -1):
            lines.setdefault(place[:depth], number)
    return lines


def _names(dotted: str) -> _Path:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _where(path: Path, lines: Mapping[_Path, int], place: _Path) -> str:
    line = next((lines[place[:depth]] for depth in range(len(place), 0, -1) if place[:depth] in lines), None)
    table = f" [{'.'.join(place[:2])}]" if len(place) > 1 else ""
    return f"{path}{f':{line}' if line else ''}{table}"
