/// Classic netCDF files: the header, then points of every field as far as they are few.

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "common/box.hpp"
#include "engines/netcdf/classic.hpp"
#include "engines/netcdf/classic_header.hpp"
#include "read/source_check.hpp"

using namespace squall::io;

namespace {

/// The bytes as a file in memory, always the same one.
std::string as_file(const std::uint8_t *data, std::size_t size) {
    static const int fd = memfd_create("fuzz", 0);
    static const auto name = "/proc/self/fd/" + std::to_string(fd);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    return name;
}

void read_some(const Source &source, int field) {
    const auto &f = source.fields[static_cast<std::size_t>(field)];
    Box box{{}, shape_of(source, f)};
    box.start.assign(box.count.size(), 0);
    for (std::size_t d = 0; d < box.count.size(); ++d) {
        box.start[d] = box.count[d] / 2;
        box.count[d] = std::min<std::int64_t>(box.count[d] - box.start[d], 3);
    }
    if (volume(box) > 1 << 10) return;
    std::vector<double> points(static_cast<std::size_t>(volume(box)));
    source.read(field, f.per_frame ? source.frames - 1 : 0, box, points.data(), f.type);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    try { // most headers are refused, which is faster without a file
        std::istringstream in(std::string(reinterpret_cast<const char *>(data), size));
        netcdf::read_classic_header(in, size);
    } catch (const Error &) {
        return 0;
    }
    const auto file = as_file(data, size);
    for (const auto open : {netcdf::open_classic, netcdf::open_cut_off}) {
        try {
            const auto source = open(file);
            check_source(*source);
            for (int f = 0; f < std::min<int>(static_cast<int>(source->fields.size()), 8); ++f) {
                try {
                    read_some(*source, f);
                } catch (const Error &) {
                }
            }
            netcdf::check_length(file);
            netcdf::whole_records(file);
        } catch (const Error &) { // the only thing that may come out
        }
    }
    return 0;
}
