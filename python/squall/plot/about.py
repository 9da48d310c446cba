"""Describes a run in one line for its pictures: model, grid, physics, and source of its initial state."""

import re

import xarray as xr

from squall.diagnose import spacing

# WRF's option numbers, for histories that name schemes by number.
_WRF_SCHEMES = {
    "MP_PHYSICS": ("microphysics", {1: "Kessler", 2: "Lin", 3: "WSM3", 4: "WSM5", 6: "WSM6", 8: "Thompson",
                                    10: "Morrison", 28: "Thompson aerosol"}),
    "BL_PBL_PHYSICS": ("boundary layer", {1: "YSU", 2: "MYJ", 5: "MYNN 2.5", 7: "ACM2"}),
    "CU_PHYSICS": ("cumulus", {1: "Kain-Fritsch", 2: "Betts-Miller-Janjic", 3: "Grell-Freitas",
                               6: "Tiedtke", 16: "new Tiedtke"}),
    "RA_LW_PHYSICS": ("longwave", {1: "RRTM", 3: "CAM", 4: "RRTMG"}),
    "SF_SURFACE_PHYSICS": ("land", {1: "thermal diffusion", 2: "Noah", 3: "RUC", 4: "Noah-MP"}),
}  # fmt: skip


def line(frame: xr.Dataset) -> str:
    """As "Squall 0.1.0, 100 x 82 x 30 cells of 30 km; microphysics wsm6, boundary layer bulk; from ..."."""
    parts = [f"{_model(frame)}, {_grid(frame)}", physics(frame)]
    if frame.attrs.get("ANALYSIS"):
        parts.append(f"from {frame.attrs['ANALYSIS']}")
    return "; ".join(part for part in parts if part)


def _model(frame: xr.Dataset) -> str:
    title = str(frame.attrs.get("TITLE", "")).strip()
    found = re.match(r"(?:OUTPUT|RESTART) FROM (SQUALL PREPARE|\w+) ?V?([\d.]+)?", title)
    if not found:
        return title or "unknown model"
    name = {"SQUALL": "Squall", "SQUALL PREPARE": "squall prepare"}.get(found[1], found[1])
    return f"{name} {found[2]}" if found[2] else name


def _grid(frame: xr.Dataset) -> str:
    shape = [frame.sizes[dim] for dim in ("west_east", "south_north", "bottom_top") if dim in frame.sizes]
    cells = f"{' × '.join(map(str, shape))} cells"
    dx = spacing.told(frame, "west_east")
    if dx is None:
        return cells
    return f"{cells} of {dx / 1000:g} km" if dx >= 1000 else f"{cells} of {dx:g} m"


def physics(frame: xr.Dataset) -> str:
    """The physics schemes in use, named as in the run file if known, else from WRF's option numbers."""
    if "PHYSICS" in frame.attrs:
        return str(frame.attrs["PHYSICS"]) or "no physics"
    named = []
    for attribute, (what, names) in _WRF_SCHEMES.items():
        number = int(spacing.number(frame, attribute) or 0)
        if number:
            named.append(f"{what} {names.get(number, f'scheme {number}')}")
    return ", ".join(named)
