"""Inputs as people have them: namelists, analyses, histories of other people's WRF. Each test names a trial
of shared/data/trials, whose README tells the command, what went wrong and what is right."""

import importlib.util
from pathlib import Path

import pytest
from importing import Commands

from squall.errors import UserError
from squall.run_files import schema

TRIALS = Path(__file__).parents[3] / "shared" / "data" / "trials"


@pytest.fixture
def trial():
    """`trial("01-netcdf-taken-for-grib", "new_store.nc")`: that file, or without its name the folder."""

    def find(name, *file):
        path = TRIALS.joinpath(name, *file)
        if not path.exists():
            pytest.skip(f"needs {path.relative_to(TRIALS.parents[2])}, which is not here")
        return path

    return find


@pytest.fixture(scope="session")
def keys_of_run_files():
    try:
        return schema.load()
    except UserError:
        pytest.skip("squall-model is not built (make build)")


@pytest.fixture
def commands(tmp_path, capsys, monkeypatch, keys_of_run_files):
    """The commands that make run files, in this process."""
    monkeypatch.setattr(schema, "load", lambda: keys_of_run_files)
    return Commands(tmp_path, capsys)


@pytest.fixture(scope="session")
def wrfout():
    """Writes a small made-up WRF history: `wrfout(path, drop=("XTIME",), ...)`."""
    module = TRIALS / "wrfout.py"
    if not module.exists():
        pytest.skip(f"needs {module.relative_to(TRIALS.parents[2])}, which is not here")
    spec = importlib.util.spec_from_file_location("wrfout_of_trials", module)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)

    def write(path, **how):
        found.write(str(path), **how)
        return path

    return write
