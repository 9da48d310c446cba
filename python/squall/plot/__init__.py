"""Pictures of runs: those of the command `squall plot`, and as Matplotlib figures.

    >>> from squall.plot import figure
    >>> figure("runs/january-storm", "wind_speed", level="300 hPa", contours="height")

Neither importing this module nor drawing changes Matplotlib's settings.
"""

from squall.plot.choice import Choice
from squall.plot.draw import figure
from squall.plot.picture_file import PictureFile, save

__all__ = ["Choice", "PictureFile", "figure", "save"]
