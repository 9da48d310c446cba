"""Runs WRF in a folder of its own, and reads what it says of its times and what it wrote."""

import fnmatch
import re
import statistics
import subprocess
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from squall.runs import launch
from squall.runs.report import stored_size
from squall.wrf_output.builds import with_all_of_the_stack
from squall.wrf_output.schema import FILE

_DONE = "SUCCESS COMPLETE WRF"
_TAIL = 10  # lines
_LOG = "squall-wrf-time.log"
#: What a run writes; a link to it would let WRF write into the folder that it was copied from.
_WRITTEN = (
    "namelist.input", "namelist.output", FILE, _LOG, "rsl.*", "wrfout*", "auxhist*", "*.d[0-9][0-9].*"
)  # fmt: skip
_WRITE = re.compile(r"Timing for Writing wrfout\S* for domain +1: +([\d.]+) elapsed")
_STEP = re.compile(r"Timing for main.* on domain +1: +([\d.]+) elapsed")
_FRAME = re.compile(r"wrfout_d01_(\d+-\d\d-\d\d_\d\d.\d\d.\d\d)(?:_\d{4,})?")


class Failed(Exception):
    """A run that did not come to its end; what it said last."""


@dataclass(frozen=True)
class Run:
    """Seconds of the whole run, of each write of a history file of the outermost domain, and of each of its
    steps. Bytes of a frame's largest file and of all its files: medians over the frames."""

    seconds: float
    writes: Sequence[float]
    steps: Sequence[float]
    file_bytes: float
    frame_bytes: float


def prepare(folder: Path, original: Path, namelist: str, settings: str | None) -> None:
    """Makes a folder with links to all that a run needs, and with its own settings."""
    folder.mkdir()
    for entry in original.absolute().iterdir():
        if not any(fnmatch.fnmatch(entry.name, pattern) for pattern in _WRITTEN):
            (folder / entry.name).symlink_to(entry)
    (folder / "namelist.input").write_text(namelist)
    if settings is not None:
        (folder / FILE).write_text(settings)


def run(folder: Path, start: launch.Start) -> Run:
    """Raises Failed."""
    begun = time.perf_counter()
    with (folder / _LOG).open("wb") as log:
        process = subprocess.Popen(
            start.command, cwd=folder, env=start.whole_environment(), stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT, preexec_fn=with_all_of_the_stack,
        )  # fmt: skip
        try:
            code = process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
    seconds = time.perf_counter() - begun
    said = _said(folder)
    if code or _DONE not in said:
        raise Failed(_end(folder, said, code))
    frames = list(frames_in(folder).values())
    sizes = [[stored_size(path) for path in frame] for frame in frames] or [[0]]
    return Run(
        seconds,
        [float(found) for found in _WRITE.findall(said)],
        [float(found) for found in _STEP.findall(said)],
        statistics.median(max(frame) for frame in sizes),
        statistics.median(sum(frame) for frame in sizes),
    )


def frames_in(folder: Path) -> dict[str, list[Path]]:
    """The files of each frame of the outermost domain, by date."""
    frames = defaultdict(list)
    for path in sorted(folder.iterdir()):
        if found := _FRAME.fullmatch(path.name):
            frames[found[1]].append(path)
    return dict(sorted(frames.items()))


def _said(folder: Path) -> str:
    """By rank 0; a serial WRF has no file for it."""
    rsl = folder / "rsl.error.0000"
    return (rsl if rsl.exists() else folder / _LOG).read_text(errors="replace")


def _end(folder: Path, said: str, code: int) -> str:
    lines = said.splitlines()[-_TAIL:]
    if (folder / "rsl.error.0000").exists():
        lines += (folder / _LOG).read_text(errors="replace").splitlines()[-_TAIL:]
    return "\n".join([f"It ended with exit code {code}, and said at last:", *lines])
