"""`tools/faults`: the output runtime under fire.

Each trial is a run of the program `io_faults_writer` on a schedule drawn from the seed: an engine, a
placement, ranks, servers, and a fault that a shim before the system's and MPI's functions makes
happen, or a disk that is too small. Afterwards everything that the runtime promises is checked
(judge.py). A schedule is made again from its seed and number.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from fault_trials import judge, machine, schedule, show
from fault_trials.trial import Patience, Trial, carry_out
from squall.errors import UserError
from squall.results import write_json


@dataclass(frozen=True)
class Choice:
    """What schedules are drawn from; empty: everything."""

    engines: Sequence[str] = ()
    placements: Sequence[str] = ()
    faults: Sequence[str] = ()

    def words(self) -> str:
        named = (("engine", self.engines), ("placement", self.placements), ("fault", self.faults))
        return "".join(f" --{name} '{','.join(values)}'" for name, values in named if values)


def run(
    seed: int,
    numbers: range,
    choice: Choice,
    directory: Path,
    patience: Patience,
    jobs: int,
    json: Path | None,
) -> bool:
    """Carries the schedules out, `jobs` at a time; whether all promises were kept. Raises UserError."""
    console = Console()
    machine.programs()
    engines = _chosen("engine", choice.engines, machine.storing_engines())
    placements = _chosen("placement", choice.placements, schedule.PLACEMENTS)
    kinds = _chosen("fault", choice.faults, tuple(schedule.KINDS))
    schedules = [schedule.draw(seed, n, engines, placements, kinds) for n in numbers]
    judged: list[show.Judged] = []

    def one(drawn: schedule.Schedule) -> Trial:
        return carry_out(drawn, directory, patience.on_a_busy_machine())

    with ThreadPoolExecutor(jobs) as pool, console.status("") as status:
        trials = [pool.submit(one, s) for s in schedules]
        try:
            for done in as_completed(trials):
                trial = done.result()
                violations = judge.judge(trial)
                judged.append((trial, violations))
                status.update(f"{len(judged)} of {len(trials)}")
                if violations:
                    again = f"tools/faults --seed {seed} --from {trial.schedule.number} --runs 1"
                    show.violation(console, trial, violations, again + choice.words())
        except KeyboardInterrupt:  # what is done counts
            pool.shutdown(wait=False, cancel_futures=True)
    judged.sort(key=lambda j: j[0].schedule.number)
    show.table(console, judged)
    if json:
        write_json(json, {"seed": seed, "trials": show.to_json(judged)})
    broken = sum(bool(violations) for _, violations in judged)
    console.print(
        f"[bold red]{broken} of {len(judged)} trials broke a promise.[/]"
        if broken
        else f"[green]All promises were kept in {len(judged)} trials.[/]",
        highlight=False,
    )
    return not broken


def _chosen(what: str, asked: Sequence[str], known: Sequence[str]) -> Sequence[str]:
    for name in asked:
        if name not in known:
            raise UserError(f"There is no {what} {name}; there are {', '.join(known)}.")
    return asked or known
