"""Time steps for run files: round values that divide an hour, so that hourly output falls on steps."""

from fractions import Fraction

_HOUR = 3600
#: Round fractions of a second, per decade.
_PARTS = (Fraction(5), Fraction(5, 2), Fraction(2), Fraction(1))


def step_up_to(longest: float, run: int = _HOUR) -> Fraction:
    """The longest round time step [s] up to `longest` that divides an hour and the length of the run [s]:
    whole seconds, or below one second a half, a quarter, a fifth, a tenth and so on. Raises ValueError if
    `longest` is not above 0."""
    if not 0 < longest < float("inf"):
        raise ValueError(f"a time step of {longest:g} s is impossible")
    if longest >= 1:
        most = min(int(longest), _HOUR)
        return Fraction(next(n for n in range(most, 0, -1) if _HOUR % n == 0 and run % n == 0))
    unit = Fraction(1, 10)
    while unit * _PARTS[-1] > longest:
        unit /= 10
    return next(unit * part for part in _PARTS if unit * part <= longest)
