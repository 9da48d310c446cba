"""Recipes, module file, forms and citation, read by the tools that they are for."""

import subprocess

import pytest

from squall.locate import CHECKOUT

pytestmark = [pytest.mark.regression, pytest.mark.seconds(60)]  # more where it has to install them


@pytest.mark.long
def test_what_packages_squall_is_read_by_the_tools_it_is_for():
    """EasyBuild was asked for versions that there are not."""
    said = subprocess.run([CHECKOUT / "tools" / "check-recipes"], capture_output=True, text=True, check=False)
    if said.returncode == 3:
        pytest.skip("EasyBuild and rattler-build could not be installed")
    assert said.returncode == 0, said.stdout + said.stderr
    assert "ok    conda's recipe" in said.stdout
    assert "wrong" not in said.stdout
