"""Choices of output, measured one after the other: what is set up, and what is told."""

import json
from contextlib import nullcontext

import pytest

from squall.errors import UserError
from squall.lab.io import bench
from squall.lab.reproduce import choices, runner
from squall.lab.reproduce.item import Context
from squall.lab.workspace import Workspace

TIMES = bench.Frame(perceived=1.0, drain=3.0, copy=0.1, raw=0.5, raw_fsync=1.0)


@pytest.fixture
def context(tmp_path):
    return Context(Workspace(tmp_path), True, 1, lambda text: nullcontext())


@pytest.fixture
def setups(monkeypatch):
    """What was asked for; a frame takes 3 s."""
    asked = []

    def measure(setup, cell, interval, plain=True, growing=True):
        asked.append(setup)
        return bench.Measurement(cell, 100, 100, (TIMES,), 0, 1.0, 0, 0)

    monkeypatch.setattr(bench, "measure", measure)
    monkeypatch.setattr(bench, "engines", lambda: {"zarr": [], "netcdf": [], "adios": []})
    return asked


def rows(name, context):
    item = next(each for each in choices.ITEMS if each.name == name)
    found = json.loads(json.dumps(item.measure(context)))
    runner.figure(item, {"found": found})
    return item.tables(found)[0].rows


def test_two_groups_take_frames_in_turn(context, setups):
    found = rows("hector-groups", context)
    assert found[0][:4] == ["1 group, consecutive", "1000.0", "3.000", "3.000"]
    assert found[-1][:4] == ["2 groups, round-robin", "1000.0", "3.000", "1.500"]
    assert (setups[-1].servers, setups[-1].groups, setups[-1].assignment) == (2, 2, "round-robin")


def test_one_to_all_ranks_of_the_node_write_or_the_engine_is_missed(context, setups, monkeypatch):
    assert [row[0] for row in rows("adios2-aggregators", context)] == [f"{n} of 4 write" for n in (1, 2, 4)]
    assert [setup.options for setup in setups] == [(f"aggregators_per_node={n}",) for n in (1, 2, 4)]
    monkeypatch.setattr(bench, "engines", lambda: {"zarr": []})
    with pytest.raises(UserError, match="no engine adios"):
        rows("adios2-aggregators", context)


def test_every_engine_writes_directly_and_by_way_of_the_fast_directory(context, setups):
    assert len(rows("adios2-burst", context)) == 6
    assert [setup.burst is None for setup in setups] == [True, False] * 3
