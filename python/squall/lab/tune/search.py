"""Searches one kind of choice after the other, each from the best so far, or all combinations."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from squall.errors import UserError
from squall.lab.tune.choices import Kind
from squall.lab.tune.problem import DEFAULT, Candidate, Problem
from squall.lab.tune.race import Clock, Entry, Measure, race, ranked, try_once
from squall.lab.tune.trial import Took

_BASES = 2  # that the next kind of choice begins from
_DUEL = 4  # runs of the best and the default in turn


@dataclass
class Found:
    """All that raced, and the two that ran against each other at the end; `best` may be the default."""

    entries: list[Entry]
    best: Entry
    default: Entry


def search(
    problem: Problem,
    kinds: Sequence[Kind],
    measure: Measure,
    clock: Clock,
    tell: Callable[[str], None] = lambda _: None,
) -> Found:
    """Raises UserError where the case does not run as it is."""
    first = Entry(DEFAULT, "default")
    entries = [first]
    bases = [first]
    for number, kind in enumerate(kinds):
        made = unique(bases, kind, problem, entries)
        share = clock.part(1 / (len(kinds) - number + 1))  # the duel has one, too
        ranking = race([*bases, *made], measure, share, tell)
        entries += made
        _require(first)
        bases = [entry for entry in ranking if not entry.verdict][:_BASES] or [first]
    best, default = duel(ranked(entries)[0].candidate, measure, clock, tell)
    return Found(entries, winner(best, default), default)


def unique(bases: Sequence[Entry], kind: Kind, problem: Problem, known: Sequence[Entry]) -> list[Entry]:
    """What a kind of choice makes of these, that did not race yet."""
    seen = {entry.candidate for entry in known}
    made = dict.fromkeys(c for base in bases for c in kind.make(problem, base.candidate))
    return [Entry(candidate, kind.name) for candidate in made if candidate not in seen]


def duel(
    candidate: Candidate,
    measure: Measure,
    clock: Clock,
    tell: Callable[[str], None] = lambda _: None,
    other: Candidate = DEFAULT,
) -> tuple[Entry, Entry]:
    """A candidate and another run in turn, so that both see the same machine. Returns the runs of both,
    the same ones where they are one."""
    known = Entry(other, "default" if other == DEFAULT else "other")
    if candidate == other:
        known.seconds.append(measure(other, None).step)
        return known, known
    best = Entry(candidate, "best")
    for _ in range(_DUEL):
        for entry in (best, known):
            tell(f"final comparison: {entry.candidate}")
            entry.seconds.append(measure(entry.candidate, None).step)
        if clock.over:
            break
    return best, known


def winner(best: Entry, known: Entry) -> Entry:
    """Of a duel: the second unless it is slower in most pairs, and at its fastest."""
    pairs = zip(best.seconds, known.seconds, strict=True)
    won = sum(b < k for b, k in pairs)
    return best if best.best < known.best and 2 * won > len(best.seconds) else known


def exhaustive(
    problem: Problem,
    kinds: Sequence[Kind],
    measure: Measure,
    repeats: int,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Entry]:
    """Every combination of all choices, each run so many times, whatever time it takes; the fastest first."""
    entries = [Entry(DEFAULT, "default")]
    for kind in kinds:
        entries += unique(entries, kind, problem, entries)
    for number in range(repeats):
        for index, entry in enumerate(entries):
            tell(f"{number + 1} of {repeats}, {index + 1} of {len(entries)}: {entry.candidate}")
            if not entry.verdict:
                try_once(entry, measure)
    _require(entries[0])
    return ranked(entries)


def replayed(problem: Problem, kinds: Sequence[Kind], known: Sequence[Entry]) -> float:
    """What the search loses by not trying all: how much slower what it finds is than the best of `known`,
    every combination, where each takes the time that is known of it. No run disturbs this, and none is made.
    """
    by_candidate = {entry.candidate: entry for entry in known}

    def recall(candidate: Candidate, limit: float | None) -> Took:
        entry = by_candidate.get(candidate)
        if entry is None or not entry.seconds:
            raise UserError(entry.verdict if entry else "not among all combinations")
        return Took(entry.best, entry.best)

    found = search(problem, kinds, recall, Clock(float("inf")))
    return found.best.best / ranked(known)[0].best - 1


def _require(default: Entry) -> None:
    if not default.seconds:
        raise UserError(f"The case does not run with its default settings: {default.verdict}", 1)
