"""`squall run --profile` and `squall lab messages`: where the time goes, and what is sent."""

import json
import shutil
import subprocess

import pytest
import xarray as xr
from rich.console import Console

import commands
from pictures import assert_drawn
from squall import locate
from squall.errors import UserError
from squall.profile import messages, profiling, roofline
from squall.profile.ranks import KINDS, Rank, Routine
from squall.profile.roofline import Roofline

pytestmark = pytest.mark.regression

try:
    locate.messages_library()
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

SMALL = [
    "supercell", "--overwrite", "--set", "domain.nx=24", "--set", "domain.ny=20", "--set", "domain.nz=16",
    "--set", "run.duration=2 min", "--set", "output.history.interval=1 min", "--threads", "1",
]  # fmt: skip

#: Rank 0 sends 5 messages of 400 bytes to rank 1, one of none, and all add up two numbers three times.
C = r"""
#include <mpi.h>
int main(int argc, char **argv) {
    float x[100] = {0};
    double y[2] = {1, 2}, sum[2];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int n = 0; n < 6; ++n) {
        int count = n < 5 ? 100 : 0;
        if (rank == 0) MPI_Send(x, count, MPI_FLOAT, 1, 7, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(x, count, MPI_FLOAT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int n = 0; n < 3; ++n) MPI_Allreduce(y, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return argc - 1;
}
"""

FORTRAN = """
program same
  use {module}
  implicit none
  real :: x(100) = 0
  double precision :: y(2) = 1, total(2)
  integer :: rank, n, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  do n = 1, 6
    if (rank == 0) call MPI_Send(x, merge(100, 0, n < 6), MPI_REAL, 1, 7, MPI_COMM_WORLD, error)
    if (rank == 1) call MPI_Recv(x, merge(100, 0, n < 6), MPI_REAL, 0, 7, MPI_COMM_WORLD, &
                                 MPI_STATUS_IGNORE, error)
  end do
  do n = 1, 3
    call MPI_Allreduce(y, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end do
  call MPI_Finalize(error)
end program
"""


@pytest.fixture(scope="module")
def profiled(tmp_path_factory):
    """A run on two ranks, profiled: its directory, and what was said."""
    top = tmp_path_factory.mktemp("profiled")
    said = command(top, "run", *SMALL, "-n", "2", "--profile", "--set", f"run.directory={top / 'run'}")
    assert said.returncode == 0, said.stderr
    return top / "run", said.stdout


def command(where, *words):
    return commands.squall(words, where, timeout=240)


def test_the_time_of_each_rank_is_told_whole_by_kind_and_routine(profiled):
    run, said = profiled
    found = json.loads((run / "profile" / "profile.json").read_text())
    assert found["steps"] == 10
    assert [rank["rank"] for rank in found["ranks"]] == [0, 1]
    for rank in found["ranks"]:
        assert tuple(rank["by_kind"]) == KINDS
        assert sum(rank["by_kind"].values()) == pytest.approx(rank["seconds"], rel=1e-3)
        assert rank["cells"] == 24 * 20 * 16
    names = {routine["name"]: routine for routine in found["routines"]}
    assert {
        "Solver::slow_tendencies",
        "Solver::acoustic_substeps",
        "wait for neighbours",
        "histories",
    } <= set(names)
    assert names["Solver::slow_tendencies"]["calls"] % 10 == 0
    for name in ("Solver::slow_tendencies", "wait for neighbours", "Ranks, ms per step", "MPI_Isend"):
        assert name in said


def test_the_time_of_each_thread_is_told_by_routine(capsys):
    loops = (
        Routine("a loop", "a.cpp", 1, "computing", 4, 3.0, 3.0, (1.0, 3.0)),
        Routine("another", "b.cpp", 2, "computing", 4, 1.0, 1.0, (1.0, 0.5)),
        Routine("halos", "c.cpp", 3, "exchanging", 4, 0.5, 0.5),
    )
    patch = {"x0": 0, "y0": 0, "nx": 4, "ny": 4}
    rank = Rank(0, "here", 2, 2, 5.0, 64, patch, loops, (), 0)
    profile = profiling.Profile([rank], None, Roofline(1e9, 1e9, 5.0, why_not="nobody counts"))
    profiling._show_threads(profile, Console())
    assert [word for word in capsys.readouterr().out.split() if ".000" in word] == ["1000.000", "1750.000"]
    [told] = profile.content()["ranks"]
    assert told["of_threads"] == [2.0, 3.5]
    assert [routine["threads"] for routine in told["routines"]] == [(1.0, 3.0), (1.0, 0.5), ()]


def test_what_is_sent_is_received_and_counted_by_size(profiled):
    run, _ = profiled
    counts = messages.read(run / "profile" / "messages.json")
    kinds = {kind: messages.by_size(counts, (kind,)) for kind in ("sent", "received")}
    assert kinds["sent"] == kinds["received"]  # halos: who posts a receive knows the size
    assert all(below / 2 <= amount / number < below for below, (number, amount) in kinds["sent"].items())
    assert len(counts.ranks) == 2


def test_a_trace_has_each_ranks_threads_and_lies_within_the_run(profiled):
    run, _ = profiled
    trace = json.loads((run / "profile" / "trace.json").read_text())["traceEvents"]
    seconds = json.loads((run / "profile" / "profile.json").read_text())["seconds"]
    spans = [event for event in trace if event["ph"] == "X"]
    assert {event["pid"] for event in spans} == {0, 1}
    assert all(event["ts"] >= 0 and event["ts"] + event["dur"] <= 1e6 * seconds + 1 for event in spans)
    assert {event["cat"] for event in spans} >= {"computing", "exchanging", "waiting", "output"}
    assert_drawn(run / "profile" / "profile.png")


def test_a_profiled_run_has_the_bits_of_any_other(profiled, tmp_path):
    run, _ = profiled
    said = command(tmp_path, "run", *SMALL, "--set", f"run.directory={tmp_path / 'run'}")
    assert said.returncode == 0, said.stderr
    for file in sorted(run.glob("*.nc")):
        with xr.open_dataset(file) as ours, xr.open_dataset(tmp_path / "run" / file.name) as others:
            assert ours.drop_attrs().identical(others.drop_attrs()), file.name


def test_a_run_that_is_refused_leaves_the_profile_of_an_earlier_one(profiled):
    run, _ = profiled
    before = sorted((run / "profile").iterdir())
    said = command(
        run.parent, "run", *(word for word in SMALL if word != "--overwrite"), "--profile",
        "--set", f"run.directory={run}",
    )  # fmt: skip
    assert said.returncode != 0
    assert sorted((run / "profile").iterdir()) == before


def test_a_run_on_fewer_ranks_leaves_no_ranks_of_an_earlier_one(profiled, tmp_path):
    run = shutil.copytree(profiled[0], tmp_path / "run")
    said = command(tmp_path, "run", *SMALL, "--profile", "--set", f"run.directory={run}")
    assert said.returncode == 0, said.stderr
    assert [file.name for file in (run / "profile").glob("rank-*.json")] == ["rank-0.json"]


def test_a_plan_is_not_profiled(tmp_path):
    said = command(tmp_path, "run", "supercell", "--plan", "--profile")
    assert said.returncode == 2
    assert "leave out --plan or --profile" in " ".join(said.stderr.split())


@pytest.fixture(params=["c", "mpi", "mpi_f08"])
def program(request, tmp_path):
    """The same program in C and by both of Fortran's modules."""
    if request.param == "c":
        source, compiler, text = tmp_path / "same.c", "mpicc", C
    else:
        source, compiler, text = tmp_path / "same.f90", "mpif90", FORTRAN.format(module=request.param)
        if not shutil.which("gfortran"):
            pytest.skip("gfortran is not here: sudo apt-get install gfortran")
    source.write_text(text)
    subprocess.run([compiler, "-o", tmp_path / "same", source], check=True, capture_output=True)
    return tmp_path / "same"


def mpirun(*words):
    return ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", "2", *words]


def test_messages_of_any_program_are_counted_by_call_and_size(program, tmp_path):
    said = command(tmp_path, "lab", "messages", "--results", "counts.json", "--", *mpirun(program))
    assert said.returncode == 0, said.stderr
    found = {(c.call, c.below): (c.count, c.bytes) for c in messages.read(tmp_path / "counts.json").calls}
    assert found == {
        ("MPI_Send", 512): (5, 2000),
        ("MPI_Send", 1): (1, 0),
        ("MPI_Recv", 512): (5, 2000),
        ("MPI_Recv", 1): (1, 0),
        ("MPI_Allreduce", 32): (6, 96),
    }
    again = command(tmp_path, "lab", "messages", "counts.json")
    assert again.returncode == 0, again.stderr
    assert "256 B - 512 B" in again.stdout


@pytest.mark.parametrize("program", ["c"], indirect=True)
def test_messages_are_counted_below_a_process_that_has_initialised_mpi(program, tmp_path, monkeypatch):
    monkeypatch.setenv("OMPI_MCA_ess", "singleton")  # as Open MPI leaves there
    said = command(tmp_path, "lab", "messages", "--", *mpirun(program))
    assert said.returncode == 0, said.stderr
    assert "MPI_Allreduce" in said.stdout


@pytest.mark.parametrize("program", ["c"], indirect=True)
def test_a_programs_own_exit_code_comes_back(program, tmp_path):
    said = command(tmp_path, "lab", "messages", "--", *mpirun(program, "one more word"))
    assert said.returncode == 1
    assert "MPI_Allreduce" in said.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["true"], "No messages were counted"),
        (["no-such-program"], "There is no program"),
        (["false"], "code 1"),
    ],
)
def test_who_sends_nothing_is_told(tmp_path, words, says):
    said = command(tmp_path, "lab", "messages", "--", *words)
    assert said.returncode != 0
    assert says in " ".join(said.stderr.split())


def test_operations_and_bytes_are_those_that_perf_counted(tmp_path, monkeypatch):
    monkeypatch.setattr("squall.machine.processor", lambda: "Intel")
    (tmp_path / "perf-1.txt").write_text(
        "# started\n\n1000,,fp_arith_inst_retired.512b_packed_single,5,100.00,,\n"
        "50,,fp_arith_inst_retired.scalar_double:u,5,100.00,,\n10,,cache-misses,5,100.00,,\n"
    )
    (tmp_path / "perf-2.txt").write_text("10,,cache-misses,5,100.00,,\n")
    assert roofline.counts(tmp_path) == (16050, 20 * 64)
    (tmp_path / "perf-2.txt").write_text("<not counted>,,cache-misses,0,100.00,,\n")
    with pytest.raises(UserError, match="did not count cache-misses"):
        roofline.counts(tmp_path)


def test_a_machine_without_counters_says_why(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert "linux-perf" in roofline.why_not()
