"""The cost of a run's output, from the report that the output runtime writes; without one, its manifests."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from squall.errors import UserError
from squall.printable import cell
from squall.runs import manifest, wrf_run

NAME = "io-report.json"


@dataclass(frozen=True)
class Report:
    """A report and its path; times are in seconds since the session began."""

    path: Path
    content: dict[str, Any]

    @property
    def seconds(self) -> float:
        return float(self.content["seconds"])

    @property
    def streams(self) -> list[dict[str, Any]]:
        return list(self.content["streams"])


def path_of(run: Path) -> Path:
    """Where the report of a run directory is, or will be when the run has ended: of a WRF run as its
    squall_io.toml says. A file stands for itself."""
    if not run.is_dir():
        return run
    if (run / NAME).is_file():
        return run / NAME
    told = _wrf_settings(run).get("report")
    return run / (told if isinstance(told, str) and told else NAME)


def _wrf_settings(run: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((run / wrf_run.SETTINGS).read_text())
    except (OSError, ValueError):
        return {}


def load(run: Path) -> Report:
    """Reads the report of a run directory, or a report file."""
    path = path_of(run)
    try:
        content = json.loads(path.read_text())
    except OSError as error:
        raise UserError(
            f"{path} cannot be read: {error.strerror}. A run writes its report when it ends; name the run "
            f"directory."
        ) from None
    except json.JSONDecodeError as error:
        raise UserError(f"{path} is not a report: {error}.") from None
    if not isinstance(content, dict) or content.get("squall_io_report") != 1:
        raise UserError(f"{path} is not a report of this version of Squall (squall_io_report is not 1).")
    return Report(path, content)


def summary(report: Report) -> dict[str, Any]:
    """The report without its timeline; each stream also has `ratio`, its compression ratio, and `share`, the
    fraction of the run's time."""
    streams = []
    for stream in report.streams:
        kept = {key: value for key, value in stream.items() if key != "timeline"}
        streams.append(kept | {"ratio": _ratio(stream), "share": _share(report, stream)})
    return report.content | {"streams": streams}


def _ratio(stream: dict[str, Any]) -> float | None:
    return stream["bytes"] / stream["stored_bytes"] if stream["stored_bytes"] else None


def _share(report: Report, stream: dict[str, Any]) -> float:
    return float(stream["perceived_total"]) / report.seconds if report.seconds > 0 else 0.0


def published(run: Path) -> list[dict[str, Any]]:
    """What the manifests of a run directory tell of its streams: name, engine, the number of frames, times of
    the first and the last one, and number and size of the files that are there."""
    return [_published(name, path) for name, path in manifest.of_run(run).items()] if run.is_dir() else []


def _published(name: str, path: Path) -> dict[str, Any]:
    events = manifest.events(path)
    engines = [event["engine"] for event in events if event.get("event") == "open" and "engine" in event]
    times = {str(event.get("time")) for event in events if event.get("event") == "frame"}
    files = [file for file in manifest.published_files(path) if file.exists()]
    return {
        "name": name, "engine": str(engines[-1]) if engines else None, "frames": len(times),
        "first": min(times, default=None), "last": max(times, default=None), "files": len(files),
        "stored_bytes": sum(map(stored_size, files)),
    }  # fmt: skip


def stored_size(file: Path) -> int:
    """Bytes of a file, or of a directory that an engine makes in the place of one."""
    inside = file.rglob("*") if file.is_dir() else [file]
    return sum(one.stat().st_size for one in inside if one.is_file())


def published_table(streams: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    for name in ("stream", "engine", "frames", "last frame", "files", "stored"):
        table.add_column(
            name, justify="right" if name in ("frames", "files", "stored") else "left", no_wrap=True
        )
    for one in streams:
        last, size = one["last"] or "-", _bytes(one["stored_bytes"])
        row = [one["name"], one["engine"] or "-", str(one["frames"]), last, str(one["files"]), size]
        table.add_row(*map(cell, row))
    return table


def how_to_get_one(run: Path) -> str:
    """What to do for a report, of a run directory that has manifests and none."""
    path = path_of(run)
    if path.name != NAME or (run / "run.toml").is_file():
        return f"What output cost is not known yet: the run writes {path.name} when it ends."
    return (
        f"What output cost is not known: the run wrote no report. Of a WRF run the line "
        f'report = "squall_report.json" at the top of {wrf_run.SETTINGS} asks for one, before the run.'
    )


def heading(report: Report) -> str:
    """Ranks, servers and duration: `2 computing ranks, 1 server, 623 s`."""
    computing, servers = report.content["computing_ranks"], report.content["servers"]
    ranks = f"{computing} computing rank{'' if computing == 1 else 's'}"
    return f"{ranks}, {servers or 'no'} server{'' if servers == 1 else 's'}, {_seconds(report.seconds)}"


def tables(report: Report, width: int) -> Iterator[Table]:
    """Tables with a column per stream, as many side by side as fit `width` characters."""
    columns = [_column(report, stream) for stream in report.streams]
    while columns:
        fitting = next((n for n in range(len(columns), 1, -1) if _width(columns[:n]) <= width), 1)
        yield _table(columns[:fitting])
        columns = columns[fitting:]


_ROWS = (
    "stream", "engine, placement", "codec", "frames", "bytes", "compression ratio", "perceived, median",
    "largest", "drain, median", "largest", "waits", "share of run time",
)  # fmt: skip
_GAP = 2


def _width(columns: list[list[str]]) -> int:
    return sum(max(map(len, cells)) + _GAP for cells in [[*_ROWS], *columns])


def _table(columns: list[list[str]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    table.add_column(_ROWS[0], no_wrap=True)
    for cells in columns:
        table.add_column(cell(cells[0]), justify="right", no_wrap=True)
    for row in zip(_ROWS[1:], *(cells[1:] for cells in columns), strict=True):
        table.add_row(*map(cell, row))
    return table


def _column(report: Report, stream: dict[str, Any]) -> list[str]:
    ratio = _ratio(stream)
    waits = f"{stream['waits']} ({_seconds(stream['waited'])})" if stream["waits"] else "0"
    return [
        stream["name"],
        f"{stream['engine']}, {stream['placement']}",
        stream["codec"],
        _frames(stream),
        _bytes(stream["bytes"]),
        f"{ratio:.2f}" if ratio else "stores nothing" if stream["engine"] == "null" else "-",
        _seconds(stream["perceived_median"]),
        _seconds(stream["perceived_largest"]),
        _seconds(stream["drain_median"]),
        _seconds(stream["drain_largest"]),
        waits,
        f"{100 * _share(report, stream):.2f} %",
    ]


def _frames(stream: dict[str, Any]) -> str:
    lost = [f"{stream[what]} {what}" for what in ("failed", "skipped") if stream[what]]
    return f"{stream['frames']} ({', '.join(lost)})" if lost else str(stream["frames"])


def _bytes(number: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number / 1e3:.3g} kB"


def _seconds(seconds: float) -> str:
    if seconds >= 100:
        return f"{seconds:.0f} s"
    if seconds >= 1 or seconds == 0:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"
