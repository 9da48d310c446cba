"""The C interface of the output runtime (squall/io.h) through ctypes, for squall.io."""

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_uint64, c_void_p
from functools import cache

from squall.locate import io_library


class Error(RuntimeError):
    """An error of the output runtime: what failed, where (stream, file, field, rank), and what to do."""


class StreamReport(ctypes.Structure):
    """squall_io_stream_report."""

    _fields_ = (
        *((name, c_char_p) for name in ("name", "engine", "placement", "codec")),
        *((name, c_int64) for name in ("frames", "failed", "skipped")),
        *((name, c_uint64) for name in ("bytes", "stored_bytes")),
        *((name, c_double) for name in ("perceived_median", "perceived_largest", "perceived_total")),
        *((name, c_double) for name in ("drain_median", "drain_largest")),
        ("waits", c_int64),
        ("waited", c_double),
        *((name, c_uint64) for name in ("spilled", "staging_peak")),
    )


class FieldInfo(ctypes.Structure):
    """squall_io_field_info."""

    _fields_ = (("type", c_int), ("ndims", c_int), ("per_frame", c_int))


class OptionInfo(ctypes.Structure):
    """squall_io_option."""

    _fields_ = (
        *((name, c_char_p) for name in ("name", "kind", "preset", "unit", "about", "words")),
        ("least", c_double),
    )


class AttributeInfo(ctypes.Structure):
    """squall_io_attribute."""

    _fields_ = (("name", c_char_p), ("type", c_int), ("count", c_int64), ("data", c_void_p))


_indices, _strides = POINTER(c_int64), POINTER(ctypes.c_ssize_t)
_new = POINTER(c_void_p)
_names = (c_int, POINTER(c_char_p))  # how many, which
_points = (c_int, c_void_p, c_int, _strides)  # type, data, ndims, strides
_box = (c_int, _indices, _indices, c_int, c_void_p, _strides)  # ndims, start, count, type, data, strides

# Arguments of the functions that return a status.
_FUNCTIONS: dict[str, tuple[type, ...]] = {
    "format_time": (c_double, c_char_p, c_char_p, c_char_p, ctypes.c_size_t),
    "format_time_in": (c_double, c_char_p, c_char_p, c_char_p, c_char_p, ctypes.c_size_t),
    "engine_options": (c_char_p, POINTER(c_int)),
    "engine_option": (c_char_p, c_int, POINTER(OptionInfo)),
    "session_spec_new": (_new,),
    "session_spec_set": (c_void_p, c_char_p, c_char_p),
    "session_open_f": (c_int, c_void_p, _new),
    "session_computes": (c_void_p, POINTER(c_int)),
    "session_comm_f": (c_void_p, POINTER(c_int)),
    "session_serve": (c_void_p,),
    "session_close": (c_void_p, _new),
    "report_streams": (c_void_p, POINTER(c_int)),
    "report_stream": (c_void_p, c_int, POINTER(StreamReport)),
    "spec_new": (c_char_p, c_char_p, _new),
    "spec_set": (c_void_p, c_char_p, c_char_p),
    "spec_option": (c_void_p, c_char_p, c_char_p),
    "spec_dimension": (c_void_p, c_char_p, c_int64),
    "spec_subset": (c_void_p, c_char_p, c_int64, c_int64, c_int64),
    "spec_field": (c_void_p, c_char_p, c_int, c_int, POINTER(c_char_p), c_int),
    "spec_pack": (c_void_p, c_char_p, c_double, c_double),
    "spec_round": (c_void_p, c_char_p, c_char_p, c_double),
    "spec_attribute_text": (c_void_p, c_char_p, c_char_p, c_char_p),
    "spec_attribute_int": (c_void_p, c_char_p, c_char_p, c_int, POINTER(c_int32)),
    "spec_attribute_float": (c_void_p, c_char_p, c_char_p, c_int, POINTER(ctypes.c_float)),
    "spec_attribute_double": (c_void_p, c_char_p, c_char_p, c_int, POINTER(c_double)),
    "spec_varying": (c_void_p, c_char_p, c_int64),
    "frame_length": (c_void_p, c_char_p, c_int64),
    "spec_texts": (c_void_p, c_char_p, c_int, *_names, c_int),
    "spec_time": (c_void_p, c_char_p, c_char_p, c_int),
    "spec_fill": (c_void_p, c_char_p, c_double),
    "spec_optional": (c_void_p, c_char_p),
    "spec_decomposition": (c_void_p, c_char_p, *_names),
    "spec_decomposition_box": (c_void_p, c_char_p, _indices, _indices),
    "spec_decomposition_indices": (c_void_p, c_char_p, c_int64, _indices),
    "spec_decomposition_unowned": (c_void_p, c_char_p, _indices, _indices),
    "spec_decomposed": (c_void_p, c_char_p, c_char_p),
    "spec_source": (c_void_p, c_char_p, c_int, *_names, c_int),
    "spec_reduction": (c_void_p, c_char_p, c_char_p, c_char_p, *_names),
    "spec_reduction_set": (c_void_p, c_char_p, c_char_p, c_char_p),
    "spec_reduction_within": (c_void_p, c_char_p, c_char_p, c_int64, c_int64),
    "spec_reduction_coarsen": (c_void_p, c_char_p, c_char_p, c_int64, c_char_p),
    "spec_reduction_levels": (c_void_p, c_char_p, c_int, POINTER(c_double)),
    "spec_places": (c_void_p, c_char_p, c_int64, *_names, POINTER(c_double)),
    "spec_places_stagger": (c_void_p, c_char_p, c_char_p, c_char_p, c_double),
    "spec_accumulators": (c_void_p, c_void_p),
    "frame_places": (c_void_p, c_char_p, c_int64, POINTER(c_double)),
    "stream_sample": (c_void_p, c_double, c_char_p, _new),
    "stream_save": (c_void_p, c_void_p),
    "stream_restore": (c_void_p, c_char_p, c_int64),
    "session_progress": (c_void_p,),
    "session_put": (c_void_p, c_char_p, *_box, POINTER(c_int)),
    "session_put_points": (c_void_p, c_char_p, *_points, POINTER(c_int)),
    "stream_open_on_f": (c_void_p, c_void_p, c_int, _new),
    "stream_put_points": (c_void_p, c_char_p, *_points),
    "stream_begin_bounds": (c_void_p, c_double, c_char_p, c_double, c_double, _new),
    "frame_put_points": (c_void_p, c_char_p, *_points),
    "frame_set_double": (c_void_p, c_char_p, c_double),
    "frame_set_int": (c_void_p, c_char_p, c_int64),
    "frame_set_text": (c_void_p, c_char_p, c_char_p),
    "frame_leave_out": (c_void_p, c_char_p),
    "reader_time": (c_void_p, c_int64, POINTER(c_double), POINTER(c_char_p), POINTER(c_char_p)),
    "stream_open": (c_void_p, c_void_p, _new),
    "stream_put": (c_void_p, c_char_p, *_box),
    "stream_begin": (c_void_p, c_double, c_char_p, _new),
    "stream_open_file": (c_void_p, c_char_p, c_void_p),
    "stream_replace_file": (c_void_p, c_char_p, c_void_p),
    "stream_close_file": (c_void_p,),
    "stream_flush": (c_void_p,),
    "stream_close": (c_void_p,),
    "frame_put": (c_void_p, c_char_p, *_box),
    "frame_commit": (c_void_p,),
    "frame_abandon": (c_void_p,),
    "reader_open": (c_char_p, _new),
    "reader_open_on_f": (c_char_p, c_int, c_int, _new),
    "reader_frames": (c_void_p, POINTER(c_int64)),
    "reader_dimensions": (c_void_p, POINTER(c_int)),
    "reader_dimension": (c_void_p, c_int, POINTER(c_char_p), POINTER(c_int64)),
    "reader_fields": (c_void_p, POINTER(c_int)),
    "reader_field": (c_void_p, c_int, POINTER(c_char_p)),
    "reader_field_info": (c_void_p, c_char_p, POINTER(FieldInfo)),
    "reader_field_dimension": (c_void_p, c_char_p, c_int, POINTER(c_char_p), POINTER(c_int64)),
    "reader_attributes": (c_void_p, c_char_p, POINTER(c_int)),
    "reader_attribute": (c_void_p, c_char_p, c_int, POINTER(AttributeInfo)),
    "reader_read": (c_void_p, c_char_p, c_int64, *_box),
    "subscribe": (c_char_p, _new),
    "subscribe_on_f": (c_char_p, c_int, _new),
    "subscriber_next": (c_void_p, c_double, _new),
    "subscriber_release": (c_void_p,),
    "subscriber_ended": (c_void_p, POINTER(c_int)),
    "subscriber_number": (c_void_p, POINTER(c_int64)),
}
_FREE = ("session_spec_free", "report_free", "spec_free", "reader_free", "subscriber_free")


@cache
def library() -> ctypes.CDLL:
    """libsquall_io.so with its functions declared. Raises UserError where it is not there."""
    path = io_library()
    try:
        lib = ctypes.CDLL(str(path))
    except OSError as error:
        raise Error(f"{path} cannot be loaded: {error}") from error
    for name, arguments in _FUNCTIONS.items():
        function = getattr(lib, f"squall_io_{name}")
        function.argtypes, function.restype = arguments, c_int
    for name in _FREE:
        function = getattr(lib, f"squall_io_{name}")
        function.argtypes, function.restype = (c_void_p,), None
    lib.squall_io_last_error.restype = c_char_p
    lib.squall_io_engine.argtypes, lib.squall_io_engine.restype = (c_int,), c_char_p
    return lib


def call(name: str, *arguments: object) -> None:
    """Calls a function that returns a status; raises Error with what it says went wrong. Texts may be str."""
    encoded = [a.encode() if isinstance(a, str) else a for a in arguments]
    if getattr(library(), f"squall_io_{name}")(*encoded):
        raise Error(library().squall_io_last_error().decode())


def free(name: str, handle: c_void_p) -> None:
    """Calls one of the *_free functions."""
    getattr(library(), f"squall_io_{name}")(handle)


def new(name: str, *arguments: object) -> c_void_p:
    """Calls a function whose last argument is where it puts a handle; returns the handle."""
    handle = c_void_p()
    call(name, *arguments, ctypes.byref(handle))
    return handle


def integer(name: str, *arguments: object) -> int:
    """Calls a function whose last argument is where it puts an int; returns it."""
    number = c_int()
    call(name, *arguments, ctypes.byref(number))
    return number.value


def name_and_size(name: str, *arguments: object) -> tuple[str, int]:
    """Calls a function whose last arguments are where it puts a name and a size; returns them."""
    text, size = c_char_p(), c_int64()
    call(name, *arguments, ctypes.byref(text), ctypes.byref(size))
    return (text.value or b"").decode(), size.value
