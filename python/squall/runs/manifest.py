"""The manifests of a run, which its writers add a line to for each event; see docs/how-to/workflows.md."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from squall.errors import UserError

ENDING = ".manifest.jsonl"


@dataclass(frozen=True)
class Published:
    """A frame that is there for readers: its model time as text, the file that has it, its index there."""

    time: str
    file: Path
    index: int


def of_run(run: Path) -> dict[str, Path]:
    """The manifests of a run, by stream: in its directory, or where its status file says."""
    found = {path.name.removesuffix(ENDING): path for path in sorted(run.glob(f"*{ENDING}"))}
    try:
        streams = json.loads((run / "status.json").read_bytes())["streams"]
        told = {str(stream["name"]): run / str(stream["manifest"]) for stream in streams}
    except (OSError, ValueError, KeyError, TypeError):
        return found
    return found | {name: path for name, path in told.items() if path.is_file()}


def place(manifest: Path, name: object) -> Path | None:
    """The file of a manifest's directory that an event names; None where the name leads elsewhere."""
    if not isinstance(name, str) or not name or Path(name).is_absolute() or ".." in Path(name).parts:
        return None
    return manifest.parent / name


class Tail:
    """Reads the lines that were added to a manifest since the last look; from its beginning where it is
    another file now. A manifest that is not there has none yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: tuple[int, int] | None = None
        self._offset = 0

    def events(self) -> tuple[bool, list[dict[str, Any]]]:
        """Whether it is another file than before, and its new events. Half a line, which a writer is adding
        or was killed within, is none."""
        try:
            # Opened each time: a network file system then asks the server how long it is.
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
    """All events of a manifest; none where there is no manifest that can be read."""
    try:
        return Tail(path).events()[1]
    except OSError:
        return []


def published_files(path: Path) -> list[Path]:
    """The files that a manifest says are published and have not been removed, in the order of their lines."""
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
    """A model time as manifests have it: ISO 8601, to the second."""
    if isinstance(moment, np.datetime64):
        return str(moment.astype("datetime64[s]"))
    text = str(moment).replace(" ", "T").replace("_", "T")
    try:
        return str(np.datetime64(text, "s"))
    except ValueError:
        raise UserError(f'{moment!r} is no time as "2005-01-01T12:00": {wanted}.') from None
