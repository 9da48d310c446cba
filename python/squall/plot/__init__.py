"""Pictures of runs, as the command `squall plot` draws them and as figures of Matplotlib.

    >>> from squall.plot import figure
    >>> figure("runs/january-storm", "wind_speed", level="300 hPa", contours="height")

Importing it changes nothing of Matplotlib's, nor does drawing.
"""

from squall.plot.choice import Choice
from squall.plot.draw import figure
from squall.plot.picture_file import PictureFile, save

__all__ = ["Choice", "PictureFile", "figure", "save"]
