"""Writes wrflowinp_d01, the sea surface of each analysis, like WRF's real.exe with sst_update."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from squall.geo.domain import Domain
from squall.prepare.state import Settings
from squall.prepare.wrf_file import SHAPES, add_header, add_variable, characters, wrf_file

Array = NDArray[np.float32]

# Of each variable: description, units.
VARIABLES = {"SST": ("SEA SURFACE TEMPERATURE", "K"), "SEAICE": ("SEA ICE FLAG", "")}


def write_wrflowinp(
    path: Path, domain: Domain, settings: Settings, seas: Iterable[tuple[datetime, Array, Array]]
) -> None:
    """Writes the file. seas: one or more times that follow each other, each with the sea's temperature (K)
    and its share under ice, (ny, nx); on land they mean nothing. Raises UserError where it cannot be
    written."""
    with wrf_file(Path(path)) as dataset:
        for n, (time, temperature, ice) in enumerate(seas):
            if n == 0:
                add_header(dataset, domain, settings.vertical_grid().nz, time, settings, {})
                for name, (description, units) in VARIABLES.items():
                    add_variable(dataset, name, SHAPES["plane"], description, units)
            dataset["Times"][n] = characters(time)
            dataset["SST"][n], dataset["SEAICE"][n] = temperature, ice
