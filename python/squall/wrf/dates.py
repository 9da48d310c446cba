"""Dates of a namelist, which tells them by six numbers."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from squall.errors import UserError


def moment(which: str, numbers: Sequence[int]) -> datetime:
    """Year, month, day, hour, minute, second. As in WRF, the last three may be more than fill a day, an hour
    or a minute. `which`: "start" or "end", for the message. Raises UserError."""
    year, month, day, hour, minute, second = numbers
    try:
        return datetime(year, month, day) + timedelta(hours=hour, minutes=minute, seconds=second)
    except (ValueError, OverflowError) as error:
        raise UserError(f"{which}_year, {which}_month, ... = {list(numbers)} is no date: {error}.") from error
