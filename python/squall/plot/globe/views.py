"""What a picture of the globe shows at one time: a map, a section, or, of all times, a Hovmoeller diagram."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.contour import QuadContourSet

from squall.errors import UserError
from squall.geo import maps, whole
from squall.geo.globe import LEVEL
from squall.geo.projection import Float
from squall.plot import series, style
from squall.plot.choice import Choice
from squall.plot.globe import fields


class View(Protocol):
    """A picture's content."""

    @property
    def array(self) -> xr.DataArray: ...

    @property
    def words(self) -> str:
        """Where it is, for the title."""

    @property
    def size(self) -> tuple[float, float]:
        """Of its figure [inches]."""

    def values(self, array: xr.DataArray, index: int) -> Float:
        """Of its field, or another that is drawn as lines, at a frame, in the unit that is shown."""

    def fill(self, ax: Axes, values: Float, scale: style.Scale) -> QuadContourSet:
        """Draws values in colour, and what surrounds them."""

    def line(self, ax: Axes, values: Float, levels: Float) -> QuadContourSet:
        """Draws values as contour lines."""


@dataclass(frozen=True)
class MapView:
    """A layer of a field from above."""

    array: xr.DataArray
    plan: whole.WholeMap
    level: str | None

    @classmethod
    def of(cls, array: xr.DataArray, chosen: Choice) -> "MapView":
        if "lon" not in array.dims:
            raise UserError(f"--field {array.name}: this stream has zonal means: there is no map of them.")
        return cls(array, whole.WholeMap(chosen.projection or "plate-carree"), chosen.level)

    @property
    def words(self) -> str:
        return fields.on_level(self.array, self.level)[1]

    @property
    def size(self) -> tuple[float, float]:
        return (5.6, 6.2) if self.plan.pole else (8.0, 4.9)

    def values(self, array: xr.DataArray, index: int) -> Float:
        level = self.level if LEVEL in array.dims else None
        return _numbers(fields.on_level(array, level)[0].isel(Time=index).transpose("lat", "lon"))

    def _mesh(self, values: Float) -> tuple[Float, Float, Float]:
        return self.plan.mesh(self.array["lon"].values, self.array["lat"].values, values)

    def fill(self, ax: Axes, values: Float, scale: style.Scale) -> QuadContourSet:
        filled = _filled(ax, *self._mesh(values), scale)
        self.plan.dress(ax, self.array["lon"].values, self.array["lat"].values)
        return filled

    def line(self, ax: Axes, values: Float, levels: Float) -> QuadContourSet:
        x, y, z = self._mesh(values)
        return ax.contour(x, y, z, levels=levels, colors=style.INK, linewidths=0.5, zorder=3)


@dataclass(frozen=True)
class SectionView:
    """A field by pressure along a parallel or a meridian, or its zonal mean."""

    array: xr.DataArray
    section: str

    @classmethod
    def of(cls, array: xr.DataArray, chosen: Choice) -> "SectionView":
        text = chosen.section or fields.ZONAL
        if LEVEL not in array.dims or array.sizes[LEVEL] < 2:
            raise UserError(f"--section {text}: {array.name} has no levels.")
        if chosen.level is not None:
            raise UserError("--level and --section exclude each other: a section shows all levels.")
        return cls(array, text)

    @property
    def words(self) -> str:
        return self._cut(self.array)[2]

    @property
    def size(self) -> tuple[float, float]:
        return 8.0, 4.4

    def _cut(self, array: xr.DataArray) -> tuple[xr.DataArray, str, str]:
        if LEVEL not in array.dims:
            raise UserError(f"--contours {array.name}: a section needs a field with levels.")
        return fields.along(array, self.section, "--section")

    def values(self, array: xr.DataArray, index: int) -> Float:
        cut, dim, _ = self._cut(array)
        return _numbers(cut.isel(Time=index).transpose(LEVEL, dim))

    def _mesh(self, values: Float) -> tuple[Float, Float, Float]:
        across, values = _along(self._cut(self.array)[1], self.array, values)
        x, y = np.meshgrid(across, self.array[LEVEL].values / 100)
        return x, y, values

    def fill(self, ax: Axes, values: Float, scale: style.Scale) -> QuadContourSet:
        filled = _filled(ax, *self._mesh(values), scale)
        ax.set_yscale("log")
        style.logarithmic(ax.yaxis)
        ax.set(ylim=_ends(self.array[LEVEL].values / 100), ylabel="pressure (hPa)")
        _name_axis(ax.xaxis, self._cut(self.array)[1], ax.get_xlim())
        return filled

    def line(self, ax: Axes, values: Float, levels: Float) -> QuadContourSet:
        return ax.contour(*self._mesh(values), levels=levels, colors=style.INK, linewidths=0.5)


@dataclass(frozen=True)
class TimeView:
    """A Hovmoeller diagram: longitudes across and time downward, or time across and latitudes upward."""

    array: xr.DataArray
    when: series.TimeAxis
    where: str
    level: str | None

    @classmethod
    def of(cls, history: xr.Dataset, array: xr.DataArray, chosen: Choice) -> "TimeView":
        assert chosen.hovmoeller is not None
        if history.sizes["Time"] < 2:
            raise UserError(f"--hovmoeller {chosen.hovmoeller}: the stream has a single frame.")
        return cls(array, series.time_axis(history), chosen.hovmoeller, chosen.level)

    @property
    def words(self) -> str:
        return ", ".join(
            word for word in (fields.on_level(self.array, self.level)[1], self._cut(self.array)[2]) if word
        )

    @property
    def size(self) -> tuple[float, float]:
        return (6.5, 6.0) if self._dim == "lon" else (8.0, 4.2)

    @property
    def _dim(self) -> str:
        return self._cut(self.array)[1]

    def _cut(self, array: xr.DataArray) -> tuple[xr.DataArray, str, str]:
        return fields.along(array, self.where, "--hovmoeller")

    def values(self, array: xr.DataArray, index: int) -> Float:
        """Of all frames (Time, along)."""
        level = self.level if LEVEL in array.dims else None
        cut, dim, _ = self._cut(fields.on_level(array, level)[0])
        return _numbers(cut.transpose("Time", dim))

    def _mesh(self, values: Float) -> tuple[np.ndarray, np.ndarray, Float]:
        across, values = _along(self._dim, self.array, values)
        x, y = np.broadcast_arrays(across[None], self.when.values[:, None])
        return (x, y, values) if self._dim == "lon" else (y.T, x.T, values.T)

    def fill(self, ax: Axes, values: Float, scale: style.Scale) -> QuadContourSet:
        filled = _filled(ax, *self._mesh(values), scale)
        of_place, of_time = (ax.xaxis, ax.yaxis) if self._dim == "lon" else (ax.yaxis, ax.xaxis)
        _name_axis(of_place, self._dim, ax.get_xlim() if self._dim == "lon" else ax.get_ylim())
        series.date_ticks(of_time, self.when)
        of_time.set_label_text(self.when.label)
        if self._dim == "lon":
            ax.invert_yaxis()
        return filled

    def line(self, ax: Axes, values: Float, levels: Float) -> QuadContourSet:
        return ax.contour(*self._mesh(values), levels=levels, colors=style.INK, linewidths=0.5)


def view(history: xr.Dataset, array: xr.DataArray, chosen: Choice) -> View:
    """What is asked for; of zonal means without a word a section, else a map."""
    if chosen.hovmoeller is not None:
        _refuse(
            "--hovmoeller",
            {"--section": chosen.section, "--projection": chosen.projection, "--time": chosen.time},
        )
        return TimeView.of(history, array, chosen)
    if chosen.section is not None or "lon" not in array.dims:
        _refuse("a section", {"--projection": chosen.projection})
        return SectionView.of(array, chosen)
    return MapView.of(array, chosen)


def _refuse(what: str, given: dict[str, str | None]) -> None:
    for option, value in given.items():
        if value is not None:
            raise UserError(f"{option} does not go with {what}: leave one of them out.")


def _numbers(array: xr.DataArray) -> Float:
    return np.asarray(array.values, float) * fields.described(array)[2]


def _along(dim: str, array: xr.DataArray, values: Float) -> tuple[Float, Float]:
    places = array[dim].values.astype(float)
    return whole.closed(places, values) if dim == "lon" else (places, values)


def _filled(ax: Axes, x: np.ndarray, y: np.ndarray, values: Float, scale: style.Scale) -> QuadContourSet:
    return ax.contourf(
        x, y, scale.within(values), levels=scale.levels, cmap=scale.cmap, norm=scale.norm, extend=scale.extend
    )


def _ends(pressures: Float) -> tuple[float, float]:
    """The highest pressure below."""
    return float(pressures.max()), float(pressures.min())


def _name_axis(axis: Axis, dim: str, ends: tuple[float, float]) -> None:
    low, high = sorted(ends)
    marks = maps.round_numbers(low, high, maps.globe_step(high - low))
    axis.set_ticks(list(marks), [maps.degree_name(mark, "NS" if dim == "lat" else "EW") for mark in marks])
