"""How long frames take to write: what several items measure."""

from dataclasses import asdict, replace

from squall import machine
from squall.lab.io import bench
from squall_studies.reproduce.item import Context, Found


def setup(context: Context, servers: int = 1) -> bench.Setup:
    """Made-up weather, 15 fields of 200 x 200 x 50 points; of a look, a few of 60 x 60 x 30."""
    whole = bench.Setup(
        context.workspace.directory / "io",
        ranks=min(2, machine.cores()),
        frames=2 + 2 * context.repeats,
        servers=servers,
    )
    return bench.quick(whole) if context.quick else whole


def of_size(context: Context, size: tuple[int, int, int], ranks: int, frames: int) -> bench.Setup:
    """The same of another size, from so many ranks."""
    return replace(setup(context), size=size, ranks=ranks, frames=frames)


def best(measurement: bench.Measurement) -> float:
    """Seconds of the quickest frame until it is on disk, as who waits for it sees them."""
    return min(frame.perceived for frame in measurement.frames)


def frame(measurement: bench.Measurement) -> Found:
    """Seconds and bytes of the median frame."""
    m = measurement
    return asdict(m.combination) | {
        "perceived": m.perceived,
        "drain": m.drain,
        "raw": m.raw_fsync,
        "bytes": m.bytes,
        "stored": m.stored_bytes,
    }
