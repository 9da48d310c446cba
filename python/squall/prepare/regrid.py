"""Brings the fields of an analysis to the points of a grid: of a domain, or of another kind."""

from abc import ABC, abstractmethod
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from squall import quantity
from squall.errors import UserError
from squall.geo.domain import Domain, Stagger
from squall.prepare.base_atmosphere import BaseAtmosphere
from squall.prepare.horizontal import Interpolation, Rotation
from squall.prepare.poles import Poles
from squall.prepare.report import Report
from squall.prepare.sources.analysis import Analysis
from squall.prepare.sources.fields import FIELDS
from squall.prepare.sources.grids import SourceGrid
from squall.prepare.sources.piece import Array, Piece, Window
from squall.prepare.sources.units import check_range

FLUSH_LEVELS = 16  # interpolated at once: bounds what is in memory

_STANDARD = BaseAtmosphere()
_WINDS = ("u", "v", "u_10m", "v_10m")


class FieldReader(ABC):
    """Reads pieces and brings them to a grid of `shape` (ny, nx) cells, whose u points lie on their western
    and eastern sides and whose v points on the southern and northern ones."""

    def __init__(self, analysis: Analysis, shape: tuple[int, int], report: Report) -> None:
        self.analysis, self.shape, self.report = analysis, shape, report
        self._over: dict[tuple[object, ...], Poles] = {}

    @abstractmethod
    def _window(self, grid: SourceGrid) -> Window:
        """The part of a source's grid, with its rows over the poles, that is needed. Raises UserError where
        it has not all of that."""

    @abstractmethod
    def _interpolation(self, grid: SourceGrid, stagger: Stagger) -> Interpolation: ...

    @abstractmethod
    def _rotation(self, grid: SourceGrid, stagger: Stagger, along_grid: bool) -> Rotation | None:
        """None: the source's winds are along the grid already."""

    def plane(self, time: datetime, field: str) -> Array | None:
        """A field of the surface on mass points, (ny, nx); None: the analysis lacks it."""
        pieces = self.analysis.at(time, field)
        if not pieces:
            return None
        piece = pieces[0]
        self.report.use(field, "", piece.where)
        values = self._scalar(piece)[:1]
        return np.asarray(self._interpolation(piece.grid, "mass")(values, FIELDS[field].method)[0])

    def near_ground(self, time: datetime, field: str) -> Array | None:
        """Like `plane`, for near-surface fields that complete the profiles: also None if the field has gaps
        over the domain, as fields on land only do."""
        for piece in self.analysis.at(time, field)[:1]:
            values = self._over_poles(piece.unchecked(self._own_window(piece.grid)), piece)[:1]
            if not np.isfinite(self._interpolation(piece.grid, "mass")(values, FIELDS[field].method)).all():
                self.report.note(f"{FIELDS[field].label}: not used, because it has gaps over the domain")
                return None
        return self.plane(time, field)

    def volume(self, time: datetime, field: str, levels: tuple[float, ...]) -> Array | None:
        """A field on mass points at some levels, (levels, ny, nx); NaN where it lacks one; None: it
        has none of them."""
        found = np.full((len(levels), *self.shape), np.nan, np.float32)
        missing = set(levels)
        for places, values, piece in self._scalars(time, field, levels):
            found[places] = self._interpolation(piece.grid, "mass")(values, FIELDS[field].method)
            missing -= {levels[place] for place in places}
        if len(missing) == len(levels):
            return None
        self.report.use(field, f"{len(levels) - len(missing)} levels, ", piece.where)
        return found

    def surface_pressure(self, time: datetime) -> Array | None:
        """The surface pressure of the analysis at its own terrain height (see `pressure`), (ny, nx); None if
        missing."""
        pieces, grounds = self.analysis.at(time, "surface_pressure"), self.analysis.at(time, "terrain")
        if not pieces or not grounds or pieces[0].grid.key != grounds[0].grid.key:
            return self.plane(time, "surface_pressure")
        self.report.use("surface_pressure", "", pieces[0].where)
        ratio = _to_standard(*(self._scalar(of[0])[:1] for of in (pieces, grounds)))
        found = self._interpolation(pieces[0].grid, "mass")(ratio, FIELDS["surface_pressure"].method)
        return _from_standard(found[0], self.plane(time, "terrain"))

    def pressure(self, time: datetime, levels: tuple[float, ...]) -> Array | None:
        """Pressure of levels that follow the ground; None: the analysis lacks it.

        Where such levels rise over mountains their pressure falls with their height on a curve, which is lost
        between points that lie far apart: half-way up a slope of 1000 m a straight line is 2 hPa off. So the
        ratio to a standard atmosphere at the level's height is interpolated, which hardly changes with it.
        """
        given, heights = (self.analysis.at(time, name) for name in ("pressure", "height"))
        if not given or [(p.levels, p.grid.key) for p in given] != [(p.levels, p.grid.key) for p in heights]:
            return self.volume(time, "pressure", levels)
        height = self.volume(time, "height", levels)
        assert height is not None
        found = np.full(height.shape, np.nan, np.float32)
        for (places, values, piece), (_, z, _) in zip(
            self._scalars(time, "pressure", levels), self._scalars(time, "height", levels), strict=True
        ):
            ratio = _to_standard(values, z)
            found[places] = self._interpolation(piece.grid, "mass")(ratio, FIELDS["pressure"].method)
        self.report.use("pressure", f"{len(levels)} levels, ", given[-1].where)
        return _from_standard(found, height)

    def winds(self, time: datetime, names: tuple[str, str], levels: tuple[float, ...]) -> tuple[Array, Array]:
        """Wind along the domain's grid: u on U points (levels, ny, nx + 1), v on V points.

        names: of both components; levels: (0.0,) for 10 m.
        """
        ny, nx = self.shape
        made = (
            np.empty((len(levels), ny, nx + 1), np.float32),
            np.empty((len(levels), ny + 1, nx), np.float32),
        )
        others = self._read(time, names[1], levels)
        for (places, first, piece), (same, second, other) in zip(
            self._read(time, names[0], levels), others, strict=True
        ):
            if places != same:
                raise UserError(f"{piece.where}: its levels differ from those of {other.where}.")
            self._turn(made, places, self._wind(first, second, piece, other), (piece, other))
            for name, used in zip(names, (piece, other), strict=True):
                self.report.use(name, f"{len(levels)} levels, " if levels != (0.0,) else "", used.where)
        return made

    def _turn(
        self,
        made: tuple[Array, Array],
        places: list[int],
        values: tuple[Array, Array],
        pieces: tuple[Piece, Piece],
    ) -> None:
        staggers: tuple[Stagger, Stagger] = ("u", "v")
        for n, stagger in enumerate(staggers):
            rotation = self._rotation(pieces[n].grid, stagger, pieces[n].along_grid)
            own = self._interpolation(pieces[n].grid, stagger)(values[n], "cubic")
            if rotation is not None:
                crossing = self._interpolation(pieces[1 - n].grid, stagger)(values[1 - n], "cubic")
                own = rotation.a * own + (rotation.b if n == 0 else -rotation.b) * crossing
            made[n][places] = own

    def _read(self, time: datetime, field: str, levels: tuple[float, ...]):  # type: ignore[no-untyped-def]
        """Places in `levels`, values there (places, rows, columns) and piece, some levels at a time."""
        places: list[int] = []
        values: list[Array] = []
        last = None
        any_known = False
        for piece in self.analysis.at(time, field):
            wanted = [n for n, level in enumerate(piece.levels) if level in levels]
            if not wanted:
                continue
            if last is not None and (piece.grid.key != last.grid.key or len(places) >= FLUSH_LEVELS):
                yield places, np.concatenate(values), last
                places, values = [], []
            places += [levels.index(piece.levels[n]) for n in wanted]
            read = piece.read(self._own_window(piece.grid))
            any_known = any_known or bool(np.isfinite(read).any())
            values.append(read if len(wanted) == len(piece.levels) else read[wanted])
            last = piece
        if last is not None:
            if not any_known:
                check_range(values[-1], field, last.where)
            yield places, np.concatenate(values), last

    def _scalars(self, time: datetime, field: str, levels: tuple[float, ...]):  # type: ignore[no-untyped-def]
        """Like `_read`, for scalars, with the rows beyond the poles."""
        for places, values, piece in self._read(time, field, levels):
            yield places, self._over_poles(values, piece), piece

    def _scalar(self, piece: Piece, mend: bool = True) -> Array:
        """All of a piece in the window, with the rows over the poles. mend: a row at a pole, too."""
        return self._over_poles(piece.read(self._own_window(piece.grid)), piece, mend)

    def _over_poles(self, values: Array, piece: Piece, mend: bool = True) -> Array:
        mend = mend and piece.field not in _WINDS  # which are mended together
        made, mended = self._poles(piece.grid).scalar(values, self._window(piece.grid), mend)
        if mended:
            self.report.note(
                f"{FIELDS[piece.field].label} differs along the row at the pole: taken from the "
                f"neighbouring rows"
            )
        return made

    def _wind(self, u: Array, v: Array, piece: Piece, other: Piece) -> tuple[Array, Array]:
        """Both components with the rows over the poles."""
        if piece.grid.key != other.grid.key:  # staggered
            first, second = (
                self._poles(of.grid).extended(values, self._window(of.grid), -1)
                for values, of in ((u, piece), (v, other))
            )
            return first, second
        *made, mended = self._poles(piece.grid).wind(u, v, self._window(piece.grid))
        if mended:
            what = "wind at 10 m" if piece.field.endswith("10m") else "wind"
            self.report.note(
                f"{what} is not a single vector in the row at the pole: taken from the neighbouring rows"
            )
        return made[0], made[1]

    def masked(self, piece: Piece, sea: bool, wanted: NDArray[np.bool_], layer: int = 0) -> Array | None:
        """A field that is of land only, or of sea only (ny, nx); None: it has no such point there.

        wanted (ny, nx): the domain's points that are of that kind. layer: of a piece of several. Raises
        UserError for values there that the field cannot have; values elsewhere may be anything.
        """
        values = self._over_poles(piece.unchecked(self._own_window(piece.grid)), piece, mend=False)[layer]
        land = self._source_land(piece)
        valid = np.isfinite(values)
        if land is not None:
            valid &= land < 0.5 if sea else land >= 0.5
        if not valid.any():
            return None
        check_range(values[valid], piece.field, piece.where)
        found = self._interpolation(piece.grid, "mass").masked(values, valid, wanted)
        if found is None:
            return None
        if found.searched:
            self.report.note(
                f"{FIELDS[piece.field].label}: {found.searched} points have no {'sea' if sea else 'land'} "
                f"nearby in the analysis and take the nearest value, at most {found.farthest:.0f} km away"
            )
        return found.values

    def _source_land(self, piece: Piece) -> Array | None:
        """The analysis's land mask on the grid of a piece."""
        times = [piece.time] if piece.time else self.analysis.times
        for mask in self.analysis.at(times[0], "land_mask"):
            if mask.grid.key == piece.grid.key:
                return np.asarray(self._scalar(mask)[0])
        return None

    def _own_window(self, grid: SourceGrid) -> Window:
        """The window to read: a source ends at its poles."""
        return self._poles(grid).own(self._window(grid))

    def _poles(self, grid: SourceGrid) -> Poles:
        if grid.key not in self._over:
            self._over[grid.key] = Poles(grid)
        return self._over[grid.key]


class Regridder(FieldReader):
    """Interpolates to the points of a domain. Weights are kept from one time to the next."""

    def __init__(self, analysis: Analysis, domain: Domain, report: Report) -> None:
        super().__init__(analysis, (domain.ny, domain.nx), report)
        self.domain = domain
        self._windows: dict[tuple[object, ...], Window] = {}
        self._interpolations: dict[tuple[object, ...], Interpolation] = {}
        self._rotations: dict[tuple[object, ...], Rotation | None] = {}

    def _window(self, grid: SourceGrid) -> Window:
        if grid.key not in self._windows:
            corners = self.domain.points("corner")
            self._refuse_outside(grid, corners.longitude, corners.latitude)
            self._windows[grid.key] = self._poles(grid).window(corners.longitude, corners.latitude)
        return self._windows[grid.key]

    def _refuse_outside(
        self, grid: SourceGrid, longitude: NDArray[np.float64], latitude: NDArray[np.float64]
    ) -> None:
        # Half a cell of the domain is beyond its points; staggered grids end half a cell earlier.
        mass = self.domain.mass
        outside = ~grid.inside(mass.longitude, mass.latitude, margin=-0.51)
        if not outside.any():
            return
        row, column = np.unravel_index(int(outside.argmax()), outside.shape)
        i, j = grid.indices(mass.longitude, mass.latitude)
        beyond = max(-i.min(), i.max() - len(grid.x) + 1, -j.min(), j.max() - len(grid.y) + 1)
        far = f", by up to {beyond:.1f} of its cells" if np.isfinite(beyond) and not grid.wraps else ""
        raise UserError(
            f"The domain extends beyond the analysis{far}: {outside.mean():.0%} of its points, such as "
            f"{quantity.latitude(mass.latitude[row, column])} "
            f"{quantity.longitude(mass.longitude[row, column])}, lie outside the "
            f"{grid.kind} grid of {len(grid.x)} x {len(grid.y)} points. Make it smaller, move it, or "
            f"leave out projection, centre and size to have one fitted."
        )

    def _interpolation(self, grid: SourceGrid, stagger: Stagger) -> Interpolation:
        key = (grid.key, stagger)
        if key not in self._interpolations:
            window = self._window(grid)
            self._interpolations[key] = Interpolation(self._poles(grid).grid, window, self.domain, stagger)
        return self._interpolations[key]

    def _rotation(self, grid: SourceGrid, stagger: Stagger, along_grid: bool) -> Rotation | None:
        key = (grid.key, stagger, along_grid)
        if key not in self._rotations:
            made = Rotation(grid, self.domain, stagger, along_grid)
            self._rotations[key] = None if made.is_none else made
        return self._rotations[key]


def _to_standard(pressure: Array, height: Array) -> Array:
    return np.asarray(pressure / _STANDARD.pressure(height.astype(np.float64)), np.float32)


def _from_standard(ratio: Array, height: Array | None) -> Array:
    assert height is not None
    return np.asarray(ratio * _STANDARD.pressure(height.astype(np.float64)), np.float32)
