"""What is run and what goes wrong in it: drawn at random, the same from the same seed."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

PLACEMENTS = ("inline", "thread", "servers")
GROWING = ("zarr",)  # one store for a whole run makes sense where readers see its frames one by one
FRAMES = 8
# What files are called. Frames are a second apart: with the last two all of a run have the same name.
BY_SECOND, BY_DAY, ONE = "%Y-%m-%d_%H-%M-%S.nc", "%Y-%m-%d.nc", "all.nc"
# Of the domain of 3 x 12 x 64 points: chunks that ranks hold whole, and shards of half of it.
CHUNK, SHARD = "1,3,16", "3,6,64"
# Bytes for the frames of a rank: room for all of them, or for three, where a rank has a whole one.
PLENTY, TIGHT = 1 << 20, 48 << 10


@dataclass(frozen=True)
class Layout:
    """Who writes what how."""

    engine: str
    placement: str
    ranks: int  # that compute
    servers: int = 0
    groups: int = 1
    shared_memory: bool = True
    burst: bool = False
    frames_per_file: int = 1
    pattern: str = BY_SECOND
    on_error: str = "abort"
    on_lost_server: str = "stop"
    when_full: str = "wait"
    staging_limit: int = PLENTY
    tiled: bool = False  # several chunks in a shard, and several shards in a field
    encode: str = ""  # who compresses what goes to servers

    @property
    def processes(self) -> int:
        return self.ranks + self.servers

    def __str__(self) -> str:
        words = [self.engine, self.placement, f"{self.ranks} ranks"]
        if self.servers:
            words.append(f"{self.servers} servers in {self.groups} groups")
            if not self.shared_memory:
                words.append("by messages")
            words.append(f"on_lost_server {self.on_lost_server}")
        words.append(f"{self.frames_per_file} frames a file")
        if self.pattern != BY_SECOND:
            words.append(f"files {self.pattern}")
        if self.burst:
            words.append("burst")
        if self.tiled:
            words.append("tiled")
        if self.encode:
            words.append(f"encode {self.encode}")
        words.append(f"on_error {self.on_error}")
        if self.staging_limit < PLENTY:
            words.append(f"when_full {self.when_full}")
        return ", ".join(words)


@dataclass(frozen=True)
class Fault:
    """What goes wrong, in words of the shim (io/tests/faults/shim/rules.hpp)."""

    kind: str
    rules: str = ""
    cause: str = ""  # what a message about it must name
    disk: int = 0  # bytes of the file system; 0: the machine's
    stopped: float = 0.0  # times the deadline that a stopped process stays so
    noticed: bool = True  # whether the launcher ends the run when a process dies
    victim: int | None = None  # rank of the process that dies or stands still for longer than the deadline
    harmless: bool = False  # whether the run must end as if nothing had happened


@dataclass(frozen=True)
class Schedule:
    seed: int
    number: int
    layout: Layout
    fault: Fault

    def __str__(self) -> str:
        return f"{self.seed}:{self.number}: {self.layout}; {self.fault.kind}: {_describe(self.fault)}"


def _describe(fault: Fault) -> str:
    words = [fault.rules] if fault.rules else []
    if fault.disk:
        words.append(f"a file system of {fault.disk} bytes")
    if fault.stopped:
        words.append(f"stopped for {fault.stopped:g} deadlines")
    if not fault.noticed:
        words.append("the launcher does not notice")
    return ", ".join(words)


def draw(
    seed: int,
    number: int,
    engines: Sequence[str],
    placements: Sequence[str] = PLACEMENTS,
    kinds: Sequence[str] = (),
) -> Schedule:
    """Number `number` of the seed's schedules over these engines, placements and faults (none: all)."""
    chance = random.Random(f"{seed} {number}")
    layout = _tile(random.Random(f"{seed} {number} tiles"), _draw_layout(chance, engines, placements))
    layout = _name(random.Random(f"{seed} {number} names"), layout)
    kind = chance.choice(list(kinds) or list(KINDS))
    return Schedule(seed, number, layout, KINDS[kind](chance, layout))


def _draw_layout(chance: random.Random, engines: Sequence[str], placements: Sequence[str]) -> Layout:
    engine = chance.choice(list(engines))
    placement = chance.choice(list(placements))
    servers = chance.randint(1, 3) if placement == "servers" else 0
    # With `inline` a frame is stored before the next one comes: its room is never full.
    tight = placement != "inline" and chance.random() < 0.5
    return Layout(
        engine,
        placement,
        ranks=chance.choice((1, 2, 4)),
        servers=servers,
        groups=chance.randint(1, min(2, servers)) if servers else 1,
        shared_memory=chance.random() < 0.5,
        burst=chance.random() < 0.25,
        frames_per_file=chance.choice((0, 1, 2, 3) if engine in GROWING else (1, 2, 3)),
        on_error=chance.choice(("abort", "abort", "continue")),
        on_lost_server=chance.choice(("stop", "take-over")) if servers else "stop",
        when_full=chance.choice(("wait", "spill", "skip")) if tight else "wait",
        staging_limit=TIGHT if tight else PLENTY,
    )


def _tile(chance: random.Random, layout: Layout) -> Layout:
    if layout.engine != "zarr":
        return layout
    encode = chance.choice(("ranks", "auto", "servers")) if layout.servers else ""
    return replace(layout, tiled=chance.random() < 0.5, encode=encode)


def _name(chance: random.Random, layout: Layout) -> Layout:
    """Names that say less than seconds, for files that hold the whole run."""
    pattern = chance.choice((BY_SECOND, BY_DAY, ONE))
    if pattern == BY_SECOND:
        return layout
    return replace(layout, pattern=pattern, frames_per_file=chance.choice((0, FRAMES, 2 * FRAMES)))


def _nth(chance: random.Random, most: int) -> int:
    """Early calls more often than late ones, which a run may never come to."""
    return round(math.exp(chance.random() * math.log(most)))


def _anyone(chance: random.Random, layout: Layout) -> str:
    """A process that has something to write, more often than one that has not."""
    writers = layout.servers or layout.ranks
    first = layout.ranks if layout.servers else 0  # servers are the last
    return str(chance.choice((first, first + chance.randrange(writers), chance.randrange(layout.processes))))


def _kill(chance: random.Random, layout: Layout) -> Fault:
    call = chance.choice(("write", "fsync", "open", "rename", "send", "receive", "collective"))
    victim = _anyone(chance, layout)
    rules = f"rank={victim} call={call} nth={_nth(chance, 40)} do=kill"
    return Fault("kill -9", rules, noticed=chance.random() < 0.5, victim=int(victim))


def _stop(chance: random.Random, layout: Layout) -> Fault:
    call = chance.choice(("write", "fsync", "send", "receive", "collective"))
    long = chance.random() < 0.7
    victim = _anyone(chance, layout)
    rules = f"rank={victim} call={call} nth={_nth(chance, 30)} do=stop"
    if not long:
        return Fault("short stop", rules, stopped=0.25, harmless=True)
    return Fault("SIGSTOP", rules, stopped=2.0, victim=int(victim))


@dataclass(frozen=True)
class _Failing:
    """A call that returns an error, once, a few times or from then on."""

    kind: str
    call: str
    errors: dict[str, str]
    most: int
    deed: str = "fail"

    def __call__(self, chance: random.Random, layout: Layout) -> Fault:
        error = chance.choice(list(self.errors))
        times = chance.choice(("1", "1", "2", "*"))
        rank = chance.choice(("*", _anyone(chance, layout)))
        rules = f"rank={rank} call={self.call} nth={_nth(chance, self.most)} times={times} do={self.deed}"
        return Fault(self.kind, f"{rules} errno={error}", cause=self.errors[error])


def _lost_at_close(chance: random.Random, layout: Layout) -> Fault:
    """Bytes that did not get to disk when a library closed a file; who listens to a close is told, or not."""
    deed = "forget" if layout.engine == "netcdf-parallel" else chance.choice(("lose", "forget"))
    rules = (
        f"rank={chance.choice(('*', _anyone(chance, layout)))} call=close nth={_nth(chance, 20)} do={deed}"
    )
    return Fault("close error", rules, cause="Input/output error")


def _dead_syncfs(chance: random.Random, layout: Layout) -> Fault:
    """What a file system that does not implement it may do."""
    rules = f"filesystem={chance.choice(('fuse', 'lustre', 'nfs'))};call=syncfs times=* do=pretend"
    return Fault("dead syncfs", rules, harmless=True)


def _full_disk(chance: random.Random, layout: Layout) -> Fault:
    return Fault("full disk", disk=4096 * chance.randint(4, 60), cause="No space left on device")


def _quota(chance: random.Random, layout: Layout) -> Fault:
    return Fault("quota", f"quota={chance.randint(2_000, 200_000)}", cause="No space left on device")


def _short(chance: random.Random, layout: Layout) -> Fault:
    """Of the runtime's own calls, as EINTR: HDF5 and netCDF take a short write for an error."""
    rules = f"call=write nth={_nth(chance, 30)} times={chance.choice(('1', '3', '*'))} do=short"
    return Fault("short write", f"{rules} from=libsquall_io", harmless=True)


def _interrupted(chance: random.Random, layout: Layout) -> Fault:
    """Of the runtime's own calls: whether libraries of engines go on is theirs to say."""
    call = chance.choice(("write", "fsync", "open"))
    rules = f"call={call} nth={_nth(chance, 20)} times=2 do=fail errno=EINTR from=libsquall_io"
    return Fault("EINTR", rules, harmless=True)


def _slow(chance: random.Random, layout: Layout) -> Fault:
    call = chance.choice(("write", "fsync", "open", "rename"))
    rules = f"call={call} nth={_nth(chance, 5)} times=5 do=delay seconds={chance.uniform(0.02, 0.2):.2f}"
    return Fault("slow disk", rules, harmless=True)


def _late(chance: random.Random, layout: Layout) -> Fault:
    call = chance.choice(("send", "receive", "collective"))
    rules = f"rank={_anyone(chance, layout)} call={call} nth={_nth(chance, 20)} times=3 do=delay seconds=0.3"
    return Fault("late message", rules, harmless=True)


def _dropped(chance: random.Random, layout: Layout) -> Fault:
    call = chance.choice(("send", "receive", "collective"))
    rules = f"rank={_anyone(chance, layout)} call={call} nth={_nth(chance, 40)} do=drop"
    return Fault("dropped message", rules)


def _memory(chance: random.Random, layout: Layout) -> Fault:
    rules = f"rank={_anyone(chance, layout)} call=memory above=200000 nth={_nth(chance, 10)} do=fail"
    return Fault("no memory", rules)


_EIO = {"EIO": "Input/output error"}
_FULL = {"ENOSPC": "No space left on device", "EDQUOT": "Disk quota exceeded"}

KINDS: dict[str, Callable[[random.Random, Layout], Fault]] = {
    "kill -9": _kill,
    "SIGSTOP": _stop,
    "full disk": _full_disk,
    "quota": _quota,
    "write error": _Failing("write error", "write", _EIO | _FULL, 60),
    "fsync error": _Failing("fsync error", "fsync", _EIO, 40, "lose"),
    "close error": _lost_at_close,
    "dead syncfs": _dead_syncfs,
    "rename error": _Failing("rename error", "rename", _EIO | {"EACCES": "Permission denied"}, 8),
    "open error": _Failing("open error", "open", _EIO | {"EMFILE": "Too many open files"} | _FULL, 30),
    "mkdir error": _Failing("mkdir error", "mkdir", _EIO | _FULL, 4),
    "short write": _short,
    "EINTR": _interrupted,
    "slow disk": _slow,
    "late message": _late,
    "dropped message": _dropped,
    "no memory": _memory,
}
