"""`squall run` on a cluster: jobs of Slurm and PBS, going on, and keeping the newest restart files."""

import json
import os
import re
import subprocess
import sys

import pytest

from squall.errors import UserError
from squall.runs import jobs, restarts, running

pytestmark = pytest.mark.regression

MODEL = """#!{python}
import json, os, pathlib, sys
folder = pathlib.Path({folder!r})
calls = folder / "calls.jsonl"
with calls.open("a") as file:
    print(json.dumps(sys.argv[1:]), file=file)
number = len(calls.read_text().splitlines())
run = folder / "runs" / "storm"
run.mkdir(parents=True, exist_ok=True)
name = f"restart_2000-01-01_0{{number}}:00:00.nc"
(run / name).write_text("")
with (run / "restart.manifest.jsonl").open("a") as file:
    print(json.dumps({{"event": "published", "file": name}}), file=file)
sys.exit(0 if number == 3 else 3)
"""
# Batch systems that note what is submitted, with what they hand on to it.
SUBMIT = '#!/bin/bash\necho "$@" >> {folder}/submitted\necho "Submitted batch job 7"\n'
SRUN = (
    '#!/bin/bash\necho "$@" >> {folder}/launched\nwhile [ "$1" != -n ]; do shift; done; shift 2; exec "$@"\n'
)


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """A login node of a made-up cluster, where the model stops twice before it is done."""
    (tmp_path / "storm.toml").write_text('[run]\nduration = "1 d"\n')
    (tmp_path / "bin").mkdir()
    programs = {"squall-model": MODEL, "srun": SRUN}

    def put(name, text):
        path = tmp_path / "bin" / name
        path.write_text(text.format(python=sys.executable, folder=str(tmp_path)))
        path.chmod(0o755)

    for name, text in programs.items():
        put(name, text)
    # Nothing of a real batch system counts.
    path = f"{tmp_path / 'bin'}:{os.path.dirname(sys.executable)}:/usr/bin:/bin"
    for name, value in (("PATH", path), ("SQUALL_MODEL", str(tmp_path / "bin" / "squall-model"))):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LOADEDMODULES", "gcc/13:openmpi/4.1")
    return put


def job(tmp_path, name, **environment):
    """Runs a job script as the batch system would: without modules, in another directory."""
    return subprocess.run(
        ["bash", "-c", f"module() {{ :; }}; source {tmp_path / name}"],
        cwd="/", capture_output=True, text=True, env=os.environ | environment, check=False, timeout=120,
    )  # fmt: skip


def calls(tmp_path):
    return [json.loads(line) for line in (tmp_path / "calls.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    ("command", "script", "again"),
    [
        ("sbatch", "storm.slurm", "--export=ALL,SQUALL_AGAIN=1"),
        ("qsub", "storm.pbs", "-v SQUALL_AGAIN=1"),
    ],
)
def test_a_job_submits_itself_until_the_run_is_done(squall, cluster, tmp_path, command, script, again):
    cluster(command, SUBMIT)
    said = squall(
        "run", "storm.toml", "-n", 1, "--submit", "--walltime", "2 h", "--overwrite", "--set", "domain.nx=8",
        "--account", "met",
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert "Submitted batch job 7" in said.stdout
    assert (tmp_path / "submitted").read_text().split() == [str(tmp_path / script)]
    codes = [job(tmp_path, script, **({"SQUALL_AGAIN": "1"} if n else {})).returncode for n in range(3)]
    assert codes == [3, 3, 0]
    submitted = (tmp_path / "submitted").read_text().splitlines()
    assert submitted[1:] == [f"{again} {tmp_path / script}"] * 2
    first, second, third = calls(tmp_path)
    assert "--overwrite" in first
    assert all("domain.nx=8" in call for call in (first, second, third))
    assert "run.restart_from=runs/storm/restart_2000-01-01_01:00:00.nc" in second
    assert "run.restart_from=runs/storm/restart_2000-01-01_02:00:00.nc" in third
    assert "--overwrite" not in second + third


def script_of(system, tmp_path, wishes=None, variables=(), **options):
    (tmp_path / "storm.toml").touch()
    wishes = wishes or running.Wishes("storm.toml", ranks=64, threads=2)
    given = jobs.Options(**({"nodes": 4, "walltime": "6:00:00"} | options))
    environment = {"LOADEDMODULES": "gcc/13:openmpi/4.1", **dict(variables)}
    path = tmp_path / "storm.toml"
    return jobs.text(system, tmp_path / "script", path, wishes, given, environment)


def test_a_job_of_slurm_asks_for_what_the_run_needs(tmp_path):
    told = set(re.findall(r"^#SBATCH (\S+)$", script_of("Slurm", tmp_path, queue="long"), re.M))
    assert {"--nodes=4", "--ntasks=64", "--cpus-per-task=2", "--time=6:00:00", "--partition=long"} <= told
    assert "--signal=USR1@300" in told
    text = script_of("Slurm", tmp_path)
    assert "module purge\nmodule load gcc/13 openmpi/4.1\n" in text
    assert "--launcher 'srun --cpu-bind=cores'" in text


def test_a_job_of_pbs_asks_for_what_the_run_needs_and_stops_in_time(tmp_path):
    text = script_of("PBS", tmp_path, modules=["mpich"])
    assert "#PBS -l select=4:ncpus=32:mpiprocs=16:ompthreads=2" in text
    assert "#PBS -l walltime=6:00:00" in text
    assert "module load mpich\n" in text
    assert "timeout --preserve-status --signal=USR1 21300 squall run" in text
    with pytest.raises(UserError, match="PBS needs the same number on each"):
        script_of("PBS", tmp_path, wishes=running.Wishes("storm.toml", ranks=63))


def test_a_job_takes_the_mpi_that_was_named_where_it_was_submitted(tmp_path):
    """Which a batch system need not hand on."""
    for system in ("Slurm", "PBS"):
        text = script_of(system, tmp_path, variables={"SQUALL_MPI": "/opt/mpich 4"})
        assert text.index("export SQUALL_MPI='/opt/mpich 4'\n") < text.rindex("squall run")
        assert "SQUALL_MPI" not in script_of(system, tmp_path)


def test_every_job_script_is_one_that_bash_reads(tmp_path):
    for system in ("Slurm", "PBS"):
        subprocess.run(["bash", "-n"], input=script_of(system, tmp_path), text=True, check=True)


def test_srun_in_place_of_mpirun_starts_the_ranks(squall, cluster, tmp_path):
    said = squall("run", "storm.toml", "-n", 8, "--launcher", "srun --cpu-bind=cores")
    assert said.returncode == 3
    assert "share" not in said.stderr  # the cores of this machine are not the limit
    assert (
        (tmp_path / "launched").read_text().startswith(f"--cpu-bind=cores -n 8 {tmp_path}/bin/squall-model")
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--submit",), "Neither sbatch (Slurm) nor qsub (PBS)"),
        (("--nodes", 2), "--nodes needs a job: add --submit"),
        (("--dry-run",), "--dry-run needs a job"),
        (("--submit", "--plan", "--dry-run"), "leave out --submit"),
        (("--submit", "--dry-run", "--walltime", "soon"), "--walltime soon: write it as H:MM:SS"),
        (("--continue", "--overwrite"), "leave one of them out"),
        (("--continue", "--set", "run.restart_from=a"), "sets run.restart_from itself"),
        (("--launcher", "nosuchlauncher"), "PATH has no program 'nosuchlauncher'"),
    ],
)
def test_what_does_not_go_together_is_refused(squall, cluster, tmp_path, arguments, message):
    said = squall("run", "storm.toml", *arguments)
    assert said.returncode == 2
    assert message in said.stderr
    assert not (tmp_path / "calls.jsonl").exists()


def test_a_script_alone_is_written_where_nothing_can_be_submitted(squall, cluster, tmp_path):
    said = squall("run", "storm.toml", "--submit", "--dry-run")
    assert said.returncode == 0, said.stderr
    assert f"Submit it with: sbatch {tmp_path / 'storm.slurm'}" in said.stdout


def test_a_run_goes_on_from_its_newest_whole_restart_file(squall, cluster, tmp_path):
    assert (
        "There is no restart frame in runs/storm: starting from the beginning"
        in squall("run", "storm.toml", "--continue").stdout
    )
    (tmp_path / "runs" / "storm" / "restart_2000-01-01_09:00:00.nc.part").touch()
    (tmp_path / "runs" / "storm" / "restart_2000-01-01_08:00:00.nc").touch()  # not published
    said = squall("run", "storm.toml", "--continue")
    assert "Continuing from runs/storm/restart_2000-01-01_01:00:00.nc" in said.stdout
    assert "run.restart_from=runs/storm/restart_2000-01-01_01:00:00.nc" in calls(tmp_path)[1]


def test_only_the_newest_restart_files_are_kept_and_the_manifest_knows(squall, cluster, tmp_path):
    for _ in range(3):
        squall("run", "storm.toml", "--keep-restarts", 2)
    run = tmp_path / "runs" / "storm"
    assert sorted(path.name for path in run.glob("*.nc")) == [
        "restart_2000-01-01_02:00:00.nc", "restart_2000-01-01_03:00:00.nc",
    ]  # fmt: skip
    events = [json.loads(line) for line in (run / "restart.manifest.jsonl").read_text().splitlines()]
    assert {"event": "removed", "file": "restart_2000-01-01_01:00:00.nc"} in events
    assert len(restarts.place(tmp_path / "storm.toml", [f"run.directory={run}"]).files()) == 2


@pytest.mark.parametrize(
    ("text", "settings", "folder", "prefix"),
    [
        ("", [], "runs/storm", "restart_"),
        ('[run]\nname = "n"', [], "runs/n", "restart_"),
        ('[run]\ndirectory = "d"', [], "d", "restart_"),
        ('[run]\ndirectory = "d"', ['run.directory="e"'], "e", "restart_"),
        ('[output.restart]\npath = "again/r_%Y.nc"', [], "runs/storm/again", "r_"),
    ],
)
def test_restart_files_are_looked_for_where_the_run_writes_them(tmp_path, text, settings, folder, prefix):
    (tmp_path / "storm.toml").write_text(text)
    place = restarts.place(tmp_path / "storm.toml", settings)
    assert (str(place.folder), place.prefix) == (folder, prefix)
