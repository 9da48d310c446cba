"""Whether two files hold the same, bit for bit: dimensions, attributes, variables and their values."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from squall.wrf_output.contents import Attribute, Contents, Variable, opened
from squall.wrf_output.values import differing

_Thing = TypeVar("_Thing")


@dataclass(frozen=True)
class Difference:
    """`kind`: for counts of several, in the singular and the plural."""

    kind: tuple[str, str]
    lines: Sequence[str]


@dataclass(frozen=True)
class Comparison:
    """`compared`: what there is of it in the first file, in words. `ordered`: whether variables stand in the
    same order, which counts for nothing."""

    names: tuple[str, str]
    differences: Sequence[Difference]
    ordered: bool
    compared: str

    @property
    def same(self) -> bool:
        return not self.differences

    def lines(self, every: bool) -> list[str]:
        """For people: the first difference and how many others there are, or all of them."""
        a, b = self.names
        order = [] if self.ordered else ["The order of their variables differs, which does not count."]
        if self.same:
            return [f"Equal, bit for bit: {a} and {b}", f"  {self.compared}", *order]
        told = self.differences if every else self.differences[:1]
        out = ["Different:", f"  A: {a}", f"  B: {b}"]
        out += [line for difference in told for line in difference.lines]
        rest = Counter(difference.kind for difference in self.differences[len(told) :])
        if rest:
            counts = [f"{n} {kind[0] if n == 1 else kind[1]}" for kind, n in rest.items()]
            out.append(f"Others that differ: {', '.join(counts)}. --all lists them.")
        return [*out, *order]


_DIMENSION = ("dimension", "dimensions")
_GLOBAL = ("global attribute", "global attributes")
_OF_VARIABLE = ("attribute of a variable", "attributes of variables")
_VARIABLE = ("variable", "variables")
_VALUES = ("variable's values", "variables' values")


def compare(a: Path, b: Path, ignored: Collection[str] = ()) -> Comparison:
    """ignored: names of attributes, of the file or of variables. Raises UserError for what cannot be read."""
    with opened(a) as first, opened(b) as second:
        differences = list(_differences(first, second, set(ignored)))
        common = [name for name in first.variables if name in second.variables]
        ordered = common == [name for name in second.variables if name in first.variables]
        names = (f"{a} ({first.format})", f"{b} ({second.format})")
        return Comparison(names, differences, ordered, _size(first, set(ignored)))


def _size(contents: Contents, ignored: set[str]) -> str:
    attributes = [contents.attributes, *(variable.attributes for variable in contents.variables.values())]
    counted = sum(name not in ignored for names in attributes for name in names)
    size = sum(variable.size * variable.item for variable in contents.variables.values())
    return (
        f"{len(contents.dimensions)} dimensions, {counted} attributes, {len(contents.variables)} variables, "
        f"{size / 1e6:.1f} MB of values"
    )


def _differences(a: Contents, b: Contents, ignored: set[str]) -> Iterator[Difference]:
    for name, one, other in _pairs(a.dimensions, b.dimensions):
        if one != other:
            yield Difference(_DIMENSION, _both(f"dimension {name}", one, other))
    yield from _of_attributes("global attribute ", _GLOBAL, a.attributes, b.attributes, ignored)
    for name, mine, its in _pairs(a.variables, b.variables):
        if mine is None or its is None:
            yield Difference(_VARIABLE, _both(f"variable {name}", _shown(mine), _shown(its)))
            continue
        alike = (mine.type, mine.dims) == (its.type, its.dims)
        if not alike:
            yield Difference(_VARIABLE, _both(f"variable {name}", _shown(mine), _shown(its)))
        yield from _of_attributes(f"{name}:", _OF_VARIABLE, mine.attributes, its.attributes, ignored)
        if mine.shape != its.shape:
            yield Difference(_VALUES, [*_both(f"shape of {name}", mine.shape, its.shape), _NOT_COMPARED])
        elif mine.type == its.type:
            found = differing(name, mine, a, b)
            if found:
                yield Difference(_VALUES, found.lines())


_NOT_COMPARED = "    its values were not compared"


def _shown(variable: Variable | None) -> str | None:
    return f"{variable.type} ({', '.join(variable.dims)})" if variable else None


def _of_attributes(
    of: str,
    kind: tuple[str, str],
    a: Mapping[str, Attribute],
    b: Mapping[str, Attribute],
    ignored: set[str],
) -> Iterator[Difference]:
    for name, one, other in _pairs(a, b):
        if name not in ignored and (one is None or other is None or not one.same(other)):
            yield Difference(kind, _both(f"{of}{name}", one, other))


def _pairs(
    a: Mapping[str, _Thing], b: Mapping[str, _Thing]
) -> Iterator[tuple[str, _Thing | None, _Thing | None]]:
    for name in dict.fromkeys((*a, *b)):
        yield name, a.get(name), b.get(name)


def _both(what: str, one: Any, other: Any) -> list[str]:
    shown = ("none" if thing is None else str(thing) for thing in (one, other))
    return [f"{what}", *(f"    {side}: {thing}" for side, thing in zip("AB", shown, strict=True))]
