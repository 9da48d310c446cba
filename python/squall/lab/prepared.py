"""Cases that start from an analysis: their input is made first, from what comes with Squall."""

from pathlib import Path

from squall.lab.variants import Changes
from squall.lab.workspace import Workspace


def prepared(workspace: Workspace, name: str, case: str, changes: Changes) -> Path:
    """The run file of a case with its changes, over ground without terrain, and beside it the input of all
    its domains."""
    from squall.prepare import command
    from squall.prepare.run_file import read_plan

    run_file = workspace.variant(name, case, {"prepare.terrain": None, **changes})
    plan = read_plan(run_file)
    analysis, domain = command.open_plan(plan)
    command.prepare_all(plan, analysis, domain, lambda *_: None)
    return run_file
