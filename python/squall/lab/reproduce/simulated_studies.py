"""The studies' curves, simulated on machine files of their machines."""

from dataclasses import dataclass, replace
from functools import partial

from squall.lab.reproduce.conus import CELLS as _COUNCIL
from squall.lab.reproduce.item import Found, Item, Table
from squall.lab.reproduce.simulated import Curve, Points, Run, Shape, drain, ours, perceived, step
from squall.lab.reproduce.teragrid import FRAMES

_HECTOR = (1000, 1000, 50)  # cells; assumed: of which domain frames were timed was not within reach
_TERAGRID = (600, 400, 20)
_ADIOS2 = (1500, 1200, 35)  # assumed: the same at 2.5 km


def _flat(points: Points) -> bool:
    serial = points["serial"].values()
    return max(serial) < 1.2 * min(serial) and 10 <= min(serial) < 100


def _rising(points: Points) -> bool:
    seconds = list(points["PnetCDF"].values())
    return len(seconds) > 1 and seconds == sorted(seconds) and seconds[-1] > 2 * seconds[0]


def _best_near(low: int, high: int, series: str, points: Points) -> bool:
    by_x = points[series]
    return len(by_x) > 2 and low <= min(by_x, key=by_x.__getitem__) <= high


_LAYERS = Curve(
    name="hector-simulated-layers", study="hector",
    x=(64, 128, 256, 512, 1024), quick=(64, 256), label="ranks", seconds="a frame",
    series={
        "serial": lambda n: Run("hector-xt4", _HECTOR, n, "netcdf", way="serial"),
        "PnetCDF": lambda n: Run("hector-xt4", _HECTOR, n, "pnetcdf", way="collective"),
    },
    value=perceived,
    calibrated="servers, below: no point of these curves",
    shapes=(
        Shape("the serial layer takes tens of seconds, however many ranks there are", _flat),
        Shape("PnetCDF takes longer the more ranks there are", _rising),
    ),
)  # fmt: skip

_SERVERS = Curve(
    name="hector-simulated-servers", study="hector",
    x=(4, 8, 12, 16, 24, 64), quick=(4, 12, 64), label="servers", seconds="a frame, until it is stored",
    series={
        "WRF's servers": lambda n: Run(
            "hector-xt4", _HECTOR, 1024, "netcdf", placement="servers", servers=n, way="quilt"
        ),
        "Squall's, zarr": lambda n: Run("hector-xt4", _HECTOR, 1024, placement="servers", servers=n),
    },
    value=drain,
    calibrated="where the servers' optimum lies, by the rate at which a process writes",
    shapes=(
        Shape(
            "about 12 servers are best for 1,024 ranks (calibrated)",
            lambda p: _best_near(8, 16, "WRF's servers", p),
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class _WholeRuns(Curve):
    """Beside a frame, what the study timed: a run with a frame after every step."""

    def tables(self, found: Found) -> list[Table]:
        first, *others = super().tables(found)
        rows = []
        for x in sorted({row["x"] for row in found["points"]}):
            of = {row["series"]: row for row in found["points"] if row["x"] == x}
            rows.append(
                [str(x), *(f"{FRAMES * (of[s]['step'] + of[s]['seconds']):.0f}" for s in self.series)]
            )
        title = f"{FRAMES} steps with a frame after each, all of three runs alike (s)"
        return [first, Table(title, [self.label, *self.series], rows), *others]


_HDF5 = _WholeRuns(
    name="teragrid-simulated-hdf5", study="teragrid",
    x=(4, 8, 16, 32, 64), quick=(4, 8, 64), label="nodes", seconds="a frame",
    series={
        "serial netCDF": lambda n: Run("sdsc-ia64", _TERAGRID, 2 * n, "netcdf", way="serial"),
        "parallel HDF5": lambda n: Run("sdsc-ia64", _TERAGRID, 2 * n, "netcdf-parallel", way="collective"),
        "Squall, zarr": lambda n: Run("sdsc-ia64", _TERAGRID, 2 * n),
    },
    value=perceived,
    calibrated="that parallel HDF5 is best on 8 nodes, by the time that a token takes to change hands",
    shapes=(
        Shape(
            "parallel HDF5 is best on 8 nodes (calibrated)", lambda p: _best_near(8, 8, "parallel HDF5", p)
        ),
        Shape(
            "on 64 nodes parallel HDF5 takes longer than serial netCDF",
            lambda p: p["parallel HDF5"][64] > p["serial netCDF"][64],
            "tokens change hands once for each writer and field; the study's HDF5 wrote metadata, too",
        ),
    ),
)  # fmt: skip


def _levels_off(points: Points) -> bool:
    gain = {name: by_x[12] / by_x[24] for name, by_x in points.items()}
    return gain["Gigabit Ethernet"] < 1 + 0.75 * (gain["InfiniBand"] - 1)


_NETWORKS = Curve(
    name="council-simulated-networks", study="council",
    x=(1, 2, 4, 8, 12, 24), quick=(12, 24), label="nodes", seconds="a step",
    series={
        "InfiniBand": lambda n: Run("council-ib", _COUNCIL, 8 * n),
        "Gigabit Ethernet": lambda n: Run("council-gige", _COUNCIL, 8 * n),
    },
    value=step,
    calibrated="nothing: the study's numbers were not within reach",
    shapes=(
        Shape(
            "Gigabit Ethernet levels off: from 12 to 24 nodes it gains less than 3/4 of InfiniBand's",
            _levels_off,
            "nodes share no switch port here: only the link of each node counts",
        ),
    ),
)  # fmt: skip

_OPTIONS = {
    "PnetCDF": ("pnetcdf", "none", "collective", False),
    "split files": ("netcdf-split", "none", "split", False),
    "ADIOS2": ("adios", "none", "aggregated", False),
    "burst buffer": ("adios", "none", "aggregated", True),
    "burst buffer, codec": ("adios", "zstd", "aggregated", True),
}


def _with_option(engine: str, codec: str, way: str, local: bool, nodes: int) -> Run:
    return Run("xeon-2023", _ADIOS2, 36 * nodes, engine, codec, way=way, local=local)


#: That creating a file takes where it is what makes split files collapse [s].
_SLOW_CREATE = 50e-3
_SLOW_METADATA = f"split files, {1e3 * _SLOW_CREATE:g} ms to create one"


def _split_with_slow_metadata(nodes: int) -> Run:
    run = _with_option(*_OPTIONS["split files"], nodes)
    return replace(run, storage={"create": _SLOW_CREATE})


_BURST = Curve(
    name="adios2-simulated-options", study="adios2",
    x=(1, 2, 4, 8), quick=(1, 8), label="nodes", seconds="a frame",
    series={
        name: partial(_with_option, *option) for name, option in _OPTIONS.items()
    } | {_SLOW_METADATA: _split_with_slow_metadata},
    value=perceived,
    calibrated="PnetCDF on 8 nodes, 93 s, by the time that a part of the shared file takes to change hands",
    shapes=(
        Shape(
            "split files collapse on 8 nodes",
            lambda p: p["split files"][8] > 1.5 * p["split files"][1],
            "each rank writes a file from its beginning to its end, so that the targets serve many files as "
            "fast as few, and one node fills them; what grows with ranks is the time to create files, one "
            "after the other in one directory: at 1 ms each, which is assumed, it is lost among the rest. "
            "The next line has another time, with which they collapse",
        ),
        Shape(
            f"with a file system that takes {1e3 * _SLOW_CREATE:g} ms to create a file, they do (ours)",
            lambda p: p[_SLOW_METADATA][8] > 1.5 * p[_SLOW_METADATA][1],
        ),
        Shape(
            "burst buffers get faster with nodes",
            lambda p: p["burst buffer"][8] < 1.5 * p["burst buffer"][1] / 8,
        ),
    ),
    at=("PnetCDF", 8),
)  # fmt: skip

#: Those of which points are published.
WITH_POINTS = (_SERVERS, _BURST)

ITEMS: tuple[Item, ...] = (
    _LAYERS.item(
        "Time that ranks lose to a frame, by cores and layer",
        "A frame of one rank that gathers and writes, and of all ranks through PnetCDF, on the Cray XT4.",
    ),
    _SERVERS.item(
        "Time of a frame against the number of servers",
        "1,024 ranks of the Cray XT4 with servers that receive field after field and write them together.",
    ),
    ours(Run("hector-xt4", _HECTOR, 1024), 16, "hector-simulated-squall", "hector", 8),
    ours(Run("sdsc-ia64", _TERAGRID, 128), 8, "teragrid-simulated-squall", "teragrid"),
    _HDF5.item(
        "Serial netCDF against parallel HDF5, 4 to 64 nodes",
        f"A frame on the IA-64 cluster, two ranks a node, and {FRAMES} steps with one after each.",
    ),
    _NETWORKS.item(
        "12 km CONUS-sized case against nodes: InfiniBand against Gigabit Ethernet",
        "A step of 425 x 300 x 35 cells on 1 to 24 nodes of the Opteron cluster with both networks, eight "
        "ranks a node. Measured on one node of this machine: council-conus.",
    ),
    ours(Run("council-ib", _COUNCIL, 192), 6, "council-simulated-squall", "council"),
    _BURST.item(
        "Time to write a frame against nodes, by output option",
        "A frame on the cluster of Xeons, by PnetCDF, split files, ADIOS2, and disks in the nodes.",
    ),
    ours(Run("xeon-2023", _ADIOS2, 288), 8, "adios2-simulated-squall", "adios2"),
)  # fmt: skip
