/// The C interface: arrays of which the first element is known.
#include "capi.hpp"

#include "common/types.hpp"
#include "squall/io_array.h"
#include "squall/io_memory_order.hpp"

using namespace squall::io;
using namespace squall::io::capi;

namespace {

struct Described {
    Type type;
    bool replicated;
    ArrayPart part;
};

Described described(const squall_io_array *array) {
    const auto &a = need(array, "array");
    const auto name = need_text(a.order, "order of dimensions");
    const auto order = MemoryOrder::from(name);
    if (!order)
        throw Error("there is no order of dimensions \"" + name +
                    "\"; name x, y and z, each at most once, a strip such as XSZ, or Z, C or 0");
    if (order->dimensions() > 0)
        for (const auto *bounds :
             {a.domain_first, a.memory_first, a.memory_last, a.patch_first, a.patch_last})
            need(bounds, "bound of the array");
    return {type_from(a.type), order->replicated(),
            part_of(*order, a.domain_first, {a.memory_first, a.memory_last}, {a.patch_first, a.patch_last})};
}

template <class Byte> Byte *first_point(Byte *data, const Described &array) {
    return &need(data, "array's memory") +
           array.part.first * static_cast<std::ptrdiff_t>(size_of(array.type));
}

template <class To>
void put(To &to, bool first_rank, const char *field, const squall_io_array *array, const void *data) {
    const auto a = described(array);
    if (a.replicated && !first_rank) return;
    for (const auto n : a.part.box.count)
        if (n == 0) return;
    to.put(need_text(field, "field"), a.part.box, first_point(static_cast<const std::byte *>(data), a),
           a.type, a.part.strides);
}

} // namespace

int squall_io_frame_put_array(squall_io_frame *frame, const char *field, const squall_io_array *array,
                              const void *data) {
    return guarded([&] {
        auto &f = need(frame, "frame");
        put(f.frame, f.first_rank, field, array, data);
    });
}

int squall_io_stream_put_array(squall_io_stream *stream, const char *field, const squall_io_array *array,
                               const void *data) {
    return guarded([&] {
        auto &s = need(stream, "stream");
        put(s.stream, s.first_rank, field, array, data);
    });
}

int squall_io_reader_read_array(const squall_io_reader *reader, const char *field, std::int64_t frame,
                                const squall_io_array *array, void *data) {
    return guarded([&] {
        const auto a = described(array);
        need(reader, "reader")
            .reader.read(need_text(field, "field"), frame, a.part.box,
                         first_point(static_cast<std::byte *>(data), a), a.type, a.part.strides);
    });
}
