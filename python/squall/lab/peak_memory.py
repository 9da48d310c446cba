"""Measures the peak memory of a run's processes, as counted by the operating system.

Also a wrapper program: peak_memory.py FOLDER PROGRAM [WORD ...] runs the program and writes its peak memory
in bytes to FOLDER, one file per process. It uses only the standard library, because it starts with every
rank.
"""

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from squall.runs.running import Watch


def watching(folder: Path) -> "Watch":
    """The watch that makes each process write its peak memory to the folder, which is emptied first."""
    from squall.runs.running import Watch

    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    return Watch(before=(sys.executable, "-S", str(Path(__file__).resolve()), str(folder.resolve())))


def most(folder: Path) -> int:
    """The largest peak memory of a process [bytes]. Raises ValueError if no process wrote one."""
    return max(int(file.read_text()) for file in folder.iterdir())


def _run(folder: str, words: list[str]) -> int:
    code = subprocess.call(words)
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # Linux's unit
    Path(folder, str(os.getpid())).write_text(str(1024 * kilobytes))
    return code


if __name__ == "__main__":
    sys.exit(_run(sys.argv[1], sys.argv[2:]))
