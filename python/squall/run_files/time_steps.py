"""Time steps for run files: round ones, of which outputs every hour are whole numbers."""

from fractions import Fraction

_HOUR = 3600
#: Parts of a second, in tenths, hundredths and so on of it.
_PARTS = (Fraction(5), Fraction(5, 2), Fraction(2), Fraction(1))


def step_up_to(longest: float, run: int = _HOUR) -> Fraction:
    """The longest round step [s] up to `longest`, of which an hour, and a run of so many seconds, are whole
    numbers: whole seconds, or below one half, a quarter, a fifth, a tenth and so on. Raises ValueError where
    `longest` is not above 0."""
    if not 0 < longest < float("inf"):
        raise ValueError(f"no time step is {longest:g} s")
    if longest >= 1:
        most = min(int(longest), _HOUR)
        return Fraction(next(n for n in range(most, 0, -1) if _HOUR % n == 0 and run % n == 0))
    unit = Fraction(1, 10)
    while unit * _PARTS[-1] > longest:
        unit /= 10
    return next(unit * part for part in _PARTS if unit * part <= longest)
