"""Compares a run with WRF's output of the same case: the distance of each field, as a share of its variety.

python compare_wrf.py RUN WRFOUT

Root mean square of the difference over the standard deviation of WRF's field about the mean of each level:
0 is the same, 1 as far from WRF as any other weather of that kind.
"""

import sys

import numpy as np

import squall

FIELDS = ("U", "V", "W", "T", "PH", "MU", "QVAPOR", "QCLOUD", "QRAIN", "RAINNC")

ours, wrf = (squall.open_run(path) for path in sys.argv[1:])
both = [name for name in FIELDS if name in ours and name in wrf]
print("    time  " + "".join(f"{name:>9}" for name in both))
for seconds in np.intersect1d(ours["elapsed"], wrf["elapsed"]):
    a, b = (data.isel(Time=int(np.argmax(data["elapsed"].values == seconds))) for data in (ours, wrf))
    shares = []
    for name in both:
        x, y = (frame[name].astype(float) for frame in (b, a))
        level = [dim for dim in x.dims if dim.startswith(("south_north", "west_east"))]
        variety = float(np.sqrt(((x - x.mean(level)) ** 2).mean()))
        distance = float(np.sqrt(((y - x) ** 2).mean()))
        shares.append(distance / variety if variety else np.nan)
    print(f"{seconds / 3600:6.2f} h  " + "".join(f"{share:9.4f}" for share in shares))
