"""WRF's numbers of physics schemes, including those of suites."""

from squall.wrf.namelist import Value
from squall.wrf.rules import Values

_SUITES = {
    "conus": {"mp": 8, "cu": 6, "ra_lw": 4, "ra_sw": 4, "bl_pbl": 2, "sf_sfclay": 2, "sf_surface": 2},
    "tropical": {"mp": 6, "cu": 16, "ra_lw": 4, "ra_sw": 4, "bl_pbl": 1, "sf_sfclay": 91, "sf_surface": 2},
}
#: What a rule that asks `number_of` reads beside the scheme's key.
SUITE: dict[str, Value] = {"physics.physics_suite": "none"}


def scheme_number(asked: int, suite: object, name: str) -> int:
    """The number of a physics scheme; -1 is what physics_suite names, or nothing."""
    return asked if asked >= 0 else _SUITES.get(str(suite).lower(), {}).get(name, 0)


def number_of(v: Values, name: str) -> int:
    """The same of "bl_pbl" and others, of the values of a rule."""
    return scheme_number(v.whole(f"{name}_physics"), v["physics_suite"], name)


#: What `has_fluxes` reads.
FLUXES: dict[str, Value] = {
    "physics.bl_pbl_physics": -1, "physics.sf_sfclay_physics": -1, "dynamics.diff_opt": -1, **SUITE,
}  # fmt: skip


def has_fluxes(v: Values) -> bool:
    """Whether the surface gives off anything: without a scheme of the boundary layer WRF's mixing takes its
    fluxes where it is in physical space."""
    return number_of(v, "bl_pbl") > 0 or (number_of(v, "sf_sfclay") > 0 and v.whole("diff_opt") == 2)
