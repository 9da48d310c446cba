"""Inputs as people have them: namelists, analyses, histories of other people's WRF. Each test names a trial of
shared/data/trials, whose README tells the command, what went wrong and what is right."""

from pathlib import Path

import pytest

TRIALS = Path(__file__).parents[3] / "shared" / "data" / "trials"


@pytest.fixture
def trial():
    """`trial("01-netcdf-taken-for-grib", "new_store.nc")`: that file, or the trial's folder without a name."""

    def find(name, *file):
        path = TRIALS.joinpath(name, *file)
        if not path.exists():
            pytest.skip(f"needs {path.relative_to(TRIALS.parents[2])}, which is not here")
        return path

    return find
