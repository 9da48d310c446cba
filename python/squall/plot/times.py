"""When: the dates that a chart carries. A frame is a history at one time."""

import numpy as np
import xarray as xr

from squall.plot import choice


def _date(moment: np.datetime64) -> str:
    return f"{moment.astype('datetime64[s]').item():%a %-d %b %Y %H:%M} UTC"


def start(frame: xr.Dataset) -> np.datetime64:
    """The calendar time of step 0."""
    return np.datetime64(str(frame.attrs["START_DATE"]).replace("_", "T"))


def headline(frame: xr.Dataset) -> str:
    """Valid time, lead time and start of a frame."""
    elapsed = float(frame["elapsed"])
    valid = start(frame) + np.timedelta64(round(elapsed), "s")
    return f"Valid {_date(valid)} (+{choice.in_words(elapsed)} from {_date(start(frame))})"
