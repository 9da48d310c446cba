"""A run that adds a frame when it is told to, written by the output runtime: for tests of readers."""

import json
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from squall import locate
from squall.errors import UserError
from squall.runs import launch

NZ, NY, NX = 3, 6, 8
ENGINES = ["zarr", "adios", "netcdf-split", "netcdf"]
NETWORK = {"first_consumer": "60", "when_queue_full": "wait"}  # for engine sst: no frame is lost

_WRITER = """
    import json
    import sys
    import numpy as np
    from mpi4py import MPI
    from squall import io

    directory, engine, per_file, first = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    options = json.loads(sys.argv[5])
    nz, ny, nx = {shape}
    units = {{"units": "minutes since 2000-01-01 00:00:00", "standard_name": "time", "axis": "T"}}
    fields = [
        io.Field("Time", "f8", [], attributes=units),
        io.Field("XTIME", "f8", [], attributes=units),
        io.Field("T", "f4", ["bottom_top", "south_north", "west_east"], attributes={{"units": "K"}}),
        io.Field("HGT", "f4", ["south_north", "west_east"], per_frame=False, attributes={{"units": "m"}}),
    ]
    session = io.Session(MPI.COMM_WORLD)
    stream = session.open(io.StreamSpec(
        "history", directory + ("/history.sst" if engine == "sst" else "/history_%Y-%m-%d_%H:%M:%S"),
        engine=engine, frames_per_file=per_file, placement="inline", replace=True, options=options,
        dimensions={{"bottom_top": nz, "south_north": ny, "west_east": nx}}, fields=fields,
        attributes={{"DX": 1000.0, "START_DATE": "2000-01-01_00:00:00"}},
    ))
    stream.put("HGT", np.arange(ny * nx, dtype="f4").reshape(ny, nx))
    for n, line in enumerate(sys.stdin, first):
        with stream.begin(60.0 * n) as frame:
            frame.put("Time", float(n))
            frame.put("XTIME", float(n))
            frame.put("T", np.arange(nz * ny * nx, dtype="f4").reshape(nz, ny, nx) + 1000 * n)
        print(n, flush=True)
    stream.close()
    session.close()
"""


def temperature(frame):
    return np.arange(NZ * NY * NX, dtype="f4").reshape(NZ, NY, NX) + 1000 * frame


class Program:
    """One that writes a frame for each line it reads and answers with its number; as a context it ends well,
    `kill` ends it at once."""

    def __init__(self, *command):
        self._process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=launch.inherited(),
        )  # fmt: skip

    def add(self, frames=1):
        for _ in range(frames):
            self._process.stdin.write("\n")
            self._process.stdin.flush()
            assert self._process.stdout.readline().strip().isdigit()

    def kill(self):
        self._process.kill()
        self._process.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            self._process.communicate(timeout=120)
            assert self._process.returncode == 0


class GrowingRun(Program):
    """The program that writes it."""

    def __init__(self, directory, engine, per_file, first=0, options=None):
        self.directory = directory
        code = textwrap.dedent(_WRITER.format(shape=(NZ, NY, NX)))
        super().__init__("-c", code, directory, engine, str(per_file), str(first), json.dumps(options or {}))


def needs(engine):
    """Skips a test where the output runtime, or this engine of it, is not built."""
    pytest.importorskip("mpi4py")
    try:
        locate.io_library()
    except UserError:
        pytest.skip("the output runtime is not built (make build)")
    from squall import io

    if engine not in io.engines():
        pytest.skip(f"this build has no engine {engine}")
