"""Network streams: consumers in every language get what a run makes, while it makes it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import netCDF4
import numpy as np
import pytest

from squall import io, locate
from squall.errors import UserError
from squall.runs import launch

pytestmark = pytest.mark.regression

EXAMPLES = locate.CHECKOUT / "example-programs" / "live"
HOW_TO = locate.CHECKOUT / "docs" / "how-to" / "stream.md"
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
NX, NY, FRAMES = 6, 4, 5


@pytest.fixture(autouse=True)
def engine():
    pytest.importorskip("mpi4py")
    if "sst" not in io.engines():
        pytest.skip("no engine sst in this build: make adios2")


WRITER = f"""
import sys
import numpy as np
from mpi4py import MPI
from squall import io

session = io.Session(MPI.COMM_WORLD)
stream = session.open(io.StreamSpec(
    "heat", sys.argv[1], engine="sst", record_dimension="time",
    options={{"first_consumer": sys.argv[3], "consumers": sys.argv[2], "when_queue_full": "wait"}},
    dimensions={{"y": {NY}, "x": {NX}}},
    fields=[io.Field("time", "f8", attributes={{"units": "seconds since 2000-01-01"}}),
            io.Field("row", "i4", ["y"], per_frame=False),
            io.Field("T", "f4", ["y", "x"], attributes={{"units": "K", "levels": np.array([1, 2], "i4")}})],
    attributes={{"title": "live"}},
))
stream.put("row", np.arange({NY}, dtype="i4"))
for n in range({FRAMES}):
    with stream.begin(60.0 * n) as frame:
        frame.put("time", 60.0 * n)
        frame.put("T", np.arange({NY * NX}, dtype="f4").reshape({NY}, {NX}) + n / 4)
stream.close()
session.close()
"""


def begin(*command):
    return subprocess.Popen(
        list(map(str, command)),
        env=os.environ | MPI,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process):
    said, complaints = process.communicate(timeout=120)
    assert process.returncode == 0, said + complaints
    return said


def write(directory, consumers, seconds):
    """A run that waits so long for so many consumers."""
    return begin(sys.executable, "-c", WRITER, directory / "heat.sst", consumers, seconds)


@pytest.fixture
def consumers():
    """How many the run waits for."""
    return 1


@pytest.fixture
def run(tmp_path, consumers):
    """The directory of a run that waits for its first consumers."""
    writer = write(tmp_path, consumers, seconds=60)
    yield tmp_path
    ended(writer)


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """The examples, built against an installed package."""
    build = locate.model_binary().parents[1] / "io"
    if not (build / "cmake_install.cmake").is_file():
        pytest.skip(f"no build to install from: {build} is not there")
    prefix, made = tmp_path_factory.mktemp("prefix"), tmp_path_factory.mktemp("live")
    ended(begin("cmake", "--install", build, "--prefix", prefix))
    ended(begin("cmake", "-S", EXAMPLES, "-B", made, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"))
    ended(begin("cmake", "--build", made))
    return {(example, name): [made / f"{example}-{name}"]
            for example in ("live", "parallel") for name in ("c", "cpp", "f90")} | {
        (example, "py"): [sys.executable, EXAMPLES / f"{example}.py"] for example in ("live", "parallel")
    }  # fmt: skip


@pytest.mark.parametrize("language", ["c", "cpp", "f90", "py"])
@pytest.mark.parametrize(("example", "consumers"), [("live", 1), ("parallel", 3)])  # each rank is one
def test_every_language_prints_what_the_run_makes_on_one_rank_and_in_parallel(
    programs, run, language, example, consumers
):
    if language == "f90" and not shutil.which("gfortran"):
        pytest.skip("gfortran is not here: sudo apt-get install gfortran")
    program, *arguments = map(str, (*programs[example, language], run, "T"))
    said = ended(begin(*launch.prepare(Path(program), arguments, consumers, 1).command))
    assert said.splitlines() == [f"{n} {NY * NX - 1 + n / 4:.4f}" for n in range(FRAMES)]


def test_a_frame_says_of_itself_what_a_file_would(run):
    with io.Subscriber(run) as live:
        for number, frame in enumerate(live):
            assert live.number == number
            assert frame.dimensions == {"y": NY, "x": NX}
            assert frame.attributes["title"] == "live"
            assert frame.fields["T"].attributes["units"] == "K"
            assert list(frame.fields["T"].attributes["levels"]) == [1, 2]
            assert [str(time) for time in frame.times()] == [f"2000-01-01T00:{number:02}:00"]
            box = frame.read("T", start=(1, 2), count=(2, 3))
            np.testing.assert_array_equal(box, np.arange(NY * NX).reshape(NY, NX)[1:3, 2:5] + number / 4)
            np.testing.assert_array_equal(frame.read("row"), np.arange(NY))
        assert number == FRAMES - 1
        assert live.ended


@pytest.mark.parametrize("consumers", [2])
def test_the_first_frame_waits_for_as_many_consumers_as_the_stream_says(run):
    with io.Subscriber(run) as first:
        assert first.next(1) is None
        with io.Subscriber(run) as second:
            for number in range(FRAMES):
                for each in second, first:  # who has not asked has not joined
                    assert each.next(60) is not None
                    assert each.number == number
                    each.release()


ALIGNED = """
import os, sys, time
from mpi4py import MPI
from squall import io

ranks = MPI.COMM_WORLD
moment = ranks.allreduce(os.getpid() + int(time.time()), MPI.MAX) + 1
time.sleep(moment - os.getpid() - time.time() + 0.1)  # the sum of process and clock is that of all ranks
with io.Subscriber(sys.argv[1]) as live:
    total = sum(float(frame.read("T").max()) for frame in live)
totals = ranks.gather(total)
if ranks.rank == 0:
    print(totals)
"""


@pytest.mark.parametrize("consumers", [3])
def test_consumers_whose_process_and_clock_add_up_to_one_number_are_told_apart(run):
    # EVPath takes that sum for a process's identity: ADIOS2 sent one consumer's data to another, which died.
    arguments = ["-c", ALIGNED, str(run)]
    said = ended(begin(*launch.prepare(Path(sys.executable), arguments, 3, 1).command))
    total = sum(NY * NX - 1 + n / 4 for n in range(FRAMES))
    assert said.strip() == str([total] * 3)


def test_a_run_that_lacks_a_consumer_says_so_and_goes_on(tmp_path):
    writer = write(tmp_path, consumers=2, seconds=2)
    with io.Subscriber(tmp_path) as alone:
        numbers = [alone.number for _ in alone]  # those that are sent after it has changed over
    complaints = writer.communicate(timeout=60)[1]
    assert writer.returncode == 0, complaints
    assert "not all consumers have connected within 2" in complaints
    assert numbers == list(range(FRAMES))[FRAMES - len(numbers) :]


def test_nothing_comes_where_nobody_sends(tmp_path):
    with io.Subscriber(tmp_path) as live:
        assert live.next(0.1) is None
        assert not live.ended


@pytest.mark.parametrize("language", ["c", "cpp", "fortran", "python"])
def test_the_how_to_quotes_the_examples_as_they_are(language):
    suffix = {"fortran": "f90", "python": "py"}.get(language, language)
    quoted = re.findall(rf"^```{language}\n(.*?)^```$", HOW_TO.read_text(), re.S | re.M)
    assert quoted
    assert quoted[0].strip() in (EXAMPLES / f"live.{suffix}").read_text()


def command_of(run_directory, *settings):
    """The model's command for a short density current with a network stream."""
    try:
        model = locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    given = (
        "domain.nx=64", "domain.nz=16", "domain.dx=400 m", "run.duration=8 s", "output.history.interval=4 s",
        "output.live.interval=4 s", "output.live.engine=sst", f"run.directory={run_directory}", *settings,
    )  # fmt: skip
    return [model, locate.run_file("density-current"), *(word for s in given for word in ("--set", s))]


def test_a_run_file_has_a_network_stream_beside_its_files(tmp_path):
    options = 'output.live.options={ first_consumer = 60, when_queue_full = "wait" }'
    model = begin(*command_of(tmp_path, options))
    with io.Subscriber(tmp_path / "live.sst") as live:
        frames = [frame.read("T") for frame in live]
    ended(model)
    files = sorted(tmp_path.glob("history_*.nc"))
    assert len(frames) == len(files) == 3
    for frame, path in zip(frames, files, strict=True):
        with netCDF4.Dataset(path) as file:
            np.testing.assert_array_equal(frame, file["T"][0])


def test_the_plan_and_the_checks_know_a_network_stream(tmp_path):
    assert "a network stream; engine sst" in ended(begin(*command_of(tmp_path), "--plan"))
    refused = begin(*command_of(tmp_path, "output.live.path=live_%H.nc", "output.live.frames_per_file=3"))
    complaints = refused.communicate(timeout=60)[1]
    assert refused.returncode != 0
    assert "must end in .sst" in complaints
    assert "output.live.frames_per_file has no effect" in complaints
