"""The command line: what it starts, says and exits with."""

import os
import re
import signal
import stat
import subprocess
import sys

import pytest

from squall import doctor, locate
from squall.commands import panels
from squall.errors import UserError
from squall.locate import CHECKOUT
from squall.machine import Launcher
from squall.run_files.cases import read
from squall.runs import launch

pytestmark = pytest.mark.regression

OPEN_MPI = Launcher("/usr/bin/mpirun", "mpirun (Open MPI) 4.1.4")


@pytest.fixture
def model(tmp_path):
    """A stand-in for squall-model that tells how it was called and exits as $EXIT says."""
    script = tmp_path / "squall-model"
    script.write_text(
        f"#!{sys.executable}\nimport os, sys, time\n"
        "print(sys.argv[1:], os.environ.get('OMP_NUM_THREADS'), flush=True)\n"
        "time.sleep(float(os.environ.get('SLEEP', 0)))\nsys.exit(int(os.environ.get('EXIT', 0)))\n"
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "case.toml").write_text("")
    return script


@pytest.mark.parametrize("command", ["run", "cases", "doctor", "plot"])
def test_help_of_each_command_has_examples(squall, command):
    said = squall(command, "--help")
    assert said.returncode == 0
    assert "Examples" in said.stdout
    assert f"squall {command}" in said.stdout.partition("Examples")[2]


def test_a_missing_run_file_names_the_nearest_case(squall):
    said = squall("run", "density-curent")
    assert said.returncode == 2
    assert "Did you mean density-current?" in said.stderr


def test_run_hands_its_options_to_the_model(squall, model):
    said = squall(
        "run", "case.toml", "--threads", 2, "--set", "domain.nx=8", "--plan", SQUALL_MODEL=str(model)
    )
    assert said.returncode == 0, said.stderr
    assert "['case.toml', '--set', 'domain.nx=8', '--threads', '2', '--plan'] 2" in said.stdout


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("code", [1, 2])
def test_the_exit_code_is_the_model_s(squall, model, ranks, code):
    said = squall("run", "case.toml", "-n", ranks, SQUALL_MODEL=str(model), EXIT=str(code))
    assert said.returncode == code
    assert said.stdout.count("case.toml") == ranks


def test_a_signal_reaches_the_model_once_and_its_end_is_told(model, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", "from squall.cli import main; main()", "run", "case.toml"],
        cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | {"SQUALL_MODEL": str(model), "SLEEP": "60"},
    )  # fmt: skip
    process.stdout.readline()  # it runs
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 128 + signal.SIGTERM
    assert "ended by SIGTERM" in errors


def test_a_missing_model_tells_how_to_build_it(squall, tmp_path):
    (tmp_path / "case.toml").write_text("")
    said = squall("run", "case.toml", SQUALL_MODEL="/nowhere/squall-model")
    assert said.returncode == 2
    assert "/nowhere/squall-model, which is not a program" in said.stderr


def test_ranks_without_mpirun_tell_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="openmpi-bin"):
        launch.prepare(tmp_path / "squall-model", [], 2, None, cores=2, env={})


def test_more_processes_than_cores_are_warned_of_and_not_bound(tmp_path):
    start = launch.prepare(tmp_path / "m", [], 4, 2, cores=2, launcher=OPEN_MPI, env={})
    assert "4 rank(s) x 2 thread(s) share 2 core(s)" in start.warnings[0]
    assert "--oversubscribe" in start.command
    assert start.command[start.command.index("--bind-to") + 1] == "none"
    assert "OMP_PROC_BIND" not in start.environment


def test_a_run_on_all_cores_binds_each_rank_to_its_share(tmp_path):
    start = launch.prepare(tmp_path / "m", [], 2, 4, cores=8, launcher=OPEN_MPI, env={})
    assert start.warnings == []
    assert start.command[start.command.index("--map-by") + 1] == "slot:PE=4"
    assert start.environment["OMP_PROC_BIND"] == "close"
    assert "--oversubscribe" not in start.command


def test_mpichs_ranks_are_bound_as_open_mpis_are(tmp_path):
    hydra = Launcher("/usr/bin/mpiexec", "HYDRA build details:")
    words = launch.prepare(tmp_path / "m", [], 2, 4, cores=8, launcher=hydra, env={}).command
    assert words == ["/usr/bin/mpiexec", "-n", "2", "-bind-to", "core:4", str(tmp_path / "m")]
    shared = launch.prepare(tmp_path / "m", [], 4, 1, cores=2, launcher=hydra, env={}).command
    assert "-bind-to" not in shared


def test_a_run_on_some_cores_leaves_the_choice_to_the_system(tmp_path):
    start = launch.prepare(tmp_path / "m", [], 1, 2, cores=8, env={})
    assert start.command == [str(tmp_path / "m")]
    assert "OMP_PROC_BIND" not in start.environment


def test_ranks_take_the_mpi_io_that_reports_errors_unless_the_user_chose_one(tmp_path):
    start = launch.prepare(tmp_path / "m", [], 2, 1, cores=2, launcher=OPEN_MPI, env={})
    assert start.environment["OMPI_MCA_io"] == "^ompio"
    assert "OMPI_MCA_io" not in start.command
    start = launch.prepare(tmp_path / "m", [], 2, 1, cores=2, launcher=OPEN_MPI, env={"OMPI_MCA_io": "ompio"})
    assert "OMPI_MCA_io" not in start.environment


def test_mpirun_works_below_a_process_that_has_initialised_mpi(tmp_path):
    pytest.importorskip("mpi4py")
    script = tmp_path / "reads.py"
    script.write_text(
        "import shutil, subprocess, sys\n"
        "from pathlib import Path\n"
        "from mpi4py import MPI\n"
        "below = 'import sys; from squall.runs import launch; from pathlib import Path; '"
        "    'sys.exit(launch.execute(launch.prepare(Path(sys.argv[1]), [], 2, 1)))'\n"
        "sys.exit(subprocess.run([sys.executable, '-c', below, shutil.which('true')]).returncode)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_in_a_batch_job_the_cores_of_this_machine_are_no_limit(tmp_path):
    start = launch.prepare(tmp_path / "m", [], 64, 4, cores=8, launcher=OPEN_MPI, env={"SLURM_JOB_ID": "1"})
    assert start.warnings == []
    assert "--oversubscribe" not in start.command


def test_doctor_exits_with_one_when_the_model_is_missing(squall, model):
    there, gone = squall("doctor", SQUALL_MODEL=str(model)), squall("doctor", SQUALL_MODEL="/nowhere")
    assert there.returncode == 0, there.stdout
    assert gone.returncode == 1
    assert "make build" in gone.stdout


def test_doctor_names_the_debian_packages_of_what_is_missing():
    findings = [
        doctor.Finding("CMake", "missing", "not found", "cmake"),
        doctor.Finding("netCDF for C", "missing", "not found", "libnetcdf-dev"),
        doctor.Finding("cdo", "optional", "not found", "cdo"),
    ]
    assert doctor.advice(findings) == [
        "Missing: sudo apt-get install cmake libnetcdf-dev",
        "Optional: sudo apt-get install cdo",
    ]


def test_a_case_is_told_by_its_opening_comment(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(
        "# A cold pool that spreads\n# on the ground.\n#\n# More.\n#\n"
        "# Source: Straka et al. (1993),\n# IJNMF.\n[run]\n"
    )
    case = read(path)
    assert case.title == "A cold pool that spreads on the ground"
    assert case.source == "Straka et al. (1993), IJNMF."


@pytest.mark.parametrize("command", ["run", "plot"])
def test_every_option_is_in_the_reference(squall, command):
    page = (CHECKOUT / "docs" / "reference" / "commands.md").read_text()
    section = page.partition(f"## squall {command}\n")[2].partition("\n## ")[0]
    options = set(re.findall(r"--[a-z]+", squall(command, "--help").stdout.rpartition("Options")[2]))
    described = section + (CHECKOUT / "docs" / "how-to" / "plot.md").read_text() * (command == "plot")
    assert [option for option in options - {"--help", "--output"} if option not in described] == []


def test_the_version_is_told_of_the_command_and_of_the_model(squall, model):
    said = squall("--version")
    assert said.returncode == 0, said.stderr
    assert re.fullmatch(r"squall \d+\.\d+\.\d+, .+\n", said.stdout)
    assert str(model) in squall("--version", SQUALL_MODEL=str(model)).stdout


def test_commands_are_listed_in_groups(squall):
    said = squall("--help").stdout
    order = [said.index(f" {group} ") for group in (panels.RUN, panels.LOOK, panels.OUTPUT, panels.HELP)]
    assert all(at > 0 for at in order)
    assert "Commands ─" not in said  # none without a group
    assert squall().returncode == 2


@pytest.mark.parametrize("name", ["check", "convert"])
def test_one_word_means_one_thing(squall, name):
    """`squall check` is of files, `squall lab verify` of the model."""
    assert squall(name, "--help").returncode == 0
    assert squall("verify", "--help").returncode == 2


def built_model():
    try:
        return locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")


def test_a_plan_that_says_unstable_exits_with_one(squall):
    built_model()
    said = squall(
        "run", "warm-bubble", "--plan", "--set", "run.time_step=20 s", "--set", "run.duration=200 s"
    )
    assert "UNSTABLE" in said.stdout
    assert said.returncode == 1
    assert "the plan is unstable" in said.stderr
    assert squall("run", "warm-bubble", "--plan").returncode == 0


def test_a_plan_refuses_what_the_run_would(squall, tmp_path):
    built_model()
    earlier = tmp_path / "runs" / "warm-bubble" / "history_2000-01-01_00:00:00.nc"
    earlier.parent.mkdir(parents=True)
    earlier.touch()
    plan, run = squall("run", "warm-bubble", "--plan"), squall("run", "warm-bubble")
    assert plan.returncode == run.returncode == 1
    assert plan.stderr == run.stderr
    assert "file(s) of an earlier run's frames" in plan.stderr
    assert earlier.exists()
    assert squall("run", "warm-bubble", "--plan", "--overwrite").returncode == 0
    assert earlier.exists()
