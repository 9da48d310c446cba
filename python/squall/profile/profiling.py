"""`squall run --profile`: observes the run, and evaluates the files of its ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from squall import limits, machine
from squall.errors import UserError
from squall.profile import messages as counted
from squall.profile import picture, ranks, roofline, trace
from squall.profile.messages import Messages
from squall.profile.ranks import KINDS, Rank
from squall.profile.roofline import Roofline
from squall.results import show_table, write_json
from squall.runs import launch, running

FOLDER = "profile"  # below the run's directory
_SHOWN = 20  # routines in the table


@dataclass(frozen=True)
class Profile:
    """All that is known of where a run's time went."""

    ranks: list[Rank]
    messages: Messages | None  # None: there was no library to count them
    roof: Roofline

    def content(self) -> dict[str, Any]:
        """As JSON has it: seconds, by rank and kind, thread and routine, and by routine as the mean of the
        ranks."""
        return {
            "steps": self.ranks[0].steps,
            "seconds": max(rank.seconds for rank in self.ranks),
            "ranks": [_of_rank(rank) for rank in self.ranks],
            "routines": [_of_routine(total) for total in ranks.totals(self.ranks)],
            "messages": asdict(self.messages) if self.messages else None,
            "roofline": asdict(self.roof),
        }


def run(wishes: running.Wishes, console: Console) -> int:
    """Runs the model under the profile; then its tables, and picture, JSON and trace below the run's
    directory. The model's exit code."""
    if wishes.plan:
        raise UserError("--plan runs nothing, so there is nothing to profile: leave out --plan or --profile.")
    folder = wishes.directory() / FOLDER
    why_not = roofline.why_not()
    watch = watching(folder)
    if not why_not:
        folder.mkdir(parents=True, exist_ok=True)
        watch = replace(watch, before=tuple(roofline.prefix(folder)))
    before = _written(folder)
    code = running.run(replace(wishes, watch=watch))
    if code in (0, launch.STOPPED) and _written(folder) != before:
        _clear(folder, before)
        _tell(_read(folder, why_not), folder, console)
    return code


def watching(folder: Path) -> running.Watch:
    """With which a run leaves its ranks' times and its messages there. Raises UserError where the library
    that counts them is not there."""
    counting = counted.environment(folder / "messages.json")
    return running.Watch(words=("--profile", str(folder)), environment=counting)


def _written(folder: Path) -> dict[Path, int]:
    """What a run's ranks leave there, and when it was written."""
    files = (
        file for pattern in ("rank-*.json", "perf-*.txt", "messages.json") for file in folder.glob(pattern)
    )
    return {file: file.stat().st_mtime_ns for file in files}


def _clear(folder: Path, before: dict[Path, int]) -> None:
    """Removes what this run did not write: an earlier one may have had more ranks."""
    for file, time in _written(folder).items():
        if before.get(file) == time:
            file.unlink()


def _read(folder: Path, why_not: str) -> Profile:
    left = ranks.read(folder)
    try:
        messages = counted.read(folder / "messages.json")
    except UserError:
        messages = None
    cores = min(machine.cores(), sum(rank.threads for rank in left))
    roof = Roofline(
        limits.triad(cores), limits.peak(cores), max(rank.seconds for rank in left), why_not=why_not
    )
    if not why_not:
        operations, amount = roofline.counts(folder)
        roof = replace(roof, operations=operations, bytes=amount)
    return Profile(left, messages, roof)


def _tell(profile: Profile, folder: Path, console: Console) -> None:
    _show_routines(profile, console)
    _show_ranks(profile, console)
    if any(rank.threads > 1 for rank in profile.ranks):
        _show_threads(profile, console)
    if profile.messages and profile.messages.calls:
        counted.show(console, profile.messages)
    console.print(_in_words(profile.roof), highlight=False, soft_wrap=True)
    write_json(folder / "profile.json", profile.content())
    picture.draw(folder / "profile.png", profile.ranks, profile.messages, profile.roof)
    trace.write(folder / "trace.json", profile.ranks)
    lost = sum(rank.events_lost for rank in profile.ranks)
    if lost:
        console.print(f"The trace covers only the first steps: {lost} events did not fit.", highlight=False)
    console.print(f"Picture: {folder / 'profile.png'}", highlight=False, soft_wrap=True)
    console.print(
        f"Trace:   {folder / 'trace.json'}; open it at ui.perfetto.dev", highlight=False, soft_wrap=True
    )


def _show_routines(profile: Profile, console: Console) -> None:
    steps, seconds = max(1, profile.ranks[0].steps), max(rank.seconds for rank in profile.ranks)
    rows = [
        [
            t.routine.name, t.routine.place, "computing" if t.routine.threads else t.routine.kind,
            f"{t.calls / steps:.1f}", *(f"{1e3 * s / steps:.3f}" for s in (t.mean, t.least, t.most)),
            f"{100 * t.mean / seconds:.1f}", f"{t.balance:.2f}",
        ]
        for t in ranks.totals(profile.ranks)[:_SHOWN]
    ]  # fmt: skip
    title = f"Routines, ms per step and rank ({steps} steps in {seconds:.3g} s)"
    columns = ["routine", "at", "kind", "calls", "mean", "least", "most", "%", "balance"]
    show_table(console, title, columns, rows)


def _show_ranks(profile: Profile, console: Console) -> None:
    rows = []
    for rank in profile.ranks:
        times = (f"{1e3 * rank.by_kind[kind] / max(1, rank.steps):.3f}" for kind in KINDS)
        rows.append([str(rank.rank), rank.host, *times, f"{rank.load:.3f}"])
    show_table(console, "Ranks, ms per step", ["rank", "host", *KINDS, "load"], rows)


def _show_threads(profile: Profile, console: Console) -> None:
    most = max(rank.threads for rank in profile.ranks)
    rows = []
    for rank in profile.ranks:
        times = [f"{1e3 * seconds / max(1, rank.steps):.3f}" for seconds in rank.of_threads]
        rows.append([str(rank.rank), *times, *("" for _ in range(most - rank.threads))])
    columns = ["rank", *(f"thread {thread}" for thread in range(most))]
    show_table(console, "Threads, ms of computing per step", columns, rows)


def _in_words(roof: Roofline) -> str:
    limits = (
        f"This machine: {roof.bandwidth / 1e9:.1f} GB/s of memory (triad), "
        f"{roof.peak / 1e9:.0f} x 10^9 operations per second (single precision, not fused)."
    )
    if roof.operations is None or roof.bytes is None or roof.intensity is None:
        return f"{limits} No roofline: {roof.why_not}"
    return (
        f"{limits} The run: {roof.bytes / roof.seconds / 1e9:.1f} GB/s, "
        f"{roof.operations / roof.seconds / 1e9:.1f} x 10^9 operations per second, {roof.intensity:.2f} "
        f"operations per byte."
    )


def _of_rank(rank: Rank) -> Mapping[str, Any]:
    return {
        "rank": rank.rank, "host": rank.host, "threads": rank.threads, "cells": rank.cells,
        "patch": rank.patch, "seconds": rank.seconds, "load": rank.load, "by_kind": rank.by_kind,
        "of_threads": rank.of_threads,
        "routines": [
            {"name": r.name, "at": r.place, "seconds": r.self, "threads": r.threads} for r in rank.routines
        ],
    }  # fmt: skip


def _of_routine(total: ranks.Total) -> Mapping[str, Any]:
    routine = total.routine
    return {
        "name": routine.name, "at": routine.place, "kind": routine.kind, "calls": total.calls,
        "mean": total.mean, "least": total.least, "most": total.most, "balance": total.balance,
    }  # fmt: skip
