"""The commands of `squall` that the pages show are given, in a folder that has what they name. Those that are
not are in a list, with the reason. Commands of other programs are other tests': test_transport.py,
test_examples.py, test_setup.py (make) and CI, which types what a newcomer types."""

import re
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import matplotlib
import pytest

import gfs_bucket
import made_machines
from page_blocks import PAGES, calls, fenced, typed
from pages_world import World
from squall import locate
from squall.errors import UserError
from squall.fetch import tables
from squall.lab.prediction import machine_file
from squall.lab.verify import data

pytestmark = [pytest.mark.regression, pytest.mark.seconds(60)]

#: How the commands begin that are not run here, and why.
LEFT_OUT = {
    "fetch (radiation|land)": "from the registry of Python: test_fetch_tables.py, test_fetch_land.py",
    "fetch era5": "needs an account: test_fetch.py",
    "forecast .* --source (hrrr|era5)": "of a source without a file here: test_fetch.py",
    "run .*03:10:00.nc": "of a run that was stopped by hand: test_stop.py",
    "fetch gfs runs/innsbruck": "of a folder that the date names: `forecast Innsbruck`, above it, does it",
    "watch": "serves until it is stopped: test_watch_*.py",
    "lab (?!reproduce --list)": "measures for minutes or hours: test_lab_*.py, tests/regression",
    "import wrf/run/": "of a folder of WRF: `import namelist.input` does it",
    "wrf": "needs a compiled WRF: test_wrf_*.py",
    "plan .* --schemes": "of what takes eight minutes to measure: test_plan_physics.py",
    ".* --submit|.* --launcher": "needs a batch system: test_jobs.py",
    ".* --(tuned|profile)": "of what takes minutes to find: test_lab_tune.py, test_profile.py",
    "run (my-case|forecast).toml -n (4|64|128)": "for larger machines than tests may ask for: test_run.py",
    "run .* --device gpu": "needs a graphics processor: test_hardware.py",
    "convert big.bp|.* --engine pnetcdf": "needs ADIOS2, PnetCDF: test_io_tools.py",
    "prepare (met_em|gfs|nam|runs/coarse)": "of files from elsewhere: test_prepare_*.py",
    "(prepare|run|plot) runs/innsbruck": "of a folder that the date names: `forecast Innsbruck` does it",
    "run (storm|my-forecast)/forecast.toml": "of files from elsewhere: test_prepare_*.py",
    "transport (prepare|run (case|my-case).toml)": "of files from elsewhere: test_transport_winds.py",
    "diff a.nc b.zarr": "no files of a page: test_inspection.py",
}
#: Exit codes other than 0 that are meant: of runs that differ, one that has ended, a plan for one that is
#: there already, times of a run whose restart frames no measurement was compared with.
MEANT = {
    "diff ": 1, "stop ": 1, "run mesonet.toml --plan": 1,
    "plan --machine node.toml -n 2 my-case.toml --step-factor": 2,
    "plan --machine cluster.toml -n 512 my-case.toml --json": 2,
}  # fmt: skip
#: Pages whose commands every change is tested by, as they are cheap; those of the first page are of `make
#: demo`. The others take minutes; what their commands do is tested where these are, and that they are written
#: rightly in test_pages.py.
ALWAYS = ("docs/how-to/wrfinput.md", "docs/how-to/reproduce.md")
#: Of a page, the case that a name of its own is of.
CASES = {
    "docs/how-to/workflows.md": {"storm": "january-storm"},
    "docs/how-to/install.md": {"storm": "january-storm"},
    "docs/reference/commands.md": {"storm": "january-storm"},
}
#: What asks for an analysis of GFS.
_ANALYSED = {"forecast": ('run.start="2026-01-24T12:00:00"', 'prepare.analysis=["gfs/*.grib2"]')}
#: Of a page, what a run file of its own has beside that.
MORE = dict.fromkeys(("docs/how-to/get-data.md", "docs/reference/commands.md"), _ANALYSED)
#: What makes a forecast for a place, and a plan for a cluster, a matter of seconds.
SMALL_FORECAST = ("--hours", "3", "--spacing", "50 km", "--size", "36x30", "--levels", "20", "--yes")
#: Files of machines, with their nodes.
MACHINES = {"node.toml": 1, "cluster.toml": 1024}
WIDE = ("--set", "domain.nx=400", "--set", "domain.ny=800")


def shown(text):
    """The commands in a page's blocks, each once; words that stand for others are none, nor is what a loop of
    the shell does (test_pages_programs.py)."""
    found = (words for words in calls(typed(text)) if not any(word.startswith("$") for word in words))
    lines = dict.fromkeys(
        tuple(words) for words in found if not {"CASE", "RUN", "A", "IN", "[OPTIONS]"} & set(words)
    )
    return [list(words) for words in lines if not any(word.isupper() or "|" in word for word in words[1:2])]


def left_out(words):
    return any(re.match(f"({pattern})", " ".join(words)) for pattern in LEFT_OUT)


#: Commands that leave their runs as they are: what one page shows need not be run again for another.
READING = {"plot", "info", "check", "report", "doctor", "cases", "help", "completion", "diff", "support"}


def once_only(pages):
    """The commands of each page, those that read alone on the first page that has them."""
    seen = set()
    for page, commands in sorted(pages.items()):
        new = [c for c in commands if c[0] not in READING or (tuple(c), CASES.get(page) is None) not in seen]
        seen |= {(tuple(c), CASES.get(page) is None) for c in new}
        yield page, new


RUN = dict(once_only({page: [w for w in shown(text) if not left_out(w)] for page, text in PAGES.items()}))


@pytest.fixture(scope="module")
def stash(tmp_path_factory):
    try:
        locate.model_binary()
        locate.io_binary()
    except UserError:
        pytest.skip("the programs are not built (make build)")
    if locate.data_file("analysis.grb2") is None:
        pytest.skip("the data of the January storm are not here (make demo)")
    return World(tmp_path_factory.mktemp("stash"))


#: A run of WRF, as its folder has it.
WRF = {
    "namelist.input": "namelist.input", "wrfinput_d01": "wrfinput_d01", "wrfbdy_d01": "wrfbdy_d01",
    "wrfout_d01_2008-02-05_12:00:00": "wrf_reference.nc",
}  # fmt: skip


@pytest.fixture(scope="module")
def gfs():
    """GFS on a server of this machine."""
    try:
        file = data.folder("analysis") / gfs_bucket.FILE
    except data.Skipped as error:
        pytest.skip(str(error))
    with gfs_bucket.serving(file) as bucket, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SQUALL_GFS", bucket.address)
        patch.setenv("PIP_NO_INDEX", "1")
        yield bucket


def files_of_pages(world, words):
    """Files that pages name without a command that makes them."""
    if words[0] == "forecast" and tables.missing(tables.cache()):
        pytest.skip("the radiation's tables are not here (squall fetch radiation)")
    if words == ["prepare", "forecast.toml"] and not any(world.folder.glob("gfs/*")):
        world.done("fetch", "gfs", words[1])
    if set(words) & set(WRF):
        for name, stored in WRF.items():
            shutil.copyfile(data.folder("conus_2008-02-05") / stored, world.folder / name)
    for word in words:
        if word == "nam.grib2":
            leads = (datetime(2026, 1, 24, 12) + timedelta(hours=hours) for hours in (0, 3, 6))
            file = data.folder("analysis") / gfs_bucket.FILE
            (world.folder / word).write_bytes(b"".join(gfs_bucket.whole_file(file, at)[0] for at in leads))
        if word in MACHINES and not (world.folder / word).exists():
            cluster = machine_file.Cluster(MACHINES[word])
            frames = [made_machines.frame(0.3, engine) for engine in ("zarr", "netcdf")]
            apart = world.folder / f"of-{word}"
            apart.mkdir()
            made_machines.written(apart, made_machines.node(frames), cluster)
            (apart / "node.toml").replace(world.folder / word)
        if word.startswith("wrfout_d01_") and not (world.folder / word).exists():
            world.run("january-storm")
            shutil.copy(
                sorted((world.folder / "runs/january-storm").glob("history_*"))[-1], world.folder / word
            )
        if word == "history.nc" and words[0] == "convert":
            world.run("whole")
            shutil.copy(world.folder / "runs/whole/history.nc", world.folder / word)


def expanded(world, words):
    """As a shell expands names with stars."""
    for word in words:
        found = (
            sorted(str(p.relative_to(world.folder)) for p in world.folder.glob(word)) if "*" in word else []
        )
        yield from found or [word]


def given(world, words):
    """What is typed: cases that come with Squall are made small, and what is there already is replaced."""
    typed = list(expanded(world, words))
    target = world.folder / (
        words[2] if words[0] == "convert" else words[words.index("-o") + 1 if "-o" in words else 0]
    )
    if target.is_file():
        target.unlink()
    elif target.suffix == ".zarr":
        shutil.rmtree(target, ignore_errors=True)
    if words[0] == "forecast":
        typed += SMALL_FORECAST
    if "512" in words:
        typed += WIDE
    if words[:2] == ["transport", "run"]:
        typed += [*world.small_globe(), "--overwrite"]
    if words[0] == "run":
        typed += world.shrunk(words[1])
        if not {"--plan", "--continue", "--overwrite"} & set(words) and "restart_from" not in " ".join(words):
            typed += ["--overwrite"]
    return typed


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=() if page in ALWAYS else pytest.mark.long) for page in RUN if RUN[page]],
)
def test_the_commands_of_a_page_do_what_it_says(page, stash, gfs, tmp_path):
    world = World(tmp_path / "here", stash, CASES.get(page, {}), MORE.get(page, {}))
    for words in RUN[page]:
        if words[0] == "new":
            (world.folder / words[1]).unlink(missing_ok=True)
        elif words[0] != "import":
            world.bring([word for word in words if word not in MACHINES])
        files_of_pages(world, words)
        said = world.squall(*given(world, words))
        meant = {0} | {code for begin, code in MEANT.items() if " ".join(words).startswith(begin)}
        assert said.returncode in meant, f"{words}\n{said.stdout}{said.stderr}"
        assert "Traceback" not in said.stderr
        if words[0] == "plot":
            (picture,) = re.findall(r"(?:Picture|Animation): (.*)", said.stdout)
            assert (world.folder / picture).stat().st_size > 5000
        if words[0] == "import":
            world.shorten(re.search(r"^Written: (\S+\.toml)", said.stdout, re.M)[1])
        if words[0] == "new" and "--from-wrfinput" not in words:
            name = Path(words[1]).stem
            world.make_small(world.folder / words[1], world.case(name), name)


def test_what_is_left_out_is_on_the_pages():
    """So that the list does not grow old."""
    lines = [" ".join(words) for text in PAGES.values() for words in shown(text)]
    assert [
        pattern for pattern in LEFT_OUT if not any(re.match(f"({pattern})", line) for line in lines)
    ] == []
    assert sum(map(len, RUN.values())) > 80


#: Pages whose Python is not run here, and why.
NO_PYTHON = {
    "docs/how-to/adios2.md": "needs the package adios2, which is compiled with ADIOS2",
    "docs/how-to/analyse.md": "programs of example-programs/: test_analysis_examples.py",
    "docs/how-to/get-data.md": "over the network",
    "docs/how-to/stream.md": "a consumer of a run that goes on: test_follow_live.py",
    "docs/how-to/use-squall-io.md": "lines of a model with several ranks: test_python_io.py",
    "docs/tutorials/own-model.md": "lines of example-programs/heat: test_examples.py",
}


def python_of(page):
    """The blocks of a page that are run: all but those that follow a run to its end."""
    return (
        [] if page in NO_PYTHON else [b for b in fenced(PAGES[page], "python") if "squall.follow(" not in b]
    )


@pytest.mark.parametrize("page", [page for page in PAGES if python_of(page)])
def test_the_python_of_a_page_runs(page, stash, tmp_path, monkeypatch):
    world, names = World(tmp_path / "here", stash), {}
    monkeypatch.chdir(world.folder)
    with matplotlib.rc_context():
        matplotlib.use("Agg")
        for block in python_of(page):
            world.bring(["open", *re.findall(r'"(runs/[^"]*)"', block)])
            if "history.zarr" in block:
                world.run("whole")
                world.done("convert", "runs/whole/history.nc", "history.zarr")
            exec(compile(block, page, "exec"), names)
