#include "descriptor.hpp"

#include <string>
#include <vector>

#include "capi/capi.hpp"
#include "common/copy.hpp"
#include "declare/layout.hpp"

using squall::io::Error;
using squall::io::capi::guarded;

namespace {

/// A box of a field in memory: 0-based, slowest dimension first, strides in elements.
struct Array {
    squall_io_type type{};
    std::vector<std::int64_t> start, count;
    std::vector<std::ptrdiff_t> strides;
    int ndims() const { return static_cast<int>(count.size()); }
};

squall_io_type type_of(const CFI_cdesc_t &data) {
    switch (data.type) {
    case CFI_type_float:
        return SQUALL_IO_F32;
    case CFI_type_double:
        return SQUALL_IO_F64;
    case CFI_type_int16_t:
        return SQUALL_IO_I16;
    case CFI_type_int32_t:
        return SQUALL_IO_I32;
    case CFI_type_int8_t:
        return SQUALL_IO_I8;
    case CFI_type_int64_t:
        return SQUALL_IO_I64;
    case CFI_type_char:
        return SQUALL_IO_CHAR;
    default:
        throw Error("the array's type is none of real(real32), real(real64), integer(int8), "
                    "integer(int16), integer(int32), integer(int64), character; pass a text in a "
                    "variable, not as a literal");
    }
}

/// Adds the next slower dimension in front.
void add(Array &array, std::int64_t count, std::ptrdiff_t stride) {
    array.count.insert(array.count.begin(), count);
    array.strides.insert(array.strides.begin(), stride);
}

Array describe(const CFI_cdesc_t &data, const int *start, int nstart) {
    Array array{.type = type_of(data), .start = {}, .count = {}, .strides = {}};
    const auto text = array.type == SQUALL_IO_CHAR;
    const auto element = static_cast<CFI_index_t>(text ? 1 : data.elem_len);
    if (text && data.elem_len > 1) add(array, static_cast<std::int64_t>(data.elem_len), 1);
    for (int d = 0; d < data.rank; ++d) {
        if (data.dim[d].sm % element != 0)
            throw Error("the array's stride is not a multiple of its element size, as in a component of an "
                        "array of derived type; copy it into an array of its own");
        add(array, data.dim[d].extent, data.dim[d].sm / element);
    }
    array.start.assign(array.count.size(), 0);
    const int characters = array.ndims() - data.rank; // 0 or 1
    if (nstart != 0 && nstart != data.rank && nstart != array.ndims())
        throw Error("start has " + std::to_string(nstart) + " elements for an array of rank " +
                    std::to_string(data.rank));
    const int left_out = nstart == array.ndims() ? 0 : characters;
    for (int d = 0; d < nstart; ++d)
        array.start[array.start.size() - 1 - static_cast<std::size_t>(d + left_out)] = start[d] - 1;
    return array;
}

/// The array's points one behind the other: itself if they lie so, else a copy in `room`. Of one box of a
/// decomposition the C interface would take strides; of several, and of indices, it takes none.
const void *in_a_row(const CFI_cdesc_t &data, const Array &a, std::vector<std::byte> &room) {
    std::ptrdiff_t step = 1;
    bool contiguous = true;
    std::int64_t points = 1;
    for (auto d = a.count.size(); d-- > 0;) {
        contiguous = contiguous && (a.strides[d] == step || a.count[d] == 1);
        step *= a.count[d];
        points *= a.count[d];
    }
    if (contiguous || points == 0) return data.base_addr;
    const auto type = squall::io::capi::type_from(a.type);
    room.resize(static_cast<std::size_t>(points) * squall::io::size_of(type));
    squall::io::copy_points(a.count, data.base_addr, type, a.strides, room.data(), type, {});
    return room.data();
}

void check(int status) {
    if (status != SQUALL_IO_OK) throw Error(squall_io_last_error());
}

} // namespace

int squall_io_f_stream_put(squall_io_stream *stream, const char *field, const CFI_cdesc_t *data,
                           const int *start, int nstart) {
    return guarded([&] {
        const auto a = describe(*data, start, nstart);
        check(squall_io_stream_put(stream, field, a.ndims(), a.start.data(), a.count.data(), a.type,
                                   data->base_addr, a.strides.data()));
    });
}

int squall_io_f_frame_put(squall_io_frame *frame, const char *field, const CFI_cdesc_t *data,
                          const int *start, int nstart) {
    return guarded([&] {
        const auto a = describe(*data, start, nstart);
        check(squall_io_frame_put(frame, field, a.ndims(), a.start.data(), a.count.data(), a.type,
                                  data->base_addr, a.strides.data()));
    });
}

int squall_io_f_stream_put_points(squall_io_stream *stream, const char *field, const CFI_cdesc_t *data) {
    return guarded([&] {
        const auto a = describe(*data, nullptr, 0);
        std::vector<std::byte> room;
        check(squall_io_stream_put_points(stream, field, a.type, in_a_row(*data, a, room), 0, nullptr));
    });
}

int squall_io_f_frame_put_points(squall_io_frame *frame, const char *field, const CFI_cdesc_t *data) {
    return guarded([&] {
        const auto a = describe(*data, nullptr, 0);
        std::vector<std::byte> room;
        check(squall_io_frame_put_points(frame, field, a.type, in_a_row(*data, a, room), 0, nullptr));
    });
}

int squall_io_f_session_put(squall_io_session *session, const char *field, const CFI_cdesc_t *data,
                            const int *start, int nstart, int *takers) {
    return guarded([&] {
        const auto a = describe(*data, start, nstart);
        check(squall_io_session_put(session, field, a.ndims(), a.start.data(), a.count.data(), a.type,
                                    data->base_addr, a.strides.data(), takers));
    });
}

int squall_io_f_session_put_points(squall_io_session *session, const char *field, const CFI_cdesc_t *data,
                                   int *takers) {
    return guarded([&] {
        const auto a = describe(*data, nullptr, 0);
        std::vector<std::byte> room;
        check(squall_io_session_put_points(session, field, a.type, in_a_row(*data, a, room), 0, nullptr,
                                           takers));
    });
}

int squall_io_f_reader_read(const squall_io_reader *reader, const char *field, std::int64_t frame,
                            CFI_cdesc_t *data, const int *start, int nstart) {
    return guarded([&] {
        const auto a = describe(*data, start, nstart);
        check(squall_io_reader_read(reader, field, frame - 1, a.ndims(), a.start.data(), a.count.data(),
                                    a.type, data->base_addr, a.strides.data()));
    });
}
