"""Measures items, shows what they found, and keeps it where a report finds it."""

import datetime
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from matplotlib.figure import Figure
from rich.console import Console
from rich.padding import Padding

from squall import machine, versions
from squall.errors import UserError
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import show_table, write_json
from squall_studies.reproduce.item import Context, Item, study


def show_list(items: Sequence[Item]) -> None:
    """By study: each item, what it is there, what is measured, and how long that takes."""
    console = Console(highlight=False)
    for name in dict.fromkeys(item.study for item in items):
        about = study(name)
        console.print(f"\n[bold]{about.title}[/]: {about.citation}")
        for item in (item for item in items if item.study == name):
            how = "simulated, " if item.simulated else ""
            console.print(f"\n  [bold cyan]{item.name}[/] ({how}about {item.minutes:g} min): {item.figure}")
            console.print(Padding(f"{item.measures} {item.told()}".rstrip(), (0, 0, 0, 4)))


def nothing_chosen() -> NoReturn:
    raise UserError("Name items or studies, or give --all; `squall lab reproduce --list` lists them.")


def run(items: Sequence[Item], directory: Path, quick: bool, repeats: int, full: bool = False) -> list[str]:
    """Measures each item and leaves NAME.json and NAME.png in `directory`; returns those that failed, with
    the reason on the terminal."""
    console = Console()
    failed = []
    for item in items:
        context = Context(Workspace(directory / "runs" / item.name), quick, repeats, console.status, full)
        console.rule(f"{item.name}: {item.figure}")
        circumstances = _circumstances()
        try:
            found = item.measure(context)
        except UserError as error:
            console.print(f"[bold red]Not measured:[/] {error}", highlight=False)
            failed.append(item.name)
            continue
        result = {
            "item": item.name,
            "quick": quick,
            "repeats": repeats,
            "full": full,
            **circumstances,
            "found": found,
        }
        write_json(directory / f"{item.name}.json", result)
        show(console, item, result)
        picture = directory / f"{item.name}.png"
        figure(item, result).savefig(picture)
        console.print(f"Picture: {picture}", highlight=False)
    return failed


def _circumstances() -> dict[str, Any]:
    total, _ = machine.memory()
    mpi = machine.launcher()
    return {
        "when": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": {
            "processor": machine.processor(),
            "cores": machine.cores(),
            "caches": machine.caches(),
            "memory_GiB": round(total, 1),
            "mpi": mpi.version if mpi else "none",
            "load": round(os.getloadavg()[0], 1),  # of the minute before
        },
        "version": versions.line().partition(" (")[0],
    }


def show(console: Console, item: Item, result: dict[str, Any]) -> None:
    """The tables, the published one after ours, and where both come from."""
    for table in item.tables(result["found"]):
        show_table(console, table.title, table.columns, table.rows)
    published = item.published()
    if published:
        table = published.table()
        show_table(console, table.title, table.columns, table.rows)
        console.print(f"Source: {published.source}", highlight=False)
    if item.told():
        console.print(item.told(), highlight=False)
    console.print(described(result), highlight=False)
    console.print(f"Again: {again(result)}", highlight=False)


def described(result: dict[str, Any]) -> str:
    """Machine and settings in a line."""
    m = result["machine"]
    caches = ", ".join(m["caches"])
    look = " A quick look." if result["quick"] else ""
    return (
        f"{m['processor']}, {m['cores']} cores, {caches}, {m['memory_GiB']} GiB, {m['mpi']}; "
        f"load before: {m['load']}; "
        f"{result['version']}; {result['when']}.{look}"
    )


def again(result: dict[str, Any]) -> str:
    """The command line with the settings that this was measured with."""
    looks = [f"--{look}" for look in ("quick", "full") if result.get(look)]
    return " ".join(["squall lab reproduce", result["item"], *looks, f"--repeats {result['repeats']}"])


def figure(item: Item, result: dict[str, Any]) -> Figure:
    with style.applied():
        return item.draw(result["found"], item.published())


def load(directory: Path, item: Item) -> dict[str, Any] | None:
    """What `run` left; None: it has not measured that. Raises UserError for another file of that name."""
    path = directory / f"{item.name}.json"
    try:
        result: dict[str, Any] = json.loads(path.read_text())
        if result["item"] != item.name or "found" not in result:
            raise ValueError("another file")
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is not what `squall lab reproduce` writes: {error}") from None
    return result
