"""Schemes and their numbers that a nest of Squall has as its parent has them, whatever a namelist says."""

from collections.abc import Mapping

from squall.wrf.namelist import Namelist
from squall.wrf.rules import Setting

#: Each with the setting of the outermost domain, and how its value begins, without which it does nothing.
_PARENTS: Mapping[str, tuple[str, str] | None] = {
    "physics.mp_physics": None,
    "physics.ra_lw_physics": None,
    "physics.ra_sw_physics": None,
    "physics.radt": ("physics.radiation", "rrtmgp"),
    "physics.sf_sfclay_physics": None,
    "physics.sf_surface_physics": None,
    "physics.bl_pbl_physics": None,
    "physics.cudt": ("physics.cumulus", ""),
    "dynamics.diff_opt": None,
    "dynamics.km_opt": None,
    "dynamics.khdif": ("diffusion.scheme", "constant"),
    "dynamics.c_s": ("diffusion.scheme", "smagorinsky"),
    "dynamics.c_k": ("diffusion.scheme", "tke"),
    "dynamics.diff_6th_opt": None,
    "dynamics.diff_6th_factor": ("diffusion.sixth_order", ""),
    "dynamics.zdamp": ("damping.scheme", ""),
    "dynamics.dampcoef": ("damping.scheme", ""),
    "dynamics.epssm": None,
    "dynamics.smdiv": None,
    "dynamics.emdiv": None,
    "dynamics.moist_adv_opt": None,
    "dynamics.scalar_adv_opt": None,
    "dynamics.h_mom_adv_order": None,
    "dynamics.v_mom_adv_order": None,
    "dynamics.h_sca_adv_order": None,
    "dynamics.v_sca_adv_order": None,
}


def parents_schemes(namelist: Namelist, domain: int, outermost: Mapping[str, Setting]) -> list[str]:
    """What differs of a domain, from 2, in words. `outermost`: settings of the first that are no defaults."""
    parent = int(namelist.column("domains.parent_id", domain) or 1)
    lost = []
    for key, needed in _PARENTS.items():
        own, theirs = (namelist.column(key, number) for number in (domain, parent))
        if own is None or theirs is None or own == theirs:
            continue
        if needed and not (needed[0] in outermost and str(outermost[needed[0]]).startswith(needed[1])):
            continue
        if key == "physics.cudt" and namelist.column("physics.cu_physics", domain) == 0:
            continue  # the nest's own: none
        lost.append(f"it has its parent's {key.split('.')[1]} = {theirs}, not {own}")
    return lost
