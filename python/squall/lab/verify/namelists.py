"""Namelists as people post them: what each asks for, and what of it a run of Squall is not.

Nothing is run: `squall import` translates them. A file whose values WRF refuses is to be refused here too.
`namelists.md` beside the pictures is the whole table.
"""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from squall.errors import UserError
from squall.lab.verify import data
from squall.lab.verify.check import Check
from squall.lab.workspace import Workspace
from squall.results import picture
from squall.run_files import schema
from squall.run_files.schema import Schema
from squall.wrf import namelist
from squall.wrf.namelist import Namelist
from squall.wrf.translate import HARM, translate

NAME = "namelists"
SOURCE = "namelist.input files from public repositories, by squall import"
#: How many of the options that a file sets the run has not, or has otherwise, at most.
LOSSES = {
    "n01": 0, "n02": 0, "n03": 0, "n04": 0, "n05": 0, "n06": 0, "n07": 0, "n08": 0, "n09": 0, "n12": 0,
    "n15": 0, "n16": 0, "n18": 0, "n20": 0, "n21": 3, "n24": 0, "n25": 0, "n27": 3, "n29": 0, "n30": 1,
    "n31": 0, "n32": 0, "n33": 1, "n34": 0, "n35": 0, "n36": 0, "n37": 0, "n39": 2, "n41": 0, "n42": 0,
    "n43": 0, "n44": 0, "n45": 0, "n46": 0,
}  # fmt: skip
#: WRF does not run these either: a time step is below 0, an end comes before the start.
REFUSED = ("n17", "n38")
_ASKED = ("physics_suite", "mp", "ra_lw", "ra_sw", "sf_sfclay", "sf_surface", "bl_pbl", "cu")


@dataclass(frozen=True)
class Imported:
    """A namelist: what it asks for, and by option what of it is lost. `refused`: why it cannot be
    run."""

    name: str
    asks: str
    lost: dict[str, str] = field(default_factory=dict)
    refused: str = ""

    @property
    def gets(self) -> str:
        if self.refused:
            return f"refused: {self.refused}"
        return "; ".join(f"{key}: {what}" for key, what in self.lost.items()) or "runs as it says"


def verify(workspace: Workspace) -> list[Check]:
    """Raises Skipped without the files."""
    folder, known = data.folder(NAME), schema.load()
    all_of = [imported(path, known) for path in sorted(folder.glob("*.input"))]
    write_table(workspace.directory / "namelists.md", all_of)
    _draw(workspace.picture(NAME), all_of)
    as_they_say = sum(not one.lost for one in all_of if not one.refused)
    least = sum(count == 0 for count in LOSSES.values())
    return [
        Check(NAME, "run as they say", None, as_they_say, least, SOURCE, "files", "at least"),
        *(_check(one) for one in all_of),
    ]


def _check(one: Imported) -> Check:
    if one.name in REFUSED:
        return Check(NAME, f"{one.name} is refused, as by WRF", 1.0, float(bool(one.refused)), 0.0, SOURCE)
    number = float("nan") if one.refused else float(len(one.lost))
    limit = float(LOSSES.get(one.name, 0))
    return Check(NAME, f"{one.name} ({one.asks}), options lost", None, number, limit, SOURCE, rule="at most")


def imported(path: Path, known: Schema) -> Imported:
    """What becomes of a namelist of WRF."""
    name, asks = path.stem, ""
    try:
        said = namelist.read(path)
        asks = _asked(said)
        translation = translate(said, known)
    except UserError as error:
        return Imported(name, asks, refused=str(error))
    lost = {
        entry.key or entry.wrf: entry.lost for entry in translation.lost if entry.harm < HARM["time_control"]
    }
    return Imported(name, asks, lost)


def _asked(said: Namelist) -> str:
    """The schemes of the first domain, in short."""
    parts = []
    for key in _ASKED:
        value = said.column(f"physics.{key}" if key == "physics_suite" else f"physics.{key}_physics")
        if value not in (None, -1, "none"):
            parts.append(f"{key.removeprefix('physics_')} {value}")
    return ", ".join(parts)


def write_table(path: Path, all_of: list[Imported]) -> None:
    """In Markdown, a row for each file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"| {one.name} | {one.asks} | {one.gets.replace('|', '/')} |" for one in all_of]
    path.write_text("\n".join(["| file | asks for | gets |", "| --- | --- | --- |", *rows]) + "\n")


def _draw(path: Path, all_of: list[Imported]) -> None:
    """In how many of the files an option is lost."""
    counts = Counter(option for one in all_of for option in one.lost)
    names, numbers = zip(*reversed(counts.most_common()), strict=True)
    with picture(path, 8, 1 + 0.2 * len(names)) as figure:
        axes = figure.subplots()
        axes.barh(names, numbers, height=0.6)
        axes.set_xlabel(f"of {len(all_of)} namelists, those in which the run is not as this option says")
        axes.set_title("What squall import loses")
