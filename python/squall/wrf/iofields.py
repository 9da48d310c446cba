"""Translates WRF's lists of additional fields of streams (iofields_filename) to `fields` of streams."""

import re
import subprocess
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

import netCDF4

from squall import locate
from squall.errors import UserError
from squall.wrf.namelist import Namelist, Value
from squall.wrf.nest_streams import domains, of_domain, of_nests, values_of
from squall.wrf.rules import Outcome, Setting
from squall.wrf.run_rules import frames_in_a_file, interval_keys, interval_of, late, late_keys, quantity
from squall.wrf.translate import HARM, Entry, Translation

_LINE = re.compile(r"([-+])\s*:\s*([ih])\s*:\s*(\d+)\s*:(.*)", re.I)
_LAST_STREAM = 24
_NOT_GIVEN = "NONE_SPECIFIED"
_HISTORY = "default"  # what a history holds anyway


@dataclass
class Lists:
    """What a file says: names that each history stream gets and loses, and whether it speaks of input."""

    added: dict[int, list[str]] = field(default_factory=dict)
    removed: dict[int, list[str]] = field(default_factory=dict)
    of_input: bool = False


def read(file: Path) -> Lists:
    """Raises UserError for a line that is none of WRF's: file and line."""
    try:
        lines = file.read_text().splitlines()
    except OSError as error:
        raise UserError(f"iofields_filename: {file} cannot be read: {error.strerror}.") from error
    lists = Lists()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text[0] in "#!":
            continue
        found = _LINE.fullmatch(text)
        names = [name.strip() for name in found[4].split(",") if name.strip()] if found else []
        if found is None or not names or int(found[3]) > _LAST_STREAM:
            raise UserError(
                f'{file}:{number}: "{text}" is not in WRF\'s format: +:h:7:RAINC,RAINNC adds two variables '
                "to auxhist7, - removes them, and stream 0 is the history."
            )
        if found[2].lower() == "i":
            lists.of_input = True
        else:
            of = lists.added if found[1] == "+" else lists.removed
            of.setdefault(int(found[3]), []).extend(names)
    return lists


def names_of_the_model() -> list[str]:
    """Every field that a stream may have, but for those of initial files."""
    said = subprocess.run(
        [locate.model_binary(), "--fields"], capture_output=True, text=True, check=True
    ).stdout
    return re.findall(r"^\| `(\w+)` \|", said, re.M)


def names_of_initial_file(file: Path) -> list[str]:
    """What a run carries along of an initial file that is there: its fields on columns and soil layers."""
    if not file.is_file():
        return []
    with netCDF4.Dataset(file) as data:
        return [
            name
            for name, variable in data.variables.items()
            if variable.dimensions[-2:] == ("south_north", "west_east")
            and not any(dimension.startswith("bottom_top") for dimension in variable.dimensions)
        ]


def take(translation: Translation, namelist: Namelist, folder: Path, known: Collection[str]) -> None:
    """Where the namelist names such a file, which lies in `folder`: gives streams their fields. `known`: the
    names of fields that there are."""
    named = namelist.column("time_control.iofields_filename")
    goes_on = namelist.column("time_control.ignore_iofields_warning") in (None, True, 1)
    _forget(translation, ["iofields_filename", "ignore_iofields_warning"])
    if named is None or str(named) in ("", _NOT_GIVEN):
        return
    told = f'iofields_filename = "{named}"'
    if not (folder / str(named)).exists():
        if not goes_on:
            raise UserError(
                f"iofields_filename: there is no file {folder / str(named)}, and ignore_iofields_warning = "
                f".false., with which WRF stops too: put it there, or let WRF ignore it."
            )
        meaning = "there is no such file beside the namelist; WRF goes on without it, too"
        translation.lost.append(Entry(told, {}, meaning, absent=False, harm=HARM["time_control"]))
        return
    lists = read(folder / str(named))
    if lists.of_input:
        whole = Entry(
            f"{told}, lines for input streams", {}, "input files are always read completely", absent=False
        )
        translation.lost.append(whole)
    for number in sorted({*lists.added, *lists.removed}):
        added, strange = _ours(lists.added.get(number, []), known)
        removed, _ = _ours(lists.removed.get(number, []), known)
        _stream(translation, namelist, number, f"{told}, {_name(number)}", added, removed)
        if strange:
            meaning = f"there is no field {', '.join(strange)}"
            translation.lost.append(Entry(f"{told}, {_name(number)}", {}, meaning, absent=False))


def _name(number: int) -> str:
    return "history" if number == 0 else f"auxhist{number}"


def _ours(names: list[str], known: Collection[str]) -> tuple[list[str], list[str]]:
    """The fields that WRF's names mean, upper and lower case alike, each once; and names without one."""
    folded = {name.lower(): name for name in known}
    ours = [folded[name.lower()] for name in names if name.lower() in folded]
    return list(dict.fromkeys(ours)), [name for name in dict.fromkeys(names) if name.lower() not in folded]


def _stream(
    translation: Translation, namelist: Namelist, number: int, told: str, added: list[str], removed: list[str]
) -> None:
    fields = [name for name in added if name not in removed]
    lost = ""
    settings: dict[str, Setting] = {}
    if number == 0:
        before = translation.settings().get("output.history.fields", ([_HISTORY], None))[0]
        gone = [f"-{name}" for name in removed if name not in added]
        fields = [*(before if isinstance(before, list) else [_HISTORY]), *fields, *gone]
        if fields != [_HISTORY]:
            _take_over(translation, "output.history.fields")
            settings["output.history.fields"] = list(dict.fromkeys(fields))
    else:
        outcomes = {domain: _auxiliary(namelist, number, domain, fields) for domain in domains(namelist)}
        _forget(translation, [key.split(".")[1] for key in _keys(number)])
        if not any(outcome.settings for outcome in outcomes.values()):
            lost = f"it is never written; set auxhist{number}_interval and io_form_auxhist{number}"
        elif fields:
            lost = outcomes[1].lost
            settings = {key: of_domain(value, 1) for key, value in outcomes[1].settings.items()}
            for own in of_nests(namelist, _keys(number), outcomes):
                _add(translation, Entry(f"{told}, {own.wrf}", own.settings, own.lost, absent=False))
    _add(translation, Entry(told, settings, lost, absent=False))


def _add(translation: Translation, entry: Entry) -> None:
    (translation.lost if entry.lost else translation.translated).append(entry)


def _take_over(translation: Translation, key: str) -> None:
    """Leaves a setting that goes on from another one to the entry that has the whole of it."""
    for entries in (translation.translated, translation.lost):
        entries[:] = [
            replace(entry, settings={k: v for k, v in entry.settings.items() if k != key})
            for entry in entries
        ]


def _keys(number: int) -> dict[str, Value]:
    stream = _name(number)
    return {
        **interval_keys(stream),
        **late_keys(stream),
        f"time_control.io_form_{stream}": 0,
        f"time_control.frames_per_{stream}": 999999,
        f"time_control.{stream}_outname": f"{stream}_d<domain>_<date>",
    }


def _auxiliary(namelist: Namelist, number: int, domain: int, fields: list[str]) -> Outcome:
    """The stream in a domain, how often and into which files; nothing where it is never written."""
    stream = _name(number)
    values = values_of(namelist, _keys(number), domain)
    interval = interval_of(values, stream)
    if interval <= 0 or values.whole(f"io_form_{stream}") == 0:
        return Outcome()
    table: dict[str, Setting] = {
        "interval": quantity(interval),
        "path": str(values[f"{stream}_outname"]).replace("<date>", "%Y-%m-%d_%H:%M:%S"),
        "frames_per_file": frames_in_a_file(values, stream),
        "fields": fields,
    }
    return Outcome({f"output.{stream}.{key}": value for key, value in table.items()}, late(values, stream))


def _forget(translation: Translation, keys: Collection[str]) -> None:
    """Keys that are spoken of elsewhere are not unknown."""
    group = translation.unknown.get("time_control", [])
    translation.unknown["time_control"] = [key for key in group if key not in keys]
    if not translation.unknown["time_control"]:
        del translation.unknown["time_control"]
