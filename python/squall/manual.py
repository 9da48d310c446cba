"""Shows pages of the documentation in a terminal, and finds the page that explains an error."""

import difflib
import sys
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from squall import locate
from squall.errors import UserError

_FOLDERS = {"tutorials": "tutorial-", "how-to": "", "reference": "", "explanation": ""}

# The page that explains the errors of a module or function; the longest matching name counts.
EXPLAINED = {
    "squall.about": "inspect",
    "squall.diagnose": "plot",
    "squall.fetch": "get-data",
    "squall.fetch.land": "prepare",
    "squall.fetch.tables": "radiation",
    "squall.reader.following": "follow",
    "squall.geo": "plot",
    "squall.runs.jobs": "cluster",
    "squall.runs.launch": "cluster",
    "squall.locate": "install",
    "squall.locate._run_file": "run-file",
    "squall.new": "run-file",
    "squall.plot": "plot",
    "squall.prepare": "prepare",
    "squall.commands.preparation": "prepare",
    "squall.prepare.wants": "get-data",
    "squall.runs.restarts": "restart",
    "squall.runs.running": "restart",
    "squall.runs.report": "check-and-recover",
    "squall.runs.run_state": "status",
    "squall.run_files.schema": "install",
    "squall.runs.status": "workflows",
    "squall.runs.stop": "restart",
    "squall.transport": "transport",
    "squall.commands.transport_winds": "transport",
    "squall.wrf": "wrf-namelist",
    "squall.wrf.initial_file": "wrfinput",
    "squall.wrf_output": "wrf-output",
}


def pages() -> dict[str, Path]:
    """The pages by name, in the order of the folders: the file's name, prefixed with "tutorial-" for
    tutorials. Empty if the documentation is not installed."""
    for root in (locate.CHECKOUT / "docs", Path(sys.prefix) / "share" / "squall" / "docs"):
        if (root / "how-to").is_dir():
            return {
                f"{prefix}{path.stem}": path
                for folder, prefix in _FOLDERS.items()
                for path in sorted((root / folder).glob("*.md"))
            }
    return {}


def title(page: Path) -> str:
    """The heading of a page."""
    return page.read_text().split("\n", 1)[0].lstrip("# ")


def show(name: str | None) -> None:
    """Prints a page, or the names and titles of all pages. Raises UserError for an unknown name."""
    known = pages()
    if not known:
        raise UserError("Squall's documentation is not installed; it lies in docs/ of the repository.")
    if name is None:
        table = Table(box=None, pad_edge=False, show_header=False)
        for page, path in known.items():
            table.add_row(f"[bold]{page}[/bold]", title(path))
        Console().print(table)
        return
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"Did you mean {near[0]}? " if near else ""
        raise UserError(f"There is no page {name}. {hint}`squall help` lists all pages.")
    text = known[name].read_text()
    if sys.stdout.isatty():
        Console().print(Markdown(text))
    else:
        print(text, end="")


def pointer(trace: TracebackType | None) -> str:
    """The last line of an error message: the page of the innermost function in the traceback that has one.
    Empty if none has."""
    page = ""
    while trace is not None:
        frame = trace.tb_frame
        function = f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_name}"
        fitting = [name for name in EXPLAINED if f"{function}.".startswith(f"{name}.")]
        if fitting:
            page = EXPLAINED[max(fitting, key=len)]
        trace = trace.tb_next
    return f"\nSee: squall help {page}" if page in pages() else ""
