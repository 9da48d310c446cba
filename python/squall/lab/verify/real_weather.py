"""Real winter and summer weather over North America from WRF's own input, against WRF's fields."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from squall.lab.linear.atmosphere import Array, G
from squall.lab.report import picture
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.verify.wrf_reference import Reference, compare, compare_total, reference
from squall.lab.workspace import Workspace

FIELDS = ("U", "V", "T", "PH", "MU", "QVAPOR", "RAINNC")
HOUR = 3600.0

RUN_FILE = """\
# Real weather from WRF's input, with the settings that WRF's reference ran with.
[run]
duration = "24 h"
time_step = "600 s"
acoustic_substeps = 4

[domain]
boundary_west = "specified"
boundary_east = "specified"
boundary_south = "specified"
boundary_north = "specified"

[boundary]
file = "{boundary}"

[dynamics]
coriolis = "file"
hypsometric = 1
moist_theta = false

[physics]
microphysics = "kessler"

[diffusion]
scheme = "smagorinsky-2d"
surfaces = "coordinate"

[initial]
file = "{file}"

[output.history]
interval = "3 h"
"""


@dataclass(frozen=True)
class RealCase:
    """A folder of the reference data and when it begins; called as a case of verification."""

    folder: str
    start: str
    title: str

    @property
    def name(self) -> str:
        return f"{self.folder}-wrf"

    def verify(self, workspace: Workspace) -> list[Check]:
        wrf = reference(self.folder, self.start)
        text = RUN_FILE.format(file=wrf.file("wrfinput_d01"), boundary=wrf.file("wrfbdy_d01"))
        history = History(workspace.run(self.name, workspace.run_file(self.name, text), {}))
        self._draw(workspace, wrf, history)
        checks = compare(self.name, wrf, history, FIELDS, (3 * HOUR, 12 * HOUR, 24 * HOUR), 0.02)
        return checks + compare_total(self.name, wrf, history, "RAINNC", 24 * HOUR, 0.02)

    def _draw(self, workspace: Workspace, wrf: Reference, history: History) -> None:
        """Column mass, height and wind in the middle of the atmosphere, and rain after a day."""
        number = next(n for n, _, seconds in wrf.frames() if seconds == 24 * HOUR)
        frame = history.frame_at(24 * HOUR)
        middle = history.field("T", frame).shape[0] // 2
        rows: tuple[tuple[str, Array, Array], ...] = (
            ("mu' [hPa]", history.field("MU", frame) / 100, wrf.field("MU", number) / 100),
            ("z' [m]", history.field("PH", frame)[middle] / G, wrf.field("PH", number)[middle] / G),
            ("u [m/s]", history.field("U", frame)[middle], wrf.field("U", number)[middle]),
            ("rain [mm]", history.field("RAINNC", frame), wrf.field("RAINNC", number)),
        )
        with picture(workspace.picture(self.name), 10, 11) as figure:
            for axes, (label, ours, theirs) in zip(figure.subplots(len(rows), 3), rows, strict=True):
                levels = MaxNLocator(14).tick_values(float(theirs.min()), float(theirs.max()))
                _draw_map(axes[0], f"Squall, {label}", ours, levels, "viridis")
                _draw_map(axes[1], f"WRF 4.7.1, {label}", theirs, levels, "viridis")
                limit = float(np.abs(ours - theirs).max()) or 1.0
                around = MaxNLocator(12, symmetric=True).tick_values(-limit, limit)
                _draw_map(axes[2], "Squall - WRF", ours - theirs, around, "RdBu_r")
            figure.suptitle(self.title)


def _draw_map(axes: Any, title: str, values: Array, levels: Any, colours: str) -> None:
    filled = axes.contourf(values, levels, cmap=colours, extend="both")
    axes.figure.colorbar(filled, ax=axes, shrink=0.9)
    axes.set_title(title)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])


WINTER = RealCase("conus_2008-02-05", "2008-02-05_12:00:00", "5 February 2008 12 UTC, after 24 hours")
SUMMER = RealCase("conus_2005-07-16", "2005-07-16_00:00:00", "16 July 2005 00 UTC, after 24 hours")
