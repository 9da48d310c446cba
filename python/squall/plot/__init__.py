"""`squall plot`: pictures of a run."""

from squall.plot.choice import Choice
from squall.plot.draw import animate, draw

__all__ = ["Choice", "animate", "draw"]
