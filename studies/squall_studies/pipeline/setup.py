"""What is measured: the case, and the ways from its frames to plots."""

from dataclasses import dataclass

from squall.errors import UserError
from squall.lab.variants import Changes

CASE = "supercell"
TIME_STEP = 6  # s
FRAMES = 50  # after the first: the plot of the last one, which nobody computes beside, is to count little
SHARE = 0.65  # of the model's time that plots take, unless one says otherwise


@dataclass(frozen=True)
class Setup:
    """The domain's cells, its steps and every how many there is a frame (0 of either: as rounds.fitted finds
    them), how often all is done (0: not at all), in which ways, and whether the network is measured by size
    of messages, too."""

    size: tuple[int, int, int]
    steps: int
    every: int
    repeats: int
    ways: tuple[str, ...]
    messages: bool

    @property
    def frames(self) -> int:
        return self.steps // self.every + 1 if self.every else 0


@dataclass(frozen=True)
class Way:
    """From frames to plots. `meanwhile`: whether they are drawn while the run goes on."""

    name: str
    changes: Changes
    meanwhile: bool = True

    @property
    def engine(self) -> str:
        return str(self.changes["output.history.engine"])


def _network(plane: str, queue: int) -> Changes:
    """No frame is lost: the plots are as many as the frames, also where they take long."""
    return {
        "output.history.engine": "sst",
        "output.history.placement": "thread",
        "output.history.options.first_consumer": 60,
        "output.history.options.linger": 60,
        "output.history.options.when_queue_full": "wait",
        "output.history.options.data_plane": plane,
        "output.history.options.queue_limit": queue,
    }


def _files(engine: str, placement: str) -> Changes:
    return {"output.history.engine": engine, "output.history.placement": placement}


AFTERWARDS = "pnetcdf then plots"
WAYS = {
    way.name: way
    for way in (
        Way(AFTERWARDS, _files("pnetcdf", "inline"), meanwhile=False),
        Way("files", _files("netcdf", "thread")),
        Way("evpath", _network("evpath", 4)),
        Way("evpath queue 1", _network("evpath", 1)),
        Way("evpath queue 0", _network("evpath", 0)),
        Way("ucx", _network("ucx", 4)),
    )
}


def chosen(names: list[str]) -> tuple[str, ...]:
    """All, or these; the yardstick is always among them. Raises UserError for one that is not known."""
    unknown = [name for name in names if name not in WAYS]
    if unknown:
        raise UserError(f"There is no way {', '.join(unknown)}; there are: {'; '.join(WAYS)}.")
    return tuple(name for name in WAYS if not names or name in names or name == AFTERWARDS)
