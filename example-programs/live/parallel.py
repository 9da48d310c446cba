"""As live.py on several ranks, each of which reads its rows of a field of two dimensions.

mpiexec -n 4 python parallel.py RUN FIELD
"""

import sys

from mpi4py import MPI

from squall import io

run, field = sys.argv[1:]
ranks = MPI.COMM_WORLD
with io.Subscriber(run, ranks) as live:  # all ranks get the same frames
    for frame in live:
        rows, columns = (frame.dimensions[name] for name in frame.fields[field].dimensions)
        first, end = (rows * n // ranks.size for n in (ranks.rank, ranks.rank + 1))
        values = frame.read(field, start=(first, 0), count=(end - first, columns))
        live.release()
        most = ranks.reduce(values.max(initial=float("-inf")), MPI.MAX)
        if ranks.rank == 0:
            print(live.number, f"{most:.4f}", flush=True)
