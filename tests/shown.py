"""What the page of `squall watch` shows in a browser: numbers under the pointer, and pixels."""

import io
import re
import time

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the page needs the extra watch")
from PIL import Image

from squall import diagnose
from squall.plot import choice
from squall.reader.dataset import open_run
from watched import SECONDS


def view(field, level=""):
    return f"v=0~history~1~{field}~{level.replace(' ', '%20')}~~"


def place(page, i, j, number=0):
    """Where the middle of a cell is on the screen, of a map that shows 20 km by a pixel of its middle."""
    box = page.locator(".map").nth(number).bounding_box()
    x, y = (i + 0.5) * 30 - 600, (j + 0.5) * 30 - 450
    return box["x"] + box["width"] / 2 + x / 2.5, box["y"] + box["height"] / 2 - y / 2.5


AT = "at=600,450,0.4"


def reading(page, i, j, number=0):
    """The number under the pointer at a cell."""
    page.mouse.move(*place(page, i, j, number))
    output = page.locator(".reading").nth(number)
    text = output.get_attribute("data-value")
    return float(re.match(r"[−\d.]+", text)[0].replace("−", "-")), text


def truth(run, time, field, level=None):
    frame = open_run(run).isel(Time=time)
    return choice.on_level(frame, diagnose.field(frame, field), level)[0].values


def at_rest(page):
    """The map, once it has not changed for some tenths of a second."""

    def unchanged():
        first = pixels(page)
        page.wait_for_timeout(400)
        return first if differing(first, pixels(page)) == 0 else None

    return wait_for(unchanged)


def wait_for(found):
    """What `found` gives, once that is something."""
    until = time.monotonic() + SECONDS
    while (there := found()) is None or there is False:
        assert time.monotonic() < until
    return there


def differing(one, other):
    return float(np.any(one != other, axis=2).mean())


def pixels(page):
    return np.array(Image.open(io.BytesIO(page.locator(".map").screenshot())).convert("RGB")).astype(int)
