"""wrffdda_d01: analyses for nudging on the whole of a domain, as WRF's real.exe writes them for grid_fdda.

A record holds the fields at its beginning (_OLD) and at its end (_NEW), which is the beginning of the next.
T is potential temperature of dry air minus 300 K.
"""

from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType

import netCDF4
import numpy as np

from squall.errors import UserError
from squall.geo.domain import Domain
from squall.prepare.state import State
from squall.prepare.wrf_file import (
    SHAPES,
    add_attributes,
    add_dimensions,
    add_times,
    add_variable,
    characters,
    wrf_file,
)

# Of each variable: kind, what, units, which of the state's.
VARIABLES = {
    "U": ("u_volume", "U WIND", "m s-1", "u"),
    "V": ("v_volume", "V WIND", "m s-1", "v"),
    "T": ("volume", "THETA - 300", "K", "theta"),
    "Q": ("volume", "WATER VAPOR", "kg kg-1", "vapour"),
}


class NudgingWriter:
    """Writes the file from states that follow each other; as BoundaryWriter, it gets its name at the end of
    the block, or not at all."""

    def __init__(self, path: Path, domain: Domain) -> None:
        self.path, self.domain = Path(path), domain
        self.records = 0
        self._stack = ExitStack()
        self._file: netCDF4.Dataset | None = None
        self._last: State | None = None

    def __enter__(self) -> "NudgingWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self.records == 0:
            error = UserError(
                f"{self.path} would hold no record: nudging needs analyses of two times; leave nudging.file "
                "out."
            )
            self._stack.__exit__(UserError, error, None)  # takes the unfinished file away
            raise error
        self._stack.__exit__(kind, error, trace)

    def add(self, state: State) -> None:
        """The next time; a record goes up to it from the one before."""
        last, self._last = self._last, state
        if last is None:
            return
        minutes = (state.time - last.time).total_seconds() / 60
        if self._file is None:
            self._file = self._create(last, minutes)
        self._write(last.time, {"OLD": last, "NEW": state})

    def _create(self, state: State, minutes: float) -> netCDF4.Dataset:
        made = self._stack.enter_context(wrf_file(self.path))
        add_dimensions(made, self.domain, state.vertical.nz, {})
        add_attributes(made, self.domain, state.vertical.nz, state.time, state.settings)
        made.GFDDA_INTERVAL_M = np.int32(round(minutes))
        add_times(made, "Times")
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
