"""Writes wrffdda_d01, the analyses for nudging, like WRF's real.exe with grid_fdda.

A record holds the fields at its beginning (_OLD) and at its end (_NEW), which is the beginning of the next.
T is potential temperature of dry air minus 300 K.
"""

from datetime import datetime
from pathlib import Path

import netCDF4
import numpy as np

from squall.geo.domain import Domain
from squall.prepare.state import State
from squall.prepare.wrf_file import SHAPES, RecordWriter, add_variable, characters

# Of each variable: kind, what, units, which of the state's.
VARIABLES = {
    "U": ("u_volume", "U WIND", "m s-1", "u"),
    "V": ("v_volume", "V WIND", "m s-1", "v"),
    "T": ("volume", "THETA - 300", "K", "theta"),
    "Q": ("volume", "WATER VAPOR", "kg kg-1", "vapour"),
    "PH": ("w_volume", "PERT GEOPOTENTIAL", "m2 s-2", "ph"),
}


class NudgingWriter(RecordWriter):
    """Writes the file from states that follow each other."""

    lacking = "nudging needs analyses of at least two times; leave nudging.file out"

    def __init__(self, path: Path, domain: Domain) -> None:
        super().__init__(path, domain)
        self._file: netCDF4.Dataset | None = None
        self._last: State | None = None

    def add(self, state: State) -> None:
        """The next time; a record goes up to it from the one before."""
        last, self._last = self._last, state
        if last is None:
            return
        if self._file is None:
            self._file = self._create(last, (state.time - last.time).total_seconds() / 60)
        self._write(last.time, {"OLD": last, "NEW": state})

    def _create(self, state: State, minutes: float) -> netCDF4.Dataset:
        made = self._begin(state.vertical.nz, state.time, state.settings, {})
        made.GFDDA_INTERVAL_M = np.int32(round(minutes))
        for name, (kind, what, units, _) in VARIABLES.items():
            for age in ("OLD", "NEW"):
                add_variable(made, f"{name}_NDG_{age}", SHAPES[kind], f"{age} {what} FOR NUDGING", units)
        return made

    def _write(self, time: datetime, states: dict[str, State]) -> None:
        assert self._file is not None
        self._file["Times"][self.records] = characters(time)
        for name, (_, _, _, field) in VARIABLES.items():
            for age, state in states.items():
                self._file[f"{name}_NDG_{age}"][self.records] = getattr(state, field)
        self.records += 1
