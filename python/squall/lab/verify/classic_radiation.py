"""RRTMGP's longwave and Dudhia's shortwave on columns of a WRF run with RRTM and Dudhia.

The columns are those of a winter day over the Great Plains, all that WRF had after 3 and 6 hours; what is
compared is what its radiation wrote in the step that began there. WRF's RRTM sees no crystals of WSM3, which
made these columns: so they are left out here.
"""

from squall.lab.verify import columns, data, radiation
from squall.lab.verify.check import Check
from squall.lab.verify.columns import Score
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "radiation-classic"
SOURCE = "RRTM (ra_lw_physics = 1) and Dudhia (ra_sw_physics = 1) of WRF 4.7.1 on its own columns"
#: At most so far, by field, in columns without cloud and in all [W m-2], heating [K day-1].
LIMITS = {"GLW": (1.5, 2.0), "OLR": (0.5, 0.5), "SWDOWN": (0.3, 2.5), "RTHRATEN": (0.1, 0.2)}
DAY = 86400.0


def verify(workspace: Workspace) -> list[Check]:
    """Raises Skipped without the columns or the tables."""
    folder = data.folder("physics2/plains")
    radiation.require_tables()
    scores = columns.of_file(folder / "columns_classic.nc", "plains", "radiation")
    _draw(workspace, scores)
    return [_check(score) for score in scores]


def _check(score: Score) -> Check:
    heating = score.field == "RTHRATEN"
    unit, factor = ("K/day", DAY) if heating else ("W/m2", 1.0)
    limit = LIMITS[score.field][score.where == "all"]
    quantity = f"rms of {score.field}, {score.where}"
    return Check(NAME, quantity, None, score.rms * factor, limit, SOURCE, unit, "at most")


def _draw(workspace: Workspace, scores: list[Score]) -> None:
    with picture(workspace.picture(NAME), 8, 3) as figure:
        axes = figure.subplots()
        names = [f"{score.field}, {score.where}" for score in scores]
        axes.barh(names, [score.nrmse for score in scores], height=0.6)
        axes.invert_yaxis()
        axes.set_xlabel("distance from WRF over the spread of its columns (nRMSE)")
        axes.set_title("RRTMGP and Dudhia's shortwave on columns of RRTM and Dudhia")
