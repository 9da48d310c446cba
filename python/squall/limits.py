"""Measures this machine's limits: memory bandwidth and peak arithmetic rate."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from collections.abc import Mapping
from typing import Any

from squall import locate
from squall.errors import UserError


def triad(cores: int) -> float:
    """Memory bandwidth of `cores` cores together [bytes/s]: the median over passes of the STREAM triad."""
    passes: list[float] = _measure("squall-triad", cores, {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"})[
        "bandwidth"
    ]
    return statistics.median(passes)


def peak(cores: int) -> float:
    """Peak arithmetic rate of `cores` cores [operations/s]: single-precision vector multiplications and
    additions, not fused."""
    rates: list[float] = _measure("squall-peak", cores, {})["operations_per_second"]
    return max(rates)


def _measure(name: str, cores: int, places: Mapping[str, str]) -> dict[str, Any]:
    program = locate.model_binary().with_name(name)
    if not program.is_file():
        raise UserError(f"The program {program} does not exist. Build it with `make build`.")
    environment = os.environ | {"OMP_NUM_THREADS": str(cores), **places}
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{program} failed with exit code {done.returncode}: {done.stderr.strip()}", 1)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured
