"""Selects one state from pieces of several ensemble members, or of several analyses and forecasts of one
time: fields must not be mixed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from squall.errors import UserError
from squall.prepare.sources.fields import ESSENTIAL, FIELDS, HUMIDITIES
from squall.prepare.sources.piece import Made, Piece

UNNUMBERED = "unnumbered"  # what stands beside numbered members and says no number: mostly the control

_NEEDED = (*ESSENTIAL, *HUMIDITIES)


def of_member(pieces: Sequence[Piece], wanted: str | None, files: Sequence[str]) -> list[Piece]:
    """The pieces of one member, and what is of none. Raises UserError where there are several and none is
    wanted, or not the wanted one; it names them."""
    changing = [piece for piece in pieces if piece.time is not None]
    numbered = [piece for piece in changing if piece.member]
    taken = {_at(piece) for piece in numbered}
    # Number 0 is that of files without an ensemble, too.
    of_air = any(piece.field in _NEEDED and piece.member != "0" for piece in numbered)
    beside = any(
        not piece.member and (_at(piece) in taken or (of_air and piece.field in _NEEDED))
        for piece in changing
    )
    members = list(dict.fromkeys(piece.member for piece in numbered)) + [UNNUMBERED] * beside
    chosen = _chosen(sorted(members, key=_order), wanted, files)
    if chosen is None:
        return list(pieces)
    if chosen == UNNUMBERED:
        return [piece for piece in pieces if not piece.member or piece.time is None]
    own = [piece for piece in pieces if piece.member == chosen]
    have = {_at(piece) for piece in own}

    def goes_with(piece: Piece) -> bool:
        """Whether a piece belongs to a member: fields common to all members may carry one number or none."""
        if piece.member == chosen or _at(piece) in have:
            return False
        return piece.time is None or (not piece.member and (chosen == "0" or piece.field not in _NEEDED))

    return own + [piece for piece in pieces if goes_with(piece)]


def _chosen(members: list[str], wanted: str | None, files: Sequence[str]) -> str | None:
    """None: there is nothing to choose from."""
    if wanted is None:
        if len(members) < 2:
            return None
        raise UserError(
            f"{_listed(files)}: {len(members)} members of an ensemble: {_listed(members, 12)}. A forecast is "
            f'of one: say which, --member {members[0]}, or member = "{members[0]}" in [prepare].'
        )
    names = {_normal(member): member for member in members}
    found = names.get(_normal(wanted))
    if found is None and _normal(wanted) in ("0", "control"):
        found = names.get("0", names.get(UNNUMBERED))
    if found is None:
        there = f"the members are {_listed(members, 12)}" if members else "the files contain no members"
        raise UserError(f"{_listed(files)}: no member {wanted}; {there}.")
    return found


def _normal(member: str) -> str:
    text = member.strip().lower()
    return str(int(text)) if text.isdecimal() else text


def _order(member: str) -> tuple[bool, int, str]:
    return (not member.isdecimal(), int(member) if member.isdecimal() else 0, member)


def _listed(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def of_one_forecast(pieces: Iterable[Piece]) -> tuple[list[Piece], list[str]]:
    """At each time the pieces of one analysis or forecast, where several have the same fields, and notes
    that say which. It is the one that has the most levels, of equals the analysis, then the one that began
    last; what it lacks altogether comes from the others, but for clouds, which go with their own air."""
    kept: list[Piece] = []
    times: dict[datetime, list[Piece]] = defaultdict(list)
    for piece in pieces:
        if piece.time is None:
            kept.append(piece)
        else:
            times[piece.time].append(piece)
    notes: list[str] = []
    for time, found in times.items():
        made = list(dict.fromkeys(piece.made for piece in found))
        if len(made) < 2 or not _overlap(found):
            kept += found
            continue
        best = _best(found, made)
        have = {piece.field for piece in found if piece.made == best}
        rest = [p for p in found if p.made != best and p.field not in have and _goes_with_others(p)]
        # Of what is lacking, too, each field from one.
        of_rest = {piece.field: piece.made for piece in reversed(rest)}
        rest = [piece for piece in rest if piece.made == of_rest[piece.field]]
        kept += [piece for piece in found if piece.made == best] + rest
        notes.append(_note(time, best, made, list(of_rest)))
    return kept, notes


def _goes_with_others(piece: Piece) -> bool:
    return not FIELDS[piece.field].vertical or piece.field in (*_NEEDED, "height", "pressure")


def _overlap(pieces: list[Piece]) -> bool:
    """Whether a field on one kind of levels is there of two analyses or forecasts."""
    first: dict[object, Made] = {}
    return any(first.setdefault(_at(piece), piece.made) != piece.made for piece in pieces)


def _best(pieces: list[Piece], made: list[Made]) -> Made:
    count: Counter[Made] = Counter()
    for piece in pieces:
        if piece.field in _NEEDED and piece.kind in ("pressure", "hybrid"):
            count[piece.made] += len(piece.levels)
    start = {each: each.start.timestamp() if each.start else -1.0 for each in made}
    return max(made, key=lambda each: (count[each], each.process == "analysis", start[each], each.final))


def _note(time: datetime, best: Made, made: list[Made], lacking: list[str]) -> str:
    others = ", ".join(each.in_words() for each in made if each != best)
    note = f"{time:%Y-%m-%d %H:%M}: the {best.in_words()} is used, not {others}"
    if lacking:
        note += f"; these provide what it lacks: {', '.join(FIELDS[field].label for field in lacking)}"
    return note


def _at(piece: Piece) -> tuple[datetime | None, str, str]:
    return piece.time, piece.field, piece.kind
