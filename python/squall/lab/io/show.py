"""The table, the picture and the JSON of the matrix."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from squall import machine
from squall.lab.io.bench import Measurement, Setup
from squall.lab.io.goals import COPIES, TIMED, Verdict, timed
from squall.plot import style as charts_style
from squall.results import picture, show_table

_COLOURS = {"inline": "C3", "thread": "C0", "servers": "C2"}


def table(console: Console, measurements: Sequence[Measurement]) -> None:
    columns = [
        *("engine, codec", "placement", "perceived, ms", "copies", "drain, s", "vs raw"),
        *("vs library", "library vs raw", "file, MB", "memory, MB"),
    ]
    rows = [
        [
            *(_engine(m), m.combination.placement, f"{1e3 * m.perceived:.1f}", f"{m.in_copies:.2f}"),
            f"{m.drain:.3f}" + ("" if m.fits or _inline(m) else "*"),
            *(_ratio(m.of_raw), _ratio(m.of_baseline), _ratio(m.library_of_raw)),
            *(f"{m.stored_bytes / 1e6:.1f}", f"{max(m.memory, m.server_memory) / 1e6:.0f}"),
        ]
        for m in measurements
    ]
    show_table(console, "Output", columns, rows)
    beside = [(m.copy, m.bytes / m.raw_fsync / 1e9, m.bytes / m.raw / 1e9) for m in measurements]
    copy, on_disk, cached = np.median(np.array(beside), axis=0)
    console.print(
        f"One copy: {1e3 * copy:.1f} ms. Raw writes: {on_disk:.2f} GB/s with fsync, "
        f"{cached:.2f} GB/s without.\n"
        "drain: from the commit until the frame is on disk.\n"
        "vs raw, vs library: bandwidth relative to raw writes with fsync, and to the library's own loop;\n"
        "library vs raw: bandwidth of that loop relative to raw writes.\n"
        "memory: in addition to the patch, of the rank that needed most."
        + ("" if all(m.fits or _inline(m) for m in measurements) else "\n*: longer than the interval."),
        highlight=False,
    )


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _engine(m: Measurement) -> str:
    codec = m.combination.codec
    return m.combination.engine + ("" if codec == "none" else f" {codec}")


def _inline(m: Measurement) -> bool:
    return m.combination.placement == "inline"


def goals(
    console: Console,
    measurements: Sequence[Measurement],
    verdicts: Sequence[Verdict],
    failed: dict[str, str],
) -> None:
    """What was missed in full; the rest as a number; and which goals do not count here."""
    missed = [v for v in verdicts if not v.reached]
    console.print(f"Goals reached: {len(verdicts) - len(missed)} of {len(verdicts)}.", highlight=False)
    small = max((m.bytes for m in measurements if not timed(m)), default=0)
    if small:
        console.print(
            f"Times are not judged: a frame has {small / 1e6:.2g} MB, and their goals are for "
            f"{TIMED / 1e6:g} MB or more, as without --quick, --size and --fields.",
            highlight=False,
        )
    for v in missed:
        console.print(f"[bold red]missed[/] {v.cell}: {v.goal}: {v.value}", highlight=False)
    for cell, reason in failed.items():
        console.print(f"[bold red]failed[/] {cell}: {reason}", highlight=False)


def draw(path: Path, measurements: Sequence[Measurement]) -> None:
    """Perceived time in copies, and drain bandwidth beside raw writes."""
    rows = list(dict.fromkeys((m.combination.engine, m.combination.codec) for m in measurements))
    placements = list(dict.fromkeys(m.combination.placement for m in measurements))
    height = 0.8 / len(placements)
    with picture(path, 9, 1.6 + 0.42 * len(rows)) as figure:
        perceived, bandwidth = figure.subplots(1, 2, sharey=True)
        for number, placement in enumerate(placements):
            chosen = [m for m in measurements if m.combination.placement == placement]
            at = [
                rows.index((m.combination.engine, m.combination.codec))
                + (number - (len(placements) - 1) / 2) * height
                for m in chosen
            ]
            style = {"height": height, "color": _COLOURS[placement], "label": placement}
            perceived.barh(at, [m.in_copies for m in chosen], **style)
            stored = [m.bandwidth / 1e9 if m.combination.engine != "null" else 0 for m in chosen]
            bandwidth.barh(at, stored, **style)
        if all(map(timed, measurements)):
            perceived.axvline(COPIES, color="0.3", linestyle=":", label="goal while the model computes")
        perceived.set(xscale="log", xlabel="time the model waits (copies of the frame in memory)")
        low, high = perceived.get_xlim()
        charts_style.logarithmic(perceived.xaxis, (1, 2, 5) if high < 1000 * low else (1,))
        perceived.margins(y=0.01)
        charts_style.plain(perceived, "x")
        charts_style.plain(bandwidth, "x")
        raw = float(np.median([m.bytes / m.raw_fsync for m in measurements])) / 1e9
        bandwidth.axvline(raw, color="0.3", linestyle="--", label="raw writes, fsync")
        bandwidth.set(xlabel="bandwidth of the fields to disk (GB/s)")
        perceived.set_yticks(range(len(rows)), [f"{engine} {codec}" for engine, codec in rows])
        perceived.invert_yaxis()
        entries = [zip(*axes.get_legend_handles_labels(), strict=True) for axes in (bandwidth, perceived)]
        handles = {label: handle for pairs in entries for handle, label in pairs}
        figure.legend(handles.values(), handles.keys(), ncols=len(handles), loc="outside upper center")


def to_json(
    setup: Setup, measurements: Sequence[Measurement], verdicts: Sequence[Verdict], failed: dict[str, str]
) -> dict[str, Any]:
    return {
        "processor": machine.processor(),
        "cores": machine.cores(),
        "ranks": setup.ranks,
        "servers": setup.servers,
        "frames": setup.frames,
        "measurements": [
            asdict(m)
            | {
                **{name: getattr(m, name) for name in ("perceived", "drain", "copy", "raw", "raw_fsync")},
                **{name: getattr(m, name) for name in ("in_copies", "bandwidth")},
                **{name: getattr(m, name) for name in ("of_baseline", "of_raw", "library_of_raw")},
            }
            for m in measurements
        ],
        "goals": [asdict(v) for v in verdicts],
        "failed": failed,
    }
