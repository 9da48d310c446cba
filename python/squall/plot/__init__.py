"""Pictures of runs: those of the command `squall plot`, and as Matplotlib figures.

    >>> from squall.plot import figure
    >>> figure("runs/january-storm", "wind_speed", level="300 hPa", contours="height")

Neither importing this module nor drawing changes Matplotlib's settings. Matplotlib is imported when a name is
first used, so that commands that only read a picture's levels and times start without it.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from squall.plot.choice import Choice
    from squall.plot.draw import figure
    from squall.plot.picture_file import PictureFile, save

__all__ = ["Choice", "PictureFile", "figure", "save"]

_HOME = {"Choice": "choice", "PictureFile": "picture_file", "figure": "draw", "save": "picture_file"}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
