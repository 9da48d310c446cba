"""What the IOOS compliance checker minds of files of ours."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

KNOWN = re.compile(  # names that are WRF's own: tools know them
    r"\* global attribute [A-Z]+-[A-Z]+_\S+ should begin with a letter"
)


def minded_of(*files):
    """Lines of its reports on CF 1.8 but those that are known. Skips the test where it is not installed."""
    beside = Path(sys.executable).parent
    checker = shutil.which("compliance-checker", path=f"{beside}{os.pathsep}{os.environ['PATH']}")
    if checker is None:
        pytest.skip("the IOOS compliance checker is not installed (pip install compliance-checker)")
    said = subprocess.run(
        [checker, "--test=cf:1.8", *files], capture_output=True, text=True, timeout=300, check=False
    )
    assert said.stdout.count("Compliance Checker Report") == len(files), said.stderr
    return [line for line in said.stdout.splitlines() if line.startswith("* ") and not KNOWN.match(line)]
