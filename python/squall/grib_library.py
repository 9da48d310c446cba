"""ecCodes, the library that reads GRIB files, behind the Python package eccodes."""

import importlib
import os
import sys
from pathlib import Path
from typing import Any

from squall.errors import UserError

ADVICE = (
    "Install the library, sudo apt-get install libeccodes0, or use Python 3.11 or 3.12, for which the "
    "package eccodes brings it."
)


def load() -> Any:
    """The module eccodes, with the library in Squall's wheel where the package brings none (for Python 3.13
    and later). Raises UserError where there is no library, ModuleNotFoundError without the package."""
    brought = Path(sys.prefix) / "lib" / "squall" / "eccodes"
    if brought.is_dir():
        os.environ.setdefault(
            "ECCODES_DIR", str(brought)
        )  # where the package looks before it asks the system
    try:
        return importlib.import_module("eccodes")
    except (RuntimeError, OSError):  # it finds none, or one that cannot be loaded
        raise UserError(
            "GRIB files cannot be read: the Python package eccodes is installed without the library ecCodes. "
            + ADVICE
        ) from None


def version() -> str:
    """Of the library. Raises as load does."""
    return str(load().codes_get_api_version())
