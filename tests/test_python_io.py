"""squall_io in Python: files, what is made of fields, who owns what, calendars."""

import sys

import numpy as np
import pytest
import xarray as xr

from installed_io import execute, in_python, need

pytestmark = pytest.mark.regression


CLIENT_FILES = """
import sys
import numpy as np
from mpi4py import MPI
from squall import io
session = io.Session(MPI.COMM_WORLD, watchdog=5)
spec = io.StreamSpec("history", sys.argv[1] + "/out/", placement="thread", dimensions={"x": 4},
                     fields=[io.Field("A", "f4", ["x"])])
stream = session.open(spec)
for number, name in enumerate(["wrfout_d01", "wrfrst_d01"], 1):
    stream.open_file(name, {"JULDAY": 35 + number, "START_DATE": "a day"})
    with stream.begin(3600) as frame:
        frame.put("A", np.full(4, number, "f4"))
    stream.close_file()
stream.flush()
print(io.Reader(sys.argv[1] + "/out/wrfrst_d01").frames)
try:
    stream.close_file()
except io.Error as error:
    print(error)
stream.close()
session.close()
"""


def test_python_opens_and_closes_files_itself(prefix, tmp_path):
    said = in_python(CLIENT_FILES, prefix, tmp_path).splitlines()
    assert said == ["1", "stream history: closing a file, but none is open"]
    with xr.open_dataset(tmp_path / "out" / "wrfout_d01", engine="netcdf4", decode_times=False) as data:
        assert data["A"].values.tolist() == [[1] * 4]
        assert data.attrs["JULDAY"] == 36
        assert data.attrs["START_DATE"] == "a day"


ROUND_TRIP = """
import sys
import numpy as np
from mpi4py import MPI
from squall import io
path = sys.argv[1] + "/a.nc"
session = io.Session(MPI.COMM_WORLD, watchdog=5)
spec = io.StreamSpec("s", path, dimensions={"y": 3, "x": 4, "n": 2},
    attributes={"title": "t", "two": [1.5, 2.5]},
    fields=[io.Field("A", "f8", ["y", "x"], attributes={"k": 7}), io.Field("C", "S1", ["n"])])
stream = session.open(spec)
with stream.begin(60) as frame:
    frame.put("A", np.arange(12, dtype="i4").astype("f4").reshape(4, 3).T)
    frame.put("C", "ab")
stream.close()
report, = session.close()
print(report.name, report.frames, report.bytes)
with io.Reader(path) as file:
    print(file.frames, file.dimensions, file.attributes["title"], list(file.attributes["two"]))
    print(file.fields["A"].attributes["k"], file.read("A", start=(1, 2), count=(2, 2)).tolist())
    print(file.read("C").tobytes())
for mistake in (lambda: io.Session(MPI.COMM_WORLD, server=1), lambda: io.Reader(path + "x")):
    try:
        mistake()
    except io.Error as error:
        print(error)
"""


REDUCED = """
import sys
import numpy as np
from mpi4py import MPI
from squall import io
path = sys.argv[1] + "/a.nc"
rank = MPI.COMM_WORLD.rank
session = io.Session(MPI.COMM_WORLD)
spec = io.StreamSpec("s", path, dimensions={"y": 3, "x": 4}, placement="thread",
    sources=[io.Field("T", "f8", ["y", "x"]), io.Field("area", "f8", ["y"], per_frame=False),
             io.Field("land", "i1", ["y", "x"])],
    fields=[io.Field("mean", "f8", reduction=io.Reduction("T", over=["y", "x"], weight="area")),
            io.Field("most", "f8", reduction=io.Reduction("T", "max", ["x"], mask="land")),
            io.Field("q", "f8", reduction=io.Reduction("T", "quantile", ["y", "x"], within={"x": slice(0, 2)},
                                                       quantile=1, low=0, high=12, bins=12)),
            io.Field("w", "f8", reduction=io.Reduction("T", "quantile", ["y", "x"], weight="area",
                                                       quantile=0.25, low=0, high=12, bins=12)),
            io.Field("coarse", "f8", reduction=io.Reduction("T", coarsen={"y": (2, "Y"), "x": (3, "X")}))],
    reduce="ranks")
stream = session.open(spec)
stream.put("area", [1.0, 2.0, 1.0])
x = slice(2 * rank, 2 * rank + 2)
t = np.arange(12.0).reshape(3, 4)
with stream.begin(60) as frame:
    frame.put("land", (t % 2 == 0).astype("i1")[:, x], start=(0, 2 * rank))
    frame.put("T", t[:, x], start=(0, 2 * rank))
session.progress()
stream.close()
session.close()
if rank == 0:
    with io.Reader(path) as file:
        print(float(file.read("mean")), file.read("most").tolist(), float(file.read("q")),
              float(file.read("w")), file.read("coarse").tolist())
"""


def test_python_declares_what_is_reduced_where_it_lies(prefix, tmp_path):
    need("py")
    assert in_python(REDUCED, prefix, tmp_path, ranks=2) == (
        "5.5 [2.0, 6.0, 10.0] 10.0 4.0 [[3.0, 5.0], [9.0, 11.0]]\n"
    )


MADE = """
import sys
import numpy as np
from mpi4py import MPI
from squall import io
comm = MPI.COMM_WORLD
rank = comm.rank
session = io.Session(comm)
def spec(name):
    return io.StreamSpec("made", f"{sys.argv[1]}/{name}.nc", dimensions={"z": 3, "x": 4, "level": 2},
        frames_per_file=0,
        sources=[io.Field("T", "f8", ["z", "x"]), io.Field("P", "f8", ["z", "x"])],
        places={"station": io.Places(["x"], 2, [[1.5], [3]]), "ship": io.Places(["x"], 1)},
        fields=[io.Field("tower", "f8", reduction=io.Reduction("T", "linear", at="station")),
                io.Field("ship", "f8", reduction=io.Reduction("T", "nearest", at="ship")),
                io.Field("mean", "f8", reduction=io.Reduction("T", over=["Time"])),
                io.Field("T_pl", "f8", reduction=io.Reduction("T", "interpolate", ["z"], onto="level",
                    coordinate="P", levels=[850.0, 2000.0], scale="log"))])
def put(frame, t):
    frame.put("P", np.full((3, 2), [[1000.0], [850.0], [700.0]]), start=(0, 2 * rank))
    frame.put("T", t + np.arange(12.0).reshape(3, 4)[:, 2 * rank : 2 * rank + 2], start=(0, 2 * rank))
stream = session.open(spec("a"))
kept = session.open(io.StreamSpec("restart", f"{sys.argv[1]}/restart.nc", dimensions={"z": 3, "x": 4},
                                  fields=[io.Field("n", "i4")], keeps=[spec("a")]))
with stream.sample(60) as frame:
    put(frame, 0.0)
with kept.begin(60) as frame:
    frame.set("n", 1)
    stream.save(frame)
kept.close()
stream.close()
comm.Barrier()
stream = session.open(spec("b"))
stream.restore(f"{sys.argv[1]}/restart.nc", 0)
with stream.begin(120) as frame:
    frame.places("ship", [2.2])
    put(frame, 100.0)
stream.close()
session.close()
if rank == 0:
    with io.Reader(f"{sys.argv[1]}/b.nc") as file:
        print(file.read("tower").tolist(), file.read("ship").tolist())
        on_levels = file.read("T_pl")
        print(file.read("mean")[0].tolist(), on_levels[0].tolist(), float(on_levels[1, 0]) > 1e36)
"""


def test_python_makes_fields_at_places_over_time_and_onto_levels(prefix, tmp_path):
    need("py")
    assert in_python(MADE, prefix, tmp_path, ranks=2).splitlines() == [
        "[[101.5, 105.5, 109.5], [103.0, 107.0, 111.0]] [[102.0, 106.0, 110.0]]",
        "[50.0, 51.0, 52.0, 53.0] [104.0, 105.0, 106.0, 107.0] True",
    ]


def test_python_reads_back_transposed_arrays_texts_and_attributes(prefix, tmp_path):
    need("py")
    said = in_python(ROUND_TRIP, prefix, tmp_path).splitlines()
    assert said[0] == "s 1 98"
    assert said[1] == "1 {'y': 3, 'x': 4, 'n': 2} t [np.float64(1.5), np.float64(2.5)]"
    assert said[2] == "7 [[7.0, 10.0], [8.0, 11.0]]"
    assert said[3] == "b'ab'"
    assert said[4].startswith('there is no key "server"; did you mean "servers"? (choose one of: servers,')
    assert f"{tmp_path}/a.ncx" in said[5]


DECLARED = """
import sys
import numpy as np
from mpi4py import MPI
from squall import io
path = sys.argv[1] + "/%Y-%m-%d.nc"
comm = MPI.COMM_WORLD
session = io.Session(comm, staging_limit=1 << 20)
first, last = (60 * (comm.rank + n) // comm.size for n in (0, 1))
mine = np.random.default_rng(1).permutation(60)[first:last]
spec = io.StreamSpec("s", path, dimensions={"lev": 2, "cell": 64, "station": 3},
    calendar="noleap", record_dimension="time", frames_per_file=0,
    time=io.TimeAxis(units="days since 2000-02-28", bounds=True),
    decompositions={"cells": io.Decomposition(["cell"], indices=mine,
        unowned=[([60], [4])] if comm.rank == 0 else [])},
    fields=[io.Field("T", "i2", ["lev", "cell"], decomposition="cells", fill=-1),
        io.Field("big", "i8", optional=True), io.Field("event", str, letters=20),
        io.Field("name", str, ["station"], letters=8, per_frame=False)])
stream = session.open(spec)
if comm.rank == 0:
    stream.put("name", np.array(["Genève", "", "Sion"]))
for n in range(2):
    with stream.begin(86400 * (n + 1), "2000-02-28", bounds=(86400 * n, 86400 * (n + 1))) as frame:
        assert session.put_points("T", np.array([100 * n + mine, 1000 + mine], "i2")) == 1
        frame.set("event", "snow" if n else "none")
        if n:
            frame.set("big", 2**60 + 1)
        else:
            frame.leave_out("big")
stream.close()
half = comm.Split(comm.rank % 2)
part = f"part{comm.rank % 2}"
spec = io.StreamSpec(part, f"{sys.argv[1]}/{part}.nc", dimensions={}, fields=[io.Field("r", "i4")])
other = session.open(spec, members=half)
with other.begin(0) as frame:
    frame.set("r", comm.rank)
other.close()
session.close()
if comm.rank == 0:
    with io.Reader(sys.argv[1] + "/2000-03-01.nc") as file:
        print(*file.times(), file.steps())
        whole = file.read("T", 1)
        all_right = (whole[0, :60] == 100 + np.arange(60)).all()
        print(all_right, whole[1, 5], whole[:, 60:].ravel().tolist())
        print(file.texts("name").tolist(), file.texts("event", 1), end=" ")
        print(file.read("big", 1), file.fields["big"].type)
        print([int(file.read("big_status", n)) for n in range(2)], file.read("time_bnds", 1).tolist())
    print([option.name for option in io.options("netcdf")], io.format_time(0, "%d", "2000-02-30", "360_day"))
"""


@pytest.mark.parametrize("ranks", [1, 3])
def test_python_declares_who_owns_what_and_when(prefix, tmp_path, ranks):
    need("py")
    said = in_python(DECLARED, prefix, tmp_path, ranks).splitlines()
    assert said[0] == "2000-03-01T00:00:00 2000-03-02T00:00:00 [0.0, 86400.0]"
    assert said[1] == "True 1005 [-1, -1, -1, -1, -1, -1, -1, -1]"
    assert said[2] == "['Genève', '', 'Sion'] snow 1152921504606846977 int64"
    assert said[3] == "[0, 1] [1.0, 2.0]"
    assert said[4] == "['format'] 30"
    for part in range(min(ranks, 2)):
        assert int(xr.open_dataset(tmp_path / f"part{part}.nc")["r"][0]) == part
    with xr.open_dataset(next(tmp_path.glob("2000-*.nc"))) as data:
        assert [str(t) for t in data.time.values] == ["2000-03-01 00:00:00", "2000-03-02 00:00:00"]
        assert np.isnan(data["T"][:, :, 60:]).all()
        assert bool(np.isnan(data["T"][:, :, :60]).any()) is False


CALENDARS = """
import random, sys
import cftime
from squall import io
random.seed(7)
for calendar in ("standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day"):
    for _ in range(300):
        epoch = f"{random.randint(1, 2200):04d}-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"
        if calendar == "standard" and epoch[:7] == "1582-10":
            continue
        seconds = random.randint(0, 10 ** random.randint(1, 11))
        date = cftime.num2date(seconds, f"seconds since {epoch} 00:00:00", calendar=calendar)
        expected = "%04d-%02d-%02d %02d:%02d:%02d" % (date.year, date.month, date.day, date.hour, date.minute,
                                                      date.second)
        found = io.format_time(seconds, "%Y-%m-%d %H:%M:%S", epoch, calendar)
        if found != expected:
            print(calendar, epoch, seconds, found, expected)
"""


def test_calendars_agree_with_cftime(prefix, tmp_path):
    need("py")
    pytest.importorskip("cftime")
    assert in_python(CALENDARS, prefix, tmp_path) == ""


def test_squall_io_without_mpi4py_says_what_to_install(tmp_path):
    (tmp_path / "mpi4py.py").write_text("raise ImportError('not here')")
    program = "from squall import io\ntry:\n    io.Reader('x')\nexcept io.Error as e:\n    print(e)"
    said = execute(sys.executable, "-c", program, PYTHONPATH=str(tmp_path))
    assert "pip install mpi4py" in said.stdout
