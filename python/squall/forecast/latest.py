"""Which start of a source's forecasts is there already."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from squall.errors import UserError
from squall.fetch import plan
from squall.prepare.wants import Wants

#: Of each source: hours between starts, hours after a start at which its data may be there, and how many
#: starts back to look.
_STARTS = {"gfs": (6, 3.5, 4), "hrrr": (1, 1.0, 6), "ecmwf": (12, 8.0, 2), "era5": (24, 24 * 6.0, 1)}
_LONG_HRRR = 18  # hours up to which each of its forecasts goes; those of 00, 06, 12 and 18 UTC go on
_TIMEOUT = 60  # s


def starts(source: str, now: datetime, length: timedelta) -> Iterator[datetime]:
    """Starts of a source's forecasts of a length that may be there at a time in UTC, the latest first."""
    every, delay, count = _STARTS[source]
    if source == "hrrr" and length > timedelta(hours=_LONG_HRRR):
        every, delay, count = 6, 2.0, 4
    latest = now - timedelta(hours=delay)
    hour = latest.hour // every * every if every < 24 else 0
    for n in range(count):
        yield latest.replace(hour=hour, minute=0, second=0, microsecond=0) - n * timedelta(hours=every)


def find(source: str, wants: Wants, every: timedelta, now: datetime) -> datetime:
    """The latest start whose last file is there; of the times that are wanted only their length counts.
    Raises UserError where there is none, or the source cannot be reached."""
    length = wants.end - wants.start
    tried = []
    for start in starts(source, now, length):
        requests = plan(source, replace(wants, start=start, end=start + length), every)
        if requests[-1].client != "https" or _exists(requests[-1].what + ".idx"):
            return start
        tried.append(f"{start:%Y-%m-%d %H:%M}")
    raise UserError(
        f"{source} has no whole forecast yet of the starts {', '.join(tried)} UTC ({requests[-1].what} is "
        f"missing). Choose another start with --start, or another --source.",
        1,
    )


def _exists(address: str) -> bool:
    try:
        urllib.request.urlopen(urllib.request.Request(address, method="HEAD"), timeout=_TIMEOUT).close()
    except urllib.error.HTTPError as error:
        if error.code in (403, 404):  # buckets that do not list themselves answer 403
            return False
        raise UserError(f"{address} answered {error.code} {error.reason}.", 1) from None
    except OSError as error:
        raise UserError(f"{address} cannot be reached: {getattr(error, 'reason', error)}.", 1) from None
    return True
