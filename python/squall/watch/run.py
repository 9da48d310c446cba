"""A watched run: its streams and domains, and whether there is new output."""

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from squall.errors import UserError
from squall.reader.open_readers import mark_of
from squall.runs import manifest
from squall.runs import report as reports
from squall.watch.source import Source
from squall.watch.stations import Stations

_DOMAIN = re.compile(r"(?:history|wrfout)_d(\d\d)_")
_MANIFEST = ".manifest.jsonl"

Mark = tuple[tuple[str, int, int, int], ...]


class Run:
    """A run directory, or a single file. All but `mark` belongs to the reading thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.resolve().name
        self._sources: dict[tuple[str, int], Source] = {}
        self._stations: dict[str, Stations] = {}
        self.seen: Mark = ()
        self.generation = 0

    def mark(self) -> Mark:
        """Changes when a frame is published: name, size, time and number of what tells of frames."""
        return tuple(sorted(_marks(self.path)))

    def refresh(self) -> bool:
        """Forgets what is no longer true; whether that was anything."""
        now = self.mark()
        if now == self.seen:
            return False
        if _begun_anew(self.seen, now):
            self.generation += 1
        self.seen = now
        self._sources.clear()
        self._stations.clear()
        return True

    def parts(self) -> list[tuple[str, int]]:
        """Streams and domains, the history's domain 1 first."""
        if self.path.is_file() or mark_of(self.path):
            return [("history", 1)]
        with contextlib.suppress(OSError):
            numbers = {int(found[1]) for entry in self.path.iterdir() if (found := _DOMAIN.match(entry.name))}
            told = [part for part in manifest.parts(self.path) if part[0] != "restart"]
            numbers |= {1} | {domain for stream, domain in told if stream == "history"}
            others = [part for part in told if part[0] != "history"]
            return [("history", domain) for domain in sorted(numbers)] + others
        return []

    def source(self, stream: str, domain: int) -> Source:
        """Raises UserError for one that this run does not have, or that has no frames yet."""
        key = stream, domain
        if key not in self.parts():
            raise UserError(f"This run has no stream {stream} of domain {domain}.")
        if key not in self._sources:
            self._sources[key] = Source(self.path, stream, domain)
        return self._sources[key]

    def stations(self, stream: str) -> Stations:
        """Raises UserError for a stream that this run does not have, or that has no stations."""
        if manifest.part(stream) not in self.parts():
            raise UserError(f"This run has no stream {stream}.")
        if stream not in self._stations:
            self._stations[stream] = Stations(self.path, stream)
        return self._stations[stream]

    def history_title(self) -> str:
        """What the run is of, in a few words."""
        try:
            attrs = self.source("history", 1).history.attrs
        except UserError:
            return ""
        return str(attrs.get("CASE", "")).replace("-", " ")

    def manifests(self) -> dict[str, list[dict[str, Any]]]:
        """What each stream's manifest says, restarts included."""
        if not self.path.is_dir():
            return {}
        files = sorted(self.path.glob(f"*{_MANIFEST}"))
        return {file.name.removesuffix(_MANIFEST): list(_events(file)) for file in files}


def _begun_anew(before: Mark, now: Mark) -> bool:
    """Whether what was read may no longer be so: a manifest that is another file, is gone, or has shrunk."""
    kept = {name: (size, inode) for name, size, _, inode in now if name.endswith(_MANIFEST)}
    return any(
        name not in kept or kept[name][1] != inode or kept[name][0] < size
        for name, size, _, inode in before
        if name.endswith(_MANIFEST)
    )


def _events(file: Path) -> Iterator[dict[str, Any]]:
    with contextlib.suppress(OSError):
        for line in file.read_text().splitlines():
            with contextlib.suppress(ValueError):  # the last one is being written
                event = json.loads(line)
                if isinstance(event, dict):
                    yield event


def _marks(path: Path) -> Iterator[tuple[str, int, int, int]]:
    """Of manifests and the report, or where there are none, of the files of histories."""
    mark = mark_of(path)
    if mark or path.is_file():
        candidates = [mark or path]
    else:
        candidates = [*path.glob(f"*{_MANIFEST}")]
        if not candidates:
            candidates = [*path.glob("history_*"), *path.glob("wrfout_d*")]
        candidates += [reports.path_of(path), path / "run.toml"]
    for file in candidates:
        with contextlib.suppress(OSError):
            told = file.stat()
            yield file.name, told.st_size, told.st_mtime_ns, told.st_ino
