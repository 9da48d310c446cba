"""Squall's command and readers. The model itself is the program `squall-model`.

    >>> import squall
    >>> history = squall.open_run("runs/january-storm")
    >>> squall.diagnose.field(history, "wind_speed", "300 hPa")
    >>> squall.plot.figure(history, "wind_speed", level="300 hPa")
    >>> history.squall.sounding(latitude=62.0, longitude=-6.8)

Importing it takes milliseconds: its parts are loaded when they are first used, `dataset.squall` with xarray.
"""

import importlib
from typing import TYPE_CHECKING, Any

from squall import when_imported

if TYPE_CHECKING:
    from squall import diagnose, io, plot, quantity
    from squall.errors import UserError
    from squall.reader.dataset import as_history, open_run
    from squall.reader.following import NoFrame, RunDied, follow

    __version__: str

__all__ = [
    "NoFrame", "RunDied", "UserError", "__version__", "as_history", "diagnose", "follow", "io", "open_run",
    "plot", "quantity",
]  # fmt: skip

# Where the names come from; what is a module of that name is not listed.
_HOME = {
    "NoFrame": "reader.following",
    "RunDied": "reader.following",
    "UserError": "errors",
    "as_history": "reader.dataset",
    "follow": "reader.following",
    "open_run": "reader.dataset",
}


def __getattr__(name: str) -> Any:
    """Loads parts on first use, so that the command `squall` starts quickly."""
    if name == "__version__":
        from squall import versions

        return versions.package()
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"squall.{_HOME.get(name, name)}")
    return getattr(module, name) if name in _HOME else module


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


when_imported.also("xarray", "squall.accessor")
