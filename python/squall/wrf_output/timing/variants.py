"""What is timed: ways in which a run of WRF may write its history, each as changes of its namelist and a
squall_io.toml."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from squall.errors import UserError
from squall.wrf import dates, namelist, namelist_edit
from squall.wrf.namelist import Namelist
from squall.wrf_output.layers import LAYERS, OTHERS, listed
from squall.wrf_output.schema import ENGINES
from squall.wrf_output.streams import Stream, written
from squall.wrf_output.timing.programs import Programs

#: Minutes; longer than any run, and few enough to be counted in seconds.
_NEVER = "10000000"


@dataclass(frozen=True)
class Variant:
    """`form`: io_form_history; None: no frame but the first. `placement`: of Squall; "": WRF writes.
    `engine`: "": that of WRF's layer. `codec`: "": the engine's default."""

    form: int | None
    placement: str = ""
    engine: str = ""
    classic: bool = False
    codec: str = ""

    @property
    def name(self) -> str:
        if self.form is None:
            return "no output"
        words = ["Squall" if self.placement else "WRF", f"io_form {self.form}", self.engine, self.codec]
        return " ".join(filter(None, [*words, "classic" * self.classic]))

    @property
    def servers(self) -> int:
        return int(self.placement == "servers")

    @property
    def in_pieces(self) -> bool:
        return self.form is not None and self.form > 100

    def settings(self) -> str | None:
        """Of squall_io.toml; None: it needs none."""
        if not self.placement:
            return None
        servers = f"servers = {self.servers}\n" if self.servers else ""
        engine = f'engine = "{self.engine}"\n' if self.engine else ""
        codec = f'codec = "{self.codec}"\n' if self.codec else ""
        return f'{servers}[streams.history]\nplacement = "{self.placement}"\n{engine}{codec}'


NONE = Variant(None)
REFERENCE = Variant(2)  # what most people run


def chosen(programs: Programs, forms: Sequence[int], engines: Sequence[str]) -> list[Variant]:
    """forms: io_forms to time; none: all that wrf.exe has. engines: ENGINE or ENGINE:CODEC. Raises UserError
    for what is not there."""
    unknown = [form for form in forms if form not in programs.forms]
    if unknown:
        has = listed([str(form) for form in programs.forms]) or "none that can be timed"
        named = OTHERS.get(unknown[0], "")
        raise UserError(
            f"{programs.wrf} has no io_form {unknown[0]}{f', {named}' * bool(named)}; it has {has}."
        )
    for engine in engines:
        there = programs.engines if programs.engines is not None else list(ENGINES)
        name = engine.partition(":")[0]
        if name not in there:
            raise UserError(f"This build of Squall has no engine {name}; it has {', '.join(there)}.")
    return [NONE, *_variants(programs, forms or programs.forms, engines)]


def _variants(programs: Programs, forms: Sequence[int], engines: Sequence[str]) -> Iterator[Variant]:
    for form in forms:
        yield Variant(form)
        if form == 2:
            yield Variant(form, classic=True)
    replaced = [layer for layer in programs.replaced if layer.io_form in forms]
    if LAYERS[-1] in replaced:
        yield Variant(2, "thread")
    for layer in (layer for layer in replaced if layer.parallel):
        yield Variant(layer.io_form, "thread")
        yield Variant(layer.io_form, "servers")
    if parallel := next((layer for layer in replaced if layer.parallel), None):
        for engine in (engine for engine in engines if engine != parallel.engine):
            name, _, codec = engine.partition(":")
            for placement in ("thread", "servers"):
                yield Variant(parallel.io_form, placement, name, codec=codec)


@dataclass(frozen=True)
class Namelists:
    """Makes the namelists of variants from that of a run."""

    path: Path
    given: Namelist
    history: Stream

    @staticmethod
    def of(folder: Path) -> "Namelists":
        """Raises UserError for a folder that is no run, or one without history."""
        path = folder / "namelist.input"
        given = namelist.read(path)
        history = next((s for s in written(given) if (s.name, s.domain) == ("history", 1)), None)
        if history is None:
            raise UserError(f"{path} has no history written: set history_interval and io_form_history.")
        return Namelists(path, given, history)

    def text(self, variant: Variant, short: bool = False) -> str:
        """short: the run ends with its second frame."""
        domains = int(self.given.column("domains.max_dom") or 1)
        form = self.history.io_form if variant.form is None else variant.form
        changes: dict[str, str | None] = {
            "time_control.io_form_history": f"{form}",
            "time_control.frames_per_outfile": ", ".join(["1"] * domains),
            **self._classic(variant),
        }
        if self.given.column("namelist_quilt.nio_tasks_per_group"):
            changes["namelist_quilt.nio_tasks_per_group"] = "0"
        off = {stream.name for stream in written(self.given)} - {"history"}
        for stream in sorted(off | ({"history"} if variant.form is None else set())):
            changes |= self._never(stream, 1 if stream == "restart" else domains)
        for outname in [name for name in self.given.names if name.endswith("_outname")]:
            changes[outname] = None  # it may lead out of the folder
        return namelist_edit.edited(self.path, changes | (self._shortened() if short else {}))

    def _classic(self, variant: Variant) -> dict[str, str | None]:
        key = "time_control.use_netcdf_classic"
        if variant.classic:
            return {key: ".true."}
        return {key: ".false."} if key in self.given.names else {}

    def _never(self, stream: str, domains: int) -> dict[str, str | None]:
        key = f"time_control.{stream}_interval"
        units = [f"{key}_{unit}" for unit in "dhms" if f"{key}_{unit}" in self.given.names]
        return {key: ", ".join([_NEVER] * domains), **{unit: ", ".join(["0"] * domains) for unit in units}}

    def _shortened(self) -> dict[str, str | None]:
        """Nothing where the run is that short, or does not tell its length."""
        start, end = dates.time_of(self.given, "start", 1), dates.end_of_run(self.given)
        interval = self.history.interval
        if start is None or end is None or interval % 1 or (end - start).total_seconds() <= interval:
            return {}
        keys = [f"time_control.run_{unit}" for unit in ("days", "hours", "minutes")]
        whole = {"time_control.run_seconds": f"{interval:.0f}"}
        return {**{key: "0" for key in keys if key in self.given.names}, **whole}
