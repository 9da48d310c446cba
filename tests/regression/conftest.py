"""Where the runs of the regression tests go: a directory of their own, kept by pytest."""

import pytest

from squall.lab.workspace import Workspace


@pytest.fixture(scope="session")
def workspace(tmp_path_factory):
    return Workspace(tmp_path_factory.mktemp("verify"))
