#include "declare/made.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "declare/expand.hpp"
#include "declare/folds.hpp"
#include "declare/intervals.hpp"
#include "declare/layout.hpp"
#include "declare/levels.hpp"
#include "declare/samples.hpp"
#include "squall/io_words.hpp"

namespace squall::io {
namespace {

bool may_be_source(const StreamSpec &spec, const Field &f) {
    return !f.reduction || made_on_the_spot(making_of(spec, *f.reduction));
}

/// Fields and sources, which differ in whether they are written.
std::vector<Field *> all_of(StreamSpec &spec) {
    std::vector<Field *> all;
    for (auto *fields : {&spec.sources, &spec.fields})
        for (auto &f : *fields) all.push_back(&f);
    return all;
}

std::string check_sources(const StreamSpec &spec) {
    for (const auto &source : spec.sources) {
        if (source.reduction && !may_be_source(spec, source))
            return fmt::format("source {} is reduced {}; declare it as a field", source.name,
                               source.reduction->at.empty() ? "over dimensions" : "at places");
        if (source.name.empty() || std::ranges::count(spec.sources, source.name, &Field::name) > 1 ||
            std::ranges::find(spec.fields, source.name, &Field::name) != spec.fields.end())
            return fmt::format("source \"{}\" has no name, or is declared twice", source.name);
        for (const auto &d : source.dimensions)
            if (!find_dimension(spec, d))
                return fmt::format("source {}: dimension {} is not declared", source.name, d);
    }
    return "";
}

/// What is wrong with what a field is made of, whatever the kind.
std::string source_fault(const StreamSpec &spec, const Field &field) {
    const auto *source = find_source(spec, field.reduction->of);
    if (!source) return no_source(spec, "its source is", field.reduction->of);
    if (!is_number(*source)) return fmt::format("its source, {}, is text", source->name);
    if (!is_number(field)) return fmt::format("its type is {}", name_of(field.type));
    if (!field.per_frame || !source->per_frame)
        return "only per-frame fields can be made from others, and only from per-frame fields";
    if (varying_dimension(spec, *source) >= 0)
        return fmt::format("the length of a dimension of {} varies", source->name);
    return "";
}

std::string complete(StreamSpec &spec, Field &field) {
    if (auto fault = source_fault(spec, field); !fault.empty()) return fault;
    switch (making_of(spec, *field.reduction)) {
    case Making::over_dimensions:
        return complete_fold(spec, field); // adds dimensions of coarser grids
    case Making::at_places:
        return complete_sample(spec, field);
    case Making::over_time:
        return complete_interval(spec, field);
    case Making::onto_levels:
        return complete_levels(spec, field);
    }
    return "";
}

/// Whether everything that a field is made of is complete.
bool ready(const StreamSpec &spec, const Field &field, const std::vector<const Field *> &waiting) {
    const auto *source = find_source(spec, field.reduction->of);
    return !source || std::ranges::find(waiting, source) == waiting.end();
}

} // namespace

Making making_of(const StreamSpec &spec, const Reduction &r) {
    if (!r.at.empty()) return Making::at_places;
    if (r.method == "interpolate") return Making::onto_levels;
    if (lists(r.over, spec.record_dimension)) return Making::over_time;
    return Making::over_dimensions;
}

std::string expand_made(StreamSpec &spec) {
    if (auto fault = check_sources(spec); !fault.empty()) return fault;
    if (auto fault = expand_places(spec); !fault.empty()) return fault;
    std::vector<Field *> made;
    for (auto *f : all_of(spec))
        if (f->reduction) made.push_back(f);
    while (!made.empty()) { // sources first
        const std::vector<const Field *> waiting(made.begin(), made.end());
        const auto next = std::ranges::find_if(made, [&](Field *f) { return ready(spec, *f, waiting); });
        if (next == made.end())
            return fmt::format("field {} is made from {}, which is made from it", made.front()->name,
                               made.front()->reduction->of);
        if (auto fault = complete(spec, **next); !fault.empty())
            return fmt::format("field {}: {}", (*next)->name, fault);
        made.erase(next);
    }
    return "";
}

const Field *find_source(const StreamSpec &spec, const std::string &name) {
    for (const auto *fields : {&spec.sources, &spec.fields}) {
        const auto f = std::ranges::find(*fields, name, &Field::name);
        if (f != fields->end() && may_be_source(spec, *f)) return &*f;
    }
    return nullptr;
}

std::string no_source(const StreamSpec &spec, const std::string &what, const std::string &name) {
    std::vector<std::string> names;
    for (const auto *fields : {&spec.sources, &spec.fields})
        for (const auto &f : *fields)
            if (may_be_source(spec, f)) names.push_back(f.name);
    return fmt::format("{} {}, which is neither a field that is put nor a source; {}", what, name,
                       near_and_all(name, names));
}

const Attribute *find_attribute(const Field &field, const std::string &name) {
    const auto a = std::ranges::find(field.attributes, name, &Attribute::name);
    return a == field.attributes.end() ? nullptr : &*a;
}

const Dimension *find_dimension(const StreamSpec &spec, const std::string &name) {
    const auto d = std::ranges::find(spec.dimensions, name, &Dimension::name);
    return d == spec.dimensions.end() ? nullptr : &*d;
}

bool is_number(const Field &field) { return field.type != Type::text && field.type != Type::character; }

bool lists(const std::vector<std::string> &names, const std::string &name) {
    return std::ranges::find(names, name) != names.end();
}

Companion companion_of(const StreamSpec &spec, const Field &source, const std::string &name) {
    if (name.empty()) return {};
    const auto &field = *find_source(spec, name);
    Companion c{.name = name, .per_frame = field.per_frame, .place = {}};
    for (const auto &d : source.dimensions) {
        const auto at = std::ranges::find(field.dimensions, d);
        c.place.push_back(at == field.dimensions.end() ? -1
                                                       : static_cast<int>(at - field.dimensions.begin()));
    }
    return c;
}

Box Companion::box_for(const Box &source) const {
    Box box;
    for (std::size_t d = 0; d < place.size(); ++d) {
        if (place[d] < 0) continue;
        const auto at = static_cast<std::size_t>(place[d]);
        if (box.start.size() <= at) box.start.resize(at + 1), box.count.resize(at + 1);
        box.start[at] = source.start[d];
        box.count[at] = source.count[d];
    }
    return box;
}

std::string companion_fault(const StreamSpec &spec, const Field &source, const std::string &what,
                            const std::string &name) {
    if (name.empty()) return "";
    const auto *field = find_source(spec, name);
    if (!field) return no_source(spec, fmt::format("its {} is", what), name);
    if (!is_number(*field)) return fmt::format("its {}, {}, is text", what, name);
    for (const auto &d : field->dimensions)
        if (!lists(source.dimensions, d))
            return fmt::format("its {}, {}, has dimension {}, which {} does not have", what, name, d,
                               source.name);
    return "";
}

void add_cell_methods(Field &field, const Field &source, const std::string &words) {
    if (find_attribute(field, "cell_methods")) return;
    std::string all;
    if (const auto *before = find_attribute(source, "cell_methods"))
        if (const auto *text = std::get_if<std::string>(&before->value)) all = *text + " ";
    field.attributes.emplace_back("cell_methods", all + words);
}

std::string settle(Field &field, const std::vector<std::string> &dimensions) {
    if (!field.dimensions.empty() && field.dimensions != dimensions)
        return fmt::format("its dimensions are declared as {}, but {} leaves: {}", list(field.dimensions),
                           field.reduction->of, list(dimensions));
    field.dimensions = dimensions;
    if (!field.fill) field.fill = fill_of(field);
    return "";
}

std::vector<std::int64_t> extents_of(const StreamSpec &spec, const Field &field) {
    std::vector<std::int64_t> extents;
    for (const auto &d : field.dimensions) extents.push_back(find_dimension(spec, d)->size);
    return extents;
}

} // namespace squall::io
