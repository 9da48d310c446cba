"""`squall wrf time`: what WRF's output costs with its own layers and through Squall.

All variants run on the same machine in turn, round after round, so that what else happens there meets them
alike. Times of writes are those that WRF itself tells.
"""

import signal
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from squall import machine
from squall.errors import UserError
from squall.printable import printable
from squall.results import write_json
from squall.runs import signals
from squall.wrf_output.timing import measure, programs, show, variants
from squall.wrf_output.timing.measure import Setup


def setup(
    folder: Path,
    tree: Path,
    ranks: int | None,
    repeat: int,
    scratch: Path | None,
    *,
    forms: Sequence[int],
    engines: Sequence[str],
) -> Setup:
    """Raises UserError for what cannot be timed."""
    if not folder.is_dir():
        raise UserError(f"There is no directory {folder}.")
    variants.Namelists.of(folder)
    found = programs.find(tree)
    where = scratch or Path()
    where.mkdir(parents=True, exist_ok=True)
    return Setup(
        folder,
        found,
        variants.chosen(found, forms, engines),
        ranks or machine.cores(),
        repeat,
        where.absolute(),
    )


def run(setup: Setup, json: Path | None, markdown: bool) -> bool:
    """Measures, prints and writes; where a signal ends it, what was measured until then. Returns whether all
    came to their end."""
    errors = Console(stderr=True)
    warnings = dict.fromkeys(w for v in setup.variants for w in measure.start(setup, v).warnings)
    for warning in warnings:
        errors.print(f"Warning: {printable(warning)}", highlight=False, markup=False, soft_wrap=True)
    with signals.handled(_end), errors.status("begins ...") as status:
        result = measure.measure(setup, lambda doing: status.update(f"{doing} ..."))
    if markdown:
        print("\n".join(show.markdown(result)))
    else:
        show.table(Console(), result)
    for line in (failed := show.failures(result)):
        print(line)
    if json:
        write_json(json, show.to_json(result))
    if result.stopped:
        raise result.stopped
    return not failed


def _end(number: signal.Signals) -> None:
    """Ends this process such that the run of the moment ends, too, and its folder goes."""
    if number in signals.ENDING:
        raise SystemExit(128 + number)
