"""tools/gpu_check.py with a program that stands for the model: what it compares, and what it says."""

import os
import stat
import struct
import sys

import pytest

import gpu_check

PROGRAM = """#!{python}
import json, os, struct, sys
settings = dict(word.split("=", 1) for before, word in zip(sys.argv, sys.argv[1:]) if before == "--set")
folder = settings["run.directory"]
name = os.path.basename(folder)
os.makedirs(folder + "/history.zarr/THM")
theta = {values}
with open(folder + "/history.zarr/THM/c.0.0.0.0", "wb") as chunk:
    chunk.write(struct.pack("4f", *theta.get(name, theta["processors"])))
"""
SAME = {"processors": (1, 2, 3, 4)}


def compared(folder, values):
    program = folder / "model"
    program.write_text(PROGRAM.format(python=sys.executable, values=values))
    os.chmod(program, stat.S_IRWXU)
    checks = gpu_check.Checks(program, folder, "gpu", small=False)
    return checks.compare(gpu_check.COMPARED[0], 2)


def test_frames_of_the_same_bits_are_the_same(tmp_path):
    assert compared(tmp_path, SAME) == (4, 0, [])


def test_a_value_that_differs_on_the_device_is_counted_in_both_of_its_runs_and_named(tmp_path):
    other = (1, 2, 3, 5)
    total, different, names = compared(tmp_path, SAME | {"device": other, "again": other})
    assert (total, different) == (4, 2)
    assert names[0] == "THM"


def test_runs_of_the_device_that_differ_from_each_other_are_told(tmp_path):
    total, different, names = compared(tmp_path, SAME | {"again": (1, 2, 3, 5)})
    assert (total, different, names) == (4, 1, ["THM (second run of the device alone)"])


def test_values_differ_by_their_bits():
    zeros = struct.pack("2f", 0.0, 0.0)
    assert gpu_check.differing(zeros, struct.pack("2f", 0.0, -0.0)) == 1
    assert gpu_check.differing(zeros, zeros + zeros) == 4
    assert gpu_check.differing(zeros, zeros) == 0


def test_a_case_is_the_same_on_both_but_for_the_device(tmp_path):
    checks = gpu_check.Checks(tmp_path / "model", tmp_path, "gpu", small=True)
    case = gpu_check.TIMED[2]
    on_both = [checks.command(case, device, 20, tmp_path, frames=True) for device in ("cpu", "gpu")]
    assert [a for a, b in zip(*on_both, strict=True) if a != b] == ["cpu"]
    assert "physics.microphysics=wsm6" in on_both[0]
    assert "run.duration=240 s" in on_both[0]
    assert "domain.nx=24" in on_both[0]


def test_a_run_that_fails_ends_the_check_with_what_it_said(tmp_path):
    checks = gpu_check.Checks(tmp_path / "model", tmp_path, "gpu", small=True)
    with pytest.raises(SystemExit, match="ended with 3:\nno device"):
        checks.run([sys.executable, "-c", "import sys; print('no device'); sys.exit(3)"])
