"""`squall diff`: how far the fields of two runs or files are from each other, frame by frame."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from rich.text import Text

from squall.about.rows import aligned
from squall.differing import Differing, pieces
from squall.errors import UserError
from squall.plot import times
from squall.printable import cell, printable
from squall.reader.clock import NAMES, date_after, iso
from squall.reader.dataset import streams, undecoded
from squall.reader.history_file import holds_frames, kept_open

_NOT_COMPARED = {*NAMES, "elapsed", "ITIMESTEP"}  # frames are matched by them
_SAME_TIME = 0.5  # s


@dataclass
class OfStream:
    """Of a stream of both: frames that both have, fields that differ (with units) and those in one alone."""

    name: str
    frames: int
    fields: int
    differing: list[tuple[Differing, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    moments: list[str] = field(default_factory=list)

    @property
    def same(self) -> bool:
        return not self.differing and not self.notes


@dataclass(frozen=True)
class Difference:
    """Of two runs or files: of each stream, and streams in one alone."""

    names: tuple[str, str]
    streams: list[OfStream]
    notes: list[str]

    @property
    def same(self) -> bool:
        return not self.notes and all(stream.same for stream in self.streams)

    def as_json(self) -> dict[str, Any]:
        return {
            "a": self.names[0], "b": self.names[1], "same": self.same, "notes": self.notes,
            "streams": [_json(stream) for stream in self.streams],
        }  # fmt: skip


def difference(a: Path, b: Path, only: str | None = None, fields: list[str] | None = None) -> Difference:
    """Compares the fields of two runs or files, in frames of the same model time, as they are stored.

    only: this stream alone. fields: these alone. Raises UserError where one cannot be read, or where they
    have no stream, frame or field in common.
    """
    for path in (a, b):
        if not path.exists():
            raise UserError(f"There is no run directory or file {path}.")
    if fields is not None and not fields:
        raise UserError("--fields names no field: write it like T,U,V.")
    names, notes = _streams(a, b, only)
    return Difference((str(a), str(b)), [_of_stream(a, b, name, fields) for name in names], notes)


def _streams(a: Path, b: Path, only: str | None) -> tuple[list[str], list[str]]:
    if only is not None or _is_file(a) or _is_file(b):
        return [only or "history"], []
    ours, theirs = (streams(path) or ["history"] for path in (a, b))
    both = [name for name in ours if name in theirs]
    if not both:
        raise UserError(
            f"{a} and {b} have no stream in common: A has {', '.join(ours)}, B has {', '.join(theirs)}."
        )
    alone = [(name, a) for name in ours if name not in theirs]
    alone += [(name, b) for name in theirs if name not in ours]
    return both, [f"stream {name} is in {where} alone" for name, where in alone]


def _is_file(path: Path) -> bool:
    return holds_frames(path)


def _of_stream(a: Path, b: Path, name: str, wanted: list[str] | None) -> OfStream:
    one, other = undecoded(a, name), undecoded(b, name)
    pairs, notes = _frames(one, other)
    if not pairs:
        raise UserError(
            f"{a} and {b} have no frame of the same time in stream {name}: A has {_span(one)}, "
            f"B has {_span(other)}."
        )
    common, missing = _fields(one, other, wanted)
    if not common:
        raise UserError(f"{a} and {b} have no field in common{' of those asked for' if wanted else ''}.")
    found = OfStream(name, len(pairs), len(common), notes=notes + missing)
    found.moments = [times.in_words(float(one["elapsed"][i])) for i, _ in pairs]
    with kept_open():
        for variable in common:
            x, y = one[variable].variable, other[variable].variable
            if x.dims != y.dims or x.shape[_on_time(x) :] != y.shape[_on_time(y) :]:
                found.notes.append(f"{variable} is {_shape(x)} in A and {_shape(y)} in B")
                continue
            differs = _values(variable, x, y, pairs)
            if differs.count:
                found.differing.append((differs, str(x.attrs.get("units", ""))))
    return found


def _on_time(variable: xr.Variable) -> int:
    return int(variable.dims[:1] == ("Time",))


def _shape(variable: xr.Variable) -> str:
    return " x ".join(f"{dim} {size}" for dim, size in variable.sizes.items()) or "a number"


def _fields(a: xr.Dataset, b: xr.Dataset, wanted: list[str] | None) -> tuple[list[str], list[str]]:
    ours, theirs = ([str(n) for n in data.variables if n not in _NOT_COMPARED] for data in (a, b))
    if wanted is not None:
        for name in wanted:
            if name not in ours and name not in theirs:
                raise UserError(f"Neither has a field {name}. Those of A are {', '.join(ours)}.")
        ours, theirs = ([n for n in names if n in wanted] for names in (ours, theirs))
    sides = {"A": [n for n in ours if n not in theirs], "B": [n for n in theirs if n not in ours]}
    alone = [f"fields in {side} alone: {', '.join(names)}" for side, names in sides.items() if names]
    return [name for name in ours if name in theirs], alone


def _frames(a: xr.Dataset, b: xr.Dataset) -> tuple[list[tuple[int, int]], list[str]]:
    """Frames of the same time in both, and how many others there are: by dates where both have them, else by
    the time since the start."""
    ours, theirs = (data["elapsed"].values.astype(float) for data in (a, b))
    starts = times.start(a), times.start(b)
    if None not in starts and starts[0].calendar == starts[1].calendar:  # type: ignore[union-attr]
        theirs = theirs + (starts[1] - starts[0]).total_seconds()  # type: ignore[operator]
    pairs = []
    for i, second in enumerate(ours):
        apart = np.abs(theirs - second)
        if len(apart) and apart.min() < _SAME_TIME:
            pairs.append((i, int(apart.argmin())))
    rest = {"A": len(ours) - len(pairs), "B": len(theirs) - len({j for _, j in pairs})}
    return pairs, [f"{n} of its frames are in {side} alone" for side, n in rest.items() if n]


def _span(data: xr.Dataset) -> str:
    """The first and the last time, as dates where they are known, else since the start."""
    ends, begun = [float(data["elapsed"][n]) for n in (0, -1)], times.start(data)
    first, last = (times.in_words(s) if begun is None else iso(date_after(begun, s)) for s in ends)
    return f"{first} to {last}"


def _values(name: str, a: xr.Variable, b: xr.Variable, pairs: list[tuple[int, int]]) -> Differing:
    """The index along Time counts the frames of both."""
    found = Differing(name, tuple(map(str, a.dims)))
    inner = a.dims[_on_time(a) :]
    shape = a.shape[_on_time(a) :]
    for number, (i, j) in enumerate(pairs if _on_time(a) else [(0, 0)]):
        for start, count in pieces(shape, max(a.dtype.itemsize, 1)):
            box = {d: slice(s, s + n) for d, s, n in zip(inner, start, count, strict=True)}
            one, other = (
                np.asarray(v.isel({**box, **({"Time": at} if _on_time(a) else {})}).values)
                for v, at in ((a, i), (b, j))
            )
            if one.dtype != other.dtype and one.dtype.kind in "iuf" and other.dtype.kind in "iuf":
                one, other = one.astype("f8"), other.astype("f8")
            if one.dtype.kind in "SU" or one.dtype != other.dtype:
                one, other = one.astype(object), other.astype(object)
            found.points += one.size
            first = [number, *start] if _on_time(a) else start
            found.take(one[None] if _on_time(a) else one, other[None] if _on_time(a) else other, first)
    return found


def _json(stream: OfStream) -> dict[str, Any]:
    return {
        "name": stream.name, "frames": stream.frames, "fields": stream.fields, "notes": stream.notes,
        "differing": [
            {"field": d.name, "units": units, "points": d.points, "differ": d.count,
             "largest": None if d.largest < 0 else d.largest, "rms": None if d.largest < 0 else d.rms,
             "at": dict(zip(d.dims, d.where or d.first, strict=True)), "time": _moment(stream, d)}
            for d, units in stream.differing
        ],
    }  # fmt: skip


def _moment(stream: OfStream, differs: Differing) -> str | None:
    index = differs.where or differs.first
    return stream.moments[index[0]] if differs.dims[:1] == ("Time",) and index else None


def lines(found: Difference) -> Iterator[Text]:
    """For people."""
    yield cell(f"A: {found.names[0]}")
    yield cell(f"B: {found.names[1]}")
    for note in found.notes:
        yield cell(note)
    for stream in found.streams:
        frames = "1 frame" if stream.frames == 1 else f"{stream.frames} frames"
        count = len(stream.differing)
        verdict = (
            f"{count} of {stream.fields} fields differ"
            if count
            else f"{stream.fields} fields are the same, bit for bit"
        )
        yield cell(f"{stream.name}: {verdict} in {frames} of both")
        for note in stream.notes:
            yield cell(f"  {note}")
        if stream.differing:
            for line in aligned(list(_rows(stream)), right={1, 2, 4}):
                yield Text("  " + line)


def _rows(stream: OfStream) -> Iterator[Sequence[str]]:
    yield "field", "largest", "RMS", "units", "points", "largest at"
    for d, units in stream.differing:
        numbers = d.largest >= 0
        index = d.where or d.first
        place = ", ".join(f"{n} {at}" for n, at in zip(d.dims, index, strict=True) if n != "Time")
        at = ", ".join(part for part in (_moment(stream, d), place) if part)
        largest, rms = (f"{d.largest:.4g}", f"{d.rms:.4g}") if numbers else ("", "")
        yield printable(d.name), largest, rms, printable(units), f"{100 * d.count / d.points:.3g} %", at
