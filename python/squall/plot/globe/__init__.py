"""Pictures of runs on the globe: maps, sections by pressure, and Hovmoeller diagrams."""

from squall.plot.globe.picture import animated, default_name, picture

__all__ = ["animated", "default_name", "picture"]
