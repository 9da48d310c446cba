"""Land fields of WPS's geogrid, which metgrid copies into its files."""

import numpy as np
from netCDF4 import Dataset
from numpy.typing import NDArray

from squall.prepare.columns import OROGRAPHY as NAMES
from squall.prepare.columns import LandClimate, LandUse
from squall.prepare.sources.piece import Array
from squall.prepare.wrf_file import LAND_USE


def land_use(file: Dataset) -> LandUse | None:
    """Geogrid's classes, with what says which they are; None where the file lacks either."""
    if "LU_INDEX" not in file.variables or not set(LAND_USE) <= set(file.ncattrs()):
        return None
    given = {name: file.getncattr(name) for name in LAND_USE}
    attributes = {name: value if isinstance(value, str) else int(value) for name, value in given.items()}
    return LandUse(_classes(file, "LU_INDEX"), attributes, _soil(file, int(attributes["ISOILWATER"])))


def land_climate(file: Dataset) -> LandClimate:
    """Months of greenness and albedo, albedo of snow, temperature of deep soil: what of these is there."""

    def of(name: str, unit: float = 1.0) -> Array | None:
        if name not in file.variables:
            return None
        values = np.ma.filled(np.ma.asarray(file[name][0], np.float32), np.nan)
        return np.asarray(values * np.float32(unit))

    return LandClimate(of("GREENFRAC"), of("ALBEDO12M", 0.01), of("SNOALB", 0.01), of("SOILTEMP"))


def orography(file: Dataset) -> dict[str, Array]:
    """Statistics of the mountains within cells; empty: not all are there."""
    if not set(NAMES) <= set(file.variables):
        return {}
    return {name: np.ma.filled(np.ma.asarray(file[name][0], np.float32), 0) for name in NAMES}


def _classes(file: Dataset, name: str) -> NDArray[np.int32]:
    return np.rint(np.ma.getdata(file[name][0])).astype(np.int32)


def _soil(file: Dataset, water: int) -> NDArray[np.int32] | None:
    """The soil at the top: its dominant class, which older files leave to their reader.

    water: the class of water, which counts only where nothing else is.
    """
    if "SCT_DOM" in file.variables:
        return _classes(file, "SCT_DOM")
    if "SOILCTOP" not in file.variables:
        return None
    shares = np.ma.filled(np.ma.asarray(file["SOILCTOP"][0], np.float32), 0)
    shares[water - 1] = 0
    dominant = (shares.argmax(axis=0) + 1).astype(np.int32)
    return np.where(shares.max(axis=0) > 0, dominant, np.int32(water))
