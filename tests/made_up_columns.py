"""An analysis in closed form on pressure levels, for tests of preparation."""

from datetime import datetime, timedelta

import numpy as np

from squall.geo.domain import Domain, Projection
from squall.prepare.columns import Columns

G, R = 9.81, 287.0
LEVELS = 100.0 * np.array(
    [1000, 975, 950, 925, 900, 850, 800, 750, 700, 650, 600, 550, 500, 450, 400, 350, 300, 250, 200, 150,
     100, 70, 50, 30]
)  # fmt: skip
START = datetime(2020, 3, 1, 12)


def domain(nx=24, ny=20, dx=10e3) -> Domain:
    return Domain(Projection("lambert", 30.0, 60.0, -95.0), nx, ny, dx, dx, 40.0, -95.0)


def hill(grid: Domain, height: float, half_width: float = 5.0):
    x, y = np.meshgrid(np.arange(grid.nx) - grid.nx / 2, np.arange(grid.ny) - grid.ny / 2)
    return single(height * np.exp(-(x**2 + y**2) / half_width**2))


def single(values, shape=None):
    return np.array(values if shape is None else np.broadcast_to(values, shape), np.float32)


def isothermal(grid: Domain, temperature: float, terrain, wind=0.0, vapour=0.0) -> Columns:
    """At rest or in uniform wind, hydrostatic, 1013.25 hPa at sea level; no surface data."""
    planes = (len(LEVELS), grid.ny, grid.nx)
    scale = R * temperature / G
    return Columns(
        time=START,
        pressure=single(LEVELS),
        temperature=single(temperature, planes),
        mixing_ratio=single(vapour * (LEVELS / 1e5)[:, None, None] ** 3, planes),
        u=single(wind, (len(LEVELS), grid.ny, grid.nx + 1)),
        v=single(0.0, (len(LEVELS), grid.ny + 1, grid.nx)),
        height=single((scale * np.log(101325 / LEVELS))[:, None, None], planes),
        surface_pressure=single(101325 * np.exp(-terrain.astype(float) / scale)),
        terrain=single(terrain),
    )


def weather(grid: Domain, terrain, hours: float = 0.0) -> Columns:
    """A baroclinic zone with moist air, waves in all fields, surface data and cloud water."""
    made = isothermal(grid, 250.0, terrain, wind=8.0, vapour=0.01)
    x, y = np.meshgrid(np.linspace(0, 1, grid.nx), np.linspace(0, 1, grid.ny))
    xu, yu = np.meshgrid(np.linspace(0, 1, grid.nx + 1), np.linspace(0, 1, grid.ny))
    xv, yv = np.meshgrid(np.linspace(0, 1, grid.nx), np.linspace(0, 1, grid.ny + 1))
    phase = hours / 6
    wave = np.sin(6 * x + phase) * np.cos(5 * y)
    depth = np.log(1e5 / LEVELS)
    mean = np.maximum(292 - 42 * depth, 212.0)
    made.temperature = single(mean[:, None, None] + 3 * wave)
    tv = made.temperature.astype(float) * (1 + 0.6 * made.mixing_ratio)
    steps = R / G * 0.5 * (tv[1:] + tv[:-1]) * np.diff(depth)[:, None, None]
    made.height = single(np.concatenate([(110 + 20 * wave)[None], 110 + 20 * wave + np.cumsum(steps, 0)]))
    made.u = single(8 + 6 * depth[:, None, None] + 4 * np.sin(9 * xu + phase) * np.cos(8 * yu))
    made.v = single(5 * np.cos(7 * xv + phase) * np.sin(9 * yv) * np.ones((len(LEVELS), 1, 1)))
    # Consistent with the heights: from the nearest level below the ground or above it.
    near = np.abs(made.height - terrain).argmin(axis=0)[None]
    z, t, p = (
        np.take_along_axis(np.broadcast_to(values, made.height.shape), near, 0)[0].astype(float)
        for values in (made.height, tv, LEVELS[:, None, None])
    )
    made.surface_pressure = single(p * np.exp(-G * (terrain - z) / (R * t)))
    made.temperature_2m = single(t + 1)
    made.mixing_ratio_2m = single(0.009 * np.ones_like(t))
    made.u_10m, made.v_10m = made.u[0] * 0.7, made.v[0] * 0.7
    made.water = {"QCLOUD": single(1e-4 * np.exp(-((depth - 0.4) ** 2) / 0.01)[:, None, None] * (1 + wave))}
    made.time = START + timedelta(hours=hours)
    return made
