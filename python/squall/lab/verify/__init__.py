"""`squall lab verify`: every comparison of the model with WRF, published cases and invariants.

A case is a module with NAME and verify(workspace), which runs the model, draws one picture and
returns its checks; adding one is the module and its line in CASES. The regression tests run the
same functions.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from squall.errors import UserError
from squall.lab.verify import (
    baroclinic_wave,
    bit_for_bit,
    broadband,
    classic_radiation,
    columns,
    conservation,
    density_current,
    dycoms,
    full_physics,
    gabls1,
    gabls2,
    globe_cases,
    imported,
    inertia_gravity_wave,
    interop,
    interop_maps,
    moist_bubble,
    mountain_hydrostatic,
    mountain_schaer,
    namelists,
    nest_rims,
    nested,
    nested_storm,
    prepared,
    radiation,
    rce,
    real_weather,
    rest,
    squall_line,
    supercell,
    wangara,
    wangara_night,
    water,
)
from squall.lab.verify.built_wrf import BuiltWrf
from squall.lab.verify.check import COLUMNS, Check, Skipped
from squall.lab.workspace import Workspace
from squall.results import show_table, write_json

# The longest first, so that none is left to run alone at the end.
CASES: dict[str, Callable[[Workspace], list[Check]]] = {
    density_current.NAME: density_current.verify,
    baroclinic_wave.NAME: baroclinic_wave.verify,
    water.NAME: water.verify,
    squall_line.NAME: squall_line.verify,
    nested_storm.NAME: nested_storm.verify,
    nest_rims.NAME: nest_rims.verify,
    nested.SUPERCELL.name: nested.SUPERCELL.verify,
    nested.WAVE.name: nested.WAVE.verify,
    supercell.WARM_RAIN.name: supercell.WARM_RAIN.verify,
    supercell.WSM3.name: supercell.WSM3.verify,
    supercell.WSM5.name: supercell.WSM5.verify,
    supercell.LIN.name: supercell.LIN.verify,
    supercell.MORRISON.name: supercell.MORRISON.verify,
    supercell.WSM6.name: supercell.WSM6.verify,
    supercell.THOMPSON.name: supercell.THOMPSON.verify,
    real_weather.WINTER.name: real_weather.WINTER.verify,
    real_weather.SUMMER.name: real_weather.SUMMER.verify,
    nested.WINTER.name: nested.WINTER.verify,
    interop_maps.NAME: interop_maps.verify,
    interop.NAME: interop.verify,
    mountain_schaer.NAME: mountain_schaer.verify,
    mountain_hydrostatic.NAME: mountain_hydrostatic.verify,
    prepared.WINTER.name: prepared.WINTER.verify,
    full_physics.WINTER.name: full_physics.WINTER.verify,
    full_physics.SUMMER.name: full_physics.SUMMER.verify,
    imported.MODERN.name: imported.MODERN.verify,
    imported.CONUS.name: imported.CONUS.verify,
    imported.TROPICS.name: imported.TROPICS.verify,
    prepared.SUMMER.name: prepared.SUMMER.verify,
    moist_bubble.NAME: moist_bubble.verify,
    inertia_gravity_wave.NAME: inertia_gravity_wave.verify,
    radiation.NAME: radiation.verify,
    broadband.NAME: broadband.verify,
    columns.NAME: columns.verify,
    classic_radiation.NAME: classic_radiation.verify,
    rest.NAME: rest.verify,
    namelists.NAME: namelists.verify,
    gabls1.NAME: gabls1.verify,
    gabls2.NAME: gabls2.verify,
    rce.NAME: rce.verify,
    wangara.NAME: wangara.verify,
    wangara_night.NAME: wangara_night.verify,
    dycoms.NAME: dycoms.verify,
    conservation.NAME: conservation.verify,
    bit_for_bit.NAME: bit_for_bit.verify,
    **{case.name: case.verify for case in globe_cases.CASES},
}


@dataclass(frozen=True)
class Outcome:
    """What became of a case: its checks, or why it was skipped, or why it failed to run."""

    case: str
    seconds: float
    checks: list[Check] = field(default_factory=list)
    skipped: str = ""
    error: str = ""

    @property
    def passed(self) -> bool:
        return not self.error and all(check.passed for check in self.checks)

    def summary(self) -> str:
        if self.skipped:
            return "[yellow]skipped[/]"
        failed = sum(not check.passed for check in self.checks)
        if self.error or failed:
            return f"[bold red]{'failed to run' if self.error else f'{failed} of {len(self.checks)} fail'}[/]"
        return f"{len(self.checks)} pass"


def run(cases: list[str], workspace: Workspace, jobs: int, json: Path | None) -> bool:
    """Verifies some cases (none: all), `jobs` at a time; prints the table and writes `json`.

    Whether every check passed. Raises UserError for a case that there is not, and for a WRF that is none.
    """
    unknown = [case for case in cases if case not in CASES]
    if unknown:
        raise UserError(f"There is no verification case {unknown[0]}. There are: {', '.join(CASES)}.")
    console = Console()
    if workspace.wrf:
        BuiltWrf(workspace.wrf)  # refused at once where it is none
    if interop.NAME in cases:  # the whole way is its second half
        cases = [*cases, interop_maps.NAME]
    chosen = [case for case in CASES if not cases or case in cases]
    outcomes: dict[str, Outcome] = {}
    with console.status(f"{len(chosen)} cases ..."):
        for outcome in verify_cases(chosen, workspace, jobs):
            console.print(f"{outcome.case}: {outcome.summary()} ({outcome.seconds:.0f} s)", highlight=False)
            outcomes[outcome.case] = outcome
    ordered = [outcomes[case] for case in chosen]
    _show(console, ordered, workspace.directory)
    if json:
        write_json(json, _to_json(ordered))
    return all(outcome.passed for outcome in ordered)


def verify_cases(cases: list[str], workspace: Workspace, jobs: int) -> Iterator[Outcome]:
    """Verifies the cases, `jobs` at a time in processes of their own; yields what is ready first."""
    if jobs == 1 or len(cases) == 1:
        yield from (_verify_case(case, workspace) for case in cases)
        return
    # A fresh interpreter for each: a forked one would share the state of the netCDF library.
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for future in as_completed([pool.submit(_verify_case, case, workspace) for case in cases]):
            yield future.result()


def _verify_case(case: str, workspace: Workspace) -> Outcome:
    began = time.monotonic()
    try:
        checks = CASES[case](workspace)
    except Skipped as reason:
        return Outcome(case, time.monotonic() - began, skipped=str(reason))
    except UserError as error:
        return Outcome(case, time.monotonic() - began, error=str(error))
    return Outcome(case, time.monotonic() - began, checks)


def _show(console: Console, outcomes: list[Outcome], directory: Path) -> None:
    checks = [check for outcome in outcomes for check in outcome.checks]
    show_table(console, "Verification", COLUMNS, [check.row() for check in checks])
    for case, source in dict.fromkeys((check.case, check.source) for check in checks):
        console.print(f"{case}: {source}.", highlight=False)
    for outcome in outcomes:
        if outcome.skipped:
            console.print(f"[yellow]Skipped[/] {outcome.case}: {escape(outcome.skipped)}", highlight=False)
        if outcome.error:
            console.print(f"[bold red]Failed[/] {outcome.case}: {escape(outcome.error)}", highlight=False)
    passed = sum(check.passed for check in checks)
    console.print(f"{passed} of {len(checks)} checks pass. Pictures: {directory}", highlight=False)


def _to_json(outcomes: list[Outcome]) -> dict[str, Any]:
    return {
        "checks": [check.to_json() for outcome in outcomes for check in outcome.checks],
        "skipped": {outcome.case: outcome.skipped for outcome in outcomes if outcome.skipped},
        "errors": {outcome.case: outcome.error for outcome in outcomes if outcome.error},
    }
