"""The system's Chromium, for tests of pages: without a screen, drawing by SwiftShader."""

import contextlib
import shutil

import pytest

from squall.locate import CHECKOUT

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox")
WEB = CHECKOUT / "web"


@contextlib.contextmanager
def browser():
    """Skips the test where there is none."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.skip("there is no Chromium here: tools/bootstrap browser, or install it")
    playwright = pytest.importorskip("playwright.sync_api", reason="the page is tested with playwright")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        yield started
        started.close()
