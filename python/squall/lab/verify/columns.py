"""Physics schemes on single columns of WRF's, against what WRF's schemes made of them.

The columns are those of real cases with full suites over North America, summer and winter, its plains in
winter and the Celebes Sea, over day and night, land, sea and snow: all columns of WRF at some hours, and what
its schemes wrote in the step that began there. `squall-columns` gives Squall's schemes the same state and
measures how far they are.
"""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from squall import locate
from squall.errors import UserError
from squall.lab.verify import data
from squall.lab.verify.check import Check
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "columns-wrf"
#: Cases, and their files in the folder of data.
FILES = {
    "summer": "physics/columns_summer.nc",
    "winter": "physics/columns_winter.nc",
    "plains": "physics2/plains/columns_conus.nc",
    "plains, modern": "physics2/plains/columns_modern.nc",
    "tropics, modern": "physics2/tropics/columns_modern.nc",
}
SOURCE = "tendencies and fluxes of WRF 4.7.1's schemes on its own columns, normalised RMS difference"
# Of the fluxes of surface layer and land; of the tendencies of the others.
FLUXES, TENDENCIES = 0.03, 0.05
OF_THE_SURFACE = ("revised-mm5", "eta", "mynn", "slab", "noah", "noah-mp")
# Of what a cumulus scheme does, and of the columns where it acts in one model only.
CUMULUS, CUMULUS_ELSEWHERE = 0.15, 0.05
# Of the columns that a millionth of theta takes over a threshold of MYNN-EDMF, and that lie beyond it in one
# model only: the tendencies of the others count.
AT_A_THRESHOLD = 0.01
# Of a scheme without tendencies of WRF's there: how often it rains where WRF's Kain-Fritsch does not, over
# how often where that does. Of one that does not know where, it is 1 within 0.3; of one that never rains, 1.
CUMULUS_OTHER = 0.5


@dataclass(frozen=True)
class Score:
    """How far a scheme's field is from WRF's in some columns ("land", "sea", "snow" or "all")."""

    season: str
    scheme: str
    field: str
    where: str
    nrmse: float
    rms: float  #: in the field's unit
    points: int

    @property
    def limit(self) -> float:
        if self.scheme == "tiedtke":
            return CUMULUS_OTHER
        if self.field == "columns at a threshold":
            return AT_A_THRESHOLD
        if self.scheme in ("grell-freitas", "kain-fritsch", "tiedtke-1989"):
            return CUMULUS_ELSEWHERE if self.field.startswith("columns") else CUMULUS
        return FLUXES if self.scheme in OF_THE_SURFACE else TENDENCIES

    @property
    def label(self) -> str:
        return f"{self.scheme}, {self.field}, {self.season}, {self.where}"


def verify(workspace: Workspace) -> list[Check]:
    scores = [
        score
        for season, file in FILES.items()
        for score in of_file(data.folder(str(Path(file).parent)) / Path(file).name, season)
    ]
    _draw(workspace, scores)
    return [
        Check(NAME, score.label, None, score.nrmse, score.limit, SOURCE, rule="at most") for score in scores
    ]


def of_file(path: Path, season: str, *what: str) -> list[Score]:
    """What `squall-columns` says of a file; `what`: "radiation". Raises UserError if it is not there, or
    fails."""
    program = locate.model_binary().with_name("squall-columns")
    if not program.is_file():
        raise UserError(f"The program {program} is not there. Build it with `make build`.")
    done = subprocess.run([program, path, *what], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{program} ended with code {done.returncode}: {done.stderr.strip()}", 1)
    return [Score(season=season, **json.loads(line)) for line in done.stdout.splitlines()]


def _draw(workspace: Workspace, scores: list[Score]) -> None:
    with picture(workspace.picture(NAME), 9, 0.6 + 0.17 * len(scores)) as figure:
        axes = figure.subplots()
        names = [score.label for score in scores]
        axes.barh(names, [score.nrmse / score.limit for score in scores], height=0.6)
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.axvline(1, color="k", linewidth=0.8)
        axes.tick_params(axis="y", labelsize="small")
        axes.set_xlabel("distance from WRF over what is allowed")
        axes.set_title("Physics schemes on WRF's columns")
