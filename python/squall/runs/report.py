"""The cost of a run's output, from the report that the output runtime writes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from squall.errors import UserError
from squall.printable import cell

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


def load(run: Path) -> Report:
    """Reads the report of a run directory, or a report file."""
    path = run / NAME if run.is_dir() else run
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
