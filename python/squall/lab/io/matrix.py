"""The matrix engine x placement x codec: which cells there are, and measuring them."""

from collections.abc import Iterator, Sequence

from rich.console import Console

from squall.errors import UserError
from squall.lab.io import bench

PLACEMENTS = ("inline", "thread", "servers")
# The level that the codecs are compared at; see `squall lab codecs` for the others.
_LEVELS = {
    "zstd": "zstd:1",
    "lz4": "lz4:5",
    "deflate": "deflate:1",
    "blosc-zstd": "blosc-zstd:1",
    "blosc-lz4": "blosc-lz4:5",
}


def combinations(
    engines: Sequence[str], placements: Sequence[str], codecs: Sequence[str]
) -> list[bench.Combination]:
    """What is asked for and there is; nothing asked for means everything. Raises UserError."""
    known = bench.engines()
    _require("engine", engines, known)
    _require("placement", placements, PLACEMENTS)
    found = [
        bench.Combination(engine, placement, codec)
        for engine in (engines or known)
        for codec in _codecs(known[engine], codecs)
        for placement in PLACEMENTS
        if not placements or placement in placements
    ]
    if not found:
        raise UserError(f"None of these engines has a codec {' or '.join(codecs)}.")
    return found


def _require(what: str, asked: Sequence[str], known: Sequence[str] | dict[str, list[str]]) -> None:
    for name in asked:
        if name not in known:
            raise UserError(f"This build has no {what} {name}; it has {', '.join(known)}.")


def _codecs(of_engine: Sequence[str], asked: Sequence[str]) -> Iterator[str]:
    """Without a wish: none, and zstd in the forms that engines have it in."""
    wished = asked or ("none", "zstd", "blosc-zstd")
    for codec in wished:
        name = codec.partition(":")[0]
        if name in of_engine:
            yield codec if ":" in codec else _LEVELS.get(name, codec)


def measure(
    setup: bench.Setup, cells: Sequence[bench.Combination], console: Console
) -> tuple[list[bench.Measurement], dict[str, str]]:
    """All cells, and why some could not be measured.

    An engine's inline measurement tells how long its frames take, and so how long the ranks have to
    compute between frames when others write beside them.
    """
    found: list[bench.Measurement] = []
    failed: dict[str, str] = {}
    for number, cell in enumerate(cells, 1):
        with console.status(f"{number} of {len(cells)}: {cell} ..."):
            try:
                found.append(bench.measure(setup, cell, _interval(cell, found)))
            except UserError as error:
                failed[str(cell)] = str(error)
    return found, failed


def _interval(cell: bench.Combination, found: Sequence[bench.Measurement]) -> float:
    """Seconds to compute before each frame: beside it the drain gets half of the cores at best."""
    if cell.placement == "inline":
        return 0.1
    same = [
        m.drain
        for m in found
        if (m.combination.engine, m.combination.codec) == (cell.engine, cell.codec)
        and m.combination.placement == "inline"
    ]
    return max(0.3, 4 * same[0]) if same else 2.0
