"""Runs of squall-transport in tests."""

import subprocess

from squall import locate
from squall.runs import launch


def carry(file, ranks=1, arguments=()):
    """The ended process of a run file, in its folder, of ranks with a thread each."""
    words = [str(file), "--threads", "1", *map(str, arguments)]
    begun = launch.prepare(locate.transport_binary(), words, ranks, 1)
    return subprocess.run(
        begun.command,
        capture_output=True,
        text=True,
        check=False,
        cwd=file.parent,
        env=begun.whole_environment(),
    )
