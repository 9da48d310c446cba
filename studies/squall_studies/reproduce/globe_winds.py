"""TOMCAT's winds at T106 on squall-transport: read by the first rank of each row of patches, or by one rank
for all, and handed out."""

import json
from datetime import datetime, timedelta
from math import prod
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from squall import locate
from squall.lab.verify.globe import GlobeLayout
from squall.plot import style
from squall.transport.globe import Globe, Levels
from squall.transport.run_file import read_run_file
from squall.transport.weather import Weather
from squall.transport.wind_file import WindWriter
from squall.transport.winds import Winds
from squall_studies.reproduce import charts
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

_RECORDS = 3  # all that a run of two intervals reads
_EVERY = 6  # h
_RANKS = (1, 2)
_STUDY = {80: (5, 16), 160: (5, 32), 400: (5, 80)}  # patches to the east and to the north
_FIELDS = 15  # of a record: u, v, t and q have layers, ps, two potentials and what the weather has do not
_WAYS = {"rows": "first rank of each row", "one": "one rank for all"}
_SPEED = 40.0  # m s-1 at the equator

_CASE = """
[run]
start = "2000-01-01T00:00:00"
duration = "{hours} h"
time_step = "1 h"
[grid]
kind = "gaussian"
nlon = {nlon}
nlat = {nlat}
[vertical]
nz = {nz}
top = "10 Pa"
coordinate = "hybrid"
[wind]
file = "winds.nc"
[tracer.q]
shape = "constant"
"""


def measure(context: Context) -> Found:
    """Of each way the median over runs in turn."""
    nlon, nlat, nz = (48, 24, 12) if context.quick else (320, 160, 60)
    folder = context.workspace.directory / "case"
    folder.mkdir(parents=True, exist_ok=True)
    case = folder / "winds.toml"
    case.write_text(_CASE.format(hours=(_RECORDS - 1) * _EVERY, nlon=nlon, nlat=nlat, nz=nz))
    with context.status("writing winds ..."):
        _write_winds(case, folder / "winds.nc")
    timing = context.workspace.directory / "timing.json"
    runs = []
    for ranks in _RANKS:
        told: dict[str, list[dict[str, float]]] = {way: [] for way in _WAYS}
        for _ in range(context.repeats):
            for way, of in told.items():
                settings = {"wind.read": f'"{way}"', "parallel.ranks_x": "1", "parallel.ranks_y": str(ranks)}
                with context.status(f"{ranks} rank{'s' * (ranks > 1)}, {_WAYS[way]} ..."):
                    context.workspace.run(
                        "winds", case, settings, GlobeLayout(ranks, 1), timing,
                        model=locate.transport_binary(),
                    )  # fmt: skip
                of.append(json.loads(timing.read_text())["winds"])
        for way, of in told.items():
            medians = {key: float(np.median([one[key] for one in of])) for key in of[0]}
            runs.append({"ranks": ranks, "way": way, **medians})
    return {"size": [nlon, nlat, nz], "runs": runs, "counted": counts((nlon, nlat, nz))}


def _write_winds(case: Path, path: Path) -> None:
    """A solid rotation about the poles, in balance by itself, under a surface pressure that stays."""
    run = read_run_file(case)
    globe, levels = run.globe, run.levels
    assert levels is not None
    with WindWriter(path, globe, levels, convective=False, about={"title": "solid rotation"}) as file:
        for n in range(_RECORDS):
            file.add(_winds(globe, levels, run.start + timedelta(hours=_EVERY * n)), _weather(globe))


def _winds(globe: Globe, levels: Levels, time: datetime) -> Winds:
    cells = (levels.nz, globe.nlat, globe.nlon)
    u = np.broadcast_to(_SPEED * np.cos(globe.lat)[:, None], cells)
    return Winds(
        time,
        np.full(cells[1:], 1e5),
        u.astype(np.float32),
        np.zeros(cells, np.float32),
        np.full(cells, 280.0, np.float32),
        np.zeros(cells, np.float32),
    )


def _weather(globe: Globe) -> Weather:
    still = {"friction_velocity": 0.3, "boundary_layer_height": 500.0}
    names = (
        "boundary_layer_height friction_velocity sensible_heat_flux latent_heat_flux rain_rate "
        "convective_rain_rate land_fraction sea_ice frozen_fraction"
    )
    shape = (globe.nlat, globe.nlon)
    surface = {name: np.full(shape, still.get(name, 0.0), np.float32) for name in names.split()}
    return Weather(surface, None, None)


def counts(size: tuple[int, int, int]) -> dict[str, dict[str, dict[str, float]]]:
    """Messages and bytes of a record on the study's patches, by way; with them those of the study's former
    way, whole planes from one rank to each."""
    nlon, nlat, nz = size
    fields, column = _FIELDS, 8 * (4 * nz + _FIELDS - 4)
    record = column * nlon * nlat
    by_ranks: dict[str, dict[str, dict[str, float]]] = {}
    for ranks, (px, py) in _STUDY.items():
        patch = record / prod((px, py))
        by_ranks[str(ranks)] = {
            "whole planes to each": {
                "messages": (ranks - 1) * (4 * nz + fields - 4),
                "bytes": (ranks - 1) * record,
                "most": (ranks - 1) * record,
            },
            _WAYS["one"]: {
                "messages": (ranks - 1) * fields,
                "bytes": record - patch,
                "most": record - patch,
            },
            _WAYS["rows"]: {
                "messages": py * (px - 1) * fields,
                "bytes": record - py * patch,
                "most": (px - 1) * patch,
            },
        }
    return by_ranks


def tables(found: Found) -> list[Table]:
    nlon, nlat, nz = found["size"]
    rows = []
    for run in found["runs"]:
        seconds = [f"{run[key] / run['records']:.3f}" for key in ("reading", "scattering")]
        sent = [f"{run['messages'] / run['records']:.0f}", f"{run['bytes'] / run['records'] / 1e6:.1f}"]
        rows.append([str(run["ranks"]), _WAYS[run["way"]], *seconds, f"{run['waiting']:.3f}", *sent])
    counted = [
        [
            *(ranks, way, f"{of['messages']:.0f}"),
            *(f"{of[key] / 1e6:.0f}" for key in ("bytes", "most")),
        ]
        for ranks, ways in found["counted"].items()
        for way, of in ways.items()
    ]
    return [
        Table(
            f"A record of winds of {nlon} x {nlat} x {nz} cells; of a run, what its steps waited",
            ["ranks", "read by", "read, s", "scattered, s", "waited, s", "messages", "MB to others"],
            rows,
        ),
        Table(
            "The same on the study's ranks, worked out",
            ["ranks", "way", "messages", "MB", "MB that a rank sends, at most"],
            counted,
        ),
    ]


def draw(found: Found, published: Published | None) -> Figure:
    figure = style.figure(5, 3.4)
    axes = figure.subplots()
    groups = [f"{ranks} rank{'s' * (ranks > 1)}" for ranks in _RANKS]
    series = {}
    for key, what in (("reading", "read"), ("scattering", "scattered")):
        for way in _WAYS:
            of = [run for run in found["runs"] if run["way"] == way]
            series[f"{what}, {_WAYS[way]}"] = [1e3 * run[key] / run["records"] for run in of]
    charts.bars(axes, groups, series)
    axes.set_ylabel("record of winds (ms)")
    return figure


ITEMS = (
    Item(
        "tomcat-globe-winds", "tomcat", "Winds at T106 read and scattered by rows of patches, or by one rank",
        "Three records of winds and weather for a run of 12 hours, on one rank and on two, each with half of "
        "the rows: time to read and to scatter one, and what the program counts of messages.",
        2, measure, tables, draw,
    ),
)  # fmt: skip
