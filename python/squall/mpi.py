"""Which MPI the programs run with: the library that they load, the mpirun that goes with it, and $SQUALL_MPI,
by which users put another one in its place, of the same binary interface."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from squall.errors import UserError

VARIABLE = "SQUALL_MPI"
_FOLDERS = ("lib", "lib64", "lib/release", "lib-abi-mpich", ".")  # of MPICH and others, Intel's, Cray's

# The version is asked for in a process of its own: to load an MPI may set up more than a library.
_ASK = """
import ctypes, sys
text, length = ctypes.create_string_buffer(8192), ctypes.c_int()
ctypes.CDLL(sys.argv[1]).MPI_Get_library_version(text, ctypes.byref(length))
print(text.value.decode(errors="replace"))
"""


def choose() -> None:
    """Has all programs started from here load the MPI in the folder $SQUALL_MPI. Raises UserError where it
    has none."""
    named = os.environ.get(VARIABLE)
    if not named:
        return
    folder = next((f for name in _FOLDERS if list((f := Path(named) / name).glob("libmpi.so*"))), None)
    if folder is None:
        raise UserError(
            f"{VARIABLE} names {named}, but neither there nor in its lib is a libmpi.so. It is to name the "
            "folder in which an MPI is installed."
        )
    before = os.environ.get("LD_LIBRARY_PATH")
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, (str(folder), before)))


def libraries(program: Path) -> dict[str, Path | None]:
    """The libraries that a program loads, by name: where each was found; None: nowhere."""
    # The loader then says what it finds, and starts nothing.
    environment = os.environ | {"LD_TRACE_LOADED_OBJECTS": "1"}
    said = subprocess.run([program], env=environment, capture_output=True, text=True, check=False).stdout
    lines = re.findall(r"^\s+(\S+) => (\S+)", said, re.M)
    return {name: _whole(Path(where)) if where.startswith("/") else None for name, where in lines}


def _whole(found: Path) -> Path:
    """A file's path without `..`, which the loader leaves in what it found from the program on."""
    return found.parent.resolve() / found.name


def library(program: Path) -> tuple[str, Path | None] | None:
    """The name of the MPI library that a program is linked with, and where it was found. None: none."""
    return next((found for found in libraries(program).items() if found[0].startswith("libmpi")), None)


def version(library: Path) -> str:
    """What an MPI library says it is: its first line."""
    said = subprocess.run([sys.executable, "-c", _ASK, library], capture_output=True, text=True, check=False)
    lines = said.stdout.strip().splitlines()
    return " ".join(lines[0].split()).partition(",")[0] if lines else "unknown"


def mpirun(program: Path | None) -> str | None:
    """The mpirun that starts a program's ranks: of the MPI that it loads, else on PATH. None: neither."""
    found = library(program) if program else None
    if found and found[1]:
        folder = found[1].parent
        folder = folder.parent if folder.name == "release" else folder
        for name in ("mpirun", "mpiexec"):
            if os.access(folder.parent / "bin" / name, os.X_OK):
                return str(folder.parent / "bin" / name)
    return shutil.which("mpirun") or shutil.which("mpiexec")
