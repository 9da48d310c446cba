"""Runs `squall lab tune`, from the case to the stored result."""

import datetime
import statistics
import time as clocks
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from squall import quantity
from squall.errors import UserError
from squall.lab.tune import choices, problem, search, show, trial
from squall.lab.tune.problem import DEFAULT, Candidate, Problem
from squall.lab.tune.race import Clock, Entry, Measure
from squall.results import write_json
from squall.runs import tuned

_TRIALS = 80  # that the time should be enough for
_SHORTEST, _LONGEST = 0.3, 20.0  # s that a trial steps


@dataclass(frozen=True)
class Limits:
    """What is searched: kinds of choices and engines (none: all), and how often all combinations are run."""

    only: list[str]
    engines: list[str]
    exhaustive: int = 0


@dataclass(frozen=True)
class Regret:
    """What was lost against trying every combination (entries, the fastest first): as both were run in turn,
    and of the search alone, had every run taken the least time that was seen of it."""

    entries: list[Entry]
    measured: float
    of_search: float

    @property
    def noise(self) -> float:
        """How far runs of one way lie apart: of all ways the median."""
        spreads = [max(e.seconds) / min(e.seconds) - 1 for e in self.entries if len(e.seconds) > 1]
        return statistics.median(spreads) if spreads else float("nan")

    def content(self) -> dict[str, Any]:
        return {
            "exhaustive": show.as_json(self.entries),
            "regret": {"measured": self.measured, "search": self.of_search, "noise": self.noise},
        }


def tune(
    case: str, settings: list[str], time: str, limits: Limits, output: Path, json: Path | None
) -> tuned.Result:
    """Searches, shows, keeps. Raises UserError."""
    console = Console()
    seconds = _seconds(time)
    what = _only_engines(problem.read(case, settings), limits.engines)
    kinds = choices.chosen(limits.only, what)
    measure, size = _trials(what, settings, seconds, output, console)
    clock = Clock(clocks.monotonic() + seconds)
    with console.status("") as status:
        found = search.search(what, kinds, measure, clock, lambda text: status.update(escape(text)))
    show.table(console, f"{case}: a step of {size.steps}", found.entries, found.entries[0].best)
    show.verdict(console, found)
    picture = output / f"{what.run_file.stem}.png"
    show.draw(picture, found)
    console.print(f"Picture: {picture}", highlight=False)
    result = _result(what, kinds, found)
    console.print(f"Kept: {tuned.keep(result)}\nNext: squall run {case} --tuned", highlight=False)
    regret = (
        _exhaustive(what, kinds, measure, limits.exhaustive, found, console) if limits.exhaustive else None
    )
    if json:
        content = {
            "case": case,
            "machine": result.machine,
            "build": result.build,
            "steps": size.steps,
            "tried": show.as_json(found.entries),
            "best": show.as_json([found.best])[0],
            "default": show.as_json([found.default])[0],
        }
        write_json(json, content | (regret.content() if regret else {}))
    return result


def _seconds(text: str) -> float:
    try:
        found = quantity.parse(text, "time").value
    except ValueError as error:
        raise UserError(f"--time: {error}.") from None
    if found <= 0:
        raise UserError(f"--time {text}: it must be above 0 s.")
    return found


def _only_engines(what: Problem, engines: list[str]) -> Problem:
    for name in engines:
        if name not in what.engines:
            raise UserError(f"This build has no engine {name}; it has {', '.join(what.engines)}.")
    return replace(what, engines={n: c for n, c in what.engines.items() if not engines or n in engines})


def _trials(
    what: Problem, settings: list[str], seconds: float, output: Path, console: Console
) -> tuple[Measure, trial.Length]:
    """What runs a trial, and how long trials are: found by a few steps of the default."""
    over = Candidate(settings=tuple(tuple(word.split("=", 1)) for word in settings))  # type: ignore[misc]

    def run(candidate: Candidate, size: trial.Length, limit: float | None) -> trial.Took:
        whole = candidate.setting(dict(over.settings) | dict(candidate.settings))
        return trial.run(what, whole, size, output, limit)

    with console.status("timing a few steps with the default settings ..."):
        few = trial.Length(min(what.steps, 8), 0)
        probe = run(DEFAULT, few, None)
    startup = max(0.0, probe.wall - few.steps * probe.step)
    stepping = min(_LONGEST, max(_SHORTEST, seconds / _TRIALS - startup))
    size = trial.length(what, probe.step, stepping)
    return (lambda candidate, limit: run(candidate, size, limit)), size


def _result(what: Problem, kinds: list[choices.Kind], found: search.Found) -> tuned.Result:
    decides = sorted({key for kind in kinds for key in kind.decides(what)})
    best = found.best
    return tuned.Result(
        what.run_file.stem,
        tuned.case_class(what.document, decides),
        tuned.this_machine(),
        tuned.this_build(),
        best.candidate.ranks,
        best.candidate.threads,
        dict(best.candidate.settings),
        decides,
        best.best,
        found.default.best,
        datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    )


def _exhaustive(
    what: Problem,
    kinds: list[choices.Kind],
    measure: Measure,
    runs: int,
    found: search.Found,
    console: Console,
) -> Regret:
    """Runs all combinations, and the best of them against what the search found, in turn."""
    with console.status("") as status:

        def tell(text: str) -> None:
            status.update(escape(text))

        entries = search.exhaustive(what, kinds, measure, runs, tell)
        clock = Clock(float("inf"))
        rival, searched = search.duel(entries[0].candidate, measure, clock, tell, found.best.candidate)
    show.table(console, f"All {len(entries)} combinations that run", entries, found.default.best)
    regret = Regret(entries, searched.best / rival.best - 1, search.replayed(what, kinds, entries))
    console.print(
        f"Best of all: {rival.candidate}: {1e3 * rival.best:.2f} ms; the search's: "
        f"{1e3 * searched.best:.2f} ms, {100 * regret.measured:+.1f} % in turn. Searched again among these "
        f"times, without a run: {100 * regret.of_search:+.1f} %. Runs of one way lie "
        f"{100 * regret.noise:.0f} % apart.",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    return regret
