"""`squall lab verify`: every comparison of the model with WRF, published cases and invariants.

A case is a module with NAME and verify(workspace), which runs the model, draws one picture and
returns its checks; adding one is the module and its line in CASES. The regression tests run the
same functions.
"""

import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from squall.errors import UserError
from squall.lab.report import show_table, write_json
from squall.lab.verify import (
    baroclinic_wave,
    bit_for_bit,
    conservation,
    density_current,
    inertia_gravity_wave,
    mountain_hydrostatic,
    mountain_schaer,
    rest,
)
from squall.lab.verify.check import COLUMNS, Check, Skipped
from squall.lab.workspace import Workspace

CASES: dict[str, Callable[[Workspace], list[Check]]] = {
    baroclinic_wave.NAME: baroclinic_wave.verify,
    density_current.NAME: density_current.verify,
    inertia_gravity_wave.NAME: inertia_gravity_wave.verify,
    mountain_hydrostatic.NAME: mountain_hydrostatic.verify,
    mountain_schaer.NAME: mountain_schaer.verify,
    rest.NAME: rest.verify,
    conservation.NAME: conservation.verify,
    bit_for_bit.NAME: bit_for_bit.verify,
}


def run(cases: list[str], workspace: Workspace, json: Path | None) -> bool:
    """Verifies some cases (none: all), prints the table, writes `json`; whether every check passed."""
    unknown = [case for case in cases if case not in CASES]
    if unknown:
        raise UserError(f"There is no verification case {unknown[0]}. There are: {', '.join(CASES)}.")
    console = Console()
    checks, skipped = _run_all(cases or list(CASES), workspace, console)
    show_table(console, "Verification", COLUMNS, [check.row() for check in checks])
    for case, source in dict.fromkeys((check.case, check.source) for check in checks):
        console.print(f"{case}: {source}.", highlight=False)
    for case, reason in skipped.items():
        console.print(f"[yellow]Skipped[/] {case}: {reason}")
    passed = sum(check.passed for check in checks)
    console.print(f"{passed} of {len(checks)} checks pass. Pictures: {workspace.directory}")
    if json:
        write_json(json, {"checks": [check.to_json() for check in checks], "skipped": skipped})
    return passed == len(checks)


def _run_all(cases: list[str], workspace: Workspace, console: Console) -> tuple[list[Check], dict[str, str]]:
    checks: list[Check] = []
    skipped: dict[str, str] = {}
    for case in cases:
        began = time.monotonic()
        try:
            with console.status(f"{case} ..."):
                found = CASES[case](workspace)
        except Skipped as reason:
            skipped[case] = str(reason)
            continue
        checks += found
        failed = sum(not check.passed for check in found)
        verdict = f"[bold red]{failed} of {len(found)} fail[/]" if failed else f"{len(found)} pass"
        console.print(f"{case}: {verdict} ({time.monotonic() - began:.0f} s)")
    return checks, skipped
