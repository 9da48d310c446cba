"""Fills gaps in the land use of a data set: false water, and cells without data.

Satellites do not see the poles, and some data sets end before them or leave islands out; what is not known
has often the number of water. A lake is water in the midst of land too, and most analyses are too coarse to
know it, so that what the analysis takes for land may well be a lake. It is none where

* there is ice all around it;
* the analysis would know it: it reaches two of the analysis's points from any other cell;
* it stands out of the sea, which a data set of heights says.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, distance_transform_edt, label

from squall.prepare.columns import LandUse
from squall.prepare.geography import LOAM, Land, of_nearest
from squall.prepare.sources.piece import Array

Mask = NDArray[np.bool_]

SEA = 10.0  # m; water on higher ground is no sea
ISLAND = 100.0  # m, which the ripples of a spectral model's ground do not reach far from coasts
_WHOLE = 0.99  # of the analysis's mask: land all around
_POINTS = 2  # of the analysis, from which on it would know a lake
_AROUND = np.ones((3, 3), bool)


@dataclass(frozen=True)
class Known:
    """Other information on the domain's cells, (ny, nx)."""

    height: Array  # m
    has_own_heights: bool  # of a data set, not the analysis's
    land: Array | None  # the analysis's mask, interpolated
    spacing: float  # of the analysis, in cells


def filled(land: Land, known: Known) -> Land:
    """The land with its gaps filled, and told."""
    says = known.height > 5 if known.land is None else known.land >= 0.5
    mask = np.where(land.unknown, says, land.mask > 0.5)
    notes = list(land.notes)
    count = int(land.unknown.sum())
    if count:
        whose = "the terrain height" if known.land is None else "the analysis's mask"
        notes.append(f"land mask: {count} cells without data in the data set are taken from {whose}")
    wrong = _wrong_water(land.use, ~mask, known)
    if wrong.any():
        notes.append(
            f"land mask: {int(wrong.sum())} water cells of the data set, up to "
            f"{known.height[wrong].max():.0f} m high, are set to land: they are not lakes, and the "
            f"analysis has land there"
        )
    mask = mask | wrong
    use = _with_classes(land, mask, mask & (wrong | land.unknown))
    return replace(land, mask=mask.astype(np.float32), use=use, notes=notes)


def _wrong_water(use: LandUse, water: Mask, known: Known) -> Mask:
    land = np.ones(water.shape, bool) if known.land is None else known.land > _WHOLE
    high = water & land & (known.height > SEA)
    ice = use.land_use == int(use.attributes["ISICE"])
    inside = distance_transform_edt(np.pad(high, 1, mode="edge"))[1:-1, 1:-1]
    wrong = np.zeros(water.shape, bool)
    for part, beside in _parts(high):
        seen = known.land is not None and inside[part].max() > _POINTS * known.spacing
        if seen or (beside.any() and ice[beside].all()):
            wrong |= part
    if known.has_own_heights:
        for part, beside in _parts(water & (known.height > ISLAND)):
            if beside.any() and water[beside].all():
                wrong |= part
    return wrong


def _parts(cells: Mask) -> Iterator[tuple[Mask, Mask]]:
    """Cells that touch, and those beside them."""
    parts, count = label(cells, _AROUND)
    for number in range(1, count + 1):
        part = parts == number
        yield part, binary_dilation(part, _AROUND) & ~part


def _with_classes(land: Land, mask: Mask, anew: Mask) -> LandUse:
    """Cells that are `anew` get the class and the soil of the nearest land; water those of water."""
    use, known = land.use, mask & ~anew
    water, soil_water = int(use.attributes["ISWATER"]), int(use.attributes["ISOILWATER"])

    def of_land(
        classes: NDArray[np.int32], otherwise: NDArray[np.int32] | int, of_water: int
    ) -> NDArray[np.int32]:
        found = np.where(anew, of_nearest(classes, known, otherwise), classes)
        return np.where(mask, found, of_water).astype(np.int32)

    soil = None if use.soil is None else of_land(use.soil, LOAM, soil_water)
    return replace(use, land_use=of_land(use.land_use, land.otherwise, water), soil=soil)
