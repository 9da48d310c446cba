"""Verifies that results do not depend on ranks, threads, tiles or restarts, bit for bit."""

import itertools
from contextlib import suppress
from pathlib import Path

import netCDF4
import numpy as np

from squall.differing import Differing
from squall.errors import UserError
from squall.lab.prepared import prepared
from squall.lab.verify import data, radiation, real_weather
from squall.lab.verify.bit_for_bit_setups import (
    ALL,
    CLASSIC,
    EVERYTHING,
    FOLDERS,
    PREPARED,
    REAL,
    SETUPS,
    Setup,
)
from squall.lab.verify.check import Check, Skipped
from squall.lab.workspace import Layout, Workspace
from squall.reader.dataset import history_files
from squall.results import picture

NAME = "bit-for-bit"
SOURCE = "the same run on one rank, one thread, one tile"

REFERENCE = Layout(ranks=1, threads=1, tile_x=10000, tile_y=10000)
LAYOUTS = (
    Layout(ranks=1, threads=1, tile_x=7, tile_y=3),
    Layout(ranks=1, threads=3, tile_x=16, tile_y=1),
    Layout(ranks=2, threads=1),
    Layout(ranks=3, threads=2, tile_x=5, tile_y=2),
    Layout(ranks=4, threads=1),
)


RESTARTED = Layout(ranks=3, threads=1, tile_x=6, tile_y=4)


def verify(workspace: Workspace) -> list[Check]:
    """All setups; those that need reference data or the radiation's tables only where these are."""
    checks = {}
    for setup in ALL:
        with suppress(Skipped):
            checks[setup] = verify_setup(workspace, setup)
    _draw(workspace, checks)
    return [check for of_setup in checks.values() for check in of_setup]


def verify_setup(workspace: Workspace, setup: str) -> list[Check]:
    """One of ALL in every layout, and cut in two by a restart in another layout.

    Raises Skipped where the reference data, or the radiation's tables, that it needs are not there.
    """
    name = f"{NAME}-{ALL.index(setup) + 1}"
    of = _of(setup)
    if setup in PREPARED:
        run_file = prepared(workspace, name, of.case, of.changes, hills=True, stormy=of.stormy)
    else:
        run_file = workspace.variant(name, of.case, of.changes)
    reference = workspace.run(f"{name}-reference", run_file, {}, REFERENCE)
    checks = []
    for layout in LAYOUTS:
        run = workspace.run(f"{name}-{_short(layout)}", run_file, {}, layout)
        checks.append(_check(setup, _describe(layout), differences(reference, run, whole=True)))
    restart = {"run.restart_from": str(_first_restart(reference))}
    run = workspace.run(f"{name}-restarted", run_file, restart, RESTARTED)
    checks.append(
        _check(setup, f"restarted, {_describe(RESTARTED)}", differences(reference, run, whole=False))
    )
    return checks


def _of(setup: str) -> Setup:
    if setup in (EVERYTHING, CLASSIC):
        radiation.require_tables()
    for own in (SETUPS, PREPARED):
        if setup in own:
            return own[setup]
    folder = data.folder(FOLDERS[setup]).resolve()
    files = real_weather.starting_from(folder / "wrfinput_d01", folder / "wrfbdy_d01")
    return Setup(real_weather.CASE, {**files, **REAL[setup]})


def differences(reference: Path, run: Path, *, whole: bool) -> list[str]:
    """What is not the same, bit for bit, in the histories of two runs, nests too: "frame: variable, points".

    `whole`: both must have the same frames; else those of `run` must be among the reference's.
    """
    ours, theirs = _histories(run), _histories(reference)
    strange = set(ours) ^ set(theirs) if whole else set(ours) - set(theirs)
    found = [f"{name}: in one run only" for name in sorted(strange)]
    for name in sorted(set(ours) & set(theirs)):
        found += [f"{name}: {difference}" for difference in _compare(theirs[name], ours[name])]
    return found


def _histories(run: Path) -> dict[str, Path]:
    """The files of the histories of all domains, by name."""
    found = list(history_files(run))
    with suppress(UserError):
        for domain in range(2, 100):
            found += history_files(run, domain)
    return {file.name: file for file in found}


def _compare(theirs: Path, ours: Path) -> list[str]:
    with netCDF4.Dataset(theirs) as a, netCDF4.Dataset(ours) as b:
        a.set_auto_maskandscale(False)
        b.set_auto_maskandscale(False)
        found = [f"{name}, in one file only" for name in sorted(set(a.variables) ^ set(b.variables))]
        for name in sorted(set(a.variables) & set(b.variables)):
            x, y = np.ascontiguousarray(a[name][...]), np.ascontiguousarray(b[name][...])
            if x.shape != y.shape or x.dtype != y.dtype:
                found.append(f"{name}, of another shape or type")
                continue
            differs = Differing(name, a[name].dimensions, x.size)
            differs.take(x, y, [0] * x.ndim)
            if differs.count:
                found.append(f"{name}, {differs.count} of {x.size} points")
    return found


def _first_restart(run: Path) -> Path:
    return min(run.glob("restart_*"))


def _short(layout: Layout) -> str:
    return f"{layout.ranks}x{layout.threads}-{layout.tile_x}x{layout.tile_y}"


def _describe(layout: Layout) -> str:
    tiles = f", tiles {layout.tile_x} x {layout.tile_y}" if layout.tile_x else ""
    return f"{_count(layout.ranks, 'rank')} x {_count(layout.threads, 'thread')}{tiles}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number > 1 else ''}"


def _check(setup: str, what: str, found: list[str]) -> Check:
    example = f" (first: {found[0]})" if found else ""
    quantity = f"fields that differ, {setup}, {what}{example}"
    return Check(NAME, quantity, 0.0, float(len(found)), 0.0, SOURCE, rule="at most")


def _draw(workspace: Workspace, checks: dict[str, list[Check]]) -> None:
    setups, layouts = list(checks), [_describe(layout) for layout in LAYOUTS]
    counts = np.array([[check.ours for check in of_setup] for of_setup in checks.values()])
    with picture(workspace.picture(NAME), 9, 4.5) as figure:
        axes = figure.subplots()
        axes.imshow(counts > 0, cmap="RdYlGn_r", vmin=-0.4, vmax=1.4, aspect="auto")
        for row, column in itertools.product(*map(range, counts.shape)):
            axes.text(column, row, f"{counts[row, column]:.0f}", ha="center", va="center")
        axes.set_yticks(range(len(setups)), setups)
        columns = [*layouts, "restarted, " + _describe(RESTARTED)]
        axes.set_xticks(
            range(len(columns)), [column.replace(" x ", "\nx ", 1).replace(", ", ",\n") for column in columns]
        )
        axes.set_title("Fields that differ from " + SOURCE)
