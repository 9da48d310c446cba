#include "stage/stage.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "declare/encode.hpp"
#include "stage/texts.hpp"

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

Box kept_of(const FieldLayout &f, const Box &box) { return keep(f, box, contiguous(box.count)).box; }

void for_boxes(const FieldLayout &f, const Points &points, const Put &put,
               const std::function<void(const Put &)> &call) {
    const auto lead = static_cast<std::ptrdiff_t>(f.domain.size() - points.dimensions);
    const std::vector<std::int64_t> outer(f.domain.begin(), f.domain.begin() + lead);
    const auto step = volume({{}, outer}) * static_cast<std::int64_t>(size_of(put.memory));
    for (const auto &run : points.runs) {
        Box box{std::vector<std::int64_t>(outer.size(), 0), outer};
        box.start.insert(box.start.end(), run.box.start.begin(), run.box.start.end());
        box.count.insert(box.count.end(), run.box.count.begin(), run.box.count.end());
        call({put.field, box, static_cast<const std::byte *>(put.data) + run.first * step, put.memory,
              put.strides});
    }
}

void StagedHere::seal() {
    boxes_.clear();
    std::ranges::stable_sort(blocks, {}, &Block::field);
    for (const auto &block : blocks) boxes_.emplace_back(block.field, block.box);
}

std::unique_ptr<StagedHere> StagedHere::share() const {
    auto same = std::make_unique<StagedHere>();
    same->time = time;
    same->fault = fault;
    same->boxes_ = boxes_;
    for (const auto &block : blocks) same->blocks.push_back({block.field, block.box, block.memory.share()});
    return same;
}

std::vector<Block> StagedHere::take(int field) {
    std::vector<Block> taken;
    const auto end = std::ranges::upper_bound(blocks, field, {}, &Block::field);
    for (auto block = std::ranges::lower_bound(blocks, field, {}, &Block::field); block != end; ++block)
        if (block->memory.bytes() > 0) taken.push_back({field, block->box, std::move(block->memory)});
    return taken;
}

std::vector<Block> StagedHere::look(int field) const {
    std::vector<Block> seen;
    const auto end = std::ranges::upper_bound(blocks, field, {}, &Block::field);
    for (auto block = std::ranges::lower_bound(blocks, field, {}, &Block::field); block != end; ++block)
        if (block->memory.bytes() > 0) seen.push_back({field, block->box, block->memory.share()});
    return seen;
}

Memory Copies::find(const Key &key) const {
    const auto copy = std::ranges::find_if(copies_, [&](const Copy &c) {
        return c.type == key.type && c.box == key.box && c.cuts == key.cuts && c.at == key.at;
    });
    return copy == copies_.end() ? Memory() : copy->memory.share();
}

void Copies::add(const Key &key, Memory memory) {
    copies_.push_back({key.box, key.cuts, key.type, key.at, std::move(memory)});
}

void Stage::guarded(const std::string &field, const std::function<void()> &f) {
    if (useless()) return;
    try {
        f();
    } catch (const Timeout &) {
        throw;
    } catch (const std::exception &e) {
        frame_->fault = fmt::format("field {}: {}", field, e.what());
    }
}

const FieldLayout &Stage::known(const std::string &name) const {
    const int field = layout_.find(name);
    if (field < 0) throw Error("the stream does not declare it");
    return known(field, false);
}

const FieldLayout &Stage::known(int field, bool made) const {
    const auto &f = layout_.staged(field);
    if (f.field.reduction && !made)
        throw Error(fmt::format("it is made from {}; put that", f.field.reduction->of));
    if (f.field.per_frame != per_frame_)
        throw Error(fmt::format("it is {}; put it with {}", f.field.per_frame ? "per frame" : "fixed in time",
                                f.field.per_frame ? "Frame::put" : "Stream::put, before the first commit"));
    if (left_out_.contains(field)) throw Error("it was both put and left out of the frame");
    return f;
}

void Stage::check(const FieldLayout &f, const Put &put) const {
    if (const auto fault = misfit(put.box, f.domain); !fault.empty()) throw Error(fault);
    if (!put.made && !converts(put.memory, f.staged))
        throw Error(fmt::format("it is {} and cannot take {}", name_of(f.staged), name_of(put.memory)));
    if (!put.strides.empty() && put.strides.size() != f.shape.size())
        throw Error(fmt::format("{} strides for {} dimensions", put.strides.size(), f.shape.size()));
    if (!put.data && volume(put.box) > 0)
        throw Error(fmt::format("a null pointer for box {}", text(put.box)));
}

/// What is in the file and sent beside it has one copy where that is the same.
void Stage::for_all_of(const Put &put, Copies *copies, const std::function<void(int, Copies *)> &stage) {
    guarded(put.field, [&] {
        const auto numbers = layout_.numbers(put.field);
        if (numbers.empty()) throw Error("the stream does not declare it");
        Copies own;
        for (const int field : numbers) stage(field, copies || numbers.size() == 1 ? copies : &own);
    });
}

void Stage::put(const Put &put, Copies *given) {
    for_all_of(put, given, [&](int field, Copies *copies) {
        const auto &f = known(field, put.made);
        const bool letters = f.letters > 0 && (put.memory == Type::text || put.memory == Type::character);
        if (letters) return copy_box(field, Letters(f, put).put(), nullptr);
        check(f, put);
        copy_box(field, put, copies);
    });
}

void Stage::put_points(const Put &put, Copies *given) {
    for_all_of(put, given, [&](int field, Copies *copies) {
        const auto &f = known(field, false);
        if (f.field.decomposition.empty())
            throw Error("it has no decomposition; declare one for it, or put it with a box");
        const auto &points = layout_.points.at(f.field.decomposition);
        if (!put.strides.empty() && (points.listed || points.runs.size() > 1))
            throw Error("strides are only possible for points that form one box");
        if (points.listed && !layout_.in_file(field)) throw Error(nothing_of_a_list);
        if (points.listed) return copy_list(field, points, put, copies);
        for_boxes(f, points, put, [&](const Put &part) {
            check(f, {part.field, part.box, put.data, part.memory, part.strides});
            copy_box(field, part, copies);
        });
    });
}

void Stage::leave_out(const std::string &name) {
    guarded(name, [&] {
        const auto &f = known(name);
        const int field = layout_.find(name);
        if (!f.field.optional) throw Error("a frame cannot leave it out; declare it optional to allow that");
        if (std::ranges::find(frame_->blocks, field, &Block::field) != frame_->blocks.end())
            throw Error("it was both put and left out of the frame");
        left_out_.insert(field);
    });
}

std::optional<Memory> Stage::find_room(std::size_t bytes) {
    const auto &spec = layout_.spec;
    auto &pool = *room_.pool;
    auto *block = pool.take(bytes);
    if (!block && spec.when_full == "spill") {
        room_.spilled += bytes;
        return Memory::in_file(spec.spill_dir, bytes);
    }
    if (!block && spec.when_full == "skip" && !pool.hopeless(bytes)) return std::nullopt;
    if (!block)
        wait_for_room(bytes, [&] {
            block = pool.take(bytes);
            return block != nullptr;
        });
    return Memory(room_.pool, block, bytes);
}

/// Returns when `take` does not say any more that there is no room.
void Stage::wait_for_room(std::size_t bytes, const std::function<bool()> &take) {
    auto &pool = *room_.pool;
    const auto start = std::chrono::steady_clock::now();
    ++room_.waits;
    room_.patience.until(
        [&] {
            room_.frames.progress();
            const bool taken = take();
            if (!taken && pool.hopeless(bytes)) refuse(bytes);
            return taken;
        },
        [&] {
            return fmt::format(
                "room in the staging memory of stream {} ({} of {} bytes are in use), that is, for {}",
                layout_.spec.name, pool.used(), pool.limit(), room_.frames.awaiting());
        });
    room_.waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Keeps room for the copy that will be made of a block whose values change on their way to the file: of one
/// that others share, and of one that is fixed in time, for every file: of that a stream that spills makes
/// its copies on disk. False if there is none for one that need not be shared.
bool Stage::keep_room_for_copy(Memory &memory, bool shared) {
    if (!shared && per_frame_) return true;
    auto room = Reserve::of(room_.pool, memory.bytes());
    if (!room && per_frame_) return false;
    if (!room && layout_.spec.when_full != "spill")
        wait_for_room(memory.bytes(), [&] {
            room = Reserve::of(room_.pool, memory.bytes());
            return room != nullptr;
        });
    if (!room) memory.copy_into_files_of(layout_.spec.spill_dir);
    memory.keep_room(std::move(room));
    return true;
}

/// Nothing that is under way can make room any more.
void Stage::refuse(std::size_t bytes) const {
    const auto &pool = *room_.pool;
    const auto open = pool.arena().pinned();
    if (Pool::rounded(bytes) + pool.pinned() > pool.limit() || open == pool.pinned())
        throw Error(fmt::format("this rank's part of a frame needs more than staging_limit, {} bytes; raise "
                                "it, use more ranks, or set when_full to \"spill\"",
                                pool.limit()));
    throw Error(fmt::format("open frames of other streams and fields fixed in time use {} of the {} bytes of "
                            "the session's staging_limit, and this frame needs {} more; commit them first, "
                            "raise it, use more ranks, or set when_full to \"spill\"",
                            open, pool.arena().limit(), bytes));
}

/// Adds a block for the key's box, shared with a stream that has it already, or filled by `fill`.
void Stage::add_block(int field, const Copies::Key &key, Copies *copies,
                      const std::function<void(void *)> &fill) {
    const auto bytes = static_cast<std::size_t>(volume(key.box)) * size_of(key.type);
    if (bytes == 0 || frame_->skipped) return;
    const bool changes = encodes(layout_.staged(field));
    auto memory = copies ? copies->find(key) : Memory();
    if (memory.bytes() == 0 || (changes && !keep_room_for_copy(memory, true))) {
        auto room = find_room(bytes);
        if (!room) {
            clear();
            frame_->skipped = true;
            return;
        }
        memory = std::move(*room);
        fill(memory.data());
        memory.put_away();
        auto same = copies ? memory.share() : Memory();
        const bool may_be_shared = !changes || keep_room_for_copy(memory, copies != nullptr);
        if (copies && may_be_shared) copies->add(key, std::move(same));
    }
    memory.pin();
    frame_->blocks.push_back({field, key.box, std::move(memory)});
}

void Stage::copy_box(int field, const Put &put, Copies *copies) {
    const auto &f = layout_.staged(field);
    const auto kept = keep(f, put.box, put.strides.empty() ? contiguous(put.box.count) : put.strides);
    const auto *from = static_cast<const std::byte *>(put.data);
    add_block(field, {kept.box, f.cuts, f.staged, {}}, copies, [&](void *to) {
        copy_points(kept.box.count, from + kept.offset * static_cast<std::ptrdiff_t>(size_of(put.memory)),
                    put.memory, kept.strides, to, f.staged, {});
    });
}

/// Where the rows of a list of points begin, in elements: one for each kept index of the dimensions
/// before the last.
static std::vector<std::int64_t> rows_of(const FieldLayout &f, std::int64_t points) {
    std::vector<std::int64_t> rows{0};
    for (std::size_t d = 0; d + 1 < f.domain.size(); ++d) {
        std::vector<std::int64_t> finer;
        for (const auto row : rows)
            for (std::int64_t i = 0; i < f.cuts[d].size; ++i)
                finer.push_back(row * f.domain[d] + f.cuts[d].start + i * f.cuts[d].stride);
        rows = std::move(finer);
    }
    for (auto &row : rows) row *= points;
    return rows;
}

void Stage::copy_list(int field, const Points &points, const Put &put, Copies *copies) {
    const auto &f = layout_.staged(field);
    if (!converts(put.memory, f.staged))
        throw Error(fmt::format("it is {} and cannot take {}", name_of(f.staged), name_of(put.memory)));
    if (!put.data) throw Error(fmt::format("a null pointer for {} points", points.size));
    const auto rows = rows_of(f, points.size);
    Box box{std::vector<std::int64_t>(f.shape.size(), 0), f.shape};
    for (const auto &run : points.runs) {
        box.start.back() = run.box.start[0];
        box.count.back() = run.box.count[0];
        add_block(field, {box, f.cuts, f.staged, run.at}, copies,
                  [&](void *to) { gather_points(rows, run.at, put.data, put.memory, to, f.staged); });
    }
}

void Stage::release() {
    for (auto &block : frame_->blocks) block.memory.unpin();
}

void Stage::clear() {
    release();
    frame_ = std::make_unique<StagedHere>();
    left_out_.clear();
    lengths_.clear();
}

std::unique_ptr<StagedHere> Stage::finish() {
    if (per_frame_) release();
    auto done = std::exchange(frame_, std::make_unique<StagedHere>());
    left_out_.clear();
    lengths_.clear();
    done->seal();
    return done;
}

} // namespace squall::io
