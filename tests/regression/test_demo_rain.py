"""The rain of `make demo`, where its data were fetched before."""

import os
import re
from pathlib import Path

import pytest

import commands
from squall import locate
from squall.errors import UserError
from squall.reader.dataset import open_run
from test_demo import FILES

pytestmark = pytest.mark.regression

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
    (tmp_path / "january-storm.toml").write_text(coarse(locate.run_file("january-storm").read_text()))
    return tmp_path


def coarse(text):
    """The demo on half as many cells a side, with a frame in the end."""
    changes = {
        "nx = 100": "nx = 50", "ny = 82": "ny = 41", 'dx = "30 km"': 'dx = "60 km"',
        'time_step = "150 s"': 'time_step = "300 s"',
    }  # fmt: skip
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return re.sub(r'(?<=\[output.history\]\ninterval = )"1 h"', '"12 h"', text)


@pytest.mark.long
def test_the_sides_do_not_squeeze_rain_out_of_what_flows_in(folder):
    """Air over the Gulf that met the eastern side rained 84 mm 240 km inside it, on cells of 30 km; elsewhere
    it is 33."""
    for command in ("prepare", "run"):
        done = commands.squall([command, "january-storm.toml"], folder, timeout=900, drawn=False)
        assert done.returncode == 0, done.stdout + done.stderr
    last = open_run(folder / "runs/january-storm").isel(Time=-1)
    rain = (last["RAINC"] + last["RAINNC"]).values
    assert rain.max() > 20  # mm: it is the storm
    assert rain[:, -5:].max() < 40
    print(f"at most {rain.max():.1f} mm, near the eastern side {rain[:, -5:].max():.1f} mm")
