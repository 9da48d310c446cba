"""Verifies a forecast at stations: bias and root mean square error of each field that was observed.

python verify_stations.py RUN OBSERVATIONS [STREAM]

OBSERVATIONS is a table, CSV, with the columns time (UTC) and station, and one for each field, called as in
the stream and in its units. What is empty was not observed.
"""

import sys

import numpy as np
import pandas as pd

import squall

run, table, *stream = sys.argv[1:]
forecast = squall.open_run(run, stream=stream[0] if stream else "stations")
times = pd.DatetimeIndex(forecast["XTIME"].values).as_unit("s")
names = [str(name) for name in forecast["station_name"].values]

observed = pd.read_csv(table, parse_dates=["time"])
observed = observed[observed["station"].isin(names) & observed["time"].between(times[0], times[-1])]

print(f"{'field':24} number      bias      RMSE  unit")
for field in [name for name in observed.columns if name in forecast]:
    errors = [np.empty(0)]
    for station, there in observed.dropna(subset=[field]).groupby("station"):
        series = forecast[field].isel(station=names.index(station))
        moments = pd.DatetimeIndex(there["time"]).as_unit("s")
        predicted = np.interp(moments.asi8, times.asi8, series)  # between two frames
        errors.append(predicted - there[field].to_numpy())
    error = np.concatenate(errors)
    if error.size:
        rmse = np.sqrt((error**2).mean())
        print(f"{field:24} {error.size:6d} {error.mean():9.3f} {rmse:9.3f}  {forecast[field].units}")
