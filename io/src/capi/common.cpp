#include "capi.hpp"

#include <cstring>

namespace squall::io::capi {
namespace {
thread_local std::string last_error = "no error";

void need_ndims(int ndims) {
    if (ndims < 0) throw Error("the number of dimensions is negative");
}
} // namespace

void set_last_error(const char *text) noexcept {
    try {
        last_error = text;
    } catch (...) {
        last_error.clear();
    }
}

Type type_from(squall_io_type type) {
    if (type < SQUALL_IO_F32 || type > SQUALL_IO_TEXT) throw Error("the type is not a squall_io_type");
    return static_cast<Type>(type); // in the same order
}

squall_io_type type_to(Type type) { return static_cast<squall_io_type>(type); }
static_assert(SQUALL_IO_CHAR == static_cast<int>(Type::character) &&
              SQUALL_IO_TEXT == static_cast<int>(Type::text));

bool leads(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank == 0;
}

Time time_from(double seconds, const char *epoch) {
    Time time{.seconds = seconds};
    if (epoch) time.epoch = epoch;
    return time;
}

Box box_from(int ndims, const std::int64_t *start, const std::int64_t *count) {
    need_ndims(ndims);
    if (ndims == 0) return {};
    return {{&need(start, "start"), start + ndims}, {&need(count, "count"), count + ndims}};
}

Strides strides_from(int ndims, const std::ptrdiff_t *strides) {
    need_ndims(ndims);
    return strides ? Strides(strides, strides + ndims) : Strides{};
}

} // namespace squall::io::capi

using namespace squall::io;
using namespace squall::io::capi;

const char *squall_io_last_error() { return last_error.c_str(); }

const char *squall_io_engine(int n) {
    static const auto names = engines();
    return n >= 0 && static_cast<std::size_t>(n) < names.size() ? names[static_cast<std::size_t>(n)].c_str()
                                                                : nullptr;
}

int squall_io_format_time(double seconds, const char *epoch, const char *pattern, char *text, size_t size) {
    return squall_io_format_time_in(seconds, epoch, nullptr, pattern, text, size);
}

int squall_io_format_time_in(double seconds, const char *epoch, const char *calendar, const char *pattern,
                             char *text, size_t size) {
    return guarded([&] {
        auto time = time_from(seconds, epoch);
        if (calendar) time.calendar = calendar;
        const auto written = format_time(time, need_text(pattern, "pattern"));
        if (written.size() >= size)
            throw Error("the time \"" + written + "\" and its terminating zero need " +
                        std::to_string(written.size() + 1) + " bytes, not " + std::to_string(size));
        std::memcpy(&need(text, "text"), written.c_str(), written.size() + 1);
    });
}
