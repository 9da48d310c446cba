"""Folders in which the commands of the pages can be given: with the files and runs that they name, small. A
run is made once, when a command first names it, and copied for each page."""

import re
import shutil
import tomllib

import commands
from squall import locate
from squall.new import tables_of
from squall.run_files.run_file import Line, render, toml

#: Of a case, what makes it a matter of seconds.
SMALL = {
    "january-storm": (
        "domain.nx=25", "domain.ny=21", 'domain.dx="120 km"', "domain.nz=20", 'run.time_step="600 s"',
        'output.history.interval="2 h"',
    ),
    "supercell": ("domain.nx=25", "domain.ny=25", "domain.nz=20", 'run.duration="64 min"'),
    "baroclinic-wave": (
        "domain.nx=20", "domain.ny=40", "domain.nz=16", 'domain.dx="200 km"', 'run.time_step="1200 s"',
        'run.duration="4 d"',
    ),
    "density-current": ("domain.nx=128", "domain.nz=32", 'domain.dx="400 m"', 'run.time_step="2 s"'),
    "mountain-schaer": ("domain.nz=30", 'run.duration="10 min"', 'output.history.interval="5 min"'),
    "mesonet": ("domain.nz=20", 'run.duration="12 min"'),
    "gabls1": ('run.duration="1 h"',),
    "grass-fire": ("domain.nz=12", 'run.duration="40 s"', 'output.history.interval="20 s"'),
    "wangara-night": ('run.duration="1 h"',),
}  # fmt: skip
#: The same of every case on the globe.
ON_THE_GLOBE = ("grid.nlon=32", "grid.nlat=16", "vertical.nz=10")
#: The case of what a page names otherwise.
CASES = {
    **dict.fromkeys(("storm", "bubble"), "supercell"),
    **dict.fromkeys(("my-case", "a", "b", "whole"), "baroclinic-wave"),
    **dict.fromkeys(("reference", "other-physics", "forecast", "great-north-run"), "january-storm"),
}
#: What a run has beside that.
MORE = {
    **dict.fromkeys(
        ("a", "b"),
        (
            'output.history.path="history_%Y-%m-%d.split"', 'output.history.engine="netcdf-split"',
            "output.history.frames_per_file=2", 'run.duration="36 h"',
        ),
    ),
    "whole": ('output.history.path="history.nc"', "output.history.frames_per_file=9"),
    "my-case": ('run.duration="30 h"', 'output.restart.interval="1 d"'),
}  # fmt: skip


class World:
    """A page's folder. stash: another one, where all pages have their runs from; None: this is the stash.
    cases, more: of names, what is the page's own beside CASES and MORE."""

    def __init__(self, folder, stash=None, cases=(), more=()):
        self.folder, self.stash = folder, stash
        self.cases, self.more = CASES | dict(cases), MORE | dict(more)
        folder.mkdir(exist_ok=True)

    def squall(self, *words):
        return commands.squall(words, self.folder, drawn=False)

    def done(self, *words):
        said = self.squall(*words)
        assert said.returncode == 0, f"squall {words}\n{said.stdout}{said.stderr}"
        return said

    def case(self, name):
        return self.cases.get(name, name)

    def bring(self, words):
        """Makes the runs and run files that the words of a command name, where they are not here yet."""
        if words[0] == "transport":
            return
        for word in words:
            if found := re.fullmatch(r"(runs/([\w-]+)/)?([\w-]+)\.toml", word):
                self.run_file(self.folder / word, self.case(found[3]), found[3])
            elif found := re.match(r"runs/([\w-]+)", word):
                self.run(found[1])

    def run_file(self, path, case, name):
        """A run file of a case, small, prepared if it needs that."""
        if path.exists():
            return
        if self.stash:
            made = self.stash.folder / "run-files" / case
            self.stash.run_file(made / f"{case}.toml", case, case)
            shutil.copytree(made, path.parent, dirs_exist_ok=True)
            (path.parent / f"{case}.toml").rename(path)
            self.make_small(path, case, name)
            return
        path.parent.mkdir(parents=True)
        self.done("new", path, "--case", case)
        self.make_small(path, case, name)
        if case == "january-storm":
            self.done("prepare", path)

    def make_small(self, path, case, name):
        tables = {table: dict(keys) for table, keys in tables_of(tomllib.loads(path.read_text())).items()}
        for setting in (*SMALL.get(case, ()), *self.more.get(name, ()), f'run.directory="runs/{name}"'):
            key, _, value = setting.partition("=")
            table, _, key = key.rpartition(".")
            tables.setdefault(table, {})[key] = tomllib.loads(f"value = {value}")["value"]
        lines = {
            table: [Line(key, toml(value)) for key, value in keys.items()] for table, keys in tables.items()
        }
        path.write_text(render(["Of a page, small."], lines))

    def shorten(self, name):
        """Makes a run file that came of a namelist one of three hours, to WRF's first frame."""
        path = self.folder / name
        text, made = re.subn(r'(?m)^duration = "[^"]*"', 'duration = "3 h"', path.read_text())
        assert made == 1
        path.write_text(text)

    def run(self, name):
        """The run runs/NAME."""
        directory, case = self.folder / "runs" / name, self.case(name)
        if directory.exists():
            return
        if self.stash:
            self.stash.run(name if name in MORE else case)
            shutil.copytree(self.stash.folder / "runs" / (name if name in MORE else case), directory)
            return
        if case in locate.transport_files():
            own = ("--set", f"run.directory=runs/{name}")
            self.done("transport", "run", case, *self.small_globe(), *own)
            return
        path = self.folder / "run-files" / name / f"{name}.toml"
        self.run_file(path, case, name)
        self.done("run", path)

    def small_globe(self):
        return [word for setting in ON_THE_GLOBE for word in ("--set", setting)]

    def shrunk(self, case):
        """The words that make a case that comes with Squall small."""
        known = case in locate.case_files()
        return [word for setting in SMALL.get(case, ()) for word in ("--set", setting)] if known else []
