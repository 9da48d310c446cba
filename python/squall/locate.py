"""Finds what lies beside the package: the model program and the run files of the cases."""

import difflib
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from squall.errors import UserError

CHECKOUT = Path(__file__).resolve().parents[2]


def model_binary() -> Path:
    """The program `squall-model`: $SQUALL_MODEL, else beside this Python's `squall`, in the checkout's
    build, or on PATH, in that order."""
    named = os.environ.get("SQUALL_MODEL")
    candidates = [Path(named)] if named else list(_model_candidates())
    for candidate in candidates:
        if os.access(candidate, os.X_OK) and candidate.is_file():
            return candidate
    if named:
        raise UserError(f"SQUALL_MODEL names {named}, which is no program.")
    looked = "\n".join(f"  {candidate}" for candidate in candidates)
    raise UserError(
        f"The program squall-model is not there. Looked for:\n{looked}\nand on PATH. "
        "Build it with `make build` in the checkout, or name it in the variable SQUALL_MODEL."
    )


def _model_candidates() -> Iterator[Path]:
    yield Path(sysconfig.get_path("scripts")) / "squall-model"
    if (CHECKOUT / "CMakeLists.txt").is_file():
        yield CHECKOUT / "build" / "release" / "model" / "squall-model"
    on_path = shutil.which("squall-model")
    if on_path:
        yield Path(on_path)


def cases_folder() -> Path:
    """The folder of the run files that come with Squall."""
    for folder in (CHECKOUT / "cases", Path(sys.prefix) / "share" / "squall" / "cases"):
        if folder.is_dir():
            return folder
    raise UserError(f"Squall's run files are not there: neither {CHECKOUT / 'cases'} nor in {sys.prefix}.")


def case_files() -> dict[str, Path]:
    """The run files that come with Squall, by name."""
    return {path.stem: path for path in sorted(cases_folder().glob("*.toml"))}


def run_file(case: str) -> Path:
    """The run file that `case` means: a path, or the name of one that comes with Squall."""
    path = Path(case)
    if path.is_file():
        return path
    if path.is_dir():
        raise UserError(f"{case} is a directory; a run needs a run file (TOML).")
    known = case_files()
    if case in known:
        return known[case]
    near = difflib.get_close_matches(path.stem, known, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    raise UserError(f"There is no run file {case}. {hint}`squall cases` lists those that come with Squall.")
