"""An analysis: all pieces of its files, with their times and levels."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

from squall.errors import UserError
from squall.prepare.sources.fields import ESSENTIAL, FIELDS, HUMIDITIES
from squall.prepare.sources.grids import SourceGrid
from squall.prepare.sources.one_state import of_member, of_one_forecast
from squall.prepare.sources.piece import Kind, Piece, Unread, fail


class Analysis:
    """The pieces of some files. `notes` are what the user should know of them."""

    def __init__(
        self,
        pieces: Iterable[Piece | Unread],
        files: list[str],
        member: str | None = None,
        even: bool = True,
    ) -> None:
        """member: of an ensemble; None: there is one. even: whether times must be evenly apart. Raises
        UserError where that is not so, and for files that no forecast can begin from."""
        self.files = files
        self.notes: list[str] = []
        self._of: dict[datetime | None, dict[str, list[Piece]]] = defaultdict(lambda: defaultdict(list))
        found: list[Piece] = []
        self._unread: list[Unread] = []
        for piece in pieces:
            if isinstance(piece, Unread):
                self._unread.append(piece)
            else:
                found.append(piece)
        kept, notes = of_one_forecast(of_member(found, member, files))
        repeated = self._sort(kept)
        self.notes += notes
        if repeated:
            self.notes.append(
                f"{len(repeated)} field(s) occur more than once; the first is used (not {repeated[0]})"
            )
        self.kind = self._choose_kind()
        self.times = sorted(time for time in self._of if time is not None and self._on_levels(time))
        if not self.times:
            raise self._no_times()
        self._refuse_gaps(even)

    def _sort(self, pieces: Iterable[Piece]) -> list[str]:
        """Returns where fields are that are there once more; of two on levels that of the grid is kept which
        the first temperature is on."""
        pieces = list(pieces)
        first = (piece.grid.key for piece in pieces if piece.field == "temperature")
        grid = next(first, None)
        seen, repeated = set(), []
        for piece in sorted(pieces, key=lambda p: FIELDS[p.field].vertical and p.grid.key != grid):
            key = (piece.time, piece.field, piece.kind, piece.levels)
            if key in seen:
                if piece.time is not None:  # of all times: one is as good as another
                    repeated.append(piece.where)
                continue
            seen.add(key)
            if piece.note and piece.note not in self.notes:
                self.notes.append(piece.note)
            self._of[piece.time][piece.field].append(piece)
        return repeated

    def _choose_kind(self) -> Kind:
        """Pressure or hybrid levels: those of which there are more."""
        count: dict[Kind, int] = {"pressure": 0, "hybrid": 0}
        for fields in self._of.values():
            for kind in count:
                found = sum(len(piece.levels) for piece in fields["temperature"] if piece.kind == kind)
                count[kind] = max(count[kind], found)
        if not any(count.values()):
            files = ", ".join(self.files)
            told = self._told_of("temperature")
            if told:
                raise UserError(f"{files}: no readable temperature on pressure or model levels.{told}")
            held = sorted(
                {FIELDS[name].label for fields in self._of.values() for name in fields if fields[name]}
            )
            raise UserError(
                f"{files}: no temperature on pressure or model levels. An analysis needs temperature, "
                f"wind and humidity on levels; is this a file of surface fields? Found: "
                f"{', '.join(held) or 'no known field'}."
            )
        return "hybrid" if count["hybrid"] > count["pressure"] else "pressure"

    def _told_of(self, *fields: str) -> str:
        """Where the files contain missing fields in a form that is not supported; empty if nowhere."""
        whys: dict[str, str] = {}
        for unread in self._unread:
            if unread.field in fields:
                whys.setdefault(f"{FIELDS[unread.field].label} {unread.why}", unread.where)
        told = [f"{what} ({where})" for what, where in list(whys.items())[:4]]
        if not told:
            return ""
        return (
            f" There is {'; '.join(told)}, which is not read. Request pressure levels, or model levels "
            f"with their coefficients, with a single value of each other dimension."
        )

    def _no_times(self) -> UserError:
        piece = next(piece for piece in self._of[None]["temperature"] if piece.kind == self.kind)
        return fail(
            piece.where,
            "has no readable time: it needs a dimension or a coordinate with dates (units such as "
            '"hours since 2024-01-01")',
        )

    def _on_levels(self, time: datetime) -> bool:
        wanted = (*ESSENTIAL, *HUMIDITIES)
        return any(piece.kind == self.kind for name in wanted for piece in self._of[time][name])

    def _refuse_gaps(self, even: bool) -> None:
        """Those of a calendar that omits days in any case."""
        steps = [after - before for before, after in pairwise(self.times)]
        if not steps:
            return
        usual = min(steps)
        for start, step in zip(self.times, steps, strict=False):
            if step != usual and (even or self._told_of_calendar()):
                raise UserError(
                    f"The analysis lacks the time {start + usual:%Y-%m-%d %H:%M} UTC: its times are "
                    f"{_hours(usual)} apart, but {start:%Y-%m-%d %H:%M} and the next {_hours(step)}."
                    + self._told_of_calendar()
                )

    def _told_of_calendar(self) -> str:
        calendars = {piece.calendar for fields in self._of.values() for of in fields.values() for piece in of}
        named = ", ".join(sorted(calendars - {""}))
        return f" Their calendar is {named}, which omits days." if named else ""

    def at(self, time: datetime, field: str) -> list[Piece]:
        """The pieces of a field at a time: of its levels from the ground upwards, of its soil layers
        downwards; none: it is not there. What holds for all times counts."""
        found = self._of[time].get(field) or (self._of[None].get(field, []) if None in self._of else [])
        if FIELDS[field].vertical:
            found = [piece for piece in found if piece.kind == self.kind]
            return sorted(found, key=lambda piece: -max(piece.levels))
        return sorted(found, key=lambda piece: piece.levels)

    def fields(self, time: datetime) -> list[str]:
        """Names of what is there at a time."""
        return [name for name in FIELDS if self.at(time, name)]

    def levels(self, time: datetime) -> tuple[float, ...]:
        """The levels that a time can be used at, from the ground upwards. Raises UserError where an
        essential field is missing, or missing on a level between others."""
        have = {}
        for name in ESSENTIAL:
            have[name] = {level for piece in self.at(time, name) for level in piece.levels}
            if not have[name]:
                raise UserError(
                    f"The analysis of {time:%Y-%m-%d %H:%M} UTC lacks {FIELDS[name].label} on levels. "
                    f"Read: {', '.join(self.files)}.{self._told_of(name)}"
                )
        if not any(self.at(time, name) for name in HUMIDITIES):
            raise UserError(
                f"The analysis of {time:%Y-%m-%d %H:%M} UTC lacks humidity on levels: specific humidity, "
                f"mixing ratio, relative humidity or dew point.{self._told_of(*HUMIDITIES)}"
            )
        common = set.intersection(*have.values())
        if len(common) < 4:
            raise UserError(
                f"The analysis of {time:%Y-%m-%d %H:%M} UTC has {len(common)} levels with temperature and "
                "wind; a forecast needs at least 4, and 15 or more for good quality."
            )
        self._refuse_holes(time, have, common)
        return tuple(sorted(common, reverse=True))

    def _refuse_holes(self, time: datetime, have: dict[str, set[float]], common: set[float]) -> None:
        for name, levels in have.items():
            holes = sorted(level for level in set.union(*have.values()) - levels if level > min(common))
            if holes:
                raise UserError(
                    f"The analysis of {time:%Y-%m-%d %H:%M} UTC lacks {FIELDS[name].label} at "
                    f"{', '.join(self.name_level(level) for level in holes)}."
                )

    def name_level(self, level: float) -> str:
        """A level in words."""
        return f"{level / 100:g} hPa" if self.kind == "pressure" else f"model level {level:g}"

    @property
    def origin(self) -> str:
        """Whose it is, as "NAM of NCEP"; where the files do not say, the names of the first."""
        piece = self.at(self.times[0], "temperature")[0]
        named = ", ".join(Path(file).name for file in self.files[:2])
        return piece.origin or named + (", ..." if len(self.files) > 2 else "")

    @property
    def grid(self) -> SourceGrid:
        """The grid of temperature on levels."""
        return self.at(self.times[0], "temperature")[0].grid


def _hours(step: timedelta) -> str:
    return f"{step.total_seconds() / 3600:g} h"
