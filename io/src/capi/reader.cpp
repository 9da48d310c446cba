/// The C interface: reading.
#include <algorithm>

#include "capi.hpp"

using namespace squall::io;
using namespace squall::io::capi;

namespace {

const Reader &reader_of(const squall_io_reader *reader) { return need(reader, "reader").reader; }

const std::vector<Attribute> &attributes_of(const squall_io_reader *reader, const char *field) {
    return field ? reader_of(reader).field(field).attributes : reader_of(reader).attributes();
}

template <class T> void show(const std::vector<T> &numbers, squall_io_attribute &out) {
    out.type = type_to(type_of<T>);
    out.count = static_cast<std::int64_t>(numbers.size());
    out.data = numbers.data();
}
void show(const std::string &text, squall_io_attribute &out) {
    out.type = SQUALL_IO_CHAR;
    out.count = static_cast<std::int64_t>(text.size());
    out.data = text.c_str();
}

void show(const Attribute &attribute, squall_io_attribute *out) {
    auto &place = need(out, "pointer for the attribute");
    place.name = attribute.name.c_str();
    std::visit([&](const auto &value) { show(value, place); }, attribute.value);
}

int count_of(int *count, auto list) {
    return guarded([&] { need(count, "pointer for the count") = static_cast<int>(list().size()); });
}

} // namespace

int squall_io_reader_open_on(const char *path, MPI_Comm comm, int readers, squall_io_reader **reader) {
    return guarded([&] {
        auto &place = need(reader, "pointer for the reader");
        place = new squall_io_reader{Reader(need_text(path, "path"), comm, readers)};
    });
}

int squall_io_reader_open_on_f(const char *path, MPI_Fint comm, int readers, squall_io_reader **reader) {
    return squall_io_reader_open_on(path, MPI_Comm_f2c(comm), readers, reader);
}

int squall_io_reader_open(const char *path, squall_io_reader **reader) {
    return guarded([&] {
        auto &place = need(reader, "pointer for the reader");
        place = new squall_io_reader{Reader(need_text(path, "path"))};
    });
}

void squall_io_reader_free(squall_io_reader *reader) { delete reader; }

int squall_io_reader_frames(const squall_io_reader *reader, int64_t *frames) {
    return guarded([&] { need(frames, "pointer for the number") = reader_of(reader).frames(); });
}

int squall_io_reader_dimensions(const squall_io_reader *reader, int *count) {
    return count_of(
        count, [&]() -> auto & { return reader_of(reader).dimensions(); });
}

int squall_io_reader_dimension(const squall_io_reader *reader, int n, const char **name, int64_t *size) {
    return guarded([&] {
        const auto &dimension = element(reader_of(reader).dimensions(), n, "dimension");
        need(name, "pointer for the name") = dimension.name.c_str();
        need(size, "pointer for the size") = dimension.size;
    });
}

int squall_io_reader_fields(const squall_io_reader *reader, int *count) {
    return count_of(
        count, [&]() -> auto & { return reader_of(reader).fields(); });
}

int squall_io_reader_field(const squall_io_reader *reader, int n, const char **name) {
    return guarded([&] {
        need(name, "pointer for the name") = element(reader_of(reader).fields(), n, "field").name.c_str();
    });
}

int squall_io_reader_field_info(const squall_io_reader *reader, const char *field,
                                squall_io_field_info *info) {
    return guarded([&] {
        const auto &f = reader_of(reader).field(need_text(field, "field"));
        need(info, "pointer for the answer") = {type_to(f.type), static_cast<int>(f.dimensions.size()),
                                                f.per_frame};
    });
}

int squall_io_reader_field_dimension(const squall_io_reader *reader, const char *field, int d,
                                     const char **name, int64_t *size) {
    return guarded([&] {
        const auto &r = reader_of(reader);
        const auto &dimension = element(r.field(need_text(field, "field")).dimensions, d, "dimension");
        need(size, "pointer for the size") = r.size(dimension);
        need(name, "pointer for the name") = dimension.c_str();
    });
}

int squall_io_reader_attributes(const squall_io_reader *reader, const char *field, int *count) {
    return count_of(
        count, [&]() -> auto & { return attributes_of(reader, field); });
}

int squall_io_reader_attribute(const squall_io_reader *reader, const char *field, int n,
                               squall_io_attribute *attribute) {
    return guarded([&] { show(element(attributes_of(reader, field), n, "attribute"), attribute); });
}

int squall_io_reader_attribute_named(const squall_io_reader *reader, const char *field, const char *name,
                                     squall_io_attribute *attribute) {
    return guarded([&] {
        const auto &list = attributes_of(reader, field);
        const auto wanted = need_text(name, "name");
        const auto a = std::ranges::find(list, wanted, &Attribute::name);
        if (a == list.end())
            throw Error(reader_of(reader).path() + ": " +
                        (field ? std::string("field ") + field : "the file") + " has no attribute " + wanted);
        show(*a, attribute);
    });
}

int squall_io_reader_read(const squall_io_reader *reader, const char *field, int64_t frame, int ndims,
                          const int64_t start[], const int64_t count[], squall_io_type type, void *data,
                          const ptrdiff_t strides[]) {
    return guarded([&] {
        reader_of(reader).read(need_text(field, "field"), frame, box_from(ndims, start, count), data,
                               type_from(type), strides_from(ndims, strides));
    });
}

int squall_io_reader_time(squall_io_reader *reader, int64_t frame, double *seconds, const char **epoch,
                          const char **calendar) {
    return guarded([&] {
        auto &r = need(reader, "reader");
        if (r.times.empty()) r.times = r.reader.times();
        const auto &time = element(r.times, static_cast<int>(frame), "frame");
        need(seconds, "pointer for the seconds") = time.seconds;
        need(epoch, "pointer for the epoch") = time.epoch.c_str();
        need(calendar, "pointer for the calendar") = time.calendar.c_str();
    });
}
