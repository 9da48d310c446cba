"""Streams of nests as tables [output.<stream>_d02], where their columns of a namelist differ."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from squall.wrf.namelist import Namelist, Value
from squall.wrf.nest_schemes import inherited, parent_of
from squall.wrf.rules import Outcome, Setting, Values
from squall.wrf.run_rules import HISTORY_RULE
from squall.wrf.stream_rules import STREAM_RULES

#: What a stream is by the keys of its table, with which a nest's table begins.
Table = Mapping[str, Setting]
_UNWRITTEN: Table = {"interval": "0 s"}


@dataclass(frozen=True)
class NestStreams:
    """What a nest's columns of one rule say, the settings they become, and what is lost of them."""

    wrf: str
    settings: dict[str, Setting]
    lost: str


def domains(namelist: Namelist) -> range:
    return range(1, int(namelist.column("domains.max_dom") or 1) + 1)


def nest_streams(namelist: Namelist) -> Iterator[NestStreams]:
    """Of each rule about streams, of each nest that it says something of."""
    for rule in (HISTORY_RULE, *STREAM_RULES):
        outcomes = {
            domain: rule.apply(values_of(namelist, rule.keys, domain)) for domain in domains(namelist)
        }
        yield from of_nests(namelist, rule.keys, outcomes)


def of_nests(
    namelist: Namelist, keys: Mapping[str, Value | list[float]], outcomes: Mapping[int, Outcome]
) -> Iterator[NestStreams]:
    """From what became of `keys`, which have WRF's defaults, in each domain."""
    tables = {domain: _tables(outcome) for domain, outcome in outcomes.items()}
    names = list(dict.fromkeys(name for streams in tables.values() for name in streams))
    for domain in [*domains(namelist)][1:]:
        settings: dict[str, Setting] = {}
        for name in names:
            settings |= _own_table(namelist, domain, name, {d: of.get(name) for d, of in tables.items()})
        outcome = outcomes[domain]
        lost = outcome.lost if outcome.settings and outcome.lost != outcomes[1].lost else ""
        if settings or lost:
            yield NestStreams(_told(namelist, keys, domain), settings, lost)


def _own_table(
    namelist: Namelist, domain: int, name: str, tables: Mapping[int, Table | None]
) -> dict[str, Setting]:
    """Settings of a nest's stream, of `tables` by domain; None: that domain does not write it. Such a table
    begins as that of the outermost domain; without one the stream is that of the nest's parent."""
    outer, around, own = (tables[d] or _UNWRITTEN for d in (1, parent_of(namelist, domain), domain))
    if own == outer == around:
        return {}
    different = {key: value for key, value in own.items() if value != outer.get(key)}
    return {
        f"output.{name}_d{domain:02d}.{key}": of_domain(value, domain)
        for key, value in ({"interval": own["interval"]} | different).items()
    }


def _told(namelist: Namelist, keys: Mapping[str, Value | list[float]], domain: int) -> str:
    """What its columns say otherwise than those of the outermost domain."""
    single = [key for key, default in keys.items() if not isinstance(default, list)]
    own = {key: inherited(namelist, key, domain) for key in single}
    words = [f"{key.split('.')[1]} = {v}" for key, v in own.items() if v != namelist.column(key)]
    return f"d{domain:02d}: {', '.join(words) or 'as the outermost domain, not as its parent'}"


def values_of(namelist: Namelist, defaults: Mapping[str, Value | list[float]], domain: int) -> Values:
    """Of a domain, by key without group; `defaults` are WRF's."""
    values = Values()
    for key, default in defaults.items():
        given = namelist.numbers(key) if isinstance(default, list) else inherited(namelist, key, domain)
        values[key.split(".")[1]] = default if given is None else given
    return values


def _tables(outcome: Outcome) -> dict[str, dict[str, Setting]]:
    """By the streams' names."""
    streams: dict[str, dict[str, Setting]] = {}
    for path, value in outcome.settings.items():
        _, name, key = path.split(".")
        streams.setdefault(name, {})[key] = value
    # Fields alone are one choice for all domains.
    return {name: table for name, table in streams.items() if "interval" in table}


def of_domain(value: Setting, domain: int) -> Setting:
    return value.replace("<domain>", f"{domain:02d}") if isinstance(value, str) else value
