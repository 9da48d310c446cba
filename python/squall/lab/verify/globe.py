"""Runs of squall-transport on the globe: how they are made, and the norms of published tests.

Norms: Williamson et al. (1992), equations 82 to 84. Mixing: Lauritzen and Thuburn (2012), Q. J. R. Meteorol.
Soc. 138, 665-684, as Lauritzen et al. (2012), Geosci. Model Dev. 5, 887-901, section 3.4 has it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xarray as xr

from squall import locate
from squall.lab.linear.atmosphere import Array
from squall.lab.workspace import Layout, Workspace


class GlobeLayout(Layout):
    """squall-transport chooses its tiles itself."""

    def settings(self) -> dict[str, str]:
        return {}


ONE_CORE = GlobeLayout(ranks=1, threads=1)


@dataclass(frozen=True)
class Norms:
    """Of the difference from the true field, relative to that."""

    l1: float
    l2: float
    largest: float


def run(workspace: Workspace, name: str, case: str, settings: Mapping[str, str]) -> xr.Dataset:
    """Runs a case of run-files/transport with some keys replaced; returns its history, all frames."""
    folder = workspace.run(
        name,
        locate.run_files_folder() / "transport" / f"{case}.toml",
        settings,
        layout=ONE_CORE,
        model=locate.transport_binary(),
    )
    return history(folder)


def history(folder: Path) -> xr.Dataset:
    """The history of a finished run, in memory."""
    with xr.open_mfdataset(
        sorted(folder.glob("history_*.nc")), data_vars="minimal", coords="minimal", compat="override"
    ) as data:
        return data.load()


def areas(data: xr.Dataset) -> Array:
    """Of cells of each row, shape (lat, 1), of which only ratios count."""
    bounds = np.sin(np.deg2rad(data["lat_bnds"].values))
    return np.asarray(bounds[:, 1] - bounds[:, 0])[:, None]


def norms(data: xr.Dataset, ours: Array, true: Array) -> Norms:
    """Of fields of shape (lev, lat, lon), all layers of which count alike."""
    weight = np.broadcast_to(areas(data), ours.shape)
    error = np.abs(ours.astype(float) - true)
    return Norms(
        float((weight * error).sum() / (weight * np.abs(true)).sum()),
        float(np.sqrt((weight * error**2).sum() / (weight * true**2).sum())),
        float(error.max() / np.abs(true).max()),
    )


@dataclass(frozen=True)
class Mixing:
    """How two tracers that were related by `relation` are mixed: as nature may (real), within the range of
    what there was (unmixing), and beyond it (overshooting)."""

    real: float
    unmixing: float
    overshooting: float


def mixing(data: xr.Dataset, first: Array, second: Array, ends: tuple[float, float] = (0.1, 1.0)) -> Mixing:
    """Of two tracers of one shape that were related by 0.9 - 0.8 q^2 on `ends`."""

    def relation(q: Array) -> Array:
        return np.asarray(0.9 - 0.8 * q**2)

    low, high = ends
    top, bottom = (float(relation(np.array(end))) for end in ends)
    curve = np.linspace(low, high, 1001)
    x, y = first.ravel().astype(float), second.ravel().astype(float)
    weight = np.broadcast_to(areas(data), first.shape).ravel()
    distance = np.array(
        [
            np.sqrt(((a - curve) / (high - low)) ** 2 + ((b - relation(curve)) / (top - bottom)) ** 2).min()
            for a, b in zip(x, y, strict=True)
        ]
    )
    slack = 1e-6  # of single precision
    in_range = (x >= low - slack) & (x <= high + slack) & (y >= bottom - slack) & (y <= top + slack)
    chord = top + (bottom - top) * (x - low) / (high - low)
    real = in_range & (y <= relation(x) + slack) & (y >= chord - slack)
    shares = [real, in_range & ~real, ~in_range]
    return Mixing(*(float((weight * distance)[share].sum() / weight.sum()) for share in shares))
