"""Dates of a namelist, given as six numbers, and of WRF files."""

from calendar import month_name, monthrange
from collections.abc import Sequence
from datetime import datetime, timedelta

from squall.errors import UserError
from squall.wrf.namelist import Namelist, Value

UNITS = ("year", "month", "day", "hour", "minute", "second")


def moment(which: str, numbers: Sequence[int]) -> datetime:
    """Year, month, day, hour, minute, second. As in WRF, the last three may be more than fill a day, an hour
    or a minute. `which`: "start" or "end", for the message. Raises UserError."""
    year, month, day, hour, minute, second = numbers
    try:
        return datetime(year, month, day) + timedelta(hours=hour, minutes=minute, seconds=second)
    except (ValueError, OverflowError) as error:
        raise UserError(
            f"{which}_year, {which}_month, ... = {list(numbers)} is not a date: "
            f"{_last_day(year, month, day) or error}."
        ) from error


def _last_day(year: int, month: int, day: int) -> str:
    """A hint where only the day is too large."""
    if not (1 <= month <= 12 and 1 <= year <= 9999 and day > 28):
        return ""
    last = monthrange(year, month)[1]
    return f"{month_name[month]} {year} has {last} days; did you mean {year}-{month:02d}-{last}?"


def written(text: object) -> datetime | None:
    """A date as WRF's files have it, 2008-02-05_12:00:00; None: it is none."""
    try:
        return datetime.fromisoformat(str(text).strip().replace("_", "T"))
    except ValueError:
        return None


def parts_of(namelist: Namelist, which: str, domain: int) -> list[Value | None]:
    """The six columns of a date of a domain, as they are."""
    return [namelist.column(f"time_control.{which}_{unit}", domain) for unit in UNITS]


def time_of(namelist: Namelist, which: str, domain: int) -> datetime | None:
    """time_control.start_year and so on, or start_date, of a domain; None: not told. Raises UserError."""
    whole = namelist.column(f"time_control.{which}_date", domain)
    if whole is not None:
        if (date := written(whole)) is None:
            key = namelist.where(f"time_control.{which}_date")
            raise UserError(f"{key} = '{whole}' is not a date such as 2008-02-05_12:00:00.")
        return date
    parts = parts_of(namelist, which, domain)
    if any(part is None for part in parts[:3]):
        return None
    return moment(which, [int(part or 0) for part in parts])


def end_of_run(namelist: Namelist) -> datetime | None:
    """The start and run_days and so on where any of these is above 0, else the end; None: not told."""

    def of(unit: str) -> float:
        return float(namelist.column(f"time_control.run_{unit}") or 0)

    lengths = {unit: of(unit) for unit in ("days", "hours", "minutes", "seconds")}
    if not any(length > 0 for length in lengths.values()):
        return time_of(namelist, "end", 1)
    start = time_of(namelist, "start", 1)
    try:
        return start and start + timedelta(**lengths)
    except OverflowError:
        raise UserError(f"run_days, run_hours, ... from {start} extend beyond the year 9999.") from None
