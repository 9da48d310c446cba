"""The wheel of `make wheel` on a bare Debian, installed as its container's recipe says: Python with its venv,
no compiler, no -dev package, and of the network nothing but what pip fetched before."""

import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

from squall import forms
from squall.locate import CHECKOUT

pytestmark = [pytest.mark.long, pytest.mark.seconds(900)]

RECIPE = (CHECKOUT / "packaging" / "wheel" / "Containerfile").read_text()
#: Releases with a Python that Squall runs on, and its version.
RELEASES = {"bookworm": "3.11", "trixie": "3.13"}
#: Ten steps of a storm, with three frames.
SHORT = [
    "--overwrite", "--set", 'run.duration="120 s"', "--set", 'output.history.interval="60 s"',
    "--set", "domain.nx=25", "--set", "domain.ny=25",
]  # fmt: skip
ENGINES = {"netcdf", "netcdf-split", "netcdf-parallel", "pnetcdf", "zarr", "adios", "sst", "null"}
OTHER_MPI = "4.3.2"
# In namespaces of its own, whose mounts and processes end with it.
_ENTER = """
set -e
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount --rbind /sys "$1/sys"
root=$1; shift
exec chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/opt/squall/bin:/usr/bin:/bin \\
    PIP_NO_INDEX=1 PIP_FIND_LINKS=/fetched "$@"
"""


def done(*command, **options):
    said = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=900, check=False, **options
    )
    assert said.returncode == 0, f"{command}\n{said.stdout[-3000:]}{said.stderr[-3000:]}"
    return said.stdout


@pytest.fixture(scope="module")
def wheel():
    found = sorted((CHECKOUT / "dist").glob("squall-*-py3-none-manylinux_*.whl"))
    if not found:
        pytest.skip("there is no wheel in dist/: make wheel")
    return found[-1]


@pytest.fixture(scope="module", params=RELEASES)
def bare(request, wheel, tmp_path_factory):
    """Runs a command in a bare Debian in which the recipe has installed the wheel, and nothing else."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a Debian system and change into it")
    if not shutil.which("mmdebstrap"):
        pytest.skip(
            "mmdebstrap, which makes a bare Debian system, is not here: sudo apt-get install mmdebstrap"
        )
    root = tmp_path_factory.mktemp(request.param) / "root"
    make_debian(request.param, root, tmp_path_factory.mktemp("apt") / "debian.sources")
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "-d", root / "fetched"]
    done(*fetch, "--only-binary=:all:", "--python-version", RELEASES[request.param], f"{wheel}[all]")
    (root / "other").mkdir()
    done(*fetch[:-1], root / "other", "--no-deps", f"mpich=={OTHER_MPI}")

    def run(*command):
        return done("unshare", "--mount", "--pid", "--fork", "sh", "-c", _ENTER, "-", root, *command)

    run.root, run.release, run.wheel = root, request.param, wheel
    (root / "wheel").mkdir()
    shutil.copy(wheel, root / "wheel")
    for step in re.findall(r"^RUN (.*)$", RECIPE, re.M)[1:]:  # the first installs packages, which are there
        run("sh", "-c", step)
    run("mkdir", "/made")
    yield run
    shutil.rmtree(root)


def make_debian(release, root, sources):
    """A Debian with the packages that the recipe asks for, from where this machine's come."""
    lists = [
        p for p in Path("/etc/apt/sources.list.d").glob("*.sources") if "Suites: bookworm" in p.read_text()
    ]
    sources.write_text("\n".join(p.read_text().replace("bookworm", release) for p in lists))
    packages = re.search(r'^ARG packages="(.*)"$', RECIPE, re.M)[1].replace(" ", ",")
    kind = [
        "--mode=root",
        "--variant=minbase",
        "--dpkgopt=force-unsafe-io",
    ]  # it need not outlive a power cut
    make = ["mmdebstrap", *kind, f"--include={packages}", release, root, sources]
    done("unshare", "--mount", *make)  # what it mounts ends with it


def is_drawn(picture):
    """Whether a picture is of many colours: no blank sheet, and no text alone."""
    pixels = matplotlib.image.imread(picture)[..., :3]
    return len(np.unique((255 * pixels).astype(int).reshape(-1, 3), axis=0)) > 100


def digest(folder):
    """Of all files of a run's history, in the order of their names."""
    files = sorted(folder.glob("history_*.nc"))
    assert len(files) == 3
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def test_nothing_that_compiles_is_there(bare):
    there = {path.name for path in (bare.root / "usr" / "bin").iterdir()}
    assert not there & {"gcc", "cc", "g++", "make", "cmake", "ld", "mpirun"}


def test_doctor_finds_all_engines_and_tells_the_mpi_and_the_processor(bare):
    said = " ".join(bare("squall", "doctor").split())
    assert "not in this build" not in said
    assert "of x86-64-v3, x86-64-v4 in the wheel" in said
    assert re.search(r"MPI library MPICH Version: 5\.\S+ \(/opt/squall/lib/libmpi\.so\.12\)", said), said
    assert "share/squall/radiation" in said
    assert re.search(r"ok eccodes 2\.\S+, with the library ecCodes 2\.\S+", said), (
        said
    )  # trixie's is the wheel's
    engines = json.loads(bare("squall-io", "engines", "--json"))
    assert {engine["name"] for engine in engines if not engine["missing"]} == ENGINES


def test_every_program_starts(bare):
    programs = {path.name for path in (bare.root / "opt/squall/bin").glob("squall-*")}
    assert programs >= {"squall-model", "squall-transport", "squall-planner", "squall-io", "squall-radiation"}
    for program in programs:
        missing = bare("sh", "-c", f"LD_TRACE_LOADED_OBJECTS=1 /opt/squall/bin/{program}")
        assert "not found" not in missing, f"{program}: {missing}"


def test_the_first_storm_has_a_chart_and_a_page(bare):
    bare("sh", "-c", "cd /made && squall run supercell && squall plot runs/supercell -o storm.png")
    assert is_drawn(bare.root / "made/storm.png")
    page = bare("python3", "-c", _PAGE)
    assert "<title>Squall" in page


def test_from_pip_to_the_first_chart_is_less_than_a_minute_of_the_processor(bare):
    """As the page says it, so on an idle machine it is less than a minute, too; others may use this one."""
    (block,) = re.findall(
        r"^\*\*With pip\*\*.*?\n\n(.*?)\n\n", (CHECKOUT / "docs/how-to/install.md").read_text(), re.S | re.M
    )
    lines = [line.partition("#")[0].strip() for line in block.splitlines()]
    typed = [line for line in lines if not line.startswith(("squall doctor", "squall watch"))]
    assert [line.split()[0] for line in typed] == ["python3", "pip", "squall"]
    (bare.root / "first").mkdir()
    shutil.copy(bare.wheel, bare.root / "first")
    typed = " && ".join(typed).replace("squall-0.1.0-py3-none-manylinux_2_35_x86_64.whl", bare.wheel.name)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    bare("bash", "-c", f"cd /first && {typed}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert is_drawn(bare.root / "first/runs/supercell/supercell.png")
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"from pip install to the chart of a storm: {took:.0f} s of the processor")
    assert took < 60


_PAGE = """
import re, subprocess, urllib.request
server = subprocess.Popen(["squall", "watch", "/made/runs/supercell"], stdout=subprocess.PIPE, text=True)
address = next(found[0] for line in server.stdout if (found := re.search(r"http://\\S+", line)))
cookies = urllib.request.HTTPCookieProcessor()  # the address has a token, for which the page gives a cookie
print(urllib.request.build_opener(cookies).open(address).read().decode())
server.terminate()
server.wait()
"""


def test_a_forecast_of_real_weather_is_made_of_the_data_in_the_wheel(bare):
    bare("squall", "new", "/made/january/storm.toml", "--case", "january-storm")
    bare("squall", "prepare", "/made/january/storm.toml")
    hour = ["--set", 'run.duration="1 h"', "--set", "run.directory=/made/january/run"]
    bare("squall", "run", "/made/january/storm.toml", *hour)
    bare("squall", "plot", "/made/january/run", "-o", "/made/january.png")
    assert is_drawn(bare.root / "made/january.png")


def test_both_forms_and_two_ranks_compute_the_same_bits(bare):
    case = ["/opt/squall/share/squall/run-files/supercell.toml", *SHORT, "--set"]
    bits = {}
    for form, without in (
        ("x86-64-v4", []),
        ("x86-64-v3", ["env", "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F"]),
    ):
        if f"{form}, of" not in " ".join(bare(*without, "squall", "doctor").split()):
            continue  # an older processor
        bare(*without, "squall-model", *case, f"run.directory=/made/{form}")
        bits[form] = digest(bare.root / "made" / form)
    assert "x86-64-v3" in bits
    bare("squall", "run", "supercell", "-n", "2", *SHORT, "--set", "run.directory=/made/two")
    bits["two ranks"] = digest(bare.root / "made" / "two")
    assert len(set(bits.values())) == 1, bits


def test_a_processor_without_avx2_is_refused_in_words(bare):
    command = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2 squall run supercell 2>&1; echo exit code $?"
    said = " ".join(bare("sh", "-c", command).split())
    assert f"The wheel's model needs {forms.NEEDED}" in said
    assert "exit code 2" in said


def test_squall_mpi_puts_another_mpi_in_its_place(bare):
    bare("sh", "-c", "python3 -m venv /mpi && /mpi/bin/pip install /other/mpich-*.whl")
    other = ["env", "SQUALL_MPI=/mpi"]
    said = " ".join(bare(*other, "squall", "doctor").split())
    assert f"MPICH Version: {OTHER_MPI} (/mpi/lib/libmpi.so.12)" in said
    assert "/mpi/bin/mpi" in said
    bare(*other, "squall", "run", "supercell", "-n", "2", *SHORT, "--set", "run.directory=/made/other")
    bare("squall", "check", "/made/other")


@pytest.mark.parametrize("engine", sorted(ENGINES - {"sst", "null"}))
def test_every_engine_writes(bare, engine):
    folder = f"/made/{engine}"
    chosen = ["--set", f"run.directory={folder}", "--set", f"output.history.engine={engine}"]
    bare("squall", "run", "supercell", *SHORT, *chosen)
    bare("squall", "check", folder)
