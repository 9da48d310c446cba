"""What was measured, as a table for a terminal or for Markdown, and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from squall import machine
from squall.printable import printable
from squall.results import show_table
from squall.wrf_output.timing.measure import Measured, Result

_COLUMNS = (
    "output", "placement", "write, s", "largest, s", "times less than io_form 2", "first write, s",
    "file, MB", "frame, MB", "whole run, s", "whole run / without output", "frame and io_form 2's",
)  # fmt: skip
_NOTES = (
    "write: median of all but the first of each run, as WRF tells it of the outermost domain's history.",
    "file: one frame's largest file; frame: all that was stored of it; medians.",
    "whole run: from the start of mpiexec to its end; medians over the runs.",
)


def lines_above(result: Result) -> list[str]:
    setup = result.setup
    total, _ = machine.memory()
    ranks = f"{setup.ranks} rank{'s' * (setup.ranks > 1)} that compute{'s' * (setup.ranks == 1)}"
    servers = max((m.variant.servers for m in result.measured), default=0)
    lines = [
        f"{machine.processor()}, {machine.cores()} cores, {total:.0f} GiB of memory",
        f"{ranks}{', 1 server in addition' * servers}; {_repeats(result)}",
    ]
    if result.copy is not None:
        lines.append(
            f"A frame has {result.values / 1e6:.1f} MB of values; a copy of a rank's part of them in memory "
            f"takes {_seconds(result.copy)} s"
        )
    return lines


def _repeats(result: Result) -> str:
    each = f"{result.setup.repeat} run{'s' * (result.setup.repeat > 1)} of each"
    done = sum(len(m.runs) for m in result.measured)
    total = result.setup.repeat * len(result.measured)
    return f"stopped after {done} of {total} runs, {each}" if result.stopped else each


def rows(result: Result) -> list[list[str]]:
    return [_row(result, m) for m in result.measured]


def _row(result: Result, m: Measured) -> list[str]:
    own = "inline" if m.variant.form is not None else ""
    return [
        m.variant.name,
        m.variant.placement or own,
        *(_seconds(value) for value in (m.write, m.largest)),
        _number(result.less(m), ".1f"),
        _seconds(m.first),
        *(_number(value and value / 1e6, ".1f") for value in (m.file_bytes, m.frame_bytes)),
        _number(m.whole, ".1f"),
        _number(result.slower(m), ".2f"),
        "failed" if m.failure else ": ".join(filter(None, (m.compared, m.difference))),
    ]


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _seconds(value: float | None) -> str:
    return _number(value, ".4f" if value is not None and value < 1 else ".2f")


def table(console: Console, result: Result) -> None:
    for line in lines_above(result):
        console.print(line, highlight=False, markup=False)
    show_table(console, "WRF's output", _COLUMNS, [[_plain(cell) for cell in row] for row in rows(result)])
    for line in _NOTES:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _plain(cell: str) -> str:
    """Without a meaning for rich."""
    return printable(cell).replace("[", r"\[")


def markdown(result: Result) -> list[str]:
    made = rows(result)
    numbers = [all(_is_number(row[n]) for row in made) for n in range(len(_COLUMNS))]
    return [
        *(f"{line}  " for line in lines_above(result)),
        "",
        _markdown_row(_COLUMNS),
        _markdown_row(["---:" if number else "---" for number in numbers]),
        *(_markdown_row([printable(cell).replace("|", r"\|") for cell in row]) for row in made),
        "",
        *(f"{line}  " for line in _NOTES),
    ]


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_number(cell: str) -> bool:
    return not cell or cell.replace(".", "", 1).isdigit()


def failures(result: Result) -> list[str]:
    return [
        f"{m.variant.name} {m.variant.placement}".rstrip() + f" failed. {printable_lines(m.failure)}"
        for m in result.measured
        if m.failure
    ]


def printable_lines(text: str) -> str:
    return "\n    ".join(printable(line) for line in text.splitlines())


def to_json(result: Result) -> dict[str, Any]:
    setup = result.setup
    return {
        "processor": machine.processor(),
        "cores": machine.cores(),
        "memory_gib": machine.memory()[0],
        "ranks": setup.ranks,
        "repeat": setup.repeat,
        "stopped": result.stopped is not None,
        "frame_value_bytes": result.values,
        "copy_seconds": result.copy,
        "variants": [_of(result, m) for m in result.measured],
    }


def _of(result: Result, m: Measured) -> dict[str, Any]:
    v = m.variant
    return {
        "name": v.name, "io_form": v.form, "placement": v.placement or None, "engine": v.engine or None,
        "codec": v.codec or None,
        "classic": v.classic, "write_seconds": m.write, "largest_write_seconds": m.largest,
        "first_write_seconds": m.first, "times_less_than_io_form_2": result.less(m),
        "file_bytes": m.file_bytes, "frame_bytes": m.frame_bytes, "whole_run_seconds": m.whole,
        "of_run_without_output": result.slower(m), "compared": m.compared, "difference": m.difference,
        "failure": m.failure, "runs": [asdict(run) for run in m.runs],
    }  # fmt: skip
