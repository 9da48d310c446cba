"""The commands of `squall` that the pages show are given, in a folder that has what they name. Those that are
not are in a list, with the reason. Commands of other programs are other tests': test_transport.py,
test_examples.py, test_setup.py (make) and CI, which types what a newcomer types."""

import re
import shutil
from pathlib import Path

import matplotlib
import pytest

from pages_world import World
from squall import locate
from squall.errors import UserError
from test_pages import PAGES, calls, fenced

pytestmark = [pytest.mark.regression, pytest.mark.seconds(60)]

#: How the commands begin that are not run here, and why.
LEFT_OUT = {
    "forecast|fetch": "over the network: test_forecast.py, test_fetch*.py do it with servers of this machine",
    "watch": "serves until it is stopped: test_watch_*.py",
    "lab": "measures for minutes to hours: test_lab_*.py, tests/regression, studies/tests",
    "wrf": "needs a compiled WRF: test_wrf_*.py",
    "plan": "of a machine that was measured for minutes: test_plan*.py",
    ".* --submit|.* --launcher": "needs a batch system: test_jobs.py",
    ".* --(tuned|profile)": "of what takes minutes to find: test_lab_tune.py, test_profile.py",
    "run (my-case|forecast).toml -n (4|64|128)": "for larger machines than tests may ask for: test_run.py",
    "run .* --device gpu": "needs a graphics processor: test_hardware.py",
    "convert big.bp|.* --engine pnetcdf": "needs ADIOS2, PnetCDF: test_io_tools.py",
    "prepare (met_em|gfs|nam|--wants|runs/coarse|forecast)": "of files from elsewhere: test_prepare_*.py",
    "new .* --from-wrfinput|import": "of WRF's files: test_new.py, test_import*.py",
    "(prepare|run|plot) runs/innsbruck": "of a download: test_forecast.py",
    "run (storm|my-forecast)/forecast.toml": "of files from elsewhere: test_prepare_*.py",
    "transport (prepare|run case.toml)": "of files from elsewhere: test_transport_winds.py",
    "diff a.nc b.zarr": "no files of a page: test_inspection.py",
}
#: Exit codes other than 0 that are meant: of runs that differ, one that has ended, a plan for one that is
#: there already.
MEANT = {"diff ": 1, "stop ": 1, "run mesonet.toml --plan": 1}
#: Pages whose commands every change is tested by: what a newcomer types (those of the first forecast are of
#: `make demo`). The others take minutes; what their commands do is tested where these are, and that they are
#: written rightly in test_pages.py.
ALWAYS = ("README.md", "docs/index.md")
#: Of a page, the case that a name of its own is of.
CASES = {
    "docs/how-to/workflows.md": {"storm": "january-storm"},
    "docs/how-to/install.md": {"storm": "january-storm"},
}


def shown(text):
    """The commands in a page's blocks, each once; words that stand for others are none."""
    found = calls(re.sub(r"`[^`\n]+`", "", text))
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


def files_of_pages(world, words):
    """Files that pages name without a command that makes them."""
    for word in words:
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
def test_the_commands_of_a_page_do_what_it_says(page, stash, tmp_path):
    world = World(tmp_path / "here", stash, CASES.get(page, {}))
    for words in RUN[page]:
        if words[0] == "new":
            (world.folder / words[1]).unlink(missing_ok=True)
        else:
            world.bring(words)
        files_of_pages(world, words)
        said = world.squall(*given(world, words))
        meant = {0} | {code for begin, code in MEANT.items() if " ".join(words).startswith(begin)}
        assert said.returncode in meant, f"{words}\n{said.stdout}{said.stderr}"
        assert "Traceback" not in said.stderr
        if words[0] == "plot":
            (picture,) = re.findall(r"(?:Picture|Animation): (.*)", said.stdout)
            assert (world.folder / picture).stat().st_size > 5000
        if words[0] == "new":
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
