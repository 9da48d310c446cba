"""Measures how far a run departs from its initial state in the first hour.

A balanced initial state changes at the rate of the weather; an unbalanced one excites external gravity waves,
most visible in surface pressure.
"""

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import xarray as xr
from rich.console import Console

from squall import diagnose
from squall.diagnose import centred, water
from squall.diagnose.columns import LEVEL
from squall.diagnose.constants import G
from squall.errors import UserError
from squall.lab.linear.atmosphere import Array
from squall.reader.dataset import open_run
from squall.results import number, show_table, write_json

HOUR = 3600.0
_STATE = ("T", "P", "PB", "PH", "PHB", "U", "V", "MU", "MUB", "DNW", "C1H", "C2H", "QVAPOR")
LEVELS = (85000.0, 50000.0, 25000.0)  # Pa


@dataclass(frozen=True)
class Departure:
    """Mean and root mean square of a quantity over the domain."""

    quantity: str
    unit: str
    bias: float
    rms: float


@dataclass(frozen=True)
class Noise:
    """Mean over the domain of the magnitude of the surface-pressure tendency between two frames."""

    seconds: float  # the later one's
    tendency: float  # hPa h-1


def run(directory: Path, margin: int, json: Path | None) -> None:
    """Prints the departure of a run from its first frame after an hour, and the noise until then."""
    history = open_run(directory)
    frames = first_frames(history)
    departures = measure(history, frames[-1], margin)
    noise = pressure_noise(history, margin)
    console = Console()
    minutes = _elapsed(history, frames[-1]) / 60
    show_table(
        console,
        f"After {minutes:.0f} min minus the initial state, without {margin} rows at each side",
        ["quantity", "unit", "bias", "rms"],
        [[d.quantity, d.unit, number(d.bias), number(d.rms)] for d in departures],
    )
    show_table(
        console,
        "Mean absolute surface-pressure tendency",
        ["until \\[min]", "\\[hPa/h]"],
        [[f"{n.seconds / 60:.0f}", number(n.tendency)] for n in noise],
    )
    if json:
        content = {"departures": [asdict(d) for d in departures], "noise": [asdict(n) for n in noise]}
        write_json(json, content)


def first_frames(history: xr.Dataset) -> list[int]:
    """Frames up to an hour. Raises UserError where there is not one beside the first."""
    elapsed = history["elapsed"].values
    frames = [n for n, seconds in enumerate(elapsed) if seconds <= HOUR + 0.5]
    if len(frames) < 2 or elapsed[0] > 0.5:
        raise UserError(
            "The history needs the initial frame and at least one more within the first hour: set "
            'output.history.interval = "10 min".'
        )
    return frames


def pressure_noise(history: xr.Dataset, margin: int) -> list[Noise]:
    """The surface-pressure tendency between the frames of the first hour."""
    frames = first_frames(history)
    made = []
    before = surface_pressure(history, frames[0])
    for n in frames[1:]:
        now = surface_pressure(history, n)
        hours = (_elapsed(history, n) - _elapsed(history, n - 1)) / HOUR
        made.append(
            Noise(_elapsed(history, n), float(np.abs(_inside(now - before, margin)).mean()) / 100 / hours)
        )
        before = now
    return made


def measure(history: xr.Dataset, frame: int, margin: int) -> list[Departure]:
    """The difference of a frame from the first: surface-pressure tendency, and wind, temperature and height
    on pressure levels where both are above the ground."""
    hours = _elapsed(history, frame) / HOUR
    change = (surface_pressure(history, frame) - surface_pressure(history, 0)) / 100 / hours
    made = [_departure("surface-pressure tendency", "hPa/h", _inside(change, margin))]
    begin, end = _on_pressure(history, 0), _on_pressure(history, frame)
    for n, level in enumerate(LEVELS):
        for quantity, unit in (
            ("wind along x", "m/s"),
            ("wind along y", "m/s"),
            ("temperature", "K"),
            ("height", "m"),
        ):
            difference = _inside(end[quantity][n] - begin[quantity][n], margin)
            made.append(_departure(f"{quantity}, {level / 100:.0f} hPa", unit, difference))
    return made


def surface_pressure(history: xr.Dataset, frame: int) -> Array:
    """Weight of the moist air over each cell [Pa]."""
    now = _double(history, frame)
    water_too = 1 + centred(now["QVAPOR"]) if "QVAPOR" in now else 1.0
    weight: Array = (G * water.dry_mass(now) * water_too).sum(LEVEL).values
    return weight + float(now["P_TOP"])


def _on_pressure(history: xr.Dataset, frame: int) -> dict[str, Array]:
    """On LEVELS; not a number below the lowest layer."""
    now = _double(history, frame)
    names = {"wind along x": "U", "wind along y": "V", "temperature": "temperature", "height": "height"}
    return {
        quantity: np.stack(
            [diagnose.field(now, name, diagnose.Surface("pressure", level)).values for level in LEVELS]
        )
        for quantity, name in names.items()
    }


def _departure(quantity: str, unit: str, difference: Array) -> Departure:
    there = difference[np.isfinite(difference)]
    if there.size == 0:
        return Departure(quantity, unit, float("nan"), float("nan"))
    return Departure(quantity, unit, float(there.mean()), float(np.sqrt((there**2).mean())))


def _inside(plane: Array, margin: int) -> Array:
    ny, nx = plane.shape
    if min(nx, ny) <= 2 * margin:
        raise UserError(
            f"{margin} rows on each side leave nothing of {nx} x {ny} cells: use a smaller --margin."
        )
    return plane[margin : ny - margin, margin : nx - margin]


def _double(history: xr.Dataset, frame: int) -> xr.Dataset:
    """What is needed of a frame, in double precision."""
    now = history.isel(Time=frame)
    return now.assign({name: now[name].astype(np.float64) for name in _STATE if name in now})


def _elapsed(history: xr.Dataset, frame: int) -> float:
    return float(history["elapsed"].values[frame])
