"""The weather that acts on tracers, at the surface and in convection, and what stands in where an analysis
lacks it."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import numpy as np

from squall.diagnose import boundary_layer
from squall.diagnose.constants import FREEZING, KAPPA
from squall.diagnose.interpolation import Interpolator
from squall.diagnose.vapour import virtual_temperature
from squall.prepare.columns import Columns
from squall.prepare.report import Report
from squall.prepare.sources import Analysis, read_weather
from squall.prepare.sources.piece import Array, Piece
from squall.prepare.vertical import block_pressure
from squall.transport.cell_means import GlobeReader
from squall.transport.globe import Float, Levels
from squall.transport.winds import Winds

_ROUGHNESS = 0.1, 2e-4  # m, of land and of sea, where the friction velocity is made up
_SHALLOWEST = 50.0  # boundary layer [m]
_FROZEN_SEA = FREEZING - 1.8  # K

# Fields of the surface that an analysis has or else are 0, and what that means.
_OR_NONE = {
    "sensible_heat_flux": "sensible heat flux: 0",
    "latent_heat_flux": "latent heat flux: 0",
    "rain_rate": "rain: none",
    "convective_rain_rate": "convective rain: none",
}


@dataclass(frozen=True)
class Weather:
    """One time. `surface`: by the names of squall.transport.wind_file; (nlat, nlon)."""

    surface: dict[str, Array]
    updraught: Array | None  # at interfaces (nz + 1, nlat, nlon) [kg m-2 s-1]; None: the analysis has none
    downdraught: Array | None


@dataclass
class WeatherMaker:
    """Makes the weather of one time after the other."""

    reader: GlobeReader
    levels: Levels
    pieces: dict[tuple[datetime | None, str], list[Piece]] = field(default_factory=dict)

    @staticmethod
    def of(reader: GlobeReader, levels: Levels, paths: list[Path]) -> "WeatherMaker":
        """paths: the analysis's files. Of fields that occur more than once the first counts."""
        made = WeatherMaker(reader, levels)
        for piece in read_weather(paths):
            known = made.pieces.setdefault((piece.time, piece.field), [])
            if piece.levels[0] not in {level for other in known for level in other.levels}:
                known.append(piece)
        return made

    def convective(self, times: list[datetime]) -> bool:
        """Whether the analysis has the mass fluxes of convection at all of some times."""
        return all((time, name) in self.pieces for time in times for name in ("updraught", "downdraught"))

    def make(self, columns: Columns, winds: Winds, convective: bool) -> Weather:
        """convective: whether to bring the mass fluxes of convection."""
        time = columns.time
        land = self._land(time)
        ice = self._of_analysis(time, "sea_ice")
        surface = {
            "boundary_layer_height": self._boundary_layer(columns, winds),
            "friction_velocity": self._friction(columns, winds, land),
            "land_fraction": land,
            "sea_ice": np.zeros_like(land) if ice is None else np.clip(ice, 0, 1) * (1 - land),
            "frozen_fraction": self._frozen(columns, land),
        }
        for name, otherwise in _OR_NONE.items():
            found = self._mean(time, name)
            if found is None:
                self._report.substitute(otherwise, time)
            surface[name] = np.zeros_like(land) if found is None else found
        for name in ("rain_rate", "convective_rain_rate", "friction_velocity"):
            surface[name] = np.maximum(surface[name], 0)
        fluxes = [
            self._through(columns, winds, name) if convective else None
            for name in ("updraught", "downdraught")
        ]
        return Weather(surface, *fluxes)

    @property
    def _report(self) -> Report:
        return self.reader.report

    @property
    def _analysis(self) -> Analysis:
        return self.reader.analysis

    def _mean(self, time: datetime, name: str) -> Array | None:
        for piece in self.pieces.get((time, name), []):
            self._report.use(name, "", piece.where)
            return self.reader.mean(self.reader.values(piece), piece.grid)
        return None

    def _of_analysis(self, time: datetime, name: str) -> Array | None:
        for piece in self._analysis.at(time, name)[:1]:
            self._report.use(name, "", piece.where)
            return self.reader.mean(self.reader.values(piece), piece.grid)
        return None

    def _land(self, time: datetime) -> Array:
        land = self._of_analysis(time, "land_mask")
        if land is None:
            self._report.substitute("land fraction: 0, all of it sea", time)
            return np.zeros(self.reader.shape, np.float32)
        return np.clip(land, 0, 1)

    def _frozen(self, columns: Columns, land: Array) -> Array:
        """The mean of what is frozen at the analysis's own points; else by the air at 2 m or of the lowest
        level, of land alone."""
        time = columns.time
        skin, mask, ice = (
            self._analysis.at(time, name)[:1] for name in ("skin_temperature", "land_mask", "sea_ice")
        )
        if skin and mask and skin[0].grid.key == mask[0].grid.key:
            self._report.use("skin_temperature", "", skin[0].where)
            temperature, on_land = self.reader.values(skin[0]), self.reader.values(mask[0]) >= 0.5
            sea = (temperature < _FROZEN_SEA).astype(np.float32)
            if ice and ice[0].grid.key == skin[0].grid.key:
                sea = np.clip(self.reader.values(ice[0]), 0, 1)
            else:
                self._report.substitute(
                    "sea ice: where the sea's surface is below -1.8 degrees Celsius", time
                )
            frozen = np.where(on_land, temperature < FREEZING, sea).astype(np.float32)
            return np.clip(self.reader.mean(frozen, skin[0].grid), 0, 1)
        self._report.substitute(
            "frozen ground: land where the air near it is below freezing; no sea ice", time
        )
        air = columns.temperature[0] if columns.temperature_2m is None else columns.temperature_2m
        return np.asarray(land * (air < FREEZING), np.float32)

    def _boundary_layer(self, columns: Columns, winds: Winds) -> Array:
        """Where the analysis has no height: that to which air of the lowest layer is mixed, or to which air
        from 2 m rises, whichever is greater."""
        time = columns.time
        found = self._mean(time, "boundary_layer_height")
        if found is not None:
            return np.maximum(found, 0)
        self._report.substitute("boundary-layer height: where the bulk Richardson number is 0.25", time)
        ratio = winds.humidity.astype(np.float64) / (1 - winds.humidity)
        temperature = winds.temperature.astype(np.float64)
        virtual = virtual_temperature(temperature, ratio)
        potential = virtual * (1e5 / self.levels.middles(winds.surface)) ** KAPPA
        height = boundary_layer.heights(temperature, ratio, self.levels.interfaces(winds.surface))
        u, v = _at_centres(winds.u, winds.v)
        made = boundary_layer.height_by_richardson(height, potential, u, v)
        if columns.temperature_2m is not None:
            near = virtual_temperature(columns.temperature_2m.astype(np.float64), ratio[0])
            below = near * (1e5 / winds.surface) ** KAPPA
            height, potential = (
                np.concatenate([[first], rest])
                for first, rest in ((np.full(below.shape, 2.0), height), (below, potential))
            )
            u, v = (np.concatenate([np.zeros((1, *below.shape)), wind]) for wind in (u, v))
            made = np.maximum(made, boundary_layer.height_by_richardson(height, potential, u, v))
        return np.asarray(np.maximum(made, _SHALLOWEST), np.float32)

    def _friction(self, columns: Columns, winds: Winds, land: Array) -> Array:
        found = self._mean(columns.time, "friction_velocity")
        if found is not None:
            return found
        u, v = columns.u_10m, columns.v_10m
        if u is None or v is None:
            self._report.substitute("friction velocity: 0.3 m/s", columns.time)
            return np.full(self.reader.shape, 0.3, np.float32)
        self._report.substitute(
            "friction velocity: of a neutral logarithmic profile through the wind at 10 m, over a roughness "
            "of 0.1 m on land and 0.2 mm at sea",
            columns.time,
        )
        speed = np.hypot(*_at_centres(u[None, :, :-1], v[None, :-1]))[0]
        on_land, at_sea = (boundary_layer.friction_velocity(speed, 10.0, z) for z in _ROUGHNESS)
        return np.asarray(land * on_land + (1 - land) * at_sea, np.float32)

    def _through(self, columns: Columns, winds: Winds, name: str) -> Array:
        """A mass flux of convection at the layers' interfaces; none passes the ground or the top."""
        levels = self._analysis.levels(columns.time)
        known = self.pieces[columns.time, name]
        given = {level: (piece, n) for piece in known for n, level in enumerate(piece.levels)}
        shape = (len(levels), *self.reader.shape)
        flux = np.zeros(shape)
        for m, level in enumerate(levels):
            if level in given:
                piece, n = given[level]
                flux[m] = self.reader.mean(self.reader.values(piece, n), piece.grid)
        self._report.use(name, f"{len(given)} levels, ", known[0].where)
        pressure = np.broadcast_to(block_pressure(columns.pressure, slice(None)), shape)
        interfaces = self.levels.interfaces(winds.surface)
        made = np.zeros(interfaces.shape, np.float32)
        way = Interpolator(np.log(pressure), np.log(interfaces[1:-1]))
        made[1:-1] = np.maximum(way.linear(flux), 0)
        return made


def _at_centres(u: Float | Array, v: Float | Array) -> tuple[Float, Float]:
    """From western and southern faces (..., nlat, nlon), in double precision."""
    u, v = u.astype(np.float64), v.astype(np.float64)
    north = np.concatenate([v[..., 1:, :], v[..., -1:, :]], axis=-2)
    return 0.5 * (u + np.roll(u, -1, axis=-1)), 0.5 * (v + north)
