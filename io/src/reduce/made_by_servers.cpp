#include "reduce/made_by_servers.hpp"

#include <algorithm>
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

/// Copies the points of `part` from those of a box of a result to the block's.
void copy_into(Block &block, Type type, const Box &part, const Box &box, const double *values) {
    auto *first =
        block.memory.data() + offset_in(block.box, part.start) * static_cast<std::int64_t>(size_of(type));
    copy_points(part.count, values + offset_in(box, part.start), Type::f64, contiguous(box.count), first,
                type, contiguous(block.box.count));
}

/// Holds weights and masks of a frame.
struct UntilDone {
    Evaluator &evaluator;
    ~UntilDone() { evaluator.clear_frame(); }
};

} // namespace

MadeByServers::MadeByServers(const RankGroup &group, const Layout &layout, Evaluator &evaluator,
                             Staged &frame, const Fixed &fixed)
    : layout_(layout), frame_(frame) {
    time = frame.time;
    number = frame.number;
    auto work = evaluator.begin();
    group.attempt([&] { reduce(evaluator, work, fixed); });
    Report mine;
    mine.partials = std::move(work.partials);
    mine.at_places = std::move(work.at_places);
    for (std::size_t f = 0; f < layout_.folds.size(); ++f) keep_own(f, evaluator, mine.partials[f]);
    for (std::size_t s = 0; s < layout_.samples.size(); ++s) settle(layout_.samples[s], mine.at_places[s]);
    auto all = evaluator.begin();
    for (const auto &text : group.gather(as_text(mine.pack(layout_)))) {
        auto theirs = Report::unpack(as_bytes(text), layout_);
        for (std::size_t f = 0; f < layout_.folds.size(); ++f)
            for (auto &partial : theirs.partials[f].take_all())
                all.partials[f].add(layout_.folds[f], std::move(partial));
        for (std::size_t s = 0; s < layout_.samples.size(); ++s)
            all.at_places[s].take(theirs.at_places[s], layout_.samples[s]);
    }
    for (std::size_t f = 0; f < layout_.folds.size(); ++f) complete(evaluator, all.partials[f], f);
    for (std::size_t s = 0; s < layout_.samples.size(); ++s)
        if (layout_.samples[s].on_servers) complete(*work.samplers[s], all.at_places[s]);
}

/// Looks at one source after the other, so that this server never holds two of them, and takes room for what
/// is made of them.
void MadeByServers::reduce(Evaluator &evaluator, Evaluator::Work &work, const Fixed &fixed) {
    std::set<int> sources;
    const auto expect = [&](const auto &made) {
        if (!made.on_servers) return;
        made_.try_emplace(made.field, frame_.take(made.field));
        sources.insert(made.received);
    };
    std::ranges::for_each(layout_.folds, expect);
    std::ranges::for_each(layout_.samples, expect);
    const UntilDone companions{evaluator};
    add_companions(evaluator, fixed);
    find_places(evaluator, work);
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
        if (!layout_.lies_beside(n) || layout_.goes_to_all(n)) continue;
        const auto &f = layout_.staged(n).field;
        if (f.per_frame) {
            add(f.name, frame_.take(n));
        } else if (!evaluator.has(f.name)) {
            if (!of_all_frames) of_all_frames = fixed();
            add(f.name, of_all_frames->look(n));
        }
    }
}

/// Asks what came of places that move where they are.
void MadeByServers::find_places(const Evaluator &evaluator, Evaluator::Work &work) {
    for (std::size_t p = 0; p < layout_.whereabouts.size(); ++p) {
        const auto &places = layout_.spec.places[p];
        const auto &along = layout_.whereabouts[p];
        std::vector<double> positions(static_cast<std::size_t>(places.count) * along.size());
        for (std::size_t d = 0; d < along.size(); ++d)
            for (const auto &block : frame_.take(along[d]))
                copy_points(block.box.count, block.memory.points(), Type::f64, {}, &positions[d], Type::f64,
                            {std::ssize(along)});
        if (!along.empty()) evaluator.lie_at(places.name, positions, work);
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
        throw Error(fmt::format("field {}: points of its source {}, which servers reduce, are missing",
                                layout_.fields[static_cast<std::size_t>(f.field)].field.name, f.of));
}

/// Puts the points of a complete partial that are this server's into its blocks.
void MadeByServers::settle(const Fold &fold, const Partial &partial) {
    const auto &f = layout_.fields[static_cast<std::size_t>(fold.field)];
    for (auto &block : made_.at(fold.field)) {
        const auto own = intersection(partial.box, block.box);
        if (volume(own) == 0) continue;
        copy_into(block, f.staged, own, own, results(fold, partial.part(own), f.fill).data());
    }
}

/// Makes what others have the rest of, and takes this server's places.
void MadeByServers::complete(const Sampler &sampler, AtPlaces &all) {
    const auto &sample = sampler.sample();
    sampler.make(all);
    sampler.add_nowhere(all);
    settle(sample, all);
    if (!all.partly.empty()) // the same on all of them
        throw Error(fmt::format(
            "field {}: points of its source {}, which servers reduce, are missing around place {} of {}",
            layout_.fields[static_cast<std::size_t>(sample.field)].field.name, sample.of,
            all.partly.begin()->first, layout_.spec.places[sample.places].name));
}

/// Puts what is made at places that are this server's into its blocks, and leaves the others.
void MadeByServers::settle(const Sample &sample, AtPlaces &here) {
    const auto &f = layout_.fields[static_cast<std::size_t>(sample.field)];
    const auto depth = static_cast<std::size_t>(sample.depth());
    AtPlaces others;
    auto box = whole_of(f.shape);
    box.count[0] = 1;
    for (std::size_t n = 0; n < here.made.size(); ++n) {
        const auto *values = &here.values[n * depth];
        box.start[0] = here.made[n];
        auto elsewhere = volume(box);
        for (auto &block : made_.at(sample.field)) {
            const auto own = intersection(box, block.box);
            if (volume(own) == 0) continue;
            copy_into(block, f.staged, own, box, values);
            elsewhere -= volume(own);
        }
        if (elsewhere == 0) continue;
        others.made.push_back(here.made[n]);
        others.values.insert(others.values.end(), values, values + depth);
    }
    here.made = std::move(others.made);
    here.values = std::move(others.values);
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
