"""The rules of the translation, and their simple kinds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from squall.wrf.namelist import Value

Setting = str | int | float | bool | list[str] | list[float] | dict[str, str]


@dataclass(frozen=True)
class Outcome:
    """The result of a rule: settings ("dynamics.off_centring": 0.5), and the consequence for the run of what
    has no counterpart ("" if everything has one). `note`: how close a stand-in is that counts as the same."""

    settings: Mapping[str, Setting] = field(default_factory=dict)
    lost: str = ""
    note: str = ""


class Values(dict[str, Value | list[float]]):
    """Values of d01 by key, without group; WRF's defaults where the namelist has none."""

    def number(self, key: str) -> float:
        value = self[key]
        return 0.0 if isinstance(value, list) else float(value)

    def whole(self, key: str) -> int:
        return int(self.number(key))

    def numbers(self, key: str) -> list[float]:
        value = self[key]
        return value if isinstance(value, list) else []

    def flag(self, key: str) -> bool:
        return self[key] in (True, 1)


@dataclass(frozen=True)
class Rule:
    """`keys`: "group.key" with WRF's default (that of WRF 4's Registry). `here` and `note`: what stands
    for them in a run file, for the reference page."""

    keys: Mapping[str, Value | list[float]]
    here: str
    apply: Callable[[Values], Outcome]
    note: str = ""


def number(name: str, default: float, key: str) -> Rule:
    """A number that means the same."""
    short = name.split(".")[1]
    return Rule({name: default}, f"`{key}`", lambda v: Outcome({key: v.number(short)}))


def whole(name: str, default: int, key: str) -> Rule:
    """A whole number that means the same."""
    short = name.split(".")[1]
    return Rule({name: default}, f"`{key}`", lambda v: Outcome({key: v.whole(short)}))


def flag(name: str, default: bool | int, key: str) -> Rule:
    """A switch, logical or 0 and 1, that means the same."""
    short = name.split(".")[1]
    return Rule({name: default}, f"`{key}`", lambda v: Outcome({key: v.flag(short)}))


def choice(
    name: str, default: int, key: str, values: Mapping[int, Setting], other: tuple[Setting, str]
) -> Rule:
    """A number that stands for a choice; `other`: what stands in for the rest, and what that means."""
    short = name.split(".")[1]

    def apply(v: Values) -> Outcome:
        if v.whole(short) in values:
            return Outcome({key: values[v.whole(short)]})
        return Outcome({key: other[0]}, other[1])

    words = ", ".join(f"{number}: `{toml_word(word)}`" for number, word in values.items())
    return Rule({name: default}, f"`{key}`: {words}", apply, f"else {other[1]}")


def toml_word(value: Setting) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def absent(names: Mapping[str, Value], harmless: Callable[[Values], bool], meaning: str) -> Rule:
    """Keys without counterpart that matter unless `harmless`."""
    return Rule(names, "none", lambda v: Outcome() if harmless(v) else Outcome(lost=meaning), meaning)


def off(name: str, default: Value, meaning: str) -> Rule:
    """A scheme or switch that Squall does not have, which matters unless it is off (0, -1, false) or at
    WRF's default."""
    short = name.split(".")[1]
    return absent({name: default}, lambda v: v[short] in (0, -1, False, default), meaning)
