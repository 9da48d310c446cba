"""Links a built WRF again, with Squall's library in place of its own I/O layers."""

import mmap
import re
import shlex
import subprocess
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from squall import locate
from squall.errors import UserError
from squall.wrf_output import builds, symbols
from squall.wrf_output.builds import Build
from squall.wrf_output.layers import LAYERS, Layer, listed
from squall.wrf_output.link_line import LinkLine

LIBRARY = "libsquall_wrf.so"


def name_of(program: str) -> str:
    """What one of builds.PROGRAMS is called that was linked with Squall."""
    return f"{program}_squall.exe"


NAME = name_of("wrf")


@dataclass(frozen=True)
class Relink:
    """What is to be done, found to be possible. `line`: the command, which writes to `output`. `program`: one
    of builds.PROGRAMS."""

    program: str
    build: Build
    layers: Sequence[Layer]
    library: Path
    line: LinkLine
    output: Path

    def command(self) -> str:
        """For a shell."""
        words = self.line.replaced(self.layers, self.library, self.output.name)
        return f"cd {shlex.quote(str(self.build.folder))} && {shlex.join(words)}"

    def run(self) -> list[str]:
        """Links under another name first, so that there is a whole program or none. Returns what the linker
        said, and warnings. Raises UserError."""
        with tempfile.TemporaryDirectory(dir=self.build.folder, prefix=".squall-") as folder:
            linked = Path(folder) / self.output.name
            words = self.line.replaced(self.layers, self.library, str(linked))
            done = subprocess.run(words, cwd=self.build.folder, capture_output=True, text=True, check=False)
            said = (done.stdout + done.stderr).rstrip()
            if done.returncode or not linked.is_file():
                raise UserError(f"The link failed:\n{self.command()}\n{said}\n{_hint(said)}")
            _check_layers(linked, self.layers, [*self.line.archives()])
            warnings = _check_libraries(linked)
            linked.replace(self.output)
        return [*said.splitlines(), *warnings]

    def lines(self) -> list[str]:
        """What was made, and what to do next."""
        forms = listed([f"{layer.io_forms} ({layer.library})" for layer in self.layers])
        written = "streams" if self.program == "wrf" else "files"
        return [
            f"Linked: {self.output}",
            f"  with {self.library} in place of {_layers(self.layers)}",
            f"The {written} of io_form {forms} now go through Squall.",
            "Next, in the folder of your run:",
            f"    ln -sf {shlex.quote(str(self.output))} .",
            *["    squall wrf check"] * (self.program == "wrf"),  # which tells of wrf.exe's streams
            f"    mpiexec -n N ./{self.output.name}",
        ]


def plan(tree: Path, names: Sequence[str], output: str, program: str = "wrf") -> Relink:
    """names: of layers; none: all that this WRF was built with. program: one of builds.PROGRAMS. Raises
    UserError."""
    build = builds.find(tree, program)
    line = LinkLine(build.folder, build.words)
    layers = _chosen(names, line, build)
    build.require_compiled()
    library = _library()
    build.require_compiler()
    if any(word in ("-static", "--static", "-Wl,-static") for word in build.words):
        raise UserError(
            f"This WRF is linked statically (-static), which a shared library, {LIBRARY}, cannot be."
        )
    _check_symbols(line, layers, library)
    return Relink(program, build, layers, library, line, _free(build.folder / output, output))


def replaced_in(program: Path) -> list[Layer]:
    """The layers that a program takes from Squall."""
    taken = symbols.of_linked(program).needed
    return [layer for layer in LAYERS if any(name.startswith(layer.prefix) for name in taken)]


def _library() -> Path:
    library = locate.wrf_library().absolute()
    if library.name != LIBRARY:
        raise UserError(
            f"SQUALL_WRF_LIBRARY names {library}; the linker finds it by the name {LIBRARY} only."
        )
    return library


def _chosen(names: Sequence[str], line: LinkLine, build: Build) -> list[Layer]:
    asked = [layer for layer in LAYERS if layer.name in names] if names else list(LAYERS)
    serial = [layer for layer in asked if layer.parallel and names and not build.parallel]
    if serial:
        raise UserError(
            f"This WRF was built serial (configure.wrf has no -DDM_PARALLEL): {_layers(serial)} "
            f"{'need' if len(serial) > 1 else 'needs'} dmpar. Run ./configure again and choose dmpar."
        )
    there = line.archives()
    absent = [layer for layer in asked if layer not in there]
    chosen = [layer for layer in asked if layer in there]
    if not chosen or (names and absent):
        without = " and without ".join(layer.library for layer in absent)
        can = [layer.name for layer in LAYERS if layer in there]
        rest = f"only {_layers_named(can)} can be replaced" if can else "there is no layer to replace"
        raise UserError(f"This WRF was built without {without}: {rest}.")
    return chosen


def _layers(layers: Sequence[Layer]) -> str:
    return _layers_named([layer.name for layer in layers])


def _layers_named(names: Sequence[str]) -> str:
    return f"layer{'s' * (len(names) > 1)} {listed(names)}"


def _check_symbols(line: LinkLine, layers: Collection[Layer], library: Path) -> None:
    """What the rest of WRF needs of the archives that are left out must be in the library."""
    rest = symbols.of_objects(line.inputs(without=layers))
    offered = symbols.of_linked(library).defined | rest.defined
    problems = []
    for layer, archive in line.archives().items():
        if layer not in layers:
            continue
        held = symbols.of_objects([archive]).defined if archive.is_file() else set()
        needed = {n: by for n, by in rest.needed.items() if n.startswith(layer.prefix) or n in held}
        missing = [f"  {name}, which {by} needs" for name, by in needed.items() if name not in offered]
        if missing:
            problems += [f"layer {layer.name}:", *sorted(missing)]
    if problems:
        raise UserError(
            f"{library} lacks what this WRF needs of the layers that it replaces; it may be of another "
            f"version than this WRF.\n"
            + "\n".join(problems)
            + "\nLeave such a layer out: --layer names those to replace."
        )


_NOT_OURS = (
    "{output} is there already and was not linked with Squall. Choose another name with --output, or "
    "remove it."
)


def _free(output: Path, name: str) -> Path:
    """Raises UserError where another program would be replaced."""
    if Path(name).name != name or not name:
        raise UserError(f"--output {name}: this is a name within {output.parent}, without folders.")
    if output.exists() and not (output.is_file() and _holds(output, LIBRARY.encode())):
        raise UserError(_NOT_OURS.format(output=output))
    return output


def _holds(file: Path, text: bytes) -> bool:
    if not file.stat().st_size:
        return False
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(text) >= 0


def _check_layers(program: Path, layers: Sequence[Layer], linked: Sequence[Layer]) -> None:
    """Whether these layers, of those that were linked, and no others come from the library."""
    taken = replaced_in(program)
    for layer in linked:
        from_library = layer in taken
        if from_library != (layer in layers):
            found = "comes" if from_library else "does not come"
            raise UserError(f"In the program that was linked layer {layer.name} {found} from {LIBRARY}.")


_MPI = re.compile(r"\blib(?:mpi|mpich)\.so[.\d]*(?= =>)")
_NETCDF = re.compile(r"\blibnetcdf(?:_\w+)?\.so[.\d]*(?= =>)")


def _check_libraries(program: Path) -> list[str]:
    """Whether the program has one MPI, from a shared library. Returns warnings."""
    inside = symbols.of_objects([program]).defined | symbols.of_linked(program).defined
    if inside & {"MPI_Init", "PMPI_Init"}:
        raise UserError(
            "This WRF has a static MPI inside (MPI_Init is in the program), and Squall would bring another "
            "one. Build WRF with the shared libraries of MPI."
        )
    said = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False).stdout
    mpis = sorted(set(_MPI.findall(said)))
    if len(mpis) > 1:
        raise UserError(
            f"WRF and Squall were built with different MPIs, {' and '.join(mpis)}: build Squall with the "
            f"MPI of WRF, or WRF with that of Squall."
        )
    netcdfs = sorted(set(_NETCDF.findall(said)))
    if len(netcdfs) < 2:
        return []
    return [
        f"Warning: the program has two netCDF libraries, {listed(netcdfs)}, with functions of the same "
        f"names: one of them serves both WRF and Squall. Build Squall with the netCDF of WRF."
    ]


_HINTS = (
    (
        r"cannot find -l|cannot find lib",
        "The linker lacks a library that WRF was built with: load the modules that WRF was built with.",
    ),
    (
        r"squall_io",
        "The linker does not find what libsquall_wrf.so is linked with: keep Squall's libraries together.",
    ),
    (r"undefined reference", "Compile WRF again, then link: its objects may be of different builds."),
)


def _hint(said: str) -> str:
    """What may help, from what the linker said."""
    found = next((hint for pattern, hint in _HINTS if re.search(pattern, said)), "")
    return (
        f"{found} This is WRF's own link of the program but for the layers: where that works, this does."
    ).strip()
