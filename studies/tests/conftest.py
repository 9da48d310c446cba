"""What the tests of the studies share; helpers of tests/ are theirs, too."""

from contextlib import nullcontext
from pathlib import Path

import pytest

import commands
from squall.lab.workspace import Workspace
from squall_studies.reproduce.item import Context


def pytest_itemcollected(item):
    """They are of the last tier: users of Squall need none of what they test."""
    if item.path.is_relative_to(Path(__file__).parent):
        item.add_marker(pytest.mark.long)


@pytest.fixture
def context(tmp_path):
    """What items of `squall lab reproduce` are measured in: all of each, once."""
    return Context(Workspace(tmp_path), False, 1, lambda text: nullcontext())


@pytest.fixture
def squall(tmp_path):
    """Runs the command `squall` in an empty directory; returns the finished process."""

    def run(*arguments, **environment):
        return commands.squall(arguments, tmp_path, **environment)

    return run
