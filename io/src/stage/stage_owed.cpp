/// What the runtime itself puts into a frame, so that no point of it is missing.

#include <algorithm>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "declare/expand.hpp"
#include "declare/time.hpp"
#include "stage/stage.hpp"

namespace squall::io {
namespace {

/// This rank's part of a field that nobody puts: a slab of its slowest dimension.
Box slab_of(const FieldLayout &f, int rank, int ranks) {
    Box box{std::vector<std::int64_t>(f.shape.size(), 0), f.shape};
    if (f.shape.empty()) return rank == 0 ? box : Box{{0}, {0}};
    box.start[0] = f.shape[0] * rank / ranks;
    box.count[0] = f.shape[0] * (rank + 1) / ranks - box.start[0];
    return box;
}

} // namespace

/// `box` is in the file's index space.
void Stage::add_fill(int field, const Box &box) {
    const auto &f = layout_.fields[static_cast<std::size_t>(field)];
    add_block(field, {box, f.cuts, f.staged, {}}, nullptr,
              [&](void *to) { fill_points(to, f.staged, volume(box), f.fill); });
}

void Stage::add_number(int field, double value) {
    const auto &f = layout_.fields[static_cast<std::size_t>(field)];
    add_block(field, {{}, f.cuts, f.staged, {}}, nullptr,
              [&](void *to) { fill_points(to, f.staged, 1, value); });
}

void Stage::add_unowned(int field) {
    const auto &f = layout_.fields[static_cast<std::size_t>(field)];
    const auto points = layout_.points.find(f.field.decomposition);
    if (points == layout_.points.end()) return;
    const auto lead = static_cast<std::ptrdiff_t>(f.domain.size() - points->second.dimensions);
    for (const auto &part : points->second.unowned) {
        Box box{std::vector<std::int64_t>(static_cast<std::size_t>(lead), 0),
                {f.domain.begin(), f.domain.begin() + lead}};
        box.start.insert(box.start.end(), part.start.begin(), part.start.end());
        box.count.insert(box.count.end(), part.count.begin(), part.count.end());
        add_fill(field, kept_of(f, box));
    }
}

void Stage::set(const std::string &name, double value) {
    if (room_.rank != 0) return;
    guarded(name, [&] {
        const auto &f = known(name);
        if (!f.shape.empty()) throw Error("only a scalar can be set");
        const bool precise = f.staged == Type::f32 || f.staged == Type::f64 || holds(f.staged, value);
        if (!precise) throw Error(fmt::format("it is {} and cannot take {}", name_of(f.staged), value));
        add_number(layout_.find(name), value);
    });
}

void Stage::set(const std::string &name, std::int64_t value) {
    if (room_.rank != 0) return;
    const int field = layout_.find(name);
    if (field >= 0 && layout_.fields[static_cast<std::size_t>(field)].staged == Type::i64)
        return put({name, {}, &value, Type::i64, {}});
    set(name, static_cast<double>(value));
}

void Stage::set(const std::string &name, const std::string &text) {
    if (room_.rank != 0) return;
    const int field = layout_.find(name);
    const char *value = text.c_str();
    if (field < 0 || layout_.fields[static_cast<std::size_t>(field)].letters > 0)
        return put({name, {}, &value, Type::text, {}});
    const auto n = static_cast<std::int64_t>(text.size()); // a field of characters: as long as it is declared
    put({name, {{0}, {n}}, value, Type::character, {}});
}

void Stage::add_left_out(int field) {
    const auto &f = layout_.fields[static_cast<std::size_t>(field)];
    add_fill(field, slab_of(f, room_.rank, room_.ranks));
}

void Stage::length(const std::string &name, std::int64_t points) {
    if (useless()) return;
    const auto &dimensions = layout_.spec.dimensions;
    const auto d = std::ranges::find(dimensions, name, &Dimension::name);
    if (d == dimensions.end() || !d->varying)
        frame_->fault = fmt::format("dimension {} is not declared, or not as varying", name);
    else if (points < 0 || points > d->size)
        frame_->fault = fmt::format("dimension {}: {} points in this frame; it can have at most {}", name,
                                    points, d->size);
    else
        lengths_[name] = points;
}

/// What lies behind the frame's length of a varying dimension, dealt to the ranks.
void Stage::add_behind(int field) {
    const auto &f = layout_.fields[static_cast<std::size_t>(field)];
    if (f.varying < 0) return;
    const auto d = static_cast<std::size_t>(f.varying);
    const auto length = lengths_.find(f.field.dimensions[d]);
    if (length == lengths_.end())
        throw Error(
            fmt::format("the length of dimension {} was not set for this frame", f.field.dimensions[d]));
    const auto rest = f.shape[d] - length->second;
    Box box{std::vector<std::int64_t>(f.shape.size(), 0), f.shape};
    box.start[d] = length->second + rest * room_.rank / room_.ranks;
    box.count[d] = length->second + rest * (room_.rank + 1) / room_.ranks - box.start[d];
    add_fill(field, box);
}

void Stage::add_counts() {
    for (const auto &d : layout_.spec.dimensions) {
        if (!d.varying || room_.rank != 0) continue;
        const auto length = lengths_.find(d.name);
        if (length != lengths_.end())
            add_number(layout_.find(name_of_count(d)), static_cast<double>(length->second));
    }
}

void Stage::complete(const Time &time, const std::optional<TimeBounds> &bounds) {
    if (useless()) return;
    if (per_frame_) add_counts();
    const auto &axis = layout_.spec.time;
    const bool first = room_.rank == 0;
    for (std::size_t n = 0; n < layout_.fields.size(); ++n) {
        const auto &f = layout_.fields[n];
        const int field = static_cast<int>(n);
        if (f.field.per_frame != per_frame_) continue;
        guarded(f.field.name, [&] {
            if (left_out_.contains(field))
                add_left_out(field);
            else {
                add_unowned(field);
                add_behind(field);
            }
            if (f.status >= 0 && first) add_number(f.status, left_out_.contains(field) ? 0 : 1);
            if (!axis || !first || !per_frame_) return;
            if (field == layout_.time) add_number(field, in_units(time, time_units(axis->units)));
            if (field != layout_.time_bounds || !bounds) return;
            const double ends[] = {
                in_units({bounds->begin, time.epoch, time.calendar}, time_units(axis->units)),
                in_units({bounds->end, time.epoch, time.calendar}, time_units(axis->units))};
            copy_box(field, {f.field.name, {{0}, {2}}, ends, Type::f64, {}}, nullptr);
        });
    }
}

} // namespace squall::io
