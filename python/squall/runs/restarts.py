"""Finds the restart files of a run, and removes old ones."""

import json
import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from squall.errors import UserError

_MANIFEST = "restart.manifest.jsonl"


@dataclass(frozen=True)
class Place:
    """The location of a run's restart files: those in `folder` whose names begin with `prefix`. The names
    contain the times, so the last by name is the newest."""

    folder: Path
    prefix: str
    manifest: Path
    run: Path  # the run's directory

    def files(self) -> list[Path]:
        """Complete restart files (or directories, for some engines), oldest first."""
        published = self._published()
        return [
            path
            for path in sorted(self.folder.glob(f"{self.prefix}*"))
            if not path.name.endswith((".part", ".jsonl")) and (published is None or path in published)
        ]

    def _published(self) -> set[Path] | None:
        """The files that the manifest lists as published; None without a manifest."""
        try:
            lines = self.manifest.read_text().splitlines()
        except OSError:
            return None
        found: set[Path] = set()
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:  # a killed run may leave an incomplete line
                continue
            if event.get("event") == "published":
                found.add(self.manifest.parent / event["file"])
            elif event.get("event") == "removed":
                found.discard(self.manifest.parent / event["file"])
        return found

    def prune(self, keep: int) -> list[Path]:
        """Removes all but the `keep` newest. The manifest records each removal first, so that `squall check`
        does not report the file as missing. Returns the removed paths."""
        old = self.files()[:-keep]
        for path in old:
            if self.manifest.exists():
                name = str(path.relative_to(self.manifest.parent))
                with self.manifest.open("a") as file:
                    file.write(json.dumps({"event": "removed", "file": name}) + "\n")
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        return old


def place(run_file: Path, settings: Sequence[str]) -> Place:
    """The location for a run file with settings "table.key=value" that override it. Raises UserError if the
    run file cannot be read."""
    try:
        document = tomllib.loads(run_file.read_text())
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{run_file} cannot be read: {error}.") from None
    over = dict(setting.partition("=")[::2] for setting in settings)

    def value(name: str) -> str | None:
        if name in over:
            return _text(over[name])
        table: Any = document
        for part in name.split("."):
            table = table.get(part) if isinstance(table, dict) else None
        return None if table is None else str(table)

    directory = Path(value("run.directory") or Path("runs") / (value("run.name") or run_file.stem))
    pattern = Path(value("output.restart.path") or "restart_%")
    folder = directory / pattern.parent
    return Place(folder, pattern.name.partition("%")[0], folder / _MANIFEST, directory)


def _text(value: str) -> str:
    """A value of --set as text: TOML, or a text without quotes."""
    try:
        return str(tomllib.loads(f"v = {value}")["v"])
    except tomllib.TOMLDecodeError:
        return value
