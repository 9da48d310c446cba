"""Squall's command and readers. The model itself is the program `squall-model`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from squall.reader.dataset import open_run
    from squall.reader.following import NoFrame, RunDied, follow

__all__ = ["NoFrame", "RunDied", "follow", "open_run"]


def __getattr__(name: str) -> Any:
    """Loads readers on first use, so that the command `squall` starts quickly."""
    if name == "open_run":
        from squall.reader.dataset import open_run

        return open_run
    if name in __all__:
        from squall.reader import following

        return getattr(following, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
