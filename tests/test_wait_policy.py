"""How the threads of our programs wait for each other: a bounded time awake, whoever starts the program,
unless the user says otherwise. What the OpenMP library of the running program takes, it says itself."""

import os
import re
import shutil
import subprocess

import pytest

from squall import locate, machine
from squall.errors import UserError
from squall.runs import launch

pytestmark = pytest.mark.regression

BOUNDED = 2000
DECIDERS = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY")


def program(name):
    try:
        beside = locate.model_binary()
        built = locate.planner_binary() if name == "squall-planner" else beside.with_name(name)
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    if not built.exists():
        pytest.skip(f"{name} is not built")
    return built


def spins(command, **environment):
    """How often threads look before they sleep, in each process that the command starts."""
    clean = {k: v for k, v in launch.inherited().items() if k not in DECIDERS}
    environment = clean | {"OMP_DISPLAY_ENV": "verbose"} | environment
    said = ""
    with subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            said += line
            if line.startswith("OPENMP DISPLAY ENVIRONMENT END") and len(command) == 2:
                process.kill()  # some go on to compute for long
    if "GOMP_SPINCOUNT" not in said and "OPENMP DISPLAY" in said:
        pytest.skip("not GCC's OpenMP")
    return [int(n) for n in re.findall(r"GOMP_SPINCOUNT = '(\d+)'", said)]


@pytest.mark.parametrize(
    "name",
    ["squall-model", "squall-planner", "squall-columns", "squall-triad", "squall-peak"],
)
def test_threads_of_every_program_wait_awake_for_a_bounded_time(name):
    assert spins([program(name), "--version"])[-1] == BOUNDED


def test_threads_of_ranks_wait_likewise():
    launcher = machine.launcher()
    if launcher is None:
        pytest.skip("there is no mpirun")
    start = launch.prepare(program("squall-model"), ["--cases"], 2, None)
    assert spins(start.command, **start.environment) == [BOUNDED, BOUNDED]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"GOMP_SPINCOUNT": "7"}, 7),
        ({"OMP_WAIT_POLICY": "passive"}, 0),
        ({"OMP_WAIT_POLICY": "active"}, 30000000000),
    ],
)
def test_what_the_user_says_of_waiting_holds(said, found):
    assert spins([program("squall-model"), "--version"], **said) == [found]


def test_the_program_keeps_its_name_its_arguments_and_its_environment(tmp_path):
    """It starts itself again, which nobody should notice."""
    (tmp_path / "other").symlink_to(program("squall-model"))
    done = subprocess.run(
        [tmp_path / "other", "no such file.toml"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env=os.environ | {"MARK": "a b"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "no such file.toml" in done.stderr
    assert "GOMP_SPINCOUNT" not in done.stderr


def test_the_program_runs_where_proc_is_not_mounted(tmp_path):
    unshare = shutil.which("unshare")
    if not unshare or os.geteuid() != 0:
        pytest.skip("needs root and unshare")
    command = [unshare, "--mount", "sh", "-c", f"umount -l /proc; exec {program('squall-model')} --version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "umount" in done.stderr:
        pytest.skip("cannot unmount here")
    assert done.returncode == 0, done.stderr
    assert re.search("^squall-model ", done.stdout, re.MULTILINE)  # UCX may complain in the line before
