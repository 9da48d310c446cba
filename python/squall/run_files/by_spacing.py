"""What physics a run file for real weather begins with, by the size of its cells."""

from collections.abc import Mapping

#: Cells up to this size resolve mountains that matter, and storms [m] (WRF's guide: gwd_opt, cu_physics).
RESOLVED = 5000.0
#: Up to this size also the eddies of a boundary layer by day [m].
EDDIES_RESOLVED = 500.0
#: Of [diffusion] where the grid has the large eddies: what is smaller.
SMALLER_EDDIES: Mapping[str, str | bool] = {"scheme": "tke", "surfaces": "physical", "mix_full_fields": True}


def suite_for(spacing: float) -> str:
    """physics.suite for cells of so many metres."""
    return "regional" if spacing > RESOLVED else "convection"
