"""Prints the largest value of a field in each frame of a network stream, while the run makes them.

python live.py RUN FIELD
"""

import sys

from squall import io

run, field = sys.argv[1:]
with io.Subscriber(run) as live:  # a run directory, or the stream's contact file
    for frame in live:
        values = frame.read(field)
        live.release()  # the run may forget the frame
        print(live.number, f"{values.max():.4f}", flush=True)
