"""The one table of what can be reproduced."""

import difflib
from collections.abc import Sequence

from squall.errors import UserError
from squall_studies.reproduce import (
    adios2,
    builds,
    choices,
    clearing,
    conus,
    council,
    curves,
    globe_steps,
    globe_winds,
    hector,
    in_situ,
    kinds_of_step,
    layers,
    mpi_libraries,
    routines,
    scatter,
    servers,
    simulated_forecast,
    simulated_mpi,
    simulated_placements,
    simulated_scale,
    simulated_tomcat,
    stripes,
    teragrid,
    tomcat,
    transports,
)
from squall_studies.reproduce.item import Item

ITEMS: tuple[Item, ...] = (
    *hector.ITEMS, *routines.ITEMS, *layers.ITEMS, *servers.ITEMS, *clearing.ITEMS, *stripes.ITEMS,
    *builds.ITEMS,
    *teragrid.ITEMS,
    *tomcat.ITEMS, *kinds_of_step.ITEMS, *globe_steps.ITEMS, *globe_winds.ITEMS,
    *scatter.ITEMS,
    *conus.ITEMS, *council.ITEMS, *mpi_libraries.ITEMS,
    *adios2.ITEMS, *transports.ITEMS, *in_situ.ITEMS,
    *choices.ITEMS,
    *curves.ITEMS, *simulated_placements.ITEMS,
    *simulated_tomcat.ITEMS, *simulated_forecast.ITEMS, *simulated_scale.ITEMS, *simulated_mpi.ITEMS,
)  # fmt: skip


def chosen(names: Sequence[str]) -> list[Item]:
    """Those of these names, or of these studies, each once, in the table's order. Raises UserError."""
    known = {item.name for item in ITEMS} | {item.study for item in ITEMS}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise UserError(f"There is no item {name}.{hint} `squall lab reproduce --list` lists them.")
    return [item for item in ITEMS if item.name in names or item.study in names]
