"""A WRF that somebody built, and how its programs were linked: by configure and compile, or by CMake."""

import os
import resource
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from squall.errors import UserError

#: WRF's programs that read or write through its I/O layers, and what main/Makefile links each of, beside what
#: they share.
PROGRAMS = {
    "wrf": "wrf.o ../main/module_wrf_top.o $(LIBWRFLIB) $(CMAQLIB)",
    "real": "real_em.o ../dyn_em/module_initialize_real.o $(LIBWRFLIB)",
    "ndown": "ndown_em.o ../dyn_em/module_initialize_real.o $(LIBWRFLIB)",
}

#: Evaluates what users may edit in configure.wrf as main/Makefile does, and prints the words that a shell
#: would start: that of the link of a program, or the flags of the preprocessor.
_MAKEFILE = """
WRF_SRC_ROOT_DIR = {root}
include {root}/configure.wrf
.PHONY: print-link print-flags
print-link:
	@printf '%s\\n' $(LD) -o {program}.exe $(LDFLAGS) {inputs} $(LIB)
print-flags:
	@printf '%s\\n' $(ARCHFLAGS)
"""

_IN_CMAKE = Path("main") / "CMakeFiles"
_LINK_OF_CMAKE = _IN_CMAKE / "wrf.dir" / "link.txt"


@dataclass(frozen=True)
class Build:
    """`words`: the command that links a program in `folder`. `parallel`: whether it was built with MPI."""

    folder: Path
    words: Sequence[str]
    parallel: bool
    compile: str

    def require_compiled(self) -> None:
        """Raises UserError if what is linked is not there."""
        named = [word for word in self.words if word.endswith((".o", ".a")) and not word.startswith("-")]
        missing = [word for word in named if not (self.folder / word).is_file()]
        if missing:
            raise UserError(
                f"This WRF is not compiled yet: {self.folder} lacks {', '.join(missing)}. Compile it: "
                f"{self.compile}"
            )

    def require_compiler(self) -> None:
        if shutil.which(self.words[0], path=os.environ.get("PATH")) is None:
            raise UserError(
                f"{self.words[0]}, which links this WRF, is not in PATH. Load the modules that WRF was built "
                f"with, or add its folder to PATH."
            )


def find(tree: Path, program: str = "wrf") -> Build:
    """The build in a source tree of WRF, or in a build directory of CMake. `program`: one of PROGRAMS. Raises
    UserError."""
    if not tree.is_dir():
        raise UserError(f"There is no directory {tree}.")
    root = tree.resolve()
    of_cmake = sorted({*root.glob(str(_LINK_OF_CMAKE)), *root.glob(f"*/{_LINK_OF_CMAKE}")})
    if (root / "configure.wrf").is_file() and not (
        of_cmake and not (root / "main" / "libwrflib.a").is_file()
    ):
        return _classic(root, program)
    if len(of_cmake) > 1:
        found = ", ".join(str(link.parents[3]) for link in of_cmake)
        raise UserError(f"{tree} has several builds of WRF; name one of {found}.")
    if of_cmake:
        return _of_cmake(of_cmake[0], program)
    if (root / "CMakeCache.txt").is_file() or (root / "_build" / "CMakeCache.txt").is_file():
        raise UserError(
            f"{tree} does not tell how wrf is linked: there is no {_LINK_OF_CMAKE}. Only CMake's generator "
            f'"Unix Makefiles" writes it: configure WRF with -G "Unix Makefiles" and compile it again.'
        )
    raise UserError(
        f"{tree} is not a WRF source tree: no configure.wrf. Run ./configure and ./compile there."
    )


def _classic(root: Path, program: str) -> Build:
    with tempfile.TemporaryDirectory() as folder:
        makefile = Path(folder) / "makefile"
        makefile.write_text(_MAKEFILE.format(root=root, program=program, inputs=PROGRAMS[program]))
        words, flags = (_printed(makefile, root, target) for target in ("print-link", "print-flags"))
    while words[:1] == ["time"]:  # of the compile's log
        del words[0]
    if not words or words[0] == "-o":
        raise UserError(f"{root}/configure.wrf names no compiler: LD is empty. Run ./configure again.")
    return Build(root / "main", words, "-DDM_PARALLEL" in flags, f"cd {root} && ./compile em_real")


def _printed(makefile: Path, root: Path, target: str) -> list[str]:
    if shutil.which("make") is None:
        raise UserError("`make` is not in PATH; it reads WRF's configure.wrf.")
    folder = root / "main"
    if not folder.is_dir():
        raise UserError(f"{root} is not a WRF source tree: it has no folder main.")
    # Another make's flags, if this runs below one, are about other targets.
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS")}
    command = ["make", "-s", "--no-print-directory", "-f", str(makefile), target]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UserError(f"make cannot read {root}/configure.wrf:\n{done.stderr.rstrip()}")
    return done.stdout.split("\n")[:-1]


def _of_cmake(link_of_wrf: Path, program: str) -> Build:
    root = link_of_wrf.parents[3]
    link = root / _IN_CMAKE / f"{program}.dir" / "link.txt"
    if not link.is_file():
        raise UserError(
            f"{root} builds no {program}: configure WRF for the case EM_REAL and compile it again."
        )
    words = shlex.split(link.read_text())
    flags = link.with_name("flags.make")
    parallel = "-DDM_PARALLEL" in flags.read_text() if flags.is_file() else True
    return Build(link.parents[2], words, parallel, f"cmake --build {root}")


def with_all_of_the_stack() -> None:
    """Before a WRF starts: it keeps work arrays there, more than most shells allow."""
    _, most = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (most, most))
