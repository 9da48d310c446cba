#include "declare/levels.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "declare/expand.hpp"
#include "declare/layout.hpp"

namespace squall::io {
namespace {

const std::map<std::string, OntoLevels::Outside> outsides{{"missing", OntoLevels::Outside::missing},
                                                          {"nearest", OntoLevels::Outside::nearest},
                                                          {"extrapolate", OntoLevels::Outside::extrapolate}};

std::string levels_fault(const StreamSpec &spec, const Reduction &r) {
    const auto *onto = find_dimension(spec, r.onto);
    if (!onto) return fmt::format("dimension \"{}\", onto which it is interpolated, is not declared", r.onto);
    if (onto->varying) return fmt::format("the length of dimension {} varies", r.onto);
    if (std::ssize(r.levels) != onto->size)
        return fmt::format("{} levels for dimension {} of size {}", r.levels.size(), r.onto, onto->size);
    for (const double level : r.levels)
        if (!std::isfinite(level) || (r.scale == "log" && level <= 0))
            return fmt::format("a level of {}{}", level, r.scale == "log" ? ", which has no logarithm" : "");
    return "";
}

std::string words_fault(const Reduction &r) {
    if (r.scale != "linear" && r.scale != "log")
        return fmt::format("scale is \"{}\"; it must be \"linear\" or \"log\"", r.scale);
    if (!outsides.contains(r.outside))
        return fmt::format(R"(outside is "{}"; it must be "missing", "nearest" or "extrapolate")", r.outside);
    if (r.coordinate.empty())
        return "no coordinate is set; name the field whose values define the levels, such as pressure";
    return "";
}

} // namespace

std::string complete_levels(const StreamSpec &spec, Field &field) {
    const auto &r = *field.reduction;
    const auto &source = *find_source(spec, r.of);
    if (r.over.size() != 1 || !lists(source.dimensions, r.over[0]))
        return fmt::format("`over` must be the one dimension of {} that the levels replace, one of: {}", r.of,
                           list(source.dimensions));
    if (auto fault = words_fault(r); !fault.empty()) return fault;
    if (auto fault = levels_fault(spec, r); !fault.empty()) return fault;
    if (auto fault = companion_fault(spec, source, "coordinate", r.coordinate); !fault.empty()) return fault;
    if (!lists(find_source(spec, r.coordinate)->dimensions, r.over[0]))
        return fmt::format("its coordinate, {}, has no dimension {}", r.coordinate, r.over[0]);
    auto dimensions = source.dimensions;
    std::ranges::replace(dimensions, r.over[0], r.onto);
    return settle(field, dimensions);
}

std::vector<OntoLevels> levels_of(const StreamSpec &spec) {
    std::vector<OntoLevels> all;
    for (const auto *fields : {&spec.sources, &spec.fields})
        for (const auto &field : *fields) {
            if (!field.reduction || making_of(spec, *field.reduction) != Making::onto_levels) continue;
            const auto &r = *field.reduction;
            const auto &source = *find_source(spec, r.of);
            const auto over = std::ranges::find(source.dimensions, r.over[0]) - source.dimensions.begin();
            all.push_back({.name = field.name,
                           .of = r.of,
                           .type = source.type,
                           .fill = source.fill,
                           .domain = extents_of(spec, source),
                           .over = static_cast<std::size_t>(over),
                           .coordinate = companion_of(spec, source, r.coordinate),
                           .levels = r.levels,
                           .logarithmic = r.scale == "log",
                           .outside = outsides.at(r.outside),
                           .missing = fill_of(field)});
        }
    return all;
}

} // namespace squall::io
