/// Who makes which of the fields over dimensions and at places, and what ranks send to servers for it.

#include <algorithm>

#include <fmt/format.h>

#include "declare/layout.hpp"
#include "squall/io_encode.hpp"

namespace squall::io {
namespace {

/// Why servers cannot make one of these of fields of such names, some of which may be empty; "" if they can.
/// What takes over from them needs what only they have received.
std::string not_on_servers(const StreamSpec &spec, const std::vector<std::string> &names) {
    if (spec.placement != "servers") return fmt::format("the placement is {}", spec.placement);
    if (spec.on_lost_server == "take-over") return "on_lost_server is \"take-over\"";
    for (const auto &name : names)
        if (!name.empty() && find_source(spec, name)->optional)
            return fmt::format("frames may leave out {}", name);
    return "";
}

/// Whether servers receive it as ranks would reduce it, to write it.
bool is_received_anyway(const FieldLayout *source) {
    if (!source) return false;
    for (std::size_t d = 0; d < source->cuts.size(); ++d)
        if (source->cuts[d].size != source->domain[d]) return false;
    return source->staged == Type::f32 || source->staged == Type::f64;
}

[[noreturn]] void refuse(const StreamSpec &spec, int field, const std::string &fault) {
    throw Error(fmt::format(
        "stream {}: field {}: servers cannot compute it: {}; leave reduce empty, and the ranks compute it",
        spec.name, spec.fields[static_cast<std::size_t>(field)].name, fault));
}

/// All of the domain, as it is put, in the type in which ranks would reduce it.
FieldLayout layout_of_sent(const StreamSpec &spec, const Field &source, Type type) {
    FieldLayout f;
    f.field = source;
    f.field.precision = {};
    f.field.type = f.staged = type;
    f.domain = f.shape = extents_of(spec, source);
    for (const auto n : f.domain) {
        f.cuts.push_back({0, 1, n});
        f.points *= n;
    }
    return f;
}

} // namespace

/// Servers where they need receive nothing more for it, unless the declaration says otherwise.
void Layout::choose_makers() {
    if (spec.reduce == "ranks") return;
    const bool asked = spec.reduce == "servers";
    for (auto &fold : folds) {
        const auto fault = not_on_servers(spec, {fold.of, fold.weight.name, fold.mask.name});
        if (asked && !fault.empty()) refuse(spec, fold.field, fault);
        const int written = find(fold.of);
        const auto *source = written < 0 ? nullptr : &fields[static_cast<std::size_t>(written)];
        const bool anyway = is_received_anyway(source),
                   alone = fold.weight.name.empty() && fold.mask.name.empty();
        fold.on_servers = fault.empty() && (asked || (anyway && alone));
        if (!fold.on_servers) continue;
        fold.received = anyway ? written : send(fold.of, false);
        if (anyway && source->fills) fold.fill = source->fill; // of points that nobody owns
    }
    for (auto &fold : folds)
        for (auto *companion : {&fold.weight, &fold.mask})
            if (fold.on_servers && !companion->name.empty())
                companion->received = send(companion->name, true);
    if (!asked) return;
    for (auto &sample : samples) {
        if (const auto fault = not_on_servers(spec, {sample.of}); !fault.empty())
            refuse(spec, sample.field, fault);
        sample.on_servers = true;
        sample.received = send(sample.of, false);
    }
    for (const auto &places : spec.places) whereabouts.push_back(send_whereabouts(places));
}

/// Of places that move, for each dimension in which they lie.
std::vector<int> Layout::send_whereabouts(const Places &places) {
    std::vector<int> numbers;
    const auto here = [&](const Sample &s) { return &spec.places[s.places] == &places; };
    if (!places.positions.empty() || std::ranges::none_of(samples, here)) return numbers;
    for (const auto &d : places.dimensions) {
        numbers.push_back(staged_fields());
        const Field along{fmt::format("{} along {}", places.name, d), Type::f64, {places.name}, {}};
        sent.push_back({layout_of_sent(spec, along, Type::f64), true, true});
    }
    return numbers;
}

/// The number of what is sent; it is sent once, whatever is made of it. Values of sources count as they are
/// in files, those of weights with all the digits that they are put with.
int Layout::send(const std::string &name, bool beside) {
    const auto known = std::ranges::find_if(
        sent, [&](const SentField &s) { return s.field.field.name == name && s.beside == beside; });
    const auto n = known - sent.begin();
    if (known == sent.end()) {
        const auto &source = *find_source(spec, name);
        const bool single = !beside && source.type == Type::f32;
        sent.push_back({layout_of_sent(spec, source, single ? Type::f32 : Type::f64), beside});
    }
    return static_cast<int>(std::ssize(fields) + n);
}

bool Layout::lies_beside(int number) const {
    return !in_file(number) && sent[static_cast<std::size_t>(number) - fields.size()].beside;
}

bool Layout::goes_to_all(int number) const {
    return !in_file(number) && sent[static_cast<std::size_t>(number) - fields.size()].to_all;
}

/// The one next to the last, so that what follows in it lies together; of what is sampled one in which all
/// the places lie, so that whoever has a point has all of its column.
int Layout::shared_along(int number) const {
    const auto dimensions = static_cast<int>(staged(number).shape.size());
    const auto keeps_columns = [&](int d) {
        return std::ranges::all_of(samples, [&](const Sample &s) {
            return s.received != number || s.lie_in(static_cast<std::size_t>(d));
        });
    };
    if (dimensions < 2) return -1;
    if (keeps_columns(dimensions - 2)) return dimensions - 2;
    for (int d = 0; d < dimensions; ++d)
        if (keeps_columns(d)) return d;
    return -1;
}

const FieldLayout &Layout::staged(int number) const {
    const auto n = static_cast<std::size_t>(number);
    return in_file(number) ? fields[n] : sent[n - fields.size()].field;
}

std::vector<int> Layout::numbers(const std::string &name) const {
    std::vector<int> all;
    if (const int field = find(name); field >= 0) all.push_back(field);
    for (auto n = static_cast<int>(fields.size()); n < staged_fields(); ++n)
        if (staged(n).field.name == name) all.push_back(n);
    return all;
}

bool Layout::made_by_servers(int field) const {
    const auto makes = [field](const auto &made) { return made.on_servers && made.field == field; };
    return std::ranges::any_of(folds, makes) || std::ranges::any_of(samples, makes);
}

std::vector<MadeField> made_fields(const StreamSpec &spec) {
    const Layout layout(spec);
    std::vector<MadeField> all;
    for (int f = 0; f < std::ssize(layout.fields); ++f) {
        const auto &field = layout.fields[static_cast<std::size_t>(f)].field;
        if (!field.reduction) continue;
        all.push_back({field.name, field.dimensions, layout.made_by_servers(f) ? "servers" : "ranks"});
    }
    return all;
}

std::vector<Field> sent_fields(const StreamSpec &spec) {
    const Layout layout(spec);
    std::vector<Field> all;
    for (const auto &sent : layout.sent) all.push_back(sent.field.field);
    return all;
}

} // namespace squall::io
