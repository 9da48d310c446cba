"""squall_io as it is installed, and programs that use it."""

import importlib.util
import os
import shutil
import subprocess
import sys

import pytest

MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def execute(*command, **environment):
    said = subprocess.run(
        list(map(str, command)),
        env=os.environ | MPI | environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout + said.stderr
    return said


def need(language):
    if language == "f90" and not shutil.which("gfortran"):
        pytest.skip("gfortran is not here: sudo apt-get install gfortran")
    if language == "py" and not importlib.util.find_spec("mpi4py"):
        pytest.skip("mpi4py is not here: pip install mpi4py")


def in_python(program, prefix, tmp_path, ranks=1):
    """What a Python program prints, under mpirun: MPI is initialised once a process."""
    library = next(prefix.glob("lib*/**/libsquall_io.so"))
    script = tmp_path / "program.py"
    script.write_text(program)
    line = ("mpirun", "-n", ranks, "--oversubscribe", sys.executable, script, tmp_path)
    return execute(*line, SQUALL_IO_LIBRARY=str(library)).stdout
