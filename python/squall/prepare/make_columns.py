"""Makes the columns of a domain from an analysis, time by time; missing fields are substituted or refused."""

from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from squall.errors import UserError
from squall.prepare import humidity, soil, substitutes
from squall.prepare.columns import Columns, Ground
from squall.prepare.reach import Reach
from squall.prepare.regrid import FieldReader
from squall.prepare.sources import climatology
from squall.prepare.sources.fields import FIELDS, HUMIDITIES
from squall.prepare.sources.piece import Array

WATER = {
    "cloud_water": "QCLOUD", "cloud_ice": "QICE", "rain": "QRAIN", "snow": "QSNOW", "graupel": "QGRAUP",
}  # fmt: skip
DRIEST = np.float32(3e-6)  # kg kg-1, of the stratosphere
HUMID = 50000.0  # Pa; humidity that ends lower leaves out what rain is made of


class ColumnMaker:
    """Makes the columns of one time after the other.

    land (ny, nx): 1 where the domain has land; what is of land or sea only is interpolated by it.
    sea: a file of monthly means of the sea's temperature, for an analysis without.
    """

    def __init__(self, regridder: FieldReader, land: Array, sea: Path | None = None) -> None:
        self._sea = sea
        self._from = regridder
        self._analysis, self._report = regridder.analysis, regridder.report
        self._land: NDArray[np.bool_] = land >= 0.5

    def make(self, time: datetime, with_ground: bool = True) -> Columns:
        """The columns of a time. Raises UserError for what cannot be used, naming it.

        with_ground: also the surface and the soil, which only a first time needs.
        """
        levels = self._analysis.levels(time)
        temperature = self._whole(time, "temperature", levels)
        surface = self._from.surface_pressure(time)
        pressure = self._pressure(time, levels, surface)
        reach = Reach(self._analysis, time, levels, pressure)
        mixing_ratio = self._mixing_ratio(time, levels, temperature, pressure, reach)
        u, v = self._from.winds(time, ("u", "v"), levels)
        height = self._from.volume(time, "height", levels)
        for name, values, along in (("temperature", temperature, None), ("wind", u, 2), ("wind", v, 1)):
            reach.see(name, values, along)
        terrain = self._from.plane(time, "terrain")
        fill = substitutes.Filler(pressure, time, self._report)
        fill.below_ground(temperature, mixing_ratio, height, u, v)
        surface, terrain, height = self._hydrostatics(
            time, fill, (surface, terrain, height), (temperature, mixing_ratio)
        )
        reach.check(surface, self._report)
        columns = Columns(
            time=time,
            pressure=pressure,
            temperature=temperature,
            mixing_ratio=mixing_ratio,
            u=u,
            v=v,
            height=height,
            surface_pressure=surface,
            terrain=terrain,
            sea_level_pressure=self._from.plane(time, "sea_level_pressure"),
        )
        self._add_water(columns, levels)
        self._add_near_ground(columns)
        if with_ground:
            columns.ground = self._ground(columns)
            self._add_vertical_wind(columns)
        return columns

    def _whole(self, time: datetime, field: str, levels: tuple[float, ...]) -> Array:
        found = self._from.volume(time, field, levels)
        assert found is not None  # Analysis.levels has seen it
        return found

    def _pressure(self, time: datetime, levels: tuple[float, ...], surface: Array | None) -> Array:
        if self._analysis.kind == "pressure":
            return np.array(levels, np.float32)
        given = self._from.pressure(time, levels)
        if given is not None:
            return given
        pieces = self._analysis.at(time, "temperature")
        known = {
            level: pair
            for piece in pieces
            for level, pair in zip(piece.levels, piece.coefficients, strict=False)
        }
        if not set(levels) <= set(known):
            raise UserError(
                f"{pieces[0].where}: model levels without pressure, and without the coefficients to "
                f"compute it. Use the GRIB file, which contains them, or pressure levels."
            )
        if surface is None:
            raise UserError(
                f"The analysis of {time:%Y-%m-%d %H:%M} UTC is on model levels, but lacks the surface "
                f"pressure (or its logarithm) that these need."
            )
        return np.stack([a + np.float32(b) * surface for a, b in (known[level] for level in levels)])

    def _mixing_ratio(
        self, time: datetime, levels: tuple[float, ...], temperature: Array, pressure: Array, reach: Reach
    ) -> Array:
        p = pressure[:, None, None] if pressure.ndim == 1 else pressure
        made = None
        for field in HUMIDITIES:
            given = self._from.volume(time, field, levels)
            if given is None:
                continue
            if field == "mixing_ratio":
                made = np.maximum(given, 0)
            elif field == "specific_humidity":
                made = humidity.from_specific(given)
            elif field == "dew_point":
                made = humidity.from_dew_point(given, p)
            else:
                over = self._analysis.at(time, field)[0].saturation
                self._report.note(humidity.IN_WORDS[over])
                made = humidity.from_relative(np.maximum(given, 0), temperature, p, over)
            break
        if made is None or np.isnan(made).all():
            raise UserError(
                f"The analysis of {time:%Y-%m-%d %H:%M} UTC has no humidity over this domain at any level "
                "with temperature and wind."
            )
        self._fill_humidity(time, levels, made, pressure, reach)
        return made

    def _fill_humidity(
        self, time: datetime, levels: tuple[float, ...], made: Array, pressure: Array, reach: Reach
    ) -> None:
        """Levels that have temperature and wind but no humidity at all."""
        lnp = np.log(np.asarray(levels))
        lacking = np.array([bool(np.isnan(level).all()) for level in made])
        known = np.flatnonzero(~lacking)
        ends = float(pressure[known[-1]].max())
        if lacking[-1] and ends > HUMID:
            raise UserError(
                f"The analysis of {time:%Y-%m-%d %H:%M} UTC has no humidity above "
                f"{self._analysis.name_level(levels[known[-1]])}, {ends / 100:.0f} hPa: it is needed up to "
                f"{HUMID / 100:.0f} hPa."
            )
        inside = ~lacking | (np.arange(len(made)) < known[0])  # the others are no matter of the ground
        reach.see("humidity", np.where(inside[:, None, None], made, 0))
        for n in np.flatnonzero(lacking):
            name = self._analysis.name_level(levels[n])
            if n > known[-1]:
                made[n] = np.minimum(made[known[-1]], DRIEST)
                how = f"that of {self._analysis.name_level(levels[known[-1]])}, at most 3e-6 kg/kg"
            elif n < known[0]:
                made[n] = made[known[0]]
                how = f"that of {self._analysis.name_level(levels[known[0]])}"
            else:
                low, high = known[known < n][-1], known[known > n][0]
                share = np.float32((lnp[n] - lnp[low]) / (lnp[high] - lnp[low]))
                made[n] = (1 - share) * made[low] + share * made[high]
                how = "between its neighbours"
            self._report.substitute(f"humidity at {name}: {how}", time)

    def _hydrostatics(
        self,
        time: datetime,
        fill: substitutes.Filler,
        given: tuple[Array | None, Array | None, Array | None],
        air: tuple[Array, Array],
    ) -> tuple[Array, Array, Array]:
        """Surface pressure, height of the ground and of the levels, each of which follows from the
        other two."""
        surface, terrain, height = given
        if surface is None and terrain is not None:
            if height is not None:
                surface = fill.surface_pressure(terrain, height)
            elif (sea_level := self._from.plane(time, "sea_level_pressure")) is not None:
                surface = fill.surface_pressure_below(sea_level, terrain, air[0])
        if terrain is None and surface is not None and height is not None:
            terrain = fill.terrain(surface, height)
        if surface is None or terrain is None:
            lacking = [
                name
                for name, values in (("surface pressure", surface), ("terrain height", terrain))
                if values is None
            ]
            raise UserError(
                f"The analysis of {time:%Y-%m-%d %H:%M} UTC lacks the {' and the '.join(lacking)}, and it "
                f"cannot be computed from other fields. Add the file that contains it."
            )
        return surface, terrain, fill.height(surface, terrain, *air) if height is None else height

    def _add_water(self, columns: Columns, levels: tuple[float, ...]) -> None:
        for field, name in WATER.items():
            found = self._from.volume(columns.time, field, levels)
            if found is None:
                continue
            amount = np.maximum(np.nan_to_num(found), 0)
            if self._analysis.at(columns.time, field)[0].of_moist_air:
                amount *= 1 + columns.mixing_ratio
            columns.water[name] = amount

    def _add_vertical_wind(self, columns: Columns) -> None:
        """Adds the vertical wind of model histories; that of an analysis is no better than the flow over the
        terrain."""
        for piece in self._analysis.at(columns.time, "w"):
            columns.w = self._from.volume(columns.time, "w", piece.levels)
            columns.interface_height = self._from.volume(columns.time, "interface_height", piece.levels)

    def _add_near_ground(self, columns: Columns) -> None:
        time, surface = columns.time, columns.surface_pressure
        columns.temperature_2m = self._from.near_ground(time, "temperature_2m")
        if columns.temperature_2m is None:
            self._report.substitute("temperature at 2 m: none; only the levels are used", time)
        columns.mixing_ratio_2m = self._mixing_ratio_2m(columns, surface)
        if columns.mixing_ratio_2m is None:
            self._report.substitute("humidity at 2 m: none; only the levels are used", time)
        if all(self._from.near_ground(time, name) is not None for name in ("u_10m", "v_10m")):
            u, v = self._from.winds(time, ("u_10m", "v_10m"), (0.0,))
            columns.u_10m, columns.v_10m = u[0], v[0]
        else:
            self._report.substitute("wind at 10 m: none; only the levels are used", time)

    def _mixing_ratio_2m(self, columns: Columns, surface: Array) -> Array | None:
        time = columns.time
        specific = self._from.near_ground(time, "specific_humidity_2m")
        if specific is not None:
            return humidity.from_specific(specific)
        dew_point = self._from.near_ground(time, "dew_point_2m")
        if dew_point is not None:
            return humidity.from_dew_point(dew_point, surface)
        relative = self._from.near_ground(time, "relative_humidity_2m")
        if relative is None or columns.temperature_2m is None:
            return None
        over = self._analysis.at(time, "relative_humidity_2m")[0].saturation
        return humidity.from_relative(relative, columns.temperature_2m, surface, over)

    def _ground(self, columns: Columns) -> Ground:
        time = columns.time
        made = Ground(
            skin_temperature=self._skin_temperature(columns),
            sea_surface_temperature=self._sea_surface_temperature(time),
            sea_ice=self._of(time, "sea_ice"),
            snow_water=self._of(time, "snow_water"),
            snow_depth=self._of(time, "snow_depth"),
            canopy_water=self._of(time, "canopy_water"),
        )
        made.soil_temperature, made.soil_moisture, made.soil_depths = self._soil(time)
        made.soil_liquid = self._in_layers(time, "soil_liquid", made.soil_depths)
        return made

    def sea(self, time: datetime) -> tuple[Array, Array]:
        """The sea's temperature in K and its share under ice at a time, (ny, nx); meaningless on land. Raises
        UserError for an analysis with neither temperature of the sea nor of the surface."""
        temperature = self._sea_surface_temperature(time)
        for piece in self._analysis.at(time, "skin_temperature")[:1]:
            # Of lakes in a domain that has no sea, the land's.
            for sea in (True, False):
                if temperature is None:
                    temperature = self._from.masked(piece, sea, ~self._land)
        if temperature is None and not self._land.all():
            raise UserError(
                f"The analysis of {time:%Y-%m-%d %H:%M} UTC has no sea-surface temperature for "
                f"boundary.lower_file: leave boundary.lower_file out, or name monthly means with "
                f"prepare.sea_surface_temperature."
            )
        none = np.zeros(self._land.shape, np.float32)
        ice = self._of(time, "sea_ice")
        return none if temperature is None else temperature, none if ice is None else ice

    def _of(self, time: datetime, field: str) -> Array | None:
        """A field of land or of sea."""
        sea = FIELDS[field].method == "sea"
        for piece in self._analysis.at(time, field)[:1]:
            self._report.use(field, "", piece.where)
            return self._from.masked(piece, sea, ~self._land if sea else self._land)
        return None

    def _sea_surface_temperature(self, time: datetime) -> Array | None:
        """The analysis's; where it has no skin temperature either, which is the sea's too, that of the
        season."""
        field = "sea_surface_temperature"
        if self._sea is None or self._analysis.at(time, field) or self._analysis.at(time, "skin_temperature"):
            return self._of(time, field)
        piece = climatology.sea_surface_temperature(self._sea, time)
        self._report.substitute(
            "sea-surface temperature: climatological mean for the date, not an analysis", time
        )
        self._report.use(field, "", piece.where)
        return self._from.masked(piece, True, ~self._land)

    def _skin_temperature(self, columns: Columns) -> Array:
        time = columns.time
        for piece in self._analysis.at(time, "skin_temperature")[:1]:
            self._report.use("skin_temperature", "", piece.where)
            land = self._from.masked(piece, False, self._land)
            sea = self._from.masked(piece, True, ~self._land)
            if land is not None and sea is not None:
                return np.where(self._land, land, sea)
            one = land if land is not None else sea
            if one is not None:
                return one
        if columns.temperature_2m is not None:
            self._report.substitute("skin temperature: temperature at 2 m", time)
            return columns.temperature_2m.copy()
        self._report.substitute("skin temperature: air temperature at the surface pressure", time)
        return substitutes.at_pressure(columns.temperature, columns.pressure, columns.surface_pressure)

    def _soil(self, time: datetime) -> tuple[Array | None, Array | None, tuple[float, ...]]:
        """Temperature and moisture of layers, and the layers' lower edges."""
        found = soil.read(
            self._analysis, time, lambda *of: self._from.masked(of[0], False, self._land, of[1]), self._report
        )
        if found is None:
            if self._land.any():
                self._report.substitute("soil: none in the analysis over this domain", time)
            return None, None, ()
        return found.temperature, found.moisture, found.depths

    def _in_layers(self, time: datetime, name: str, depths: tuple[float, ...]) -> Array | None:
        """A field of the soil in the layers that reach down to these depths; None: it is not in all."""
        layers = {p.levels[n]: (p, n) for p in self._analysis.at(time, name) for n in range(len(p.levels))}
        if not depths or not set(depths) <= set(layers):
            return None
        chosen = [layers[depth] for depth in depths]
        planes = [self._from.masked(piece, False, self._land, n) for piece, n in chosen]
        found = [plane for plane in planes if plane is not None]
        if len(found) < len(depths):
            return None
        self._report.use(name, f"{len(depths)} layers down to {depths[-1]:g} m, ", chosen[0][0].where)
        return np.stack(found)
