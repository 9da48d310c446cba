"""The state of a domain at one time, the settings for making it, and findings about it."""

from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import R_D, R_V, THETA0
from squall.prepare.base_atmosphere import BaseAtmosphere
from squall.prepare.base_state import BaseState
from squall.prepare.columns import Columns
from squall.prepare.levels import VerticalGrid, checked_eta, divided_eta, make_vertical_grid, stretched_eta

Array = NDArray[np.float32]
Block = NDArray[np.float64]


THICK = 2000.0  # m, for a layer with ice clouds: docs/explanation/cumulus.md


@dataclass(frozen=True)
class Settings:
    """The settings of the state in the run file, with the defaults of its keys."""

    levels: int = 40
    top: float = 5000.0  # Pa
    lowest_layer: float = 50.0  # m, thickness of the lowest layer
    stretch: float = 1.2  # of a layer over the one below, near the ground
    eta: tuple[float, ...] = ()  # interfaces, in place of levels, lowest_layer and stretch
    etac: float = 0.2  # hybrid coordinate; 0: sigma
    hypsometric: int = 2  # dynamics.hypsometric
    moist_theta: bool = True  # dynamics.moist_theta
    use_surface: bool = True  # 2 m and 10 m data close the profiles
    remove_divergence: bool = True  # of the column's mass flux, between the boundary's rows
    fractional_sea_ice: bool = False  # physics.fractional_sea_ice
    boundary_rows: int = 5  # boundary.specified_rows + relaxation_rows
    steady_boundary: bool = False  # one time only: the net inflow of mass is taken out too
    base: BaseAtmosphere = field(default_factory=BaseAtmosphere)

    def divided(self, layers: int) -> "Settings":
        """The same settings with a number of layers that subdivide these."""
        return self.on(tuple(divided_eta(self.vertical_grid().znw, layers)))

    def on(self, eta: tuple[float, ...]) -> "Settings":
        """The same settings with layers between given interfaces."""
        return replace(self, eta=eta, levels=len(eta) - 1)

    def vertical_grid(self) -> VerticalGrid:
        """The levels. Raises UserError for ones that cannot be."""
        if self.eta:
            eta = checked_eta(self.eta)
        else:
            eta = stretched_eta(self.levels, self.top, self.lowest_layer, self.stretch, self.base)
        return make_vertical_grid(eta, self.top, self.etac)


@dataclass(frozen=True)
class MassBalance:
    """Mean |dmu/dt| between the boundary's rows, and by how much wind was changed."""

    before: float  # Pa s-1
    after: float
    wind_rms: float  # m s-1
    wind_greatest: float
    inflow: float  # mean of dmu/dt over the whole domain, Pa s-1, before


@dataclass
class StateReport:
    """Numbers of one state; `points` are those of the volume."""

    points: int = 0
    acceleration: float = 0.0  # greatest |dw/dt| at the start, m s-2, of the fields as they are stored
    negative_vapour: int = 0  # points where the analysis's interpolated vapour was below 0
    supersaturated: int = 0  # points brought down to saturation over water
    unstable: int = 0  # points whose moist theta is above that of the point over them by 0.5 K
    thinnest: float = 0.0  # m, of all layers
    thickest: float = 0.0  # m, of those where ice clouds are, 100 to 500 hPa
    raised: float = 0.0  # m: the domain's ground over the analysis's, the most
    lowered: float = 0.0  # m: below
    mass: MassBalance | None = None  # None: the wind was left alone

    def lines(self) -> list[str]:
        """Lines for the user, one fact each."""
        share = 100 / max(self.points, 1)
        made = [
            f"balance: largest |dw/dt| {self.acceleration:.1e} m/s2; thinnest layer {self.thinnest:.0f} m",
            f"terrain: up to {self.raised:.0f} m above that of the analysis, {self.lowered:.0f} m below",
        ]
        if self.thickest > THICK:
            made.append(
                f"layers between 500 and 100 hPa: up to {self.thickest:.0f} m thick. In layers thicker "
                f"than {THICK:.0f} m ice clouds persist too long, which reduces outgoing longwave "
                f"radiation over tropical seas by tens of W/m2; 35 levels avoid this"
            )
        if self.mass:
            hour = 36.0  # hPa h-1 in a Pa s-1
            made.append(
                f"column divergence: mean |dp/dt| {self.mass.before * hour:.2f} hPa/h reduced to "
                f"{self.mass.after * hour:.2f} by wind changes of {self.mass.wind_rms:.2f} m/s (rms; largest "
                f"{self.mass.wind_greatest:.1f}); net inflow was {self.mass.inflow * hour:.2f} hPa/h"
            )
        for count, what in (
            (self.negative_vapour, "negative water vapour set to 0"),
            (self.supersaturated, "water vapour reduced to saturation"),
            (self.unstable, "statically unstable by more than 0.5 K, left unchanged"),
        ):
            if count:
                made.append(f"{what}: {count} points ({count * share:.2g} %)")
        return made


@dataclass
class State:
    """One time on the model's grid, single precision; volumes (levels, ny, nx), staggered as named."""

    time: datetime
    settings: Settings
    vertical: VerticalGrid
    base: BaseState
    u: Array  # (nz, ny, nx + 1), m s-1
    v: Array  # (nz, ny + 1, nx)
    theta: Array  # of dry air, K minus 300
    theta_moist: Array  # theta (1 + r_v / r_d q_v), K minus 300
    vapour: Array  # kg kg-1
    water: dict[str, Array]  # QCLOUD, ... kg kg-1
    ph: Array  # (nz + 1, ny, nx), perturbation geopotential, m2 s-2
    p: Array  # perturbation pressure, Pa
    w: Array | None  # (nz + 1, ny, nx), m s-1; None: the analysis has none
    mu: Array  # (ny, nx), perturbation dry column mass, Pa
    surface_pressure: Array  # (ny, nx), of moist air, Pa
    columns: Columns  # what it was made from: surface data and ground
    land_mask: Array  # (ny, nx), 1 on land
    report: StateReport

    @property
    def terrain(self) -> Array:
        return self.base.terrain

    @property
    def integrated_theta(self) -> Array:
        """The theta that the run integrates, of moist or of dry air, minus 300 K."""
        return self.theta_moist if self.settings.moist_theta else self.theta

    def full_moist_theta(self, rows: slice) -> Block:
        """Potential temperature of moist air in K that the model's pressure follows from: by the
        field that it integrates, moist or dry."""
        if self.settings.moist_theta:
            return self.theta_moist[:, rows].astype(np.float64) + THETA0
        dry = self.theta[:, rows].astype(np.float64) + THETA0
        return np.asarray(dry * (1 + R_V / R_D * self.vapour[:, rows].astype(np.float64)))
