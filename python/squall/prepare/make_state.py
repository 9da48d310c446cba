"""Makes a state from columns: on the model's levels and in its discrete hydrostatic balance."""

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import R_D, R_V, THETA0, G
from squall.diagnose.interpolation import Interpolator
from squall.diagnose.staggering import to_centres, to_faces
from squall.diagnose.vapour import saturation_mixing_ratio
from squall.errors import UserError
from squall.geo.domain import Domain
from squall.prepare.balance import (
    BaseBlock,
    balanced_geopotential,
    balanced_pressure,
    theta_of,
)
from squall.prepare.base_state import make_base_state
from squall.prepare.check_columns import check_columns
from squall.prepare.columns import Columns
from squall.prepare.levels import VerticalGrid
from squall.prepare.mass_balance import remove_divergence
from squall.prepare.state import Settings, State, StateReport
from squall.prepare.state_report import examine
from squall.prepare.vertical import T_SLOPE, Levels, block_pressure, surface_pressure

Array = NDArray[np.float32]
Block = NDArray[np.float64]

ROWS = 16  # of a block: what is in work at a time


def build_state(
    columns: Columns, domain: Domain, terrain: Array, land_mask: Array, settings: Settings
) -> State:
    """The state of one time.

    terrain (m) and land_mask (1 on land) are the domain's own, (ny, nx). Raises UserError for columns
    that cannot be an atmosphere, or that end below the model's top. What is put right is counted
    in the report.
    """
    if terrain.shape != (domain.ny, domain.nx):
        raise UserError(
            f"The terrain has {terrain.shape} rows and columns, but the domain has {(domain.ny, domain.nx)}."
        )
    state = StateMaker(columns, terrain, land_mask, settings).make()
    if settings.remove_divergence:
        state.report.mass = remove_divergence(state, domain, settings.boundary_rows, settings.steady_boundary)
    return state


class StateMaker:
    """Works through the domain in blocks of rows."""

    def __init__(self, columns: Columns, terrain: Array, land_mask: Array, settings: Settings) -> None:
        check_columns(columns, terrain, settings.top)
        self.columns, self.settings = columns, settings
        vertical = settings.vertical_grid()
        base = make_base_state(terrain, vertical, settings.base, settings.hypsometric)
        nz, ny, nx = base.pb.shape
        f = np.float32
        self.state = State(
            time=columns.time,
            settings=settings,
            vertical=vertical,
            base=base,
            u=np.empty((nz, ny, nx + 1), f),
            v=np.empty((nz, ny + 1, nx), f),
            theta=np.empty((nz, ny, nx), f),
            theta_moist=np.empty((nz, ny, nx), f),
            vapour=np.empty((nz, ny, nx), f),
            water={name: np.empty((nz, ny, nx), f) for name in columns.water},
            ph=np.empty((nz + 1, ny, nx), f),
            p=np.empty((nz, ny, nx), f),
            w=None if columns.w is None else np.empty((nz + 1, ny, nx), f),
            mu=np.empty((ny, nx), f),
            surface_pressure=np.empty((ny, nx), f),
            columns=columns,
            land_mask=land_mask,
            report=StateReport(),
        )

    def make(self) -> State:
        ny = self.state.mu.shape[0]
        for first in range(0, ny, ROWS):
            self._make_mass(slice(first, min(first + ROWS, ny)))
        for first in range(0, ny, ROWS):
            self._make_u(slice(first, min(first + ROWS, ny)))
        for first in range(0, ny + 1, ROWS):
            self._make_v(first, min(first + ROWS, ny + 1))
        examine(self.state, self.state.report)
        return self.state

    def _make_mass(self, rows: slice) -> None:
        """Everything on mass points."""
        s, v = self.state, self.state.vertical
        air = _Air(self.columns, rows, self.settings.use_surface)
        base = BaseBlock.of(s.base, rows)
        surface = surface_pressure(self.columns, base.phb[0] / G, rows)
        # The vapour on the model's levels depends on their pressure, and that on the vapour's weight.
        # Guessed from the analysis's levels, the weight is good to a few Pa already.
        mu = surface - v.top - air.vapour_weight(v.top, surface) - base.mub
        p = balanced_pressure(v, base, mu, air.first_guess(v, surface))
        where = Interpolator(air.levels.lnp, np.log(base.pb + p))
        temperature = where.cubic(air.temperature, T_SLOPE)
        water = self._water(air, where, saturation_mixing_ratio(temperature, base.pb + p))
        weight = _column_weight(v, base.mub + mu, sum(water.values(), np.zeros_like(p)))
        mu = (surface - v.top - weight - base.mub).astype(np.float32).astype(np.float64)
        self._store(rows, base, mu, temperature, water)
        s.surface_pressure[rows] = surface

    def _water(self, air: "_Air", where: Interpolator, most: Block) -> dict[str, Block]:
        """Vapour, at most `most`, and hydrometeors on the model's levels, as single precision holds
        them; counts what is put right beyond rounding."""
        vapour = where.cubic(air.vapour)
        self.state.report.negative_vapour += int((vapour < -1e-9).sum())
        self.state.report.supersaturated += int((vapour > 1.001 * most + 1e-9).sum())
        made = {"QVAPOR": np.clip(vapour, 0, most)}
        for name, values in air.water.items():
            made[name] = np.maximum(where.linear(values), 0)
        return {name: q.astype(np.float32).astype(np.float64) for name, q in made.items()}

    def _store(
        self, rows: slice, base: BaseBlock, mu: Block, temperature: Block, water: dict[str, Block]
    ) -> None:
        s = self.state
        p = balanced_pressure(s.vertical, base, mu, sum(water.values(), np.zeros_like(base.pb)))
        s.p[:, rows] = p
        s.mu[rows] = mu
        s.vapour[:, rows] = water["QVAPOR"]
        for name in s.water:
            s.water[name][:, rows] = water[name]
        s.theta[:, rows] = theta_of(temperature, base.pb + p) - THETA0
        # In single precision, as the model makes moist theta from the two.
        factor = 1 + np.float32(R_V / R_D) * s.vapour[:, rows]
        s.theta_moist[:, rows] = (s.theta[:, rows] + np.float32(THETA0)) * factor - np.float32(THETA0)
        s.ph[:, rows] = balanced_geopotential(
            s.vertical, base, mu, p, s.full_moist_theta(rows), self.settings.hypsometric
        )
        self._make_w(rows, base)

    def _make_w(self, rows: slice, base: BaseBlock) -> None:
        """At the heights that the model's interfaces have now; below the analysis's ground as on it."""
        c, s = self.columns, self.state
        if s.w is None or c.w is None or c.interface_height is None:
            return
        source, height = (x[:, rows].astype(np.float64) for x in (c.w, c.interface_height))
        s.w[:, rows] = Interpolator(height, (base.phb + s.ph[:, rows]) / G).cubic(source)

    def _pressure(self, rows: slice) -> Block:
        s = self.state
        return s.base.pb[:, rows].astype(np.float64) + s.p[:, rows]

    def _make_u(self, rows: slice) -> None:
        """Pressures at faces are the means of the cells beside them, as the model's masses are."""
        c = self.columns
        source = block_pressure(c.pressure, rows)
        levels = Levels.make(
            source if c.pressure.ndim == 1 else to_faces(source, 2),
            to_faces(c.surface_pressure[rows].astype(np.float64), 1),
        )
        where = Interpolator(levels.lnp, np.log(to_faces(self._pressure(rows), 2)))
        self.state.u[:, rows] = _wind(where, levels, c.u[:, rows], self._surface(c.u_10m, rows))

    def _make_v(self, first: int, last: int) -> None:
        c, ny = self.columns, self.state.mu.shape[0]
        faces = slice(first, last)
        cells = slice(max(first - 1, 0), min(last, ny))

        sides = (first == 0, last == ny + 1)

        source = block_pressure(c.pressure, cells)
        levels = Levels.make(
            source if c.pressure.ndim == 1 else to_faces(source, 1, sides),
            to_faces(c.surface_pressure[cells].astype(np.float64), 0, sides),
        )
        where = Interpolator(levels.lnp, np.log(to_faces(self._pressure(cells), 1, sides)))
        self.state.v[:, faces] = _wind(where, levels, c.v[:, faces], self._surface(c.v_10m, faces))

    def _surface(self, wind: Array | None, rows: slice) -> Block | None:
        if wind is None or not self.settings.use_surface:
            return None
        return wind[rows].astype(np.float64)


class _Air:
    """Temperature and water of some rows of the analysis on its own levels."""

    def __init__(self, columns: Columns, rows: slice, use_surface: bool) -> None:
        def block(x: Array) -> Block:
            return x[:, rows].astype(np.float64)

        def surface(x: Array | None) -> Block | None:
            return None if x is None or not use_surface else x[rows].astype(np.float64)

        self.levels = Levels.make(
            block_pressure(columns.pressure, rows), columns.surface_pressure[rows].astype(np.float64)
        )
        self.temperature = self.levels.extend(
            block(columns.temperature), surface(columns.temperature_2m), T_SLOPE
        )
        self.vapour = self.levels.extend(block(columns.mixing_ratio), surface(columns.mixing_ratio_2m))
        self.water = {name: self.levels.extend(block(q), None) for name, q in columns.water.items()}

    def vapour_weight(self, top: float, surface: Block) -> Block:
        """Weight of the vapour between two pressures in Pa, by the trapezium rule."""
        p = np.clip(np.exp(self.levels.lnp), top, surface)
        moist = self.vapour / (1 + self.vapour)
        under = np.maximum(surface - np.exp(self.levels.lnp[0]), 0) * moist[0]
        made: Block = under - np.sum(to_centres(moist) * np.diff(p, axis=0), axis=0)
        return made

    def first_guess(self, v: VerticalGrid, surface: Block) -> Block:
        """Vapour at the pressures of the levels if it were spread over the column like the air."""
        c3, c4 = v.c3h[:, None, None], v.c4h[:, None, None]
        near = c3 * (surface - v.top) + c4 + v.top
        return Interpolator(self.levels.lnp, np.log(near)).linear(self.vapour)


def _wind(where: Interpolator, levels: Levels, wind: Array, surface: Block | None) -> Block:
    return where.cubic(levels.extend(wind.astype(np.float64), surface))


def _column_weight(v: VerticalGrid, mu_full: Block, water: Block) -> Block:
    """Weight of the water in Pa."""
    mass = -v.dnw[:, None, None] * (v.c1h[:, None, None] * mu_full + v.c2h[:, None, None])
    return np.asarray(np.sum(mass * water, axis=0))
