"""Checks that an analysis has the same fields at all times: a time that lacks some is a broken download."""

from collections.abc import Sequence
from datetime import datetime

from squall.errors import UserError
from squall.prepare.sources.analysis import Analysis
from squall.prepare.sources.fields import ESSENTIAL, FIELDS, HUMIDITIES

Groups = tuple[tuple[str, ...], ...]
_Found = tuple[str, set[float]] | None

# Fields of which any one does; the first that is there is taken.
_ON_LEVELS: Groups = (*((name,) for name in ESSENTIAL), HUMIDITIES, ("pressure",))
_ALSO_ON_LEVELS = tuple((name,) for name in ("height", "cloud_water", "cloud_ice", "rain", "snow", "graupel"))
_NEAR_GROUND = (
    ("surface_pressure",),
    ("sea_level_pressure",),
    ("temperature_2m",),
    ("specific_humidity_2m", "dew_point_2m", "relative_humidity_2m"),
    ("u_10m",),
    ("v_10m",),
)
_OF_FIRST_TIME = tuple(
    (name,)
    for name in (
        "skin_temperature", "sea_surface_temperature", "sea_ice", "snow_water", "snow_depth",
        "soil_temperature", "soil_moisture",
    )
)  # fmt: skip
_OF_SEA = (("sea_surface_temperature", "skin_temperature"), ("sea_ice",))

HUMID = 20000.0  # Pa; what is above holds hardly any water
_NAMED = 6  # levels, at most; of more, how many


def compare(analysis: Analysis, times: Sequence[datetime], top: float, sea: bool) -> list[str]:
    """Warnings of what some of the times lack and the preparation can do without.

    top: of the model, Pa; of pressure levels those up to the first at it or above count. sea: the sea's
    temperature is needed at all times. Raises UserError for a time that lacks a level of temperature, wind
    or humidity that others have, or the sea.
    """
    if len(times) < 2:
        return []
    have = _Inventory(analysis, times, _needed(analysis, times, top))
    for time in times:
        lacking = have.levels_that_lack(time, _ON_LEVELS) + have.fields_that_lack(
            time, _OF_SEA if sea else ()
        )
        if lacking:
            raise UserError(
                f"The analysis of {time:%Y-%m-%d %H:%M} UTC lacks {_list(lacking)}, which it has at other "
                f"times: fetch that time again, or remove the field from the other times if it never existed."
            )
    warnings: dict[str, list[datetime]] = {}
    for time in times:
        lacking = have.levels_that_lack(time, _ALSO_ON_LEVELS) + have.fields_that_lack(time, _NEAR_GROUND)
        if time == times[0]:
            lacking += have.fields_that_lack(time, _OF_FIRST_TIME)
        for what in lacking:
            warnings.setdefault(what, []).append(time)
    return [_warning(what, lacking_at) for what, lacking_at in warnings.items()]


def _needed(analysis: Analysis, times: Sequence[datetime], top: float) -> set[float]:
    levels: set[float] = set().union(*(analysis.levels(time) for time in times))
    if analysis.kind != "pressure":
        return levels
    above = [level for level in levels if level <= top]
    return {level for level in levels if level >= max(above, default=0.0)}


class _Inventory:
    """The fields and required levels at some times."""

    def __init__(self, analysis: Analysis, times: Sequence[datetime], needed: set[float]) -> None:
        self._analysis, self._times, self._needed = analysis, times, needed
        self._found: dict[tuple[str, ...], dict[datetime, _Found]] = {}

    def _of(self, names: tuple[str, ...]) -> dict[datetime, _Found]:
        """At each time the field that is taken of those by these names, and its levels."""
        if names not in self._found:
            self._found[names] = {time: _first_of(self._analysis, time, names) for time in self._times}
        return self._found[names]

    def levels_that_lack(self, time: datetime, groups: Groups) -> list[str]:
        """The levels, in words, that this time lacks and another has."""
        lacking: dict[str, list[str]] = {}
        for names in groups:
            found = self._of(names)
            usual: set[float] = set().union(*(each[1] for each in found.values() if each)) & self._needed
            if names == HUMIDITIES and self._analysis.kind == "pressure":
                usual = {level for level in usual if level >= HUMID}
            own = found[time]
            gap = usual - own[1] if own else usual
            if gap:
                levels = _levels_in_words(self._analysis, gap)
                lacking.setdefault(levels, []).append(_label(own, found))
        return [f"{_list(labels)} at {levels}" for levels, labels in lacking.items()]

    def fields_that_lack(self, time: datetime, groups: Groups) -> list[str]:
        """The fields, in words, that this time lacks and another has."""
        inventories = [self._of(names) for names in groups]
        return [_label(None, found) for found in inventories if found[time] is None and any(found.values())]


def _first_of(analysis: Analysis, time: datetime, names: tuple[str, ...]) -> _Found:
    for name in names:
        levels = {level for piece in analysis.at(time, name) for level in piece.levels}
        if levels:
            return name, levels
    return None


def _label(own: _Found, found: dict[datetime, _Found]) -> str:
    """The label of the field at this time, or at the first time that has it."""
    return FIELDS[(own or next(filter(None, found.values())))[0]].label


def _levels_in_words(analysis: Analysis, levels: set[float]) -> str:
    falling = sorted(levels, reverse=True)
    if len(falling) <= _NAMED:
        return ", ".join(analysis.name_level(level) for level in falling)
    ends = f"{analysis.name_level(falling[0])} to {analysis.name_level(falling[-1])}"
    return f"{len(falling)} levels from {ends}"


def _list(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _warning(what: str, times: Sequence[datetime]) -> str:
    shown = ", ".join(f"{time:%Y-%m-%d %H:%M}" for time in times[:3])
    more = f" and {len(times) - 3} times more" if len(times) > 3 else ""
    return (
        f"the analysis of {shown} UTC{more} lacks {what}, which it has at other times: was it fetched "
        f"completely? The substitutes cause a jump in the lateral boundaries at that time."
    )
