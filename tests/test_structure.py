"""The folders of the C++ sources stand on each other in one order: none includes what stands above it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MODEL = """
core grid parallel settings physics initial dynamics boundary solver diagnostics nesting output config run
"""

IO = "common agree declare stage reduce read publish engines drain placements session capi"

FLOORS = {"model/src": MODEL.split(), "io/src": IO.split()}


def upward(source, floors):
    """`file: header` for each include of a folder of `source` that does not stand below the file's."""
    level = {folder: floor for floor, folder in enumerate(floors)}
    for file in sorted(source.glob("*/**/*.[ch]pp")):
        folder = file.relative_to(source).parts[0]
        for header in re.findall(r'^#include "([^"]+)"', file.read_text(), re.MULTILINE):
            target = header.partition("/")[0]
            if target in level and level[target] > level[folder]:
                yield f"{file.relative_to(source)}: {header}"


@pytest.mark.parametrize("source", FLOORS)
def test_no_folder_includes_what_stands_above_it(source):
    assert {p.name for p in (ROOT / source).iterdir() if p.is_dir()} == set(FLOORS[source])
    assert list(upward(ROOT / source, FLOORS[source])) == []


def test_an_include_of_a_higher_folder_is_seen(tmp_path):
    (tmp_path / "low").mkdir()
    (tmp_path / "low" / "a.cpp").write_text('#include "high/b.hpp"\n#include "low/a.hpp"\n')
    assert list(upward(tmp_path, ["low", "high"])) == ["low/a.cpp: high/b.hpp"]
