"""Results of `squall lab tune`, stored by machine, build and class of case.

Each result is a file in the user's configuration. It applies to cases of equal cost: those whose run files
differ only in times, names, the initial state, and the settings that the result decides.
"""

import contextlib
import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from squall import locate, machine
from squall.errors import UserError

# Keys that do not affect the cost of a time step or a frame.
_NO_COST = (
    "run.name",
    "run.directory",
    "run.start",
    "run.duration",
    "run.restart_from",
    "prepare",
    "initial",
)


@dataclass(frozen=True)
class Result:
    """The fastest way to run a class of cases.

    `settings`: keys of run files by their full names, with values as TOML. `decides`: all keys that were
    searched, including those best left at their defaults. `seconds` and `before`: time of a step, including
    output, with and without the settings [s].
    """

    case: str
    case_class: str
    machine: str
    build: str
    ranks: int
    threads: int | None
    settings: dict[str, str]
    decides: list[str]
    seconds: float
    before: float
    when: str

    def words(self) -> list[str]:
        """The settings in the form of --set."""
        return [f"{key}={value}" for key, value in self.settings.items()]

    def told(self) -> str:
        """The result as options of a command line."""
        threads = f" --threads {self.threads}" if self.threads else ""
        return f"-n {self.ranks}{threads}" + "".join(f" --set '{word}'" for word in self.words())


def folder() -> Path:
    """The folder of the results: $XDG_CONFIG_HOME/squall/tuned, or ~/.config/squall/tuned."""
    named = os.environ.get("XDG_CONFIG_HOME")
    return (Path(named) if named else Path.home() / ".config") / "squall" / "tuned"


def this_machine() -> str:
    """Identifies this machine; equal nodes of a cluster count as the same."""
    mpi = machine.launcher()
    return f"{machine.processor()}, {machine.cores()} cores, {mpi.version if mpi else 'no MPI'}"


def this_build() -> str:
    """Identifies this build of the model and its output runtime, by a digest of their files."""
    digest = hashlib.sha256(locate.model_binary().read_bytes())
    with contextlib.suppress(UserError):
        digest.update(locate.io_library().read_bytes())
    return digest.hexdigest()[:16]


def read_document(run_file: Path, settings: Sequence[str] = ()) -> dict[str, Any]:
    """A run file's content, with settings "table.key=value" that override it. Raises UserError if it cannot
    be read."""
    try:
        document = tomllib.loads(run_file.read_text())
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{run_file} cannot be read: {error}.") from None
    for setting in settings:
        name, _, value = setting.partition("=")
        *tables, key = name.strip().split(".")
        table = document
        for part in tables:
            table = table.setdefault(part, {})
        table[key] = _value(value)
    return document


def _value(text: str) -> Any:
    """A value as TOML, or a text without quotes."""
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        return text


def case_class(document: dict[str, Any], decides: Sequence[str]) -> str:
    """Identifies cases of equal cost: a digest of their run files without the keys that have no cost and
    those that a result decides."""
    left = json.loads(json.dumps(document, default=str))
    for name in (*_NO_COST, *decides):
        *tables, key = name.split(".")
        holders = [left]
        for part in tables:
            holders.append(holders[-1].get(part, {}))
        holders[-1].pop(key, None)
        for holder, part in zip(reversed(holders[:-1]), reversed(tables), strict=True):
            if not holder.get(part, True):
                del holder[part]  # an empty table has no effect
    return hashlib.sha256(json.dumps(left, sort_keys=True).encode()).hexdigest()[:16]


def keep(result: Result) -> Path:
    """Writes a result, replacing an earlier one for the same case, machine and build."""
    key = "".join((result.machine, result.build, result.case_class, *result.decides))
    path = folder() / f"{result.case}-{hashlib.sha256(key.encode()).hexdigest()[:12]}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(asdict(result), indent=2) + "\n")
    part.replace(path)
    return path


def kept() -> Iterator[Result]:
    """All stored results, newest first."""
    results = []
    for path in folder().glob("*.json"):
        try:
            results.append(Result(**json.loads(path.read_text())))
        except (OSError, ValueError, TypeError) as error:
            raise UserError(
                f"{path} is not a result of `squall lab tune`: {error}. Remove it and tune again."
            ) from None
    yield from sorted(results, key=lambda result: result.when, reverse=True)


def find(case: str, document: dict[str, Any]) -> Result:
    """The result for this case, machine and build. Raises UserError, which names the cases that have results,
    if there is none."""
    of_case = [r for r in kept() if r.case_class == case_class(document, r.decides)]
    here, build = this_machine(), this_build()
    for result in of_case:
        if (result.machine, result.build) == (here, build):
            return result
    tune = f"Run `squall lab tune {case}`."
    if not of_case:
        others = sorted({r.case for r in kept() if (r.machine, r.build) == (here, build)})
        known = f" There are results for {', '.join(others)}." if others else ""
        raise UserError(f"--tuned: there is no result for cases like {case}.{known} {tune}")
    if all(result.machine != here for result in of_case):
        raise UserError(
            f"--tuned: the result for cases like {case} is from another machine ({of_case[0].machine}); "
            f"this one is {here}. {tune}"
        )
    raise UserError(
        f"--tuned: the result for cases like {case} is from another build of the model, of "
        f"{of_case[0].when[:10]}. {tune}"
    )
