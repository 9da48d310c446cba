/// The metadata of a Zarr store: the group's zarr.json with its consolidated metadata.

#include <cstdint>
#include <string_view>

#include "common/document.hpp"
#include "engines/zarr/attributes.hpp"
#include "engines/zarr/store.hpp"
#include "read/source_check.hpp"

using namespace squall::io;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    try {
        const auto group =
            parse_document<zarr::Json>({reinterpret_cast<const char *>(data), size}, "zarr.json");
        const auto source = zarr::source_of(
            zarr::Store(group, [&] { return zarr::consolidated(group).value_or(zarr::Json::object()); }),
            "/absent");
        check_source(*source);
        for (std::size_t f = 0; f < source->fields.size();
             ++f) { // no shard is there, but it must be looked for
            const auto &field = source->fields[f];
            Box one;
            for (const auto &name : field.dimensions)
                for (const auto &d : source->dimensions)
                    if (d.name == name) {
                        one.start.push_back(d.size > 0 ? d.size - 1 : 0);
                        one.count.push_back(d.size > 0 ? 1 : 0);
                    }
            double point = 0;
            try {
                source->read(static_cast<int>(f), field.per_frame ? source->frames - 1 : 0, one, &point,
                             field.type);
            } catch (const Error &) {
            }
        }
    } catch (const Error &) { // the only thing that may come out
    }
    return 0;
}
