"""Writes run files with a comment on each line."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from squall.errors import UserError

_WIDTH = 110  # of a line with its comment
_COLUMN = 32  # where comments begin, if the setting is no longer


@dataclass(frozen=True)
class Line:
    """`key = value` with a comment; `active` False: commented out, to show a default."""

    key: str
    value: str  # TOML
    comment: str = ""
    active: bool = True


def toml(value: object) -> str:
    """A text, number, flag, list or table as TOML."""
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, bool | int | str):
        return json.dumps(value, ensure_ascii=False)
    raise TypeError(f"cannot be written as TOML: {value!r}")


def render(heading: Sequence[str], tables: Mapping[str, Sequence[Line]]) -> str:
    """The text of a run file: `heading` as comment lines, then the tables in the order given."""
    text = "".join(f"# {line}".rstrip() + "\n" for line in heading)
    for name, lines in tables.items():
        head = f"[{name}]" if any(line.active for line in lines) else f"#[{name}]"
        text += f"\n{head}\n" + "".join(_render(line) for line in lines)
    return text


def _render(line: Line) -> str:
    setting = f"{'' if line.active else '#'}{line.key} = {line.value}"
    if not line.comment:
        return setting + "\n"
    if len(line.comment) + max(_COLUMN, len(setting)) + 4 <= _WIDTH:
        return f"{setting:{_COLUMN}}  # {line.comment}\n"
    return "".join(f"# {part}\n" for part in _wrapped(line.comment)) + setting + "\n"


def _wrapped(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > _WIDTH - 4:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def write_new(path: Path, text: str) -> None:
    """Writes a new file. Raises UserError if it exists or cannot be written."""
    try:
        with path.open("x") as file:
            file.write(text)
    except FileExistsError:
        raise UserError(f"{path} exists already; choose another name, or move it away.") from None
    except OSError as error:
        raise UserError(f"Cannot write {path}: {error.strerror}.") from error
