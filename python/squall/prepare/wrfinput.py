"""Writes wrfinput_d01, the initial file, like WRF's real.exe, for the model, WRF and WRF's tools."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import KAPPA, P0, THETA0
from squall.diagnose.staggering import to_centres
from squall.geo.domain import Domain
from squall.prepare.ground_fields import ground_fields
from squall.prepare.state import State
from squall.prepare.wrf_file import (
    SHAPES,
    add_header,
    add_variable,
    characters,
    wrf_file,
)
from squall.prepare.wrf_variables import INTEGERS, VARIABLES

Array = NDArray[np.float32]


def write_wrfinput(
    path: Path, state: State, domain: Domain, analysis: str = "", made_of: Sequence[str] = ()
) -> list[str]:
    """Writes the file. Returns what is not known from the analysis and made up, as "NAME: what".

    The same is said in the file's attribute FILLED; `analysis`, whose weather it is, in ANALYSIS, which
    histories of a run from it carry on; `made_of`, what terrain and land are made from, in GROUND. Raises
    UserError where it cannot be written.
    """
    ground = ground_fields(state, domain.mass.latitude)
    values = {**_grid(domain), **_levels(state, domain), **_air(state), **_surface(state), **ground.values}
    nz = state.vertical.nz
    with wrf_file(Path(path)) as dataset:
        soil = {"soil_layers_stag": len(ground.values["ZS"])}
        add_header(dataset, domain, nz, state.time, state.settings, soil, ground.attributes)
        dataset.FILLED = "; ".join(ground.filled)
        if analysis:
            dataset.ANALYSIS = analysis
        if made_of:
            dataset.GROUND = "; ".join(made_of)
        # All definitions first: in this format each one after data would move the data.
        for name, (shape, description, units) in VARIABLES.items():
            if name in values:
                add_variable(dataset, name, SHAPES[shape], description, units, name in INTEGERS)
        dataset["Times"][0] = characters(state.time)
        for name in VARIABLES:
            if name in values:
                dataset[name][0] = values[name]
    return ground.filled


def _grid(domain: Domain) -> dict[str, NDArray[np.floating] | float]:
    mass, u, v = domain.mass, domain.u, domain.v
    f, e = mass.coriolis
    return {
        "XLAT": mass.latitude,
        "XLONG": mass.longitude,
        "CLAT": mass.latitude,
        "CLONG": mass.longitude,
        "XLAT_U": u.latitude,
        "XLONG_U": u.longitude,
        "XLAT_V": v.latitude,
        "XLONG_V": v.longitude,
        "MAPFAC_M": mass.map_factor_x,
        "MAPFAC_MX": mass.map_factor_x,
        "MAPFAC_MY": mass.map_factor_y,
        "MAPFAC_U": u.map_factor_x,
        "MAPFAC_UX": u.map_factor_x,
        "MAPFAC_UY": u.map_factor_y,
        "MAPFAC_V": v.map_factor_x,
        "MAPFAC_VX": v.map_factor_x,
        "MAPFAC_VY": v.map_factor_y,
        "MF_VX_INV": 1 / v.map_factor_x,
        "F": f,
        "E": e,
        "SINALPHA": mass.sin_alpha,
        "COSALPHA": mass.cos_alpha,
        "RDX": 1 / domain.dx,
        "RDY": 1 / domain.dy,
    }


def _levels(state: State, domain: Domain) -> dict[str, NDArray[np.floating] | float]:
    v, base = state.vertical, state.settings.base
    profiles = ("znu", "znw", "fnm", "fnp", "dn", "rdn", "dnw", "rdnw")
    hybrid = tuple(f"c{n}{points}" for n in (1, 2, 3, 4) for points in "hf")
    return {
        **{name.upper(): getattr(v, name) for name in (*profiles, *hybrid)},
        "CF1": v.cf[0],
        "CF2": v.cf[1],
        "CF3": v.cf[2],
        "CFN": v.cfn[0],
        "CFN1": v.cfn[1],
        "P_TOP": v.top,
        "P00": base.p00,
        "T00": base.t00,
        "TLP": base.lapse,
        "TISO": base.t_iso,
        "TLP_STRAT": 0.0,
        "P_STRAT": 0.0,
    }


def _air(state: State) -> dict[str, NDArray[np.floating] | float]:
    base = state.base
    return {
        "U": state.u,
        "V": state.v,
        "W": np.zeros_like(state.ph) if state.w is None else state.w,
        "PH": state.ph,
        "PHB": base.phb,
        "T": state.theta,
        "THM": state.integrated_theta,
        "T_INIT": base.theta,
        "MU": state.mu,
        "MUB": base.mub,
        "P": state.p,
        "PB": base.pb,
        "P_HYD": base.pb + state.p,
        "QVAPOR": state.vapour,
        **state.water,
    }


def _surface(state: State) -> dict[str, NDArray[np.floating] | float]:
    """Near the ground: the analysis's 2 m and 10 m data, else the lowest layer."""
    c, p = state.columns, state.surface_pressure
    lowest = (state.theta[0] + np.float32(THETA0)) * (p / np.float32(P0)) ** np.float32(KAPPA)
    t2 = lowest if c.temperature_2m is None else c.temperature_2m
    u = state.u[0] if c.u_10m is None else c.u_10m
    v = state.v[0] if c.v_10m is None else c.v_10m
    return {
        "T2": t2,
        "TH2": t2 * (np.float32(P0) / p) ** np.float32(KAPPA),
        "Q2": state.vapour[0] if c.mixing_ratio_2m is None else c.mixing_ratio_2m,
        "PSFC": p,
        "U10": to_centres(u, axis=1),
        "V10": to_centres(v),
        "HGT": state.terrain,
    }
