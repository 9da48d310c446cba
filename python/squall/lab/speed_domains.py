"""The cases that `squall lab speed` times, without output, and its goals."""

from dataclasses import dataclass, field

from squall.lab.variants import Changes


@dataclass(frozen=True)
class Case:
    """A case that comes with Squall, and its time step [s]."""

    name: str
    time_step: int


#: Of each case's run file: what is timed writes nothing.
CHANGES: Changes = {"output.history": None}

WAVE = Case("baroclinic-wave", 600)
STORM = Case("supercell", 12)


@dataclass(frozen=True)
class Size:
    """A domain of a case, and how many steps of it to time."""

    case: Case
    name: str
    nx: int
    ny: int
    nz: int
    steps: int
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.nx} x {self.ny} x {self.nz}, {self.name}"

    def run_settings(self) -> dict[str, str]:
        return {
            "domain.nx": str(self.nx),
            "domain.ny": str(self.ny),
            "domain.nz": str(self.nz),
            "run.duration": f"{self.steps * self.case.time_step} s",
            **self.settings,
        }


SIZES = (
    Size(WAVE, "in cache", 40, 12, 16, 2000),
    Size(WAVE, "as WRF", 40, 80, 64, 60),
    Size(WAVE, "out of cache", 160, 160, 64, 8),
    Size(STORM, "supercell", 41, 41, 40, 80),
    Size(STORM, "large supercell", 200, 200, 50, 4),
)
SCALING = SIZES[1]
GOAL_SCALING = 1.8

# WRF's nested_supercell: the same storm with a nest of the same size in its middle. What nesting costs is
# the time of a step over that of the domains' own steps within it; WRF's: 0.356 s over 0.325 s.
NEST = {"i_parent_start": 13, "j_parent_start": 13, "nx": 48, "ny": 48}
NESTED = Size(
    STORM, "nested", 41, 41, 40, 25, settings={f"nest.inner.{key}": str(n) for key, n in NEST.items()}
)
WRF_NESTING = 1.10
GOAL_NESTING = 1.05

TRACERS = (1, 11)


def with_tracers(number: int) -> Size:
    """The baroclinic wave that carries so many tracers."""
    names = [f"tracer.t{n:02d}.initial" for n in range(1, number + 1)]
    return Size(WAVE, f"tracers: {number}", 40, 80, 64, 30, settings=dict.fromkeys(names, "1.0"))
