"""Rows of texts under each other, as wide as they are."""

from collections.abc import Collection, Iterator, Sequence


def aligned(
    rows: Sequence[Sequence[str]], right: Collection[int] = (), most: int | None = None
) -> Iterator[str]:
    """The rows as lines: columns two spaces apart, those in `right` aligned there. most: characters of a
    line, beyond which it is cut."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            text.rjust(width) if n in right else text.ljust(width)
            for n, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        line = "  ".join(cells).rstrip()
        yield line if most is None or len(line) <= most else line[: most - 1] + "…"
