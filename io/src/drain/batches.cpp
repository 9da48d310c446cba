#include "drain/batches.hpp"

#include <algorithm>
#include <map>

#include "common/box.hpp"

namespace squall::io {
namespace {

/// Points of the writer that must have most.
std::int64_t largest_part(const Shares &shares) {
    std::map<int, std::int64_t> points;
    std::int64_t most = 0;
    for (const auto &share : shares) {
        auto &sum = points[share.writer];
        sum += volume(share.box);
        most = std::max(most, sum);
    }
    return most;
}

} // namespace

Shares wanted(const Layout &layout, int field, int writers) {
    if (layout.engine->distribution == Distribution::to_first)
        return {{whole_of(layout.fields[field].shape), 0}};
    return layout.engine->shares(layout, field, writers);
}

Batches::Batches(const Layout &layout, int writers) : layout_(layout) {
    const FieldLayout *before = nullptr;
    std::int64_t most = 0;
    for (int f = 0; f < std::ssize(layout.fields); ++f) {
        const auto &field = layout.fields[f];
        const bool alike = before && before->shape == field.shape && before->field.type == field.field.type;
        if (!alike && layout.engine->distribution != Distribution::as_it_lies)
            most = largest_part(wanted(layout, f, writers));
        before = &field;
        largest_.push_back(most * static_cast<std::int64_t>(size_of(field.field.type)));
    }
}

std::vector<std::vector<int>> Batches::of(bool with_fixed) const {
    std::vector<std::vector<int>> all;
    std::int64_t bytes = 0;
    for (int f = 0; f < std::ssize(largest_); ++f) {
        if (!with_fixed && !layout_.fields[f].field.per_frame) continue;
        bytes += largest_[f];
        if (all.empty() || layout_.engine->distribution == Distribution::as_it_lies || bytes > batch_bytes) {
            all.emplace_back();
            bytes = largest_[f];
        }
        all.back().push_back(f);
    }
    return all;
}

} // namespace squall::io
