"""The command `squall`, as tests run it: also those of the studies."""

import os
import subprocess
import sys

import pytest


@pytest.fixture
def squall(tmp_path):
    """Runs the command `squall` in an empty directory; returns the finished process."""

    def run(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-c", "from squall.cli import main; main()", *map(str, arguments)],
            cwd=tmp_path,
            env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"} | environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run
