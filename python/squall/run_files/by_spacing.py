"""The default physics of a run file for real weather, by grid spacing."""

from collections.abc import Mapping

#: Grid spacing up to which orographic drag and deep convection are resolved [m] (WRF's guide: gwd_opt,
#: cu_physics).
RESOLVED = 5000.0
#: Grid spacing up to which the eddies of a daytime boundary layer are resolved [m].
EDDIES_RESOLVED = 500.0
#: [diffusion] for grids that resolve the large eddies: the subgrid turbulence.
SMALLER_EDDIES: Mapping[str, str | bool] = {"scheme": "tke", "surfaces": "physical", "mix_full_fields": True}


def suite_for(spacing: float) -> str:
    """The physics.suite for a grid spacing [m]."""
    return "regional" if spacing > RESOLVED else "convection"
