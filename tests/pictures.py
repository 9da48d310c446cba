"""What tests look for in pictures that commands draw."""

import numpy as np
from PIL import Image


def coloured(image):
    """The share of a picture that is neither white, black nor grey, as frames, titles and ticks of charts
    are: of a chart without its data next to nothing."""
    dots = np.asarray(image.convert("RGB")).astype(int)
    return float((dots.max(axis=2) - dots.min(axis=2) > 24).mean())


def assert_drawn(path, colours=0.005):
    """That a file is a whole PNG of some size, and that colours cover at least this share of it."""
    with Image.open(path) as image:
        assert image.format == "PNG"
        assert min(image.size) >= 150, image.size
        found = coloured(image)
    assert found >= colours, f"{path}: {found:.4f} of it is in colour"
