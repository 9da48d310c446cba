#include "reduce/made_by_servers.hpp"

#include <cstring>
#include <set>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "reduce/report.hpp"

namespace squall::io {
namespace {

std::string as_text(const std::vector<std::byte> &bytes) {
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

std::vector<std::byte> as_bytes(const std::string &text) {
    const auto *first = reinterpret_cast<const std::byte *>(text.data());
    return {first, first + text.size()};
}

/// Holds weights and masks of a frame.
struct UntilDone {
    Evaluator &evaluator;
    ~UntilDone() { evaluator.clear_frame(); }
};

} // namespace

MadeByServers::MadeByServers(const Crew &crew, const Layout &layout, Evaluator &evaluator, Staged &frame,
                             const Fixed &fixed)
    : layout_(layout), frame_(frame) {
    time = frame.time;
    number = frame.number;
    auto work = evaluator.begin();
    crew.attempt([&] { reduce(evaluator, work, fixed); });
    Report mine;
    mine.partials = std::move(work.partials);
    mine.at_places = std::move(work.at_places);
    for (std::size_t f = 0; f < layout_.folds.size(); ++f) keep_own(f, evaluator, mine.partials[f]);
    auto all = evaluator.begin();
    for (const auto &text : crew.gather(as_text(mine.pack(layout_)))) {
        auto theirs = Report::unpack(as_bytes(text), layout_);
        for (std::size_t f = 0; f < layout_.folds.size(); ++f)
            for (auto &partial : theirs.partials[f].take_all())
                all.partials[f].add(layout_.folds[f], std::move(partial));
    }
    for (std::size_t f = 0; f < layout_.folds.size(); ++f) complete(evaluator, all.partials[f], f);
}

/// Looks at one source after the other, so that this server never holds two of them, and takes room for what
/// is made of them.
void MadeByServers::reduce(Evaluator &evaluator, Evaluator::Work &work, const Fixed &fixed) {
    std::set<int> sources;
    for (const auto &fold : layout_.folds) {
        if (!fold.on_servers) continue;
        made_.try_emplace(fold.field, frame_.take(fold.field));
        sources.insert(fold.received);
    }
    const UntilDone companions{evaluator};
    add_companions(evaluator, fixed);
    for (const int source : sources) {
        const auto &f = layout_.staged(source);
        for (const auto &block : layout_.in_file(source) ? frame_.look(source) : frame_.take(source))
            evaluator.add({f.field.name, block.box, block.memory.points(), f.staged, {}}, work);
    }
}

/// Those that are fixed in time once for all frames.
void MadeByServers::add_companions(Evaluator &evaluator, const Fixed &fixed) {
    std::unique_ptr<Staged> of_all_frames;
    const auto add = [&](const std::string &name, std::vector<Block> blocks) {
        for (auto &block : blocks) {
            const auto memory = std::make_shared<Memory>(std::move(block.memory));
            evaluator.add(name, block.box, {memory, reinterpret_cast<const double *>(memory->points())});
        }
    };
    for (int n = 0; n < layout_.staged_fields(); ++n) {
        if (!layout_.lies_beside(n)) continue;
        const auto &f = layout_.staged(n).field;
        if (f.per_frame) {
            add(f.name, frame_.take(n));
        } else if (!evaluator.has(f.name)) {
            if (!of_all_frames) of_all_frames = fixed();
            add(f.name, of_all_frames->look(n));
        }
    }
}

/// Of what is complete here, the points of the result that are this server's.
void MadeByServers::keep_own(std::size_t fold, const Evaluator &evaluator, Partials &partials) {
    const auto &f = layout_.folds[fold];
    if (!f.on_servers) return;
    for (auto &partial : evaluator.take_complete(fold, partials)) {
        std::vector<Box> elsewhere{partial.box};
        for (const auto &block : made_.at(f.field)) elsewhere = without(elsewhere, block.box);
        settle(f, partial);
        for (const auto &box : elsewhere) partials.add(f, partial.part(box));
    }
}

/// Takes this server's points of what has come from all.
void MadeByServers::complete(const Evaluator &evaluator, Partials &partials, std::size_t fold) {
    const auto &f = layout_.folds[fold];
    if (!f.on_servers) return;
    for (const auto &partial : evaluator.take_complete(fold, partials)) settle(f, partial);
    if (!partials.empty()) // the same on all of them
        throw Error(fmt::format("field {}: of {}, of which servers make it, points are missing",
                                layout_.fields[static_cast<std::size_t>(f.field)].field.name, f.of));
}

/// Puts the points of a complete partial that are this server's into its blocks.
void MadeByServers::settle(const Fold &fold, const Partial &partial) {
    const auto &f = layout_.fields[static_cast<std::size_t>(fold.field)];
    for (auto &block : made_.at(fold.field)) {
        const auto own = intersection(partial.box, block.box);
        if (volume(own) == 0) continue;
        const auto values = results(fold, partial.part(own), f.fill);
        const auto strides = contiguous(block.box.count);
        auto *first = block.memory.data() +
                      offset_in(block.box, own.start) * static_cast<std::int64_t>(size_of(f.staged));
        copy_points(own.count, values.data(), Type::f64, {}, first, f.staged, strides);
    }
}

std::vector<Block> MadeByServers::look(int field) const {
    const auto made = made_.find(field);
    if (made == made_.end()) return frame_.look(field);
    std::vector<Block> same;
    for (const auto &block : made->second) same.push_back({field, block.box, block.memory.share()});
    return same;
}

std::vector<Block> MadeByServers::take(int field) {
    const auto made = made_.find(field);
    return made == made_.end() ? frame_.take(field) : std::move(made->second);
}

} // namespace squall::io
