"""Changes keys in the text of a namelist and leaves all else as it stands, comments too."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from squall.errors import UserError
from squall.wrf import fortran, namelist
from squall.wrf.fortran import Group

#: By "group.key" the values as the text is to have them; None: the key is to go.
Changes = Mapping[str, str | None]

_Replacement = tuple[int, int, str]


def edited(path: Path, changes: Changes) -> str:
    """The text of a WRF namelist with the changes. Raises UserError for what is no namelist, or lacks a group
    to which a key is to be added."""
    namelist.read(path)  # which tells what is wrong with it
    text = fortran.text_of(path)
    groups = fortran.read(text, namelist.GROUPS).groups
    replacements: list[_Replacement] = []
    for name, value in changes.items():
        group, key = name.split(".")
        if group in groups:
            replacements += _replacements(groups[group], key, value)
        elif value is not None:
            raise UserError(f"{path} has no group &{group}, to which {key} = {value} belongs.")
    for begin, end, new in sorted(replacements, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def _replacements(group: Group, key: str, value: str | None) -> Iterator[_Replacement]:
    """The first assignment gets the value; further ones, which would come after it, go."""
    spans = group.spans.get(key, [])
    if not spans and value is not None:
        yield group.begin, group.begin, f"\n {key} = {value},"
    for number, (begin, end) in enumerate(spans):
        yield begin, end, "" if number or value is None else f"{key} = {value},"
