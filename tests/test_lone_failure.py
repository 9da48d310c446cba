"""What fails on one rank alone ends the run on all, with a word on what it was."""

import os
import subprocess
import time

import pytest

from squall import locate
from squall.errors import UserError
from squall.runs import launch

try:
    MODEL = locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)


def test_a_rank_without_memory_ends_the_run_and_says_so(tmp_path):
    """One of two ranks may have some 600 MB, of which MPI and the libraries take a part; it wants 1.6 GB."""
    program = tmp_path / "limited"
    program.write_text(
        "#!/bin/sh\n"
        'rank="${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"\n'
        '[ "$rank" != 1 ] || ulimit -v 1200000\n'
        f'exec {MODEL} "$@"\n'
    )
    program.chmod(0o755)
    arguments = [
        str(locate.run_file("supercell")), "--set", f"run.directory={tmp_path / 'out'}",
        "--set", "domain.nx=300", "--set", "domain.ny=300", "--set", "domain.nz=60",
    ]  # fmt: skip
    start = launch.prepare(program, arguments, 2, 1)
    began = time.monotonic()
    done = subprocess.run(
        start.command,
        env=os.environ | start.environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode != 0, said
    assert "rank 1 got no more memory: --plan tells what the run needs" in said
    assert time.monotonic() - began < 90
