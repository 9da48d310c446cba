"""Words of files on a terminal."""

import unicodedata

from rich.text import Text

# Controls, those that turn the direction of writing, halves of characters, and separators of lines.
_OBEYED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_SHOWN = {"\u200d", "\u200c", "\u00ad"}  # joiners, which belong to words


def printable(text: str) -> str:
    """The text with \\xNN in place of what a terminal would obey and not show."""
    return "".join(c if unicodedata.category(c) not in _OBEYED or c in _SHOWN else _escaped(c) for c in text)


def cell(text: str) -> Text:
    """For rich: printable, and without a meaning for the brackets in it."""
    return Text(printable(text))


def _escaped(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
