"""One rank reads what a run file says and the small files that it names; the others are told."""

import os
import subprocess

import pytest

from squall import locate
from squall.errors import UserError
from squall.runs import launch

pytestmark = pytest.mark.regression

try:
    MODEL = locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

RUN_FILE = """
[run]
duration = "24 s"
time_step = "12 s"
acoustic_substeps = 6

[domain]
nx = 20
ny = 20
nz = 12
dx = "2 km"

[vertical]
top = "12 km"

[physics]
microphysics = "kessler"

[initial]
case = "supercell"
sounding = "air.txt"

[output.history]
interval = "24 s"

[output.places]
interval = "24 s"
stations = "stations.csv"
fields = ["U"]
"""


@pytest.fixture
def apart(tmp_path):
    """A program that stands in the folder of the run file on rank 0, and where there is nothing on rank 1."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "storm.toml").write_text(RUN_FILE)
    levels = "\n".join(f"{z} {300 + 4e-3 * z} {14 * 0.8 ** (z / 1000)} 5 0" for z in range(0, 16000, 500))
    (tmp_path / "air.txt").write_text(f"1000 300 14\n{levels}\n")
    (tmp_path / "stations.csv").write_text("name,x,y\nhere,9000,9000\n")
    program = tmp_path / "apart"
    program.write_text(
        "#!/bin/sh\n"
        f'cd "{tmp_path}"\n'
        '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 1 ] || cd empty\n'
        f'exec {MODEL} "$@"\n'
    )
    program.chmod(0o755)

    def run(run_file, *more):
        arguments = [run_file, "--set", f"run.directory={tmp_path / 'out'}", *more]
        start = launch.prepare(program, arguments, 2, 1)
        return subprocess.run(
            start.command,
            env=os.environ | start.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


def test_a_rank_that_has_none_of_the_files_runs_with_what_the_first_has_read(apart, tmp_path):
    done = apart("storm.toml", "--set", "output.history.frames_per_file=10")
    assert done.returncode == 0, done.stderr
    told = (tmp_path / "out" / "run.toml").read_text()
    assert told.endswith("# run with --set output.history.frames_per_file=10\n" + RUN_FILE)


def test_what_is_wrong_with_a_run_file_is_said_once(apart):
    done = apart("storm.toml", "--set", "run.time_stepp=12 s")
    assert done.returncode == 2
    assert done.stderr.count("unknown key") == 1, done.stderr
    done = apart("nowhere.toml")
    assert done.returncode == 2
    assert done.stderr.count("cannot read the run file") == 1, done.stderr
