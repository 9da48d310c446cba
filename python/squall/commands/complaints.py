"""What a user can put right, as one message and an exit code."""

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from typing import NoReturn

from squall import extras
from squall.errors import UserError
from squall.printable import printable

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextlib.contextmanager
def complaining() -> Iterator[None]:
    """What a user can put right becomes one message on standard error and an exit code."""
    try:
        yield
    except UserError as error:
        from squall import manual

        _complain(f"{error}{manual.pointer(error.__traceback__)}", error.exit_code)
    except ModuleNotFoundError as error:
        needs = extras.message(error)
        if needs is None:
            raise
        _complain(needs, 2)
    except BrokenPipeError:  # of a reader that has seen enough, such as head
        _let_go_of_output()
        sys.exit(1)
    except OSError as error:
        if error.filename is None and error.errno in _FULL:
            _let_go_of_output()
            _complain(f"The output cannot be written: {error.strerror}. Make room, or write elsewhere.", 1)
        if error.filename is None or error.strerror is None:
            raise
        _complain(f"{error.filename}: {error.strerror}. Choose another path, or make this one accessible.", 1)


def flush_output() -> None:
    """Writes what was printed. What cannot be written is told here, not by Python as it ends."""
    if sys.stdout is not None:  # which a shell may have closed
        sys.stdout.flush()


def _let_go_of_output() -> None:
    """What is still to be printed goes nowhere."""
    with contextlib.suppress(OSError, ValueError):  # where it is no file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _complain(message: str, code: int) -> NoReturn:
    print("squall: " + "\n".join(map(printable, message.split("\n"))), file=sys.stderr)
    sys.exit(code)
