"""Reads the settings of a preparation from a run file: [prepare], and keys of other tables.

The keys are those of the model's schema (docs/reference/run-file.md), which also checks them; here
they are read with the same meaning.
"""

import difflib
import re
import tomllib
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from glob import glob
from pathlib import Path
from typing import Any

from squall.errors import UserError
from squall.prepare.fit import Wishes
from squall.prepare.geography import NONE
from squall.prepare.nests import Nest, read_nests
from squall.prepare.sources import jet
from squall.prepare.state import Settings
from squall.run_files import schema

# Beside [prepare], which other keys a preparation follows.
OTHERS = (
    "run.start", "run.duration", "domain.nx", "domain.ny", "domain.nz", "domain.dx", "domain.dy",
    "initial.file", "boundary.file", "boundary.lower_file", "nudging.file",
    "boundary.specified_rows", "boundary.relaxation_rows",
    "dynamics.hypsometric", "dynamics.moist_theta", "physics.fractional_sea_ice",
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """A plan of a preparation."""

    analysis: list[Path]
    initial: Path  # to be written
    boundary: Path | None  # None: the run has no specified sides
    lower: Path | None = None  # of the sea over time
    nudging: Path | None = None  # of the whole domain over time
    member: str | None = None  # of an ensemble; None: there is one
    terrain: Path | None = None
    terrain_smoothing: int = 1
    geography: Path | None = None  # folder of geogrid's data sets
    sea_surface_temperature: Path | None = None
    wishes: Wishes = field(default_factory=Wishes)
    settings: Settings = field(default_factory=Settings)
    top: float | None = None  # Pa; None: settings.top, or the analysis's highest level
    start: datetime | None = None  # None: the first time of the analysis
    duration: timedelta | None = None
    nests: list[Nest] = field(default_factory=list)

    @property
    def ends(self) -> list[datetime]:
        """The end of the run, if given."""
        if self.start is None:
            return []
        return [self.start] if self.duration is None else [self.start, self.start + self.duration]

    def of(self, number: int) -> "Plan":
        """The plan for a domain (2 or higher: a nest with an initial file of its own, without a boundary
        file, because its parent provides its boundaries)."""
        nest = None if number == 1 else self.nests[number - 2]
        if nest is None or nest.initial_file is None:
            return self
        return replace(self, initial=nest.initial_file, boundary=None, lower=nest.lower_file, nudging=None)


def read_plan(path: Path, look: bool = True) -> Plan:
    """The plan of a run file. Raises UserError naming every key that cannot be used. look: for the files of
    the analysis, which else may be missing, and are none in the plan."""
    text, document = _load(path)
    values, problems = _values(document)
    folder = path.parent
    analysis = _files(values.get("prepare.analysis"), folder, problems) if look else []
    if "initial.file" not in values and not problems:
        problems.append(
            ("initial.file", 'must name the file for the initial state: [initial] file = "wrfinput_d01"')
        )
    start = _start(values.get("run.start"), problems)
    if start is None and Path(jet.NAME) in analysis:
        problems.append(
            (
                "run.start",
                f'{jet.NAME} has no date of its own: set one, such as run.start = "2007-01-24T12:00:00"',
            )
        )
    _check_choices(values, problems)
    nests, of_nests = read_nests(document, folder)
    problems += of_nests
    if problems:
        raise UserError("\n".join(_complaint(path, text, key, what) for key, what in problems))

    def wished(table: str, name: str) -> Any:
        return values.get(f"{table}.{name}")

    def file(key: str) -> Path | None:
        return folder / values[key] if key in values else None

    settings = _settings(values)
    return Plan(
        analysis=analysis,
        initial=folder / values["initial.file"],
        boundary=file("boundary.file"),
        lower=file("boundary.lower_file"),
        nudging=file("nudging.file"),
        member=values.get("prepare.member"),
        terrain=file("prepare.terrain"),
        geography=NONE if values.get("prepare.geography") == str(NONE) else file("prepare.geography"),
        sea_surface_temperature=file("prepare.sea_surface_temperature"),
        terrain_smoothing=values.get("prepare.terrain_smoothing", 1),
        wishes=Wishes(
            **{name: wished("domain", name) for name in ("nx", "ny", "dx", "dy")},
            **{
                name: wished("prepare", name)
                for name in Wishes.__dataclass_fields__
                if name not in ("nx", "ny", "dx", "dy")
            },
        ),
        settings=settings,
        top=values.get("prepare.top"),
        start=start,
        duration=timedelta(seconds=values["run.duration"]) if "run.duration" in values else None,
        nests=nests,
    )


Problems = list[tuple[str, str]]


def _load(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = path.read_text()
        return text, tomllib.loads(text)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is not valid TOML: {error}") from None


def _values(document: dict[str, Any]) -> tuple[dict[str, Any], Problems]:
    """The values of the keys that matter, by "table.key", in SI units."""
    values: dict[str, Any] = {}
    problems: Problems = []
    table = document.get("prepare")
    if not isinstance(table, dict):
        problems.append(("prepare", "there is no table [prepare], which names the analyses"))
        table = {}
    known = schema.load()
    own = known.table("prepare").keys
    for key in table:
        if key not in own:
            near = difflib.get_close_matches(key, own, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(own)}"
            problems.append((f"prepare.{key}", f"unknown key{hint}"))
    for name in (*(f"prepare.{key}" for key in own), *OTHERS):
        where, _, key = name.partition(".")
        section = document.get(where)
        if not isinstance(section, dict) or key not in section:
            continue
        try:
            values[name] = known.table(where).keys[key].read(section[key])
        except ValueError as error:
            problems.append((name, str(error)))
    return values, problems


def _files(patterns: tuple[str, ...] | None, folder: Path, problems: Problems) -> list[Path]:
    """The files of `prepare.analysis`, in the order given and, within a pattern, of their names."""
    if not patterns:
        if not any(key.startswith("prepare") for key, _ in problems):
            problems.append(("prepare", "has no key analysis, the list of files to prepare from"))
        return []
    found: list[Path] = []
    for pattern in patterns:
        if pattern == jet.NAME:
            found.append(Path(pattern))
            continue
        matches = sorted(glob(str(folder / pattern)))
        if not matches:
            problems.append(("prepare.analysis", f'there is no file "{pattern}" in {folder.resolve()}'))
        found += [path for path in map(Path, matches) if path not in found]
    return found


def _start(text: str | None, problems: Problems) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        problems.append(("run.start", f'"{text}" is not a date and time such as "2000-01-01T00:00:00"'))
        return None


def _check_choices(values: dict[str, Any], problems: Problems) -> None:
    for name in ("domain.nx", "domain.ny", "domain.nz", "domain.dx", "domain.dy"):
        if name in values and values[name] <= 0:
            problems.append((name, f"{values[name]:g} is invalid: it must be above 0"))
    if values.get("prepare.terrain_smoothing", 0) < 0:
        problems.append(("prepare.terrain_smoothing", "the number of passes cannot be negative"))


def _settings(values: dict[str, Any]) -> Settings:
    given = {
        "levels": "domain.nz",
        "top": "prepare.top",
        "lowest_layer": "prepare.lowest_layer",
        "stretch": "prepare.stretch",
        "eta": "prepare.eta",
        "etac": "prepare.etac",
        "hypsometric": "dynamics.hypsometric",
        "moist_theta": "dynamics.moist_theta",
        "fractional_sea_ice": "physics.fractional_sea_ice",
        "use_surface": "prepare.use_surface",
        "remove_divergence": "prepare.remove_divergence",
    }
    rows = values.get("boundary.specified_rows", 1) + values.get("boundary.relaxation_rows", 4)
    known = {name: values[key] for name, key in given.items() if key in values}
    return Settings(**known, boundary_rows=rows)


def _complaint(path: Path, text: str, key: str, what: str) -> str:
    """The error message with the line of the key or its table."""
    table, _, name = key.rpartition(".")
    if (key.startswith("nest.") and key.count(".") == 1) or not table:
        table, name = key, ""
    key = key.rstrip(".")
    given = re.compile(rf"\s*{re.escape(name)}\s*=")
    current, heading_line = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := re.match(r"\s*\[+([^\[\]]+)\]", line):
            current = heading[1].strip()
            heading_line = number if current == table else heading_line
            if current == table and not name:
                return f"{path}:{number}: [{table}]: {what}"
        elif current == table and name and given.match(line):
            return f"{path}:{number}: {key}: {what}"
    where = f"{path}:{heading_line}" if heading_line and table.startswith("nest.") else str(path)
    return f"{where}: {key}: {what}"
