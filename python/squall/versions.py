"""The versions of the package and of the model that it starts."""

import importlib.metadata
import re
import subprocess

from squall import locate
from squall.errors import UserError


def package() -> str:
    """The version of the installed package, or else of the checkout."""
    try:
        return importlib.metadata.version("squall")
    except importlib.metadata.PackageNotFoundError:
        found = re.search(r"VERSION ([\d.]+)", (locate.CHECKOUT / "CMakeLists.txt").read_text())
        assert found
        return found[1]


def line() -> str:
    """As "squall 0.1.0, squall-model 0.1.0 (PATH)"."""
    try:
        program = locate.model_binary()
    except UserError:
        return f"squall {package()}, no model found"
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return f"squall {package()}, {said or 'a model that does not start'} ({program})"
