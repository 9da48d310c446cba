#include "fixed_time.hpp"

#include <algorithm>

namespace squall::io::tools {
namespace {

bool leads(const Source &source, const std::string &dimension) {
    bool used = false;
    for (const auto &f : source.fields) {
        const auto n = std::ranges::count(f.dimensions, dimension);
        if (n > 1 || (n == 1 && f.dimensions.front() != dimension)) return false;
        used |= n == 1;
    }
    return used;
}

class WithFrames final : public Source {
  public:
    WithFrames(std::unique_ptr<Source> source, const Dimension &time) : source_(std::move(source)) {
        frames = time.size;
        record_dimension = time.name;
        dimensions = source_->dimensions;
        std::erase_if(dimensions, [&](const Dimension &d) { return d.name == record_dimension; });
        fields = source_->fields;
        attributes = source_->attributes;
        unheld = source_->unheld;
        for (auto &f : fields) {
            f.per_frame = !f.dimensions.empty() && f.dimensions.front() == record_dimension;
            if (f.per_frame) f.dimensions.erase(f.dimensions.begin());
        }
    }

    void read(int field, std::int64_t frame, const Box &box, void *contiguous, Type memory) const override {
        auto whole = box;
        if (fields[static_cast<std::size_t>(field)].per_frame) {
            whole.start.insert(whole.start.begin(), frame);
            whole.count.insert(whole.count.begin(), 1);
        }
        source_->read(field, 0, whole, contiguous, memory);
    }

  private:
    std::unique_ptr<Source> source_;
};

} // namespace

std::unique_ptr<Source> with_frames(std::unique_ptr<Source> source) {
    if (!source->record_dimension.empty()) return source;
    for (const auto *name : {"Time", "time"}) {
        const auto d = std::ranges::find(source->dimensions, name, &Dimension::name);
        if (d == source->dimensions.end() || d->size < 1 || !leads(*source, name)) continue;
        const Dimension time = *d;
        return std::make_unique<WithFrames>(std::move(source), time);
    }
    return source;
}

} // namespace squall::io::tools
