"""Makes a release of the version in CMakeLists.txt: `make release`.

What lies in changelog.d/ becomes the version's section of the changelog; version and checksum are written
into the citation and the recipes; all that is one commit. dist/ then holds the archive of the sources,
wheels, the documentation and their checksums. Doing it again changes nothing.

The archive depends on the contents of files alone: its times are those of the day in the changelog. The
recipes are not in it (`sdist.exclude` in pyproject.toml), so its checksum can be in the commit that it is
made from.
"""

import datetime
import gzip
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEXT = "project(squall VERSION ...)"
FRAGMENTS = ("*.added.md", "*.changed.md", "*.fixed.md")


class Refused(Exception):
    """A release that cannot be made, and what to do."""


def git(root: Path, *words: str) -> str:
    """What git says in a checkout, without the last line's end."""
    said = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    return said.stdout.rstrip("\n")


def version(root: Path) -> str:
    """The version of the sources."""
    found = re.search(r"^project\(squall VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text(), re.M)
    if not found:
        raise Refused(f"CMakeLists.txt has no {NEXT}")
    return found[1]


def check(root: Path) -> None:
    """Refuses a checkout with changes, or whose version is out already."""
    if changes := git(root, "status", "--porcelain"):
        raise Refused(f"Commit or remove what has changed here, then make the release again:\n{changes}")
    tag = f"v{version(root)}"
    tagged = git(root, "rev-parse", f"{tag}^{{}}") if git(root, "tag", "--list", tag) else None
    if tagged not in (None, git(root, "rev-parse", "HEAD")):
        raise Refused(f"{tag} is out: set the next version in CMakeLists.txt, {NEXT}, and commit")


def changelog(root: Path, today: datetime.date) -> datetime.date:
    """Makes a section of what lies in changelog.d/, if the version has none. Returns the section's date."""
    number, path = version(root), root / "CHANGELOG.md"
    fragments = [found for kind in FRAGMENTS for found in (root / "changelog.d").glob(kind)]
    section = re.compile(rf"^## {re.escape(number)} \((\d{{4}}-\d\d-\d\d)\)$", re.M)
    if (told := section.search(path.read_text())) and fragments:
        raise Refused(
            f"CHANGELOG.md has {number} already, and changelog.d/ has more: bring that into its section, "
            f"or set the next version in CMakeLists.txt, {NEXT}"
        )
    if not told and not fragments:
        raise Refused(f"CHANGELOG.md has no section of {number}, and changelog.d/ nothing to make it of")
    if told:
        return datetime.date.fromisoformat(told[1])
    command = [sys.executable, "-m", "towncrier", "build", "--yes"]
    command += ["--version", number, "--date", today.isoformat()]
    subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    return today


def write(path: Path, pattern: str, line: str) -> None:
    """Puts a line in the place of the one that a pattern finds."""
    text, count = re.subn(pattern, line.replace("\\", "\\\\"), path.read_text(), flags=re.M)
    if count != 1:
        raise Refused(f"{path} has {count} lines that look like {line!r}; a release writes one")
    path.write_text(text)


def easyconfig(root: Path) -> Path:
    """EasyBuild's recipe."""
    (path,) = (root / "packaging" / "easybuild").glob("Squall-*.eb")
    return path


def write_version(root: Path, date: datetime.date) -> None:
    """Into the citation and the recipes."""
    number = version(root)
    write(root / "CITATION.cff", r"^version: .*$", f"version: {number}")
    write(root / "CITATION.cff", r"^date-released: .*$", f"date-released: {date}")
    write(root / "packaging/conda/recipe.yaml", r'^  version: "[\d.]+"$', f'  version: "{number}"')
    recipe = easyconfig(root)
    write(recipe, r"^version = '.*'$", f"version = '{number}'")
    recipe.rename(recipe.with_name(re.sub(r"-[\d.]+-", f"-{number}-", recipe.name, count=1)))


def write_checksum(root: Path, archive: Path) -> None:
    """Of the archive of the sources, into the recipes."""
    sha256 = checksum(archive)
    write(root / "packaging/conda/recipe.yaml", r'^  sha256: "\w*"$', f'  sha256: "{sha256}"')
    write(easyconfig(root), r"^checksums = \['\w*'\]$", f"checksums = ['{sha256}']")
    write(
        root / "packaging/spack/packages/squall/package.py",
        r'^    version\("[\d.]+", sha256="\w*"\)$',
        f'    version("{version(root)}", sha256="{sha256}")',
    )


def checksum(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def export(root: Path, folder: Path) -> Path:
    """The files that git keeps, as they are now, and no others, in a folder of their own."""
    git(root, "add", "--all")
    whole = folder / "tree.tar"
    git(root, "archive", "--output", str(whole), git(root, "write-tree"))
    with tarfile.open(whole) as packed:
        packed.extractall(folder / "tree", filter="data")
    return folder / "tree"


def environment(date: datetime.date) -> dict[str, str]:
    """In which what is made has the times of a day."""
    return os.environ | {"SOURCE_DATE_EPOCH": str(noon(date))}


def noon(date: datetime.date) -> int:
    """In seconds since 1970."""
    return int(datetime.datetime.combine(date, datetime.time(12), datetime.UTC).timestamp())


def build(tree: Path, dist: Path, date: datetime.date) -> Path:
    """The archive of the sources, and a wheel made from that; of studies/ too. Returns the archive."""
    for project in (tree, tree / "studies"):
        if (project / "pyproject.toml").is_file():
            command = [sys.executable, "-m", "build", "--outdir", dist, project]
            subprocess.run(command, check=True, env=environment(date), capture_output=True, text=True)
    return dist / f"squall-{version(tree)}.tar.gz"


def commit(root: Path) -> None:
    """All that a release has written, if it was anything."""
    git(root, "add", "--all")
    if git(root, "status", "--porcelain"):
        git(root, "commit", "--quiet", "--message", f"Release {version(root)}")


def documentation(root: Path, dist: Path, date: datetime.date) -> None:
    """The pages of this version, as a site in an archive."""
    subprocess.run(["make", "--silent", "docs"], cwd=root, check=True, env=environment(date))
    name = f"squall-{version(root)}-docs"

    def dated(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.mtime, member.uid, member.gid, member.uname, member.gname = noon(date), 0, 0, "", ""
        return member

    with (
        gzip.GzipFile(dist / f"{name}.tar.gz", "wb", mtime=noon(date)) as file,
        tarfile.open(fileobj=file, mode="w") as packed,
    ):
        packed.add(root / "site", arcname=name, filter=dated)


def tell(root: Path, dist: Path) -> None:
    """What there is now, with SHA256SUMS of it, and what is left to do."""
    made = sorted(path for path in dist.glob(f"*{version(root)}*") if path.is_file())
    (dist / "SHA256SUMS").write_text("".join(f"{checksum(path)}  {path.name}\n" for path in made))
    tag = f"v{version(root)}"
    print(f"Squall {version(root)}, in {dist}:")
    print("".join(f"    {path.name}\n" for path in [*made, dist / "SHA256SUMS"]), end="")
    print("To publish it:")
    print(f"    git tag -a {tag} -m 'Squall {version(root)}' && git push origin HEAD {tag}")
    print(f"    upload these files as the release {tag}; the archives and wheels without -docs to PyPI")


def release(root: Path, today: datetime.date) -> None:
    """All of it. Raises Refused."""
    check(root)
    dist = root / "dist"
    dist.mkdir(exist_ok=True)
    date = changelog(root, today)
    write_version(root, date)
    with tempfile.TemporaryDirectory() as folder:
        archive = build(export(root, Path(folder)), dist, date)
    write_checksum(root, archive)
    commit(root)
    documentation(root, dist, date)
    tell(root, dist)


if __name__ == "__main__":
    try:
        release(ROOT, datetime.datetime.now(datetime.UTC).date())
    except Refused as refused:
        sys.exit(f"No release: {refused}")
    except subprocess.CalledProcessError as failed:
        sys.exit(
            f"No release: {' '.join(map(str, failed.cmd))} failed.\n{failed.stderr or ''}"
            "`git status` shows what has been written until then, `git reset --hard` takes it back."
        )
