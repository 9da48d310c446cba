"""When: the dates that a chart carries, and model times in words. A frame is a history at one time."""

import numpy as np
import xarray as xr


def _date(moment: np.datetime64) -> str:
    return f"{moment.astype('datetime64[s]').item():%a %-d %b %Y %H:%M} UTC"


def start(frame: xr.Dataset) -> np.datetime64:
    """The calendar time of step 0, to the second."""
    return np.datetime64(str(frame.attrs["START_DATE"]).replace("_", "T"), "s")


def valid(history: xr.Dataset, elapsed: float) -> str:
    """The calendar time so many seconds after the start."""
    return _date(start(history) + np.timedelta64(round(elapsed), "s"))


def headline(frame: xr.Dataset) -> str:
    """Valid time, lead time and start of a frame."""
    elapsed = float(frame["elapsed"])
    begun = _date(start(frame))
    if elapsed == 0:
        return f"Valid {begun}, the start"
    return f"Valid {valid(frame, elapsed)} (+{in_words(elapsed)} from {begun})"


def in_words(seconds: float) -> str:
    """A model time as people say it: 900 s, 36 h, 4 d 12 h."""
    if seconds < 7200 and (seconds % 3600 or not seconds):
        return f"{seconds:g} s"
    if seconds < 172800 or seconds % 3600:
        return f"{seconds / 3600:g} h"
    days, hours = divmod(round(seconds / 3600), 24)
    return f"{days} d {hours} h" if hours else f"{days} d"
