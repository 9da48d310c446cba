"""The system's Chromium, for tests of pages: without a screen, drawing by SwiftShader."""

import contextlib
import shutil

import pytest

from squall.locate import CHECKOUT

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_WEBGL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox")
_BY_WEBGL = ("--use-gl=angle",)  # the page is put together by it, too
_BY_CPU = ("--disable-gpu-compositing",)
WEB = CHECKOUT / "web"


@contextlib.contextmanager
def browser(by_cpu=False):
    """Skips the test where there is none. by_cpu: layers of a page are put together without WebGL, which is
    faster where that is software, too."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.skip("there is no Chromium here: tools/bootstrap browser, or install it")
    playwright = pytest.importorskip("playwright.sync_api", reason="the page is tested with playwright")
    with playwright.sync_playwright() as driver:
        arguments = [*_WEBGL, *(_BY_CPU if by_cpu else _BY_WEBGL)]
        started = driver.chromium.launch(executable_path=path, args=arguments)
        yield started
        started.close()
