#include "stage.hpp"

#include <fmt/format.h>

#include "box.hpp"
#include "copy.hpp"

namespace squall::io {

void Stage::put(const std::string &name, const Box &box, const void *data, Type memory,
                const Strides &strides) noexcept {
    if (!fault_.empty()) return;
    try {
        const int field = layout_.find(name);
        fault_ = mistake(field, name, box, data, memory, strides);
        if (fault_.empty()) copy_in(field, box, data, memory, strides);
    } catch (const std::exception &e) {
        fault_ = fmt::format("field {}: {}", name, e.what());
    }
}

std::string Stage::mistake(int field, const std::string &name, const Box &box, const void *data, Type memory,
                           const Strides &strides) const {
    if (field < 0) return fmt::format("put of field \"{}\", which the stream does not declare", name);
    const auto &f = layout_.fields[field];
    if (f.field.per_frame != per_frame_)
        return fmt::format("field {} is {}; put it with {}", name,
                           f.field.per_frame ? "per frame" : "fixed in time",
                           f.field.per_frame ? "Frame::put" : "Stream::put, before the first commit");
    if (const auto fault = misfit(box, f.shape); !fault.empty())
        return fmt::format("field {}: {}", name, fault);
    if (!converts(memory, f.field.type))
        return fmt::format("field {} is {} and cannot take {}", name, name_of(f.field.type), name_of(memory));
    if (!strides.empty() && strides.size() != f.shape.size())
        return fmt::format("field {}: {} strides for {} dimensions", name, strides.size(), f.shape.size());
    if (!data && volume(box) > 0) return fmt::format("field {}: a null pointer for box {}", name, text(box));
    return "";
}

void Stage::copy_in(int field, const Box &box, const void *data, Type memory, const Strides &strides) {
    const auto &f = layout_.fields[field];
    Block block{field, box, {}};
    spare_.resize(layout_.fields.size());
    block.bytes.swap(spare_[field]);
    block.bytes.resize(static_cast<std::size_t>(volume(box)) * size_of(f.field.type));
    copy_points(box.count, data, memory, strides, block.bytes.data(), f.field.type, {});
    blocks_.push_back(std::move(block));
}

void Stage::clear() {
    for (auto &block : blocks_) spare_[block.field].swap(block.bytes);
    blocks_.clear();
    fault_.clear();
}

} // namespace squall::io
