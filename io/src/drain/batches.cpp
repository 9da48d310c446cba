#include "drain/batches.hpp"

#include <algorithm>
#include <map>

#include "common/box.hpp"
#include "drain/parcels.hpp"

namespace squall::io {
namespace {

constexpr std::size_t few_holders = 64;

Burden burden(const Shares &shares, std::size_t element) {
    std::map<int, std::int64_t> bytes;
    for (const auto &share : shares)
        bytes[share.writer] += volume(share.box) * static_cast<std::int64_t>(element);
    Burden all;
    for (const auto &[writer, of_it] : bytes) all.largest = std::max(all.largest, of_it);
    if (bytes.size() <= few_holders) all.each.assign(bytes.begin(), bytes.end());
    return all;
}

/// What the fields of a batch put upon the writer that must have most of them.
class Load {
  public:
    void add(const Burden &field) {
        if (field.each.empty()) everyone_ += field.largest;
        for (const auto &[writer, bytes] : field.each) most_ = std::max(most_, of_[writer] += bytes);
    }
    std::int64_t most() const { return everyone_ + most_; }

  private:
    std::map<int, std::int64_t> of_; ///< by writer
    std::int64_t everyone_ = 0, most_ = 0;
};

} // namespace

std::int64_t batch_bytes(const Layout &layout, int writers) {
    constexpr std::int64_t usual = 4 << 20, most = 256 << 20;
    if (layout.engine->distribution != Distribution::to_first || writers <= few_writers) return usual;
    const auto limit = static_cast<std::int64_t>(layout.spec.staging_limit);
    const auto allowed = limit > 0 ? std::min(limit, most) : most;
    return std::max(usual, std::min(writers * grain_among(writers).least, allowed));
}

Shares wanted(const Layout &layout, int field, int writers) {
    if (layout.engine->distribution == Distribution::to_first)
        return {{whole_of(layout.fields[field].shape), 0}};
    return layout.engine->shares(layout, field, writers);
}

Batches::Batches(const Layout &layout, int writers) : layout_(layout), most_(batch_bytes(layout, writers)) {
    for (int f = 0; f < std::ssize(layout.fields); ++f) {
        const auto &field = layout.fields[f];
        const auto *before = f > 0 ? &layout.fields[f - 1] : nullptr;
        const bool alike = before && before->shape == field.shape && before->field.type == field.field.type;
        if (layout.engine->distribution == Distribution::as_it_lies)
            burdens_.emplace_back();
        else if (alike && burdens_.back().each.empty()) // of many writers it counts for none who has what
            burdens_.push_back(Burden{burdens_.back()});
        else
            burdens_.push_back(burden(wanted(layout, f, writers), size_of(field.field.type)));
    }
}

std::vector<std::vector<int>> Batches::of(bool with_fixed) const {
    std::vector<std::vector<int>> all;
    Load load;
    for (int f = 0; f < std::ssize(burdens_); ++f) {
        if (!with_fixed && !layout_.fields[f].field.per_frame) continue;
        load.add(burdens_[f]);
        if (all.empty() || layout_.engine->distribution == Distribution::as_it_lies || load.most() > most_) {
            all.emplace_back();
            load = {};
            load.add(burdens_[f]);
        }
        all.back().push_back(f);
    }
    return all;
}

} // namespace squall::io
