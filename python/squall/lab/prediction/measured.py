"""What was measured of a node, and what follows from it: rates, and seconds that are for no bytes."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from squall.lab import speed
from squall.lab.io import bench
from squall.lab.prediction import frames as yardsticks
from squall.lab.prediction.steps import Pair

_SLICES = 4  # in which the planner has a writer make and send a frame
_GATHERED = ("netcdf", "zarr", "pnetcdf", "netcdf-parallel")  # whose points travel to their writers


@dataclass(frozen=True)
class Cost:
    """Seconds of a frame beside its bytes: whatever is in it, and of each part of it, of one rank and where
    several ranks have points of it."""

    frame: float = 0.0
    part: float = 0.0
    together: float = 0.0

    def of(self, engine: str, ranks: int) -> float:
        """Seconds of a large frame of so many ranks."""
        parts = yardsticks.parts(engine, bench.Setup(Path()).fields)
        return self.frame + parts * (self.together if ranks > 1 else self.part)


@dataclass(frozen=True)
class Measured:
    """Of a node: speeds of the large supercell on one core and on all, and frames of so many ranks. alone: by
    engine, large frames of one rank; costs: by engine, what frames take beside their bytes; small: by engine,
    what small frames of many fields took of one rank and of several; steps: by ranks, what they took;
    crossed: large frames of which half the points go to the other rank."""

    one: speed.Measurement
    several: speed.Measurement
    frames: Sequence[bench.Measurement]
    ranks: int
    alone: Mapping[str, bench.Measurement] = field(default_factory=dict)
    costs: Mapping[str, Cost] = field(default_factory=dict)
    small: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    steps: Mapping[int, Pair] = field(default_factory=dict)
    crossed: bench.Measurement | None = None

    @property
    def copy(self) -> float:
        """B/s of a core into the stage, while the others copy too."""
        return statistics.median(m.bytes / self.ranks / _staged(m) for m in inline(self.frames))

    @property
    def disk(self) -> float:
        """B/s that the disk takes: of raw writes with fsync, or of the engine that is faster than these."""
        raw = statistics.median(m.bytes / m.raw_fsync for m in self.frames)
        return max([raw, *(self._disk_of(m) for m in plain(self.frames) if self._by_all(m))])

    def _by_all(self, m: bench.Measurement) -> bool:
        return self.ranks > 1 and m.combination.engine in self.alone and _writers(m, self.ranks) > 1

    def _disk_of(self, m: bench.Measurement) -> float:
        """B/s, from how much shorter frames get where several ranks write them: making them is shared out
        among the writers, the disk is not, and the longer of both counts whole, of the other a slice."""
        one, all_of_them = self.left(self.alone[m.combination.engine], 1), self.left(m, self.ranks)
        seconds = (all_of_them - one / (_SLICES * self.ranks)) / (1 - 1 / (_SLICES**2 * self.ranks))
        making = (one - seconds / _SLICES) / self.ranks
        if making > seconds:  # the ranks never wait for it
            seconds = _SLICES * max(0.0, self.ranks * all_of_them - one) / (self.ranks - 1)
        return m.stored_bytes / max(seconds, all_of_them / (2 * _SLICES))

    def left(self, m: bench.Measurement, ranks: int) -> float:
        """Seconds of a frame of so many ranks without copies, and without what is not for its bytes."""
        copied = m.bytes / ranks / self.copy if ranks > 1 else _staged(m)
        writers = _writers(m, ranks)
        gathered = copied * ranks / writers if m.combination.engine in _GATHERED else 0.0
        return max(m.perceived / 10, m.perceived - copied - gathered - self.fixed(m, ranks))

    def fixed(self, m: bench.Measurement, ranks: int) -> float:
        """Seconds of a large frame that are not for its bytes."""
        return self.costs.get(m.combination.engine, Cost()).of(m.combination.engine, ranks)

    @property
    def process(self) -> float:
        """B/s of raw writes of one process, as far as the cache of the disk."""
        return max(self.disk, statistics.median(m.bytes / self.ranks / m.raw for m in self.frames))


def inline(frames: Sequence[bench.Measurement]) -> list[bench.Measurement]:
    """Those whose ranks wait from the first point until all is stored: what they perceive is the frame."""
    return [m for m in frames if m.combination.placement == "inline"]


def plain(frames: Sequence[bench.Measurement]) -> list[bench.Measurement]:
    return [m for m in inline(frames) if m.combination.codec == "none"]


def _staged(m: bench.Measurement) -> float:
    """Seconds of an inline frame until it is committed: rows of a patch, with those of its halo between
    them, take longer than the one copy of its bytes that was timed beside it."""
    return max(m.copy, m.perceived - m.drain)


def _writers(m: bench.Measurement, ranks: int) -> int:
    return 1 if m.combination.engine == "netcdf" else ranks


def making(measured: Measured, m: bench.Measurement, ranks: int) -> float:
    """Seconds that a writer of a frame is busy making it, so that the planner's frame takes what this took: a
    writer makes slice after slice while the disk has the one before, so the longer of both counts, and of
    the shorter one a slice."""
    writers = _writers(m, ranks)
    left = measured.left(m, ranks)
    disk = m.stored_bytes / measured.disk
    busy = left - disk / _SLICES if left >= disk * (1 + 1 / _SLICES) else _SLICES * (left - disk)
    return max(0.0, busy - m.stored_bytes / writers / measured.process)


def serialising(measured: Measured, m: bench.Measurement) -> float:
    """B/s of a writer; at most ten times as fast as a copy, which is as good as nothing."""
    alone = measured.alone.get(m.combination.engine)
    found, ranks = (alone, 1) if alone else (m, measured.ranks)
    raw = found.bytes / _writers(found, ranks)
    return raw / max(making(measured, found, ranks), raw / (10 * measured.copy))


def codecs(measured: Measured) -> dict[str, tuple[float, float]]:
    """B/s that a core compresses, and the ratio: what zarr, or else another engine, takes longer with it."""
    bare_ones = {m.combination.engine: m for m in plain(measured.frames)}
    found: dict[str, tuple[float, float]] = {}
    for m in sorted(measured.frames, key=lambda m: m.combination.engine == "zarr"):
        bare = bare_ones.get(m.combination.engine)
        if bare is None or m is bare or m.combination.placement != "inline":
            continue
        ranks = measured.ranks
        raw = m.bytes / _writers(m, ranks)
        seconds = max(making(measured, m, ranks) - making(measured, bare, ranks), raw / measured.copy)
        found[m.combination.codec.partition(":")[0]] = (raw / seconds, m.bytes / m.stored_bytes)
    return found


def together(measured: Measured) -> float:
    """Bandwidth of all cores with which steps on all of them take what they took: the triad of one core times
    the speed-up, since caches that cores share are worth bandwidth to steps that the triad does not see."""
    speed_up = max(1.0, measured.several.cell_steps / measured.one.cell_steps)
    return measured.one.bandwidth * speed_up


def copy_alone(measured: Measured) -> float:
    return _alone(measured, measured.copy)


def crossing_alone(measured: Measured) -> float | None:
    """B/s that a rank gets from another, points in parts: by how much longer frames take of which half the
    points go to the other rank than those that only copy them. None where that was not measured."""
    same = [m for m in plain(measured.frames) if m.combination.engine == "zarr"]
    if measured.crossed is None or not same:
        return None
    points = measured.crossed.bytes / measured.ranks / 2
    longer = max(0.0, measured.crossed.perceived - same[0].perceived)
    return _alone(measured, points / (points / measured.copy + longer))


def _alone(measured: Measured, rate: float) -> float:
    """What was timed on all ranks at once, which shared the memory."""
    share = min(measured.one.bandwidth, together(measured) / measured.ranks)
    return rate * measured.one.bandwidth / share


def seen(measured: Measured) -> dict[str, tuple[Pair, Pair]]:
    """What large and small frames took, by one rank and by several [s], to know later how busy the machine
    is."""
    whole = {m.combination.engine: m.perceived for m in plain(measured.frames)}
    return {
        name: (Pair(alone.perceived, one), Pair(whole[name], several))
        for name, alone in measured.alone.items()
        if name in whole and name in measured.small
        for one, several in [measured.small[name]]
    }
