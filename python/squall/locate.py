"""Finds the programs, libraries and run files that come with the package."""

import difflib
import os
import shutil
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

from squall.errors import UserError

CHECKOUT = Path(__file__).resolve().parents[2]


def cache(name: str) -> Path:
    """A folder in the user's cache: $XDG_CACHE_HOME/squall/NAME or ~/.cache/squall/NAME."""
    named = os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "squall" / name


def model_binary() -> Path:
    """The program `squall-model`: $SQUALL_MODEL, else beside this Python's `squall`, in the checkout's
    build, or on PATH, in that order."""
    return _program("squall-model", "SQUALL_MODEL", "model")


def second_model_binary() -> Path:
    """Another build of `squall-model`: $SQUALL_SECOND_MODEL, else the checkout's in double precision."""
    named = os.environ.get("SQUALL_SECOND_MODEL")
    double = CHECKOUT / "build" / "double" / "model" / "squall-model"
    program = Path(named) if named else double
    if os.access(program, os.X_OK) and program.is_file():
        return program
    if named:
        raise UserError(f"SQUALL_SECOND_MODEL names {named}, which is not a program.")
    raise UserError(
        f"There is no second build of the model: {double} does not exist. Build it with `make build "
        f"PRESET=double` in the checkout, or let SQUALL_SECOND_MODEL name a squall-model built with other "
        f"flags or another compiler."
    )


def transport_binary() -> Path:
    """The program `squall-transport`, looked for as the model, with $SQUALL_TRANSPORT."""
    return _program("squall-transport", "SQUALL_TRANSPORT", "transport")


def radiation_binary() -> Path:
    """The program `squall-radiation`, looked for as the model, with $SQUALL_RADIATION."""
    return _program("squall-radiation", "SQUALL_RADIATION", "model")


def io_binary() -> Path:
    """The program `squall-io`, looked for as the model, with $SQUALL_IO."""
    return _program("squall-io", "SQUALL_IO", "io/tools")


def planner_binary() -> Path:
    """The program `squall-planner`, looked for as the model, with $SQUALL_PLANNER."""
    return _program("squall-planner", "SQUALL_PLANNER", "planner")


def pair_binary() -> Path:
    """The program `squall-pair`, looked for as the model, with $SQUALL_PAIR."""
    return _program("squall-pair", "SQUALL_PAIR", "probes/messages")


def fields_binary() -> Path:
    """The program `squall-fields`, looked for as the model, with $SQUALL_FIELDS."""
    return _program("squall-fields", "SQUALL_FIELDS", "probes/messages")


# What cases and forecasts are prepared from, and where Debian's packages have it.
_DATA = {
    "analysis.grb2": "usr/share/ncarg/data/grb/fh.0012_tl.press_gr.awp211.grb2",  # 24 January 2007, NAM
    "terrain.nc": "usr/share/ferret-vis/data/etopo5.cdf",  # heights of the Earth every five minutes of arc
    "sea.nc": "usr/share/ferret-vis/data/coads_climatology.cdf",  # temperature of the sea by month
}


def data_file(name: str) -> Path | None:
    """The file `analysis.grb2`, `terrain.nc` (ETOPO5) or `sea.nc` (COADS) that came with Squall, with a
    package of the system or by `make demo`; None if it is not here, or for any other name."""
    if name not in _DATA:
        return None
    brought = _DATA[name]
    places = (
        Path(sys.prefix) / "share" / "squall" / "data" / name,
        Path("/", brought),
        cache("demo") / brought,
    )
    return next((file for file in places if file.is_file()), None)


def machines_folder() -> Path:
    """The folder of the machine files that come with Squall."""
    for folder in (CHECKOUT / "planner" / "machines", Path(sys.prefix) / "share" / "squall" / "machines"):
        if folder.is_dir():
            return folder
    raise UserError("Squall's machine files are not installed: they come with the model.")


def _program(name: str, variable: str, built_in: str) -> Path:
    named = os.environ.get(variable)
    candidates = [Path(named)] if named else list(_candidates(name, built_in))
    for candidate in candidates:
        if os.access(candidate, os.X_OK) and candidate.is_file():
            return candidate
    if named:
        raise UserError(f"{variable} names {named}, which is not a program.")
    looked = "\n".join(f"  {candidate}" for candidate in candidates)
    raise UserError(
        f"The program {name} was not found. Looked for:\n{looked}\nand on PATH. Build it with `make "
        f"build` in the checkout, or name it in the environment variable {variable}."
    )


def _candidates(name: str, built_in: str) -> Iterator[Path]:
    yield Path(sysconfig.get_path("scripts")) / name
    if (CHECKOUT / "CMakeLists.txt").is_file():
        yield CHECKOUT / "build" / "release" / built_in / name
    on_path = shutil.which(name)
    if on_path:
        yield Path(on_path)


def io_library() -> Path:
    """The library `libsquall_io.so`: $SQUALL_IO_LIBRARY, else installed beside this Python's or PATH's
    squall-model, or in the checkout's build, in that order."""
    return _library("libsquall_io.so", "SQUALL_IO_LIBRARY", "io")


def wrf_library() -> Path:
    """The library that a WRF is linked with to write through Squall, looked for like io_library(), with
    $SQUALL_WRF_LIBRARY."""
    return _library("libsquall_wrf.so", "SQUALL_WRF_LIBRARY", "io/wrf")


def messages_library() -> Path:
    """The library that counts an MPI program's messages, looked for like io_library(), with
    $SQUALL_MESSAGES_LIBRARY."""
    return _library("libsquall_messages.so", "SQUALL_MESSAGES_LIBRARY", "probes/messages")


def allocations_library() -> Path:
    """The library that counts a program's memory allocations and clearings, looked for like io_library(),
    with $SQUALL_ALLOCATIONS_LIBRARY."""
    return _library("libsquall_allocations.so", "SQUALL_ALLOCATIONS_LIBRARY", "probes/allocations")


def _library(name: str, variable: str, built_in: str) -> Path:
    named = os.environ.get(variable)
    candidates = [Path(named)] if named else list(_library_candidates(name, built_in))
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    if named:
        raise UserError(f"{variable} names {named}, which does not exist.")
    looked = "\n".join(f"  {candidate}" for candidate in candidates)
    raise UserError(
        f"The library {name} was not found. Looked for:\n{looked}\n"
        f"Build it with `make build` in the checkout, or name it in the environment variable {variable}."
    )


def _library_candidates(name: str, built_in: str) -> Iterator[Path]:
    for program in _candidates("squall-model", "model"):
        prefix = program.parent.parent
        found = (*prefix.glob(f"lib*/{name}"), *prefix.glob(f"lib/*-*/{name}"))
        yield from found or [prefix / "lib" / name]
    if (CHECKOUT / "CMakeLists.txt").is_file():
        yield CHECKOUT / "build" / "release" / built_in / name


def run_files_folder() -> Path:
    """The folder of the run files that come with Squall."""
    for folder in (CHECKOUT / "run-files", Path(sys.prefix) / "share" / "squall" / "run-files"):
        if folder.is_dir():
            return folder
    raise UserError(
        f"Squall's run files were not found in {CHECKOUT / 'run-files'} or below {sys.prefix}. They come "
        f"with the model; an installation for analysis alone has none: name a run file, or work in "
        f"Squall's checkout."
    )


def case_files() -> dict[str, Path]:
    """The run files that come with Squall, by name."""
    return {path.stem: path for path in sorted(run_files_folder().glob("*.toml"))}


def transport_files() -> dict[str, Path]:
    """The run files of squall-transport that come with Squall, by name."""
    return {path.stem: path for path in sorted((run_files_folder() / "transport").glob("*.toml"))}


def run_file(case: str) -> Path:
    """The run file for `case`: a path, or the name of one that comes with Squall."""
    return _run_file(case, case_files, "squall cases")


def transport_file(case: str) -> Path:
    """As run_file, of squall-transport."""
    return _run_file(case, transport_files, "squall transport cases")


def _run_file(case: str, come: Callable[[], dict[str, Path]], lists: str) -> Path:
    path = Path(case)
    if path.is_file():
        return path
    if path.is_dir():
        raise UserError(f"{case} is a directory; a run needs a run file (TOML).")
    known = come()
    if case in known:
        return known[case]
    near = difflib.get_close_matches(path.stem, known, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    raise UserError(f"There is no run file {case}. {hint}`{lists}` lists those that come with Squall.")
