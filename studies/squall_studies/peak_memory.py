"""The most memory that a process of a run had, as the system counts it.

Also a program of its own, which stands before another: peak_memory.py FOLDER PROGRAM [WORD ...] runs that,
and leaves the bytes in FOLDER, in a file for each process. Of the standard library alone: it starts with
every rank.
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
    """Whoever is started so leaves its bytes in the folder, which is emptied."""
    from squall.runs.running import Watch

    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    return Watch(before=(sys.executable, "-S", str(Path(__file__).resolve()), str(folder.resolve())))


def most(folder: Path) -> int:
    """Bytes of the process with most. Raises ValueError where none has left any."""
    return max(int(file.read_text()) for file in folder.iterdir())


def _run(folder: str, words: list[str]) -> int:
    code = subprocess.call(words)
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # Linux's unit
    Path(folder, str(os.getpid())).write_text(str(1024 * kilobytes))
    return code


if __name__ == "__main__":
    sys.exit(_run(sys.argv[1], sys.argv[2:]))
