#include "declare/expand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "declare/encode.hpp"
#include "declare/layout.hpp"
#include "declare/made.hpp"
#include "declare/time.hpp"

namespace squall::io {
namespace {

void add_dimension(StreamSpec &spec, const std::string &name, std::int64_t size) {
    if (std::ranges::find(spec.dimensions, name, &Dimension::name) == spec.dimensions.end())
        spec.dimensions.push_back({name, size});
}

std::string calendar_of(const StreamSpec &spec) {
    return spec.calendar.empty() ? "proleptic_gregorian" : spec.calendar;
}

/// Whether the values of others have times of their own, as those along trajectories have.
bool have_times_of_their_own(const StreamSpec &spec) {
    return std::ranges::any_of(spec.fields, [](const Field &field) {
        const auto *axis = find_attribute(field, "axis");
        const auto *text = axis ? std::get_if<std::string>(&axis->value) : nullptr;
        return text && *text == "T";
    });
}

/// In front of the other fields: what says when the frame is.
void add_time(StreamSpec &spec) {
    const auto &axis = *spec.time;
    Field time{name_of_time(spec), Type::f64, {}, {{"standard_name", "time"}}};
    if (!have_times_of_their_own(spec)) time.attributes.emplace_back("axis", "T"); // CF has one
    time.attributes.emplace_back("units", axis.units);
    time.attributes.emplace_back("calendar", calendar_of(spec));
    if (axis.bounds) {
        time.attributes.emplace_back("bounds", name_of_bounds(spec));
        add_dimension(spec, "bnds", 2);
        spec.fields.insert(spec.fields.begin(), {name_of_bounds(spec), Type::f64, {"bnds"}, {}});
    }
    spec.fields.insert(spec.fields.begin(), std::move(time));
}

std::string expand_text(StreamSpec &spec, Field &field) {
    if (field.type != Type::text) return "";
    if (field.letters < 1)
        return fmt::format("field {}: a text of {} letters; set its maximum length with `letters`",
                           field.name, field.letters);
    const auto name = fmt::format("string{}", field.letters);
    add_dimension(spec, name, field.letters);
    field.dimensions.push_back(name);
    field.type = Type::character;
    field.attributes.emplace_back("_Encoding", "utf-8");
    return "";
}

Field status_of(const Field &field) {
    Field status{name_of_status(field), Type::i8, {}, {}};
    if (const auto *name = find_attribute(field, "standard_name"))
        if (const auto *text = std::get_if<std::string>(&name->value))
            status.attributes.emplace_back("standard_name", *text + " status_flag");
    status.attributes.emplace_back("long_name", "whether the frame has " + field.name);
    status.attributes.emplace_back("flag_values", Value(std::vector<std::int32_t>{0, 1}));
    status.attributes.emplace_back("flag_meanings", "left_out present");
    return status;
}

std::string expand_fill(const StreamSpec &spec, Field &field) {
    if (field.fill && !holds(field.type, *field.fill))
        return fmt::format("field {}: {} is not a valid {}; choose another fill value", field.name,
                           *field.fill, name_of(field.type));
    if (!fills(spec, field) || field.type == Type::character) return "";
    const bool said = find_attribute(field, "_FillValue") != nullptr;
    if (said && !field.fill)
        return fmt::format("field {}: declare its fill value with `fill`, not as an attribute", field.name);
    if (!said) field.attributes.push_back(fill_attribute(field));
    return "";
}

} // namespace

bool holds(Type type, double x) {
    const auto in = [&](auto least, auto most) {
        return x == std::floor(x) && x >= static_cast<double>(least) && x <= static_cast<double>(most);
    };
    switch (type) {
    case Type::i8:
        return in(-128, 127);
    case Type::u8:
        return in(0, 255);
    case Type::i16:
        return in(-32768, 32767);
    case Type::i32:
        return in(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
    case Type::i64: // up to where every whole number is a double, and the default
        return in(-9007199254740992, 9007199254740992) || x == -std::exp2(63);
    case Type::f32:
        return std::isnan(x) || static_cast<double>(static_cast<float>(x)) == x;
    case Type::f64:
        return true;
    case Type::character:
    case Type::text:
        break;
    }
    return false;
}

double fill_of(const Field &field) {
    if (field.fill) return *field.fill;
    switch (field.type) {
    case Type::f32:
    case Type::f64:
        return 9.9692099683868690e+36; // exactly the float
    case Type::i8:
        return -127;
    case Type::u8:
        return 255;
    case Type::i16:
        return -32767;
    case Type::i32:
        return -2147483647;
    case Type::i64:
        return -std::exp2(63);
    case Type::character:
    case Type::text:
        break;
    }
    return 0;
}

double fill_in_file(const Field &field) {
    return field.precision.kind == Precision::Kind::packed ? packed_fill : fill_of(field);
}

Attribute fill_attribute(const Field &field) {
    const double fill = fill_of(field);
    if (field.precision.kind == Precision::Kind::packed) return {"_FillValue", packed_fill};
    if (field.type == Type::f32) return {"_FillValue", static_cast<float>(fill)};
    if (field.type == Type::f64 || field.type == Type::i64) return {"_FillValue", fill};
    return {"_FillValue", static_cast<std::int32_t>(fill)};
}

bool fills(const StreamSpec &spec, const Field &field) {
    return field.fill.has_value() || field.optional || !field.decomposition.empty() ||
           varying_dimension(spec, field) >= 0;
}

int varying_dimension(const StreamSpec &spec, const Field &field) {
    for (std::size_t n = 0; n < field.dimensions.size(); ++n) {
        const auto d = std::ranges::find(spec.dimensions, field.dimensions[n], &Dimension::name);
        if (d != spec.dimensions.end() && d->varying) return static_cast<int>(n);
    }
    return -1;
}

std::string name_of_time(const StreamSpec &spec) {
    return spec.time->name.empty() ? spec.record_dimension : spec.time->name;
}
std::string name_of_bounds(const StreamSpec &spec) { return name_of_time(spec) + "_bnds"; }
std::string name_of_status(const Field &field) { return field.name + "_status"; }
std::string name_of_count(const Dimension &dimension) { return dimension.name + "_count"; }

std::string expand(StreamSpec &spec) {
    try {
        calendar_named(spec.calendar);
        if (spec.time) {
            in_units({0, "2000-01-01", spec.calendar}, time_units(spec.time->units));
            add_time(spec);
        }
    } catch (const Error &e) {
        return e.what();
    }
    if (auto fault = expand_made(spec); !fault.empty()) return fault;
    std::vector<Field> marks;
    for (auto &field : spec.fields) {
        if (field.optional && !field.per_frame)
            return fmt::format(
                "field {} is fixed in time and optional; only per-frame fields can be left out", field.name);
        if (field.optional) {
            field.attributes.emplace_back("ancillary_variables", name_of_status(field));
            marks.push_back(status_of(field));
        }
        const auto varying = std::ranges::count_if(field.dimensions, [&](const std::string &name) {
            const auto d = std::ranges::find(spec.dimensions, name, &Dimension::name);
            return d != spec.dimensions.end() && d->varying;
        });
        if (varying > 1)
            return fmt::format("field {}: {} of its dimensions vary in length; only one may", field.name,
                               varying);
        if (varying > 0 && !field.per_frame)
            return fmt::format("field {} is fixed in time, but one of its dimensions varies in length",
                               field.name);
        if (auto fault = expand_text(spec, field); !fault.empty()) return fault;
        if (auto fault = expand_fill(spec, field); !fault.empty()) return fault;
    }
    for (const auto &d : spec.dimensions) {
        if (!d.varying) continue;
        if (std::ranges::find(spec.subset, d.name, &Selection::dimension) != spec.subset.end())
            return fmt::format("a subset of dimension {}, whose length varies", d.name);
        marks.push_back({name_of_count(d), Type::i64, {}, {{"long_name", "length of " + d.name + " count"}}});
    }
    spec.fields.insert(spec.fields.end(), marks.begin(), marks.end());
    return "";
}

} // namespace squall::io
