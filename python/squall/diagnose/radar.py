"""Radar reflectivity from the size distributions of the run's microphysics scheme.

Rain, snow and graupel have N(D) = N0 exp(-D / l), of which 1 / l = (pi rho_x N0 / (rho q))^(1/4); their
reflectivity is the sixth moment, 720 N0 l^7. For snow and graupel it is reduced by (rho_x / rho_water)^2, for
drops of the same mass, and for dry ice by |K_ice|^2 / |K_water|^2 = 0.224 (Smith 1984, J. Clim. Appl. Meteor.
23, 1258-1260); melting particles, above 0 °C, reflect like water. Particles are small compared with the
wavelength, 10 cm. Cloud water and cloud ice are neglected. In Thompson et al. (2008, Mon. Wea. Rev. 136,
5095-5115), N0 of rain follows from its number, that of graupel from its content; snow has the fourth moment
of Field et al. (2005, Q. J. R. Meteorol. Soc. 131, 1997-2017, table 2), as its mass goes by D^2. In
Morrison et al. (2009, Mon. Wea. Rev. 137, 991-1007), N0 of all follow from numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from squall.diagnose import air
from squall.diagnose.columns import LEVEL, of_points
from squall.diagnose.constants import FREEZING
from squall.diagnose.levels import interpolated, on_height
from squall.diagnose.staggering import centred
from squall.errors import UserError

Array = np.ndarray[Any, Any]

LEAST = -35.0  # dBZ, of air without precipitation, as WRF writes it
ECHO_TOP = 18.0  # dBZ
_DENSITY_OF_WATER = 1000.0
_DIELECTRIC = 0.224  # |K|^2 of ice over that of water


@dataclass(frozen=True)
class Particles:
    """One kind of precipitation: intercept N0 [m-4], density [kg m-3], and the least mean diameter l [m]."""

    variable: str
    intercept: float
    density: float
    least: float
    colder: float = 0.0  # K-1: N0 grows as exp(colder (0 °C - T))


# Kessler's rain is Marshall and Palmer's (1948, J. Meteor. 5, 165-166), on which its fall speed rests (Klemp
# and Wilhelmson 1978). Lin: Lin, Farley and Orville (1983, J. Climate Appl. Meteor. 22, 1065-1092), graupel
# by Rutledge and Hobbs (1984, J. Atmos. Sci. 41, 2949-2972). WSM6: Hong and Lim (2006, J. Korean Meteor. Soc.
# 42, 129-151), table 1; snow by Hong, Dudhia and Chen (2004, Mon. Wea. Rev. 132, 103-120), equation 6.
_KESSLER = (Particles("QRAIN", 8e6, 1000.0, 0.0),)
_LIN = (
    Particles("QRAIN", 8e6, 1000.0, 0.0),
    Particles("QSNOW", 3e6, 100.0, 0.0),
    Particles("QGRAUP", 4e6, 400.0, 0.0),
)
_WSM6 = (
    Particles("QRAIN", 8e6, 1000.0, 1 / 8e4),
    Particles("QSNOW", 2e6, 100.0, 1e-5, colder=0.12),
    Particles("QGRAUP", 4e6, 500.0, 1 / 6e4),
)
_MOST_SNOW = 1e11  # m-4, of N0
_LEAST_WATER = 1e-9  # kg kg-1, with which the model's schemes begin
_OF_SCHEME = {1: _KESSLER, 2: _LIN, 4: _WSM6, 6: _WSM6}  # of WSM5 without graupel
_SIMPLE_ICE = 3  # WSM3: what falls is snow where it freezes
_THOMPSON, _THOMPSON_AEROSOL = 8, 28
_MORRISON = 10
_WDM = (14, 16)  # of WDM5 without graupel
_COUNTED = {  # what the echoes of a scheme with numbers of particles are made of
    _THOMPSON: ("QRAIN", "QNRAIN", "QSNOW", "QGRAUP"),
    _THOMPSON_AEROSOL: ("QRAIN", "QNRAIN", "QSNOW", "QGRAUP"),
    _MORRISON: ("QRAIN", "QNRAIN", "QSNOW", "QNSNOW", "QGRAUP", "QNGRAUPEL"),
    **dict.fromkeys(_WDM, ("QRAIN", "QNRAIN", "QSNOW")),
}
_MEDIAN = 3.672  # volume-median diameter times slope, of an exponential distribution
_SNOW_MASS = 0.069  # kg m-2: a flake of diameter D has 0.069 D^2
_GRAUPEL_DENSITY = 400.0


def reflectivity(history: xr.Dataset) -> xr.DataArray:
    """Equivalent reflectivity on layers [dBZ], at least -35: REFL_10CM, or from the size distributions of the
    scheme in the attribute MP_PHYSICS (1 kessler, 2 lin, 3 wsm3, 4 wsm5, 6 wsm6, 8 thompson, 10
    morrison, with hail unless PHYSICS says graupel, 14 wdm5, 16 wdm6, 28 thompson-aerosol). Raises UserError
    for other schemes."""
    if "REFL_10CM" in history:
        return centred(history["REFL_10CM"])
    scheme = int(history.attrs.get("MP_PHYSICS", 0))
    if scheme not in (*_OF_SCHEME, _SIMPLE_ICE, *_COUNTED):
        raise UserError(
            "Reflectivity can be derived for kessler, lin, wsm3, wsm5, wsm6, thompson, morrison, wdm5, wdm6 "
            f"and thompson-aerosol (MP_PHYSICS 1 to 4, 6, 8, 10, 14, 16 or 28); this run has MP_PHYSICS = "
            f"{scheme}: add REFL_10CM to the fields of its stream."
        )
    if missing := [name for name in _COUNTED.get(scheme, ()) if name not in history]:
        raise UserError(
            f"Reflectivity needs {', '.join(missing)}, which the files do not have: add it, or REFL_10CM, to "
            "the fields of the stream."
        )
    temperature, density = air.temperature(history), air.dry_density(history)
    if scheme in (_THOMPSON, _THOMPSON_AEROSOL):
        echoes = list(_thompsons(history, density, temperature))
    elif scheme == _MORRISON:
        echoes = list(_morrisons(history, density, temperature))
    elif scheme in _WDM:
        frozen = [kind for kind in _WSM6[1:] if kind.variable in history]
        echoes = [_drops(history, density)]
        echoes += [_echo(kind, centred(history[kind.variable]), density, temperature) for kind in frozen]
    elif scheme == _SIMPLE_ICE:
        falling = centred(history["QRAIN"])
        as_rain, as_snow = (_echo(kind, falling, density, temperature) for kind in _WSM6[:2])
        echoes = [as_rain.where(temperature >= FREEZING, as_snow)]
    else:
        kinds = [kind for kind in _OF_SCHEME[scheme] if kind.variable in history]
        echoes = [_echo(kind, centred(history[kind.variable]), density, temperature) for kind in kinds]
    return 10 * of_points(np.log10, sum(echoes[1:], echoes[0]).clip(min=10 ** (LEAST / 10)))


def _echo(kind: Particles, q: xr.DataArray, density: xr.DataArray, temperature: xr.DataArray) -> xr.DataArray:
    """Equivalent reflectivity factor of a mixing ratio [mm6 m-3]."""
    intercept: xr.DataArray | float = kind.intercept
    if kind.colder:
        growth = of_points(np.exp, kind.colder * (FREEZING - temperature).clip(min=0))
        intercept = (kind.intercept * growth).clip(max=_MOST_SNOW)
    mean = (density * q.clip(min=0) / (np.pi * kind.density * intercept)) ** 0.25
    moment = 720e-3 * intercept * (1e3 * mean.clip(min=kind.least)) ** 7
    moment = (moment * (kind.density / _DENSITY_OF_WATER) ** 2).where(q > _LEAST_WATER, 0.0)
    return moment if kind.density == _DENSITY_OF_WATER else _frozen(moment, temperature)


def _drops(history: xr.Dataset, density: xr.DataArray) -> xr.DataArray:
    """Equivalent reflectivity factor of counted drops, of which there are N / l^2 D exp(-D / l) (Lim and Hong
    2010, MWR 138, 1587-1612) [mm6 m-3]."""
    q = centred(history["QRAIN"])
    number = density * centred(history["QNRAIN"]).clip(min=0)
    there, counted = q > _LEAST_WATER, number > 1e-2
    content = density * q.clip(min=_LEAST_WATER)
    length = (content / (4 * np.pi * _DENSITY_OF_WATER * number.clip(min=1e-2))) ** (1 / 3)
    length = length.clip(max=1e-3).where(counted, 1 / 5e4)
    return (5040e18 * number * length**6).where(there, 0.0)


def _frozen(moment: xr.DataArray, temperature: xr.DataArray) -> xr.DataArray:
    return moment.where(temperature >= FREEZING, _DIELECTRIC * moment)


def _thompsons(
    history: xr.Dataset, density: xr.DataArray, temperature: xr.DataArray
) -> Iterator[xr.DataArray]:
    """Equivalent reflectivity factors of rain, snow and graupel [mm6 m-3]."""

    def content(name: str) -> tuple[xr.DataArray, xr.DataArray]:
        """Water content [kg m-3]."""
        q = centred(history[name])
        there = q > _LEAST_WATER
        return (density * q).where(there, 1e-3), there

    rain, there = content("QRAIN")
    number = (density * centred(history["QNRAIN"])).clip(min=1e-6)
    mass = np.pi / 6 * _DENSITY_OF_WATER
    widest, narrowest = _MEDIAN / 37.5e-6, _MEDIAN / 2.5e-3
    slope = ((6 * mass * number / rain) ** (1 / 3)).clip(narrowest, widest)
    yield (720e18 * rain / (6 * mass) / slope**3).where(there, 0.0)

    snow, there = content("QSNOW")
    fourth = of_points(_fourth_moment, snow / _SNOW_MASS, temperature - FREEZING)
    echo = (1e18 * (6 * _SNOW_MASS / (np.pi * _DENSITY_OF_WATER)) ** 2 * fourth).where(there, 0.0)
    yield _frozen(echo, temperature)

    graupel, there = content("QGRAUP")
    mass = np.pi / 6 * _GRAUPEL_DENSITY
    power = (3 + 2 / 7 * (of_points(np.log10, graupel.clip(min=1e-9)) + 8)).clip(2, 6)
    slope = (10**power * mass * 6 / graupel) ** 0.25
    slope = slope.clip(_MEDIAN / 25.4e-3, _MEDIAN / 50e-6)
    compact = _GRAUPEL_DENSITY / _DENSITY_OF_WATER
    yield _frozen((720e18 * graupel / (6 * mass) / slope**3 * compact**2).where(there, 0.0), temperature)


def _morrisons(
    history: xr.Dataset, density: xr.DataArray, temperature: xr.DataArray
) -> Iterator[xr.DataArray]:
    """Equivalent reflectivity factors of rain, snow and hail or graupel [mm6 m-3]."""
    dense = 400.0 if "morrison-graupel" in str(history.attrs.get("PHYSICS", "")) else 900.0
    for name, heavy, narrowest, widest in (
        ("RAIN", 997.0, 20e-6, 2800e-6), ("SNOW", 100.0, 10e-6, 2000e-6), ("GRAUP", dense, 20e-6, 2000e-6),
    ):  # fmt: skip
        q = centred(history[f"Q{name}"])
        there, content = q > _LEAST_WATER, q.clip(min=_LEAST_WATER)
        counted = centred(history["QNGRAUPEL" if name == "GRAUP" else f"QN{name}"]).clip(min=1e-6)
        length = ((content / (np.pi * heavy * counted)) ** (1 / 3)).clip(narrowest, widest)
        number = density * content / (np.pi * heavy * length**3)
        echo = (720e18 * number * length**6 * (heavy / 997.0) ** 2).where(there, 0.0)
        yield echo if name == "RAIN" else _frozen(echo, temperature)


def _fourth_moment(second: Array, celsius: Array) -> Array:
    """Of snow's diameters [m] from their second moment (Field et al. 2005, table 2), at -0.1 C and below."""
    t = np.minimum(-0.1, celsius)
    terms = np.stack([t**0, t, 4 + 0 * t, 4 * t, t**2, 16 + 0 * t, 4 * t**2, 16 * t, t**3, 64 + 0 * t])
    a = [5.065339, -0.062659, -3.032362, 0.029469, -0.000285, 0.31255, 0.000204, 0.003199, 0.0, -0.015952]
    b = [0.476221, -0.015896, 0.165977, 0.007468, -0.000141, 0.060366, 0.000079, 0.000594, 0.0, -0.003577]
    moment: Array = 10 ** np.tensordot(a, terms, 1) * second ** np.tensordot(b, terms, 1)
    return moment


def composite(history: xr.Dataset) -> xr.DataArray:
    """Composite reflectivity: the maximum of a column [dBZ]."""
    return reflectivity(history).max(LEVEL)


def at_1_km(history: xr.Dataset) -> xr.DataArray:
    """Reflectivity 1 km above the ground [dBZ], linear between layers."""
    return on_height(history, reflectivity(history), 1000.0, above_ground=True)


def at_minus_10(history: xr.Dataset) -> xr.DataArray:
    """Reflectivity where it is -10 °C, the highest such level [dBZ], linear between layers."""
    return interpolated(reflectivity(history), air.temperature(history), FREEZING - 10.0)


def echo_top(history: xr.Dataset) -> xr.DataArray:
    """Echo top: the greatest height above sea level with 18 dBZ [m]; NaN without such echoes."""
    return interpolated(air.height(history), reflectivity(history), ECHO_TOP)
