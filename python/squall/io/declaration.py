"""Declarations of streams, for squall.io."""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Literal

import numpy as np
import numpy.typing as npt

from squall.io.arrays import as_array, c_names, c_numbers, type_number
from squall.io.library import Error, call, free, new

Value = str | int | float | npt.ArrayLike

_ATTRIBUTES = {"i4": "int", "f4": "float", "f8": "double"}


Method = Literal[
    "mean", "sum", "min", "max", "variance", "standard_deviation", "count", "quantile",  # over dimensions
    "last", "accumulation", "rate",  # and over time
    "linear", "nearest",  # at places
    "interpolate",  # onto levels
]  # fmt: skip


@dataclass(frozen=True)
class Places:
    """Places at which fields are sampled: stations or moving platforms; Places in squall/io.hpp.

    dimensions: those of the positions, slowest first. positions: for each place an index along each
    dimension, from 0, possibly fractional; None: they move, and Frame.places sets them. staggers: staggered
    dimensions that correspond to one of these, and the offset of the places along them: {"west_east_stag":
    ("west_east", 0.5)}.
    """

    dimensions: Sequence[str]
    count: int
    positions: npt.ArrayLike | None = None
    staggers: Mapping[str, tuple[str, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Reduction:
    """How a field is computed from another one before output; Reduction in squall/io.hpp.

    of: a field of the stream or one of its sources; over: the dimensions that are reduced, or the record
    dimension alone for a reduction over time. weight, mask: fields or sources on some of its dimensions.
    within: the range of the dimensions in `over` that is used. quantile: its probability, from a histogram of
    a number of bins between low and high. coarsen: dimensions of which several points become one of another
    dimension, such as {"x": (4, "x_coarse")}. at: the name of Places. onto: the dimension with the `levels`
    of the field `coordinate`, which replaces the one in `over`.
    """

    of: str
    method: Method = "mean"
    over: Sequence[str] = ()
    weight: str | None = None
    mask: str | None = None
    within: Mapping[str, slice] = field(default_factory=dict)
    coarsen: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    quantile: float | None = None
    low: float | None = None
    high: float | None = None
    bins: int | None = None
    at: str | None = None
    onto: str | None = None
    coordinate: str | None = None
    levels: Sequence[float] = ()
    scale: Literal["linear", "log"] | None = None
    outside: Literal["missing", "nearest", "extrapolate"] | None = None


@dataclass(frozen=True)
class Field:
    """A named distributed array: its type in the file, dimensions without the record dimension, attributes.

    per_frame False: fixed in time, put with Stream.put. packed: (low, high) keeps it as int16 with CF's
    scale_factor and add_offset; rounded: ("absolute" or "relative", bound) rounds values within an error
    bound. type str: texts of up to `letters` bytes of UTF-8. optional: a frame may leave it out
    (Frame.leave_out). fill: the value of points that no rank owns, and of a field that is left out.
    decomposition: the name of the decomposition that it is put in. reduction: the field is computed from
    another one, not put; `dimensions` may be left out.
    """

    name: str
    type: npt.DTypeLike = "f4"
    dimensions: Sequence[str] = ()
    per_frame: bool = True
    attributes: Mapping[str, Value] = field(default_factory=dict)
    packed: tuple[float, float] | None = None
    rounded: tuple[Literal["absolute", "relative"], float] | None = None
    letters: int = 0
    fill: float | None = None
    optional: bool = False
    decomposition: str | None = None
    reduction: Reduction | None = None


@dataclass(frozen=True)
class Decomposition:
    """The points of a grid that this rank owns; Decomposition in squall/io.hpp.

    dimensions: the divided dimensions, slowest first. boxes: (start, count) of each box, contiguous in memory
    one after the other; or indices along a single dimension, in memory order. unowned: boxes that no rank
    owns, which get the fill value; each is declared by one rank.
    """

    dimensions: Sequence[str]
    boxes: Sequence[tuple[Sequence[int], Sequence[int]]] = ()
    indices: npt.ArrayLike | None = None
    unowned: Sequence[tuple[Sequence[int], Sequence[int]]] = ()


@dataclass(frozen=True)
class TimeAxis:
    """CF's time coordinate, written by the runtime. name None: that of the record dimension."""

    units: str = "seconds since 2000-01-01 00:00:00"
    name: str | None = None
    bounds: bool = False


@dataclass(frozen=True)
class StreamSpec:
    """The declaration of a stream; StreamSpec in squall/io.hpp.

    path: a pattern for format_time, filled with the time of the file's first frame. dimensions: those of the
    whole domain. subset: keeps a slice of a dimension. None: the library's default. varying: dimensions whose
    length varies between frames (Frame.length); `dimensions` holds their maximum. sources: fields that are
    put but not written, for reductions. keeps: other streams whose accumulated state this one stores for
    restarts (Stream.save).
    """

    name: str
    path: str
    dimensions: Mapping[str, int]
    fields: Sequence[Field]
    attributes: Mapping[str, Value] = field(default_factory=dict)
    subset: Mapping[str, slice] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    engine: str | None = None
    placement: str | None = None
    codec: str | None = None
    frames_per_file: int | None = None
    replace: bool | None = None
    burst_dir: str | None = None
    staging_limit: int | None = None
    when_full: Literal["wait", "spill", "skip"] | None = None
    spill_dir: str | None = None
    on_error: Literal["abort", "continue"] | None = None
    on_lost_server: Literal["stop", "take-over"] | None = None
    record_dimension: str | None = None
    calendar: str | None = None
    append: bool | None = None
    reduce: Literal["ranks", "servers"] | None = None
    varying: Sequence[str] = ()
    time: TimeAxis | Literal[False] = False
    decompositions: Mapping[str, Decomposition] = field(default_factory=dict)
    sources: Sequence[Field] = ()
    places: Mapping[str, Places] = field(default_factory=dict)
    keeps: "Sequence[StreamSpec]" = ()


_KEYS = [f.name for f in fields(StreamSpec) if f.default is None]
_REDUCTION_KEYS = [f.name for f in fields(Reduction) if f.default is None]


def word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def declare(handle: ctypes.c_void_p, spec: StreamSpec) -> None:
    for key in _KEYS:
        if (value := getattr(spec, key)) is not None:
            call("spec_set", handle, key, word(value))
    for option, text in spec.options.items():
        call("spec_option", handle, option, text)
    for name, size in spec.dimensions.items():
        call("spec_varying" if name in spec.varying else "spec_dimension", handle, name, size)
    for name, part in spec.subset.items():
        stop = -1 if part.stop is None else part.stop
        call("spec_subset", handle, name, part.start or 0, stop, part.step or 1)
    if spec.time:
        call("spec_time", handle, spec.time.name, spec.time.units, spec.time.bounds)
    for name, decomposition in spec.decompositions.items():
        _declare_decomposition(handle, name, decomposition)
    for name, places in spec.places.items():
        _declare_places(handle, name, places)
    for each in spec.sources:
        _declare_field(handle, each, "spec_source")
    for each in spec.fields:
        _declare_field(handle, each, "spec_field")
    for other in spec.keeps:
        _declare_accumulators(handle, other)
    declare_attributes(handle, None, spec.attributes)


def _declare_decomposition(handle: ctypes.c_void_p, name: str, declared: Decomposition) -> None:
    call("spec_decomposition", handle, name, *c_names(declared.dimensions))
    for start, count in declared.boxes:
        call("spec_decomposition_box", handle, name, c_numbers(start), c_numbers(count))
    if declared.indices is not None:
        indices = np.ascontiguousarray(declared.indices, np.int64)
        pointer = indices.ctypes.data_as(ctypes.POINTER(ctypes.c_int64))
        call("spec_decomposition_indices", handle, name, indices.size, pointer)
    for start, count in declared.unowned:
        call("spec_decomposition_unowned", handle, name, c_numbers(start), c_numbers(count))


def _declare_accumulators(handle: ctypes.c_void_p, other: StreamSpec) -> None:
    of = new("spec_new", other.name, other.path)
    try:
        declare(of, other)
        call("spec_accumulators", handle, of)
    finally:
        free("spec_free", of)


def _doubles(values: npt.ArrayLike) -> tuple[int, "ctypes._Pointer[ctypes.c_double]"]:
    numbers = np.ascontiguousarray(values, np.float64)
    return numbers.size, numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def _declare_places(handle: ctypes.c_void_p, name: str, declared: Places) -> None:
    size, positions = (0, None) if declared.positions is None else _doubles(declared.positions)
    if positions is not None and size != declared.count * len(declared.dimensions):
        raise Error(
            f"places {name}: {size} positions for {declared.count} places in "
            f"{len(declared.dimensions)} dimensions"
        )
    call("spec_places", handle, name, declared.count, *c_names(declared.dimensions), positions)
    for dimension, (of, by) in declared.staggers.items():
        call("spec_places_stagger", handle, name, dimension, of, by)


def _declare_reduction(handle: ctypes.c_void_p, name: str, declared: Reduction) -> None:
    call("spec_reduction", handle, name, declared.of, declared.method, *c_names(declared.over))
    for key in _REDUCTION_KEYS:
        if (value := getattr(declared, key)) is not None:
            call("spec_reduction_set", handle, name, key, word(value))
    if declared.levels:
        call("spec_reduction_levels", handle, name, *_doubles(declared.levels))
    for dimension, part in declared.within.items():
        stop = -1 if part.stop is None else part.stop
        call("spec_reduction_within", handle, name, dimension, part.start or 0, stop)
    for dimension, (factor, onto) in declared.coarsen.items():
        call("spec_reduction_coarsen", handle, name, dimension, factor, onto)


def _declare_field(handle: ctypes.c_void_p, declared: Field, function: str) -> None:
    names = c_names(declared.dimensions)
    if declared.type is str:
        call("spec_texts", handle, declared.name, declared.letters, *names, declared.per_frame)
    else:
        kind = type_number(np.dtype(declared.type))
        call(function, handle, declared.name, kind, *names, declared.per_frame)
    if declared.fill is not None:
        call("spec_fill", handle, declared.name, declared.fill)
    if declared.optional:
        call("spec_optional", handle, declared.name)
    if declared.decomposition:
        call("spec_decomposed", handle, declared.name, declared.decomposition)
    if declared.reduction:
        _declare_reduction(handle, declared.name, declared.reduction)
    if declared.packed:
        call("spec_pack", handle, declared.name, *declared.packed)
    if declared.rounded:
        call("spec_round", handle, declared.name, *declared.rounded)
    declare_attributes(handle, declared.name, declared.attributes)


def declare_attributes(handle: ctypes.c_void_p, owner: str | None, values: Mapping[str, Value]) -> None:
    """Of a field, or of the whole file (owner None)."""
    for name, value in values.items():
        if isinstance(value, str):
            call("spec_attribute_text", handle, owner, name, value)
            continue
        numbers = np.atleast_1d(as_array(value))
        kind = _ATTRIBUTES.get(numbers.dtype.str[1:])
        if kind is None:
            raise Error(f"attribute {name} is {numbers.dtype}; it must be a text, int32, float32 or float64")
        pointer = numbers.ctypes.data_as(ctypes.POINTER(np.ctypeslib.as_ctypes_type(numbers.dtype)))
        call(f"spec_attribute_{kind}", handle, owner, name, numbers.size, pointer)
