"""What repeats found, once it has been met again."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from squall.errors import UserError

T = TypeVar("T")

_SPREAD = 0.1  # of repeats
_TRIES = 5


def steady(what: str, measure: Callable[[], tuple[T, Sequence[float]]]) -> T:
    """What `measure` found beside the seconds of its repeats, of which a third, and two at least, must lie
    within a tenth of the fastest. Tries again; raises UserError where they never do."""
    for _ in range(_TRIES):
        best, repeats = measure()
        spread = _spread(repeats)
        if spread <= _SPREAD:
            return best
    raise UserError(
        f"{what}: repeats differ by {100 * spread:.0f} % in each of {_TRIES} attempts; a calibration "
        f"needs at most {100 * _SPREAD:.0f} %. The machine is busy with other work: wait until it is "
        f"idle, or give more --repeats."
    )


def _spread(seconds: Sequence[float]) -> float:
    """How far the fastest third lies apart, two of them at least: what only one run had is no measurement."""
    third = max(1, len(seconds) // 3)
    return sorted(seconds)[min(third, len(seconds) - 1)] / min(seconds) - 1
