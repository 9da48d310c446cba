#include "stage.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "box.hpp"
#include "copy.hpp"

namespace squall::io {
namespace {

/// What of a box in the domain's index space a field keeps: the box in the file's index space, the
/// first point's offset in memory and the strides of the kept points.
struct Kept {
    Box box;
    std::ptrdiff_t offset = 0;
    Strides strides;
};

Kept keep(const FieldLayout &f, const Box &box, const Strides &strides) {
    Kept kept;
    for (std::size_t d = 0; d < f.cuts.size(); ++d) {
        const auto &cut = f.cuts[d];
        const auto at_or_after = [&](std::int64_t i) { // number of the first kept index not before i
            return std::clamp((i - cut.start + cut.stride - 1) / cut.stride, std::int64_t(0), cut.size);
        };
        const auto first = box.start[d] <= cut.start ? 0 : at_or_after(box.start[d]);
        const auto end = box.start[d] + box.count[d];
        const auto last = end <= cut.start ? 0 : at_or_after(end);
        kept.box.start.push_back(first);
        kept.box.count.push_back(std::max(last - first, std::int64_t(0)));
        kept.offset += (cut.start + first * cut.stride - box.start[d]) * strides[d];
        kept.strides.push_back(strides[d] * cut.stride);
    }
    return kept;
}

} // namespace

void StagedHere::seal() {
    for (const auto &block : blocks) boxes_.emplace_back(block.field, block.box);
}

std::unique_ptr<StagedHere> StagedHere::copy() {
    auto same = std::make_unique<StagedHere>();
    same->time = time;
    same->fault = fault;
    same->boxes_ = boxes_;
    for (auto &block : blocks) {
        auto memory = Memory::on_heap(block.memory.bytes());
        std::memcpy(memory.data(), block.memory.data(), memory.bytes());
        same->blocks.push_back({block.field, block.box, std::move(memory)});
    }
    return same;
}

std::vector<Block> StagedHere::take(int field) {
    std::vector<Block> taken;
    for (auto &block : blocks)
        if (block.field == field && block.memory.bytes() > 0) taken.push_back(std::move(block));
    std::erase_if(blocks, [field](const Block &b) { return b.field == field; });
    return taken;
}

void Stage::put(const std::string &name, const Box &box, const void *data, Type memory,
                const Strides &strides) noexcept {
    if (!frame_->fault.empty() || frame_->skipped) return;
    try {
        const int field = layout_.find(name);
        frame_->fault = mistake(field, name, box, data, memory, strides);
        if (frame_->fault.empty()) copy_in(field, box, data, memory, strides);
    } catch (const std::exception &e) {
        frame_->fault = fmt::format("field {}: {}", name, e.what());
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
    if (const auto fault = misfit(box, f.domain); !fault.empty())
        return fmt::format("field {}: {}", name, fault);
    if (!converts(memory, f.staged))
        return fmt::format("field {} is {} and cannot take {}", name, name_of(f.staged), name_of(memory));
    if (!strides.empty() && strides.size() != f.shape.size())
        return fmt::format("field {}: {} strides for {} dimensions", name, strides.size(), f.shape.size());
    if (!data && volume(box) > 0) return fmt::format("field {}: a null pointer for box {}", name, text(box));
    return "";
}

std::optional<Memory> Stage::find_room(std::size_t bytes) {
    const auto &spec = layout_.spec;
    auto *block = room_.pool->take(bytes);
    if (!block && spec.when_full == "spill") {
        room_.spilled += bytes;
        return Memory::in_file(spec.spill_dir, bytes);
    }
    if (!block && spec.when_full == "skip" && room_.pool->used() > staged_ + room_.kept) return std::nullopt;
    if (!block) block = wait_for_room(bytes);
    staged_ += Pool::rounded(bytes);
    return Memory(room_.pool, block, bytes);
}

std::byte *Stage::wait_for_room(std::size_t bytes) {
    std::byte *block = nullptr;
    const auto start = std::chrono::steady_clock::now();
    ++room_.waits;
    room_.patience.until(
        [&] {
            room_.progress();
            // Asked before the attempt: frames may leave in between.
            const bool alone = room_.pool->used() <= staged_ + room_.kept;
            block = room_.pool->take(bytes);
            if (!block && alone)
                throw Error(
                    fmt::format("this rank's part of a frame needs more than staging_limit, {} bytes; raise "
                                "it, use more ranks, or set when_full to \"spill\"",
                                layout_.spec.staging_limit));
            return block != nullptr;
        },
        [&] {
            return fmt::format(
                "room in the staging memory of stream {} ({} bytes are in use), that is for {}",
                layout_.spec.name, room_.pool->used(), room_.awaiting());
        });
    room_.waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return block;
}

void Stage::copy_in(int field, const Box &box, const void *data, Type memory, const Strides &strides) {
    const auto &f = layout_.fields[field];
    const auto kept = keep(f, box, strides.empty() ? contiguous(box.count) : strides);
    const auto bytes = static_cast<std::size_t>(volume(kept.box)) * size_of(f.staged);
    if (bytes == 0) return;
    auto room = find_room(bytes);
    if (!room) {
        clear();
        frame_->skipped = true;
        return;
    }
    const auto *from =
        static_cast<const std::byte *>(data) + kept.offset * static_cast<std::ptrdiff_t>(size_of(memory));
    copy_points(kept.box.count, from, memory, kept.strides, room->data(), f.staged, {});
    room->put_away();
    frame_->blocks.push_back({field, kept.box, std::move(*room)});
}

void Stage::clear() {
    frame_ = std::make_unique<StagedHere>();
    staged_ = 0;
}

std::unique_ptr<StagedHere> Stage::finish() {
    auto done = std::move(frame_);
    if (!per_frame_) room_.kept += staged_;
    clear();
    done->seal();
    return done;
}

} // namespace squall::io
