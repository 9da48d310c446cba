"""WRF on HECToR and Monte Rosa: the fields of one case by two builds, and how far they are apart.

Two builds round differently, and the air is unstable: what was a last bit grows. How fast, and where, tells
which digits of a forecast may be believed; a build that is broken shows by more than that.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from squall import locate, machine
from squall.lab.linear.atmosphere import Array
from squall.lab.prepared import prepared
from squall.lab.verify import comparison
from squall.lab.verify.history import History, normalised_rms
from squall.lab.workspace import Layout
from squall.plot import panels, style
from squall.reader.dataset import open_run
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

_CASE = "great-north-run-small"
_HOUR = 3600  # s
_FIELDS = ("U", "V", "W", "T", "PH", "MU", "QVAPOR", "QRAIN", "RAINNC", "T2", "PSFC")
_COLOURED = 0.95  # of the differences lie within the colours: a few columns have most of them
#: What a map is made of.
_PLACED = ("DX", "DY", "MAP_PROJ", "TRUELAT1", "TRUELAT2", "STAND_LON", "CEN_LON", "CEN_LAT", "POLE_LAT")


@dataclass(frozen=True)
class Build:
    """A program squall-model: the name of its folder, and what CMake was told."""

    name: str
    program: Path

    @property
    def told(self) -> dict[str, str]:
        """Precision, compiler and flags; empty without the folder that it was built in."""
        cache = self.program.parents[1] / "CMakeCache.txt"
        if not cache.is_file():
            return {}
        kept = dict(re.findall(r"^([A-Za-z_+]+):[A-Z]+=(.*)$", cache.read_text(), re.M))
        kind = kept.get("CMAKE_BUILD_TYPE", "")
        flags = [kept.get("CMAKE_CXX_FLAGS", ""), kept.get(f"CMAKE_CXX_FLAGS_{kind.upper()}", "")]
        return {
            "precision": "double" if kept.get("SQUALL_DOUBLE") == "ON" else "single",
            "compiler": kept.get("CMAKE_CXX_COMPILER", ""),
            "flags": " ".join(flags).strip(),
        }


def builds() -> tuple[Build, Build]:
    """The model at hand and another build of it. Raises UserError where there is no other."""
    programs = locate.model_binary(), locate.second_model_binary()
    names = [_folder(program) for program in programs]
    if names[0] == names[1]:
        names = [str(program) for program in programs]
    first, second = (Build(name, program) for name, program in zip(names, programs, strict=True))
    return first, second


def _folder(program: Path) -> str:
    """Of the build; of a program that was installed, its path."""
    inside = program.parent.name == "model"
    return program.resolve().parents[1].name if inside else str(program)


def measure(context: Context) -> Found:
    """The outermost of the three nested domains of the Great North Run, hour by hour."""
    hours = 1 if context.quick else 4
    pair = builds()
    with context.status("input of the Great North Run ..."):
        run_file = prepared(context.workspace, "britain", _CASE, {"output.history.interval": f"{_HOUR:g} s"})
    runs = []
    for number, build in enumerate(pair):
        with context.status(f"{build.name}, {hours} h ..."):
            runs.append(
                context.workspace.run(
                    f"build-{number}", run_file, {"run.duration": f"{hours * _HOUR:g} s"},
                    Layout(1, machine.cores()), model=build.program,
                )
            )  # fmt: skip
    found = compared(History(runs[0]), History(runs[1]), hours)
    return {
        "case": _CASE,
        "builds": [{"name": build.name} | build.told for build in pair],
        **found,
        "map": _mapped(runs, hours),
    }


def compared(first: History, second: History, hours: int) -> Found:
    """By field and hour: the largest difference, its root mean square, and this over the field's own spread
    about the mean of a level (0 where the field does not vary)."""
    rows = []
    for name in _FIELDS:
        if not (first.has(name) and second.has(name)):
            continue
        for hour in range(1, hours + 1):
            a, b = (history.field(name, history.frame_at(hour * _HOUR)) for history in (first, second))
            apart = a - b
            rms = float(np.sqrt(np.mean(apart**2)))
            rows.append(
                {
                    "field": name, "unit": first.unit(name), "hour": hour,
                    "most": float(np.abs(apart).max()), "rms": rms,
                    "relative": normalised_rms(a, b) if rms > 0 else 0.0,
                }
            )  # fmt: skip
    return {"differences": rows}


def _mapped(runs: list[Path], hours: int) -> Found:
    """The field that is drawn, of both, and where its points lie."""
    frame = open_run(runs[0]).isel(Time=-1)
    values = [_lowest(History(run), hours) for run in runs]
    placed: Mapping[str, Any] = {key: float(frame.attrs[key]) for key in _PLACED if key in frame.attrs}
    points = {key: frame[key].values.tolist() for key in ("XLAT", "XLONG")}
    return {"attrs": placed, "points": points, "values": [field.tolist() for field in values], "hour": hours}


def _lowest(history: History, hours: int) -> Array:
    theta: Array = history.theta(history.frame_at(hours * _HOUR))[0]
    return theta


def tables(found: Found) -> list[Table]:
    names = [build["name"] for build in found["builds"]]
    told = ["precision", "compiler", "flags"]
    rows = [[build["name"], *(build.get(key, "") for key in told)] for build in found["builds"]]
    hours = sorted({row["hour"] for row in found["differences"]})
    of = f"{names[0]} − {names[1]}, the outermost domain of {found['case']}"
    return [
        Table("Builds", ["build", *told], rows),
        *(
            Table(f"{title}: {of}", ["field", "unit", *(f"{hour} h" for hour in hours)], _rows(found, key))
            for key, title in (
                ("most", "The largest difference"),
                ("rms", "Root mean square of differences"),
                ("relative", "The same over the field's own spread"),
            )
        ),
    ]


def _rows(found: Found, key: str) -> list[list[str]]:
    """A row for each field, a column for each hour."""
    by_field: dict[str, list[str]] = {}
    for row in found["differences"]:
        unit = "" if key == "relative" else row["unit"]
        by_field.setdefault(row["field"], [row["field"], unit]).append(f"{row[key]:.2g}")
    return list(by_field.values())


def _plan(mapped: Found) -> panels.Plan:
    points = {key: (("south_north", "west_east"), np.asarray(of)) for key, of in mapped["points"].items()}
    return panels.plan(xr.Dataset(points, attrs=mapped["attrs"]))


def draw(found: Found, published: Published | None) -> Figure:
    mapped, names = found["map"], [build["name"] for build in found["builds"]]
    plan = _plan(mapped)
    width, height = comparison.size(plan, 1)
    figure = style.figure(width, height + 3.2)
    top, bottom = figure.subfigures(2, 1, height_ratios=[height, 3.2], squeeze=False)[:, 0]
    first, second = (np.asarray(values) for values in mapped["values"])
    label = f"lowest $\\theta$, {mapped['hour']} h"
    field = comparison.Field(label, "K", first, second)
    comparison.draw(top, plan, [field], (names[0], names[1]), most=_COLOURED)
    _draw_growth(bottom.subplots(), found["differences"])
    return figure


def _draw_growth(axes: Axes, differences: list[Found]) -> None:
    """How far fields are apart by the hour; those with the same bits are left out."""
    apart = [row for row in differences if row["relative"] > 0]
    if not apart:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "The same bits, in every field and hour.", ha="center", va="center")
        return
    style.plain(axes)
    for number, name in enumerate(dict.fromkeys(row["field"] for row in apart)):
        of = [row for row in apart if row["field"] == name]
        line = "s--" if number >= len(style.SERIES) else "o-"  # colours come round
        axes.plot([row["hour"] for row in of], [row["relative"] for row in of], line, label=name)
    axes.set_xticks(sorted({row["hour"] for row in differences}))
    axes.set(yscale="log", xlabel="hours", ylabel="rms of differences\nover the field's spread")
    axes.legend(ncols=2, fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))


ITEMS = (
    Item(
        "hector-builds", "hector", "Fields of two builds, and a map of their differences",
        "The outermost of the three nested domains of the Great North Run, a sixth of the points of every "
        "side, by two builds of the model, hour by hour: single and double precision, or those of "
        "SQUALL_MODEL and SQUALL_SECOND_MODEL.",
        3, measure, tables, draw,
    ),
)  # fmt: skip
