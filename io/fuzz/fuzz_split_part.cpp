/// The index of a part of a split directory.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "common/box.hpp"
#include "common/crc32c.hpp"
#include "engines/netcdf_split/index.hpp"
#include "read/source_check.hpp"

using namespace squall::io;

namespace {

struct Whole final : Source {
    Whole() {
        frames = 3;
        dimensions = {{"y", 2}, {"x", 3}};
        fields = {
            {"T", Type::f32, {"y", "x"}, {}}, {"N", Type::i32, {}, {}}, {"H", Type::f64, {"y"}, {}, false}};
    }
    void read(int, std::int64_t, const Box &, void *, Type) const override {}
};

} // namespace

/// Of what a fuzzer makes no checksum would be right: one is added.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const Whole whole;
    std::string bytes(reinterpret_cast<const char *>(data), size);
    for (const bool mended : {false, true}) {
        if (mended)
            for (std::uint32_t sum = crc32c(bytes.data(), bytes.size()), byte = 0; byte < 4; ++byte)
                bytes.push_back(static_cast<char>(sum >> 8 * byte & 0xff));
        try {
            for (const auto &s : split::parse_part_index(bytes, whole, "the index"))
                if (!misfit(s.box, shape_of(whole, whole.fields.at(static_cast<std::size_t>(s.field))))
                         .empty() ||
                    s.first < 0 || s.end > whole.frames)
                    std::abort();
        } catch (const Error &) { // the only thing that may come out
        }
    }
    return 0;
}
