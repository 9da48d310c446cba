#include "description.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace squall::wrf {
namespace {

io::Type type_in_file(FieldType type) {
    switch (type) {
    case wrf_double:
        return io::Type::f64;
    case wrf_integer:
    case wrf_logical:
        return io::Type::i32;
    default:
        return io::Type::f32;
    }
}

void put_last(std::vector<io::Attribute> &attributes, io::Attribute attribute) {
    const auto same = std::ranges::find(attributes, attribute.name, &io::Attribute::name);
    if (same == attributes.end())
        attributes.push_back(std::move(attribute));
    else
        *same = std::move(attribute);
}

std::string told(const io::Value &value) {
    return std::visit([](const auto &v) { return fmt::format("{}:{}", v.size(), v); }, value);
}

} // namespace

Description::Description() : dimensions_{{"DateStrLen", date_length}} {
    fields_.push_back({times_name, io::Type::character, {"DateStrLen"}, {}});
    by_name_[times_name] = 0;
}

/// As WRF's layers do: a dimension without a name is the first one of that length, or a new one, DIM0007 if
/// it is the seventh of the file. Empty: the name stands for another length.
std::string Description::dimension(const std::string &name, std::int64_t length) {
    const auto found = name.empty() ? std::ranges::find(dimensions_, length, &io::Dimension::size)
                                    : std::ranges::find(dimensions_, name, &io::Dimension::name);
    if (found != dimensions_.end()) return found->size == length ? found->name : "";
    dimensions_.push_back({name.empty() ? fmt::format("DIM{:04}", dimensions_.size() + 1) : name, length});
    return dimensions_.back().name;
}

/// Three characters.
static std::string memory_order_in_file(const io::MemoryOrder &order) {
    auto text = order.of_field();
    text.resize(3, ' ');
    return text;
}

Status Description::declare(const std::string &name, FieldType in_file, const io::MemoryOrder &order,
                            const std::vector<std::string> &dimensions,
                            const std::vector<std::int64_t> &lengths) {
    if (by_name_.contains(name)) return declared_twice;
    io::Field field{name, type_in_file(in_file), {}, {}};
    for (std::size_t f = 0; f < order.dimensions(); ++f) {
        const auto d = order.in_memory(f);
        const auto found = dimension(dimensions[d], lengths[d]);
        if (found.empty()) return dimension_redefined;
        field.dimensions.insert(field.dimensions.begin(), found); // slowest first
    }
    field.attributes.emplace_back("FieldType", static_cast<std::int32_t>(in_file));
    field.attributes.emplace_back("MemoryOrder", memory_order_in_file(order));
    by_name_[name] = fields_.size();
    fields_.push_back(std::move(field));
    return ok;
}

Status Description::declare_metadata(const std::string &name, io::Type type, std::int64_t length) {
    if (length < 1) return zero_length;
    if (by_name_.contains(name)) return declared_twice;
    by_name_[name] = fields_.size();
    fields_.push_back({name, type, {dimension("", length)}, {}});
    return ok;
}

Status Description::describe(const std::string &field, io::Attribute attribute) {
    if (field.empty()) {
        put_last(attributes_, std::move(attribute));
        return ok;
    }
    const auto found = by_name_.find(field);
    if (found == by_name_.end()) return variable_not_found;
    put_last(fields_[found->second].attributes, std::move(attribute));
    return ok;
}

const io::Field *Description::field(const std::string &name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &fields_[found->second];
}

std::int64_t Description::size(const std::string &dimension) const {
    return std::ranges::find(dimensions_, dimension, &io::Dimension::name)->size;
}

std::vector<std::string> Description::names() const {
    std::vector<std::string> names;
    for (const auto &field : fields_)
        if (field.name != times_name) names.push_back(field.name);
    return names;
}

io::StreamSpec Description::stream() const {
    io::StreamSpec spec;
    spec.dimensions = dimensions_;
    spec.fields = fields_;
    return spec;
}

std::string Description::key() const {
    std::string key;
    for (const auto &d : dimensions_) key += fmt::format("{}={}\n", d.name, d.size);
    for (const auto &f : fields_) {
        key += fmt::format("{} {} {}\n", f.name, static_cast<int>(f.type), fmt::join(f.dimensions, ","));
        for (const auto &a : f.attributes)
            key += fmt::format("{}={} {}\n", a.name, a.value.index(), told(a.value));
    }
    return key;
}

std::string metadata_name(const std::string &element, const std::string &field) {
    // Of the whole file: what WRF's layers put in the place of a field's name.
    auto name = "MD___" + element + (field.empty() ? "E_X_T_D_O_M_A_I_N_M_E_T_A_DATA_" : field);
    for (char &c : name)
        c = c == '-' || c == ':' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

} // namespace squall::wrf
