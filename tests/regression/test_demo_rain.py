"""The rain of `make demo`, where its data were fetched before."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from squall import locate
from squall.errors import UserError
from squall.reader.dataset import open_run
from test_demo import FILES

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "squall"


@pytest.fixture
def folder(tmp_path):
    """With the run file and what it is prepared from."""
    try:
        locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    if not (CACHE / "radiation").is_dir():
        pytest.skip("needs the tables of the radiation: squall fetch radiation")
    for name, file in FILES.items():
        found = [path for path in (Path("/", file), CACHE / "demo" / file) if path.is_file()]
        if not found:
            pytest.skip(f"needs {file}: make demo fetches it")
        (tmp_path / name).symlink_to(found[0])
    text = locate.run_file("january-storm").read_text()
    few = re.sub(r'(?<=\[output.history\]\ninterval = )"1 h"', '"12 h"', text)
    assert few != text
    (tmp_path / "january-storm.toml").write_text(few)
    return tmp_path


def test_the_sides_do_not_squeeze_rain_out_of_what_flows_in(folder):
    """Air over the Gulf that met the eastern side rained 84 mm eight cells inside it; elsewhere it is 33."""
    for command in ("prepare", "run"):
        done = subprocess.run(
            [sys.executable, "-c", "from squall.cli import main; main()", command, "january-storm.toml"],
            cwd=folder, capture_output=True, text=True, timeout=3600,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
    last = open_run(folder / "runs/january-storm").isel(Time=-1)
    rain = (last["RAINC"] + last["RAINNC"]).values
    assert rain.max() > 20  # mm: it is the storm
    assert rain[:, -10:].max() < 40
