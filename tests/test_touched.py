"""Which tests `make test TOUCHED=1` chooses for the folders that differ from main."""

import importlib.machinery
import importlib.util
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = tomllib.loads((ROOT / "tests/folders.toml").read_text())


@pytest.fixture(scope="module")
def touched():
    loader = importlib.machinery.SourceFileLoader("touched", str(ROOT / "tools/touched"))
    spec = importlib.util.spec_from_loader("touched", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tests():
    return [str(file.relative_to(ROOT / "tests")) for file in (ROOT / "tests").glob("**/test_*.py")]


def test_every_entry_names_a_folder_and_chooses_tests_by_each_of_its_patterns(touched, tests):
    for folder, entry in FOLDERS.items():
        assert (ROOT / folder).is_dir(), folder
        for pattern in entry.get("pytest", []):
            one = {folder: entry | {"pytest": [pattern]}}
            assert touched.chosen({f"{folder}/file"}, one, tests)[0], f"{folder}: {pattern}"


def test_the_longest_entry_counts(touched, tests):
    python, programs = touched.chosen({"io/src/engines/zarr/store.cpp"}, FOLDERS, tests)
    assert "tests/test_zarr.py" in python
    assert "tests/test_examples.py" not in python
    assert programs == FOLDERS["io/src/engines/zarr"]["ctest"]


def test_a_file_of_tests_is_tested_by_itself(touched, tests):
    assert touched.chosen({"tests/test_new.py"}, FOLDERS, tests) == (["tests/test_new.py"], "")


def test_what_no_entry_fits_is_tested_by_everything(touched, tests):
    assert touched.chosen({"tests/test_new.py", "CMakeLists.txt"}, FOLDERS, tests) == touched.EVERYTHING
