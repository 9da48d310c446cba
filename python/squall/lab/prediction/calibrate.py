"""A machine file from what `squall lab speed` and `squall lab io` measure."""

import json
import statistics
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rich.console import Console

from squall import machine
from squall.errors import UserError
from squall.lab import speed
from squall.lab.io import bench, matrix
from squall.lab.prediction import steps
from squall.lab.prediction.steady import steady
from squall.lab.prediction.steps import Pair
from squall.lab.workspace import Workspace
from squall.run_files.run_file import Line, render, toml, write_new

_SIZE = steps.LARGE
_LETTER = 5e-6  # s
_ASSUMED = "assumed"
_TIMES = ("perceived", "drain", "copy", "raw", "raw_fsync")
_SMALL, _FEW_AND_MANY = (60, 60, 10), (15, 60)  # points and fields of frames of which bytes are the least
_SLICES = 4  # in which the planner has a writer make and send a frame
_GATHERED = ("netcdf", "zarr", "pnetcdf", "netcdf-parallel")  # whose points travel to their writers


@dataclass(frozen=True)
class Cluster:
    """What one machine cannot tell of many. Bandwidths in B/s, times in s; storage None: as the disk that
    was written to."""

    nodes: int = 1
    network: float = 12.5e9
    latency: float = 2e-6
    storage: float | None = None


@dataclass(frozen=True)
class Cost:
    """Seconds of a frame beside its bytes: whatever is in it, and of each part of it, of one rank and where
    several ranks have points of it."""

    frame: float = 0.0
    part: float = 0.0
    together: float = 0.0


@dataclass(frozen=True)
class Measured:
    """Of a node: speeds of the large supercell on one core and on all, and frames of so many ranks. alone: by
    engine, large frames of one rank; costs: by engine, what frames take beside their bytes; steps: by ranks,
    what they took."""

    one: speed.Measurement
    several: speed.Measurement
    frames: Sequence[bench.Measurement]
    ranks: int
    alone: Mapping[str, bench.Measurement] = field(default_factory=dict)
    costs: Mapping[str, Cost] = field(default_factory=dict)
    steps: Mapping[int, Pair] = field(default_factory=dict)

    @property
    def copy(self) -> float:
        """B/s of a core, while the others copy too."""
        return statistics.median(m.bytes / self.ranks / m.copy for m in self.frames)

    @property
    def disk(self) -> float:
        """B/s that the disk takes: of raw writes with fsync, or of the engine that is faster than these."""
        raw = statistics.median(m.bytes / m.raw_fsync for m in self.frames)
        return max([raw, *(self._disk_of(m) for m in _plain(self.frames) if self._by_all(m))])

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
        copied = m.bytes / ranks / self.copy if ranks > 1 else m.copy
        writers = _writers(m, ranks)
        gathered = copied * ranks / writers if m.combination.engine in _GATHERED else 0.0
        return max(m.drain / 10, m.drain - copied - gathered - self.fixed(m, ranks))

    def fixed(self, m: bench.Measurement, ranks: int) -> float:
        """Seconds of a large frame that are not for its bytes."""
        cost = self.costs.get(m.combination.engine, Cost())
        parts = _parts(m.combination.engine, bench.Setup(Path()).fields)
        return cost.frame + parts * (cost.together if ranks > 1 else cost.part)

    @property
    def process(self) -> float:
        """B/s of raw writes of one process, as far as the cache of the disk."""
        return max(self.disk, statistics.median(m.bytes / self.ranks / m.raw for m in self.frames))


def read(speed_file: Path, io_file: Path) -> Measured:
    """What the commands wrote. Raises UserError for files that lack what it needs."""
    speeds = speed.read(speed_file)
    frames = [_best_frame(m) for m in bench.read(io_file)]
    return _measured(speeds, frames, int(json.loads(io_file.read_text()).get("ranks", 2)))


def _measured(
    speeds: Sequence[speed.Measurement], frames: Sequence[bench.Measurement], ranks: int
) -> Measured:
    of_domain = [m for m in speeds if m.domain == _SIZE.label]
    one = [m for m in of_domain if m.cores == 1]
    plain = [m for m in frames if (m.combination.placement, m.combination.codec) == ("inline", "none")]
    if not one or not plain:
        raise UserError(
            f"A calibration needs the speed of {_SIZE.label} on one core, and frames inline without codec."
        )
    several = max(of_domain, key=lambda m: (m.cores, m.cell_steps))
    stored = [m for m in frames if m.stored_bytes > 0]  # not what the engine null makes, or a network stream
    return Measured(one[0], several, stored, ranks)


def measure(workspace: Workspace, repeats: int, engines: Sequence[str] = ()) -> Measured:
    """The same, measured now: some minutes. engines: whose frames; none: all that make files. The fastest of
    the repeats counts. Raises UserError where steps are too far apart for that, as on a busy machine; an
    engine whose frames are is left out, with a word."""
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
    frames, alone, costs = [], {}, {}
    for cell in cells:
        try:
            frames.append(_large(setup, cell, console))
            if cell.codec == "none":
                alone[cell.engine] = _large(replace(setup, ranks=1), cell, console)
                costs[cell.engine] = _cost(setup, cell, alone[cell.engine], console)
        except UserError as error:
            console.print(f"Left out: {error}", highlight=False)
    frames = [m for m in frames if m.combination.engine in costs]
    return replace(_measured(speeds, frames, setup.ranks), alone=alone, costs=costs, steps=seen)


def _steps(workspace: Workspace, ranks: int, repeats: int) -> tuple[Pair, list[float]]:
    runs = [steps.pair(workspace, ranks) for _ in range(repeats)]
    fastest = Pair(min(run.large for run in runs), min(run.small for run in runs))
    return fastest, [run.large for run in runs]


def _speed(ranks: int, seen: Pair, repeats: int) -> speed.Measurement:
    cells = _SIZE.nx * _SIZE.ny * _SIZE.nz
    bandwidth = max(speed.triad(ranks) for _ in range(repeats))
    return speed.Measurement(_SIZE.label, ranks, f"{ranks} ranks", cells / seen.large, bandwidth, {})


def _best_frame(m: bench.Measurement) -> bench.Measurement:
    """With the least of each time, of all frames but the first."""
    frames = m.frames[1:] or m.frames
    least = {key: min(getattr(frame, key) for frame in frames) for key in _TIMES}
    return replace(m, frames=(bench.Frame(**least),))


def _frames(setup: bench.Setup, cell: bench.Combination) -> tuple[bench.Measurement, list[float]]:
    found = bench.measure(setup, cell, 0.1, plain=False, growing=False)
    return _best_frame(found), [frame.drain for frame in found.frames[1:]]


def _large(setup: bench.Setup, cell: bench.Combination, console: Console) -> bench.Measurement:
    what = f"frames of {cell}, {setup.ranks} ranks"
    with console.status(f"{what} ..."):
        return steady(what, partial(_frames, setup, cell))


def _stores(cell: bench.Combination) -> bool:
    """Whether its frames are files."""
    return cell.engine not in ("null", "sst")


def _parts(engine: str, variables: int) -> int:
    """As the planner counts them: in zarr a variable of a new store is two files."""
    return 2 * variables if engine == "zarr" else variables


def _cost(setup: bench.Setup, cell: bench.Combination, large: bench.Measurement, console: Console) -> Cost:
    """From small frames of few and of many variables, by one rank and by all."""
    per_byte = large.drain / large.bytes
    by_one, frame = _cost_of(replace(setup, ranks=1), cell, per_byte, console)
    by_all = _cost_of(setup, cell, per_byte, console)[0] if setup.ranks > 1 else by_one
    return Cost(frame, by_one, max(by_one, by_all))


def _cost_of(
    setup: bench.Setup, cell: bench.Combination, per_byte: float, console: Console
) -> tuple[float, float]:
    """Of a part, and of the frame."""
    small = replace(setup, size=_SMALL)
    few, many = (_large(replace(small, fields=n), cell, console) for n in _FEW_AND_MANY)
    less, more = (max(0.0, m.drain - per_byte * m.bytes) for m in (few, many))
    parts = [_parts(cell.engine, n) for n in _FEW_AND_MANY]
    part = max(0.0, (more - less) / (parts[1] - parts[0]))
    return part, max(0.0, less - parts[0] * part)


def write(measured: Measured, cluster: Cluster, name: str, output: Path) -> None:
    """The machine file. Raises UserError where it is there."""
    source = f"{machine.processor()}: {measured.one.domain}; frames inline of {measured.ranks} ranks"
    tables = {**_machine(measured, cluster), **_calibration(measured, source)}
    whole = render([f"{name}: measured on {machine.processor()}.", "Units: B, B/s, s."], tables)
    first = whole.index("\n[")
    write_new(output, f"{whole[:first]}name = {toml(name)}\n{whole[first:]}")


def _machine(measured: Measured, cluster: Cluster) -> dict[str, list[Line]]:
    storage = cluster.storage or measured.disk
    written = "" if cluster.storage else "raw writes with fsync"
    within = "within the rates of the engines"
    nic = "" if cluster.nodes > 1 else f"{_ASSUMED}; one node has no use for it"
    total, _ = machine.memory()
    return {
        "nodes": [
            Line("count", str(cluster.nodes)),
            Line("cores", str(measured.several.cores)),
            Line("memory", _number(total * 2**30)),
            Line(
                "bandwidth",
                _number(_together(measured)),
                "of memory, all cores, as steps use it",
            ),
            Line("core_bandwidth", _number(measured.one.bandwidth), "one core alone: STREAM triad"),
        ],
        "network": [
            Line("topology", toml("star")),
            Line("bandwidth", _number(cluster.network), nic),
            Line("latency", _number(cluster.latency), nic),
            Line("overhead", _number(5e-7), f"of a message, {_ASSUMED}"),
        ],
        "storage": [
            Line("kind", toml("lustre")),
            Line("servers", "1"),
            Line("targets", "1"),
            Line("server_bandwidth", _number(max(storage, cluster.network))),
            Line("target_bandwidth", _number(storage), written),
            Line("client_bandwidth", _number(measured.process), "of one process: raw writes"),
            Line("create", "1e-4" if cluster.storage else "0", _ASSUMED if cluster.storage else within),
            *(Line(key, "0", _ASSUMED) for key in ("request", "seek", "lock")),
            Line("stripe_size", "1048576"),
            Line("stripe_count", "1"),
        ],
        "local": [Line("bandwidth", _number(measured.disk), "raw writes with fsync")],
    }


def _together(measured: Measured) -> float:
    """Bandwidth of all cores with which steps on all of them take what they took: the triad of one core times
    the speed-up, since caches that cores share are worth bandwidth to steps that the triad does not see."""
    speed_up = max(1.0, measured.several.cell_steps / measured.one.cell_steps)
    return measured.one.bandwidth * speed_up


def _copy_alone(measured: Measured) -> float:
    """Copies were timed on all ranks at once, which shared the memory."""
    share = min(measured.one.bandwidth, _together(measured) / measured.ranks)
    return measured.copy * measured.one.bandwidth / share


def _calibration(measured: Measured, source: str) -> dict[str, list[Line]]:
    engines = {"null": _copy_alone(measured)} | {
        m.combination.engine: _serialising(measured, m) for m in _plain(measured.frames)
    }
    tables = {
        "calibration": [
            Line("source", toml(source)),
            Line("bytes_per_cell_step", _number(measured.one.bytes), f"of bandwidth, {measured.one.domain}"),
            Line("core_bandwidth", _number(measured.one.bandwidth)),
            Line("copy", _number(_copy_alone(measured)), "into the stage, one core alone"),
            Line("letter", _number(_LETTER), f"of a server, {_ASSUMED}"),
        ],
        "calibration.engines": [Line(toml(name), _number(rate)) for name, rate in engines.items()],
        "calibration.frames": [
            Line(
                toml(name),
                f"{{ frame = {_number(cost.frame)}, part = {_number(cost.part)}, "
                f"together = {_number(cost.together)} }}",
            )
            for name, cost in measured.costs.items()
        ],
        "calibration.seen": [
            Line(toml(name), f"{{ one = {_number(one)}, several = {_number(several)} }}")
            for name, (one, several) in _seen(measured).items()
        ],
        "calibration.steps": [
            Line(toml(str(ranks)), f"{{ large = {_number(seen.large)}, small = {_number(seen.small)} }}")
            for ranks, seen in measured.steps.items()
        ],
        "calibration.codecs": [],
    }
    for name, (rate, ratio) in _codecs(measured).items():
        tables["calibration.codecs"].append(
            Line(toml(name), f"{{ rate = {_number(rate)}, ratio = {_number(ratio)} }}")
        )
    return tables


def _seen(measured: Measured) -> dict[str, tuple[float, float]]:
    """What the large frames took, by one rank and by several [s], to know later how busy the machine is."""
    plain = {m.combination.engine: m.drain for m in _plain(measured.frames)}
    return {name: (alone.drain, plain[name]) for name, alone in measured.alone.items() if name in plain}


def seen_frames(file: Path) -> dict[str, dict[str, float]]:
    """The same of a machine file, by engine; empty where it tells nothing of that."""
    told = tomllib.loads(file.read_text()).get("calibration", {}).get("seen", {})
    return {name: {key: float(seconds) for key, seconds in of.items()} for name, of in told.items()}


def seen_steps(file: Path) -> dict[int, Pair]:
    """What steps took by so many ranks; empty where the machine file tells nothing of that."""
    told = tomllib.loads(file.read_text()).get("calibration", {}).get("steps", {})
    return {int(ranks): Pair(float(of["large"]), float(of["small"])) for ranks, of in told.items()}


def _plain(frames: Sequence[bench.Measurement]) -> list[bench.Measurement]:
    return [m for m in frames if (m.combination.placement, m.combination.codec) == ("inline", "none")]


def _writers(m: bench.Measurement, ranks: int) -> int:
    return 1 if m.combination.engine == "netcdf" else ranks


def _making(measured: Measured, m: bench.Measurement, ranks: int) -> float:
    """Seconds that a writer of a frame is busy making it, so that the planner's frame takes what this took: a
    writer makes slice after slice while the disk has the one before, so the longer of both counts, and of
    the shorter one a slice."""
    writers = _writers(m, ranks)
    left = measured.left(m, ranks)
    disk = m.stored_bytes / measured.disk
    busy = left - disk / _SLICES if left >= disk * (1 + 1 / _SLICES) else _SLICES * (left - disk)
    return max(0.0, busy - m.stored_bytes / writers / measured.process)


def _serialising(measured: Measured, m: bench.Measurement) -> float:
    """B/s of a writer; at most ten times as fast as a copy, which is as good as nothing."""
    alone = measured.alone.get(m.combination.engine)
    found, ranks = (alone, 1) if alone else (m, measured.ranks)
    raw = found.bytes / _writers(found, ranks)
    return raw / max(_making(measured, found, ranks), raw / (10 * measured.copy))


def _codecs(measured: Measured) -> dict[str, tuple[float, float]]:
    """B/s that a core compresses, and the ratio: what zarr, or else another engine, takes longer with it."""
    plain = {m.combination.engine: m for m in _plain(measured.frames)}
    found: dict[str, tuple[float, float]] = {}
    for m in sorted(measured.frames, key=lambda m: m.combination.engine == "zarr"):
        bare = plain.get(m.combination.engine)
        if bare is None or m is bare or m.combination.placement != "inline":
            continue
        ranks = measured.ranks
        raw = m.bytes / _writers(m, ranks)
        seconds = max(_making(measured, m, ranks) - _making(measured, bare, ranks), raw / measured.copy)
        found[m.combination.codec.partition(":")[0]] = (raw / seconds, m.bytes / m.stored_bytes)
    return found


def _number(value: float) -> str:
    return f"{value:.4g}"
