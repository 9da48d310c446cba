"""What `squall lab tune` found, kept for the machine, the build and the class of case that it holds for.

Each result is a file in the user's configuration. It is used for cases that cost the same: those whose run
files say the same of everything but times, names, the initial state, and what the result itself decides.
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

# What a time step and a frame do not cost more or less by.
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
    """How a class of cases runs fastest.

    `settings` are those of run files by their full names, as TOML; `decides` are all that were searched,
    also those that are best left alone. `seconds` and `before` are of a step, output included, with them and
    without.
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
        """The settings as of --set."""
        return [f"{key}={value}" for key, value in self.settings.items()]

    def told(self) -> str:
        """The same on a command line."""
        threads = f" --threads {self.threads}" if self.threads else ""
        return f"-n {self.ranks}{threads}" + "".join(f" --set '{word}'" for word in self.words())


def folder() -> Path:
    """Where results lie: $XDG_CONFIG_HOME/squall/tuned, or ~/.config/squall/tuned."""
    named = os.environ.get("XDG_CONFIG_HOME")
    return (Path(named) if named else Path.home() / ".config") / "squall" / "tuned"


def this_machine() -> str:
    """What a machine is known by: nodes of a cluster that are alike are one."""
    mpi = machine.launcher()
    return f"{machine.processor()}, {machine.cores()} cores, {mpi.version if mpi else 'no MPI'}"


def this_build() -> str:
    """What the model and its output runtime are known by: their bytes."""
    digest = hashlib.sha256(locate.model_binary().read_bytes())
    with contextlib.suppress(UserError):
        digest.update(locate.io_library().read_bytes())
    return digest.hexdigest()[:16]


def read_document(run_file: Path, settings: Sequence[str] = ()) -> dict[str, Any]:
    """What a run file says, with settings "table.key=value" over it. Raises UserError where it cannot be
    read."""
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
    """TOML, or a text without its quotes."""
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        return text


def case_class(document: dict[str, Any], decides: Sequence[str]) -> str:
    """What cases that cost the same have in common: a digest of what their run files say, but for what has
    no cost, and for what a result decides."""
    left = json.loads(json.dumps(document, default=str))
    for name in (*_NO_COST, *decides):
        *tables, key = name.split(".")
        holders = [left]
        for part in tables:
            holders.append(holders[-1].get(part, {}))
        holders[-1].pop(key, None)
        for holder, part in zip(reversed(holders[:-1]), reversed(tables), strict=True):
            if not holder.get(part, True):
                del holder[part]  # a table with nothing in it says nothing
    return hashlib.sha256(json.dumps(left, sort_keys=True).encode()).hexdigest()[:16]


def keep(result: Result) -> Path:
    """Writes it, in place of an earlier one for the same."""
    key = "".join((result.machine, result.build, result.case_class, *result.decides))
    path = folder() / f"{result.case}-{hashlib.sha256(key.encode()).hexdigest()[:12]}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(asdict(result), indent=2) + "\n")
    part.replace(path)
    return path


def kept() -> Iterator[Result]:
    """All that lie there, the newest first."""
    results = []
    for path in folder().glob("*.json"):
        try:
            results.append(Result(**json.loads(path.read_text())))
        except (OSError, ValueError, TypeError) as error:
            raise UserError(
                f"{path} is not what `squall lab tune` writes: {error}. Remove it, and tune again."
            ) from None
    yield from sorted(results, key=lambda result: result.when, reverse=True)


def find(case: str, document: dict[str, Any]) -> Result:
    """The result for this case, here, with this build; raises UserError, saying for what else there is
    one."""
    of_case = [r for r in kept() if r.case_class == case_class(document, r.decides)]
    here, build = this_machine(), this_build()
    for result in of_case:
        if (result.machine, result.build) == (here, build):
            return result
    tune = f"`squall lab tune {case}` finds what is fastest here."
    if not of_case:
        others = sorted({r.case for r in kept() if (r.machine, r.build) == (here, build)})
        known = f" There are results for {', '.join(others)}." if others else ""
        raise UserError(f"--tuned: there is no result for cases like {case}.{known} {tune}")
    if all(result.machine != here for result in of_case):
        raise UserError(
            f"--tuned: the result for cases like {case} is of another machine ({of_case[0].machine}); "
            f"this is {here}. {tune}"
        )
    raise UserError(
        f"--tuned: the result for cases like {case} is of another build of the model, of "
        f"{of_case[0].when[:10]}. {tune}"
    )
