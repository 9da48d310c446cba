#include "declare/folds.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/nearest.hpp"
#include "declare/expand.hpp"
#include "declare/layout.hpp"

namespace squall::io {
namespace {

const std::map<std::string, Fold::Method> methods{
    {"mean", Fold::Method::mean},         {"sum", Fold::Method::sum},
    {"min", Fold::Method::min},           {"max", Fold::Method::max},
    {"variance", Fold::Method::variance}, {"standard_deviation", Fold::Method::standard_deviation},
    {"count", Fold::Method::count},       {"quantile", Fold::Method::quantile}};

/// As CF's Appendix E has them.
const std::map<std::string, std::string> cell_methods{
    {"mean", "mean"},   {"sum", "sum"},           {"min", "minimum"},
    {"max", "maximum"}, {"variance", "variance"}, {"standard_deviation", "standard_deviation"}};

std::vector<std::string> names_of_methods() {
    std::vector<std::string> names;
    for (const auto &[name, method] : methods) names.push_back(name);
    return names;
}

/// What is put under a name: null if nothing is.
const Field *find_put(const StreamSpec &spec, const std::string &name) {
    for (const auto *fields : {&spec.sources, &spec.fields}) {
        const auto f = std::ranges::find(*fields, name, &Field::name);
        if (f != fields->end() && !f->reduction) return &*f;
    }
    return nullptr;
}

std::vector<std::string> names_put(const StreamSpec &spec) {
    std::vector<std::string> names;
    for (const auto *fields : {&spec.sources, &spec.fields})
        for (const auto &f : *fields)
            if (!f.reduction) names.push_back(f.name);
    return names;
}

std::string unknown(const StreamSpec &spec, const std::string &what, const std::string &name) {
    return fmt::format("{} {}, which is neither a field that is put nor one of the sources; {}", what, name,
                       advice(name, names_put(spec)));
}

bool lists(const std::vector<std::string> &names, const std::string &name) {
    return std::ranges::find(names, name) != names.end();
}

std::string companion_fault(const StreamSpec &spec, const Field &source, const char *what,
                            const std::string &name) {
    if (name.empty()) return "";
    const auto *field = find_put(spec, name);
    if (!field) return unknown(spec, fmt::format("its {} is", what), name);
    if (field->name == source.name && std::string(what) == "weight") return "it is weighted with itself";
    if (field->type == Type::text || field->type == Type::character)
        return fmt::format("its {}, {}, is text", what, name);
    for (const auto &d : field->dimensions)
        if (!lists(source.dimensions, d))
            return fmt::format("its {}, {}, has dimension {}, which {} has not", what, name, d, source.name);
    return "";
}

std::string within_fault(const StreamSpec &spec, const Reduction &r) {
    for (const auto &s : r.within) {
        if (!lists(r.over, s.dimension))
            return fmt::format("`within` names dimension {}, which is not reduced; `over` is {}", s.dimension,
                               list(r.over));
        const auto d = std::ranges::find(spec.dimensions, s.dimension, &Dimension::name);
        const auto stop = s.stop < 0 ? d->size : s.stop;
        if (s.stride != 1)
            return fmt::format("`within` takes dimension {} in steps; its stride must be 1", s.dimension);
        if (s.start < 0 || s.start >= stop || stop > d->size)
            return fmt::format("`within`: indices {} to {} of dimension {} do not lie in 0 to {}", s.start,
                               stop, s.dimension, d->size);
    }
    return "";
}

std::string method_fault(const Field &field, const Reduction &r) {
    const auto method = methods.find(r.method);
    if (method == methods.end())
        return fmt::format("there is no method \"{}\"; choose one of: {}", r.method,
                           list(names_of_methods()));
    using M = Fold::Method;
    const bool weighs = method->second == M::mean || method->second == M::sum ||
                        method->second == M::variance || method->second == M::standard_deviation;
    if (!r.weight.empty() && !weighs) return fmt::format("method {} takes no weight", r.method);
    if (method->second == M::quantile) {
        if (!(r.quantile >= 0 && r.quantile <= 1))
            return fmt::format("quantile {} does not lie between 0 and 1", r.quantile);
        if (!(r.low < r.high) || r.bins < 1 || r.bins > 1 << 20)
            return fmt::format(
                "a quantile needs bins: at least one from `low` to a higher `high`, not {} from {} "
                "to {}",
                r.bins, r.low, r.high);
    }
    const bool number = field.type != Type::text && field.type != Type::character;
    if (!number) return fmt::format("its type is {}", name_of(field.type));
    return "";
}

std::string source_fault(const StreamSpec &spec, const Field &field, const Reduction &r) {
    const auto *source = find_put(spec, r.of);
    if (!source) return unknown(spec, "it is made of", r.of);
    if (source->type == Type::text || source->type == Type::character)
        return fmt::format("{}, of which it is made, is text", r.of);
    if (!field.per_frame || !source->per_frame) return "only fields of a frame are reduced, to such";
    if (varying_dimension(spec, *source) >= 0)
        return fmt::format("the length of a dimension of {} varies", r.of);
    if (r.over.empty()) return fmt::format("`over` names no dimension of {}", r.of);
    for (const auto &d : r.over)
        if (!lists(source->dimensions, d))
            return fmt::format("`over` names dimension {}, but those of {} are: {}", d, r.of,
                               list(source->dimensions));
    std::vector<std::string> left;
    for (const auto &d : source->dimensions)
        if (!lists(r.over, d)) left.push_back(d);
    if (!field.dimensions.empty() && field.dimensions != left)
        return fmt::format("its dimensions are declared as {}, but {} are left of those of {}",
                           list(field.dimensions), list(left), r.of);
    for (const auto &d : left)
        if (std::ranges::find(spec.subset, d, &Selection::dimension) != spec.subset.end())
            return fmt::format("the stream's subset cuts dimension {}, which is left of {}", d, r.of);
    for (const auto *companion : {"weight", "mask"})
        if (auto fault = companion_fault(spec, *source, companion,
                                         std::string(companion) == "weight" ? r.weight : r.mask);
            !fault.empty())
            return fault;
    return within_fault(spec, r);
}

void complete(const StreamSpec &spec, Field &field, const Reduction &r) {
    const auto &source = *find_put(spec, r.of);
    field.dimensions.clear();
    for (const auto &d : source.dimensions)
        if (!lists(r.over, d)) field.dimensions.push_back(d);
    if (!field.fill) field.fill = fill_of(field);
    const bool said = std::ranges::find(field.attributes, std::string("cell_methods"), &Attribute::name) !=
                      field.attributes.end();
    const auto method = cell_methods.find(r.method);
    if (said || method == cell_methods.end()) return;
    std::string words;
    for (const auto &d : source.dimensions)
        if (lists(r.over, d)) words += d + ": ";
    words += method->second;
    if (!r.weight.empty()) words += fmt::format(" (comment: weighted by {})", r.weight);
    field.attributes.emplace_back("cell_methods", words);
}

Companion companion_of(const StreamSpec &spec, const Field &source, const std::string &name) {
    if (name.empty()) return {};
    const auto &field = *find_put(spec, name);
    Companion c{name, field.per_frame, {}};
    for (const auto &d : source.dimensions) {
        const auto at = std::ranges::find(field.dimensions, d);
        c.place.push_back(at == field.dimensions.end() ? -1
                                                       : static_cast<int>(at - field.dimensions.begin()));
    }
    return c;
}

Fold fold_of(const StreamSpec &spec, int number) {
    const auto &r = *spec.fields[static_cast<std::size_t>(number)].reduction;
    const auto &source = *find_put(spec, r.of);
    Fold fold{.field = number,
              .of = r.of,
              .type = source.type,
              .domain = {},
              .over = {},
              .within = {},
              .fill = source.fill,
              .weight = companion_of(spec, source, r.weight),
              .mask = companion_of(spec, source, r.mask),
              .method = methods.at(r.method),
              .quantile = r.quantile,
              .low = r.low,
              .high = r.high,
              .bins = r.bins};
    for (const auto &name : source.dimensions) {
        const auto size = std::ranges::find(spec.dimensions, name, &Dimension::name)->size;
        const auto cut = std::ranges::find(r.within, name, &Selection::dimension);
        const auto first = cut == r.within.end() ? 0 : cut->start;
        const auto stop = cut == r.within.end() || cut->stop < 0 ? size : cut->stop;
        fold.domain.push_back(size);
        fold.over.push_back(lists(r.over, name));
        fold.within.start.push_back(first);
        fold.within.count.push_back(stop - first);
    }
    return fold;
}

} // namespace

std::size_t Fold::sums() const {
    switch (method) {
    case Method::sum:
        return 1;
    case Method::mean:
        return 2;
    case Method::variance:
    case Method::standard_deviation:
        return 3;
    default:
        return 0;
    }
}

std::size_t Fold::counts() const { return method == Method::quantile ? static_cast<std::size_t>(bins) : 1; }

std::string expand_reductions(StreamSpec &spec) {
    for (const auto &source : spec.sources) {
        if (source.reduction)
            return fmt::format("source {} is made of another; declare it as a field", source.name);
        if (source.name.empty() || std::ranges::count(spec.sources, source.name, &Field::name) > 1 ||
            std::ranges::find(spec.fields, source.name, &Field::name) != spec.fields.end())
            return fmt::format("source \"{}\" has no name, or is declared twice", source.name);
        for (const auto &d : source.dimensions)
            if (std::ranges::find(spec.dimensions, d, &Dimension::name) == spec.dimensions.end())
                return fmt::format("source {}: dimension {} is not declared", source.name, d);
    }
    for (auto &field : spec.fields) {
        if (!field.reduction) continue;
        const auto r = *field.reduction;
        auto fault = method_fault(field, r);
        if (fault.empty()) fault = source_fault(spec, field, r);
        if (!fault.empty()) return fmt::format("field {}: {}", field.name, fault);
        complete(spec, field, r);
    }
    return "";
}

std::vector<Fold> folds_of(const StreamSpec &spec) {
    std::vector<Fold> folds;
    for (int f = 0; f < static_cast<int>(spec.fields.size()); ++f)
        if (spec.fields[static_cast<std::size_t>(f)].reduction) folds.push_back(fold_of(spec, f));
    return folds;
}

} // namespace squall::io
