"""`squall wrf relink`: a tiny WRF of C, whose I/O layers a library replaces that stands for Squall's."""

import os
import shutil
import subprocess

import pytest

from squall.errors import UserError
from squall.wrf_output import relink
from squall.wrf_output.layers import LAYERS
from squall.wrf_output.link_line import LinkLine

pytestmark = [
    pytest.mark.regression,
    pytest.mark.skipif(
        any(shutil.which(program) is None for program in ("cc", "ar", "nm", "make")),
        reason="there is no C compiler, ar, nm or make, which a WRF is linked with",
    ),
]

CONFIGURE = """
# As ./configure writes it, and users edit it.
SHELL = /bin/sh
DM_FC = cc
FC = time $(DM_FC)
LD = $(FC)
LIBWRFLIB = libwrflib.a
OMP = # -fopenmp
ARCHFLAGS = -DNETCDF {parallel} -DPNETCDF
LDFLAGS = $(OMP) {flags}
LIB = -L$(WRF_SRC_ROOT_DIR)/external/io_netcdf -lwrfio_nf \\
      -L$(WRF_SRC_ROOT_DIR)/external/io_pnetcdf -lwrfio_pnf `echo -lm`

.F.o:
\tfalse
"""

MAIN = "void wrf_run_(void); int main(void) { wrf_run_(); return 0; }"
CORE = """
void ext_pnc_ioinit_(void);
void ext_ncd_ioinit_(void);
void wrf_run_(void) { ext_pnc_ioinit_(); ext_ncd_ioinit_(); }
"""
FUNCTION = '#include <stdio.h>\nvoid {name}(void) {{ puts("{name} of {whose}"); }}\n'


def compiled(source, output, *flags):
    subprocess.run(["cc", "-x", "c", "-", *flags, "-o", output], input=source, text=True, check=True)


def archive(path, **objects):
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, source in objects.items():
        compiled(source, path.parent / f"{name}.o", "-c")
    names = [f"{name}.o" for name in objects]
    subprocess.run(["ar", "cr", path.name, *names], cwd=path.parent, check=True)


def layer(name, *functions):
    named = [f"ext_{name}_{function}_" for function in functions or ("ioinit",)]
    return "".join(FUNCTION.format(name=function, whose="WRF") for function in named)


def functions(*names, whose="Squall"):
    return "".join(FUNCTION.format(name=name, whose=whose) for name in names)


WHOLE = functions("ext_pnc_ioinit_", "ext_ncd_ioinit_")


class Tree:
    def __init__(self, folder):
        self.root = folder / "WRF"
        self.library = folder / "lib" / relink.LIBRARY
        self.library.parent.mkdir()

    def build(self, parallel="-DDM_PARALLEL", flags="", core=CORE, netcdf=""):
        main = self.root / "main"
        archive(main / "libwrflib.a", core=core)
        compiled(MAIN, main / "wrf.o", "-c")
        compiled("int wrf_top;", main / "module_wrf_top.o", "-c")
        archive(self.root / "external/io_netcdf/libwrfio_nf.a", wrf_io=layer("ncd") + netcdf)
        archive(self.root / "external/io_pnetcdf/libwrfio_pnf.a", wrf_io=layer("pnc"))
        (self.root / "configure.wrf").write_text(CONFIGURE.format(parallel=parallel, flags=flags))

    def offer(self, source=WHOLE):
        compiled(source, self.library, "-shared", "-fPIC")

    def files(self):
        return {
            path.relative_to(self.root): path.stat().st_mtime_ns
            for path in self.root.rglob("*")
            if path.is_file()
        }


@pytest.fixture
def tree(tmp_path, monkeypatch):
    made = Tree(tmp_path)
    monkeypatch.setenv("SQUALL_WRF_LIBRARY", str(made.library))
    made.build()
    made.offer()
    return made


def other_programs(tree):
    """real.exe and ndown.exe of the same WRF."""
    (tree.root / "dyn_em").mkdir()
    compiled("int initialize;", tree.root / "dyn_em/module_initialize_real.o", "-c")
    for name in ("real", "ndown"):
        main = MAIN.replace("{ wrf", f'{{ puts("{name}"); wrf')
        compiled(f"#include <stdio.h>\n{main}", tree.root / f"main/{name}_em.o", "-c")


def said_by(program):
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def test_all_layers_come_from_the_library_and_nothing_else_changes(squall, tree):
    before = tree.files()
    done = squall("wrf", "relink", tree.root)
    assert done.returncode == 0, done.stderr
    program = tree.root / "main" / "wrf_squall.exe"
    assert said_by(program) == ["ext_pnc_ioinit_ of Squall", "ext_ncd_ioinit_ of Squall"]
    assert "io_form 11 (PnetCDF) and 2 and 102 (netCDF)" in done.stdout
    assert "mpiexec -n N ./wrf_squall.exe" in done.stdout
    after = tree.files()
    assert after.pop(program.relative_to(tree.root))
    assert after == before
    assert squall("wrf", "relink", tree.root).returncode == 0  # and again


@pytest.mark.parametrize("name", ["real", "ndown"])
def test_the_programs_that_make_wrf_s_input_are_linked_alike(squall, tree, name):
    other_programs(tree)
    done = squall("wrf", "relink", tree.root, "--program", name)
    assert done.returncode == 0, done.stderr
    said = said_by(tree.root / "main" / f"{name}_squall.exe")
    assert said == [name, "ext_pnc_ioinit_ of Squall", "ext_ncd_ioinit_ of Squall"]
    assert "The files of io_form 11" in done.stdout
    assert "squall wrf check" not in done.stdout
    assert not (tree.root / "main" / relink.NAME).exists()


def test_a_program_that_was_not_compiled_is_named(tree):
    with pytest.raises(UserError, match=r"lacks real_em.o, ../dyn_em/module_initialize_real.o"):
        relink.plan(tree.root, [], relink.name_of("real"), "real")


@pytest.mark.parametrize(("name", "own"), [("pnc", "ncd"), ("ncd", "pnc")])
def test_a_layer_that_stays_is_wrf_s_own(squall, tree, name, own):
    done = squall("wrf", "relink", tree.root, "--layer", name, "--output", "mine.exe")
    assert done.returncode == 0, done.stderr
    said = said_by(tree.root / "main" / "mine.exe")
    assert sorted(said) == sorted([f"ext_{name}_ioinit_ of Squall", f"ext_{own}_ioinit_ of WRF"])


def test_a_check_tells_what_the_program_has_replaced(squall, tree, tmp_path):
    relink.plan(tree.root, ["pnc"], relink.NAME).run()
    (tmp_path / relink.NAME).symlink_to(tree.root / "main" / relink.NAME)
    (tmp_path / "namelist.input").write_text(
        "&time_control\n history_interval=60\n io_form_history=11\n restart_interval=60\n"
        " io_form_restart=2\n/\n&domains\n max_dom=1\n/\n"
    )
    told = squall("wrf", "check")
    assert told.returncode == 0, told.stderr
    assert "1 of 2 streams go through Squall" in told.stdout
    assert "io_form_restart = 2: wrf_squall.exe has WRF's own layer ncd, which writes restart" in told.stdout


def test_a_dry_run_prints_the_command_and_links_nothing(squall, tree):
    before = tree.files()
    done = squall("wrf", "relink", tree.root, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert tree.files() == before
    words = done.stdout.split()
    folder = tree.library.parent
    assert words[3:6] == ["cc", "-o", "wrf_squall.exe"]
    assert words[-4:] == [f"-L{folder}", "-lsquall_wrf", f"-Wl,-rpath,{folder}", "-lm"]
    assert not [word for word in words if "wrfio" in word or "io_netcdf" in word]
    assert subprocess.run(done.stdout, shell=True, check=False).returncode == 0


def refused(tree, *layers, output=relink.NAME, match):
    with pytest.raises(UserError, match=match):
        relink.plan(tree.root, layers, output).run()
    assert not (tree.root / "main" / relink.NAME).exists()
    assert not list((tree.root / "main").glob(".squall-*"))


def test_symbols_that_the_library_lacks_are_named_with_who_needs_them(tree):
    tree.offer(functions("ext_pnc_ioinit_"))
    refused(tree, match=r"(?s)layer ncd:\n  ext_ncd_ioinit_, which libwrflib.a\(core.o\) needs")
    relink.plan(tree.root, ["pnc"], relink.NAME)


def test_what_else_of_an_archive_is_needed_is_named_too(tree):
    core = CORE.replace("{ ext_pnc", "{ void static_data_(void); static_data_(); ext_pnc")
    tree.build(core=core, netcdf=functions("static_data_", "unused_", whose="WRF"))
    refused(tree, match=r"static_data_, which libwrflib.a\(core.o\) needs\nLeave")


def test_a_layer_that_this_wrf_lacks_is_refused(tree):
    refused(tree, "adios2", match="built without ADIOS2: only layers pnc and ncd can be replaced")
    told = tree.root / "configure.wrf"
    told.write_text(told.read_text().replace("-lwrfio_pnf", ""))
    refused(tree, "pnc", match="built without PnetCDF: only layer ncd can be replaced")


def test_a_serial_wrf_has_no_parallel_layers(tree):
    tree.build(parallel="")
    refused(tree, "pnc", match="serial .*layer pnc needs dmpar")


def test_what_is_not_compiled_is_named(tree):
    (tree.root / "main" / "wrf.o").unlink()
    refused(tree, match="not compiled yet: .*main lacks wrf.o. Compile it: .*compile em_real")


def test_a_folder_of_another_kind_is_refused(tree):
    (tree.root / "configure.wrf").unlink()
    refused(tree, match="is not a WRF source tree: no configure.wrf")


def test_a_compiler_that_is_not_in_path_is_named(tree):
    told = tree.root / "configure.wrf"
    told.write_text(told.read_text().replace("DM_FC = cc", "DM_FC = mpifort-of-yore"))
    refused(tree, match="mpifort-of-yore, which links this WRF, is not in PATH")


def test_without_the_library_it_is_told_how_to_get_it(tree):
    tree.library.unlink()
    refused(tree, match="SQUALL_WRF_LIBRARY names")


def test_a_static_link_is_refused(tree):
    tree.build(flags="-static")
    refused(tree, match="linked statically")


def test_a_static_mpi_is_refused(tree):
    tree.build(core=CORE + "int MPI_Init(int *n, char ***words) { return 0; } int (*keep)() = MPI_Init;")
    refused(tree, match="static MPI inside")


def library(folder, name, source, *flags):
    folder.mkdir(exist_ok=True)
    compiled(source, folder / name, "-shared", "-fPIC", f"-Wl,-soname,{name}.1", *flags)
    shutil.copy(folder / name, folder / f"{name}.1")


def two(tree, mine, its):
    """Such a library of WRF's and another one of Squall's."""
    folder = tree.root.parent / "libraries"
    rpath = f"-Wl,-rpath,{folder}"
    library(folder, f"lib{mine}.so", functions("other_"))
    library(folder, f"lib{its}.so", functions("another_"))
    needs = f"-Wl,--no-as-needed -L{folder} {rpath} -l"
    tree.build(flags=needs + mine)
    compiled(WHOLE, tree.library, "-shared", "-fPIC", *(needs + its).split())


def test_two_mpis_in_a_program_are_refused(tree):
    two(tree, "mpi", "mpich")
    refused(tree, match=r"different MPIs, libmpi.so.1 and libmpich.so.1")


def test_two_netcdf_libraries_in_a_program_are_warned_of(tree):
    two(tree, "netcdf", "netcdf_mpi")
    warned = relink.plan(tree.root, [], relink.NAME).run()
    assert "two netCDF libraries, libnetcdf.so.1 and libnetcdf_mpi.so.1" in warned[-1]


def test_what_the_linker_said_is_shown_whole(tree):
    tree.build(core=CORE.replace("{ ext_pnc", "{ void gone_(void); gone_(); ext_pnc"))
    refused(
        tree, match=r"(?s)The link failed:\ncd .*undefined reference to .gone_.*may be of different builds"
    )
    tree.build(flags="-lnowhere")
    refused(tree, match="(?s)cannot find -lnowhere.*load the modules")


def test_no_program_of_wrf_is_replaced(tree):
    (tree.root / "main" / "wrf.exe").write_text("WRF's own")
    refused(tree, output="wrf.exe", match="was not linked with Squall")
    refused(tree, output="../wrf.exe", match="without folders")


def test_a_configure_wrf_that_make_cannot_read_is_told(tree):
    told = tree.root / "configure.wrf"
    told.write_text(told.read_text() + "\nendif\n")
    refused(tree, match="(?s)make cannot read .*configure.wrf:.*endif")


def cmake(tree, root):
    """The same WRF as CMake would link it."""
    (tree.root / "configure.wrf").unlink()
    folder = root / "main"
    (folder / "CMakeFiles" / "wrf.dir").mkdir(parents=True)
    for layer_, old in {"io_netcdf": "wrfio_nf", "io_pnetcdf": "wrfio_pnf"}.items():
        (root / "external" / layer_).mkdir(parents=True)
        shutil.copy(
            tree.root / "external" / layer_ / f"lib{old}.a", root / "external" / layer_ / f"lib{layer_}.a"
        )
    shutil.copy(tree.root / "main" / "libwrflib.a", root / "libWRF_Core.a")
    shutil.copy(tree.root / "main" / "wrf.o", folder / "CMakeFiles" / "wrf.dir" / "wrf.F.o")
    (folder / "CMakeFiles" / "wrf.dir" / "flags.make").write_text("Fortran_DEFINES = -DDM_PARALLEL=1\n")
    (folder / "CMakeFiles" / "wrf.dir" / "link.txt").write_text(
        "cc  -O1 CMakeFiles/wrf.dir/wrf.F.o -o wrf  ../libWRF_Core.a ../external/io_netcdf/libio_netcdf.a "
        "../external/io_pnetcdf/libio_pnetcdf.a -lm ../external/io_netcdf/libio_netcdf.a\n"
    )


@pytest.mark.parametrize("named", ["source", "build"])
def test_a_build_by_cmake_is_linked_by_its_own_command(tree, named):
    build = tree.root / "_build"
    cmake(tree, build)
    found = relink.plan(tree.root if named == "source" else build, [], relink.NAME)
    found.run()
    assert found.output == build / "main" / "wrf_squall.exe"
    assert said_by(found.output) == ["ext_pnc_ioinit_ of Squall", "ext_ncd_ioinit_ of Squall"]


def test_a_program_that_cmake_did_not_build_is_named(tree):
    cmake(tree, tree.root / "_build")
    with pytest.raises(UserError, match="_build builds no ndown: configure WRF for the case EM_REAL"):
        relink.plan(tree.root, [], relink.name_of("ndown"), "ndown")


def test_a_generator_that_does_not_tell_is_named(tree):
    (tree.root / "configure.wrf").unlink()
    (tree.root / "CMakeCache.txt").touch()
    refused(tree, match="Unix Makefiles")


def test_the_library_stands_where_the_first_archive_was_or_after_those_that_stay(tmp_path):
    words = ["ld", "-o", "wrf.exe", "wrf.o", "-La", "-lwrfio_nf", "-Lb", "-lnetcdf", "-Lc", "-lwrfio_pnf"]
    words.append("-lpnetcdf")
    line, ours = LinkLine(tmp_path, words), ["-L/s", "-lsquall_wrf", "-Wl,-rpath,/s"]
    pnc, _, ncd = LAYERS
    library = tmp_path.__class__("/s") / relink.LIBRARY
    start, rest = ["ld", "-o", "x", "wrf.o"], ["-Lb", "-lnetcdf"]
    assert line.replaced([pnc, ncd], library, "x") == [*start, *ours, *rest, "-lpnetcdf"]
    own = ["-Lc", "-lwrfio_pnf"]
    assert line.replaced([ncd], library, "x") == [*start, *rest, *own, *ours, "-lpnetcdf"]
    own = ["-La", "-lwrfio_nf"]
    assert line.replaced([pnc], library, "x") == [*start, *own, *ours, *rest, "-lpnetcdf"]


def test_make_s_own_variables_do_not_reach_the_makefile(tree, monkeypatch):
    monkeypatch.setenv("MAKEFLAGS", "n")
    relink.plan(tree.root, [], relink.NAME).run()
    assert os.access(tree.root / "main" / relink.NAME, os.X_OK)
