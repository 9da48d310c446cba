"""Values and subscripts in Fortran namelists."""

import math
import re
from collections.abc import Iterator

Value = int | float | bool | str

_INTEGER = re.compile(r"[+-]?\d+")
_REAL = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[edq]([+-]?\d+)|([+-]\d+))?", re.I)
_LOGICAL = re.compile(r"\.([tf])\S*|([tf])|(t)rue|(f)alse", re.I)
_SUBSCRIPT = re.compile(r"\s*([+-]?\d+)?\s*(?:(:)\s*([+-]?\d+)?\s*(?::\s*([+-]?\d+)\s*)?)?")
_LARGEST_INTEGER = 2**31 - 1
#: What begins comments elsewhere.
COMMENTS = "#%/*-"
_QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00b4`\x91\x92\x93\x94"


class Refused(Exception):
    """What a Fortran program would not read; the line, from 1, and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def value_of(word: str) -> Value:
    """A string in its quotes, a number or a logical. Raises ValueError for what is none."""
    if word[0] in "'\"":
        return word[1:-1].replace(word[0] * 2, word[0])
    if _INTEGER.fullmatch(word):
        if abs(int(word)) > _LARGEST_INTEGER:
            raise ValueError(f"{word} is too large for an integer")
        return int(word)
    if real := _REAL.fullmatch(word):
        number = float(f"{real[1]}e{real[2] or real[3] or 0}")
        if math.isinf(number):
            raise ValueError(f"{word} is too large for a real number")
        return number
    if logical := _LOGICAL.fullmatch(word):
        return logical[logical.lastindex or 0].lower() == "t"
    if word[0] in _QUOTES:
        raise ValueError(f"{word} begins with a typographic quotation mark; use ' or \"")
    hint = ": comments begin with !" if word[0] in COMMENTS else ""
    raise ValueError(f"{word} is not a number, .true., .false. or a quoted text{hint}")


def places(subscript: str | None, most: int) -> Iterator[int] | None:
    """The elements that "2", "2:", ":3", "1:3" or "1:5:2" stand for, from 1; one alone is, as compilers have
    it, the first of all that follow. None: no subscript. Raises ValueError for others, or beyond `most`."""
    if subscript is None:
        return None
    found = _SUBSCRIPT.fullmatch(subscript)
    if found is None or not subscript.strip():
        raise ValueError("a subscript must be one number, or two separated by :")
    first, colon, last, step = found.groups()
    stride = int(step or 1)
    begin = int(first or 1)
    end = int(last) if colon and last else most
    if stride == 0 or not (1 <= begin <= most and 1 <= end <= most):
        raise ValueError(f"a subscript must be from 1 to {most}")
    return iter(range(begin, end + (1 if stride > 0 else -1), stride))


def spelled(value: Value | list[float]) -> str:
    """A value as a namelist has it."""
    if isinstance(value, bool):
        return ".true." if value else ".false."
    if isinstance(value, list):
        return ", ".join(f"{number:g}" for number in value)
    return f"'{value}'" if isinstance(value, str) else f"{value}"
