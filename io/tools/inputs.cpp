#include "inputs.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "check.hpp"
#include "common/box.hpp"
#include "common/sizes.hpp"
#include "fixed_time.hpp"
#include "read/source_check.hpp"

namespace squall::io::tools {
namespace {

std::optional<std::int64_t> number(const std::string &part, const std::string &text) {
    if (part.empty()) return std::nullopt;
    std::int64_t value = 0;
    const auto [stop, problem] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (problem != std::errc() || stop != part.data() + part.size())
        throw Error(
            fmt::format("frames \"{}\": write first:end as in Python, for example 2:5, -1: or 3", text));
    return value;
}

std::int64_t from_the_end(std::int64_t frame, std::int64_t all) {
    return std::clamp<std::int64_t>(frame < 0 ? frame + all : frame, 0, all);
}

bool same_dimensions(const Source &a, const Field &fa, const Source &b, const Field &fb) {
    return fa.dimensions == fb.dimensions && shape_of(a, fa) == shape_of(b, fb);
}

} // namespace

FrameRange parse_frames(const std::string &text) {
    const auto colon = text.find(':');
    if (colon != std::string::npos)
        return {number(text.substr(0, colon), text), number(text.substr(colon + 1), text)};
    const auto one = number(text, text);
    if (!one) return {};
    return {one, *one == -1 ? std::nullopt : std::optional(*one + 1)};
}

Inputs::Inputs(std::vector<std::string> paths, const FrameRange &range) : paths_(std::move(paths)) {
    for (std::size_t n = 0; n < paths_.size(); ++n) {
        try {
            sources_.push_back(with_frames(open_source(paths_[n])));
        } catch (const std::exception &e) {
            throw Error(fmt::format("{}: {}", paths_[n], e.what()));
        }
        if (n > 0) require_alike(n);
        const auto before = static_cast<std::uint64_t>(n > 0 ? ends_.back() : 0);
        const auto end = plus(before, static_cast<std::uint64_t>(sources_[n]->frames));
        ends_.push_back(points_in({static_cast<std::int64_t>(end)}, 1));
    }
    const auto all = ends_.back();
    start_ = from_the_end(range.start.value_or(0), all);
    stop_ = from_the_end(range.stop.value_or(all), all);
    if (start_ >= stop_ && (range.start || range.stop))
        throw Error(fmt::format("{}: none of its {} frames is selected", paths_.front(), all));
    stop_ = std::max(start_, stop_);
}

void Inputs::require_held(const std::vector<std::string> &fields) const {
    const bool all = fields.empty();
    for (std::size_t n = 0; n < sources_.size(); ++n) {
        std::vector<std::string> named;
        for (const auto &[field, what] : sources_[n]->unheld)
            if (all || std::ranges::find(fields, field) != fields.end() ||
                (field.empty() && !what.starts_with("the group")))
                named.push_back(what);
        if (!named.empty())
            throw Error(
                fmt::format("{}: Squall cannot keep this as it is: {}. It leaves nothing out and rounds "
                            "nothing silently: remove it first, or choose other fields with --fields",
                            paths_[n], fmt::join(named, "; ")));
    }
}

void Inputs::require_alike(std::size_t n) const {
    const auto &a = *sources_.front(), &b = *sources_[n];
    const auto differ = [&](const std::string &what) {
        throw Error(fmt::format("cannot join {} and {}: {}", paths_.front(), paths_[n], what));
    };
    if (a.record_dimension != b.record_dimension)
        differ(fmt::format("the record dimension is {} and {}", a.record_dimension, b.record_dimension));
    for (const auto &field : b.fields)
        if (find(a, field.name) < 0) differ(fmt::format("only the second has a field {}", field.name));
    for (const auto &field : a.fields) {
        const int other = find(b, field.name);
        if (other < 0) differ(fmt::format("only the first has a field {}", field.name));
        const auto &alike = b.fields[other];
        if (alike.type != field.type || alike.per_frame != field.per_frame ||
            !same_dimensions(a, field, b, alike))
            differ(fmt::format("field {} has another type or other dimensions", field.name));
    }
}

void Inputs::read(int field, std::int64_t frame, const Box &box, void *contiguous) const {
    const auto &f = first().fields[field];
    const auto number = f.per_frame ? start_ + frame : 0;
    const auto n =
        f.per_frame ? static_cast<std::size_t>(std::ranges::upper_bound(ends_, number) - ends_.begin()) : 0;
    const auto at = number - (n > 0 ? ends_[n - 1] : 0);
    const auto &source = *sources_[n];
    try {
        source.read(n == 0 ? field : find(source, f.name), at, box, contiguous, f.type);
    } catch (const std::exception &e) {
        throw Error(
            fmt::format("{}: frame {}, field {}, box {}: {}", paths_[n], at, f.name, text(box), e.what()));
    }
}

} // namespace squall::io::tools
