"""What the tests of the studies share; tests/command.py is the other tests', too."""

from contextlib import nullcontext

import pytest

from command import squall
from squall.lab.workspace import Workspace
from squall_studies.reproduce.item import Context

__all__ = ["squall"]


@pytest.fixture
def context(tmp_path):
    """What items of `squall lab reproduce` are measured in: all of each, once."""
    return Context(Workspace(tmp_path), False, 1, lambda text: nullcontext())
