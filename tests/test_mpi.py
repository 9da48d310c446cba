"""Which MPI the programs run with."""

import os
import shutil
from pathlib import Path

import pytest

from squall import machine, mpi
from squall.errors import UserError


def a_program(path, text="#!/bin/sh\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("folder", ["lib", "lib64", "lib/release"])
def test_squall_mpi_comes_before_what_a_program_would_load(monkeypatch, tmp_path, folder):
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "libmpi.so.12").touch()
    monkeypatch.setenv("SQUALL_MPI", str(tmp_path))
    monkeypatch.setenv("LD_LIBRARY_PATH", "/before")
    mpi.choose()
    assert os.environ["LD_LIBRARY_PATH"] == f"{tmp_path / folder}:/before"


def test_squall_mpi_that_names_no_mpi_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("SQUALL_MPI", str(tmp_path))
    with pytest.raises(UserError, match=r"SQUALL_MPI names .* but neither there nor in its lib"):
        mpi.choose()


def test_what_a_program_loads_is_what_the_loader_finds():
    found = mpi.libraries(Path(shutil.which("true")))
    assert found["libc.so.6"].is_file()
    assert mpi.library(Path(shutil.which("true"))) is None


def test_a_library_that_is_nowhere_has_no_place(monkeypatch, tmp_path):
    said = "\\tlibmpi.so.12 => not found\\n\\tlibc.so.6 => /lib/libc.so.6 (0x00007f)\\n"
    program = a_program(tmp_path / "program", f"#!/bin/sh\nprintf '{said}'\n")
    monkeypatch.setattr(mpi.subprocess, "run", told(mpi.subprocess.run, program, said))
    assert mpi.library(program) == ("libmpi.so.12", None)


def told(run, program, said):
    """subprocess.run, with what the loader says of a program."""

    def answer(command, **options):
        if command == [program]:
            assert options["env"]["LD_TRACE_LOADED_OBJECTS"] == "1"
            return run(["printf", said], capture_output=True, text=True, check=True)
        return run(command, **options)

    return answer


def test_ranks_are_started_with_the_mpirun_of_the_library_that_is_loaded(monkeypatch, tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libmpi.so.12").touch()
    beside, on_path = a_program(tmp_path / "bin" / "mpiexec"), a_program(tmp_path / "path" / "mpirun")
    monkeypatch.setenv("PATH", str(on_path.parent))
    loaded = ("libmpi.so.12", tmp_path / "lib" / "libmpi.so.12")
    monkeypatch.setattr(mpi, "library", lambda program: loaded)
    assert mpi.mpirun(tmp_path / "squall-model") == str(beside)
    beside.unlink()
    assert mpi.mpirun(tmp_path / "squall-model") == str(on_path)
    assert mpi.mpirun(None) == str(on_path)


def test_the_version_of_hydra_is_told(monkeypatch, tmp_path):
    said = "HYDRA build details:\n    Version:                                 5.0.2\n    CC: gcc\n"
    mpirun = a_program(tmp_path / "mpirun", f"#!/bin/sh\ncat <<'END'\n{said}END\n")
    monkeypatch.setattr(mpi, "mpirun", lambda program: str(mpirun))
    launcher = machine.launcher()
    assert launcher.version == "HYDRA 5.0.2"
    assert launcher.is_hydra
    assert not launcher.is_open_mpi


def test_where_a_library_was_found_is_told_without_detours(monkeypatch, tmp_path):
    program = a_program(tmp_path / "bin" / "program")
    (tmp_path / "lib").mkdir()
    said = f"\\tlibmpi.so.12 => {tmp_path}/bin/../lib/libmpi.so.12 (0x00007f)\\n"
    monkeypatch.setattr(mpi.subprocess, "run", told(mpi.subprocess.run, program, said))
    assert mpi.library(program) == ("libmpi.so.12", tmp_path / "lib" / "libmpi.so.12")
