"""Says of each frame, as soon as a run has made it, where its strongest updraught is.

python follow_live.py RUN [STREAM]
"""

import sys

import squall

for frame in squall.follow(*sys.argv[1:]):  # a run directory, or a network stream
    w = frame["W"].load()  # the rest of the frame is not read
    k, j, i = (int(at) for at in w.argmax(...).values())
    minutes = float(frame["elapsed"]) / 60
    print(f"{minutes:6.1f} min: {float(w[k, j, i]):5.2f} m/s in column {i}, {j}, below layer {k}", flush=True)
