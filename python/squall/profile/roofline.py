"""The roofline model: a run's counted operations and bytes against memory bandwidth and peak arithmetic rate
(Williams, Waterman and Patterson 2009)."""

from __future__ import annotations

import shutil
import subprocess
import textwrap
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from squall import machine
from squall.errors import UserError
from squall.plot import style

# Floating-point operations of one count of each event; perf knows the events of its processor.
_INTEL = {
    f"fp_arith_inst_retired.{name}": float(operations)
    for name, operations in {
        "scalar_single": 1, "128b_packed_single": 4, "256b_packed_single": 8, "512b_packed_single": 16,
        "scalar_double": 1, "128b_packed_double": 2, "256b_packed_double": 4, "512b_packed_double": 8,
    }.items()
}  # fmt: skip
_AMD = {"fp_ret_sse_avx_ops.all": 1.0}
_LINES = "cache-misses"  # of the last level: lines that come from memory
_LINE = 64.0  # B


@dataclass(frozen=True)
class Roofline:
    """Of all ranks of a node. Rates per second; counts are None where the processor's cannot be read, and
    `why_not` says so."""

    bandwidth: float
    peak: float
    seconds: float
    operations: float | None = None
    bytes: float | None = None
    why_not: str = ""

    @property
    def intensity(self) -> float | None:
        """Operations a byte."""
        return self.operations / self.bytes if self.operations and self.bytes else None


def events() -> dict[str, float]:
    """What counts operations on this processor, with what one count is worth."""
    return _AMD if "AMD" in machine.processor() else _INTEL


def why_not() -> str:
    """Why this machine's counters cannot be read; empty: they can."""
    perf = shutil.which("perf")
    if perf is None:
        return "perf, which reads the processor's counters, is not installed (Debian: linux-perf)."
    names = ",".join([*events(), _LINES])
    done = subprocess.run(
        [perf, "stat", "-x", ",", "-e", names, "true"], capture_output=True, text=True, check=False
    )
    if "event syntax error" in done.stderr:
        return "perf has no arithmetic events for this processor (a virtual machine may hide them)."
    if done.returncode != 0:
        return f"perf cannot count here: {(done.stderr.strip().splitlines() or ['it failed'])[0]}"
    missing = [line.split(",")[2] for line in done.stderr.splitlines() if "<not " in line]
    if missing:
        return f"This machine (perhaps a virtual one) does not allow the processor to count {missing[0]}."
    return ""


def prefix(folder: Path) -> list[str]:
    """Words before a program with which each process leaves its counts in a file of its own."""
    names = ",".join([*events(), _LINES])
    script = f'exec perf stat -x , -e {names} -o "$0/perf-$$.txt" "$@"'
    return ["sh", "-c", script, str(folder)]


def counts(folder: Path) -> tuple[float, float]:
    """Operations and bytes of what `prefix` left there, summed. Raises UserError where that is not perf's."""
    operations = amount = 0.0
    files = sorted(folder.glob("perf-*.txt"))
    if not files:
        raise UserError(f"{folder} has no counts of perf.")
    for file in files:
        for value, event in _lines(file):
            operations += value * events().get(event, 0.0)
            amount += value * _LINE * (event == _LINES)
    return operations, amount


def _lines(file: Path) -> list[tuple[float, str]]:
    found = []
    for line in file.read_text().splitlines():
        cells = line.split(",")
        if len(cells) > 2 and not line.startswith("#"):
            try:
                found.append((float(cells[0]), cells[2].partition(":")[0]))
            except ValueError:
                raise UserError(f"{file}: perf did not count {cells[2]}: {cells[0]}") from None
    return found


def draw(axes: Axes, roof: Roofline) -> None:
    """What the machine allows, and the run below it; where nothing was counted, why."""
    style.plain(axes, "both")
    ridge = roof.peak / roof.bandwidth
    intensity = roof.intensity or ridge
    x = np.geomspace(min(intensity, ridge) / 8, max(intensity, ridge) * 8, 100)
    axes.loglog(x, np.minimum(roof.peak, x * roof.bandwidth) / 1e9, color=style.INK)
    if roof.operations:
        reached = roof.operations / roof.seconds / 1e9
        axes.plot(intensity, reached, "o", color="C1")
        axes.annotate("this run", (intensity, reached), (5, -10), textcoords="offset points")
    else:
        words = textwrap.fill(f"The run is not shown: {roof.why_not}", 40)
        axes.text(0.97, 0.05, words, transform=axes.transAxes, ha="right", fontsize=7)
    axes.set(title="Roofline", xlabel="operations per byte", ylabel="10^9 operations per second")
