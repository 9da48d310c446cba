"""Events that the kernel counts, of processes begun meanwhile."""

import subprocess
import sys

import pytest

from squall.errors import UserError
from squall.profile import hardware

PAGES = {"pages": (1, 2)}  # a software event: first touches of pages, which every kernel counts
NONE = {"unheard-of events": (99, 0)}
TOUCH = """
import mmap
memory = mmap.mmap(-1, {pages} * mmap.PAGESIZE)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for n in range({pages}):
    memory[n * mmap.PAGESIZE] = 1
"""


@pytest.fixture(autouse=True)
def allowed():
    if reason := hardware.why_not(PAGES):
        pytest.skip(reason)


def counted(pages):
    with hardware.counting(PAGES) as counts:
        assert counts == {}
        subprocess.run([sys.executable, "-c", TOUCH.format(pages=pages)], check=True)
    return counts["pages"]


def test_what_a_process_does_that_begins_and_ends_meanwhile_is_counted():
    assert counted(4001) - counted(1) == pytest.approx(4000, rel=0.1)  # Python's own vary


def test_an_event_that_is_not_counted_here_is_refused_by_name():
    assert "unheard-of events" in hardware.why_not(PAGES | NONE)
    with pytest.raises(UserError, match="unheard-of events"), hardware.counting(PAGES | NONE):
        pass
