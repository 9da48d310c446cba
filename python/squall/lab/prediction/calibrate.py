"""The measurements for a machine file, made now or by `squall lab speed` and `squall lab io`."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from rich.console import Console

from squall import limits, machine
from squall.errors import UserError
from squall.lab import speed
from squall.lab.io import bench, matrix
from squall.lab.prediction import frames as yardsticks
from squall.lab.prediction import steps
from squall.lab.prediction.measured import Cost, Measured
from squall.lab.prediction.steady import steady
from squall.lab.prediction.steps import Pair
from squall.lab.workspace import Workspace

_SIZE = steps.LARGE
_TIMES = ("perceived", "drain", "copy", "raw", "raw_fsync")
_COUNTS = (yardsticks.FEW, yardsticks.MANY)


def read(speed_file: Path, io_file: Path) -> Measured:
    """What the commands wrote. Raises UserError for files that lack what it needs."""
    speeds = speed.read(speed_file)
    frames = [_best(m) for m in bench.read(io_file)]
    return _measured(speeds, frames, int(json.loads(io_file.read_text()).get("ranks", 2)))


def _best(m: bench.Measurement) -> bench.Measurement:
    """With the least of each time, of all frames but the first: nobody knows how idle that machine was."""
    frames = m.frames[1:] or m.frames
    least = {key: min(getattr(frame, key) for frame in frames) for key in _TIMES}
    return replace(m, frames=(bench.Frame(**least),))


def _measured(
    speeds: Sequence[speed.Measurement], frames: Sequence[bench.Measurement], ranks: int
) -> Measured:
    of_domain = [m for m in speeds if m.domain == _SIZE.label]
    one = [m for m in of_domain if m.cores == 1]
    plain = [m for m in frames if (m.combination.placement, m.combination.codec) == ("inline", "none")]
    if not one or not plain:
        raise UserError(
            f"A calibration needs the speed of {_SIZE.label} on one core, and frames with placement "
            f"inline and codec none."
        )
    several = max(of_domain, key=lambda m: (m.cores, m.cell_steps))
    stored = [m for m in frames if m.stored_bytes > 0]  # not what the engine null makes, or a network stream
    return Measured(one[0], several, stored, ranks)


def measure(workspace: Workspace, repeats: int, engines: Sequence[str] = ()) -> Measured:
    """The same, measured now: some minutes. engines: whose frames; none: all that make files. Of steps the
    fastest of the repeats counts, of frames the median. Raises UserError where steps are too far apart for
    that, as on a busy machine; an engine whose frames are is left out, with a word."""
    console = Console()
    cores = machine.cores()
    seen = {}
    for ranks in sorted({1, cores, 2 * cores}):  # of the last nothing is predicted: they tell a busy machine
        what = f"steps on {ranks} ranks"
        try:
            with console.status(f"{what} ..."):
                seen[ranks] = steady(what, partial(_steps, workspace, ranks, repeats))
        except UserError as error:
            if ranks <= cores:
                raise
            console.print(f"Left out: {error}", highlight=False)
    speeds = [_speed(ranks, seen[ranks], repeats) for ranks in sorted({1, cores})]
    setup = bench.Setup(workspace.directory / "io", ranks=min(2, cores), frames=2 * repeats + 1)
    cells = [cell for cell in matrix.combinations(engines, ["inline"], []) if _stores(cell)]
    frames, alone, costs, small = [], {}, {}, {}
    for cell in cells:
        try:
            frames.append(_seen(setup, cell, console))
            if cell.codec == "none":
                alone[cell.engine] = _seen(replace(setup, ranks=1), cell, console)
                large = alone[cell.engine], frames[-1]
                costs[cell.engine], small[cell.engine] = _cost(setup, cell, large, console)
        except UserError as error:
            console.print(f"Left out: {error}", highlight=False)
    frames = [m for m in frames if m.combination.engine in costs]
    measured = _measured(speeds, frames, setup.ranks)
    crossed = _crossed(setup, console) if setup.ranks == 2 and "zarr" in costs else None
    return replace(measured, alone=alone, costs=costs, small=small, steps=seen, crossed=crossed)


def _steps(workspace: Workspace, ranks: int, repeats: int) -> tuple[Pair, list[float]]:
    runs = [steps.pair(workspace, ranks) for _ in range(repeats)]
    fastest = Pair(min(run.large for run in runs), min(run.small for run in runs))
    return fastest, [run.large for run in runs]


def _speed(ranks: int, seen: Pair, repeats: int) -> speed.Measurement:
    cells = _SIZE.nx * _SIZE.ny * _SIZE.nz
    bandwidth = max(limits.triad(ranks) for _ in range(repeats))
    return speed.Measurement(_SIZE.label, ranks, f"{ranks} ranks", cells / seen.large, bandwidth, {})


def _frames(setup: bench.Setup, cell: bench.Combination) -> tuple[bench.Measurement, list[float]]:
    """Frames, and what the median was of each half of them: it must be met again."""
    found = bench.measure(setup, cell, 0.1, plain=False, growing=False)
    whole = [frame.perceived for frame in found.frames[1:]]
    halves = whole[: len(whole) // 2], whole[len(whole) // 2 :]
    return found, [statistics.median(half) for half in halves if half]


def _seen(setup: bench.Setup, cell: bench.Combination, console: Console) -> bench.Measurement:
    what = (
        f"frames of {setup.fields} fields of {' x '.join(map(str, setup.size))}, {cell}, {setup.ranks} ranks"
    )
    with console.status(f"{what} ..."):
        return steady(what, partial(_frames, setup, cell))


def _crossed(setup: bench.Setup, console: Console) -> bench.Measurement | None:
    """Frames in shards of half the layers each, one for each rank: these have half the rows of all layers and
    send each other half of that. None where they are too far apart."""
    nx, ny, nz = setup.size
    half = f"{nz // 2},{ny},{nx}"
    cut = replace(setup, options=(f"chunk={half}", f"shard={half}"))
    try:
        return _seen(cut, bench.Combination("zarr", "inline", "none"), console)
    except UserError as error:
        console.print(f"Left out: points from rank to rank. {error}", highlight=False)
        return None


def _stores(cell: bench.Combination) -> bool:
    """Whether its frames are files."""
    return cell.engine not in ("null", "sst")


def _cost(
    setup: bench.Setup,
    cell: bench.Combination,
    large: tuple[bench.Measurement, bench.Measurement],
    console: Console,
) -> tuple[Cost, tuple[float, float]]:
    """From small frames of few and of many variables by one rank, and of many by all; and what those of many
    took. What several ranks take beside what one does, agreeing for one, counts as their parts'. large:
    frames of one rank and of all."""
    of_one, of_all = (m.perceived / m.bytes for m in large)
    small = replace(setup, size=yardsticks.SMALL)
    few, many = (_seen(replace(small, ranks=1, fields=n), cell, console) for n in _COUNTS)
    less, more = (_beside_bytes(m, of_one) for m in (few, many))
    parts = [yardsticks.parts(cell.engine, n) for n in _COUNTS]
    part = max(0.0, (more - less) / (parts[1] - parts[0]))
    frame = max(0.0, less - parts[0] * part)
    together = _seen(replace(small, fields=_COUNTS[1]), cell, console) if setup.ranks > 1 else many
    of_several = (_beside_bytes(together, of_all) - frame) / parts[1]
    return Cost(frame, part, max(part, of_several)), (many.perceived, together.perceived)


def _beside_bytes(m: bench.Measurement, per_byte: float) -> float:
    return max(0.0, m.perceived - per_byte * m.bytes)
