#include "placements/servers/slabs.hpp"

#include <algorithm>

namespace squall::io {
namespace {

constexpr std::int64_t strips_per_server = 4; ///< of round-robin

Holdings slabs_of(const FieldLayout &f, int servers, bool consecutive) {
    const Box whole{std::vector<std::int64_t>(f.shape.size(), 0), f.shape};
    if (f.shape.size() < 2 || servers == 1) return {{whole, 0}};
    const auto d = f.shape.size() - 2;
    const auto strips =
        std::min<std::int64_t>(f.shape[d], consecutive ? servers : servers * strips_per_server);
    Holdings holdings;
    for (std::int64_t s = 0; s < strips; ++s) {
        Box box = whole;
        box.start[d] = f.shape[d] * s / strips;
        box.count[d] = f.shape[d] * (s + 1) / strips - box.start[d];
        holdings.push_back({box, static_cast<int>(s % servers)});
    }
    return holdings;
}

} // namespace

std::vector<Holdings> slabs(const Layout &layout, int servers, const std::string &assignment) {
    std::vector<Holdings> all;
    for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f)
        all.push_back(layout.engine->holding == Holding::shares
                          ? layout.engine->shares(layout, f, servers)
                          : slabs_of(layout.fields[f], servers, assignment == "consecutive"));
    return all;
}

} // namespace squall::io
