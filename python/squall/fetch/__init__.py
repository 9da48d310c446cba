"""`squall fetch`: the data that a run file is prepared from, asked of the public services that have it.

Each source turns what a run file wants (squall.prepare.wants) into the exact requests of its service, which
are shown before anything is asked.
"""

from squall.fetch.sources import SOURCES, Request, plan

__all__ = ["SOURCES", "Request", "plan"]
