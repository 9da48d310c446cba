"""Takes out of texts what says whose they are: names of people and machines, home directories, addresses."""

import os
import pwd
import re
import socket
from collections.abc import Iterable
from pathlib import Path

_SHORTEST = 3  # letters of a person's name that is looked for; a machine's has two
_NOT_PERSONAL = {
    "root",
    "user",
    "users",
    "home",
    "localhost",
    "localdomain",
    "squall",
    "run",
    "runs",
    "data",
    "work",
}
_HOMES = re.compile(r"(?<![\w/])/(?:home|Users|users|u|export/home)/[^/\s\"':,;)\]]+")
_ADDRESS = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


class Redaction:
    """paths: directories that are replaced by the word given for each; hosts: further names of machines."""

    def __init__(self, paths: dict[str, Path], hosts: Iterable[str] = ()) -> None:
        homes = {str(Path.home()), os.environ.get("HOME", "")}
        found = [(str(path), word) for word, path in paths.items()]
        found += [(str(path.resolve()), word) for word, path in paths.items()]
        found += [(home, "~") for home in homes if home not in ("", "/")]
        self._paths = sorted(set(found), key=lambda pair: -len(pair[0]))
        names = [socket.gethostname(), socket.getfqdn(), os.uname().nodename, *hosts]
        machines = {part for name in names for part in (name, name.partition(".")[0])}
        self._machines = _words(machines, 2)
        self._people = _words(_people(paths.values()))

    def __call__(self, text: str) -> str:
        for path, word in self._paths:
            text = re.sub(re.escape(path) + r"(?![\w.-])", lambda _, to=word: to, text)  # type: ignore[misc]
        text = _HOMES.sub("~", text)
        text = _MAIL.sub("MAIL", text)
        text = _ADDRESS.sub("ADDRESS", text)
        text = self._machines.sub("HOST", text)
        return self._people.sub("NAME", text)


def _people(paths: Iterable[Path]) -> set[str]:
    """Names of the user, and of who owns the paths."""
    found = {os.environ.get(name, "") for name in ("USER", "LOGNAME")}
    owners = {os.getuid()}
    for path in paths:
        try:
            owners.add(path.stat().st_uid)
        except OSError:
            continue
    for number in owners:
        try:
            entry = pwd.getpwuid(number)
        except KeyError:
            continue
        whole = entry.pw_gecos.partition(",")[0].strip()
        found |= {entry.pw_name, whole, *whole.split()}
    return found


def _words(names: Iterable[str], shortest: int = _SHORTEST) -> re.Pattern[str]:
    """Any of the names, as a word of its own, in whatever case; what is too common to be a name is left."""
    wanted = {name for name in names if len(name) >= shortest and name.lower() not in _NOT_PERSONAL}
    if not wanted:
        return re.compile(r"(?!)")
    longest_first = sorted(wanted, key=lambda name: (-len(name), name))
    either = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.I)
