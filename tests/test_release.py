"""Releases: what `make release` makes of a checkout of a few files, and the archive of this one."""

import datetime
import os
import re
import shutil
import subprocess
import sys
import tarfile

import pytest

import release
from squall.locate import CHECKOUT

DAY = datetime.date(2027, 3, 1)
SOURCES = ["CITATION.cff", "pyproject.toml", "changelog.d/template.md"]
TOLD = "# Changelog\n\n<!-- releases -->\n\n## 0.1.0 (2026-11-28)\n\nThe first.\n"


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A checkout of version 0.2.0 with one change to tell; its archive is of all files without recipes."""
    recipes = [path.relative_to(CHECKOUT) for path in (CHECKOUT / "packaging").rglob("*") if path.is_file()]
    for name in [*SOURCES, *recipes]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / name, tmp_path / name)
    (tmp_path / "CMakeLists.txt").write_text("project(squall VERSION 0.2.0 LANGUAGES CXX)\n")
    (tmp_path / ".gitignore").write_text("/dist/\n")
    (tmp_path / "CHANGELOG.md").write_text(TOLD)
    (tmp_path / "changelog.d" / "hail.added.md").write_text("Hail falls.\n")
    for key, value in (("NAME", "A"), ("EMAIL", "a@b")):
        monkeypatch.setenv(f"GIT_AUTHOR_{key}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{key}", value)
    release.git(tmp_path, "init", "--quiet")
    commit(tmp_path)

    def build(tree, dist, date):
        archive = dist / f"squall-{release.version(tree)}.tar.gz"
        files = [path for path in sorted(tree.rglob("*")) if path.is_file() and "packaging" not in path.parts]
        archive.write_bytes(b"".join(path.read_bytes() for path in files) + str(release.noon(date)).encode())
        return archive

    monkeypatch.setattr(release, "build", build)
    monkeypatch.setattr(release, "documentation", lambda root, dist, date: None)
    return tmp_path


def commit(root):
    release.git(root, "add", "--all")
    release.git(root, "commit", "--quiet", "--message", "x")


def state(root):
    return release.git(root, "rev-parse", "HEAD"), release.checksum(root / "dist" / "squall-0.2.0.tar.gz")


def test_a_release_tells_of_the_changes_and_is_one_commit(root, capsys):
    release.release(root, DAY)
    told = (root / "CHANGELOG.md").read_text()
    assert "\n## 0.2.0 (2027-03-01)\n\n### Added\n\n- Hail falls.\n\n## 0.1.0 (" in told
    assert [path.name for path in (root / "changelog.d").iterdir()] == ["template.md"]
    assert release.git(root, "status", "--porcelain") == ""
    assert release.git(root, "log", "--format=%s").splitlines() == ["Release 0.2.0", "x"]
    assert "git tag -a v0.2.0" in capsys.readouterr().out


def test_recipes_and_citation_have_the_version_and_the_checksum_of_the_archive(root):
    release.release(root, DAY)
    _, sha256 = state(root)
    assert f"{sha256}  squall-0.2.0.tar.gz\n" in (root / "dist" / "SHA256SUMS").read_text()
    conda = (root / "packaging/conda/recipe.yaml").read_text()
    assert '\n  version: "0.2.0"\n' in conda
    assert f'\n  sha256: "{sha256}"\n' in conda
    easyconfig = release.easyconfig(root)
    assert easyconfig.name == "Squall-0.2.0-foss-2024a.eb"
    assert "\nversion = '0.2.0'\n" in easyconfig.read_text()
    assert f"\nchecksums = ['{sha256}']\n" in easyconfig.read_text()
    spack = (root / "packaging/spack/packages/squall/package.py").read_text()
    assert f'version("0.2.0", sha256="{sha256}")' in spack
    assert "\nversion: 0.2.0\ndate-released: 2027-03-01\n" in (root / "CITATION.cff").read_text()


def test_a_release_made_again_on_another_day_is_the_same(root):
    release.release(root, DAY)
    first = state(root)
    release.release(root, DAY + datetime.timedelta(days=2))
    assert state(root) == first


def test_a_checkout_with_changes_is_refused(root):
    (root / "notes").write_text("")
    with pytest.raises(release.Refused, match=r"Commit or remove .*\n\?\? notes"):
        release.release(root, DAY)


def test_a_version_that_is_out_is_refused(root):
    release.release(root, DAY)
    release.git(root, "tag", "v0.2.0")
    release.release(root, DAY)  # of the same commit
    (root / "notes").write_text("")
    commit(root)
    with pytest.raises(release.Refused, match=r"v0.2.0 is out: set the next version in CMakeLists.txt"):
        release.release(root, DAY)


def test_changes_behind_a_section_that_is_there_are_refused(root):
    release.release(root, DAY)
    (root / "changelog.d" / "snow.fixed.md").write_text("Snow falls.\n")
    commit(root)
    with pytest.raises(release.Refused, match=r"CHANGELOG.md has 0.2.0 already"):
        release.release(root, DAY)


def test_a_version_of_which_nothing_is_told_is_refused(root):
    (root / "changelog.d" / "hail.added.md").unlink()
    commit(root)
    with pytest.raises(release.Refused, match=r"no section of 0.2.0"):
        release.release(root, DAY)


@pytest.mark.regression
@pytest.mark.long
def test_the_archive_is_the_same_bytes_wherever_it_is_made_has_no_recipe_and_can_be_built(tmp_path):
    """Its checksum is in the recipes; it has no tests, either."""
    kept = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, check=True).stdout
    made = []
    for name, mask in (("here", 0o022), ("there", 0o077)):
        tree = tmp_path / name
        before = os.umask(mask)
        try:
            for path in filter(None, kept.decode().split("\0")):
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_bytes((CHECKOUT / path).read_bytes())
        finally:
            os.umask(before)
        subprocess.run(
            [sys.executable, "-c", "from scikit_build_core.build import build_sdist; build_sdist('dist')"],
            cwd=tree, env=release.environment(DAY), check=True, capture_output=True,
        )  # fmt: skip
        (archive,) = (tree / "dist").iterdir()
        made.append(archive)
    assert release.checksum(made[0]) == release.checksum(made[1])
    with tarfile.open(made[0]) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
        packed.extractall(tmp_path / "unpacked", filter="data")
    assert {"CMakeLists.txt", "python/squall/needs.toml", "run-files/supercell.toml"} <= names
    assert "packaging/module/squall.in" in names
    recipes = re.compile(r"packaging/(conda|easybuild|spack)/")
    assert [name for name in names if recipes.match(name)] == []
    (sources,) = (tmp_path / "unpacked").iterdir()
    configure = ["cmake", "-S", sources, "-B", tmp_path / "build", "-G", "Ninja"]
    said = subprocess.run(configure, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
