"""Shell completions. Imports nothing slow."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from squall import locate
from squall.errors import UserError

if TYPE_CHECKING:
    from squall.run_files.cases import CaseFile


def cases(incomplete: str) -> list[tuple[str, str]]:
    """Names of the cases that come with Squall, with their titles."""
    from squall.run_files import cases as known

    return _titles(known.load, incomplete)


def transport_cases(incomplete: str) -> list[tuple[str, str]]:
    """Those of squall-transport."""
    from squall.run_files import cases as known

    return _titles(known.load_transport, incomplete)


def _titles(load: Callable[[], dict[str, "CaseFile"]], incomplete: str) -> list[tuple[str, str]]:
    try:
        found = load()
    except UserError:
        return []
    return [(name, case.title) for name, case in found.items() if name.startswith(incomplete)]


def run_files(incomplete: str) -> list[str]:
    """Cases, and run files of the file system."""
    return _files(locate.case_files, incomplete)


def transport_files(incomplete: str) -> list[str]:
    """Those of squall-transport."""
    return _files(locate.transport_files, incomplete)


def _files(come: Callable[[], dict[str, Path]], incomplete: str) -> list[str]:
    try:
        names = list(come())
    except UserError:
        names = []
    return [name for name in names if name.startswith(incomplete)] + _paths(incomplete, "*.toml")


def runs(incomplete: str) -> list[str]:
    """Run directories; those in runs/ if nothing has been typed yet."""
    near = [path for path in _entries(incomplete or "runs/") if path.is_dir()]
    return [f"{path}" if _is_run(path) else f"{path}/" for path in near if _is_run(path) or any(_below(path))]


def fields(ctx: typer.Context, incomplete: str) -> list[str]:
    """Fields of the run on the command line: those in the last file of its history, or of the given stream,
    and those that can be derived from them."""
    run, stream = ctx.params.get("run"), ctx.params.get("stream") or "history"
    if not run:
        return []
    from squall.diagnose.fields import makeable
    from squall.reader.frames import history_files, naming
    from squall.reader.history_file import open_file

    try:
        last = history_files(Path(run), stream=stream)[-1]
        with naming(last):
            names = list(open_file(last).variables())
    except UserError:
        return []
    return [name for name in dict.fromkeys([*names, *makeable(names)]) if name.startswith(incomplete)]


def streams(ctx: typer.Context, incomplete: str) -> list[str]:
    """Streams of the run on the command line."""
    from squall.reader.dataset import streams as known

    run = ctx.params.get("run")
    return [name for name in known(Path(run)) if name.startswith(incomplete)] if run else []


def pages(incomplete: str) -> list[tuple[str, str]]:
    """Pages of the documentation, with their titles."""
    from squall import manual

    known = manual.pages().items()
    return [(name, manual.title(path)) for name, path in known if name.startswith(incomplete)]


def _is_run(path: Path) -> bool:
    return (path / "run.toml").is_file() or any(path.glob("*.manifest.jsonl"))


def _below(path: Path) -> Iterator[Path]:
    try:
        yield from (inner for inner in path.iterdir() if inner.is_dir() and _is_run(inner))
    except OSError:
        return


def _entries(incomplete: str) -> list[Path]:
    folder, _, begun = incomplete.rpartition("/")
    base = Path(f"{folder}/") if folder or incomplete.startswith("/") else Path()
    try:
        return sorted(path for path in base.iterdir() if path.name.startswith(begun))
    except OSError:
        return []


def _paths(incomplete: str, pattern: str) -> list[str]:
    found = []
    for path in _entries(incomplete):
        if path.is_dir():
            found.append(f"{path}/")
        elif path.match(pattern):
            found.append(str(path))
    return found
