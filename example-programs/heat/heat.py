"""The heat equation on all ranks, with a frame every few steps. See README.md.

mpirun -n 4 python heat.py PATH ENGINE PLACEMENT SERVERS
"""

import sys

import numpy as np
from mpi4py import MPI

from squall import io

NX, NY, FRAMES, STEPS = 48, 32, 5, 20  # steps between frames
ALPHA = np.float32(0.2)  # diffusivity x time step / spacing²


class Slab:
    """Some rows of the plate, with a row of the neighbours on either side."""

    def __init__(self, comm):
        rank, size = comm.rank, comm.size
        self.comm = comm
        self.south = rank - 1 if rank > 0 else MPI.PROC_NULL
        self.north = rank + 1 if rank < size - 1 else MPI.PROC_NULL
        self.first = NY * rank // size
        self.rows = NY * (rank + 1) // size - self.first
        plate = np.zeros((NY, NX), np.float32)  # a hot block in a cold plate
        plate[NY // 4 : NY // 2, NX // 4 : NX // 2] = 100
        self.t = np.zeros((self.rows + 2, NX), np.float32)
        self.t[1:-1] = plate[self.first : self.first + self.rows]

    def step(self):
        """One step; the rim of the plate keeps its temperature."""
        t = self.t
        self.comm.Sendrecv(t[1], self.south, recvbuf=t[-1], source=self.north)
        self.comm.Sendrecv(t[-2], self.north, recvbuf=t[0], source=self.south)
        first = 2 if self.south == MPI.PROC_NULL else 1
        last = self.rows if self.north == MPI.PROC_NULL else self.rows + 1
        centre = t[first:last, 1:-1]
        across = t[first:last, :-2] + t[first:last, 2:]
        along = t[first - 1 : last - 1, 1:-1] + t[first + 1 : last + 1, 1:-1]
        new = centre + ALPHA * ((across + along) - np.float32(4) * centre)
        t[first:last, 1:-1] = new


def declare(path, engine, placement):
    return io.StreamSpec(
        "heat",
        path,
        engine=engine,
        placement=placement,
        frames_per_file=0,  # all in one file
        record_dimension="time",
        dimensions={"y": NY, "x": NX},  # slowest first
        fields=[
            io.Field("time", "f8", attributes={"units": "seconds since 2000-01-01T00:00:00"}),
            io.Field("row", "i4", ["y"], per_frame=False),
            io.Field("T", "f4", ["y", "x"], attributes={"units": "K"}),
        ],
        attributes={"title": "A hot block in a cold plate", "alpha": ALPHA},
    )


def write_frame(stream, slab, seconds):
    with stream.begin(seconds) as frame:  # committed at the end; t may then be changed again
        if slab.south == MPI.PROC_NULL:  # one rank is enough for what all ranks know
            frame.put("time", seconds)
        frame.put("T", slab.t[1:-1], start=(slab.first, 0))


def compute(session, spec):
    slab = Slab(session.comm)
    stream = session.open(spec)
    stream.put("row", np.arange(slab.first, slab.first + slab.rows, dtype=np.int32), start=(slab.first,))
    for number in range(FRAMES):
        write_frame(stream, slab, 60.0 * number)
        for _ in range(STEPS):
            slab.step()
    stream.close()


def main(path, engine, placement, servers):
    session = io.Session(MPI.COMM_WORLD, servers=int(servers))
    if session.computes:
        compute(session, declare(path, engine, placement))
    else:
        session.serve()
    session.close()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(f"usage: {sys.argv[0]} PATH ENGINE PLACEMENT SERVERS")
    main(*sys.argv[1:])
