"""The values of a variable of two files, compared piece by piece, so that memory holds little of them."""

from squall.differing import Differing, pieces
from squall.wrf_output.contents import Contents, Variable


def differing(name: str, variable: Variable, a: Contents, b: Contents) -> Differing | None:
    """None: they are the same, NaNs with the same bits too. The variable is alike in both."""
    found = Differing(name, variable.dims, variable.size)
    for start, count in pieces(variable.shape, variable.item):
        one, other = (contents.read(name, start, count) for contents in (a, b))
        found.take(one, other, start)
    if not found.count:
        return None
    if variable.type == "char" and variable.shape:
        row, length = [*found.first[:-1], 0], [1] * (len(variable.shape) - 1) + [variable.shape[-1]]
        texts = (contents.read(name, row, length).tobytes() for contents in (a, b))
        shown = [f'"{text.decode(errors="backslashreplace")}"' for text in texts]
        found.values = shown[0], shown[1]
    return found
