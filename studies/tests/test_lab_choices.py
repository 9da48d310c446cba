"""Choices of output, measured one after the other: what is set up, and what is told."""

import json
import math
import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from squall.errors import UserError
from squall.lab.io import bench
from squall.lab.workspace import Workspace
from squall_studies.reproduce import choices, runner, stripes
from squall_studies.reproduce.item import Context

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


def a_frame_dealt_out(context, monkeypatch, kind):
    monkeypatch.setattr(stripes, "file_system", lambda directory: kind)
    found = json.loads(json.dumps(stripes.ITEMS[0].measure(context)))
    runner.figure(stripes.ITEMS[0], {"found": found})
    return found, stripes.ITEMS[0].tables(found)


def test_a_file_system_without_stripes_says_so_and_a_frame_is_dealt_out_to_files(context, monkeypatch):
    dealt = []
    deal = stripes._deal

    def watched(directory, stripe, frame, count):
        dealt.append((len(stripe) >> 20, frame, count))
        deal(directory, stripe, frame, count)

    monkeypatch.setattr(stripes, "_deal", watched)
    _, (times, told) = a_frame_dealt_out(context, monkeypatch, "ext4")
    assert times.columns == ["", "1 files", "2 files"]
    assert [row[0] for row in times.rows] == ["dealt out to files, 1 MiB", "dealt out to files, 16 MiB"]
    assert "ext4 has no stripes" in told.rows[0][0]
    assert "hector-simulated-stripes" in told.rows[0][0]
    setup = stripes.writing.setup(context)
    frame = 4 * setup.fields * math.prod(setup.size)
    assert set(dealt) == {(size, frame, count) for size in (1, 16) for count in (1, 2)}
    assert not list(context.workspace.directory.glob("target-*"))


def test_all_stripes_of_a_frame_go_to_the_files_in_turn(tmp_path, monkeypatch):
    sizes = {}
    monkeypatch.setattr(Path, "unlink", lambda path: sizes.update({path.name: path.stat().st_size}))
    stripes._deal(tmp_path, b"1234", 26, 3)
    assert sizes == {"target-0": 10, "target-1": 8, "target-2": 8}


def test_on_lustre_each_setting_is_given_to_a_folder_and_frames_are_written_there(
    context, setups, monkeypatch, tmp_path
):
    lfs = tmp_path / "bin" / "lfs"
    lfs.parent.mkdir()
    lfs.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n')
    lfs.chmod(0o755)
    monkeypatch.setenv("PATH", f"{lfs.parent}:{os.environ['PATH']}")
    _, (times, told) = a_frame_dealt_out(context, monkeypatch, "lustre")
    folders = [context.workspace.directory / f"{n}-of-{mib}-MiB" for mib in (1, 16) for n in (1, 2)]
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked == [
        f"setstripe -c {n} -S {mib}M {folder}"
        for (mib, n), folder in zip([(1, 1), (1, 2), (16, 1), (16, 2)], folders, strict=True)
    ]
    assert [setup.directory for setup in setups] == folders  # the build of these has netcdf alone
    assert times.rows == [["netcdf, 1 MiB", "3000", "3000"], ["netcdf, 16 MiB", "3000", "3000"]]
    assert told.rows[0][0].startswith("lustre: each setting")
    lfs.write_text("#!/bin/sh\necho no such pool >&2; exit 1\n")
    with pytest.raises(UserError, match=r"lfs setstripe.*no such pool"):
        stripes.ITEMS[0].measure(context)


def test_the_kind_of_a_file_system_is_that_of_the_nearest_mount_above(tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    (tmp_path / "a b" / "c").mkdir(parents=True)
    lines = ["/dev/a / ext4 rw 0 0", f"b {tmp_path}/a\\040b lustre rw 0 0", f"c {tmp_path}/a nfs rw 0 0"]
    mounts.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(stripes, "_MOUNTS", mounts)
    assert stripes.file_system(tmp_path / "a b" / "c") == "lustre"
    assert stripes.file_system(tmp_path) == "ext4"
