"""A machine file from what `squall lab speed` and `squall lab io` measure."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from squall import machine
from squall.errors import UserError
from squall.lab import speed
from squall.lab.io import bench, matrix
from squall.lab.speed_domains import SIZES
from squall.lab.workspace import Layout, Workspace
from squall.run_files.run_file import Line, render, toml, write_new

_SIZE = SIZES[-1]  # out of every cache
_LETTER = 5e-6  # s
_ASSUMED = "assumed"
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
class Measured:
    """Of a node: speeds of the large supercell on one core and on all, and frames of so many ranks."""

    one: speed.Measurement
    several: speed.Measurement
    frames: Sequence[bench.Measurement]
    ranks: int

    @property
    def copy(self) -> float:
        """B/s of a core, while the others copy too."""
        return statistics.median(m.bytes / self.ranks / m.copy for m in self.frames)

    @property
    def disk(self) -> float:
        """B/s of raw writes with fsync."""
        return statistics.median(m.bytes / m.raw_fsync for m in self.frames)

    @property
    def process(self) -> float:
        """B/s of raw writes of one process, as far as the cache of the disk."""
        return max(self.disk, statistics.median(m.bytes / self.ranks / m.raw for m in self.frames))


def read(speed_file: Path, io_file: Path) -> Measured:
    """What the commands wrote. Raises UserError for files that lack what it needs."""
    speeds = speed.read(speed_file)
    frames = bench.read(io_file)
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


def measure(workspace: Workspace, repeats: int) -> Measured:
    """The same, measured now, and nothing else: some minutes."""
    console = Console()
    cores = machine.cores()
    layouts = {"1 core": Layout(1, 1)} | ({f"{cores} ranks": Layout(cores, 1)} if cores > 1 else {})
    speeds = []
    for name, layout in layouts.items():
        with console.status(f"{_SIZE.label}, {name} ..."):
            speeds.append(speed.measure_one(workspace, _SIZE, name, layout, repeats))
    setup = bench.Setup(workspace.directory / "io", ranks=min(2, cores), frames=max(3, repeats + 1))
    frames, _ = matrix.measure(setup, matrix.combinations([], ["inline"], []), console)
    return _measured(speeds, frames, setup.ranks)


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
    return measured.one.bandwidth * measured.several.cell_steps / measured.one.cell_steps


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
        "calibration.codecs": [],
    }
    for name, (rate, ratio) in _codecs(measured).items():
        tables["calibration.codecs"].append(
            Line(toml(name), f"{{ rate = {_number(rate)}, ratio = {_number(ratio)} }}")
        )
    return tables


def _plain(frames: Sequence[bench.Measurement]) -> list[bench.Measurement]:
    return [m for m in frames if (m.combination.placement, m.combination.codec) == ("inline", "none")]


def _writers(measured: Measured, m: bench.Measurement) -> int:
    return 1 if m.combination.engine == "netcdf" else measured.ranks


def _making(measured: Measured, m: bench.Measurement) -> float:
    """Seconds that a writer of a frame is busy making it, so that the planner's frame takes what this took: a
    writer makes slice after slice while the disk has the one before, so the longer of both counts, and of
    the shorter one a slice."""
    writers = _writers(measured, m)
    copied = m.bytes / measured.ranks / measured.copy
    gathered = m.bytes / writers / measured.copy if m.combination.engine in _GATHERED else 0.0
    left = m.drain - copied - gathered
    disk = m.stored_bytes / measured.disk
    busy = left - disk / _SLICES if left >= disk * (1 + 1 / _SLICES) else _SLICES * (left - disk)
    return max(0.0, busy - m.stored_bytes / writers / measured.process)


def _serialising(measured: Measured, m: bench.Measurement) -> float:
    """B/s of a writer; at most ten times as fast as a copy, which is as good as nothing."""
    raw = m.bytes / _writers(measured, m)
    return raw / max(_making(measured, m), raw / (10 * measured.copy))


def _codecs(measured: Measured) -> dict[str, tuple[float, float]]:
    """B/s that a core compresses, and the ratio: what zarr, or else another engine, takes longer with it."""
    plain = {m.combination.engine: m for m in _plain(measured.frames)}
    found: dict[str, tuple[float, float]] = {}
    for m in sorted(measured.frames, key=lambda m: m.combination.engine == "zarr"):
        bare = plain.get(m.combination.engine)
        if bare is None or m is bare or m.combination.placement != "inline":
            continue
        raw = m.bytes / _writers(measured, m)
        seconds = max(_making(measured, m) - _making(measured, bare), raw / measured.copy)
        found[m.combination.codec.partition(":")[0]] = (raw / seconds, m.bytes / m.stored_bytes)
    return found


def _number(value: float) -> str:
    return f"{value:.4g}"
