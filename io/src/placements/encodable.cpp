#include "squall/io_encode.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "common/box.hpp"
#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "publish/writer.hpp"
#include "stage/stage.hpp"

namespace squall::io {
namespace {

using Starts = std::map<std::string, std::vector<std::int64_t>>;

/// All patches of a field, in the domain.
std::vector<Box> patches_of(const FieldLayout &f, const Starts &starts) {
    std::vector<Box> boxes{whole_of(f.domain)};
    for (std::size_t d = 0; d < std::min(f.domain.size(), f.field.dimensions.size()); ++d) {
        const auto cuts = starts.find(f.field.dimensions[d]);
        if (cuts == starts.end()) continue;
        std::vector<Box> cut;
        for (const auto &box : boxes)
            for (std::size_t n = 0; n < cuts->second.size(); ++n) {
                auto &part = cut.emplace_back(box);
                const auto end = n + 1 < cuts->second.size() ? cuts->second[n + 1] : f.domain[d];
                part.start[d] = cuts->second[n];
                part.count[d] = end - part.start[d];
            }
        boxes = std::move(cut);
    }
    return boxes;
}

std::int64_t points_in_whole_chunks(const Layout &layout, int field, const Encoder &encoder,
                                    const Starts &starts) {
    std::int64_t points = 0;
    const auto &f = layout.fields[static_cast<std::size_t>(field)];
    for (const auto &patch : patches_of(f, starts))
        for (const auto &chunk : encoder.whole_in(field, kept_of(f, patch))) points += volume(chunk);
    return points;
}

} // namespace

Encodable encodable(const StreamSpec &spec, const Starts &starts) {
    const Layout layout(spec);
    if (!layout.engine->encoder) return {};
    const auto encoder = layout.engine->encoder(layout);
    if (!encoder) return {};
    std::map<std::tuple<std::vector<std::string>, std::vector<std::int64_t>, Type>, std::int64_t> known;
    double all = 0, whole = 0;
    for (int n = 0; n < std::ssize(layout.fields); ++n) {
        const auto &f = layout.fields[static_cast<std::size_t>(n)];
        if (!f.field.per_frame) continue;
        const auto [points, fresh] = known.try_emplace({f.field.dimensions, f.shape, f.field.type});
        if (fresh) points->second = points_in_whole_chunks(layout, n, *encoder, starts);
        all += static_cast<double>(f.bytes());
        whole += static_cast<double>(points->second) * static_cast<double>(size_of(f.field.type));
    }
    return {layout.option("encode", "auto"), all > 0 ? whole / all : 0};
}

} // namespace squall::io
