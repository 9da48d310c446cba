"""The run file of a translated namelist, and the report on the translation."""

import os
import re
from pathlib import Path

from squall.run_files.run_file import Line, render, toml, write_new
from squall.run_files.schema import Schema
from squall.wrf.rules import Setting
from squall.wrf.stream_rules import TIME_SERIES, tslist
from squall.wrf.translate import HARM, Entry, Translation

_FILES = re.compile(r"(initial|boundary|nudging)\.file|.*\.(lower|initial|aerosol)_file")


def run_file(translation: Translation, schema: Schema, namelist: Path, output: Path) -> str:
    """The text of the run file `output`; input files are looked for beside the namelist."""
    tables: dict[str, list[Line]] = {}
    for path, (value, entry) in translation.settings().items():
        table, key = path.rsplit(".", 1)
        if _FILES.fullmatch(path):
            value = _path_from(output, namelist.parent / str(value))
        tables.setdefault(table, []).append(Line(key, toml(value), _comment(path, value, entry)))
    tables.setdefault("output.history", [Line("interval", '"0 s"', "no history in the namelist")])
    named = [name for name in tables if name.startswith(("ignition.", "nest.", "output.", "tracer."))]
    order = dict.fromkeys([*schema.tables, "output.history", "output.restart", *named])
    heading = [f"Translated by `squall import` from {namelist}."]
    if translation.differing:
        heading += [
            "",
            "Input files differ from the namelist; their values are used:",
            *(f"- {what}." for what in translation.differing),
        ]
    if translation.unread:
        heading += ["", "Notes on the text of the namelist:", *(f"- {what}." for what in translation.unread)]
    lost = [f"{entry.wrf}: {entry.lost}." for entry in translation.lost]
    if lost:
        heading += ["", "Without counterpart:", *(f"- {line}" for line in lost)]
    return render(heading, {name: tables[name] for name in order if name in tables})


def take_time_series(translation: Translation, listed: Path, output: Path) -> Path | None:
    """Where WRF has a tslist: writes a table of stations beside the run file `output`, and has the run sample
    there at every step. Returns the table."""
    if not listed.is_file():
        return None
    table = output.with_name("stations.csv")
    step = translation.settings().get("run.time_step", ("", None))[0]
    settings: dict[str, Setting] = dict(TIME_SERIES)
    for stream in ("stations", "profiles"):
        settings |= {
            f"output.{stream}.interval": step,
            f"output.{stream}.frames_per_file": 100000,
            f"output.{stream}.path": f"{stream}.nc",
            f"output.{stream}.stations": _path_from(output, table),
        }
    write_new(table, tslist(listed))
    translation.translated.append(Entry("tslist", settings, "", absent=False))
    return table


def _comment(path: str, value: Setting, entry: Entry) -> str:
    if _FILES.fullmatch(path):
        return ""
    if entry.lost:
        return "see above"
    words = entry.wrf.split(", ")
    told = ", ".join(words[:3]) + (", ..." if len(words) > 3 else "")
    return f"WRF's default: {told}" if entry.absent else told


def _path_from(output: Path, file: Path) -> str:
    relative = os.path.relpath(file.resolve(), output.resolve().parent)
    return str(file.resolve()) if relative.startswith("../..") else relative


def report(translation: Translation) -> str:
    """What became of every key, in lines."""
    parts = [
        _section("Input files differ from the namelist; their values are used", translation.differing),
        _section("Notes on the text of the namelist, which WRF reads as follows", translation.unread),
        _section("Translated", [_line(entry) for entry in translation.translated]),
        _section("Already Squall's behaviour", [", ".join(same)] if (same := _same(translation)) else []),
        _section(
            "No effect: used by real.exe, contained in the initial file, or read with the nests",
            [", ".join(translation.brought)] if translation.brought else [],
        ),
        _section(
            "No counterpart",
            [f"{entry.wrf}: {entry.lost}{_stand_in(entry)}" for entry in translation.lost]
            + [f"&{group} {', '.join(keys)}: no effect" for group, keys in translation.unknown.items()],
        ),
    ]
    return "\n".join(part for part in [*parts, verdict(translation)] if part)


def _same(translation: Translation) -> list[str]:
    """What the namelist sets that Squall does anyway, each once: a rule names all settings that it asked."""
    named = {word for entry in translation.translated for word in entry.wrf.split(", ")}
    asked = dict.fromkeys(word for entry in translation.same for word in entry.wrf.split(", "))
    return [word for word in asked if word not in named]


def verdict(translation: Translation) -> str:
    """Whether the run is the namelist's, in a line: what of it is not, and what of its output."""
    of_run = [_keys(entry) for entry in translation.lost if entry.harm < HARM["time_control"]]
    of_output = [_keys(entry) for entry in translation.lost if entry.harm >= HARM["time_control"]]
    if of_run:
        return f"Does not run as it says: {'; '.join(dict.fromkeys(of_run))}. See No counterpart."
    written = f", but is not written so: {'; '.join(dict.fromkeys(of_output))}" if of_output else ""
    return f"Runs as it says{written}."


def _keys(entry: Entry) -> str:
    """The first keys of what is lost, as in the namelist."""
    words = entry.wrf.split(", ")
    return ", ".join(words[:2]) + (", ..." if len(words) > 2 else "")


def _section(title: str, lines: list[str]) -> str:
    return f"{title}:\n" + "".join(f"  {line}\n" for line in lines) if lines else ""


def _line(entry: Entry) -> str:
    became = ", ".join(f"{key} = {toml(value)}" for key, value in entry.settings.items())
    note = f" ({entry.note})" if entry.note else ""
    return f"{entry.wrf}{' (WRF default)' if entry.absent else ''}  ->  {became}{note}"


def _stand_in(entry: Entry) -> str:
    became = ", ".join(f"{key} = {toml(value)}" for key, value in entry.settings.items())
    return f" ({became})" if became else ""
