#include "declare/intervals.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "declare/expand.hpp"
#include "declare/layout.hpp"

namespace squall::io {
namespace {

using Method = OverTime::Method;

struct Word {
    Method method;
    std::string cell_method; ///< as CF's Appendix E has it; empty: none
};
const std::map<std::string, Word> methods{
    {"mean", {Method::mean, "mean"}},
    {"min", {Method::min, "minimum"}},
    {"max", {Method::max, "maximum"}},
    {"sum", {Method::sum, "sum"}},
    {"variance", {Method::variance, "variance"}},
    {"standard_deviation", {Method::standard_deviation, "standard_deviation"}},
    {"last", {Method::last, "point"}},
    {"accumulation", {Method::accumulation, "sum"}},
    {"rate", {Method::rate, "mean"}}};

} // namespace

/// Two for moments (mean and sum of squares, Welford 1962), the newest and the one before the interval for
/// differences; behind them, where some values do not count, how many did.
std::size_t OverTime::kept() const {
    const bool two = method == Method::variance || method == Method::standard_deviation || differs();
    return (two ? 2 : 1) + (fill ? 1 : 0);
}

std::string complete_interval(const StreamSpec &spec, Field &field) {
    const auto &r = *field.reduction;
    const auto &source = *find_source(spec, r.of);
    if (r.over.size() != 1)
        return fmt::format("it is reduced over time and over other dimensions at once; reduce it over {} "
                           "first, as a source of its own",
                           spec.record_dimension);
    const auto method = methods.find(r.method);
    if (method == methods.end()) {
        std::vector<std::string> names;
        for (const auto &[name, word] : methods) names.push_back(name);
        return fmt::format("there is no method \"{}\" over time; choose one of: {}", r.method, list(names));
    }
    if (!r.weight.empty() || !r.mask.empty() || !r.within.empty())
        return "a reduction over time takes no weight, mask or `within`; apply them to its result";
    if (auto fault = settle(field, source.dimensions); !fault.empty()) return fault;
    if (field.decomposition.empty()) field.decomposition = source.decomposition;
    add_cell_methods(field, source,
                     (spec.time ? name_of_time(spec) : spec.record_dimension) + ": " +
                         method->second.cell_method);
    return "";
}

std::vector<OverTime> intervals_of(const StreamSpec &spec) {
    std::vector<OverTime> all;
    for (const auto *fields : {&spec.sources, &spec.fields})
        for (const auto &field : *fields) {
            if (!field.reduction || making_of(spec, *field.reduction) != Making::over_time) continue;
            const auto &source = *find_source(spec, field.reduction->of);
            all.push_back({.name = field.name,
                           .of = source.name,
                           .type = source.type,
                           .fill = source.fill,
                           .dimensions = source.dimensions,
                           .domain = extents_of(spec, source),
                           .method = methods.at(field.reduction->method).method,
                           .missing = fill_of(field)});
        }
    return all;
}

} // namespace squall::io
