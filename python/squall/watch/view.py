"""A view: a field on a level of a stream of a run, or its difference from another one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from squall import diagnose
from squall.diagnose.constants import FREEZING
from squall.errors import UserError
from squall.geo.projection import Float
from squall.plot import choice, style
from squall.watch.run import Run
from squall.watch.source import Source, calmly
from squall.watch.units import plain

_CELSIUS = ("temperature", "T2", "dew_point", "TSK", "SST")  # as forecasts have them
LONGEST = 80  # characters of a name or a level


@dataclass(frozen=True)
class View:
    """A field on a level. `minus`: what is taken away from it."""

    run: int
    stream: str
    domain: int
    field: str
    level: str
    minus: "View | None" = None

    @property
    def difference(self) -> bool:
        return self.minus is not None


def parse(asked: Mapping[str, str], prefix: str = "") -> View:
    """The view of a query; with `m_field` a difference. Raises UserError for what is none."""

    def text(name: str, default: str = "") -> str:
        found = asked.get(prefix + name, default)
        if len(found) > LONGEST:
            raise UserError(f"{name} is longer than {LONGEST} characters.")
        return found

    minus = parse(asked, "m_") if not prefix and asked.get("m_field") else None
    return View(
        number(text("run", "0"), "run"), text("stream", "history"), number(text("domain", "1"), "domain"),
        text("field"), text("level"), minus,
    )  # fmt: skip


def number(text: str, what: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise UserError(f"{what}: expected a whole number.")
    return int(text)


def source(runs: list[Run], view: View) -> Source:
    """Raises UserError where there is no such run or stream."""
    if view.run >= len(runs):
        raise UserError(f"There is no run {view.run}.")
    return runs[view.run].source(view.stream, view.domain)


def unit(origin: Source, view: View) -> tuple[str, float, float]:
    """The unit that is shown, and factor and offset from the file's."""
    units = next((known.units for known in origin.fields if known.name == view.field), "")
    if units == "K" and view.field in _CELSIUS and origin.map is not None:
        return "°C", 1.0, 0.0 if view.difference else -FREEZING
    shown, factor = style.shown(units)
    return plain(shown), factor, 0.0


def values(runs: list[Run], view: View, elapsed: float) -> Float:
    """Rows (south_north, west_east) of a view at a frame, in the unit that is shown."""
    origin = source(runs, view)
    found = _one(origin, view, origin.index(elapsed))
    if view.minus is None:
        return found
    other = source(runs, view.minus)
    less = _one(other, view.minus, other.at(origin.valid(elapsed)))
    if less.shape != found.shape:
        raise UserError("The runs have different grids, so their difference cannot be computed.")
    difference: Float = found - less
    return difference


def _one(origin: Source, view: View, index: int) -> Float:
    known = next((known for known in origin.fields if known.name == view.field), None)
    if known is None:
        raise UserError(f"There is no field {view.field}.")
    with calmly():
        frame = origin.frame(index, view.field)
        array, _ = choice.on_level(frame, diagnose.field(frame, view.field), view.level or None)
        rows = array.transpose("south_north", "west_east").values
    _, factor, offset = unit(origin, replace(view, minus=None))
    return np.asarray(rows * factor + offset, np.float32)
