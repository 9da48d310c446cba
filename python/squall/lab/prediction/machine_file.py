"""The machine file: what was measured of a node, in the words of `squall plan`; and what it tells later."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from squall import machine
from squall.errors import UserError
from squall.lab.prediction.measured import (
    Cost,
    Measured,
    codecs,
    copy_alone,
    crossing_alone,
    plain,
    seen,
    serialising,
    together,
)
from squall.lab.prediction.steps import Pair
from squall.run_files.run_file import Line, render, toml, write_new

LETTER = 5e-6  # s that a letter takes of a server; assumed
_ASSUMED = "assumed"


@dataclass(frozen=True)
class Cluster:
    """What one machine cannot tell of many. Bandwidths in B/s, times in s; storage None: as the disk that
    was written to."""

    nodes: int = 1
    network: float = 12.5e9
    latency: float = 2e-6
    storage: float | None = None


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
    within = "included in the rates of the engines"
    nic = "" if cluster.nodes > 1 else f"{_ASSUMED}; not used on one node"
    total, _ = machine.memory()
    return {
        "nodes": [
            Line("count", str(cluster.nodes)),
            Line("cores", str(measured.several.cores)),
            Line("memory", _number(total * 2**30)),
            Line(
                "bandwidth",
                _number(together(measured)),
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


def engine_rates(measured: Measured) -> dict[str, float]:
    """B/s that a writer serialises, by engine."""
    return {"null": copy_alone(measured)} | {
        m.combination.engine: serialising(measured, m) for m in plain(measured.frames)
    }


def _calibration(measured: Measured, source: str) -> dict[str, list[Line]]:
    engines = engine_rates(measured)
    crossing = crossing_alone(measured)
    tables = {
        "calibration": [
            Line("source", toml(source)),
            Line("bytes_per_cell_step", _number(measured.one.bytes), f"of bandwidth, {measured.one.domain}"),
            Line("core_bandwidth", _number(measured.one.bandwidth)),
            Line("copy", _number(copy_alone(measured)), "into the stage, one core alone"),
            *([Line("crossing", _number(crossing), "from another rank of the node")] if crossing else []),
            Line("letter", _number(LETTER), f"of a server, {_ASSUMED}"),
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
            Line(toml(name), _seen_line(one, several)) for name, (one, several) in seen(measured).items()
        ],
        "calibration.steps": [
            Line(toml(str(ranks)), f"{{ large = {_number(seen.large)}, small = {_number(seen.small)} }}")
            for ranks, seen in measured.steps.items()
        ],
        "calibration.codecs": [],
    }
    for name, (rate, ratio) in codecs(measured).items():
        tables["calibration.codecs"].append(
            Line(toml(name), f"{{ rate = {_number(rate)}, ratio = {_number(ratio)} }}")
        )
    return tables


def _seen_line(one: Pair, several: Pair) -> str:
    keys = [
        f"{name} = {{ large = {_number(pair.large)}, small = {_number(pair.small)} }}"
        for name, pair in (("one", one), ("several", several))
    ]
    return f"{{ {', '.join(keys)} }}"


@dataclass(frozen=True)
class SeenFrames:
    """Of an engine, as a machine file tells: what frames took of one rank and of several, and their costs."""

    one: Pair
    several: Pair
    cost: Cost


def seen_frames(file: Path) -> dict[str, SeenFrames]:
    """The same of a machine file, by engine; empty where it tells nothing of that."""
    told = tomllib.loads(file.read_text()).get("calibration", {})
    costs = told.get("frames", {})
    return {
        name: SeenFrames(Pair(**of["one"]), Pair(**of["several"]), Cost(**costs.get(name, {})))
        for name, of in told.get("seen", {}).items()
    }


def require_engines(file: Path, engines: Sequence[str]) -> None:
    """Raises UserError where the file has a calibration without one of them."""
    told = tomllib.loads(file.read_text()).get("calibration", {}).get("engines")
    missing = [name for name in engines if told is not None and name not in told]
    if missing:
        raise UserError(
            f"{file} was calibrated without frames of {', '.join(missing)}; choose other engines (--engines "
            f"{','.join(name for name in told if name != 'null')}), or calibrate again on an idle machine."
        )


def seen_steps(file: Path) -> dict[int, Pair]:
    """What steps took by so many ranks; empty where the machine file tells nothing of that."""
    told = tomllib.loads(file.read_text()).get("calibration", {}).get("steps", {})
    return {int(ranks): Pair(float(of["large"]), float(of["small"])) for ranks, of in told.items()}


def _number(value: float) -> str:
    return f"{value:.4g}"
