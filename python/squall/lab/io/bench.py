"""Starts `squall-io-bench` and reads its results."""

import json
import math
import statistics
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from squall import locate
from squall.errors import UserError
from squall.runs import launch

STAGING_LIMIT = 256 << 20
# Engines that show frames in a file that goes on; the others are measured with a file per frame.
GROWING = ("zarr",)


@dataclass(frozen=True)
class Setup:
    """What is measured, but for engine, placement and codec."""

    directory: Path
    size: tuple[int, int, int] = (200, 200, 50)
    fields: int = 15
    frames: int = 6
    ranks: int = 2
    servers: int = 1
    file: Path | None = None
    messages: bool = False  # servers receive messages, also from ranks of their node
    groups: int = 1  # of servers
    assignment: str = "consecutive"  # of slabs to servers; or round-robin
    options: tuple[str, ...] = ()  # of the engine, each "key=value"
    burst: Path | None = None  # where files are written first


@dataclass(frozen=True)
class Combination:
    """A cell of the matrix. `codec` is "name" or "name:level"."""

    engine: str
    placement: str
    codec: str

    def __str__(self) -> str:
        return f"{self.engine}, {self.placement}, {self.codec}"


@dataclass(frozen=True)
class Frame:
    """Seconds, of the slowest rank."""

    perceived: float
    drain: float
    copy: float
    raw: float
    raw_fsync: float
    baseline: float | None = None


@dataclass(frozen=True)
class Measurement:
    """Medians over all frames but the first."""

    combination: Combination
    bytes: int
    stored_bytes: int
    frames: tuple[Frame, ...]
    waits: int
    interval: float
    memory: int
    server_memory: int

    @property
    def perceived(self) -> float:
        return self._median(lambda frame: frame.perceived)

    @property
    def drain(self) -> float:
        return self._median(lambda frame: frame.drain)

    @property
    def copy(self) -> float:
        return self._median(lambda frame: frame.copy)

    @property
    def raw(self) -> float:
        return self._median(lambda frame: frame.raw)

    @property
    def raw_fsync(self) -> float:
        return self._median(lambda frame: frame.raw_fsync)

    @property
    def in_copies(self) -> float:
        """Perceived time over that of one copy."""
        return self._median(lambda frame: frame.perceived / frame.copy)

    @property
    def of_baseline(self) -> float | None:
        """Bandwidth over that of the library's plain loop."""
        if self.frames[-1].baseline is None:
            return None
        return self._median(lambda frame: (frame.baseline or 0) / frame.drain)

    @property
    def library_of_raw(self) -> float | None:
        """Bandwidth of the library's plain loop over that of raw writes with fsync: what it could reach."""
        if self.frames[-1].baseline is None:
            return None
        return self._median(lambda frame: frame.raw_fsync / (frame.baseline or math.inf))

    @property
    def of_raw(self) -> float:
        """Bandwidth over that of raw writes with fsync."""
        return self._median(lambda frame: frame.raw_fsync / frame.drain)

    @property
    def bandwidth(self) -> float:
        """Bytes of the fields per second until they are on disk."""
        return self.bytes / self.drain

    @property
    def fits(self) -> bool:
        """Whether frames were on disk before the next came."""
        return max(frame.drain for frame in self.frames) <= self.interval

    def _median(self, value: Callable[[Frame], float]) -> float:
        return statistics.median(value(frame) for frame in self.frames[1:] or self.frames)


def read(file: Path) -> list[Measurement]:
    """What `squall lab io --results` wrote. Raises UserError for another file."""
    try:
        found = json.loads(file.read_text())["measurements"]
        return [
            Measurement(
                **{field.name: m[field.name] for field in fields(Measurement)}
                | {
                    "combination": Combination(**m["combination"]),
                    "frames": tuple(Frame(**frame) for frame in m["frames"]),
                }
            )
            for m in found
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} was not written by `squall lab io --results`: {error!r}") from None


def program() -> Path:
    """The program; it is built with the model and not installed. Raises UserError."""
    path = locate.model_binary().parents[1] / "io" / "bench" / "squall-io-bench"
    if not path.is_file():
        raise UserError(f"The program {path} does not exist. Build it with `make build` in a checkout.")
    return path


def engines() -> dict[str, list[str]]:
    """The codecs of the engines in this build, the default first."""
    done = subprocess.run([program(), "--engines"], capture_output=True, text=True, check=True)
    return {engine["name"]: engine["codecs"] for engine in json.loads(done.stdout) if not engine["missing"]}


def measure(
    setup: Setup, combination: Combination, interval: float, plain: bool = True, growing: bool = True
) -> Measurement:
    """Computes `interval` seconds before each frame; `plain`: inline beside the library's plain loop;
    `growing`: all frames in one file where the engine shows them in one that goes on, else a file each.

    Raises UserError with what the program said.
    """
    result = setup.directory / "bench.json"
    arguments = [
        *("--engine", combination.engine, "--placement", combination.placement, "--codec", combination.codec),
        *("--directory", str(setup.directory / "bench"), "--json", str(result)),
        *("--size", *map(str, setup.size), "--fields", str(setup.fields), "--frames", str(setup.frames)),
        *("--frames-per-file", str(setup.frames if growing and combination.engine in GROWING else 1)),
        *("--interval", f"{interval:.2f}", "--staging-limit", str(STAGING_LIMIT)),
    ]
    if setup.file:
        arguments += ["--file", str(setup.file)]
    if plain and combination.placement == "inline":
        arguments.append("--baseline")
    servers = setup.servers if combination.placement == "servers" else 0
    if servers:
        arguments += ["--servers", str(servers), "--groups", str(setup.groups)]
        arguments += ["--assignment", setup.assignment]
    if setup.messages:
        arguments.append("--messages")
    if setup.burst:
        arguments += ["--burst-directory", str(setup.burst)]
    arguments += [word for option in setup.options for word in ("--option", option)]
    setup.directory.mkdir(parents=True, exist_ok=True)
    result.unlink(missing_ok=True)
    _execute(launch.prepare(program(), arguments, setup.ranks + servers, 1), combination)
    found = json.loads(result.read_text())
    result.unlink()
    return _read(found, combination)


def _execute(start: launch.Start, combination: Combination) -> None:
    done = subprocess.run(
        start.command,
        env=start.whole_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = "\n".join(done.stdout.splitlines()[-8:])
        raise UserError(f"{combination} failed with exit code {done.returncode}:\n{said}", 1)


def _read(found: dict[str, Any], combination: Combination) -> Measurement:
    return Measurement(
        combination=combination,
        bytes=found["bytes"],
        stored_bytes=found["stored_bytes"],
        frames=tuple(Frame(**frame) for frame in found["frames"]),
        waits=found["waits"],
        interval=found["interval"],
        memory=found["memory"]["computing"],
        server_memory=found["memory"]["server"],
    )


def quick(setup: Setup) -> Setup:
    """A look at every combination: few points, few frames."""
    return replace(setup, size=(60, 60, 30), fields=4, frames=3)
