"""The domain of a forecast, and how long it takes on this machine."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from squall.errors import UserError
from squall.forecast.places import Place
from squall.geo.domain import Domain
from squall.prepare.fit import Wishes, choose_projection
from squall.prepare.starter import time_step
from squall.run_files.by_spacing import suite_for

#: What a cell costs in a step of a physics suite, radiation's share included, over what it costs in the
#: supercell: measured on the January storm, 100 x 82 x 30 cells.
_COST = {"regional": 2.5, "convection": 2.3}
#: Beside the model: to prepare a domain, for each of its analyses, and to begin and to draw [s]; on an idle
#: machine, where 40 x 32 cells for 3 h, 60 x 48 for 6 and 96 x 80 for 12 took 18, 30 and 101 s in all.
_PREPARE, _EACH_ANALYSIS, _DRAW = 4.5, 2.0, 8.0

_WIDTHS = range(200, 50, -10)  # cells from west to east, the largest first
_LEAST = 30  # along a side
_SHAPE = 0.8  # of a domain: south-north over west-east
_WISHED = timedelta(minutes=15)  # as long as a forecast may take whose size nobody asked for
NEST_RATIO = 3


@dataclass(frozen=True)
class Choice:
    """A domain, its layers, the step [s], whether it has a nest, and about how long all takes."""

    domain: Domain
    levels: int
    step: float
    nested: bool
    takes: timedelta

    @property
    def suite(self) -> str:
        return suite_for(self.domain.dx)

    def lines(self) -> list[str]:
        """In words."""
        d, km = self.domain, self.domain.dx / 1e3
        told = [
            f"Domain: {d.nx} x {d.ny} cells of {km:g} km ({d.nx * km:.0f} x {d.ny * km:.0f} km), "
            f"{self.levels} layers, steps of {self.step:g} s, suite {self.suite}"
        ]
        if self.nested:
            told.append(f"Nest:   {d.nx} x {d.ny} cells of {km / NEST_RATIO:.3g} km in its middle")
        return told


@dataclass(frozen=True)
class Asked:
    """What somebody asked for; None: to be chosen."""

    length: timedelta
    spacing: float | None = None  # m
    size: tuple[int, int] | None = None
    levels: int = 40
    nested: bool = False


def choose(place: Place, asked: Asked, default_spacing: float, storm: float) -> Choice:
    """The largest domain around a place that is done in a quarter of an hour, or the one asked for. `storm`:
    what a cell takes in a step of the supercell [s]. Raises UserError for a size that is impossible."""
    spacing = asked.spacing or default_spacing
    if asked.size and min(asked.size) < _LEAST:
        raise UserError(
            f"--size {asked.size[0]}x{asked.size[1]}: a domain has at least 30 cells along each side."
        )
    choice = None
    for nx, ny in [asked.size] if asked.size else _sizes():
        choice = _choice(place, asked, spacing, nx, ny, storm)
        if choice.takes <= _WISHED:
            break
    assert choice is not None
    return choice


def _sizes() -> Iterator[tuple[int, int]]:
    """All divisible by the ratio of a nest, which is as large as its parent."""
    for nx in _WIDTHS:
        yield nx // NEST_RATIO * NEST_RATIO, int(nx * _SHAPE) // NEST_RATIO * NEST_RATIO


def _choice(place: Place, asked: Asked, spacing: float, nx: int, ny: int, storm: float) -> Choice:
    projection = choose_projection(place.latitude, place.longitude, Wishes())
    domain = Domain(projection, nx, ny, spacing, spacing, place.latitude, place.longitude)
    step = time_step(domain, asked.length)
    steps = asked.length.total_seconds() / step
    cells = nx * ny * asked.levels * (1 + NEST_RATIO * asked.nested)
    model = cells * steps * storm * _COST[suite_for(spacing)]
    analyses = asked.length.total_seconds() / 10_800 + 1
    beside = (_PREPARE + _EACH_ANALYSIS * analyses) * (1 + asked.nested) + _DRAW
    return Choice(domain, asked.levels, step, asked.nested, timedelta(seconds=model + beside))
