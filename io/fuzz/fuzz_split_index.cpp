/// The index of a split directory.

#include <cstdint>
#include <string_view>

#include "engines/netcdf_split/index.hpp"
#include "read/source_check.hpp"

using namespace squall::io;

namespace {

struct Whole final : Source {
    void read(int, std::int64_t, const Box &, void *, Type) const override {}
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    Whole whole;
    try {
        split::parse_index({reinterpret_cast<const char *>(data), size}, whole);
        check_source(whole);
    } catch (const Error &) { // the only thing that may come out
    }
    return 0;
}
