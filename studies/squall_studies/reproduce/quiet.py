"""A console for measurements that tell what they do, of which the item itself tells."""

import io

from rich.console import Console


def quiet() -> Console:
    return Console(file=io.StringIO())
