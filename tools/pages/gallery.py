"""Makes the pictures of the gallery again: each with the command that stands below it on the page.

usage: tools/pages/gallery.py [PICTURE...]    from runs/, where `make demo CASE=...` leaves its runs
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "gallery.md"


def pictures(page: str) -> Iterator[tuple[str, list[str]]]:
    """The file name of each picture of the page, and the words of the command below it."""
    shown = r"^!\[[^\]]*\]\(img/gallery/([^)]+)\)\n+    (squall plot .*)$"
    for name, command in re.findall(shown, page, re.M):
        yield name, shlex.split(command)


def main(chosen: list[str]) -> None:
    """Draws the chosen pictures, or all."""
    for name, (_, *words) in pictures(PAGE.read_text()):
        if not chosen or name in chosen:
            squall = Path(sys.executable).with_name("squall")
            picture = PAGE.parent / "img" / "gallery" / name
            resolution = [] if "--dpi" in words else ["--dpi", "90"]
            subprocess.run([squall, *words, *resolution, "-o", picture], check=True, cwd=ROOT)


if __name__ == "__main__":
    main(sys.argv[1:])
