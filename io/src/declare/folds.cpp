#include "declare/folds.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string weight_fault(const StreamSpec &spec, const Field &source, const Reduction &r) {
    if (r.weight == source.name) return "it is weighted by itself";
    auto fault = companion_fault(spec, source, "weight", r.weight);
    return fault.empty() ? companion_fault(spec, source, "mask", r.mask) : fault;
}

std::string within_fault(const StreamSpec &spec, const Reduction &r) {
    for (const auto &s : r.within) {
        if (!lists(r.over, s.dimension))
            return fmt::format("`within` names dimension {}, which is not reduced; `over` is {}", s.dimension,
                               list(r.over));
        const auto d = std::ranges::find(spec.dimensions, s.dimension, &Dimension::name);
        const auto stop = s.stop < 0 ? d->size : s.stop;
        if (s.stride != 1)
            return fmt::format("`within` selects dimension {} with a stride; the stride must be 1",
                               s.dimension);
        if (s.start < 0 || s.start >= stop || stop > d->size)
            return fmt::format("`within`: indices {} to {} of dimension {} are outside 0 to {}", s.start,
                               stop, s.dimension, d->size);
    }
    return "";
}

std::string method_fault(const Reduction &r) {
    const auto method = methods.find(r.method);
    if (method == methods.end())
        return fmt::format("there is no method \"{}\"; choose one of: {}", r.method,
                           list(names_of_methods()));
    using M = Fold::Method;
    const bool weighs = method->second == M::mean || method->second == M::sum ||
                        method->second == M::variance || method->second == M::standard_deviation ||
                        method->second == M::quantile;
    if (!r.weight.empty() && !weighs) return fmt::format("method {} cannot be weighted", r.method);
    if (method->second == M::quantile) {
        if (!(r.quantile >= 0 && r.quantile <= 1))
            return fmt::format("quantile {} is outside 0 to 1", r.quantile);
        if (!(r.low < r.high) || r.bins < 1 || r.bins > 1 << 20)
            return fmt::format(
                "a quantile needs bins: at least one from `low` to a higher `high`, not {} from {} to {}",
                r.bins, r.low, r.high);
    }
    return "";
}

const Coarsening *coarsening_of(const Reduction &r, const std::string &dimension) {
    const auto c = std::ranges::find(r.coarsen, dimension, &Coarsening::dimension);
    return c == r.coarsen.end() ? nullptr : &*c;
}

std::vector<std::string> left_of(const Field &source, const Reduction &r) {
    std::vector<std::string> left;
    for (const auto &d : source.dimensions)
        if (const auto *coarser = coarsening_of(r, d); !lists(r.over, d))
            left.push_back(coarser ? coarser->onto : d);
    return left;
}

/// Adds the dimensions of the coarser grid that are not declared. Returns what is wrong with it, or "".
std::string coarsen(StreamSpec &spec, const Field &source, const Reduction &r) {
    for (const auto &c : r.coarsen) {
        if (!lists(source.dimensions, c.dimension) || lists(r.over, c.dimension))
            return fmt::format(
                "`coarsen` names dimension {}, which is not among the remaining dimensions of {}: {}",
                c.dimension, source.name, list(left_of(source, {.of = r.of, .over = r.over})));
        if (std::ranges::count(r.coarsen, c.dimension, &Coarsening::dimension) > 1)
            return fmt::format("`coarsen` names dimension {} twice", c.dimension);
        if (c.factor < 2 || c.onto.empty() || c.onto == c.dimension)
            return fmt::format("`coarsen` by a factor of {} from dimension {} onto dimension \"{}\"; the "
                               "factor must be at least 2, and the dimensions must differ",
                               c.factor, c.dimension, c.onto);
        const auto size = (find_dimension(spec, c.dimension)->size + c.factor - 1) / c.factor;
        if (const auto *onto = find_dimension(spec, c.onto); !onto)
            spec.dimensions.push_back({c.onto, size});
        else if (onto->size != size)
            return fmt::format("dimension {} has size {}, but {} by {} gives {}", c.onto, onto->size,
                               c.dimension, c.factor, size);
    }
    return "";
}

std::string dimensions_fault(const StreamSpec &spec, const Field &source, const Reduction &r) {
    if (r.over.empty() && r.coarsen.empty()) return fmt::format("`over` names no dimension of {}", r.of);
    for (const auto &d : r.over)
        if (!lists(source.dimensions, d))
            return fmt::format("`over` names dimension {}, but {} has the dimensions: {}", d, r.of,
                               list(source.dimensions));
    for (const auto &d : left_of(source, r))
        if (std::ranges::find(spec.subset, d, &Selection::dimension) != spec.subset.end())
            return fmt::format("the stream's subset cuts dimension {}, which remains of {}", d, r.of);
    return "";
}

std::string words_of(const Field &source, const Reduction &r) {
    const auto method = cell_methods.find(r.method);
    if (method == cell_methods.end()) return "";
    std::string words;
    for (const auto &d : source.dimensions)
        if (const auto *coarser = coarsening_of(r, d); coarser || lists(r.over, d))
            words += (coarser ? coarser->onto : d) + ": ";
    words += method->second;
    return r.weight.empty() ? words : words + fmt::format(" (weighted by {})", r.weight);
}

Fold fold_of(const StreamSpec &spec, int number) {
    const auto &r = *spec.fields[static_cast<std::size_t>(number)].reduction;
    const auto &source = *find_source(spec, r.of);
    Fold fold{.field = number,
              .of = r.of,
              .type = source.type,
              .domain = {},
              .over = {},
              .block = {},
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
        const auto *coarser = coarsening_of(r, name);
        fold.block.push_back(coarser ? coarser->factor : 1);
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
        return weighted() ? 2 : 1;
    case Method::variance:
    case Method::standard_deviation:
        return weighted() ? 3 : 2;
    case Method::quantile:
        return weighted() ? static_cast<std::size_t>(bins) : 0;
    default:
        return 0;
    }
}

std::size_t Fold::counts() const {
    return method == Method::quantile && !weighted() ? static_cast<std::size_t>(bins) : 1;
}

std::string complete_fold(StreamSpec &spec, Field &field) {
    const auto &r = *field.reduction;
    const auto &source = *find_source(spec, r.of);
    auto fault = method_fault(r);
    if (fault.empty()) fault = dimensions_fault(spec, source, r);
    if (fault.empty()) fault = coarsen(spec, source, r);
    if (fault.empty()) fault = weight_fault(spec, source, r);
    if (fault.empty()) fault = within_fault(spec, r);
    if (fault.empty()) fault = settle(field, left_of(source, r));
    if (!fault.empty()) return fault;
    if (const auto words = words_of(source, r); !words.empty()) add_cell_methods(field, source, words);
    return "";
}

std::vector<Fold> folds_of(const StreamSpec &spec) {
    std::vector<Fold> folds;
    for (int f = 0; f < static_cast<int>(spec.fields.size()); ++f) {
        const auto &r = spec.fields[static_cast<std::size_t>(f)].reduction;
        if (r && making_of(spec, *r) == Making::over_dimensions) folds.push_back(fold_of(spec, f));
    }
    return folds;
}

} // namespace squall::io
