"""The soil layers from the surface down, with substitutes for those that an analysis lacks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from squall.prepare.report import Report
from squall.prepare.sources.analysis import Analysis
from squall.prepare.sources.piece import Array, Piece

SOIL_EDGES = (0.1, 0.4, 1.0, 2.0)  # m: lower edges of the four layers of the Noah land model
DEEP = 1.0  # m: soil that ends above it knows nothing of the season
_TOUCH = 1e-3  # m, between the edges of two layers that lie upon each other

_FIELDS = ("soil_temperature", "soil_moisture")


@dataclass(frozen=True)
class Soil:
    """Layers from the uppermost down, (layers, ny, nx), and their lower edges in m. Temperature of layers
    below all that the analysis has is not a number."""

    temperature: Array
    moisture: Array
    depths: tuple[float, ...]


def read(
    analysis: Analysis, time: datetime, plane: Callable[[Piece, int], Array | None], report: Report
) -> Soil | None:
    """The soil of a time. plane: a layer of a piece on the domain; None: it has no land there. What layers
    are made up is warned of. None: there is no layer with both temperature and moisture."""
    pieces = {name: analysis.at(time, name) for name in _FIELDS}
    known = {name: _by_edge(of, plane) for name, of in pieces.items()}
    if not set(known[_FIELDS[0]]) & set(known[_FIELDS[1]]):
        return None
    edges, deeper = _edges([*pieces[_FIELDS[0]], *pieces[_FIELDS[1]]])
    made = {name: _layers(of, edges) for name, of in known.items()}
    for name, of in known.items():
        for top, bottom in _spans(edges, deeper):
            if bottom not in of:
                label = "temperature" if name == _FIELDS[0] else "moisture"
                report.warn(
                    f"the analysis of {time:%Y-%m-%d %H:%M} UTC lacks the {label} of the soil from {top:g} "
                    f"to {bottom:g} m: {_how(bottom, of, label)}"
                )
    temperature = made[_FIELDS[0]]
    temperature[np.asarray(edges) > max(known[_FIELDS[0]]) + _TOUCH] = np.nan
    for name in _FIELDS:
        report.use(name, f"{len(known[name])} layers down to {max(known[name]):g} m, ", pieces[name][0].where)
    return Soil(temperature, made[_FIELDS[1]], (*edges,))


def _by_edge(pieces: Iterable[Piece], plane: Callable[[Piece, int], Array | None]) -> dict[float, Array]:
    """Values by the layers' lower edges."""
    found = {piece.levels[n]: plane(piece, n) for piece in pieces for n in range(len(piece.levels))}
    return {edge: values for edge, values in found.items() if values is not None}


def _edges(pieces: Iterable[Piece]) -> tuple[tuple[float, ...], int]:
    """Lower edges of layers without gaps from the surface to a depth where the season is lost, and how many
    of them lie below all that there is."""
    edges: list[float] = []
    for bottom, top in sorted(
        pair for piece in pieces for pair in zip(piece.levels, piece.tops or piece.levels, strict=True)
    ):
        above = edges[-1] if edges else 0.0
        if bottom > top > above + _TOUCH:
            edges.append(top)
        if bottom > above + _TOUCH:
            edges.append(bottom)
    deeper = [edge for edge in SOIL_EDGES if edge > 2 * edges[-1]] if edges[-1] < DEEP - _TOUCH else []
    return (*edges, *deeper), len(deeper)


def _spans(edges: tuple[float, ...], deeper: int) -> list[tuple[float, float]]:
    """Upper and lower edge of each layer; those below all that there is are one."""
    own = edges[: len(edges) - deeper]
    spans = list(zip((0.0, *own), own, strict=False))
    return [*spans, (own[-1], edges[-1])] if deeper else spans


def _layers(known: dict[float, Array], edges: tuple[float, ...]) -> Array:
    """Values in all layers: linear in depth between the middles of those that are known, as the nearest
    beyond them."""
    middles = dict(zip(edges, np.asarray(edges) - 0.5 * np.diff((0.0, *edges)), strict=True))
    nearest = {edge: min(edges, key=lambda other: abs(other - edge)) for edge in known}
    depth = np.array([middles[nearest[edge]] for edge in sorted(known)])
    planes = np.stack([known[edge] for edge in sorted(known)])
    place = np.interp(list(middles.values()), depth, np.arange(len(depth)))
    below = np.minimum(place.astype(int) + 1, len(depth) - 1)
    share = (place - place.astype(int)).astype(np.float32)[:, None, None]
    made = (1 - share) * planes[place.astype(int)] + share * planes[below]
    return np.asarray(made, np.float32)


def _how(bottom: float, known: dict[float, Array], label: str) -> str:
    if bottom < min(known):
        return "the layer below is used"
    if bottom < max(known):
        return "it is interpolated from the layers above and below"
    return "the layer above is used" if label == "moisture" else "it tends to the annual mean"
