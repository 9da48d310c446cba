"""Radiation in clear air: against a reference calculation, and against WRF's RRTMG.

The reference are the fluxes that RRTMGP's authors made for the columns of RFMIP (Pincus, Forster and Stevens
2016, Geosci. Model Dev. 9, 3447-3460): a hundred columns of the globe in eighteen climates. WRF's columns are
those of two forecasts in which it sees no cloud, at six times of day.
"""

from datetime import datetime
from pathlib import Path

import netCDF4
import numpy as np

from squall.diagnose.constants import C_P, EPSILON, KAPPA, P0, THETA0, G
from squall.diagnose.interpolation import Interpolator
from squall.diagnose.staggering import to_centres
from squall.fetch import tables
from squall.lab.linear.atmosphere import Array
from squall.lab.verify import data
from squall.lab.verify.check import Check, Skipped
from squall.lab.verify.radiation_columns import Fluxes, solve
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "radiation"
RFMIP = "fluxes of RTE-RRTMGP-181204 for the columns of RFMIP (Pincus et al. 2016)"
WRF = "heating by RRTMG of WRF 4.7.1 in columns without cloud, between the ground and 100 hPa"
#: Present day, four times its carbon dioxide, and its air 4 K warmer.
CLIMATES = {0: "present", 2: "4 x CO2", 13: "+ 4 K"}
FLUXES = {
    "longwave_up": ("lw_flux_up", "rlu"),
    "longwave_down": ("lw_flux_dn", "rld"),
    "shortwave_up": ("sw_flux_up", "rsu"),
    "shortwave_down": ("sw_flux_dn", "rsd"),
}
#: And their g-points.
SCHEMES = {"rrtmgp": "128 + 112", "rrtmgp-fine": "256 + 224"}
FLUX_LIMIT = 0.5  # W m-2
HEATING_LIMIT = 0.2  # K/day
TOP = 100e2  # Pa, of what is compared of heating
DAY = 86400.0

_GASES = {
    "carbon_dioxide": "co2", "methane": "ch4", "nitrous_oxide": "n2o", "oxygen": "o2", "nitrogen": "n2",
    "carbon_monoxide": "co", "carbon_tetrachloride": "ccl4", "cfc11": "cfc11", "cfc12": "cfc12",
    "hcfc22": "cfc22", "hfc143a": "hfc143a", "hfc125": "hfc125", "hfc23": "hfc23", "hfc32": "hfc32",
    "hfc134a": "hfc134a", "cf4": "cf4",
}  # fmt: skip


def verify(workspace: Workspace) -> list[Check]:
    folder = require_tables()
    checks, errors = _against_reference(workspace, folder)
    try:
        heating = _against_wrf(workspace)
    except Skipped:
        heating = {}
    draw(workspace.picture(NAME), "Radiation in clear air", errors, heating)
    return checks + [
        Check(NAME, f"rms of heating, {stamp}", None, rms(heat[1] - heat[2]), HEATING_LIMIT, WRF,
              "K/day", "at most")
        for stamp, heat in heating.items()
    ]  # fmt: skip


def require_tables() -> Path:
    """Their folder. Raises Skipped where they are missing."""
    folder = tables.cache()
    if tables.missing(folder):
        raise Skipped(f"needs the tables of the radiation in {folder}: squall fetch radiation")
    return folder


def rms(difference: Array) -> float:
    return float(np.sqrt(np.nanmean(difference**2)))


def _upward(values: Array) -> Array:
    """RFMIP's levels begin at the top."""
    return np.asarray(values, dtype=np.float64)[..., ::-1]


def reference_columns(file: netCDF4.Dataset, climate: int) -> dict[str, Array]:
    layers = {
        "layer_pressure": _upward(file["pres_layer"][:]),
        "layer_temperature": _upward(file["temp_layer"][climate]),
        "h2o": _upward(file["water_vapor"][climate]),
        "o3": _upward(file["ozone"][climate]),
    }
    for name, gas in _GASES.items():
        mean = file[f"{name}_GM"]
        layers[gas] = np.full_like(layers["o3"], float(mean[climate]) * float(mean.units))
    return layers | {
        "pressure": np.maximum(_upward(file["pres_level"][:]), 1e-3),
        "temperature": _upward(file["temp_level"][climate]),
        "surface_temperature": np.asarray(file["surface_temperature"][climate]),
        "emissivity": np.asarray(file["surface_emissivity"][:]),
        "albedo": np.asarray(file["surface_albedo"][:]),
        "cosine": np.cos(np.radians(np.asarray(file["solar_zenith_angle"][:]))),
        "irradiance": np.asarray(file["total_solar_irradiance"][:]),
    }


def reference(folder: Path, climate: int) -> tuple[dict[str, Array], dict[str, Array]]:
    """Columns of one of CLIMATES, and their FLUXES at interfaces, ground first."""
    with netCDF4.Dataset(folder / "clearsky_as.nc") as file:
        columns = reference_columns(file, climate)
    fluxes = {}
    for flux, (name, variable) in FLUXES.items():
        with netCDF4.Dataset(folder / f"clearsky_{name}_TwoStream.nc") as file:
            fluxes[flux] = _upward(file[variable][climate])
    return columns, fluxes


def _against_reference(workspace: Workspace, folder: Path) -> tuple[list[Check], dict[str, Array]]:
    """The checks, and by flux the differences of the present climate with the usual tables."""
    checks, errors = [], {}
    for climate, title in CLIMATES.items():
        columns, theirs = reference(folder, climate)
        for scheme, points in SCHEMES.items():
            ours = solve(columns, workspace.directory / NAME / f"rfmip-{climate}.nc", scheme)
            for flux in FLUXES:
                difference = getattr(ours, flux) - theirs[flux]
                quantity = f"rms of {flux.replace('_', ' ')}, {title}, {points} g-points"
                checks.append(
                    Check(NAME, quantity, None, rms(difference), FLUX_LIMIT, RFMIP, "W/m2", "at most")
                )
                if climate == 0 and scheme == "rrtmgp":
                    errors[flux] = difference
    return checks, errors | {"pressure": columns["pressure"]}


def _against_wrf(workspace: Workspace) -> dict[str, tuple[Array, Array, Array]]:
    """By time: pressure, our heating and WRF's (column, layer) [Pa, K/day]; not a number above 100 hPa."""
    folder, heating = data.folder("physics"), {}
    for season in ("summer", "winter"):
        with netCDF4.Dataset(folder / f"columns_{season}.nc") as file:
            for frame in range(0, len(file["Times"]), 2):
                stamp = b"".join(file["Times"][frame]).decode()
                columns, theirs = wrf_columns(file, frame, stamp)
                ours = solve(columns, workspace.directory / NAME / f"wrf-{stamp[:13]}.nc")
                pressure = columns["layer_pressure"]
                low = np.where(pressure > TOP, 1.0, np.nan)
                heating[stamp] = (pressure, heating_of(ours, pressure.shape[1]) * low, theirs * low)
    return heating


def heating_of(fluxes: Fluxes, layers: int) -> Array:
    """Of the lowest layers (column, layer) [K/day]."""
    net, p = fluxes.net_up(), fluxes.pressure
    heating: Array = (net[:, :-1] - net[:, 1:]) / (p[:, :-1] - p[:, 1:]) * G / C_P * DAY
    return heating[:, :layers]


def seen_clear(file: netCDF4.Dataset, frame: int) -> Array:
    """Where WRF's radiation of the step after a frame sees no cloud (south_north, west_east)."""
    waters = [np.asarray(file[name][frame]).max(axis=0) for name in ("QCLOUD", "QRAIN", "QICE")]
    cover = np.asarray(file["CLDFRA"][frame + 1]).max(axis=0)
    clear: Array = (cover <= 0) & (np.max(waters, axis=0) < 1e-9)
    return clear


def wrf_columns(file: netCDF4.Dataset, frame: int, stamp: str) -> tuple[dict[str, Array], Array]:
    """Columns of a frame in which WRF's radiation of the next step sees no cloud, and its heating [K/day]."""

    def field(name: str, at: int = frame) -> Array:
        return np.asarray(file[name][at], dtype=np.float64)

    pressure = field("P") + field("PB")
    exner = (pressure / P0) ** KAPPA
    temperature = (field("T") + THETA0) * exner
    waters = [field(name) for name in ("QVAPOR", "QCLOUD", "QRAIN", "QICE", "QSNOW", "QGRAUP")]
    dry = -field("DNW")[:, None, None] * (field("MU") + field("MUB"))
    weight = dry * (1 + np.sum(waters, axis=0))
    top = float(field("P_TOP"))
    interfaces = np.concatenate([top + np.cumsum(weight[::-1], axis=0)[::-1], np.full_like(weight[:1], top)])
    layers = to_centres(interfaces)
    clear = seen_clear(file, frame)
    time = datetime.strptime(stamp, "%Y-%m-%d_%H:%M:%S")
    day = time.timetuple().tm_yday - 1 + time.hour / 24
    cosine, sunlight = field("COSZEN", frame + 1), field("SWDNT", frame + 1)
    volumes = {
        "pressure": interfaces, "temperature": between(temperature, layers, interfaces),
        "layer_pressure": layers, "layer_temperature": temperature, "h2o": waters[0] / EPSILON,
    }  # fmt: skip
    planes = {
        "surface_temperature": field("TSK"), "emissivity": field("EMISS"), "albedo": field("ALBEDO"),
        "cosine": cosine, "irradiance": np.where(cosine > 0.05, sunlight / np.maximum(cosine, 0.05), 1361.0),
        "latitude": field("XLAT"), "longitude": field("XLONG"), "day": np.full_like(cosine, day),
        "year": np.full_like(cosine, time.year + day / 365),
    }  # fmt: skip
    heating = field("RTHRATEN", frame + 1) * exner * DAY
    columns = {name: values[:, clear].T for name, values in volumes.items()}
    return columns | {name: values[clear] for name, values in planes.items()}, heating[:, clear].T


def between(temperature: Array, layers: Array, interfaces: Array) -> Array:
    """Temperature at interfaces, linear in the logarithm of pressure, as the model takes it."""
    return Interpolator(np.log(layers), np.log(interfaces), "straight").linear(temperature)


def draw(
    path: Path, title: str, errors: dict[str, Array], heating: dict[str, tuple[Array, Array, Array]]
) -> None:
    """By level, the rms difference of each flux from RFMIP's reference, and mean heating beside WRF's.

    errors: by flux (column, level) [W m-2], and their pressure; heating: by time, pressure [Pa], ours and
    WRF's (column, layer) [K/day], not a number where it is not compared. Either may be empty.
    """
    with picture(path, 10, 4.2) as figure:
        left, right = figure.subplots(1, 2)
        for flux in FLUXES if errors else ():
            middle = errors["pressure"].mean(axis=0) / 100
            left.plot(np.sqrt((errors[flux] ** 2).mean(axis=0)), middle, label=flux.replace("_", " "))
        left.set(xlabel="rms from RFMIP's reference [W/m$^2$]", ylabel="hPa", ylim=(1013, 0))
        for stamp, (pressure, ours, theirs) in heating.items():
            below = ~np.isnan(ours).any(axis=0)
            profile = pressure.mean(axis=0)[below] / 100
            line = right.plot(ours.mean(axis=0)[below], profile, label=stamp[:13])[0]
            right.plot(theirs.mean(axis=0)[below], profile, ":", color=line.get_color())
        right.set(xlabel="mean heating, dotted: WRF's RRTMG [K/day]", ylim=(1013, 100))
        for axes, drawn in ((left, errors), (right, heating)):
            if drawn:
                axes.legend()
        figure.suptitle(title)
