"""The picture of a report: above, a timeline of computing, waiting and writing; below, each frame's times."""

from pathlib import Path
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from squall import results
from squall.runs.report import Report

_COMPUTE, _PERCEIVED, _QUEUED, _DRAIN, _LOST = "#9db4c0", "#c8553d", "#e9d8a6", "#28666e", "#000000"

Span = tuple[float, float]  # start and length [s]


def picture(report: Report, path: Path) -> None:
    """Writes the picture to `path`; its ending sets the format."""
    lanes = 1 + 2 * len(report.streams)
    with results.picture(path, 10, 3.6 + 0.42 * lanes) as figure:
        above, below = figure.subplots(2, 1, height_ratios=[lanes + 1, 5])
        _timeline(above, report)
        _frame_times(below, report)


def _timeline(axes: Axes, report: Report) -> None:
    lane = 0
    labels = ["compute"]
    _bars(axes, lane, _computing(report), _COMPUTE)
    for stream in report.streams:
        drained = [frame for frame in stream["timeline"] if "drain_ended" in frame]
        _bars(axes, lane := lane + 1, [(f["begun"], f["perceived"]) for f in stream["timeline"]], _PERCEIVED)
        _bars(axes, lane := lane + 1, [_span(f, "committed", "drain_begun") for f in drained], _QUEUED)
        _bars(axes, lane, [_span(f, "drain_begun", "drain_ended") for f in drained], _DRAIN)
        for frame in stream["timeline"]:
            if "fault" in frame or "skipped" in frame:
                axes.plot(frame["begun"], lane, marker="x", color=_LOST, clip_on=False)
        labels += [f"{stream['name']}: perceived", f"{stream['name']}: drain"]
    axes.set_yticks(range(lane + 1), labels)
    axes.invert_yaxis()
    axes.set_xlim(0, max(report.seconds, 1e-9))
    axes.set_xlabel("time since the session began [s]")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    named = {
        "computing": _COMPUTE,
        "waiting for output": _PERCEIVED,
        "queued": _QUEUED,
        "being written": _DRAIN,
    }
    handles: list[Artist] = [Patch(color=color, label=name) for name, color in named.items()]
    if any("fault" in f or "skipped" in f for s in report.streams for f in s["timeline"]):
        handles.append(Line2D([], [], color=_LOST, marker="x", linestyle="", label="lost"))
    axes.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=5, frameon=False)


def _bars(axes: Axes, lane: int, spans: list[Span], color: str) -> None:
    # The edge keeps spans shorter than a pixel visible.
    axes.broken_barh(spans, (lane - 0.38, 0.76), facecolor=color, edgecolor=color, linewidth=0.4)


def _span(frame: dict[str, Any], start: str, end: str) -> Span:
    return frame[start], max(frame[end] - frame[start], 0.0)


def _computing(report: Report) -> list[Span]:
    """The spans between the perceived times of all streams."""
    waits = sorted((f["begun"], f["perceived"]) for s in report.streams for f in s["timeline"])
    spans, at = [], 0.0
    for begun, perceived in waits:
        if begun > at:
            spans.append((at, begun - at))
        at = max(at, begun + perceived)
    if report.seconds > at:
        spans.append((at, report.seconds - at))
    return spans


def _frame_times(axes: Axes, report: Report) -> None:
    markers = "osD^vP*X"
    for n, stream in enumerate(report.streams):
        marker, name = markers[n % len(markers)], stream["name"]
        stored = [f for f in stream["timeline"] if "drain_ended" in f and "skipped" not in f]
        drain = [f["drain_ended"] - f["committed"] for f in stored]
        perceived = [f["perceived"] for f in stored]
        begun = [f["begun"] for f in stored]
        axes.plot(begun, drain, marker, color=_DRAIN, markersize=4, label=f"{name}: drain")
        axes.plot(begun, perceived, marker, color=_PERCEIVED, markersize=4, label=f"{name}: perceived")
    if axes.lines:
        axes.set_yscale("log")
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    axes.set_xlim(0, max(report.seconds, 1e-9))
    axes.set_xlabel("start of the frame [s]")
    axes.set_ylabel("time per frame [s]")
    axes.grid(True, which="major", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
