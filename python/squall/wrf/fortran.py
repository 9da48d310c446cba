"""Reads the text of a namelist by the rules of Fortran, or refuses it.

Packages that read namelists take more than a Fortran program does, and drop or move what they do not
understand without a word; WRF's own reader is that of Fortran. What this one skips as Fortran does, it tells.
"""

import codecs
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from squall.errors import UserError
from squall.wrf.fortran_values import COMMENTS, Refused, Value, places, value_of

_OUTSIDE = re.compile(r"!.*|[&$]([a-z]\w*)(?=[\s,;/!]|$)", re.I)
_BLANK = re.compile(r"(?:\s|!.*)*")
_KEY = re.compile(r"([a-z]\w*)[ \t]*(?:\(([^()\n]*)\))?\s*=", re.I)
_END = re.compile(r"/|[&$]end(?=[\s,;/!]|$)", re.I)
_STRING = re.compile(r"""'(?:[^'\n]|'')*'|"(?:[^"\n]|"")*\"""")
_WORD = re.compile(r"""[^\s,;/!'"=&$]+""")
_REPEAT = re.compile(r"(\d+)\*")
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: More than any variable of WRF's has.
_MOST = 10000


@dataclass
class Group:
    """A group: the values of each key, element after element from the first; None: an element that is not
    given. Lines count from 1. `begin`: where its text begins, after its name; `spans`: where each key's
    assignments begin and end in the whole text."""

    name: str
    line: int
    values: dict[str, list[Value | None]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)  #: where each key is given last
    begin: int = 0
    spans: dict[str, list[tuple[int, int]]] = field(default_factory=dict)


@dataclass
class Text:
    """What a namelist says, in the order of its groups, and what of its text a Fortran program does not read,
    a sentence each."""

    groups: dict[str, Group] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)


def text_of(path: Path) -> str:
    """The text of a file in any of the usual encodings, with line feeds. Raises UserError for what is no text
    or cannot be read."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UserError(f"There is no namelist {path}.") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    text = _decoded(path, data)
    if not text.strip():
        raise UserError(f"{path} is empty; expected WRF's namelist.input.")
    return re.sub(r"\r\n?", "\n", text).rstrip("\x1a")


def _decoded(path: Path, data: bytes) -> str:
    try:
        for mark, encoding in _BOMS:
            if data.startswith(mark):
                return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UserError(
            f"{path} is invalid after its {encoding.upper()} byte order mark: {error.reason}."
        ) from error
    if b"\0" in data:
        raise UserError(f"{path} is a binary file, not a namelist: it contains zero bytes.")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")  # any byte is something in it


def read(text: str, known: Container[str]) -> Text:
    """Of groups that are there twice the first counts, as in Fortran. `known`: names of the groups that WRF
    reads; others may be any other program's, and whatever they like. Raises Refused with the line where a
    Fortran program would stop."""
    return _Reader(text, known).read()


class _Reader:
    def __init__(self, text: str, known: Container[str]) -> None:
        self._text = text
        self._known = known
        self._at = 0
        self._ended = 0  # where the last value, or the comma after it, ends
        self._result = Text()

    def read(self) -> Text:
        stray = ""
        begun = 0  # where the stray text begins
        while found := _OUTSIDE.search(self._text, self._at):
            stray = self._text[begun : found.start()]
            name = (found[1] or "").lower()
            if not name or name == "end" or not self._begins_group(name, found.start()):
                self._at = found.end()
                if not found[1]:  # a comment
                    self._tell_stray(begun, stray)
                    begun = self._at
                continue
            self._tell_stray(begun, stray)
            self._at = found.end()
            self._take(Group(name, self._line(found.start()), begin=self._at))
            begun = self._at
        self._tell_stray(begun, self._text[begun:])
        return self._result

    def _begins_group(self, name: str, at: int) -> bool:
        """A name of WRF's wherever it stands, as in Fortran; another only at the beginning of a line."""
        return name in self._known or not self._text[:at].rpartition("\n")[2].strip()

    def _line(self, at: int) -> int:
        return self._text.count("\n", 0, at) + 1

    def _tell_stray(self, begun: int, text: str) -> None:
        for number, line in enumerate(text.split("\n"), self._line(begun)):
            words = re.sub(r"^(?:[&$]?end\b|[/\s])+", "", line, flags=re.I).strip()
            if words:
                self._result.unread.append(f"line {number} is in no group and is ignored: {_shown(words)}")

    def _take(self, group: Group) -> None:
        """Reads a group into the result, or tells why not."""
        first = self._result.groups.get(group.name)
        begun, told = self._at, len(self._result.unread)
        try:
            self._read_group(group)
        except Refused as error:
            if first is None and group.name in self._known:
                raise
            self._at = begun  # all of it is text outside
            del self._result.unread[told:]
            if first is None:
                why = f"&{group.name} is not a group of WRF and cannot be read: {error}"
                self._result.unread.append(f"line {group.line}: {why}")
        if first is None:
            if group.values or group.name in self._known:
                self._result.groups[group.name] = group
            return
        del self._result.unread[told:]
        keys = f", not {', '.join(group.values)}" if group.values else ""
        self._result.unread.append(
            f"line {group.line}: &{group.name} occurs again: the first one, on line {first.line}, is "
            f"used{keys}"
        )

    def _read_group(self, group: Group) -> None:
        while True:
            self._skip_separators()
            if self._at == len(self._text):
                self._result.unread.append(
                    f"line {group.line}: &{group.name} has no closing /: everything up to the end of the "
                    f"file belongs to it"
                )
                return
            if end := _END.match(self._text, self._at):
                self._at = end.end()
                return
            self._read_assignment(group)

    def _skip_separators(self) -> None:
        while True:
            self._skip_blank()
            if self._text[self._at : self._at + 1] not in (",", ";"):
                return
            self._at += 1

    def _skip_blank(self) -> None:
        if blank := _BLANK.match(self._text, self._at):
            self._at = blank.end()

    def _read_assignment(self, group: Group) -> None:
        line = self._line(self._at)
        found = _KEY.match(self._text, self._at)
        if found is None:
            raise Refused(line, self._no_key(group))
        key = found[1].lower()
        begin = self._at
        self._at = found.end()
        try:
            where = places(found[2], _MOST)
            given = self._values(key)
            group.spans.setdefault(key, []).append((begin, self._ended))
            if where is None:
                where = iter(range(1, _MOST + 1))
            self._assign(group, key, line, list(zip(where, given, strict=False)), len(given))
        except ValueError as error:
            raise Refused(self._line(self._at), f"{key}: {error}") from None

    def _assign(
        self, group: Group, key: str, line: int, pairs: list[tuple[int, Value | None]], given: int
    ) -> None:
        if len(pairs) < given:
            raise ValueError(f"{given} values are given for {len(pairs)} places")
        elements = group.values.setdefault(key, [])
        again = []
        for place, value in pairs:
            if value is None:
                continue
            elements += [None] * (place - len(elements))
            if elements[place - 1] is not None and elements[place - 1] != value:
                again.append(elements[place - 1])
            elements[place - 1] = value
        if again:
            before = f"line {group.lines[key]} ({', '.join(map(str, again))})"
            self._result.unread.append(
                f"line {line}: {key} is given again, after {before}: the last value is used"
            )
        group.lines[key] = line

    def _no_key(self, group: Group) -> str:
        """Why what stands here is not the next key."""
        rest = self._text[self._at :].split("\n")[0].strip()
        if rest[0] in "&$":
            return f"&{group.name}, of line {group.line}, has no closing /: {_shown(rest)} follows in it"
        hint = ": comments begin with !" if rest[0] in COMMENTS else ""
        return f'{_shown(rest)} in &{group.name} is not "key = value"{hint}'

    def _values(self, key: str) -> list[Value | None]:
        """The values from here to the next key or the group's end; None: a null value."""
        values: list[Value | None] = []
        separated = True  # whether a comma, or the equals sign, is all since the last value
        while True:
            self._ended = self._at
            self._skip_blank()
            here = self._text[self._at : self._at + 1]
            if here in (",", ";") and here:
                values += [None] if separated else []
                separated = True
                self._at += 1
            elif not here or here in "/&$" or _KEY.match(self._text, self._at):
                return values
            else:
                values += self._value(key)
                separated = False
            if len(values) > _MOST:
                raise ValueError(f"a key may have at most {_MOST} values")

    def _value(self, key: str) -> Iterator[Value | None]:
        """One value, or as many as are repeated."""
        times = 1
        if repeat := _REPEAT.match(self._text, self._at):
            times = int(repeat[1])
            self._at = repeat.end()
            if not 1 <= times <= _MOST:
                raise ValueError(f"{repeat[0]} repeats a value {times} times; allowed are 1 to {_MOST}")
        found = _STRING.match(self._text, self._at) or _WORD.match(self._text, self._at)
        if found is None:
            rest = self._text[self._at :].split("\n")[0]
            if repeat and (not rest or rest[0] in " \t,;/!"):
                return iter([None] * times)
            raise ValueError(_no_value(rest))
        self._at = found.end()
        return iter([value_of(found[0])] * times)


def _no_value(rest: str) -> str:
    if rest[:1] in ("'", '"'):
        return f"the quote {_shown(rest)} is not closed on its line"
    return f"{_shown(rest)} is no value"


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."
