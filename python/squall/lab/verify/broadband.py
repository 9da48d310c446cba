"""The radiation without tables: against a reference calculation, and against WRF's RRTMG.

The columns are those of `radiation`. The limits are what was measured of the scheme, rounded up: it is a
cheap one, and they say how far it may be trusted.
"""

import netCDF4
import numpy as np

from squall.fetch import tables
from squall.lab.linear.atmosphere import Array
from squall.lab.verify import data, radiation
from squall.lab.verify.check import Check, Skipped
from squall.lab.verify.radiation_columns import solve
from squall.lab.workspace import Workspace

NAME = "broadband"
#: By flux: rms over all levels of RFMIP's columns at most so much [W m-2].
REFERENCE_LIMITS = {"longwave_up": 3, "longwave_down": 12, "shortwave_up": 45, "shortwave_down": 15}
EDGES_OF = "fluxes by RRTMG of WRF 4.7.1 in columns without cloud"
#: What WRF writes at the edges, and ours: flux, level, and how far off mean and spread may be [W m-2].
EDGES = {
    "GLW": ("longwave_down", 0, 8, 6),
    "OLR": ("longwave_up", -1, 5, 5),
    "SWDOWN": ("shortwave_down", 0, 40, 10),
}
HEATING_LIMITS = {"night": 0.8, "day": 1.6}  # K/day
LOWEST_SUN = 0.05  # cosine of the zenith angle where sunlight is compared


def verify(workspace: Workspace) -> list[Check]:
    """Raises Skipped where neither RFMIP's columns nor WRF's are here."""
    checks: list[Check] = []
    errors: dict[str, Array] = {}
    heating: dict[str, tuple[Array, Array, Array]] = {}
    if not tables.missing(tables.cache()):
        checks, errors = _against_reference(workspace)
    try:
        of_wrf, heating = _against_wrf(workspace)
        checks += of_wrf
    except Skipped:
        if not checks:
            raise
    radiation.draw(workspace.picture(NAME), "Radiation without tables in clear air", errors, heating)
    return checks


def _against_reference(workspace: Workspace) -> tuple[list[Check], dict[str, Array]]:
    """The checks, and by flux the differences of the present climate, with their pressure."""
    folder, checks, errors = tables.cache(), [], {}
    for climate, title in radiation.CLIMATES.items():
        columns, theirs = radiation.reference(folder, climate)
        ours = solve(columns, workspace.directory / NAME / f"rfmip-{climate}.nc", NAME)
        differences = {flux: getattr(ours, flux) - theirs[flux] for flux in REFERENCE_LIMITS}
        for flux, limit in REFERENCE_LIMITS.items():
            quantity = f"rms of {flux.replace('_', ' ')}, {title}"
            found = radiation.rms(differences[flux])
            checks.append(Check(NAME, quantity, None, found, limit, radiation.RFMIP, "W/m2", "at most"))
        if climate == 0:
            errors = differences | {"pressure": columns["pressure"]}
    return checks, errors


def _against_wrf(workspace: Workspace) -> tuple[list[Check], dict[str, tuple[Array, Array, Array]]]:
    """The checks, and by time pressure, our heating and WRF's (column, layer); not a number above 100 hPa."""
    folder, checks, heating = data.folder("physics"), [], {}
    for season in ("summer", "winter"):
        with netCDF4.Dataset(folder / f"columns_{season}.nc") as file:
            for frame in range(0, len(file["Times"]), 2):
                stamp = b"".join(file["Times"][frame]).decode()
                found, heating[stamp] = _of_frame(workspace, file, frame, stamp)
                checks += found
    return checks, heating


def _of_frame(
    workspace: Workspace, file: netCDF4.Dataset, frame: int, stamp: str
) -> tuple[list[Check], tuple[Array, Array, Array]]:
    clear = radiation.seen_clear(file, frame)
    columns, heating = radiation.wrf_columns(file, frame, stamp)
    ours = solve(columns, workspace.directory / NAME / f"wrf-{stamp[:13]}.nc", NAME)
    lit = columns["cosine"] > LOWEST_SUN
    checks = []
    for name, (flux, level, mean, spread) in EDGES.items():
        of = lit if name == "SWDOWN" else np.full_like(lit, True)
        if not of.any():
            continue
        theirs = np.asarray(file[name][frame + 1], dtype=np.float64)[clear]
        off = (getattr(ours, flux)[:, level] - theirs)[of]
        mean_off, spread_off = float(off.mean()), float(off.std())
        checks += [
            Check(NAME, f"{name}, mean difference, {stamp}", 0.0, mean_off, mean, EDGES_OF, "W/m2"),
            Check(
                NAME,
                f"{name}, standard deviation of the difference, {stamp}",
                None,
                spread_off,
                spread,
                EDGES_OF,
                "W/m2",
                "at most",
            ),
        ]
    pressure = columns["layer_pressure"]
    low = np.where(pressure > radiation.TOP, 1.0, np.nan)
    made, theirs = radiation.heating_of(ours, heating.shape[1]) * low, heating * low
    rms = radiation.rms(made - theirs)
    limit = HEATING_LIMITS["day" if lit.any() else "night"]
    checks.append(
        Check(NAME, f"rms of heating, {stamp}", None, rms, limit, radiation.WRF, "K/day", "at most")
    )
    return checks, (pressure, made, theirs)
