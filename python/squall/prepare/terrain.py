"""Terrain height and land mask of a domain, from the analysis or a finer data set."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.ndimage import map_coordinates

from squall.errors import UserError
from squall.geo.domain import Domain
from squall.prepare.cells import Cells
from squall.prepare.sources import open_heights
from squall.prepare.sources.piece import Array, Piece, Window, window_around

# Of the smoother-desmoother (Shapiro 1970, Rev. Geophys. 8, 359): waves of two cells vanish, of four
# cells keep three quarters, of ten cells 99 %.
SMOOTH, DESMOOTH = 0.5, -0.52
INLAND = 50.0  # m, of an analysis without a land mask


@dataclass
class Terrain:
    """The domain's own ground on mass points, (ny, nx)."""

    height: Array  # m above sea level
    land: Array  # 1 on land, 0 on water
    notes: list[str] = field(default_factory=list)  # how it was made


def make_terrain(
    domain: Domain,
    analysis_height: Array | None,
    analysis_land: Array | None,
    data_set: Path | None,
    passes: int,
    blend_rows: int,
    whose: str = "the analysis",
) -> Terrain:
    """Height and land mask of a domain.

    analysis_height, analysis_land: on the domain's mass points; None: the analysis lacks them.
    data_set: a file of heights; None: those of the analysis. passes: of the smoother-desmoother.
    blend_rows: over which the data set takes over from the analysis along the sides, the outermost
    row being all the analysis's. whose: what the notes call the source of both, where that is a parent.
    Raises UserError where there is no height at all.
    """
    if data_set is None:
        return _interpolated(analysis_height, analysis_land, whose)
    piece = open_heights(data_set)
    height, land = cell_means(piece, domain)
    holes = _holes(piece, domain, analysis_height, analysis_land)
    if holes is not None:
        height = np.where(np.isfinite(holes), holes, height).astype(np.float32)
        land = np.where(np.isfinite(holes), 1, land).astype(np.float32)
    made = Terrain(height, _land(land, analysis_land))
    made.notes.append(f"terrain: cell means of {piece.where}")
    made.notes.append(
        "land mask: cells at least half above sea level in the same data set"
        + ("" if analysis_land is None else "; inside seas, lakes and land of the analysis its own")
    )
    if holes is not None:
        made.notes.append(
            f"terrain: {int(np.isfinite(holes).sum())} land cells with gaps in the data set use the rest "
            f"of their area, or {whose}"
        )
    for _ in range(passes):
        made.height = smoothed(made.height)
    if passes:
        made.notes.append(f"terrain: smoother-desmoother (Shapiro 1970), {passes} pass(es)")
    if analysis_height is not None and blend_rows > 0:
        made.height = blended(made.height, analysis_height, blend_rows)
        made.notes.append(f"terrain: that of {whose} in the outermost row, blended over {blend_rows} rows")
    made.height = np.where(made.land < 0.5, np.maximum(made.height, 0), made.height).astype(np.float32)
    return made


def _interpolated(height: Array | None, land: Array | None, whose: str) -> Terrain:
    if height is None:
        raise UserError("Neither the analysis nor prepare.terrain gives the height of the ground.")
    notes = [f"terrain: that of {whose}, interpolated"]
    if land is None:
        notes.append("land mask: where the analysis's terrain is above 5 m, because it has no land mask")
        mask = height > 5
    else:
        notes.append(f"land mask: that of {whose}, interpolated")
        mask = land >= 0.5
    # What a spectral model calls the height of the sea is not 0.
    flat = np.where(mask, height, np.maximum(height, 0))
    return Terrain(flat.astype(np.float32), mask.astype(np.float32), notes)


def _land(fraction: Array, analysis: Array | None) -> Array:
    """Heights tell the sea; a lake, and land below sea level, only the analysis knows."""
    land = fraction >= 0.5
    if analysis is not None:
        land = np.where(analysis > 0.99, True, np.where(analysis < 0.01, False, land))
    return land.astype(np.float32)


def cell_means(piece: Piece, domain: Domain) -> tuple[Array, Array]:
    """Mean height in m over each cell, the sea's being 0, and the part of it that is above sea level."""
    window = _window(piece, domain)
    values = np.nan_to_num(piece.values(window)[0])
    cells = Cells(piece.grid, window, domain)
    return cells.means(np.maximum(values, 0)), cells.means((values > 0).astype(np.float32))


def _holes(piece: Piece, domain: Domain, height: Array | None, land: Array | None) -> Array | None:
    """Heights of the cells in which the data set has points without a value although all is land there by the
    analysis, NaN elsewhere; None: there are none. Over the sea many data sets have no value."""
    window = _window(piece, domain)
    values = piece.values(window)[0]
    if height is None or np.isfinite(values).all():
        return None
    cells = Cells(piece.grid, window, domain)
    gaps = cells.means(np.isnan(values).astype(np.float32))
    inland = land > 0.99 if land is not None else height > INLAND
    found = cells.means(np.maximum(values, 0))
    made = np.where(gaps < 0.5, found, height)
    wrong = inland & (gaps > 0.01)
    return np.where(wrong, made, np.nan).astype(np.float32) if wrong.any() else None


def _window(piece: Piece, domain: Domain) -> Window:
    corners = domain.points("corner")
    if not piece.grid.inside(corners.longitude, corners.latitude).all():
        raise UserError(f"{piece.where}: the terrain heights do not cover the domain.")
    return window_around(piece.grid, corners.longitude, corners.latitude, margin=2)


def smoothed(height: Array) -> Array:
    """One pass of the smoother-desmoother; the outermost rows have copies of themselves beside them."""
    for weight in (SMOOTH, DESMOOTH):
        for axis in (0, 1):
            wide = np.pad(height, [(1, 1) if n == axis else (0, 0) for n in (0, 1)], mode="edge")
            n = height.shape[axis]
            before, after = wide.take(range(n), axis), wide.take(range(2, n + 2), axis)
            height = height + np.float32(weight / 2) * (before + after - 2 * height)
    return height


def blended(height: Array, analysis: Array, rows: int) -> Array:
    """The analysis's height in the outermost row, its share falling evenly to none after `rows`."""
    ny, nx = height.shape
    from_side = np.minimum.outer(*(np.minimum(np.arange(n), np.arange(n)[::-1]) for n in (ny, nx)))
    share = np.clip(1 - from_side / rows, 0, 1).astype(np.float32)
    return share * analysis + (1 - share) * height


def from_parent(parent: Domain, values: Array, nest: Domain) -> Array:
    """Heights or land mask of a parent's mass points, (ny, nx), bilinear at its nest's."""
    i, j = parent.indices(nest.mass.longitude, nest.mass.latitude)
    return np.asarray(map_coordinates(values, [j, i], order=1, mode="nearest"))
