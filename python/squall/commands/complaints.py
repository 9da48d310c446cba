"""What a user can put right, as one message and an exit code."""

import contextlib
import sys
from collections.abc import Iterator
from typing import NoReturn

from squall import extras
from squall.errors import UserError
from squall.printable import printable


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
    except BrokenPipeError:
        raise  # of a reader that has seen enough, such as head
    except OSError as error:
        if error.filename is None or error.strerror is None:
            raise
        _complain(f"{error.filename}: {error.strerror}. Choose another path, or make this one accessible.", 1)


def _complain(message: str, code: int) -> NoReturn:
    print("squall: " + "\n".join(map(printable, message.split("\n"))), file=sys.stderr)
    sys.exit(code)
