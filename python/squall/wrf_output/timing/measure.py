"""Times the variants in turn, round after round, after a round that compares what they write."""

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from squall.errors import UserError
from squall.runs import launch
from squall.wrf_output.compare import compare
from squall.wrf_output.contents import opened
from squall.wrf_output.timing import runs
from squall.wrf_output.timing.programs import Programs
from squall.wrf_output.timing.runs import Failed, Run
from squall.wrf_output.timing.variants import NONE, REFERENCE, Namelists, Variant


@dataclass(frozen=True)
class Setup:
    """`folder`: that of the run. `scratch`: where variants run, each in a folder that is removed after it."""

    folder: Path
    programs: Programs
    variants: Sequence[Variant]
    ranks: int
    repeat: int
    scratch: Path


@dataclass
class Measured:
    """`compared`: with WRF's own io_form 2, in words. `difference`: the first one. `failure`: why there are
    no more runs."""

    variant: Variant
    runs: list[Run] = field(default_factory=list)
    compared: str = ""
    difference: str = ""
    failure: str = ""

    @property
    def first(self) -> float | None:
        """Seconds of the first write, which opens and defines."""
        return _median([run.writes[0] for run in self.runs if run.writes])

    @property
    def writes(self) -> list[float]:
        """Seconds of all others."""
        return [seconds for run in self.runs for seconds in run.writes[1:]]

    @property
    def write(self) -> float | None:
        return _median(self.writes)

    @property
    def largest(self) -> float | None:
        return max(self.writes, default=None)

    @property
    def whole(self) -> float | None:
        """Seconds of the run from its start to its end."""
        return _median([run.seconds for run in self.runs])

    @property
    def file_bytes(self) -> float | None:
        return _median([run.file_bytes for run in self.runs])

    @property
    def frame_bytes(self) -> float | None:
        return _median([run.frame_bytes for run in self.runs])


@dataclass
class Result:
    """`values`: bytes of a frame's values, without compression; 0: no frame could be read. `copy`: seconds of
    a copy of a rank's part of them in memory. `stopped`: what ended this early."""

    setup: Setup
    measured: Sequence[Measured]
    values: int = 0
    copy: float | None = None
    stopped: SystemExit | None = None

    def of(self, variant: Variant) -> Measured | None:
        return next((m for m in self.measured if m.variant == variant), None)

    def less(self, m: Measured) -> float | None:
        """How many times less than WRF's own io_form 2 a write takes."""
        reference = self.of(REFERENCE)
        return _ratio(reference.write if reference else None, m.write)

    def slower(self, m: Measured) -> float | None:
        """How many times as long as the run without output the run takes."""
        none = self.of(NONE)
        return _ratio(m.whole, none.whole if none else None)


def _median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def _ratio(a: float | None, b: float | None) -> float | None:
    return a / b if a is not None and b else None


Told = Callable[[str], None]


def measure(setup: Setup, told: Told) -> Result:
    """`told`: takes what is being done. Failures of variants are in the result, and so is a SystemExit (by
    the handler of a signal), which ends the runs. Raises UserError."""
    namelists = Namelists.of(setup.folder)
    result = Result(setup, [Measured(variant) for variant in setup.variants])
    try:
        with tempfile.TemporaryDirectory(dir=setup.scratch, prefix="wrf-time-") as scratch:
            _rounds(result, _Runner(setup, namelists, Path(scratch)), told)
    except SystemExit as end:
        result.stopped = end
    return result


def _rounds(result: Result, runner: "_Runner", told: Told) -> None:
    setup = result.setup
    _compare(result, runner, told)
    if result.values:
        result.copy = copy_seconds(result.values // setup.ranks)
    for number in range(setup.repeat):
        for m in result.measured[:: -1 if number % 2 else 1]:  # drifts of the machine cancel
            if not m.failure:
                told(f"round {number + 1} of {setup.repeat}: {m.variant.name} {m.variant.placement}")
                _time(m, runner)


@dataclass(frozen=True)
class _Runner:
    setup: Setup
    namelists: Namelists
    scratch: Path

    @contextmanager
    def done(self, variant: Variant, short: bool = False) -> Iterator[tuple[Path, Run]]:
        """The folder of a run that has ended, which goes with the context. Raises Failed."""
        folder = self.scratch / "run"
        try:
            text = self.namelists.text(variant, short)
            runs.prepare(folder, self.setup.folder, text, variant.settings())
            yield folder, runs.run(folder, start(self.setup, variant))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def start(setup: Setup, variant: Variant) -> launch.Start:
    """As many ranks compute in every variant; servers come in addition."""
    program = setup.programs.squall if variant.placement else setup.programs.wrf
    return launch.prepare(program, [], setup.ranks + variant.servers, threads=1)


def _time(m: Measured, runner: _Runner) -> None:
    try:
        with runner.done(m.variant) as (_, run):
            m.runs.append(run)
    except Failed as failed:
        m.failure = str(failed)


def _compare(result: Result, runner: _Runner, told: Told) -> None:
    """A short run of each variant, whose last frame is compared with the reference's."""
    reference: Path | None = None
    for m in sorted(result.measured, key=lambda m: m.variant != REFERENCE):
        if m.variant == NONE:
            continue
        told(f"compares: {m.variant.name} {m.variant.placement}")
        try:
            with runner.done(m.variant, short=True) as (folder, _):
                frame = list(runs.frames_in(folder).values())[-1:]
                if not frame:
                    m.failure = "It wrote no history file wrfout_d01_<date>."
                elif m.variant.in_pieces:
                    m.compared = "in pieces"
                elif m.variant == REFERENCE:
                    reference = Path(shutil.move(frame[0][0], runner.scratch / "reference.nc"))
                    result.values = _values(reference)
                    m.compared = "the reference"
                else:
                    result.values = result.values or _values(frame[0][0])
                    _compare_frame(m, reference, frame[0][0])
        except Failed as failed:
            m.failure = str(failed)
    if reference is not None:
        reference.unlink()


def _compare_frame(m: Measured, reference: Path | None, frame: Path) -> None:
    if reference is None:
        return
    try:
        found = compare(reference, frame)
    except UserError as error:
        m.compared, m.difference = "cannot be read", str(error)
        return
    m.compared = "equal" if found.same else "differs"
    if not found.same:
        m.difference = "; ".join(line.strip() for line in found.differences[0].lines)


def _values(frame: Path) -> int:
    try:
        with opened(frame) as contents:
            return sum(variable.size * variable.item for variable in contents.variables.values())
    except UserError:
        return 0


def copy_seconds(size: int, times: int = 7) -> float:
    """Of one copy of so many bytes in memory that has been touched; the median."""
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    seconds = []
    for _ in range(times):
        begun = time.perf_counter()
        np.copyto(target, source)
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds)
