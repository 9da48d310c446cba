"""The steps beside which `squall lab diagnostics` puts a frame: a forecast's, with all physics, and a
storm's, which is little more than dynamics. And the run files of both."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from squall.lab.prepared import HILLS, prepared
from squall.lab.variants import Changes
from squall.lab.workspace import Workspace

Size = tuple[int, int, int]

STATIONS = 300
EVERY = 4  # steps between frames: one writes, one is disturbed, two are normal
GATHERED = "gathered"  # with squall_io_gather preloaded
WAYS = ("in place", GATHERED)
WIDTH = 1200.0  # km that the forecast's ground reaches
SPACING = 6.0  # km, where that is wide enough


@dataclass(frozen=True)
class Step:
    """A run whose steps are measured. radiation: steps from one call of it to the next, which are no normal
    ones; 0: none. changes: of its case, for a domain of this size; prepare: makes its input."""

    name: str
    about: str
    case: str
    radiation: int
    time_step: Callable[[Size], float]
    changes: Callable[[Size], Changes]
    prepare: Callable[[Workspace, Size], object] = lambda *_: None

    def counts(self, n: int) -> bool:
        """Whether step number n, from 0, may stand for a normal one, or one that writes."""
        return n > 0 and not (self.radiation and n % self.radiation == 0)


def _of_size(size: Size) -> Changes:
    return dict(zip(("domain.nx", "domain.ny", "domain.nz"), size, strict=True))


def _storm(size: Size) -> Changes:
    return {**_of_size(size), "run.time_step": "6 s", "output.history": None}


def _spacing(size: Size) -> float:
    return min(SPACING, WIDTH / max(size[:2]))


def _seconds(size: Size) -> float:
    """Five for each km of the spacing, as a forecast takes."""
    return 5 * _spacing(size)


def _forecast(size: Size) -> Changes:
    """The built-in westerly jet over hills that are all land."""
    return {
        **_of_size(size),
        "domain.dx": f"{_spacing(size):g} km",
        "run.time_step": f"{_seconds(size):g} s",
        "nest.britain": None,
        "nest.tyne": None,
        "prepare.terrain": HILLS,
        "physics": None,
        "physics.suite": "regional",
        "physics.cumulus": "kain-fritsch",
        "physics.radiation_interval": f"{FORECAST.radiation * _seconds(size):g} s",
        "diffusion": None,
        "output.history": None,
    }


def _prepare(workspace: Workspace, size: Size) -> None:
    changes = {**_forecast(size), "run.duration": "1 h"}
    prepared(workspace, "forecast", FORECAST.case, changes, hills=True)


FORECAST = Step(
    "forecast",
    "all physics of the suite regional, between calls of the radiation",
    "great-north-run-small",
    12,  # a minute for each km
    _seconds,
    _forecast,
    _prepare,
)
STORM = Step("storm", "dynamics, turbulence and warm rain", "supercell", 0, lambda _: 6.0, _storm)
STEPS = {step.name: step for step in (FORECAST, STORM)}


def write_run_files(step: Step, size: Size, steps: int, workspace: Workspace) -> dict[str, Path]:
    """By what they write, and how."""
    files = {}
    table = workspace.run_file("stations", _station_table(size)).rename(workspace.directory / "stations.csv")
    made: dict[str, Changes] = {
        "stations": {"output.made.stations": str(table), "output.made.interpolation": "linear"},
        "zonal means": {"output.made.average": "zonal"},
    }
    for what, keys in made.items():
        for way in WAYS:
            changes: Changes = {
                **step.changes(size),
                "run.duration": f"{steps * step.time_step(size):g} s",
                "output.made.interval": f"{EVERY * step.time_step(size):g} s",
                "output.made.frames_per_file": steps + 1,
                "output.made.reduce": "ranks",
                **keys,
            }
            name = f"{step.name}-{what}-{way}".replace(" ", "-")
            files[f"{what}, {way}"] = workspace.variant(name, step.case, changes)
    return files


def _station_table(size: Size) -> str:
    """Between cells, anywhere in the domain."""
    nx, ny, _ = size
    lines = [f"s{n},{n * 37.77 % (nx - 1):.4f},{n * 91.13 % (ny - 1):.4f}" for n in range(STATIONS)]
    return "\n".join(["name,i,j", *lines]) + "\n"
