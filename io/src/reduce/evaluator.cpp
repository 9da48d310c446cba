#include "reduce/evaluator.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/box.hpp"

namespace squall::io {

Evaluator::Evaluator(std::shared_ptr<const Layout> layout, bool on_servers)
    : layout_(std::move(layout)), on_servers_(on_servers), unmoved_(layout_->samples.size()) {
    for (std::size_t f = 0; f < layout_->folds.size(); ++f) {
        const auto &fold = layout_->folds[f];
        if (fold.on_servers != on_servers_) continue;
        tallies_.try_emplace(f, fold);
        for (const auto *companion : {&fold.weight, &fold.mask}) companions_.expect(*companion);
    }
    for (std::size_t s = 0; s < unmoved_.size(); ++s)
        if (is_mine(layout_->samples[s]) && !places_of(s).positions.empty())
            unmoved_[s] = sampler(s, places_of(s).positions);
}

bool Evaluator::idle() const {
    return tallies_.empty() &&
           std::ranges::none_of(layout_->samples, [this](const Sample &s) { return is_mine(s); });
}

std::shared_ptr<Sampler> Evaluator::sampler(std::size_t s, const std::vector<double> &positions) const {
    const auto &sample = layout_->samples[s];
    const auto &result = layout_->fields[static_cast<std::size_t>(sample.field)];
    return std::make_shared<Sampler>(sample, positions, result.fill);
}

bool Evaluator::makes_of(const std::string &field) const {
    return std::ranges::any_of(tallies_, [&](auto &own) { return layout_->folds[own.first].of == field; }) ||
           std::ranges::any_of(layout_->samples,
                               [&](const Sample &s) { return is_mine(s) && s.of == field; });
}

Evaluator::Work Evaluator::begin() const {
    const auto folds = layout_->folds.size();
    return {std::vector<Partials>(folds), std::vector<std::vector<Result>>(folds),
            std::vector<AtPlaces>(layout_->samples.size()), unmoved_};
}

void Evaluator::lie_at(const std::string &name, const std::vector<double> &positions, Work &work) const {
    const auto &all = layout_->spec.places;
    const auto places = std::ranges::find(all, name, &Places::name);
    if (places == all.end()) throw Error("the stream declares no such places");
    if (!places->positions.empty()) throw Error("their positions were declared, so they do not move");
    if (std::ssize(positions) != places->count * std::ssize(places->dimensions))
        throw Error(fmt::format("{} positions for {} places in {} dimensions", positions.size(),
                                places->count, places->dimensions.size()));
    for (std::size_t s = 0; s < layout_->samples.size(); ++s)
        if (is_mine(layout_->samples[s]) && &places_of(s) == &*places)
            work.samplers[s] = sampler(s, positions);
}

double Evaluator::fill_of(const Fold &fold) const {
    return layout_->fields[static_cast<std::size_t>(fold.field)].fill;
}

void Evaluator::add_results(std::size_t f, Partials &of, std::vector<Result> &to) const {
    const auto &fold = layout_->folds[f];
    for (const auto &partial : take_complete(f, of))
        to.push_back({partial.box, results(fold, partial, fill_of(fold))});
}

void Evaluator::add(const Put &put, Work &work) {
    if (companions_.want(put.field)) companions_.keep(put);
    for (const auto &[f, tallies] : tallies_) {
        const auto &fold = layout_->folds[f];
        if (fold.of != put.field) continue;
        const auto fill = on_servers_ ? std::nullopt : std::optional(fill_of(fold));
        for (auto &[partial, whole] : evaluate(fold, tallies, put, companions_, fill)) {
            for (const auto &done : work.results[f])
                if (overlap(done.box, partial.box))
                    throw Error("points of it were put twice; every point must be put by exactly one rank");
            if (whole)
                work.results[f].push_back({partial.box, std::move(*whole)});
            else
                work.partials[f].add(fold, std::move(partial));
        }
    }
    for (std::size_t s = 0; s < layout_->samples.size(); ++s) {
        const auto &sample = layout_->samples[s];
        if (!is_mine(sample) || sample.of != put.field) continue;
        if (!work.samplers[s])
            throw Error(fmt::format("the positions of {} were not set; call Frame::places before the put",
                                    places_of(s).name));
        work.samplers[s]->put(put, work.at_places[s]);
    }
}

} // namespace squall::io
