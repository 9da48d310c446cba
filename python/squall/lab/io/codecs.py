"""`squall lab codecs`: measures the compression ratio and speed of each codec on a run's history.

The fields of a history file's last frame go through the engine `zarr` on one rank into memory
(/dev/shm), once with each codec and once with none; what a codec takes is the difference.
"""

import json as json_text
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console

from squall import machine
from squall.errors import UserError
from squall.lab.io import bench
from squall.plot import style
from squall.results import picture, show_table, write_json

CODECS = (
    *("zstd:1", "zstd:3", "zstd:9"),
    *("blosc-zstd:1", "blosc-zstd:3", "blosc-zstd:5"),
    *("blosc-lz4:1", "blosc-lz4:5", "blosc-lz4:9"),
)
FRAMES = 16
# Of the time without a codec: less than that is not told from it.
RESOLUTION = 0.1
MEMORY = Path("/dev/shm")


@dataclass(frozen=True)
class Trade:
    """What a codec saves and costs. `speed`: bytes of the fields per second and core."""

    history: str
    codec: str
    ratio: float
    speed: float

    @property
    def cheaper_below(self) -> float:
        """Bytes per second between a rank and its server: below that it takes less time to compress points
        first and send what comes of them than to send them, one after the other."""
        return self.speed * max(0.0, 1 - 1 / self.ratio)


def run(histories: Sequence[Path], output: Path, json: Path | None) -> None:
    """Prints the table, draws the picture into `output`, writes `json`. One file that `json` was is shown
    again, and nothing measured. Raises UserError."""
    console = Console()
    missing = [str(path) for path in histories if not path.exists()]
    if missing:
        raise UserError(f"There is no {', no '.join(missing)}. Give history files of runs.")
    if len(histories) == 1 and histories[0].suffix == ".json":
        trades = read(histories[0])
    else:
        trades = [trade for path in histories for trade in _measure(path, console)]
    rows = [
        [t.history, t.codec, f"{t.ratio:.2f}", f"{t.speed / 1e9:.2f}", f"{t.cheaper_below / 1e9:.2f}"]
        for t in trades
    ]
    columns = ["history", "codec", "ratio", "GB/s per core", "pays off below a network bandwidth of, GB/s"]
    show_table(console, "Codecs", columns, rows)
    _draw(output / "codecs.png", trades)
    console.print(f"Picture: {output / 'codecs.png'}")
    if json:
        write_json(json, {"processor": machine.processor(), "codecs": [asdict(t) for t in trades]})


def _measure(history: Path, console: Console) -> list[Trade]:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as room:
        setup = bench.Setup(Path(room), frames=FRAMES, ranks=1, file=history.resolve())
        times = {}
        for codec in ("none", *CODECS):
            with console.status(f"{history}, {codec} ..."):
                times[codec] = bench.measure(
                    setup, bench.Combination("zarr", "inline", codec), 0.0, plain=False
                )
    bare = _seconds(times.pop("none"))
    return [
        Trade(
            history.parent.name or str(history),
            codec,
            m.bytes / m.stored_bytes,
            m.bytes / max(_seconds(m) - bare, RESOLUTION * bare),
        )
        for codec, m in times.items()
    ]


def _seconds(measurement: bench.Measurement) -> float:
    """Of a frame, disturbed least."""
    return min(frame.drain for frame in measurement.frames[1:])


def _draw(path: Path, trades: Sequence[Trade]) -> None:
    histories = list(dict.fromkeys(trade.history for trade in trades))
    families = list(dict.fromkeys(trade.codec.partition(":")[0] for trade in trades))
    with picture(path, 4.5 * len(histories), 3.9) as figure:
        panels = figure.subplots(1, len(histories), squeeze=False, sharey=True)[0]
        for axes, history in zip(panels, histories, strict=True):
            for family in families:
                chosen = [t for t in trades if t.history == history and t.codec.startswith(family + ":")]
                axes.plot([t.speed / 1e9 for t in chosen], [t.ratio for t in chosen], "o-", label=family)
                for t in chosen:
                    axes.annotate(
                        t.codec.partition(":")[2], (t.speed / 1e9, t.ratio), (0, 4),
                        textcoords="offset points", ha="center", fontsize=7,
                    )  # fmt: skip
            axes.set(xscale="log", xlabel="speed (GB/s per core)")
            axes.set_title(history, loc="left")
            axes.xaxis.set_major_formatter("{x:g}")
            style.plain(axes, "both")
        panels[0].set_ylabel("compression ratio")
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(
            handles, labels, ncols=len(labels), loc="outside upper center", title="numbers: the level"
        )


def read(path: Path) -> list[Trade]:
    """What `--results` has written. Raises UserError where it is not that."""
    try:
        return [Trade(**trade) for trade in json_text.loads(path.read_text())["codecs"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} was not written by `squall lab codecs --results`: {error}") from None
