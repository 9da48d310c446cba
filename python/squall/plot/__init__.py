"""`squall plot`: pictures of a run."""

from squall.plot.choice import Choice
from squall.plot.draw import draw

__all__ = ["Choice", "draw"]
