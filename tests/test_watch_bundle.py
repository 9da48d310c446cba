"""What is shipped of the page is what its source builds."""

import filecmp
import json
import re
import subprocess

from browser import WEB
from squall.locate import CHECKOUT

SHIPPED = CHECKOUT / "python" / "squall" / "watch" / "static"


def test_the_page_that_is_shipped_is_what_its_source_builds(tmp_path, npm_modules):
    subprocess.run(["node", "build.mjs", tmp_path], cwd=WEB, check=True, timeout=120)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted(path.name for path in SHIPPED.iterdir()), "run `make page`"
    _, different, broken = filecmp.cmpfiles(tmp_path, SHIPPED, names, shallow=False)
    assert not different + broken, "run `make page` and commit what it makes"


def test_the_source_of_the_page_has_the_right_types(npm_modules):
    checked = subprocess.run(
        ["node", npm_modules / "typescript" / "bin" / "tsc", "--noEmit"], cwd=WEB, capture_output=True,
        text=True, check=False, timeout=120,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout


def test_the_page_is_small_and_asks_nobody_else():
    files = list(SHIPPED.iterdir())
    assert sum(path.stat().st_size for path in files) < 1e6
    for path in files:
        if path.suffix in (".html", ".css"):
            assert not re.search(r"https?:|//[a-z]", path.read_text()), path


def test_versions_are_pinned_and_name_no_mirror():
    package = json.loads((WEB / "package.json").read_text())
    for version in (package["dependencies"] | package["devDependencies"]).values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    for entry in json.loads((WEB / "package-lock.json").read_text())["packages"].values():
        assert "resolved" not in entry
