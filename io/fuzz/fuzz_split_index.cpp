/// The index of a split directory.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "common/box.hpp"
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
        const auto files = split::parse_index({reinterpret_cast<const char *>(data), size}, whole);
        check_source(whole);
        for (const auto &file : files) // as reading does
            for (const auto &hold : file.stretches)
                for (const auto &f : whole.fields)
                    if (f.name == hold.field) {
                        if (!misfit(hold.box, shape_of(whole, f)).empty()) std::abort();
                    }
    } catch (const Error &) { // the only thing that may come out
    }
    return 0;
}
