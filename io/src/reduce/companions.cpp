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
    const auto copy = std::make_shared<std::vector<double>>(static_cast<std::size_t>(volume(put.box)));
    if (copy->empty()) return;
    copy_points(put.box.count, put.data, put.memory, put.strides, copy->data(), Type::f64, {});
    keep(put.field, put.box, {copy, copy->data()});
}

void Companions::keep(const std::string &field, const Box &box, std::shared_ptr<const double> values) {
    values_.at(field).parts.push_back({box, std::move(values)});
}

CompanionValues Companions::of(const Companion &companion, const Box &source) const {
    if (companion.name.empty()) return {};
    const auto wanted = companion.box_for(source);
    for (const auto &part : values_.at(companion.name).parts) {
        if (intersection(part.box, wanted) != wanted) continue;
        const auto own = contiguous(part.box.count);
        CompanionValues found{part.values.get() + offset_in(part.box, wanted.start), {}};
        for (const int at : companion.place)
            found.strides.push_back(at < 0 ? 0 : own[static_cast<std::size_t>(at)]);
        return found;
    }
    throw Error(fmt::format("{}, its weight, mask or coordinate, was not put for all of box {}; {}",
                            companion.name, text(wanted),
                            companion.per_frame ? "put it earlier in the same frame"
                                                : "put it with Stream::put, before the first frame"));
}

void Companions::clear_frame() {
    for (auto &[name, kept] : values_)
        if (kept.per_frame) kept.parts.clear();
}

} // namespace squall::io
