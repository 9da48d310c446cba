"""The reference data that do not come with Squall: WRF's inputs and fields."""

import os
from pathlib import Path

from squall import locate
from squall.lab.verify.check import Skipped


def folder(name: str) -> Path:
    """A folder of the reference data: below $SQUALL_DATA, else ../shared/data beside the checkout.

    Raises Skipped where it is not there.
    """
    named = os.environ.get("SQUALL_DATA")
    root = Path(named) if named else locate.CHECKOUT.parent / "shared" / "data"
    found = root / name
    if not found.is_dir():
        raise Skipped(f"needs the reference data {found}; name their folder in the variable SQUALL_DATA")
    return found
