"""The manifests of a run, to which its writers append a line per event; see docs/how-to/workflows.md."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from squall.errors import UserError

ENDING = ".manifest.jsonl"

# What WRF calls its streams. It numbers the outermost domain, too. Of two streams of one name the manifest of
# the second has a number of its own: wrfout_d01.2.
_WRF = {"wrfout": "history", "wrfrst": "restart"}
_OF_DOMAIN = re.compile(r"(.+)_d(\d\d)(?:\.\d+)?")


@dataclass(frozen=True)
class Published:
    """A published frame: its model time as text, its file, and its index in the file."""

    time: str
    file: Path
    index: int


def of_run(run: Path) -> dict[str, Path]:
    """The manifests of a run, by stream: in its directory, or where its status file locates them."""
    found = {path.name.removesuffix(ENDING): path for path in sorted(run.glob(f"*{ENDING}"))}
    try:
        streams = json.loads((run / "status.json").read_bytes())["streams"]
        told = {str(stream["name"]): run / str(stream["manifest"]) for stream in streams}
    except (OSError, ValueError, KeyError, TypeError):
        return found
    return found | {name: path for name, path in told.items() if path.is_file()}


def part(name: str) -> tuple[str, int]:
    """The stream and the domain that a name stands for, of a manifest or as a user writes it: history_d02 and
    wrfout_d02 are both the history of domain 2."""
    found = _OF_DOMAIN.fullmatch(name)
    stream, domain = (found[1], int(found[2])) if found else (name, 1)
    return _WRF.get(stream, stream), domain


def parts(run: Path) -> dict[tuple[str, int], list[Path]]:
    """The manifests of a run, by stream and domain."""
    found: dict[tuple[str, int], list[Path]] = {}
    for name, path in of_run(run).items():
        found.setdefault(part(name), []).append(path)
    return found


def of_part(run: Path, stream: str, domain: int = 1) -> list[Path]:
    """The manifests of a stream of a domain, most often one. The stream's name may say the domain."""
    return parts(run).get(asked(stream, domain), [])


def asked(stream: str, domain: int) -> tuple[str, int]:
    """The stream and the domain that a user asks for: with the domain in the stream's name, or beside it."""
    named, own = part(stream)
    return named, domain if own == 1 else own


def place(manifest: Path, name: object) -> Path | None:
    """The path of the file that an event names; None if it lies outside the manifest's directory."""
    if not isinstance(name, str) or not name or Path(name).is_absolute() or ".." in Path(name).parts:
        return None
    return manifest.parent / name


class Tail:
    """Reads the lines added to a manifest since the last read, or all lines if the file was replaced. A
    missing manifest has no lines yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: tuple[int, int] | None = None
        self._offset = 0

    def events(self) -> tuple[bool, list[dict[str, Any]]]:
        """Whether the file was replaced, and its new events. An incomplete last line is ignored: its writer
        is still writing it, or was killed."""
        try:
            # Opened each time, so that a network file system asks the server for the current length.
            with self.path.open("rb") as file:
                about = os.fstat(file.fileno())
                renewed = self._file is not None and (
                    (about.st_dev, about.st_ino) != self._file or about.st_size < self._offset
                )
                if renewed:
                    self._offset = 0
                self._file = about.st_dev, about.st_ino
                file.seek(self._offset)
                text = file.read()
        except FileNotFoundError:
            renewed, self._file, self._offset = self._file is not None, None, 0
            return renewed, []
        whole = text[: text.rfind(b"\n") + 1]
        self._offset += len(whole)
        return renewed, [event for line in whole.splitlines() if (event := _event(line))]


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def events(path: Path) -> list[dict[str, Any]]:
    """All events of a manifest; none if it cannot be read."""
    try:
        return Tail(path).events()[1]
    except OSError:
        return []


def published_files(path: Path) -> list[Path]:
    """The files that a manifest lists as published and not removed, in its order."""
    found: dict[Path, None] = {}
    for event in events(path):
        file = place(path, event.get("file"))
        if file is None:
            continue
        if event.get("event") == "published":
            found[file] = None
        elif event.get("event") == "removed":
            found.pop(file, None)
    return list(found)


def iso(moment: object, wanted: str = "a time is wanted") -> str:
    """A model time as written in manifests: ISO 8601, to the second."""
    if isinstance(moment, np.datetime64):
        return str(moment.astype("datetime64[s]"))
    text = str(moment).replace(" ", "T").replace("_", "T")
    try:
        return str(np.datetime64(text, "s"))
    except ValueError:
        raise UserError(f'{moment!r} is not a time such as "2005-01-01T12:00": {wanted}.') from None
