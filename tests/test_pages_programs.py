"""The commands on the pages that are not `squall`'s: each is given here or by a test that a list names."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import netCDF4
import numpy as np
import pytest

from page_blocks import PAGES, SHELL, blocks
from pages_world import World
from squall import locate
from squall.errors import UserError
from squall.lab.verify import radiation_columns

pytestmark = [pytest.mark.regression, pytest.mark.seconds(30)]

#: How commands begin that other tests give, or that none can, and why.
ELSEWHERE = {
    "make ": "its targets exist: test_pages.py; CI types what a newcomer types: .ci/run",
    "(python3 -m venv|pip install --no-compile)": "test_wheel.py types this page",
    "(source|export|module|cd) ": "for the shell that types what comes next",
    "pip (install|wheel)": "compiles for minutes: test_packaging.py has what is installed",
    "cp dist/|eb |spack |rattler-build ": "of other package managers: test_needs.py, tools/check-recipes",
    "(podman|apptainer) ": "need a container's program: test_wheel.py types the recipe's steps",
    "python (follow_live|zonal_means|compare_wrf).py": "test_analysis_examples.py",
    "(cmake|mpicxx|mpicc|mpifort|mpirun -n 4 (build/heat|python example)).*": "test_examples.py",
    "build/release/transport/(moments|frames)-bench": "measure, and are built when they are asked for",
    "squall-transport|mpirun -n 4 squall-transport": "test_transport.py",
    "mpirun -n 4 ...|tools/faults": "io/tests/faults/test_fault_trials.py",
    "squall-(model|io) |mpirun -n 4 squall-io": "the form of a command line; test_run.py, test_io_tools.py",
    "echo .* > changelog.d/": "test_release.py",
    r"\$\(tools/adios2 --prefix\)/bin/bpls": "needs ADIOS2: io/tests/test_adios.cpp",
    "ssh ": "to another machine",
    "(srun|sbatch|if|fi|status=)": "needs a batch system: test_jobs.py",
    "for hour .*ecflow_client": "of ecFlow: test_status.py",
    "timeout ": "signals to a run: test_stop.py",
    "(ln -sf /path|mpiexec -n 6)": "needs a compiled WRF: test_wrf_relink.py, test_wrf_layers.py",
    "tools/gpu_check.py": "test_gpu_check.py",
    "tools/watch-speed": "measures: watch_speed.py, test_watch_server.py",
}
#: Those that are given here: a page, and how the lines begin.
HERE = {
    "docs/how-to/convert.md": "for d",
    "docs/how-to/netcdf.md": "export HDF5_PLUGIN_PATH",
    "docs/how-to/workflows.md": "tail ",
    "docs/explanation/radiation.md": "squall-radiation",
    "docs/tutorials/first-storm.md": "cp run-files",
}
_SQUALL = r"(\w+=\S* +)*squall "


def joined(code):
    """The lines of a block without comments, each whole: to the end of a loop, a pipe or a long line."""
    text = re.sub(r"(^|\s)#.*", "", code.replace("\\\n", " "))
    text = re.sub(
        r"\bdo\n.*?\bdone\b", lambda loop: loop[0].replace("\n", "; ").replace("do;", "do"), text, flags=re.S
    )
    for line in re.sub(r"\|\n\s*", "| ", text).splitlines():
        if words := line.strip().removeprefix("$ "):
            yield words


def is_given(line):
    """Whether a line is of `squall` alone, or in one of the lists."""
    return any(
        re.match(pattern, re.sub(r"^(\w+=(\"[^\"]*\"|\S*) +)+", "", line))
        for pattern in (_SQUALL, *ELSEWHERE, *HERE.values())
    )


def commands_of(page):
    """The lines of a page's blocks that are for a shell. A block whose first line is no command of the lists,
    nor begins with a program of this machine, is of something else: a formula, or what was said."""
    for language, code in blocks(PAGES[page]):
        lines = list(joined(code)) if language in SHELL else []
        if language == "bash" or any(is_given(line) or shutil.which(line.split()[0]) for line in lines[:1]):
            yield from (line for line in lines if not line.startswith("%include"))


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_is_given_by_a_test(page):
    assert [line for line in commands_of(page) if not is_given(line)] == []


def test_the_lists_are_of_what_is_there():
    lines = [re.sub(r"^(\w+=(\"[^\"]*\"|\S*) +)+", "", line) for page in PAGES for line in commands_of(page)]
    assert [known for known in ELSEWHERE if not any(re.match(known, line) for line in lines)] == []
    named = {name for why in ELSEWHERE.values() for name in re.findall(r"[\w./]+\.(?:py|cpp)|\.ci/run", why)}
    for name in named | {"tools/check-recipes"}:
        assert any((locate.CHECKOUT / folder / name).exists() for folder in (".", "tests")), name


def test_a_command_that_no_test_gives_would_be_found(monkeypatch):
    monkeypatch.setitem(PAGES, "a", "1. Then\n\n        sed -i s/a/b/ storm.toml\n\n    $ squall info x\n")
    assert [line for line in commands_of("a") if not is_given(line)] == ["sed -i s/a/b/ storm.toml"]
    monkeypatch.setitem(PAGES, "b", "It is\n\n    K = 0.4 w z\n")
    assert list(commands_of("b")) == []


@pytest.fixture
def shell(tmp_path):
    """Types what a page shows, in a folder with what it names."""
    try:
        programs = {locate.model_binary().parent, locate.io_binary().parent, locate.radiation_binary().parent}
    except UserError:
        pytest.skip("the programs are not built (make build)")
    world = World(tmp_path / "here")
    path = os.pathsep.join([str(Path(sys.executable).parent), *map(str, programs), os.environ["PATH"]])

    def types(page):
        (line,) = [line for line in commands_of(page) if line.startswith(HERE[page])]
        said = subprocess.run(
            ["bash", "-ec", line], cwd=world.folder, env=os.environ | {"PATH": path}, capture_output=True,
            text=True, timeout=60, check=False,
        )  # fmt: skip
        assert said.returncode == 0, f"{line}\n{said.stdout}{said.stderr}"
        return said.stdout

    types.world = world
    return types


def test_squall_radiation_computes_the_fluxes_of_columns(shell):
    """As the solver called by its name does, of two columns of dry air under the sun."""
    levels, layers = np.linspace(100e3, 10e3, 11), np.linspace(95.5e3, 14.5e3, 10)
    warm = lambda p: np.tile(200 + 90e-5 * p, (2, 1))  # noqa: E731
    each = {"surface_temperature": 290, "emissivity": 1, "albedo": 0.2, "cosine": 0.5, "irradiance": 1361}
    columns = {name: np.full(2, value) for name, value in each.items()} | {
        "pressure": np.tile(levels, (2, 1)), "temperature": warm(levels),
        "layer_pressure": np.tile(layers, (2, 1)), "layer_temperature": warm(layers),
        "h2o": np.full((2, 10), 0.01), "o3": np.full((2, 10), 1e-6),
    }  # fmt: skip
    fluxes = radiation_columns.solve(columns, shell.world.folder / "columns.nc", "broadband")
    shell("docs/explanation/radiation.md")
    told = np.loadtxt(shell.world.folder / "fluxes.txt").reshape(2, 11, 8)
    assert (told[..., 3] == fluxes.longwave_up).all()
    assert 300 < told[0, 0, 3] < 420
    assert told[0, 0, 6] > 100


def test_a_loop_stitches_each_of_the_parts(shell):
    shell.world.run("a")
    shell("docs/how-to/convert.md")
    made = sorted((shell.world.folder / "runs/a").glob("*.nc"))
    assert len(made) == len(list((shell.world.folder / "runs/a").glob("*.split"))) > 0
    with netCDF4.Dataset(made[0]) as data:
        assert len(data.dimensions["Time"]) == 2


def test_a_shell_waits_for_a_frame_of_the_manifest(shell):
    """That of a run which has ended has the line."""
    folder = shell.world.folder / "runs/storm"
    folder.mkdir(parents=True)
    line = (
        '{"event":"frame","time":"2007-01-24T18:00:00","file":"history_2007-01-24_18:00:00.nc","frame":0}\n'
    )
    (folder / "history.manifest.jsonl").write_text(line * 2)
    assert shell("docs/how-to/workflows.md") == line


def test_the_run_file_of_a_case_is_copied(shell):
    shutil.copytree(locate.CHECKOUT / "run-files", shell.world.folder / "run-files")
    shell("docs/tutorials/first-storm.md")
    assert (shell.world.folder / "storm.toml").read_bytes() == locate.run_file("supercell").read_bytes()


def test_netcdf_has_a_folder_of_plugins_for_other_programs():
    (line,) = [line for line in commands_of("docs/how-to/netcdf.md") if line.startswith("export HDF5")]
    here = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    said = subprocess.run(
        ["bash", "-c", f"{line}\nls $HDF5_PLUGIN_PATH"], env=here, capture_output=True, text=True, check=True
    )
    assert re.search("zstd", said.stdout, re.I), said
