"""What can be chosen, a kind after the other: each makes candidates out of one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from squall.errors import UserError
from squall.lab.tune.problem import Candidate, Problem

# Process grids of as many ranks, the nearest to square patches first.
_GRIDS = 4
_FIELDS_OF_LAYOUT = ("parallel.ranks_x", "parallel.ranks_y")
_LEVELS = ("zstd", "deflate", "blosc-zstd")  # codecs whose lowest level is worth a try


@dataclass(frozen=True)
class Kind:
    """A kind of choice: the names of the settings that it decides, and the candidates that it makes of
    one. `of_output`: there is nothing to choose in a case that writes nothing."""

    name: str
    about: str
    decides: Callable[[Problem], list[str]]
    make: Callable[[Problem, Candidate], Iterator[Candidate]]
    of_output: bool = False


def _layouts(problem: Problem, base: Candidate) -> Iterator[Candidate]:
    """All ways to divide all cores among ranks and threads, half of them, and all but one, which output then
    has to itself; and all ways to lay the ranks over the domain."""
    cores = problem.cores
    for total in sorted({cores, cores - 1, cores // 2} - {0}, reverse=True):
        for ranks in (n for n in range(1, total + 1) if total % n == 0):
            for x, y in _grids(problem, ranks):
                grid = {"parallel.ranks_x": str(x), "parallel.ranks_y": str(y)} if ranks > 1 else {}
                yield replace(base, ranks=ranks, threads=total // ranks).setting(grid)


def _grids(problem: Problem, ranks: int) -> list[tuple[int, int]]:
    def from_square(grid: tuple[int, int]) -> float:
        wide = problem.nx / grid[0] / (problem.ny / grid[1])
        return max(wide, 1 / wide)

    grids = [(x, ranks // x) for x in range(1, ranks + 1) if ranks % x == 0]
    fits = [(x, y) for x, y in grids if x <= problem.nx and y <= problem.ny]
    return sorted(fits, key=from_square)[:_GRIDS]


def _tiles(problem: Problem, base: Candidate) -> Iterator[Candidate]:
    """Whole rows and half ones, by few and by many."""
    x = -(-problem.nx // int(base.get("parallel.ranks_x") or 1))
    y = -(-problem.ny // int(base.get("parallel.ranks_y") or 1))
    for wide in dict.fromkeys((x, max(16, -(-x // 2)))):
        for deep in (2, 4, 8, 16, 32):
            if wide <= x and deep <= y:
                yield base.setting({"parallel.tile_x": str(wide), "parallel.tile_y": str(deep)})


def _placements(problem: Problem, base: Candidate) -> Iterator[Candidate]:
    """Each engine with each placement; servers beside the ranks, or some of them."""
    bulk = problem.bulk
    if bulk is None:
        return
    for engine in problem.engines:
        chosen = base.setting(
            {bulk.key("engine"): f'"{engine}"', bulk.key("codec"): None, bulk.key("options"): None}
        )
        for placement in ("inline", "thread"):
            yield chosen.setting({bulk.key("placement"): f'"{placement}"'})
        apart = chosen.setting({bulk.key("placement"): '"servers"'} | dict.fromkeys(_FIELDS_OF_LAYOUT))
        for servers in sorted({1, 2, problem.cores // 16} - {0}):
            for ranks in dict.fromkeys((problem.cores, base.ranks + servers)):
                fits = ranks > servers and ranks <= problem.cores + servers
                if fits and 2 * servers <= max(2, problem.cores):
                    threads = max(1, problem.cores // ranks)
                    yield replace(apart, ranks=ranks, threads=threads).setting(
                        {"output.servers": str(servers)}
                    )


def _groups(problem: Problem, base: Candidate) -> Iterator[Candidate]:
    """Servers that take turns, and the order in which they share fields."""
    servers = int(base.get("output.servers") or 0)
    if servers < 2:
        return
    for groups in (1, 2):
        for order in ("consecutive", "round-robin"):
            yield base.setting({"output.groups": str(groups), "output.assignment": f'"{order}"'})


def _codecs(problem: Problem, base: Candidate) -> Iterator[Candidate]:
    """Each that keeps every bit, at the level that it has by itself and at its fastest."""
    bulk = problem.bulk
    if bulk is None:
        return
    for name in problem.engines.get(_engine(problem, base), []):
        for codec in (name, f"{name}:1") if name in _LEVELS else (name,):
            yield base.setting({bulk.key("codec"): f'"{codec}"'})


def _shapes(problem: Problem, base: Candidate) -> Iterator[Candidate]:
    """Zarr's chunks and shards, and who compresses; ADIOS2's writers of a node."""
    bulk = problem.bulk
    if bulk is None:
        return
    engine = _engine(problem, base)
    options: list[str] = []
    if engine == "zarr":
        rows = max(1, -(-problem.ny // max(1, base.ranks)))
        half = max(1, -(-problem.nx // 2))
        options = [
            f'{{ chunk = "0,{rows},0", shard = "0,{rows},0" }}',
            f'{{ chunk = "0,{rows},{half}", shard = "0,{rows},0" }}',
            '{ chunk = "1,0,0", shard = "0,0,0" }',
        ]
    elif engine == "adios":
        options = [f"{{ aggregators_per_node = {n} }}" for n in (1, 2, 4) if n <= problem.cores]
        options.append("{ async_write = true }")
    for text in options:
        yield base.setting({bulk.key("options"): text})


def _engine(problem: Problem, base: Candidate) -> str:
    bulk = problem.bulk
    assert bulk is not None
    return (base.get(bulk.key("engine")) or str(bulk.table.get("engine", "netcdf"))).strip('"')


def _of_bulk(*names: str) -> Callable[[Problem], list[str]]:
    return lambda problem: [problem.bulk.key(name) for name in names] if problem.bulk else []


def _fixed(*names: str) -> Callable[[Problem], list[str]]:
    return lambda problem: list(names)


def _and_servers(problem: Problem) -> list[str]:
    return [*_of_bulk("engine", "placement", "codec", "options")(problem), "output.servers"]


KINDS = (
    Kind(
        "layout", "ranks x threads and process grid", _fixed(*_FIELDS_OF_LAYOUT, "parallel.threads"), _layouts
    ),
    Kind("tiles", "tiles of a patch", _fixed("parallel.tile_x", "parallel.tile_y"), _tiles),
    Kind("placement", "engine, placement and servers", _and_servers, _placements, True),
    Kind("groups", "groups of servers", _fixed("output.groups", "output.assignment"), _groups, True),
    Kind("codec", "codec", _of_bulk("codec"), _codecs, True),
    Kind("shapes", "chunks, shards, aggregators", _of_bulk("options"), _shapes, True),
)


def chosen(names: Sequence[str], problem: Problem) -> list[Kind]:
    """Those of these names, all if none is named, that the case has. Raises UserError."""
    known = {kind.name: kind for kind in KINDS}
    for name in names:
        if name not in known:
            raise UserError(f"There is no choice {name}; the choices are {', '.join(known)}.")
    kinds = [kind for kind in KINDS if not names or kind.name in names]
    return [kind for kind in kinds if problem.bulk or not kind.of_output]
