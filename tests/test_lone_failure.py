"""What fails on one rank alone ends the run on all, with a word on what it was."""

import json
import os
import subprocess

import pytest

from fault_trials import machine
from squall import locate
from squall.errors import UserError
from squall.lab.verify import storm_with_nests
from squall.runs import launch

pytestmark = pytest.mark.regression

try:
    MODEL = locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)


SUPERCELL = str(locate.run_file("supercell"))


def run(program, arguments, environment):
    """What it said as it failed on two ranks. None waits for ever for the other."""
    start = launch.prepare(program, arguments, 2, 1)
    done = subprocess.run(
        start.command,
        env=os.environ | start.environment | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode != 0, said
    return said


def test_a_rank_without_memory_ends_the_run_and_says_so(tmp_path):
    """One of two ranks may have some 600 MB, of which MPI and the libraries take a part; it wants 1.6 GB."""
    program = tmp_path / "limited"
    program.write_text(
        "#!/bin/sh\n"
        'rank="${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"\n'
        '[ "$rank" != 1 ] || ulimit -v 1200000\n'
        f'exec {MODEL} "$@"\n'
    )
    program.chmod(0o755)
    arguments = [
        SUPERCELL, "--set", f"run.directory={tmp_path / 'out'}",
        "--set", "domain.nx=300", "--set", "domain.ny=300", "--set", "domain.nz=60",
    ]  # fmt: skip
    said = run(program, arguments, {})
    assert "rank 1 ran out of memory: --plan tells what the run needs" in said


def small(folder):
    return [
        "--set", f"run.directory={folder / 'out'}",
        "--set", "domain.nx=20", "--set", "domain.ny=20", "--set", "domain.nz=20",
    ]  # fmt: skip


def thrown(folder, number):
    """Has the model's message of this number throw on rank 1."""
    try:
        shim = machine.programs().shim
    except UserError as e:
        pytest.skip(str(e))
    return {
        "LD_PRELOAD": str(shim),
        "SQUALL_FAULTS": f"rank=1 call=send from=squall-model nth={number} do=throw",
        "SQUALL_FAULTS_LOG": str(folder / "faults.log"),
    }


NEST = storm_with_nests.nest(7, 7, 24, 24)


@pytest.mark.parametrize("nest", ["", NEST], ids=["alone", "with a nest"])
def test_what_is_thrown_on_one_rank_as_a_domain_is_set_up_ends_the_run_and_is_said(tmp_path, nest):
    """The first message of the model throws on rank 1: with a nest, that which the nest begins with."""
    run_file = tmp_path / "storm.toml"
    run_file.write_text(locate.run_file("supercell").read_text() + nest)
    said = run(MODEL, [str(run_file), *small(tmp_path)], thrown(tmp_path, 1))
    assert "rank 1: a message was met by SQUALL_FAULTS" in said
    assert json.loads((tmp_path / "out" / "status.json").read_text())["steps"] == 0


def test_what_a_step_throws_on_one_rank_ends_the_run_and_is_said(tmp_path):
    """A message of the model throws on rank 1 in a step, while rank 0 waits for it."""
    arguments = [SUPERCELL, *small(tmp_path), "--set", "run.duration=10 min"]
    said = run(MODEL, arguments, thrown(tmp_path, 200))
    assert "rank 1: a message was met by SQUALL_FAULTS" in said
    assert (tmp_path / "faults.log").read_text().startswith("rank 1: call=send number 200")
    assert json.loads((tmp_path / "out" / "status.json").read_text())["steps"] > 0
