#include "reduce/companions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"

namespace squall::io {

void Companions::expect(const Companion &companion) {
    if (!companion.name.empty()) values_[companion.name].per_frame = companion.per_frame;
}

void Companions::keep(const Put &put) {
    Part part{put.box, std::vector<double>(static_cast<std::size_t>(volume(put.box)))};
    if (part.values.empty()) return;
    copy_points(put.box.count, put.data, put.memory, put.strides, part.values.data(), Type::f64, {});
    values_.at(put.field).parts.push_back(std::move(part));
}

CompanionValues Companions::of(const Companion &companion, const Box &source) const {
    if (companion.name.empty()) return {};
    Box wanted;
    for (std::size_t d = 0; d < companion.place.size(); ++d)
        if (companion.place[d] >= 0) {
            wanted.start.push_back(source.start[d]);
            wanted.count.push_back(source.count[d]);
        }
    for (const auto &part : values_.at(companion.name).parts) {
        if (intersection(part.box, wanted) != wanted) continue;
        const auto own = contiguous(part.box.count);
        CompanionValues found{part.values.data() + offset_in(part.box, wanted.start), {}};
        for (const int at : companion.place)
            found.strides.push_back(at < 0 ? 0 : own[static_cast<std::size_t>(at)]);
        return found;
    }
    throw Error(fmt::format("{}, its weight, mask or coordinate, was not put for all of box {}; {}",
                            companion.name, text(wanted),
                            companion.per_frame ? "put it before, in the same frame"
                                                : "put it with Stream::put, before the first frame"));
}

void Companions::clear_frame() {
    for (auto &[name, kept] : values_)
        if (kept.per_frame) kept.parts.clear();
}

} // namespace squall::io
