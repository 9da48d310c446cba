"""Tables of radiation that were installed with the model, which it reads where the user has fetched none."""

import os
import shutil
import subprocess

import pytest

from squall import locate
from squall.fetch import tables

pytestmark = pytest.mark.regression

COARSE = ("rrtmgp-gas-lw-g128.nc", "rrtmgp-gas-sw-g112.nc", "cloudysky_lw.nc", "cloudysky_sw.nc")
SHORT = {"run.duration": '"300 s"', "domain.nx": "12", "domain.ny": "12"}


def test_they_are_read_where_none_were_fetched_and_others_are_asked_for(tmp_path):
    if tables.missing(tables.cache()):
        pytest.skip("the tables of radiation are not here: squall fetch radiation")
    program = tmp_path / "bin" / "squall-model"
    program.parent.mkdir()
    shutil.copy(locate.model_binary(), program)
    installed = tmp_path / "share" / "squall" / "radiation"
    settings = SHORT | {"run.directory": f'"{tmp_path / "run"}"'}

    def run(radiation):
        chosen = settings | {"physics.radiation": f'"{radiation}"'}
        words = [word for key, value in chosen.items() for word in ("--set", f"{key}={value}")]
        command = [program, locate.CHECKOUT / "run-files" / "rce.toml", "--overwrite", *words]
        environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "empty")}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert f"{COARSE[0]} does not exist" in run("rrtmgp").stderr
    installed.mkdir(parents=True)
    for name in COARSE:
        (installed / name).symlink_to(tables.cache() / name)
    done = run("rrtmgp")
    assert done.returncode == 0, done.stderr
    assert "rrtmgp-gas-lw-g256.nc does not exist" in run("rrtmgp-fine").stderr
