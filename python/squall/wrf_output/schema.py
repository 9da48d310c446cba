"""What squall_io.toml may say. All that there is to know of a key stands below."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from squall.runs import wrf_run

FILE = wrf_run.SETTINGS

#: The engines and their codecs, the default first.
ENGINES: Mapping[str, tuple[str, ...]] = {
    "netcdf": ("none", "deflate", "zstd"),
    "netcdf-parallel": ("none", "deflate", "zstd"),
    "netcdf-split": ("none", "deflate", "zstd"),
    "pnetcdf": ("none",),
    "zarr": ("blosc-zstd", "zstd", "blosc-lz4", "none"),
    "adios": ("zstd", "lz4", "none"),
    "sst": ("none", "zstd", "lz4"),
    "null": ("none",),
}
_CODECS = sorted({codec for codecs in ENGINES.values() for codec in codecs})

#: The streams of WRF that may have a table [streams.NAME], and `all`, which counts for each of them.
AUXILIARY = 24
STREAMS = (
    "all", "history", "restart", *(f"auxhist{n}" for n in range(1, AUXILIARY + 1)), "input",
    *(f"auxinput{n}" for n in range(1, AUXILIARY + 1)), "boundary",
)  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """What a value must be: `takes` says it in words; `fits` tells whether it is."""

    takes: str
    fits: Callable[[Any], bool]


@dataclass(frozen=True)
class Key:
    """`default`: None where it depends on something else, or is nothing."""

    kind: Kind
    meaning: str
    default: Any = None


@dataclass(frozen=True)
class Table:
    keys: Mapping[str, Key]
    defaults: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        told = {name: key.default for name, key in self.keys.items() if key.default is not None}
        object.__setattr__(self, "defaults", told)


def _number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


def choice(*words: str) -> Kind:
    quoted = [f'"{word}"' for word in words]
    return Kind(f"{', '.join(quoted[:-1])} or {quoted[-1]}", lambda given: given in words)


def _is_size(given: Any) -> bool:
    if isinstance(given, str):
        return re.fullmatch(r"\d+\s*[kKMG]?", given) is not None and bytes_of(given) > 0
    return isinstance(given, int) and not isinstance(given, bool) and given > 0


def bytes_of(size: str | int) -> int:
    """Of a size that fits."""
    if isinstance(size, int):
        return size
    factor = {"k": 10, "m": 20, "g": 30}.get(size[-1].lower(), 0)
    return int(size.rstrip("kKMG")) << factor


SIZE = Kind('a number of bytes above 0, or one with k, M or G, such as "512M"', _is_size)
SECONDS = Kind("a number of seconds, 0 or more", lambda given: _number(given) and 0 <= given < float("inf"))
COUNT = Kind(
    "a whole number, 0 or more",
    lambda given: isinstance(given, int) and not isinstance(given, bool) and given >= 0,
)
TEXT = Kind("a text, not empty", lambda given: isinstance(given, str) and bool(given))
CODEC = Kind(
    f'"NAME" or "NAME:LEVEL", with NAME one of {", ".join(_CODECS)}',
    lambda given: (
        isinstance(given, str) and re.fullmatch(rf"({'|'.join(_CODECS)})(:-?\d+)?", given) is not None
    ),
)
OPTIONS = Kind(
    'a table of texts, such as { format = "netcdf4" }',
    lambda given: isinstance(given, dict) and all(isinstance(value, str) for value in given.values()),
)

#: Keys before any table.
SESSION = Table(
    {
        "staging_limit": Key(SIZE, "memory for frames in flight, on each rank", "4G"),
        "timeout": Key(SECONDS, "time after which a waiting rank gives up; 0: never", 0),
        "watchdog": Key(SECONDS, "time after which a waiting rank reports what it waits for", 60),
        "report": Key(TEXT, "file of the report on what output cost"),
        "servers": Key(COUNT, "ranks set aside to write, of those that mpiexec starts", 0),
        "servers_per_node": Key(COUNT, "the same on every node; not both", 0),
        "groups": Key(COUNT, "groups of servers, which take files in turn", 1),
    }
)

#: Keys of [streams.all] and of [streams.NAME], which comes before it.
STREAM = Table(
    {
        "engine": Key(choice(*ENGINES), "how frames are stored; default: that of WRF's layer"),
        "placement": Key(
            choice("inline", "thread", "servers"),
            "who writes: the ranks that compute, a thread beside each, or ranks of their own; "
            "default: servers where there are any, else thread",
        ),
        "codec": Key(CODEC, "compression; default: the engine's"),
        "options": Key(OPTIONS, "options of the engine"),
        "burst_dir": Key(TEXT, "directory to write to first"),
        "when_full": Key(
            choice("wait", "spill", "skip"), "what to do when memory for frames is full", "wait"
        ),
        "spill_dir": Key(TEXT, "directory on a local disk for spilled frames"),
        "on_error": Key(choice("abort", "continue"), "what to do when a frame cannot be written", "abort"),
        "staging_limit": Key(SIZE, "memory for frames of this stream, on each rank"),
        "directory": Key(TEXT, "where the files go; default: where WRF says"),
    }
)
