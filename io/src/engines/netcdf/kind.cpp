#include "engines/netcdf/kind.hpp"

#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "common/types.hpp"

namespace squall::io::netcdf {
namespace {

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

struct Limits {
    std::string name;           ///< the word of option `format`
    bool all_types = false;     ///< u8 and i64, too
    std::int64_t length = none; ///< of a dimension
    std::int64_t bytes = none;  ///< of a field, or of its part of a frame
    std::int64_t begin = none;  ///< where a field, or its part of the first frame, may begin in the file
};

constexpr std::int64_t GiB = 1 << 30;

/// Fields begin behind the header, whose length is known only when it is written.
constexpr std::int64_t room_for_header = 16 << 20;

/// Libraries differ by some bytes: these limits hold in all.
Limits limits_of(Kind kind) {
    constexpr std::int64_t length = 2 * GiB - 4;
    switch (kind) {
    case Kind::cdf1:
        return {"cdf1", false, length, 2 * GiB - 8, 2 * GiB - room_for_header};
    case Kind::cdf2:
        return {"cdf2", false, length, 4 * GiB - 8};
    case Kind::cdf5:
        return {"cdf5", true};
    case Kind::netcdf4:
        break;
    }
    return {"netcdf4", true};
}

std::string in_GiB(std::int64_t bytes) {
    return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / static_cast<double>(GiB));
}

/// Some attributes of a field get its type.
bool is_i64(const Attribute &a, bool of_field) {
    return std::holds_alternative<std::vector<std::int64_t>>(a.value) &&
           !(of_field && is_of_its_field(a.name));
}

std::string beyond_types(const Layout &layout, const std::vector<Attribute> &added, const Limits &kind) {
    if (kind.all_types) return "";
    const auto fault = [&](const std::string &what, Type type) {
        return fmt::format("{} is of type {}, which {} does not have", what, name_of(type), kind.name);
    };
    for (const auto *attributes : {&layout.spec.attributes, &added})
        for (const auto &a : *attributes)
            if (is_i64(a, false)) return fault("attribute " + a.name, Type::i64);
    for (const auto &f : layout.fields) {
        const auto &field = f.field;
        if (field.type == Type::u8 || field.type == Type::i64)
            return fault("field " + field.name, field.type);
        for (const auto &a : field.attributes)
            if (is_i64(a, true))
                return fault(fmt::format("attribute {} of field {}", a.name, field.name), Type::i64);
    }
    return "";
}

std::string beyond_sizes(const Layout &layout, const Limits &kind) {
    for (const auto &d : layout.spec.dimensions)
        if (d.size > kind.length)
            return fmt::format("dimension {} has {} points, and {} holds at most {}", d.name, d.size,
                               kind.name, kind.length);
    for (const auto &f : layout.fields)
        if (f.bytes() > kind.bytes)
            return fmt::format("field {} has {}{}, and {} holds less than {} GiB", f.field.name,
                               in_GiB(f.bytes()), f.field.per_frame ? " in a frame" : "", kind.name,
                               kind.bytes / GiB + 1);
    return "";
}

/// Where fields begin: first those that are fixed in time, then those of the first frame.
std::string beyond_begins(const Layout &layout, const Limits &kind) {
    std::int64_t begin = 0;
    for (const bool per_frame : {false, true})
        for (const auto &f : layout.fields) {
            if (f.field.per_frame != per_frame) continue;
            if (begin > kind.begin)
                return fmt::format(
                    "field {} begins behind {} of others and the header, and {} reaches less than {} GiB",
                    f.field.name, in_GiB(begin), kind.name, kind.begin / GiB + 1);
            begin += (f.bytes() + 3) / 4 * 4;
        }
    return "";
}

/// What of a stream a kind cannot hold, or "".
std::string beyond(const Layout &layout, Kind kind, const std::vector<Attribute> &added = {}) {
    const auto limits = limits_of(kind);
    auto fault = beyond_types(layout, added, limits);
    if (fault.empty()) fault = beyond_sizes(layout, limits);
    return fault.empty() ? beyond_begins(layout, limits) : fault;
}

/// The kind that the option names; none: it is to be chosen.
std::optional<Kind> named(const Layout &layout) {
    const auto format = layout.option("format", "");
    for (const auto kind : {Kind::cdf1, Kind::cdf2, Kind::cdf5, Kind::netcdf4})
        if (format == limits_of(kind).name) return kind;
    return std::nullopt;
}

Kind smallest(const Layout &layout, const std::vector<Attribute> &added = {}) {
    return beyond(layout, Kind::cdf2, added).empty() ? Kind::cdf2 : Kind::cdf5;
}

} // namespace

OptionInfo format_option(const std::string &preset, const std::string &about,
                         const std::vector<std::string> &further) {
    OptionInfo option{
        "format", OptionInfo::Kind::word, preset, "", about, {"classic", "cdf1", "cdf2", "cdf5"}};
    option.words.insert(option.words.end(), further.begin(), further.end());
    return option;
}

Kind kind_of(const Layout &layout) {
    if (const auto kind = named(layout)) return *kind;
    return layout.codec.name == "none" ? smallest(layout) : Kind::netcdf4;
}

std::string kind_fault(const Layout &layout) { return attributes_fault(layout, {}); }

std::string attributes_fault(const Layout &layout, const std::vector<Attribute> &attributes) {
    const auto kind = named(layout);
    if (!kind) return "";
    const auto fault = beyond(layout, *kind, attributes);
    if (fault.empty()) return "";
    return fmt::format("{}; leave format out or set it to {}", fault,
                       limits_of(smallest(layout, attributes)).name);
}

std::string append_fault(const Layout &layout, const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    char first[4] = {};
    in.read(first, sizeof first);
    if (!in || std::string_view(first, 3) != "CDF") return "";
    const auto kind = first[3] == 1 ? Kind::cdf1 : first[3] == 2 ? Kind::cdf2 : Kind::cdf5;
    const auto fault = beyond(layout, kind);
    return fault.empty() ? "" : fmt::format("cannot append: {}; write to another file", fault);
}

} // namespace squall::io::netcdf
