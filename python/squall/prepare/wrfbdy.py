"""Writes wrfbdy_d01, the lateral boundary file, like WRF's real.exe.

A record holds values at its beginning and their tendencies up to its end, on the outermost
`width` rows and columns of each side; the first is the outermost. Values are coupled with the dry
column mass, as WRF and the model (model/src/boundary) take them apart:

    u (c1 mu_u + c2) / MAPFAC_UY,  v (c1 mu_v + c2) / MAPFAC_VX,  T (c1 mu + c2),  QVAPOR (c1 mu + c2),
    PH (c1 mu + c2) with the c of interfaces,  MU as it is

with mu the full mass, at faces the mean of the cells beside them; T is what the run integrates,
potential temperature of moist air minus 300 K, or with USE_THETA_M = 0 of dry air (so from WRF 4 on:
init_domain_rk of dyn_em/module_initialize_real.F).
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import netCDF4
import numpy as np
from numpy.typing import NDArray

from squall.diagnose.staggering import to_faces
from squall.errors import UserError
from squall.geo.domain import Domain
from squall.prepare.rim import SIDES, Rim
from squall.prepare.state import State
from squall.prepare.wrf_file import RecordWriter, Shape, add_times, add_variable, characters

Array = NDArray[np.float32]
Block = NDArray[np.float64]
Strips = dict[tuple[str, str], Block]

THIS_TIME = "md___thisbdytimee_x_t_d_o_m_a_i_n_m_e_t_a_data_"
NEXT_TIME = "md___nextbdytimee_x_t_d_o_m_a_i_n_m_e_t_a_data_"

# Of each variable: levels, staggering, description, units.
VARIABLES = {
    "U": ("bottom_top", "X", "bdy x-wind component", "m s-1 Pa"),
    "V": ("bottom_top", "Y", "bdy y-wind component", "m s-1 Pa"),
    "PH": ("bottom_top_stag", "Z", "bdy perturbation geopotential", "m2 s-2 Pa"),
    # As WRF 4 describes it: readers tell by "moist" that it may be (model/src/boundary/boundary_theta.hpp).
    "T": (
        "bottom_top",
        "",
        "bdy either 1) pert moist pot temp=(1+Rv/Rd Qv)*(theta)-T0, or 2) pert dry pot temp=theta-T0; "
        "based on use_theta_m setting",
        "K Pa",
    ),
    "MU": (None, "", "bdy perturbation dry air mass in column", "Pa"),
    "QVAPOR": ("bottom_top", "", "bdy water vapor mixing ratio", "kg kg-1 Pa"),
}


class BoundaryWriter(RecordWriter):
    """Writes a boundary file from times that follow each other; holds two sets of strips.

    with BoundaryWriter(path, domain) as boundary:
        boundary.add(state)
        for columns in later:
            boundary.add(build_rim(columns, domain, terrain, land_mask, settings, boundary.width))
        boundary.hold_until(end)
    """

    lacking = "provide two times, or set hold_until to the run's end"

    def __init__(self, path: Path, domain: Domain, width: int = 5) -> None:
        """width: rows on each side; at least the run's specified_rows + relaxation_rows."""
        if width < 1 or 2 * width > min(domain.nx, domain.ny):
            raise UserError(
                f"A boundary of {width} rows on each side does not fit a domain of {domain.nx} x {domain.ny}."
            )
        super().__init__(path, domain)
        self.width = width
        self._file: netCDF4.Dataset | None = None
        self._time: datetime | None = None
        self._strips: Strips = {}

    def add(self, state: State | Rim) -> None:
        """The next time, as a whole state or its rim; a record goes up to it from the one before."""
        if self._file is None:
            self._file = self._create(state)
        if self._time is not None and state.time <= self._time:
            raise UserError(
                f"Analyses for {self.path} must be in order of time: {state.time} follows {self._time}."
            )
        strips = self._cut(state)
        if self._time is not None:
            seconds = (state.time - self._time).total_seconds()
            tendency = {name: (strips[name] - old) / seconds for name, old in self._strips.items()}
            self._write(self._time, state.time, tendency)
        self._time, self._strips = state.time, strips

    def hold_until(self, end: datetime) -> bool:
        """After the last state: a record without change up to `end`, where that is later. Whether
        one was needed."""
        if self._time is None or end <= self._time:
            return False
        self._write(self._time, end, {name: np.zeros_like(old) for name, old in self._strips.items()})
        self._time = end
        return True

    def _create(self, state: State | Rim) -> netCDF4.Dataset:
        made = self._begin(state.vertical.nz, state.time, state.settings, {"bdy_width": self.width})
        add_times(made, THIS_TIME, "beginning of the record")
        add_times(made, NEXT_TIME, "end of the record")
        for name, (levels, stagger, description, units) in VARIABLES.items():
            for kind in ("B", "BT"):
                for side in SIDES:
                    per_second = kind == "BT"
                    add_variable(
                        made,
                        f"{name}_{kind}{side}",
                        _shape(levels, stagger, side),
                        description.replace("bdy", "bdy tend") if per_second else description,
                        f"{units} s-1" if per_second else units,
                    )
        return made

    def _write(self, begin: datetime, end: datetime, tendency: Strips) -> None:
        assert self._file is not None
        n = self.records
        self._file["Times"][n] = characters(begin)
        self._file[THIS_TIME][n] = characters(begin)
        self._file[NEXT_TIME][n] = characters(end)
        for name, values in self._strips.items():
            variable, side = name
            self._file[f"{variable}_B{side}"][n] = values
            self._file[f"{variable}_BT{side}"][n] = tendency[name]
        self._file.sync()
        self.records += 1

    def _cut(self, given: State | Rim) -> Strips:
        """Coupled values of all variables and sides, by (variable, side)."""
        v, width = given.vertical, self.width

        def mass(mu_strip: Block, faces: bool = False) -> Block:
            c1, c2 = (v.c1f, v.c2f) if faces else (v.c1h, v.c2h)
            return np.asarray(c1[:, None, None] * mu_strip + c2[:, None, None])

        made: Strips = {}
        for side in SIDES:
            take = _taker(side, width)
            state = given.sides[side] if isinstance(given, Rim) else given
            mu = state.base.mub.astype(np.float64) + state.mu
            cells = mass(take(mu))
            u_mass, v_mass = mass(take(to_faces(mu, 1))), mass(take(to_faces(mu, 0)))
            coupled = {
                "U": take(state.u) * u_mass / take(self.domain.u.map_factor_y),
                "V": take(state.v) * v_mass / take(self.domain.v.map_factor_x),
                "PH": take(state.ph) * mass(take(mu), faces=True),
                "T": take(state.integrated_theta) * cells,
                "MU": take(state.mu),
                "QVAPOR": take(state.vapour) * cells,
            }
            for name, values in coupled.items():
                made[name, side] = _outermost_first(values, side)
        return made


def _shape(levels: str | None, stagger: str, side: str) -> Shape:
    if side in ("XS", "XE"):
        along = "south_north_stag" if stagger == "Y" else "south_north"
    else:
        along = "west_east_stag" if stagger == "X" else "west_east"
    order = side + ("Z" if levels else " ")
    return Shape(("bdy_width", *([levels] if levels else []), along), order, stagger)


def _taker(side: str, width: int) -> Callable[[NDArray[np.floating]], Block]:
    """Cuts the rows or columns of a side from a plane or volume."""
    part = {
        "XS": np.s_[..., :width],
        "XE": np.s_[..., -width:],
        "YS": np.s_[..., :width, :],
        "YE": np.s_[..., -width:, :],
    }[side]
    return lambda x: x[part].astype(np.float64)


def _outermost_first(values: Block, side: str) -> Block:
    """(levels, rows, columns) of a side's part to WRF's (width, levels, along), or without levels."""
    axis = -1 if side in ("XS", "XE") else -2
    across = np.moveaxis(values, axis, 0)
    return across[::-1] if side in ("XE", "YE") else across
