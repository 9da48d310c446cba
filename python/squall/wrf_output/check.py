"""What of a WRF run goes through Squall, and how; and what is wrong with its settings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rich.table import Table

from squall.errors import UserError
from squall.printable import cell
from squall.wrf import namelist as namelists
from squall.wrf.namelist import Namelist
from squall.wrf.run_rules import quantity
from squall.wrf_output import settings as settings_file
from squall.wrf_output.layers import LAYERS, OTHERS, SPLIT, Layer, all_io_forms
from squall.wrf_output.relink import NAME, replaced_in
from squall.wrf_output.schema import ENGINES, FILE
from squall.wrf_output.settings import Settings
from squall.wrf_output.streams import Stream, written


@dataclass(frozen=True)
class Checked:
    """`through`: the streams that go through Squall. `errors`: what would end the run; `warnings`: what may
    not be meant."""

    settings: Settings
    streams: Sequence[Stream]
    through: Sequence[Stream]
    errors: Sequence[str]
    warnings: Sequence[str]

    def table(self) -> Table:
        table = Table(box=None, pad_edge=False)
        for heading in ("Stream", "io_form", "Through Squall", "Every", "Frames a file", "Files"):
            table.add_column(heading, overflow="fold")  # narrow terminals: a file's name is not cut off
        for stream in self.streams:
            table.add_row(*map(cell, self._row(stream)))
        return table

    def _row(self, stream: Stream) -> list[str]:
        how = _how(stream, self.settings) if stream in self.through else "no: WRF writes it"
        return [
            f"d{stream.domain:02d} {stream.name}",
            f"{stream.io_form} {_named(stream)}",
            how,
            quantity(stream.interval),
            f"{stream.frames_per_file}",
            _files(stream, self.settings if stream in self.through else None),
        ]

    def lines(self) -> list[str]:
        """What counts for all streams, and what is wrong."""
        told = self.settings.whole_session()
        waits = f"for {told['timeout']:g} s" if told["timeout"] else "without limit"
        report = f"; report: {told['report']}" if "report" in told else ""
        return [
            f"Memory for frames: {told['staging_limit']} on each rank; ranks wait {waits}{report}",
            *self._servers(),
            *(f"Error: {error}" for error in self.errors),
            *(f"Warning: {warning}" for warning in self.warnings),
        ]

    def _servers(self) -> list[str]:
        told = self.settings.whole_session()
        if not self.settings.servers:
            return []
        number = f"{told['servers']}" if told["servers"] else f"{told['servers_per_node']} on each node"
        return [f"Servers: {number}, of the ranks that mpiexec starts; WRF computes on the others"]


def check(folder: Path) -> Checked:
    """Of a run's folder. Raises UserError for files that cannot be read, and for what squall_io.toml says
    that nobody knows."""
    namelist = namelists.read(folder / "namelist.input")
    path = folder / FILE
    settings = settings_file.read(path) if path.exists() else Settings(path)
    streams, program = list(written(namelist)), folder / NAME
    replaced = replaced_in(program) if program.is_file() else LAYERS
    through = [] if _servers(namelist) else [stream for stream in streams if stream.layer in replaced]
    return Checked(
        settings,
        streams,
        through,
        [*_errors(through, settings), *_misplaced(through, settings), *_unavailable(through, settings)],
        [*_warnings(namelist, streams, replaced), *_unused(streams, through, settings)],
    )


def _named(stream: Stream) -> str:
    if stream.layer:
        return f"{stream.layer.library}{', a file for each rank' if stream.split else ''}"
    return OTHERS.get(stream.io_form % SPLIT, "unknown to Squall")


def _engine(stream: Stream, settings: Settings) -> str:
    default = stream.layer.engine if stream.layer else ""
    return str(settings.of(stream.name).get("engine", default))


def _how(stream: Stream, settings: Settings) -> str:
    told, engine = settings.of(stream.name), _engine(stream, settings)
    words = [
        engine,
        _placement(stream, settings),
        f"codec {told.get('codec') or _codec(stream, engine, settings)}",
    ]
    if "burst_dir" in told:
        words.append(f"by way of {told['burst_dir']}")
    if told["when_full"] != "wait":
        words.append(f"when full: {told['when_full']}")
    return ", ".join(words)


def _serial(stream: Stream) -> bool:
    """Whether one rank writes what WRF gathered, or each rank a file of its own."""
    return stream.layer is not None and stream.layer.name == "ncd"


def _placement(stream: Stream, settings: Settings) -> str:
    told = settings.of(stream.name).get("placement")
    return str(told or ("servers" if settings.servers and not _serial(stream) else "thread"))


def _codec(stream: Stream, engine: str, settings: Settings) -> str:
    """Where none is given: WRF's own compression if WRF compresses, else the engine's default."""
    formatted = "format" in settings.of(stream.name).get("options", {})
    compressed = _serial(stream) and engine == "netcdf" and not formatted and not stream.classic
    return "deflate:2" if compressed else ENGINES[engine][0]


def _misplaced(streams: Sequence[Stream], settings: Settings) -> Iterator[str]:
    """Servers that are asked for and not there, or that a layer cannot use; each told once."""
    for name, stream in {stream.name: stream for stream in streams}.items():
        if _placement(stream, settings) != "servers":
            continue
        where = settings.where_of(name, "placement")
        if _serial(stream):
            yield (
                f"{where}: servers cannot write {name}, which one rank of WRF writes with "
                f"io_form {stream.io_form}; io_form 11 (PnetCDF) has servers"
            )
        elif not settings.servers:
            yield f"{where}: {name} is to be written by servers, but there are none; set servers"


def _files(stream: Stream, settings: Settings | None) -> str:
    """Where they go: what squall_io.toml says, else WRF's own path."""
    name = stream.file + ("_<rank>" if stream.split else "")
    directory = settings.of(stream.name).get("directory") if settings else None
    return str(PurePosixPath(directory) / PurePosixPath(name).name) if directory else name


def _errors(streams: Sequence[Stream], settings: Settings) -> Iterator[str]:
    """Engines and codecs that do not go together, each told once."""
    told = set()
    for stream in streams:
        engine = _engine(stream, settings)
        codec = str(settings.of(stream.name).get("codec", "")).partition(":")[0]
        if codec and codec not in ENGINES[engine] and (stream.name, codec) not in told:
            told.add((stream.name, codec))
            yield (
                f"{settings.where_of(stream.name, 'codec')}: {stream.name} is written by engine {engine}, "
                f"which has no codec {codec}; it has {', '.join(ENGINES[engine])}"
            )


def _warnings(namelist: Namelist, streams: Sequence[Stream], replaced: Sequence[Layer]) -> Iterator[str]:
    first = {stream.name: stream for stream in reversed(streams)}  # all domains have one io_form
    for stream in reversed(first.values()):
        where = f"{namelist.where(stream.key)} = {stream.io_form}"
        if stream.layer is None:
            yield f"{where}: WRF writes {stream.name} by itself. Squall writes io_form {all_io_forms()}"
        elif stream.layer not in replaced:
            yield (
                f"{where}: {NAME} has WRF's own layer {stream.layer.name}, which writes {stream.name}. "
                f"`squall wrf relink` replaces it"
            )
        elif stream.split:
            joined = stream.io_form - SPLIT
            again = " Only a run with as many ranks can start from them." if stream.name == "restart" else ""
            yield (
                f"{where}: each rank writes a file of its own, through Squall.{again} {joined} makes one file"
            )
    if _servers(namelist):
        yield (
            f"{namelist.where(_SERVERS)} = {_servers(namelist)}: WRF's own I/O servers write in place "
            f"of Squall. Set it to 0"
        )


_SERVERS = "namelist_quilt.nio_tasks_per_group"


def _servers(namelist: Namelist) -> int:
    return int(namelist.column(_SERVERS) or 0)


def _unused(streams: Sequence[Stream], through: Sequence[Stream], settings: Settings) -> Iterator[str]:
    """Tables of streams that this run does not write through Squall. Input, which WRF may write, is not
    judged."""
    for name in settings.streams:
        if name != "all" and "input" not in name and name != "boundary":
            if name not in {stream.name for stream in streams}:
                yield f"{settings.where('streams', name)}: has no effect: namelist.input writes no {name}"
            elif name not in {stream.name for stream in through}:
                yield f"{settings.where('streams', name)}: has no effect: WRF writes {name} by itself"
    if settings.servers and not any(_placement(stream, settings) == "servers" for stream in through):
        yield f"{settings.path.name}: no stream is written by the servers; without them more ranks compute"


def _unavailable(streams: Sequence[Stream], settings: Settings) -> Iterator[str]:
    """Engines that this build of Squall lacks, and options that its engines do not have. Nothing where the
    output runtime is not there to be asked."""
    from squall import io

    try:
        there = io.engines()
        known = {engine: [option.name for option in io.options(engine)] for engine in there}
    except (UserError, io.Error, AttributeError):
        return
    for name, engine in {stream.name: _engine(stream, settings) for stream in streams}.items():
        if engine not in known:
            yield f"{name}: this build of Squall has no engine {engine}; it has {', '.join(there)}"
            continue
        for option in settings.of(name).get("options", {}):
            if option not in known[engine]:
                where = settings.where_of(name, "options")
                has = ", ".join(known[engine]) or "none"
                yield f"{where}: engine {engine} has no option {option}; its options: {has}"
