"""Shows the trials as a table, a picture and JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from squall.lab.tune.race import OUT_OF_TIME, Entry
from squall.lab.tune.search import Found
from squall.results import picture, show_table

_DRAWN = 40


def table(console: Console, title: str, entries: Sequence[Entry], default: float) -> None:
    """In the order tried, but for what there was no time for. default: seconds a step of a run without
    options."""
    tried = [entry for entry in entries if entry.verdict != OUT_OF_TIME]
    rows = [
        [
            *(str(entry.candidate), entry.kind, f"{1e3 * entry.best:.2f}" if entry.seconds else ""),
            *(f"{entry.best / default:.3f}" if entry.seconds else "", str(len(entry.seconds))),
            entry.verdict or "to the end",
        ]
        for entry in tried
    ]
    show_table(
        console, title, ["ranks x threads, settings", "choice", "ms", "relative to default", "runs", ""], rows
    )
    if len(tried) < len(entries):
        console.print(
            f"{len(entries) - len(tried)} more were not tried: give more --time to try them.", highlight=False
        )


def verdict(console: Console, found: Found) -> None:
    best, default = found.best, found.default
    if best.candidate == default.candidate:
        console.print("No settings are faster than the default.", highlight=False)
        return
    console.print(
        f"Fastest: {best.candidate}: {1e3 * best.best:.2f} ms per step, default "
        f"{1e3 * default.best:.2f} ms ({default.best / best.best:.2f} times as fast; "
        f"{len(best.seconds)} runs of both in turn).",
        highlight=False,
    )


def draw(path: Path, found: Found) -> None:
    """A bar for each that was measured, the fastest on top, with a dot for each run."""
    entries = sorted((e for e in found.entries if e.seconds), key=lambda entry: entry.best)[:_DRAWN]
    kinds = list(dict.fromkeys(entry.kind for entry in found.entries))
    with picture(path, 9, 1.2 + 0.22 * len(entries)) as figure:
        axes = figure.subplots()
        for at, entry in enumerate(entries):
            colour = f"C{kinds.index(entry.kind)}"
            axes.barh(at, 1e3 * entry.best, color=colour, alpha=0.6)
            axes.plot([1e3 * s for s in entry.seconds], [at] * len(entry.seconds), ".", color=colour)
        axes.axvline(1e3 * found.entries[0].best, color="0.4", lw=0.8, ls=":")
        axes.set_yticks(range(len(entries)), [str(entry.candidate) for entry in entries], fontsize=6)
        axes.invert_yaxis()
        axes.set_xlabel("time per step, including output (ms); dotted: default")
        for index, kind in enumerate(kinds):
            axes.barh(0, 0, color=f"C{index}", label=kind)
        axes.legend(loc="lower right")


def as_json(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [
        {
            "choice": entry.kind,
            "ranks": entry.candidate.ranks,
            "threads": entry.candidate.threads,
            "settings": dict(entry.candidate.settings),
            "seconds": entry.seconds,
            "verdict": entry.verdict,
        }
        for entry in entries
    ]
