"""The history of a finished run as NumPy arrays in double precision.

Arrays are (bottom_top, south_north, west_east) as in the file, k from the ground up. Names are
WRF's: T is theta - 300 K, PH and PHB perturbation and base-state geopotential.
"""

from pathlib import Path

import numpy as np

from squall.diagnose.constants import KAPPA, P0, R_D, THETA0, G
from squall.diagnose.interpolation import Interpolator
from squall.diagnose.staggering import to_centres
from squall.lab.linear.atmosphere import Array
from squall.reader.dataset import open_run


class History:
    """All frames of a run's history, of its outermost domain or of a nest by number; frames are counted from
    0, or from -1 for the last."""

    def __init__(self, run: Path, domain: int = 1) -> None:
        self._data = open_run(run, domain)
        self.dx = float(self._data.attrs["DX"])
        self.elapsed = self._data["elapsed"].values.astype(np.float64)

    def field(self, name: str, frame: int = -1) -> Array:
        return self._data[name].isel(Time=frame, missing_dims="ignore").values.astype(np.float64)

    def series(self, name: str) -> Array:
        """Of all frames, along the first axis."""
        return self._data[name].values.astype(np.float64)

    def has(self, name: str) -> bool:
        return name in self._data

    def unit(self, name: str) -> str:
        return str(self._data[name].attrs.get("units", ""))

    def frame_at(self, seconds: float) -> int:
        """The frame at a model time; raises ValueError where there is none."""
        found = np.flatnonzero(np.abs(self.elapsed - seconds) < 0.5)
        if len(found) == 0:
            raise ValueError(f"no frame after {seconds} s; there are {self.elapsed.tolist()}")
        return int(found[-1])

    def height(self, frame: int = -1) -> Array:
        """Height of interfaces [m]."""
        return (self.field("PH", frame) + self.field("PHB", frame)) / G

    def layer_height(self, frame: int = -1) -> Array:
        return to_centres(self.height(frame))

    def theta(self, frame: int = -1) -> Array:
        return self.field("T", frame) + THETA0

    def density(self, frame: int = -1) -> Array:
        """Of dry air on layers [kg m-3]."""
        pressure = self.field("P", frame) + self.field("PB", frame)
        return pressure / (R_D * self.theta(frame) * (pressure / P0) ** KAPPA)

    def wind_x(self, frame: int = -1) -> Array:
        """West-east wind on layers' centres."""
        return to_centres(self.field("U", frame), axis=-1)

    def wind_z(self, frame: int = -1) -> Array:
        """Vertical wind on layers' centres."""
        return to_centres(self.field("W", frame))

    def column_mass(self, frame: int = -1) -> Array:
        """Dry mass of each column as pressure [Pa]."""
        return self.field("MU", frame) + self.field("MUB", frame)

    def x(self) -> Array:
        """Cell centres from the west edge [m]."""
        return (np.arange(self._data.sizes["west_east"]) + 0.5) * self.dx


def at_heights(field: Array, height: Array, z: Array) -> Array:
    """A section (k, i), at `height` (k, i) [m], interpolated linearly to the heights `z` [m]."""
    target = np.broadcast_to(z[:, None], (len(z), field.shape[1]))
    return Interpolator(height, target).linear(field)


def relative_error(ours: Array, solution: Array) -> float:
    """L2 norm of the difference over that of the solution."""
    return float(np.sqrt(np.mean((ours - solution) ** 2) / np.mean(solution**2)))


def normalised_rms(reference: Array, ours: Array) -> float:
    """RMS difference over the spread of the reference about its mean at each level.

    3-D arrays have the level first; arrays of fewer dimensions have one mean.
    """
    axes = (1, 2) if reference.ndim == 3 else None
    departure = reference - reference.mean(axis=axes, keepdims=True)
    return float(np.sqrt(np.mean((reference - ours) ** 2)) / departure.std())
